"""What was shown, what was not, and what could not be seen are three things, whoever looked."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, cast

import pytest

from engines.engine import SupplierCost
from engines.errors import EngineError
from engines.suppliers import brightdata, cloro, dataforseo_answers, serpapi
from engines.suppliers.sighting import Sighting, answer_of
from engines.transport.body import JsonObject
from tests.engines import supplier_bodies as bodies
from tests.engines.supplier_bodies import NOT_AVAILABLE, NOT_GENERATED, QUESTION, overview, page

READERS = {
    "dataforseo": dataforseo_answers.read,
    "cloro": cloro.read,
    "brightdata": brightdata.read,
    "serpapi": serpapi.read,
}
SERP = {"general": {"query": QUESTION, "country_code": "DE", "timestamp": "2026-03-01T12:00:00Z"}}


def read(supplier: str, body: Mapping[str, Any]) -> Sighting:
    """What a supplier's parser reads in a body, with its request where that stands beside it."""
    document, request = body, cast(JsonObject, {})
    if "body" in body:
        document, request = body["body"], body["request"]
    return READERS[supplier](document, request)


def outcome(supplier: str, body: Mapping[str, Any]) -> str:
    """How looking ended: shown, why not, or the code of the error."""
    try:
        sighting = read(supplier, body)
    except EngineError as error:
        return error.code.value
    assert (sighting.absent_reason is None) == bool(sighting.text)
    return sighting.absent_reason or "shown"


def seen_by_dataforseo(*items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return bodies.dataforseo("google_ai_overview", page(*items), **more)


@pytest.mark.parametrize(
    ("supplier", "body", "expected"),
    [
        ("dataforseo", seen_by_dataforseo(overview("Nimm Acme.")), "shown"),
        ("dataforseo", seen_by_dataforseo(), "none"),
        ("dataforseo", seen_by_dataforseo(overview(NOT_AVAILABLE)), "blocked"),
        ("dataforseo", seen_by_dataforseo(overview(None, asynchronous_ai_overview=True)), "not_loaded"),
        ("dataforseo", seen_by_dataforseo(overview(NOT_GENERATED)), "not_loaded"),
        ("dataforseo", seen_by_dataforseo(load_async_ai_overview=None), "not_loaded"),
        ("dataforseo", bodies.dataforseo("google_ai_overview", status=40102), "no_results"),
        ("dataforseo", bodies.dataforseo("google_ai_overview", status=40101), "provider_unavailable"),
        ("dataforseo", bodies.dataforseo("chatgpt_app", status=40210), "provider_quota"),
        ("cloro", bodies.cloro("GOOGLE", {"aioverview": bodies.CLORO_ANSWER}), "shown"),
        ("cloro", bodies.cloro("GOOGLE", {"aioverview": None}), "none"),
        ("cloro", bodies.cloro("GOOGLE", {"aioverview": {"text": NOT_AVAILABLE}}), "blocked"),
        ("cloro", bodies.cloro("GOOGLE", {"aioverview": {"text": ""}}), "not_loaded"),
        ("cloro", bodies.cloro("AIMODE", {"text": NOT_GENERATED}), "not_loaded"),
        (
            "cloro",
            bodies.cloro("GOOGLE", None, "FAILED", error={"name": "UnsupportedInputError"}),
            "unsupported_locale",
        ),
        ("cloro", bodies.cloro("GOOGLE", None, "FAILED", error="blocked"), "provider_error"),
        ("brightdata", bodies.BRIGHTDATA_RECORD, "shown"),
        ("brightdata", {**SERP, "ai_overview": {"texts": [{"type": "p", "snippet": "Acme."}]}}, "shown"),
        ("brightdata", SERP, "none"),
        ("brightdata", {**SERP, "ai_overview": {"texts": []}}, "not_loaded"),
        ("brightdata", {**bodies.BRIGHTDATA_RECORD, "error_code": "timeout"}, "provider_error"),
        ("serpapi", bodies.serpapi(ai_overview=bodies.SERPAPI_OVERVIEW), "shown"),
        ("serpapi", bodies.serpapi(), "none"),
        ("serpapi", bodies.serpapi(ai_overview={"error": NOT_AVAILABLE}), "blocked"),
        ("serpapi", bodies.serpapi(ai_overview={"error": NOT_GENERATED}), "not_loaded"),
        (
            "serpapi",
            bodies.serpapi(
                ai_overview={"text_blocks": [{"type": "divider"}, {"type": "p", "snippet": NOT_AVAILABLE}]}
            ),
            "blocked",
        ),
        ("serpapi", bodies.serpapi(error="Google hasn't returned any results for this query."), "no_results"),
    ],
)
def test_shown_not_shown_and_not_seen_are_told_apart(
    supplier: str, body: dict[str, Any], expected: str
) -> None:
    assert outcome(supplier, body) == expected


def test_a_hidden_sentence_beside_a_real_overview_is_no_part_of_its_text() -> None:
    sighting = read("dataforseo", seen_by_dataforseo(overview("x", markdown=f"{NOT_GENERATED}\nNimm Acme.")))
    assert sighting.text == "Nimm Acme."
    sighting = read(
        "dataforseo", seen_by_dataforseo(overview("x", markdown=f"Nimm Acme.\n\n*{NOT_AVAILABLE}*"))
    )
    assert "available" not in sighting.text


HIDDEN = {
    "not_loaded": [
        "CAN’T GENERATE AN AI OVERVIEW RIGHT NOW.",
        "Can&#39;t generate an AI\u00a0overview right now. Please try again later.",
        f"{NOT_AVAILABLE} {NOT_GENERATED}",
        f"{NOT_AVAILABLE}{NOT_GENERATED}",
        f"{NOT_AVAILABLE}\n\n{NOT_GENERATED}",
        f"AI Overview\n{NOT_GENERATED}",
        "Die Übersicht mit KI kann derzeit nicht erstellt werden. Versuche es später noch einmal.",
        "Impossible de générer un Aperçu IA pour le moment. Réessayez plus tard.",
        "No se puede generar una Vista creada con IA en este momento.",
        "Al momento non è possibile generare una Panoramica con IA. Riprova più tardi.",
        "Kan momenteel geen AI-overzicht maken. Probeer het later opnieuw.",
        "Não foi possível gerar uma Visão geral criada por IA agora.",
    ],
    "blocked": [
        f"**{NOT_AVAILABLE}\u200b.**",
        f"AI Overview\n\n{NOT_AVAILABLE}",
        "Für diese Suchanfrage ist keine Übersicht mit KI verfügbar.",
        "L'Aperçu IA n'est pas disponible pour cette recherche",
        "No hay ninguna Vista creada con IA disponible para esta búsqueda",
        "Panoramica con IA non disponibile per questa ricerca",
        "Er is geen AI-overzicht beschikbaar voor deze zoekopdracht",
        "Nenhuma Visão geral criada por IA disponível para esta pesquisa",
    ],
}
"""Spellings and languages of the sentences; only the English words are on record, the others are ours."""


def overviews(text: str) -> dict[str, dict[str, Any]]:
    """The same overview in the body of each supplier."""
    block = {"type": "paragraph", "snippet": text}
    return {
        "dataforseo": seen_by_dataforseo(overview("x", markdown=text)),
        "cloro": bodies.cloro("GOOGLE", {"aioverview": {"text": text}}),
        "brightdata": {**SERP, "ai_overview": {"texts": [block]}},
        "serpapi": bodies.serpapi(ai_overview={"text_blocks": [block]}),
    }


@pytest.mark.parametrize("expected", HIDDEN)
def test_a_hidden_sentence_is_no_text_in_any_spelling_and_language(expected: str) -> None:
    outcomes = {
        (supplier, text): outcome(supplier, body)
        for text in HIDDEN[expected]
        for supplier, body in overviews(text).items()
    }
    assert {case: told for case, told in outcomes.items() if told != expected} == {}


@pytest.mark.parametrize(
    "text",
    [
        "Acme is not available in Germany.",
        "An AI Overview is a summary that Google shows above its results; not every search has one.",
        "Übersicht mit KI: Acme ist gut.",
        f'Google writes "{NOT_AVAILABLE}" where its policies forbid one.',
        "Eine Übersicht mit KI zeigt Google nicht allen Menschen.",
    ],
)
def test_a_sentence_of_an_answer_stays_whatever_it_speaks_of(text: str) -> None:
    for supplier, body in overviews(f"Nimm Acme.\n{text}").items():
        assert read(supplier, body).text == f"Nimm Acme.\n{text}"


def test_the_sources_of_an_overview_are_those_beside_it_and_those_inside_of_it() -> None:
    sighting = read("dataforseo", seen_by_dataforseo(overview("Nimm Acme.")))
    assert [source.url for source in sighting.cited] == ["https://a.example/", "https://nested.example/"]
    assert (sighting.platform, sighting.prompt) == ("google_ai_overview@dataforseo", QUESTION)
    assert (sighting.locale_sent["country"], sighting.locale_applied) == ("DE", "country")
    assert sighting.cost == SupplierCost(Decimal("0.002"), "usd")


def test_cards_stand_beside_the_text_and_what_was_listed_is_not_cited() -> None:
    sighting = read("dataforseo", bodies.dataforseo("chatgpt_app", bodies.CHAT))
    assert sighting.text == "Nimm **Acme** oder Globex."
    assert "Zentrix" not in sighting.text
    assert [(card.kind, card.title, card.rendered) for card in sighting.cards] == [
        ("product", "Acme Zoom", None),
        ("ad", "Zentrix jetzt", False),
    ]
    assert [source.url for source in sighting.cited] == ["https://a.example/", "https://inline.example/"]
    assert [source.url for source in sighting.retrieved] == ["https://listed.example/"]
    assert (sighting.queries, sighting.model) == (("laufschuhe test",), "gpt-5-5")


def placements(sighting: Sighting) -> dict[str, tuple[str | None, int | None, int | None]]:
    """Where each source stood: its place on the screen, its group, its place in the list."""
    return {
        source.url: (source.placement, source.group, source.position)
        for source in (*sighting.cited, *sighting.retrieved)
    }


def test_a_source_says_where_on_the_screen_it_stood() -> None:
    overview_seen = read("dataforseo", seen_by_dataforseo(overview("Nimm Acme.")))
    assert placements(overview_seen) == {
        "https://a.example/": ("panel", None, 1),
        "https://nested.example/": ("inline", None, None),
    }
    chat = read("dataforseo", bodies.dataforseo("chatgpt_app", bodies.CHAT))
    assert placements(chat)["https://listed.example/"] == ("search_result", None, None)
    # The mark in the text shows two sources; the first stands in the list beside it too.
    assert placements(read("cloro", bodies.cloro("CHATGPT", bodies.CLORO_ANSWER))) == {
        "https://a.example/": ("inline", 1, 1),
        "https://inline.example/": ("inline", 1, 2),
    }
    assert placements(read("brightdata", bodies.BRIGHTDATA_RECORD)) == {
        "https://a.example/": ("panel", None, 1),
        "https://listed.example/": ("search_result", None, None),
    }
    listed = [{"index": number, "link": f"https://{number}.example/"} for number in range(3)]
    unfolded = {"type": "list", "list": [{"snippet": "Globex", "reference_indexes": [2]}]}
    blocks = [{"type": "paragraph", "snippet": "Acme", "reference_indexes": [0, 9, "x"]}, unfolded]
    shown = read("serpapi", bodies.serpapi(ai_overview={"text_blocks": blocks, "references": listed}))
    assert placements(shown) == {
        "https://0.example/": ("inline", None, 1),
        "https://1.example/": ("panel", None, 2),
        "https://2.example/": ("inline", None, 3),
    }


def test_who_makes_what_a_card_shows_is_kept_apart_from_its_title() -> None:
    card = {"title": "Zoom", "brand": "Acme", "merchant": "Zentrix", "price": 99}
    [product] = read("cloro", bodies.cloro("CHATGPT", {"text": "x", "shoppingCards": [card]})).cards
    assert (product.title, product.brand, product.seller) == ("Zoom", "Acme", "Zentrix")
    [product] = read(
        "cloro", bodies.cloro("CHATGPT", {"text": "x", "shoppingCards": [{**card, "brand": ["Acme"]}]})
    ).cards
    assert product.brand is None


def test_offered_links_are_no_sources_and_an_echo_is_no_search() -> None:
    sighting = read("cloro", bodies.cloro("CHATGPT", bodies.CLORO_ANSWER))
    assert "https://related.example/" not in {source.url for source in sighting.cited}
    assert sighting.cost == SupplierCost(Decimal(5), "credits")
    echoing = read("cloro", bodies.cloro("PERPLEXITY", {"text": "Acme.", "search_model_queries": [QUESTION]}))
    assert echoing.queries == ()


WITHOUT_ADDRESS: Mapping[str, dict[str, Any]] = {
    "dataforseo": seen_by_dataforseo(overview("Nimm Acme.", references=[{**bodies.REFERENCE, "url": None}])),
    "dataforseo chat": bodies.dataforseo(
        "chatgpt_app", {**bodies.CHAT, "sources": [{"type": "source", "url": None, "domain": "a.example"}]}
    ),
    "cloro": bodies.cloro("CHATGPT", {**bodies.CLORO_ANSWER, "sources": [{"position": 1, "label": "A"}]}),
    "brightdata": {**bodies.BRIGHTDATA_RECORD, "citations": [{"title": "A", "position": 1}]},
    "brightdata page": SERP
    | {"ai_overview": {"texts": [{"snippet": "Nimm Acme."}], "references": [{"title": "A"}]}},
    "serpapi": bodies.serpapi(
        ai_overview={**bodies.SERPAPI_OVERVIEW, "references": [{"index": 0, "title": "A"}]}
    ),
}


@pytest.mark.parametrize("case", WITHOUT_ADDRESS)
def test_a_source_without_an_address_leaves_citations_unknown(case: str) -> None:
    sighting = read(case.partition(" ")[0], WITHOUT_ADDRESS[case])
    assert sighting.text
    assert not answer_of(sighting, (), "parser/1").citations_resolved
