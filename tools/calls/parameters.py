"""The request fields that several tools share, each declared once with its bounds and description."""

import re
import unicodedata
from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeVar, cast, get_args

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    StringConstraints,
)
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from analytics.metric_names import MetricName as Metric
from measurement.planning.locales import iso_country
from tools.calls.wire import HIDING

LARGEST_PAGE = 100
LARGEST_OFFSET = 2**53 - 1  # the largest whole number that every JSON reader keeps exact
LONGEST_HISTORY_DAYS = 3650


class Examples:
    """Example values for schemas, from the history that `seenby demo --history` loads."""

    BRAND = "Zentrix (synthetic)"
    COMPETITOR = "Morvani"
    PLATFORM, OTHER_PLATFORM = "synthetic-chatgpt", "synthetic-gemini"
    COUNTRY, OTHER_COUNTRY = "DE", "US"
    TAG = "cost"
    INTENT = "compare"
    PROMPT_SET_ID = "6f121df5-7111-8a3a-9280-eadd4eeac534"
    PROMPT_ID = "5b49220e-acfb-878a-b258-ed350db42c76"
    """A prompt with this tag and this intent."""
    ANSWER_ID = "caef1062-1bd8-88db-8096-6c5afbffa529"
    BATCH_ID = "9b21d492-b002-8cdf-85d0-96e544b6986a"
    RUN_ID = "7c41f6c5-b908-8f07-b706-6c12a1558df2"
    AGENT_INSTANCE_ID = "ae76cf9f-9e06-8de0-bccc-5c5e490a56c0"
    ACTION_ID = "89b6cc93-f018-83be-b68e-94b80e5a8fe7"
    FROM, TO = "2026-01-01", "2099-12-31"
    """A period that covers any day on which the history may be loaded."""
    SITE = "https://www.zentrix-synthetic-sample.com/"


T = TypeVar("T")


class _Omissible:
    """Publishes and validates only the type, so that omitting a field differs from sending null."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        kinds = tuple(kind for kind in get_args(source) if kind is not type(None))
        if len(kinds) != 1:
            raise TypeError(f"Omissible takes one type, not {source}")
        return handler(kinds[0])


Omissible = Annotated[T | None, _Omissible()]
"""An optional request field. It is None in Python when omitted, and never null on the wire."""


class Unsaid(Enum):
    """Marks a field that was omitted, where null is a value of its own."""

    UNSAID = "unsaid"


UNSAID = Unsaid.UNSAID


class _Clearable:
    """Publishes and validates the type or null. The UNSAID default is not published."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        kinds = tuple(kind for kind in get_args(source) if kind not in (type(None), Unsaid))
        if len(kinds) != 1:
            raise TypeError(f"Clearable takes one type, not {source}")
        return core_schema.nullable_schema(handler(kinds[0]))


Clearable = Annotated[T | Unsaid | None, _Clearable()]
"""A request field that keeps the current value when omitted (UNSAID), and clears it when null."""


def _whole(value: object) -> object:
    """Accept whole floats: JSON has one number type, so 8.0 is a count. 8.5 is unchanged and then rejected."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _at_most(largest: int) -> AfterValidator:
    """Cap a number at the largest that we serve, where the interface states no maximum."""
    return AfterValidator(lambda number: min(cast(int, number), largest))


def _folded(text: str) -> str:
    return text.lower()


JOINERS = "\u200c\u200d"
"""Persian, Indic scripts and emoji require these joiners."""


def visible(text: str) -> str:
    """Return a caller's text without characters that hide or reorder words. Line breaks, tabs and joiners stay."""
    if all(line.isprintable() for line in text.split("\n")):
        return text
    text = text.replace("\r\n", "\n")
    kept = "\n\t" + JOINERS
    return "".join(char for char in text if char in kept or unicodedata.category(char) not in HIDING)


def _storable(text: str) -> str:
    if "\0" in text:
        raise PydanticCustomError("nul", "Input should not hold the character NUL, which cannot be kept")
    kept = visible(text)
    if text.strip() and not kept.strip(JOINERS + " \n\t"):
        raise PydanticCustomError("unseen", "Input should hold a character that can be seen")
    return kept


class _Storable:
    """Validates text to be stored, and publishes the part of the rule that a pattern can express."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(_storable, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        published = handler(schema)
        return {**published, "pattern": NOT_BLANK if published.get("minLength") else WITHOUT_NUL}


WITHOUT_NUL = r"^[^\x00]*$"
NOT_BLANK = r"^[^\x00]*[^\s\x00-\x1f\x7f-\x9f][^\x00]*$"
STORABLE = _Storable()
"""Follows the bounds of every caller text that is stored. PostgreSQL cannot store NUL, and invisible characters are
dropped.
"""


def written_as(form: str) -> FieldInfo:
    """Publish that a text has a format that `FORMATS` names. The tool rejects any other."""
    if form not in FORMATS:
        raise ValueError(f"{form} is not a known format")
    return Field(json_schema_extra={"format": form})


FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "country-code": "ISO 3166-1 alpha-2, such as DE",
        "cron": "five fields, such as 0 6 * * 1",
        "day-or-instant": "such as 2026-11-02 or 2026-11-02T08:00:00Z",
        "language-tag": "BCP 47, such as de-AT",
        "place-name": "one line, such as Graz",
        "time-zone": "a name of the IANA database, such as Europe/Vienna",
        "web-address": "a host such as www.example.com, or a URL",
    }
)
"""Text formats that JSON Schema has no keyword for, under the names that the OpenAPI document uses."""

Name = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200),
    STORABLE,
    Field(description="Name, unique in the company.", examples=["Spring launch"]),
]

WHOLE = BeforeValidator(_whole)
"""Follows the bounds of every `int` that a caller sends: `Annotated[int, Field(ge=1), WHOLE]`."""

# Characters that RFC 3986 section 2 and appendix A allow.
_FOREIGN = re.compile(r"[^\x00-\x7f]")
_URI = re.compile(
    r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+"
)


def _uri(text: str) -> str:
    """Accept a URI, or an IRI (RFC 3987) such as one whose host is in its own script; blanks around it are dropped."""
    written = text.strip()
    if not _URI.fullmatch(_FOREIGN.sub("%20", written)):
        raise PydanticCustomError("uri", "Input should be a URI, such as https://www.example.com/")
    return written


BrandId = Annotated[str, Field(description="Brand id or name.", examples=[Examples.BRAND])]
CompanyWideBrandId = Annotated[
    str, Field(description="Brand id or name; else all.", examples=[Examples.BRAND])
]
RunId = Annotated[str, Field(description="Id from run_workflow.", examples=[Examples.RUN_ID])]
WorkflowId = Annotated[str, Field(description="Id from list_workflows.", examples=["ai_shop_checkup"])]
WorkflowOfRuns = Annotated[str, Field(description="Id from list_workflows.", examples=["reusable_agent"])]
AgentInstanceId = Annotated[
    str, Field(description="Id from list_reusable_agents.", examples=[Examples.AGENT_INSTANCE_ID])
]
PromptSetId = Annotated[
    str, Field(description="Id from list_prompt_sets.", examples=[Examples.PROMPT_SET_ID])
]
AnswerId = Annotated[
    str,
    Field(min_length=1, max_length=64, description="Id from list_answers.", examples=[Examples.ANSWER_ID]),
]
PromptId = Annotated[
    str,
    Field(
        min_length=1, max_length=64, description="Id from get_prompt_results.", examples=[Examples.PROMPT_ID]
    ),
]


Country = Annotated[
    str,
    StringConstraints(strip_whitespace=True, to_upper=True, pattern="^[A-Za-z]{2}$"),
    AfterValidator(iso_country),
    Field(description="Country asked from, such as DE.", examples=[Examples.COUNTRY]),
]
Context = Annotated[str, Field(min_length=1, max_length=20000, description="Notes for the agents."), STORABLE]
Priority = Literal["low", "normal", "high"]
PriorityField = Annotated[Priority, Field(description="Order among waiting runs.")]
RunStatus = Literal["pending", "running", "completed", "partial_complete", "failed", "cancelled"]
Platform = Annotated[
    str, AfterValidator(_folded), Field(description="Engine, such as chatgpt.", examples=[Examples.PLATFORM])
]
MetricName = Annotated[
    str, Field(description=f"{', '.join(Metric)}.", examples=["mentionCount", "visibilityScore"])
]
Category = Annotated[str, Field(description="Category, exactly as stored.", examples=["product", "faq"])]
SearchQuery = Annotated[
    str, Field(description="Words that title or body hold.", examples=["espresso kitchens"])
]

Schedule = Annotated[
    Clearable[Annotated[str, Field(max_length=100), written_as("cron")]],
    Field(
        description="Five-field cron in the prompt set's timezone, else UTC; null: never.",
        examples=["0 6 * * 1"],
    ),
]
IncludeArchived = Annotated[bool, Field(description="List archived ones too.")]
Archived = Annotated[bool, Field(description="Archives it; its history stays.")]

DetailName = Literal["compact", "full"]
Detail = Annotated[DetailName, Field(description="full: longer texts and lists, more intervals.")]

_PAGE = "Page size"
Limit = Annotated[int, Field(ge=1, le=LARGEST_PAGE, description=f"{_PAGE}."), WHOLE]
OpenLimit = Annotated[
    int, Field(ge=1, description=f"{_PAGE}, at most {LARGEST_PAGE}."), WHOLE, _at_most(LARGEST_PAGE)
]
SnapshotLimit = Annotated[int, Field(ge=1, le=20, description="Items of this part."), WHOLE]
Offset = Annotated[int, Field(ge=0, description="See nextOffset."), WHOLE, _at_most(LARGEST_OFFSET)]
RunsOffset = Annotated[int, Field(ge=0, le=1_000_000, description="See nextOffset."), WHOLE]
Days = Annotated[
    int, Field(ge=1, description="Days back, with today."), WHOLE, _at_most(LONGEST_HISTORY_DAYS)
]
SnapshotDays = Annotated[int, Field(ge=1, le=90, description="Days of trend."), WHOLE]
PublicUrl = Annotated[
    str,
    AfterValidator(_uri),
    Field(
        min_length=1,
        max_length=2048,
        json_schema_extra={"format": "uri"},
        description="Public address that the report was made for.",
        examples=[Examples.SITE],
    ),
]

NEXT_CALL: Mapping[str, str] = MappingProxyType(
    {
        "brandId": "Call list_brand_profiles first to obtain brand ids.",
        "runId": "Call list_workflow_runs first to obtain run ids.",
        "workflowId": "Call list_workflows first to obtain workflow ids.",
        "agentInstanceId": "Call list_reusable_agents first to obtain agent instance ids.",
        "actionId": "Call list_actions first to obtain action ids.",
        "answerId": "Call list_answers first to obtain answer ids.",
        "batchIds": "Call list_answers or get_ai_visibility_score first to obtain batch ids.",
        "promptId": "Call get_prompt_results first to obtain prompt ids.",
        "promptSetId": "Call list_prompt_sets first to obtain prompt set ids.",
    }
)
"""The tool to call for a field value that only another tool returns."""
