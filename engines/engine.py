"""The questions sent to an AI engine, its answers, and the protocol that every engine implements."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Literal, Protocol

AnswerStatus = Literal["answered", "refused", "empty", "not_grounded", "not_shown"]
MAX_OUTPUT_TOKENS = 8192
"""Leaves room for models whose thinking counts towards the limit; an answer of 1,000 words takes 1,500."""
RetrievalStatus = Literal["not_requested", "searched", "not_searched", "failed", "unknown"]
LocaleField = Literal["country", "language", "city", "region", "timezone", "device"]
LOCALE_FIELDS: tuple[LocaleField, ...] = ("country", "language", "city", "region", "timezone", "device")
Device = Literal["desktop", "mobile"]
AbsentReason = Literal["none", "blocked", "no_results"]
Placement = Literal["inline", "panel", "card", "search_result"]
"""Position of a source on a screen: in the text, in the list next to it, on a card, or among the searched pages."""
CardKind = Literal["product", "place", "ad"]
LocaleApplied = Literal["city", "country", "none"]
SUPPLIED = "@"
"""Separates an AI surface from its data provider in a platform name: `google_ai_mode@dataforseo`."""
SYNTHETIC = "synthetic-"
"""Prefix of platform names that were created by one of our generators."""


class Mode(StrEnum):
    """Whether the model answers from memory or searches the web first."""

    VISIBILITY = "visibility"
    READINESS = "readiness"


@dataclass(frozen=True, slots=True)
class Question:
    """One prompt for one engine.

    Raises ValueError if the text is blank, no output token is allowed or the temperature is not a number from
    0 to 2.
    """

    text: str
    mode: Mode
    ask_key: str
    """Identity of the planned request; its first eight hex digits also seed the local engine."""
    country: str | None = None
    """ISO 3166-1 alpha-2."""
    language: str | None = None
    """BCP 47."""
    city: str | None = None
    """Free text; located in the country, and not sent without one."""
    region: str | None = None
    """Free text, such as a state; located in the country, and not sent without one."""
    timezone: str | None = None
    """Name in the IANA database, such as `Europe/Berlin`."""
    device: Device | None = None
    """The device on which the answer would be read; only sent to data providers of AI surfaces."""
    max_output_tokens: int = MAX_OUTPUT_TOKENS
    temperature: float | None = None
    """Randomness of the wording, 0 is the lowest. None, used for all measurements, is the provider's default.

    Claude's and Perplexity's APIs take no temperature and are sent none. If a model rejects it, the request
    is repeated without it.
    """

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise ValueError("The text of a question must not be empty.")
        if self.max_output_tokens < 1:
            raise ValueError("max_output_tokens must be at least 1.")
        if self.temperature is not None and not 0 <= self.temperature <= 2:
            raise ValueError("temperature must be from 0 to 2.")


@dataclass(frozen=True, slots=True)
class EngineCitation:
    """One source: cited in the text, or only returned by the preceding search."""

    url: str
    """As returned by the provider, including tracking parameters."""
    title: str | None
    kind: Literal["cited", "retrieved"]
    ordinal: int
    """Order within its kind, from 0."""
    start: int | None = None
    """First code point of the span in Answer.text; None if no offset was valid."""
    end: int | None = None
    """Exclusive."""
    span: Literal["marker", "segment"] | None = None
    """`marker`: the position of the citation mark. `segment`: the text that the source supports."""
    site: str | None = None
    """The destination host of a redirect URL, if the provider's metadata names it."""
    placement: Placement | None = None
    """For answers observed on a screen."""
    group: int | None = None
    """The mark in the text that shows this source with others, by the data provider's number."""
    source_position: int | None = None
    """Its position in the list next to the text, from 1."""


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Whether the engine searched the web, and its queries."""

    status: RetrievalStatus
    queries: tuple[str, ...] = ()
    searches: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """Usage reported by the provider; None means unknown, never zero."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    searches: int | None = None
    provider_cost_usd: Decimal | None = None
    """Only if the provider reports it."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its response, stored as evidence. It never contains a request header or a credential."""

    sent_at: datetime
    url: str
    request_body: bytes
    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)
    received_at: datetime
    raw_sha256: str
    """Hex digest of the body as received, before anything was removed."""
    stripped: bool = False
    """True if `body` differs from the received one because ciphertext or a secret was removed."""


@dataclass(frozen=True, slots=True)
class Card:
    """A product, place or advertisement next to an answer; it is not part of the answer's text."""

    kind: CardKind
    title: str
    position: int
    """Order among the cards, from 1."""
    brand: str | None = None
    """The manufacturer, if the card names it separately from its title."""
    seller: str | None = None
    price: str | None = None
    """As displayed, or the number alone."""
    currency: str | None = None
    url: str | None = None
    rendered: bool | None = None
    """False if the card was delivered but not displayed; None if unknown."""


@dataclass(frozen=True, slots=True)
class SupplierCost:
    """The charge reported by a data provider."""

    amount: Decimal
    unit: Literal["usd", "credits"]


@dataclass(frozen=True, slots=True)
class Seen:
    """Details of an answer that exist only because it was observed on a screen."""

    supplier: str
    absent_reason: AbsentReason | None = None
    """Why nothing was displayed; None if something was."""
    observed_at: datetime | None = None
    """When the data provider observed the answer, according to its response."""
    proof_url: str | None = None
    locale_sent: Mapping[str, str] = field(default_factory=dict[str, str])
    locale_applied: LocaleApplied = "none"
    cards: tuple[Card, ...] = ()
    cost: SupplierCost | None = None


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """The answer of one engine to one question."""

    status: AnswerStatus
    text: str
    truncated: bool
    citations: tuple[EngineCitation, ...]
    retrieval: Retrieval
    requested_model: str
    served_model: str | None
    usage: Usage
    latency_ms: int
    """Duration of the whole request, including retries and continuation turns."""
    attempts: int
    """Requests sent, including failed ones."""
    exchanges: tuple[Exchange, ...]
    parser: str
    """Name and version of the parser, such as `openai-responses/1`; the version changes with its behavior."""
    citations_resolved: bool = True
    """False if the text marks a source that cannot be identified, so the citations of the answer are unknown."""
    seen: Seen | None = None
    """Set for an answer that was observed on a screen and not returned by an API."""

    def is_valid(self, mode: Mode) -> bool:
        """Return whether the answer counts: it is complete, has content, and if grounded, was searched for or observed.

        Users see what an app displays, whether it searched or not. The missing part of a truncated answer
        could name anyone; counting such answers only when they name someone would raise every rate.
        """
        complete = self.status == "answered" and not self.truncated
        grounded = self.seen is not None or self.retrieval.status == "searched"
        return complete and (mode is Mode.VISIBILITY or grounded)


@dataclass(frozen=True, slots=True)
class Credential:
    """The key of one provider account; neither `repr` nor `str` shows it.

    Raises ValueError unless the key is printable ASCII without spaces, the only form allowed in an HTTP
    header. The message never quotes the key.
    """

    secret: str = field(repr=False)

    def __post_init__(self) -> None:
        if not self.secret or not all("!" <= character <= "~" for character in self.secret):
            raise ValueError("A credential must be printable ASCII without spaces.")


class Engine(Protocol):
    """One AI product that can be queried."""

    @property
    def platform(self) -> str:
        """Lowercase identifier of the measured product."""
        ...

    @property
    def model(self) -> str:
        """The requested model, by its name in the price table."""
        ...

    @property
    def modes(self) -> frozenset[Mode]:
        """Modes that this engine supports."""
        ...

    @property
    def cites(self) -> frozenset[Mode]:
        """Modes in which this engine reports citations."""
        ...

    def locale_fields(self, mode: Mode, country: str | None = None) -> frozenset[LocaleField]:
        """Return the location fields that this engine accepts in a mode; the rest of a question's locale is not sent.

        A few engines accept more fields in one `country` than elsewhere.
        """
        ...

    async def ask(self, question: Question, credential: Credential | None) -> EngineAnswer:
        """Return the answer or raise EngineError. Without a credential, no request is sent at all."""
        ...

    def parse(self, question: Question, exchanges: Sequence[Exchange]) -> EngineAnswer:
        """Parse stored exchanges again, without any request. Raises EngineError as `ask` would."""
        ...
