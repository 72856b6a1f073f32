# World and Sites are typed in conftest.py, which a test module cannot import.
"""Documents and headers for agents: valid or not, not just present, and worth nothing in the score."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from readiness.checks.emerging import read_relations
from readiness.reading.agent_documents import AGENT_DOCUMENTS
from readiness.report.document import CheckResult, Report
from readiness.scans.scan import Options
from tests.readiness.agent_documents import JSON, sound_documents
from tests.readiness.conftest import Answer, Pages, Sites, World

pytestmark = pytest.mark.asyncio(loop_scope="session")
SHOP = "www.shop.example.com"
SOUND = sound_documents(SHOP)
CARD, ENTRY = SOUND["exp.a2a"][2], SOUND["exp.ard"][2]["entries"][0]
SKILL = CARD["skills"][0]


def served(documents: Mapping[str, tuple[str, str, Any]], sites: Sites) -> Pages:
    pages = sites.repair_shop(SHOP)
    for path, kind, content in documents.values():
        body = content if isinstance(content, str) else json.dumps(content)
        pages[path] = Answer(body, kind=kind)
    return pages


EVERY = Options(report_id="r-1", base_url="https://seenby.example.com", signals=True)


def emerging_of(report: Report) -> dict[str, CheckResult]:
    return {check.id: check for check in report.emerging}


async def test_every_sound_document_passes_and_weighs_nothing(world: World, sites: Sites) -> None:
    plain = await world.scan(SHOP, sites.repair_shop(SHOP), EVERY)
    report = await world.scan(SHOP, served(SOUND, sites), EVERY)
    checks = emerging_of(report)
    assert {name: checks[name].status.value for name in SOUND} == dict.fromkeys(SOUND, "pass")
    assert all(checks[name].weight == 0 and checks[name].evidence for name in SOUND)
    assert report.overall.score == plain.overall.score
    assert not report.budget.exhausted


@pytest.mark.parametrize("content", ["{}", "[]", "{", '"text"', "[" * 100_000])
async def test_a_document_that_says_nothing_is_broken(world: World, sites: Sites, content: str) -> None:
    empty = {name: (path, kind, content) for name, (path, kind, _) in SOUND.items() if "json" in kind}
    checks = emerging_of(await world.scan(SHOP, served(empty, sites), EVERY))
    assert {name: checks[name].status.value for name in empty} == dict.fromkeys(empty, "fail")
    assert all(checks[name].evidence[0].detail for name in empty)


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("exp.a2a", {**CARD, "skills": [{**SKILL, "tags": None}]}, "a skill with no tags"),
        ("exp.a2a", {**CARD, "url": ""}, "no url and no supportedInterfaces"),
        ("exp.ucp", {"ucp": {"version": "1.0"}}, "no version of the form 2026-01-23"),
        ("exp.agent_skills", {"skills": [{"name": "Book It"}]}, "a skill whose name is not of lower-case"),
        ("exp.oauth_resource", {"resource": "https://other.example.org/"}, "a resource of another host"),
        ("exp.oauth_server", {"issuer": "https://other.example.org"}, "an issuer of another host"),
        ("exp.web_bot_auth", {"keys": [{"kty": "OKP", "d": "secret"}]}, "a private key"),
        ("exp.ard", {"entries": [{**ENTRY, "data": "x"}]}, "an entry with not exactly one of url and data"),
        ("exp.openapi", {"openapi": "3.1.0", "info": {"title": "Acme", "version": "1"}}, "no paths"),
        ("exp.llms_full", "Acme\n", "no heading"),
    ],
)
async def test_the_first_fault_of_a_document_is_named(
    world: World, sites: Sites, name: str, content: Any, fault: str
) -> None:
    path, kind, _ = SOUND[name]
    check = emerging_of(await world.scan(SHOP, served({name: (path, kind, content)}, sites), EVERY))[name]
    assert check.status.value == "fail"
    assert (check.evidence[0].detail or "").startswith(fault)


async def test_a_document_that_is_too_long_to_be_read_is_not_called_broken(
    world: World, sites: Sites
) -> None:
    long = {**SOUND["exp.openapi"][2], "x-filler": "x" * 300_000}
    report = await world.scan(SHOP, served({"exp.openapi": ("/openapi.json", JSON, long)}, sites), EVERY)
    assert (emerging_of(report)["exp.openapi"].status.value, emerging_of(report)["exp.openapi"].reason) == (
        "unknown",
        "too_large",
    )


@pytest.mark.parametrize(
    ("terms", "status"),
    [
        ({"method": "tempo", "intent": "charge", "amount": "100", "currency": "usd"}, "pass"),
        ({"protocols": ["x402"], "price": {"mode": "fixed", "amount": "0.01"}}, "pass"),
        ({"amount": "100"}, "fail"),
        (None, "not_applicable"),
    ],
)
async def test_paid_operations_say_how_and_how_much(
    world: World, sites: Sites, terms: dict[str, Any] | None, status: str
) -> None:
    operation = {"x-payment-info": terms} if terms else {}
    document = {**SOUND["exp.openapi"][2], "paths": {"/report": {"get": operation}}}
    report = await world.scan(SHOP, served({"": ("/openapi.json", JSON, document)}, sites), EVERY)
    assert emerging_of(report)["exp.mpp"].status.value == status


async def test_link_headers_language_versions_and_ended_offers_are_judged(world: World, sites: Sites) -> None:
    pages = sites.repair_shop(SHOP)
    pages["/"].headers["Link"] = (
        '</openapi.json>; rel="service-desc"; type="application/json", </llms.txt>; rel=help'
    )
    offer = '{"@context":"https://schema.org","@type":"Offer","price":49,"priceValidUntil":"DAY"}'
    head = '<link rel="alternate" hreflang="CODE" href="https://www.shop.example.com/">'
    html = pages["/"].text

    async def look(code: str, day: str) -> dict[str, str]:
        script = f'<script type="application/ld+json">{offer.replace("DAY", day)}</script>'
        pages["/"].text = html.replace("</head>", head.replace("CODE", code) + script + "</head>")
        checks = emerging_of(await world.scan(SHOP, pages, EVERY))
        return {
            name: checks[f"exp.{name}"].status.value
            for name in ("link_headers", "hreflang", "offers_current")
        }

    assert await look("de-CH", "2026-03-01") == dict.fromkeys(
        ("link_headers", "hreflang", "offers_current"), "pass"
    )
    pages["/"].headers["Link"] = "openapi.json; rel=service-desc"
    assert await look("german", "2026-02-28") == dict.fromkeys(
        ("link_headers", "hreflang", "offers_current"), "fail"
    )


@pytest.mark.parametrize(
    ("written", "relations"),
    [
        ("</a>; rel=next", ["next"]),
        ('<https://a.example/?x=1,2;y>; title="a, b; c"; rel="next  help"', ["next", "help"]),
        ("</a>;rel=next,</b>;rel=prev", ["next", "prev"]),
        ("</a>", None),
        ("</a>; rel=", None),
        ('</a>; rel=""', None),
        ("a; rel=next", None),
        ("<" * 50_000, None),
        ("<a>" + ";" * 50_000, None),
    ],
)
async def test_a_link_header_is_read_as_the_rfc_writes_it(written: str, relations: list[str] | None) -> None:
    assert read_relations(written) == relations


async def test_signals_without_weight_get_at_most_a_fifth_of_the_requests(world: World, sites: Sites) -> None:
    pages = sites.dealer(SHOP, vehicles=8)
    pages["/llms.txt"] = Answer(
        "# Shop\n\n- [Cars](/inventory)\n- [Gone](/gone)\n- [Away](https://example.org/)\n", kind="text/plain"
    )
    report = await world.scan(SHOP, pages)
    asked = [page for page in report.pages if page.role == "emerging"]
    assert 0 < len(asked) <= report.budget.requests / 5
    assert [page.url.removeprefix(f"https://{SHOP}") for page in asked[:3]] == ["/llms.txt", "/gone", "/"]
    checks = emerging_of(report)
    llms = checks["exp.llms_txt"]
    assert (llms.status.value, llms.evidence[0].url) == ("fail", f"https://{SHOP}/gone")
    assert (checks["exp.web_bot_auth"].status.value, checks["exp.web_bot_auth"].reason) == (
        "not_applicable",
        "on_demand",
    )


@pytest.mark.parametrize(
    ("params", "status"), [({"roles": ["merchant"]}, "pass"), ({}, "fail"), (None, "not_applicable")]
)
async def test_an_agent_card_declares_agent_payments_with_roles(
    world: World, sites: Sites, params: dict[str, Any] | None, status: str
) -> None:
    extension = {"uri": "https://github.com/google-agentic-commerce/ap2/tree/v0.1", "params": params}
    extensions = [] if params is None else [extension]
    card = {**CARD, "capabilities": {"extensions": extensions}}
    path, kind, _ = SOUND["exp.a2a"]
    checks = emerging_of(await world.scan(SHOP, served({"": (path, kind, card)}, sites), EVERY))
    assert (checks["exp.a2a"].status.value, checks["exp.ap2"].status.value) == ("pass", status)


async def test_every_kind_of_document_is_tested() -> None:
    assert {document.check_id for document in AGENT_DOCUMENTS} - {"exp.llms_txt"} == set(SOUND)
