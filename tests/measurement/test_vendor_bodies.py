"""Bodies made with the vendors' own classes, from what an engine sends to what is counted of it."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import pytest
from pydantic import BaseModel

from analytics.answers.answer_reading import Reader
from analytics.matching.aliases import Alias, Entity
from engines import anthropic, deepseek, gemini, mistral, openai, perplexity, xai
from engines.engine import EngineAnswer, Exchange, Mode, Question
from engines.transport.http import Adapter, HttpConfig
from measurement.asking.ask_outcomes import draft_of
from measurement.extraction.extract import read_answer
from measurement.planning.brand_identity import BrandIdentity
from storage.repositories.answers.answers import AnswerText
from storage.repositories.answers.readings import ExtractedAnswerRow, ExtractedMentionRow
from storage.repositories.brands import Brand

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
QUESTION = Question("Which tools last?", Mode.READINESS, "00c0ffee")
REDIRECT = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/"
TEXT = "Acme lasts. Bravo rusts."
ACME = Entity("acme", (Alias("Acme"),), ("acme.example.com",))
BRAVO = Entity("bravo", (Alias("Bravo"),), ("bravo.co.uk",))
PARSERS = {
    "openai": openai.parse,
    "xai": xai.parse,
    "anthropic": anthropic.parse,
    "gemini": gemini.parse_interaction,
    "generate": gemini.parse_generated,
    "perplexity": perplexity.parse,
    "mistral": mistral.parse,
    "deepseek": deepseek.parse,
}
"""DeepSeek publishes no classes: its documentation tells to use Anthropic's for its form of the Messages API."""


NEED_NO_ADDRESS = ("gemini", "generate", "mistral")
"""The vendors whose classes let a citation have no address."""
REFUSE = ("openai", "xai", "anthropic", "generate", "deepseek")
CUT_OFF = ("openai", "xai", "anthropic", "gemini", "generate", "deepseek")
"""The vendors whose classes say that an answer is a refusal, and that it was cut off."""


class ReportingEngine:
    """As much of an engine as storing an answer asks for."""

    cites = frozenset({Mode.READINESS})


def parsed(vendor: str, body: BaseModel) -> EngineAnswer:
    raw = body.model_dump_json(by_alias=True, exclude_none=True).encode()
    url = f"https://{vendor}.example/v1/models/m:generateContent"
    exchange = Exchange(NOW, url, b'{"model":"m"}', 200, {}, raw, NOW, sha256(raw).hexdigest())
    return PARSERS[vendor](QUESTION, [exchange])


def observed(answer: EngineAnswer) -> ExtractedAnswerRow:
    """What is counted of an answer, as the brand acme with its rival bravo."""
    draft = draft_of(answer, ReportingEngine(), QUESTION, NOW)  # pyright: ignore[reportArgumentType] # as much as it needs
    brand = Brand.__new__(Brand)
    object.__setattr__(brand, "id", "acme")
    identity = BrandIdentity(
        "company", brand, (), Reader((ACME, BRAVO), "acme"), {"acme": 0, "bravo": 1}, 0, ""
    )
    text = AnswerText(1, draft.text, QUESTION.text, False, "en", draft.citations_known, draft.valid, 1, NOW)
    return read_answer(identity, text, draft.citations, frozenset())


def of_brand(reading: ExtractedAnswerRow) -> ExtractedMentionRow | None:
    return next((mention for mention in reading.mentions if mention.entity_key == 0), None)


@pytest.mark.parametrize("vendor", PARSERS)
@pytest.mark.parametrize(
    ("titles", "measurable", "cites_own"),
    [
        pytest.param(["acme.example.com"], True, True, id="title is the brand's site"),
        pytest.param(["news.example.org"], True, False, id="title is another site"),
        pytest.param(["Ten tools that last"], False, False, id="title is a headline"),
        pytest.param([None], False, False, id="no title"),
        pytest.param(["example.com"], False, False, id="title is above the brand's host"),
        pytest.param(["acme.example.com", "Ten tools"], False, True, id="one of two is unknown"),
    ],
)
def test_redirect_citations_belong_to_the_site_of_their_title(
    vendor: str, titles: list[str | None], measurable: bool, cites_own: bool
) -> None:
    from tests.measurement.vendor_bodies import BUILDERS

    sources = {f"{REDIRECT}{number}": title for number, title in enumerate(titles)}
    reading = observed(parsed(vendor, BUILDERS[vendor](TEXT, sources)))
    brand = of_brand(reading)
    assert brand is not None
    assert (reading.measurable, brand.named, brand.cites_own) == (measurable, True, cites_own)


def test_the_domain_that_generate_content_names_resolves_a_redirect() -> None:
    from tests.measurement.vendor_bodies import generated_body

    body = generated_body(TEXT, {f"{REDIRECT}1": "Ten tools"}, domain="acme.example.com")
    reading = observed(parsed("generate", body))
    assert reading.measurable
    assert reading.domains == {"example.com": "owned"}


@pytest.mark.parametrize(
    ("text", "searches", "measurable", "cites_own"),
    [
        ("Acme lasts[1].", [{1: "https://acme.example.com/"}], True, True),
        ("Acme lasts[9].", [{7: "https://a.org/", 9: "https://acme.example.com/"}], True, True),
        ("Acme lasts[1].", [{1: "https://a.org/"}, {1: "https://acme.example.com/"}], False, False),
        (
            "Acme lasts[2].",
            [{1: "https://a.org/"}, {1: "https://b.org/", 2: "https://acme.example.com/"}],
            True,
            True,
        ),
        ("Acme lasts[4].", [{1: "https://a.org/"}], False, False),
        ("Acme lasts.", [{1: "https://a.org/"}, {1: "https://b.org/"}], True, False),
    ],
)
def test_perplexity_marks_resolve_or_no_citation_is_measured(
    text: str, searches: list[dict[int, str]], measurable: bool, cites_own: bool
) -> None:
    from tests.measurement.vendor_bodies import perplexity_body

    reading = observed(parsed("perplexity", perplexity_body(text, *searches)))
    brand = of_brand(reading)
    assert brand is not None
    assert (reading.measurable, brand.cites_own) == (measurable, cites_own)


@pytest.mark.parametrize("vendor", PARSERS)
def test_offsets_that_restart_in_each_part_are_placed_correctly(vendor: str) -> None:
    """Offsets of parts, segments and blocks, and the searches of Claude, DeepSeek and Mistral, begin anew."""
    from tests.measurement.vendor_bodies import BUILDERS

    body = BUILDERS[vendor](TEXT, {"https://a.org/": "A"}, {"https://acme.example.com/": "B"})
    answer = parsed(vendor, body)
    reading, brand = observed(answer), of_brand(observed(answer))
    assert brand is not None
    assert (reading.measurable, brand.cites_own) == (True, True)
    assert reading.domains == {"a.org": "third_party", "example.com": "owned"}
    places = [(source.start, source.end) for source in answer.citations if source.kind == "cited"]
    length = len(TEXT)
    if vendor == "mistral":
        assert places == [(None, None), (None, None)]
    elif vendor in ("openai", "xai"):
        marks = [answer.text[start:end] for start, end in places]
        assert marks == ["([A](https://a.org/))", "([B](https://acme.example.com/))"]
    elif vendor == "perplexity":
        assert places == [(length, length + 3), (length + 3, length + 6)]
    else:
        assert places == [(0, length), (length, 2 * length)]


@pytest.mark.parametrize("vendor", NEED_NO_ADDRESS)
def test_a_citation_without_an_address_measures_nothing(vendor: str) -> None:
    from tests.measurement.vendor_bodies import WITHOUT_ADDRESS

    answer = parsed(vendor, WITHOUT_ADDRESS[vendor])
    reading, brand = observed(answer), of_brand(observed(answer))
    assert brand is not None
    assert (answer.status, reading.measurable, brand.named, brand.cites_own) == (
        "answered",
        False,
        True,
        False,
    )


PLACED = replace(QUESTION, country="DE", city="Berlin", language="de")
CONFIG = HttpConfig("p", "https://p.example", "m", frozenset(Mode))


def sent(adapter: Adapter) -> Any:
    return json.loads(json.dumps(adapter.build(PLACED, CONFIG).body))


COUNTRY_IN: Mapping[str, tuple[Adapter, Any]] = {
    "openai": (openai.ADAPTER, {"type": "approximate", "country": "DE", "city": "Berlin"}),
    "xai": (xai.adapter(), None),
    "anthropic": (anthropic.adapter(), {"type": "approximate", "country": "DE", "city": "Berlin"}),
    "gemini": (gemini.adapter(), None),
    "generate": (gemini.adapter(gemini.GENERATE_CONTENT), None),
    "perplexity": (perplexity.adapter(), {"country": "DE", "city": "Berlin"}),
    "mistral": (mistral.adapter(), None),
    "deepseek": (deepseek.adapter(), None),
}
"""The place that a search is told; without a field for it the answer is stored as `not_supported`, never as German."""


@pytest.mark.parametrize("vendor", COUNTRY_IN)
def test_a_country_is_sent_in_its_field_or_the_field_is_said_to_be_missing(vendor: str) -> None:
    """DeepSeek's tool has no field for it; a message tells the place by its name."""
    adapter, place = COUNTRY_IN[vendor]
    body = sent(adapter)
    assert body["tools"][0].get("user_location") == place
    told = [
        message["content"] for message in body.get("messages", []) if message["role"] == "latest_reminder"
    ]
    assert [",Berlin,Germany,Web," in content for content in told] == [True] * (vendor == "deepseek")
    assert ("country" in adapter.locale.get(Mode.READINESS, frozenset())) == bool(place or told)
    assert ("DE" in json.dumps(body)) == (place is not None)


def test_a_place_is_sent_in_the_form_that_the_vendors_classes_take() -> None:
    from anthropic.types import UserLocationParam as AnthropicLocation
    from google.genai import types as google
    from openai.types.responses import WebSearchTool
    from openai.types.responses.web_search_tool import UserLocation

    assert WebSearchTool.model_validate(sent(openai.ADAPTER)["tools"][0]).user_location == UserLocation(
        type="approximate", country="DE", city="Berlin"
    )
    place = {"type": "approximate", "country": "DE", "city": "Berlin"}
    assert sent(anthropic.adapter())["tools"][0]["user_location"] == place
    assert place.keys() <= AnthropicLocation.__annotations__.keys()
    body = sent(perplexity.adapter())
    assert (body["tools"][0]["user_location"], body["language_preference"]) == (
        {"country": "DE", "city": "Berlin"}, "de",
    )  # fmt: skip
    config = google.ToolConfig.model_validate(sent(gemini.adapter(gemini.GENERATE_CONTENT))["toolConfig"])
    assert config.retrieval_config is not None
    assert config.retrieval_config.language_code == "de"
    assert "DE" not in json.dumps(sent(gemini.adapter())["tools"]) + json.dumps(sent(xai.adapter())["tools"])


@pytest.mark.parametrize("vendor", PARSERS)
def test_an_answer_without_the_required_search_does_not_count(vendor: str) -> None:
    from tests.measurement.vendor_bodies import NOT_SEARCHED

    answer = parsed(vendor, NOT_SEARCHED[vendor])
    reading = observed(answer)
    assert (answer.status, answer.retrieval.status) == ("not_grounded", "not_searched")
    assert (reading.measurable, reading.mentions) == (False, ())


@pytest.mark.parametrize("vendor", REFUSE)
def test_a_refusal_counts_for_nothing(vendor: str) -> None:
    from tests.measurement.vendor_bodies import REFUSED

    answer = parsed(vendor, REFUSED[vendor])
    assert answer.status == "refused"
    assert (observed(answer).measurable, observed(answer).mentions) == (False, ())


@pytest.mark.parametrize("vendor", CUT_OFF)
def test_half_an_answer_is_kept_and_counts_for_nothing(vendor: str) -> None:
    from tests.measurement.vendor_bodies import TRUNCATED

    answer = parsed(vendor, TRUNCATED[vendor])
    assert (answer.status, answer.truncated, answer.text) == ("answered", True, TEXT)
    assert (observed(answer).measurable, observed(answer).mentions) == (False, ())


def test_every_vendor_has_every_scenario_or_classes_that_cannot_say_it() -> None:
    from tests.measurement.vendor_bodies import (
        BUILDERS,
        ENDINGS,
        NO_FORM,
        NOT_SEARCHED,
        REFUSED,
        TRUNCATED,
        WITHOUT_ADDRESS,
    )

    built = {"search not used": NOT_SEARCHED, "refusal": REFUSED, "truncation": TRUNCATED}
    missing = {
        (scenario, vendor) for scenario, bodies in built.items() for vendor in PARSERS.keys() - bodies.keys()
    }
    assert missing == NO_FORM.keys()
    for vendor_class, _ in NO_FORM.values():
        assert ENDINGS.isdisjoint(vendor_class.model_fields)
    assert BUILDERS.keys() == PARSERS.keys() == COUNTRY_IN.keys()
    tried = {*NEED_NO_ADDRESS}, {*PARSERS}, {*REFUSE}, {*CUT_OFF}
    assert tried == tuple({*bodies} for bodies in (WITHOUT_ADDRESS, NOT_SEARCHED, REFUSED, TRUNCATED))


def test_these_bodies_are_what_the_vendors_classes_write() -> None:
    from tests.measurement.vendor_bodies import anthropic_body, openai_body

    body = json.loads(
        openai_body(TEXT, {"https://acme.example.com/": "T"}).model_dump_json(exclude_none=True)
    )
    assert body["output"][1]["content"][0]["annotations"][0]["url"] == "https://acme.example.com/"
    reading = observed(parsed("openai", openai_body(TEXT, {"https://acme.example.com/": "T"})))
    assert reading.domains == {"example.com": "owned"}
    assert observed(
        parsed("anthropic", anthropic_body(TEXT, {"https://acme.example.com/a": "T"}))
    ).domains == {"example.com": "owned"}
