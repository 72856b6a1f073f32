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


def test_an_overview_has_the_sources_beside_and_inside_it() -> None:
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


def ai_mode(*items: dict[str, Any]) -> dict[str, Any]:
    return bodies.dataforseo("google_ai_mode", page(*items))


def serpapi_blocks(*blocks: Any, **more: Any) -> dict[str, Any]:
    return bodies.serpapi(ai_overview={"text_blocks": list(blocks), "references": []} | more)


def brightdata_blocks(*blocks: Any, **more: Any) -> dict[str, Any]:
    return {**SERP, "ai_overview": {"texts": list(blocks), "references": []} | more}


ROWS = [["Dealer", "Price"], ["Norvelo", "$9k"], ["Tarmund", None]]
TABLE = "| Dealer | Price |\n| --- | --- |\n| Norvelo | $9k |\n| Tarmund |  |"
CHIPPED = {"type": "paragraph", "snippet": "Compare three offers. Norvelo Cars +2\nIt scored 4 +2 in a test."}
CHIP_SOURCE = {
    "href": "https://norvelo.example/",
    "link": "https://norvelo.example/",
    "source": "Norvelo Cars",
}


@pytest.mark.parametrize(
    ("supplier", "body", "expected"),
    [
        (
            "serpapi",
            serpapi_blocks(
                {
                    "type": "comparison",
                    "product_labels": ["Norvelo", "Tarmund"],
                    "comparison": [{"feature": "Price", "values": ["$9k", "$8k"]}],
                }
            ),
            "|  | Norvelo | Tarmund |\n| --- | --- | --- |\n| Price | $9k | $8k |",
        ),
        (
            "serpapi",
            serpapi_blocks(
                {"type": "ordered_list", "list": [{"title": "Norvelo", "snippet": "near"}, "Tarmund"]}
            ),
            "1. Norvelo: near\n2. Tarmund",
        ),
        (
            "serpapi",
            serpapi_blocks({"type": "list", "list": [{"title": "Norvelo:", "snippet": "Norvelo: near"}]}),
            "- Norvelo: near",
        ),
        (
            "serpapi",
            serpapi_blocks(
                {
                    "type": "expandable",
                    "title": "More",
                    "text_blocks": [{"type": "paragraph", "snippet": "Acme"}],
                }
            ),
            "More\nAcme",
        ),
        ("serpapi", serpapi_blocks({"type": "table", "table": ROWS}), TABLE),
        (
            "serpapi",
            serpapi_blocks(
                {"type": "table", "formatted": [dict(zip(ROWS[0], row, strict=True)) for row in ROWS[1:]]}
            ),
            TABLE,
        ),
        (
            "serpapi",
            serpapi_blocks(CHIPPED, references=[CHIP_SOURCE]),
            "Compare three offers.\nIt scored 4 +2 in a test.",
        ),
        ("brightdata", brightdata_blocks({"type": "table", "table": ROWS}), TABLE),
        (
            "brightdata",
            brightdata_blocks({"type": "table", "table": {"headers": ROWS[0], "rows": ROWS[1:]}}),
            TABLE,
        ),
        (
            "brightdata",
            brightdata_blocks(
                "Here:",
                {
                    "type": "list",
                    "list": [{"title": "Norvelo", "snippet": "near"}, {"snippet": "T", "list": ["deep"]}],
                },
            ),
            "Here:\n\n- Norvelo: near\n- T\n  - deep",
        ),
        (
            "brightdata",
            brightdata_blocks(CHIPPED, references=[CHIP_SOURCE]),
            "Compare three offers.\nIt scored 4 +2 in a test.",
        ),
        (
            "dataforseo",
            ai_mode(overview(None), overview(None, markdown="Nimm Acme.")),
            "Nimm Acme.",
        ),
        (
            "dataforseo",
            ai_mode(
                overview(
                    None,
                    items=[
                        {
                            "type": "ai_overview_expanded_element",
                            "title": "Norvelo",
                            "text": "A dealer.",
                            "components": [{"title": "Service", "text": "fast"}],
                        },
                        {"type": "ai_overview_element", "title": "Tarmund", "text": "Tarmund is cheap."},
                        {
                            "type": "ai_overview_table_element",
                            "table": {"table_header": ROWS[0], "table_content": ROWS[1:]},
                        },
                        {"type": "ai_overview_video_element", "title": "Norvelo on video"},
                    ],
                )
            ),
            f"Norvelo\nA dealer.\nService: fast\n\nTarmund is cheap.\n\n{TABLE}".replace(
                "Service: fast", "Service\nfast"
            ),
        ),
    ],
)
def test_structured_blocks_become_markdown(supplier: str, body: dict[str, Any], expected: str) -> None:
    assert read(supplier, body).text == expected


SHOPPING = {
    "type": "ai_overview_shopping",
    "markdown": "Shop now\n- Acme Zoom $3",
    "items": [{"title": "Acme Zoom", "price": {"current": 3, "currency": "USD"}, "seller": "Zentrix"}],
}
AD = {
    "type": "ai_overview_paid",
    "text": "Get a quote:",
    "markdown": "**Sponsored** [Zentrix – Free quote](https://www.google.com/aclk?x=1)",
    "items": [
        {"title": "Zentrix – Free quote", "url": "https://zentrix.example/", "website_name": "Zentrix"}
    ],
}
ANSWER = {"type": "ai_overview_element", "markdown": "Nimm Tarmund."}


@pytest.mark.parametrize(
    "markdown",
    [
        f"Nimm Tarmund.\n\nGet a quote:\n{AD['markdown']}\n\n{SHOPPING['markdown']}",
        "Nimm Tarmund.\n\nGet a quote:\n\n**Sponsored**\n[Zentrix – Free quote](https://www.google.de/aclk?y)\n\nShop now",
        "Nimm Tarmund. [Zentrix – Free quote](https://zentrix.example/)",
        None,
    ],
)
def test_sponsored_blocks_in_markdown_are_cards(markdown: str | None) -> None:
    sighting = read("dataforseo", ai_mode(overview(None, markdown=markdown, items=[ANSWER, AD, SHOPPING])))
    assert sighting.text == "Nimm Tarmund."
    assert [(card.kind, card.title, card.seller) for card in sighting.cards] == [
        ("ad", "Zentrix – Free quote", "Zentrix"),
        ("product", "Acme Zoom", "Zentrix"),
    ]


@pytest.mark.parametrize("blocks", [serpapi_blocks, brightdata_blocks])
def test_products_in_an_overview_are_cards(blocks: Any) -> None:
    product = {"title": "Norvelo X", "price": "$3", "source": "Zentrix", "link": "https://shop.example/"}
    shown = {"type": "products", "products": [product]}
    body = blocks({"type": "paragraph", "snippet": "Options:"}, shown, products=[{**product, "title": "Y"}])
    sighting = read("serpapi" if "search_metadata" in body else "brightdata", body)
    assert sighting.text == "Options:"
    assert [(card.title, card.price, card.seller, card.url) for card in sighting.cards] == [
        ("Norvelo X", "$3", "Zentrix", "https://shop.example/"),
        ("Y", "$3", "Zentrix", "https://shop.example/"),
    ]


@pytest.mark.parametrize(
    "link",
    [
        {"snippet_links": [{"text": "Acme", "link": "https://acme.example/"}]},
        {"inline_link": {"text": "Acme", "link": "https://acme.example/"}},
        {"links": ["https://acme.example/"]},
    ],
)
def test_links_inside_the_words_of_a_block_are_cited(link: dict[str, Any]) -> None:
    listed = {"type": "list", "list": [{"snippet": "Acme is good.", **link}]}
    for supplier, body in (("serpapi", serpapi_blocks(listed)), ("brightdata", brightdata_blocks(listed))):
        [source] = read(supplier, body).cited
        assert (source.url, source.placement) == ("https://acme.example/", "inline")


def test_a_missing_list_of_sources_is_not_an_empty_one() -> None:
    block = {"type": "paragraph", "snippet": "Acme is good."}
    for supplier, blocks in (("serpapi", serpapi_blocks), ("brightdata", brightdata_blocks)):
        assert read(supplier, blocks(block)).resolved
        assert not read(supplier, blocks(block, references=None)).resolved


@pytest.mark.parametrize(
    "failed",
    [{"error": "captcha"}, {"error_code": "blocked"}, {"status_code": 502}, {"input": {"error": "timeout"}}],
)
def test_a_failed_page_does_not_count_as_shown_without_an_overview(failed: dict[str, Any]) -> None:
    assert outcome("brightdata", {**SERP, **failed}) == "provider_error"


def test_rows_of_the_data_set_of_results_pages_are_read() -> None:
    row = {"url": "https://www.google.com/", "keyword": QUESTION, "language": "de", "country": "DE"}
    shown = read("brightdata", {**row, "aio_text": "Nimm Acme.", "timestamp": "2026-11-01T10:00:00Z"})
    assert (shown.platform, shown.prompt, shown.text) == (
        "google_ai_overview@brightdata",
        QUESTION,
        "Nimm Acme.",
    )
    assert (shown.locale_sent, shown.resolved) == ({"country": "DE", "language": "de"}, False)
    assert outcome("brightdata", {**row, "aio_text": None}) == "none"
    assert outcome("brightdata", {**row, "aio_text": None, "error": "captcha"}) == "provider_error"


@pytest.mark.parametrize(("searched", "mode"), [(True, "readiness"), (False, "visibility")])
def test_an_answer_of_a_forwarded_api_is_read_without_its_reasoning(searched: bool, mode: str) -> None:
    note = {"title": "A", "url": "https://acme.example/"} if searched else None
    body = {
        "tasks": [
            {
                "id": "1", "status_code": 20000, "path": ["v3", "ai_optimization", "perplexity", "llm_responses", "live"],
                "data": {"user_prompt": QUESTION},
                "result": [
                    {
                        "model_name": "sonar", "web_search": searched, "datetime": "2026-11-01 10:00:00 +00:00",
                        "fan_out_queries": ["laufschuhe"] if searched else None,
                        "items": [
                            {"type": "reasoning", "sections": [{"type": "summary_text", "text": "Globex?"}]},
                            {
                                "type": "message",
                                "sections": [{"type": "text", "text": "Nimm Acme.", "annotations": note and [note]}],
                            },
                        ],
                    }
                ],
            }
        ]
    }  # fmt: skip
    sighting = read("dataforseo", body)
    assert (sighting.platform, sighting.prompt, sighting.text) == ("perplexity", QUESTION, "Nimm Acme.")
    assert (sighting.mode, sighting.model, bool(sighting.cited)) == (mode, "sonar", searched)
    answer = answer_of(sighting, (), "x")
    assert answer.seen is None
    assert answer.is_valid(sighting.mode)
