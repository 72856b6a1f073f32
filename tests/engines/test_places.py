"""Where a question is asked from arrives in the request of every engine that has a field for it, and in no other."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any, cast
from urllib.parse import unquote

import pytest

from engines import deepseek
from engines.engine import LOCALE_FIELDS, LocaleField, Mode, Question
from engines.errors import EngineError
from engines.registry import Registry
from engines.settings import HOSTED, PREFIX, SUPPLIER, SUPPLIER_PARTS, SURFACES, SURFACES_OF, EngineSettings
from engines.transport.http import HttpConfig
from tests.engines.conftest import Peer

PLACE = Question(
    "Which shoe is good?",
    Mode.READINESS,
    "ab" * 32,
    country="DE",
    language="de",
    city="Wuppertal",
    region="Saxony",
    timezone="Asia/Kathmandu",
    device="mobile",
)
TRACES: Mapping[LocaleField, str] = {
    "country": r'"DE"|[?&]gl=(?:de|DE)\b|2276|Germany',
    "language": r'"de"|[?&]hl=de\b|Deutsch',
    "city": "Wuppertal",
    "region": "Saxony",
    "timezone": "Kathmandu",
    "device": "mobile",
}
WHOLE: frozenset[LocaleField] = frozenset({"country", "city", "region", "timezone"})
NAMED: frozenset[LocaleField] = frozenset({"country", "city", "region"})
SEARCH: frozenset[LocaleField] = frozenset({*NAMED, "device"})
OFFICIAL: Mapping[str, frozenset[LocaleField]] = {
    "chatgpt": WHOLE,
    "claude": WHOLE,
    "grok": WHOLE,
    "perplexity": frozenset({*NAMED, "language"}),
    "gemini": frozenset(),
    "deepseek": frozenset({*NAMED, "language"}),
    "mistral": frozenset(),
}
"""With a search, as the interfaces have fields."""
FROM_MEMORY: Mapping[str, frozenset[LocaleField]] = {"perplexity": frozenset({"language"})}
SEEN: Mapping[tuple[str, bool], frozenset[LocaleField]] = {
    ("dataforseo", True): frozenset({*SEARCH, "language"}),
    ("dataforseo", False): frozenset({*NAMED, "language"}),
    ("cloro", True): SEARCH,
    ("cloro", False): frozenset({"country"}),
    ("brightdata", False): frozenset({"country"}),
    ("serpapi", True): frozenset({*SEARCH, "language"}),
    ("serpapi", False): frozenset(),
}
"""By supplier, and whether it is asked on a page of results."""
SEEN_PLATFORMS = [
    f"{surface}@{name}" for name, surfaces in sorted(SURFACES_OF.items()) for surface in sorted(surfaces)
]


OPTIONS: Mapping[str, str] = {"XAI_LOCATION": "user_location"}


def fields_of(platform: str) -> frozenset[LocaleField]:
    """What a platform's request has fields for."""
    surface, _, supplier = platform.partition("@")
    if not supplier:
        return OFFICIAL[platform]
    if (supplier, surface) == ("brightdata", "google_ai_overview"):
        return frozenset({"country", "language"})
    is_search = surface.startswith("google_") or (supplier, surface) == ("dataforseo", "bing_copilot")
    return SEEN[supplier, supplier != "brightdata" and is_search]


def environ_of(base_url: str, options: Mapping[str, str]) -> dict[str, str]:
    """Every engine there is, at one address."""
    key = "key-of-an-account-0123456789"
    hosted = [default.variable for default in HOSTED.values()]
    return {
        **{f"{PREFIX}{name}_BASE_URL": base_url for name in hosted},
        **{f"{PREFIX}{name}_API_KEY": key for name in hosted},
        **{f"{PREFIX}{name}": value for name, value in options.items()},
        **{f"{SUPPLIER}{name}_BASE_URL": base_url for name in SUPPLIER_PARTS},
        **{f"{SUPPLIER}{name}_{part}": key for name, parts in SUPPLIER_PARTS.items() for part in parts[:-1]},
        SURFACES: ",".join(name.replace("@", "=") for name in SEEN_PLATFORMS),
    }


async def sent_for(peer: Peer, platform: str, question: Question, options: Mapping[str, str]) -> str:
    """The address and body of the first request for a question; it is refused."""
    peer.reply({"error": "refused"}, status=400)
    async with Registry(EngineSettings.from_environ(environ_of(peer.base_url, options))) as registry:
        with pytest.raises(EngineError):
            await registry.get(platform).ask(question, registry.credential(platform))
        told = registry.get(platform).locale_fields(question.mode)
    assert told == (
        fields_of(platform) if question.mode is Mode.READINESS else FROM_MEMORY.get(platform, frozenset())
    )
    asked = peer.asked[0]
    return unquote(f"{asked.path}?{asked.query}\n{asked.body.decode()}")


def traces_in(sent: str) -> frozenset[LocaleField]:
    return frozenset(name for name in LOCALE_FIELDS if re.search(TRACES[name], sent))


@pytest.mark.parametrize("platform", [*sorted(HOSTED), *SEEN_PLATFORMS])
async def test_a_place_arrives_where_there_is_a_field_for_it_and_nowhere_else(
    peer: Peer, platform: str
) -> None:
    assert traces_in(await sent_for(peer, platform, PLACE, OPTIONS)) == fields_of(platform)


@pytest.mark.parametrize("platform", sorted(HOSTED))
async def test_a_question_to_memory_is_sent_from_nowhere(peer: Peer, platform: str) -> None:
    question = replace(PLACE, mode=Mode.VISIBILITY)
    assert traces_in(await sent_for(peer, platform, question, OPTIONS)) <= {"language"}


@pytest.mark.parametrize("platform", [*sorted(HOSTED), *SEEN_PLATFORMS])
async def test_without_a_country_no_part_of_a_place_is_sent(peer: Peer, platform: str) -> None:
    question = replace(PLACE, country=None, language=None, timezone=None, device=None)
    if platform.endswith("@dataforseo"):
        async with Registry(EngineSettings.from_environ(environ_of(peer.base_url, {}))) as registry:
            with pytest.raises(EngineError) as refused:
                await registry.get(platform).ask(question, registry.credential(platform))
        assert (refused.value.code, peer.asked) == ("unsupported_locale", [])
        return
    assert traces_in(await sent_for(peer, platform, question, OPTIONS)) == frozenset()


async def test_a_us_state_reaches_the_apps_that_support_it(peer: Peer) -> None:
    state = replace(
        PLACE, country="US", language="en", city=None, region="Oregon", timezone=None, device=None
    )
    sent = await sent_for(peer, "chatgpt_app@cloro", state, OPTIONS)
    assert '"state":"Oregon"' in sent
    async with Registry(EngineSettings.from_environ(environ_of(peer.base_url, {}))) as registry:
        cloro = registry.get("chatgpt_app@cloro")
        told = [cloro.locale_fields(Mode.READINESS, country) for country in ("US", "DE", None)]
    assert told == [{"country", "region"}, {"country"}, {"country"}]


@pytest.mark.parametrize(
    "platform",
    [name for name in SEEN_PLATFORMS if "city" in fields_of(name)] + ["deepseek"],
)
async def test_a_region_without_a_city_is_told_by_its_name(peer: Peer, platform: str) -> None:
    sent = await sent_for(peer, platform, replace(PLACE, city=None), OPTIONS)
    assert re.search(r"Saxony,\+?Germany", sent)


@pytest.mark.parametrize(
    ("language", "place", "told"),
    [
        (
            "de",
            {"city": "Munich", "region": "Bavaria"},
            "2026-11-09,Montag,Munich,Bavaria,Germany,Web,Deutsch",
        ),
        ("zh-Hant-TW", {"country": "TW"}, "2026-11-09,星期一,Taiwan,Web,中文"),
        ("sw", {"country": "KE"}, "2026-11-09,Monday,Kenya,Web,sw"),
        (None, {"country": "SG"}, "2026-11-09,Monday,Singapore,Web,"),
        ("en", {"country": None}, "2026-11-09,Monday,,Web,English"),
    ],
)
def test_deepseek_is_told_a_place_as_its_own_chat_tells_it(
    language: str | None, place: dict[str, str | None], told: str
) -> None:
    asked = replace(
        Question("Which?", Mode.READINESS, "ab" * 32, country="DE", language=language), **cast("Any", place)
    )
    config = HttpConfig("deepseek", "https://deepseek.example", "deepseek-flash", frozenset(Mode))
    sent = cast("Any", deepseek.adapter(day=lambda: date(2026, 11, 9)).build(asked, config).body)
    assert sent["messages"] == [
        {"role": "latest_reminder", "content": told},
        {"role": "user", "content": "Which?"},
    ]
