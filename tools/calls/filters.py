"""The filters that all analytics tools share, declared once. Unknown names are rejected with suggestions."""

import difflib
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from inspect import signature
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from storage.repositories.answers.answer_filters import AnswerFilter
from storage.workspace import Workspace
from tools.calls.call import Call, Injected
from tools.calls.errors import NotFound, ToolRefusal
from tools.calls.parameters import (
    NEXT_CALL,
    Country,
    Examples,
    Omissible,
    Platform,
    PromptId,
    PromptSetId,
    written_as,
)

LONGEST_WORD = 200


def _instant(text: str) -> str:
    try:
        parse_instant(text)
    except ValueError:
        raise PydanticCustomError(
            "instant", "Input should be a day such as 2026-11-02 or an instant such as 2026-11-02T08:00:00Z"
        ) from None
    return text


def parse_instant(text: str) -> datetime:
    """Return a day's first instant, or an instant with its offset, in UTC. Raises ValueError for anything else."""
    if len(text) == len("2026-11-02"):
        day = date.fromisoformat(text)
        return datetime(day.year, day.month, day.day, tzinfo=UTC)
    instant = datetime.fromisoformat(text)
    if instant.tzinfo is None:
        raise ValueError("an instant needs an offset")
    return instant.astimezone(UTC)


Mode = Annotated[
    Literal["visibility", "readiness"], Field(description="visibility: memory; readiness: web search.")
]
Tag = Annotated[
    str, Field(min_length=1, max_length=LONGEST_WORD, description="Tag of prompts.", examples=[Examples.TAG])
]
Intent = Annotated[
    str,
    Field(
        min_length=1, max_length=LONGEST_WORD, description="Intent of prompts.", examples=[Examples.INTENT]
    ),
]
From = Annotated[
    Omissible[
        Annotated[
            str,
            AfterValidator(_instant),
            Field(description="First day (UTC) or instant.", examples=[Examples.FROM]),
            written_as("day-or-instant"),
        ]
    ],
    Field(alias="from"),
]
"""Optional. The Python parameter is `from_`, because `from` is a keyword."""
To = Annotated[
    str,
    AfterValidator(_instant),
    Field(description="Last day (UTC) or instant.", examples=[Examples.TO]),
    written_as("day-or-instant"),
]

CompareFrom = Annotated[
    str,
    AfterValidator(_instant),
    Field(description="Earlier period: its `from`."),
    written_as("day-or-instant"),
]
CompareTo = Annotated[
    str,
    AfterValidator(_instant),
    Field(description="Earlier period: its `to`."),
    written_as("day-or-instant"),
]

ComparePlatform = Annotated[
    Platform, Field(description="Engine to compare `platform` with.", examples=[Examples.OTHER_PLATFORM])
]
CompareMode = Annotated[Mode, Field(description="Mode to compare `mode` with.")]
CompareCountry = Annotated[
    Country, Field(description="Country to compare `country` with.", examples=[Examples.OTHER_COUNTRY])
]


def end_of(text: str) -> datetime:
    """Return the exclusive end of a period. A day counts in full."""
    instant = parse_instant(text)
    return instant + timedelta(days=1) if len(text) == len("2026-11-02") else instant


async def _answer_filter(call: Call, arguments: Mapping[str, Any]) -> AnswerFilter:
    """Build the filter of a call. Unknown names are rejected with the nearest name."""
    workspace = await call.workspace()
    asked = arguments.get("promptSetId")
    prompt_set = None if asked is None else await workspace.prompt_sets.find(asked)
    if asked is not None and prompt_set is None:
        raise NotFound("prompt set", NEXT_CALL["promptSetId"])
    prompt_id = arguments.get("promptId")
    if prompt_id is not None and not await workspace.prompts.exists(prompt_id):
        raise NotFound("prompt", NEXT_CALL["promptId"])
    chosen = AnswerFilter(
        platform=arguments.get("platform"),
        country=arguments.get("country"),
        mode=arguments.get("mode"),
        prompt_set_id=prompt_set.id if prompt_set else None,
        prompt_id=prompt_id.lower() if prompt_id else None,
        tag=arguments.get("tag"),
        intent=arguments.get("intent"),
        since=parse_instant(arguments["from_"]) if arguments.get("from_") else None,
        until=end_of(arguments["to"]) if arguments.get("to") else None,
    )
    if chosen.since and chosen.until and chosen.since >= chosen.until:
        raise ToolRefusal("from is not before to", "Give a period that begins before it ends.")
    await refuse_unknown_names(call, workspace, chosen)
    return chosen


async def _configured(call: Call) -> Iterable[str]:
    if call.engines is None or call.principal is None:
        return ()
    return await call.engines.platforms(call.principal.company_id)


async def refuse_unknown_names(call: Call, workspace: Workspace, chosen: AnswerFilter) -> None:
    """Reject names that the company does not have. Raises ToolRefusal."""
    if chosen.platform is not None:
        await refuse_unknown_platform(call, workspace, chosen.platform)
    if chosen.country is not None and not await workspace.simulations.has_country(chosen.country):
        known = {*await workspace.country_results.known(), *await workspace.simulations.countries()}
        if chosen.country not in known:
            measured = (
                f"Measured: {', '.join(sorted(known))}." if known else "No country has been measured yet."
            )
            raise ToolRefusal("no country has this name", measured)
    if chosen.tag is not None or chosen.intent is not None:
        tags, intents = await workspace.prompts.labels()
        if chosen.tag is not None:
            refuse_unknown("tag", chosen.tag, tags)
        if chosen.intent is not None:
            refuse_unknown("intent", chosen.intent, intents)


async def refuse_unknown_platform(call: Call, workspace: Workspace, platform: str) -> None:
    """Reject an engine that the company can neither query nor has answers from. Raises ToolRefusal."""
    if await workspace.simulations.has_platform(platform):
        return
    known = {str(name) for name in await _configured(call)}
    if platform not in known:
        known.update(await workspace.simulations.platforms())
    refuse_unknown("platform", platform, known)


def refuse_unknown(noun: str, name: str, known: Iterable[str]) -> None:
    """Reject a name that is not among the known ones, and suggest the nearest. Raises ToolRefusal."""
    names = set(known)
    if name not in names:
        raise unknown_name(noun, name, names)


def nothing_from(country: str | None, brand: str) -> str | None:
    """Return the notice for a brand without results from a country that others have; None without a country."""
    return f"{brand} has not been measured from {country}." if country else None


NOTHING_COUNTED = "No counted answer of this period fits these filters: not measured, which is not zero."


def nothing_of(brand: str) -> str:
    """Return the notice for a brand that has not been measured at all."""
    return f"Nothing of {brand} has been measured yet, which is not zero."


FILTERED_NOTICE = (
    "Made of the chosen answers a moment ago, so without a receipt; "
    "compare_periods says whether such a result changed."
)
STORED = frozenset({"country"})
"""The filters that stored results exist for."""


def is_stored(chosen: AnswerFilter, also: Iterable[str] = ()) -> bool:
    """Return whether stored results match a filter: it only uses a country, or fields in `also`."""
    return STORED.union(also).issuperset(chosen.names)


def nothing_chosen(brand: str) -> str:
    """Return the notice when no answer about a brand matches the filters."""
    return f"No answer about {brand} that counts fits these filters."


def unknown_name(noun: str, name: str, known: Iterable[str]) -> ToolRefusal:
    """Return the error for an unknown name, with the nearest known names."""
    names = sorted(known)
    nearest = difflib.get_close_matches(name, names, n=2, cutoff=0.4)
    if nearest:
        hint = f"Did you mean {' or '.join(repr(near) for near in nearest)}?"
    elif names:
        hint = f"Known: {', '.join(names[:10])}."
    else:
        hint = f"There is no {noun} yet."
    return ToolRefusal(f"no {noun} has this name", hint)


def _filters(
    *,
    platform: Omissible[Platform] = None,
    country: Omissible[Country] = None,
    mode: Omissible[Mode] = None,
    promptSetId: Omissible[PromptSetId] = None,
    promptId: Omissible[PromptId] = None,
    tag: Omissible[Tag] = None,
    intent: Omissible[Intent] = None,
    from_: From = None,
    to: Omissible[To] = None,
) -> None:
    """Declare the common filters, in the order in which every tool lists them."""


FILTERS = signature(_filters).parameters
ChosenAnswers: TypeAlias = Annotated[AnswerFilter, Injected(_answer_filter, tuple(FILTERS.values()))]
"""The filter from the call's common parameters, validated against the company's data.

A tool with a parameter of this type accepts all common filters.
"""
OF_SESSIONS = ("platform", "country", "mode", "from_", "to")
ChosenSessions: TypeAlias = Annotated[
    AnswerFilter, Injected(_answer_filter, tuple(FILTERS[name] for name in OF_SESSIONS))
]
"""The same for sessions, which span many prompts: only the filters that are not about prompts."""
