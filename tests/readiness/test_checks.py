# World and Sites are typed in conftest.py, which a test module cannot import.
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from readiness.checks.catalog import CATALOG
from readiness.checks.check import Check, CheckFinding, CheckOutcome, CheckStatus, passed, verdict
from readiness.fetching.errors import Reason
from readiness.fetching.fetcher import Fetcher
from readiness.fetching.urls import parse
from readiness.scans.scan import Options
from readiness.survey.evidence import Evidence
from readiness.survey.site import SitemapSurvey, SiteVisit, SurveyedSite
from readiness.survey.site_kind import Kind
from readiness.survey.site_survey import Survey
from tests.readiness.conftest import Pages, Sites, World, statuses_of

pytestmark = pytest.mark.asyncio(loop_scope="session")
DEALER = "www.dealer.example.com"
POOR = "poor.example.com"


async def surveyed(
    world: World, host: str, pages: Pages, sites: Sites, *, probe: bool = False
) -> SurveyedSite:
    world.server.hosts[host] = sites.serving(pages, host)
    network = world.network
    async with Fetcher(world.policy, resolve=network.resolve, dial=network.dial, tls=network.tls) as fetcher:
        survey = Survey(
            fetcher,
            parse(f"https://{host}/"),
            lambda: datetime(2026, 3, 1, tzinfo=UTC),
            lambda scheme, path, headers: None,
        )
        return await survey.run(probe=probe, signals=True)


def unseen(visit: SiteVisit) -> SiteVisit:
    return SiteVisit(visit.url, visit.role, Reason.TIMEOUT, agent=visit.agent)


def blinded(site: SurveyedSite) -> SurveyedSite:
    """The same site, of which nothing answered."""
    return replace(
        site,
        home=unseen(site.home),
        plain_home=unseen(site.plain_home),
        secure_home=unseen(site.secure_home),
        robots_visit=unseen(site.robots_visit),
        sitemap=SitemapSurvey(
            tuple((unseen(visit), read) for visit, read in site.sitemap.files), site.sitemap.locations
        ),
        pages=tuple(map(unseen, site.pages)),
        control=unseen(site.control) if site.control else None,
        probes=tuple(map(unseen, site.probes)),
        emerging=tuple(map(unseen, site.emerging)),
        images=tuple(map(unseen, site.images)),
    )


@pytest.fixture(scope="module")
def kept() -> dict[str, SurveyedSite]:
    return {}


@pytest.mark.parametrize(
    "check",
    [
        check for check in CATALOG if not check.id.startswith("tech.browser.")
    ],  # they need a browser, see test_browser.py
    ids=lambda check: check.id,
)
async def test_without_its_evidence_a_verdict_is_unknown(
    world: World, sites: Sites, kept: dict[str, SurveyedSite], check: Check
) -> None:
    if "dealer" not in kept:
        kept["dealer"] = await surveyed(world, DEALER, sites.dealer(DEALER, vehicles=8), sites, probe=True)
    site = kept["dealer"]
    if not check.id.startswith("exp."):
        assert check.answer(site, check.rule).status is CheckStatus.PASS
    assert check.answer(blinded(site), check.rule).status is CheckStatus.UNKNOWN


FAILING = {
    "tech.sitemap", "tech.sd.business", "tech.render.server_text", "tech.links.crawlable", "tech.a11y.names",
    "veh.inventory.listed_without_js", "veh.vdp.identity", "veh.vdp.vin", "veh.vdp.price", "veh.vdp.mileage",
    "veh.vdp.availability_condition", "veh.vdp.images", "veh.vdp.structured",
    "svc.detail", "svc.price", "svc.booking", "svc.booking.machine", "svc.coverage", "svc.hours_service", "svc.structured",
    "ho.phone", "ho.address", "ho.hours", "ho.contact_form", "ho.appointment", "ho.directions", "ho.finance", "ho.trade_in",
    "ho.privacy_identity",
}  # fmt: skip


async def test_a_poor_site_fails_what_it_lacks(world: World, sites: Sites) -> None:
    links = '<a href="/inventory">Cars</a><a href="/service">Service</a>'
    cars = "".join(f'<a href="/inventory/offer-{number}">offer</a>' for number in range(100, 104))
    bare = sites.answer("<p>Synthetic test site</p>")
    pages = {
        "/": sites.answer(
            f"<nav><span onclick=x>A</span><span onclick=x>B</span></nav>{links}<input><p>Synthetic test site</p>"
        ),
        "/inventory": sites.answer(f"<p>Synthetic test site</p>{cars}"),
        "/service": bare,
        **{f"/inventory/offer-{number}": bare for number in range(100, 104)},
    }
    statuses = statuses_of(await world.scan(POOR, pages, Options(declared=Kind.DEALER)))
    failing = {check for check, status in statuses.items() if status == "fail"}
    assert FAILING - failing - {"veh.inventory.listed_without_js"} == set()
    assert statuses["veh.inventory.found"] == "pass"
    assert statuses["svc.menu.found"] == "warn"
    assert statuses["tech.sd.valid"] == "not_applicable"
    assert statuses["tech.sd.consistent"] == "not_applicable"


async def test_the_shell_of_an_app_lists_no_vehicle(world: World, sites: Sites) -> None:
    report = await world.scan("js.example.com", sites.javascript_only(), Options(declared=Kind.DEALER))
    statuses = statuses_of(report)
    [listed] = [
        check for check in report.journeys.vehicle.checks if check.id == "veh.inventory.listed_without_js"
    ]
    assert listed.status.value == "fail"
    assert statuses["tech.links.crawlable"] == "not_applicable"
    assert statuses["tech.a11y.names"] == "not_applicable"


async def test_new_cars_have_no_mileage_and_ordered_cars_no_vin(world: World, sites: Sites) -> None:
    pages = sites.dealer(DEALER, vehicles=8)
    for path, answer in pages.items():
        if path.startswith("/inventory/"):
            answer.text = answer.text.replace("UsedCondition", "NewCondition").replace("InStock", "PreOrder")
            answer.text = answer.text.replace("vehicleIdentificationNumber", "x-vin")
            start = answer.text.index("VIN ")
            answer.text = answer.text[:start] + answer.text[start + 21 :]
    statuses = statuses_of(await world.scan(DEALER, pages))
    assert (statuses["veh.vdp.mileage"], statuses["veh.vdp.vin"]) == ("not_applicable", "not_applicable")


async def test_no_evidence_no_verdict() -> None:
    for status in (CheckStatus.PASS, CheckStatus.WARN, CheckStatus.FAIL):
        with pytest.raises(ValueError, match="evidence"):
            CheckOutcome(status)
    assert passed(Evidence("https://example.com/")).status is CheckStatus.PASS


@pytest.mark.parametrize(
    ("credits", "status"),
    [
        ([1, 1, 1, 1, 0], CheckStatus.PASS), ([1, 1, 1, 0.5, 0.5], CheckStatus.WARN), ([0.5, 0.5, 0, 0, 0], CheckStatus.WARN),
        ([1, 1, 1, 0], CheckStatus.WARN), ([1, 0, 0, 0, 0], CheckStatus.FAIL), ([None, None, 1], CheckStatus.PASS), ([None], CheckStatus.NOT_APPLICABLE), ([0.5], CheckStatus.WARN),
    ],
)  # fmt: skip
async def test_samples_pass_at_four_fifths_and_warn_at_two_fifths(
    credits: Sequence[float | None], status: CheckStatus
) -> None:
    answer = verdict([CheckFinding(credit, Evidence("https://example.com/")) for credit in credits])
    assert answer.status is status
    asked = [credit for credit in credits if credit is not None]
    if asked:
        assert answer.sample is not None
        assert (answer.sample.n, answer.sample.hits) == (len(asked), asked.count(1))
        assert answer.reason == ("single_page" if len(asked) == 1 else None)
