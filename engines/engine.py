"""What is asked of an AI engine, what comes back, and the protocol every engine follows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Literal, Protocol

AnswerStatus = Literal["answered", "refused", "empty", "not_grounded", "not_shown"]
MAX_OUTPUT_TOKENS = 8192
"""Room for models that think inside the limit before they write; an answer of 1,000 words takes 1,500."""
RetrievalStatus = Literal["not_requested", "searched", "not_searched", "failed", "unknown"]
LocaleField = Literal["country", "language", "city", "region", "timezone", "device"]
LOCALE_FIELDS: tuple[LocaleField, ...] = ("country", "language", "city", "region", "timezone", "device")
Device = Literal["desktop", "mobile"]
AbsentReason = Literal["none", "blocked", "no_results"]
Placement = Literal["inline", "panel", "card", "search_result"]
"""Where on a screen a source stood: in the text, in the list beside it, on a card, or among what was searched."""
CardKind = Literal["product", "place", "ad"]
LocaleApplied = Literal["city", "country", "none"]
SUPPLIED = "@"
"""Parts a surface from its supplier in the name of a platform: `google_ai_mode@dataforseo`."""
SYNTHETIC = "synthetic-"
"""What the name of a platform begins with that a generator of ours made up."""


class Mode(StrEnum):
    """Whether the model answers from memory or searches the web first."""

    VISIBILITY = "visibility"
    READINESS = "readiness"


@dataclass(frozen=True, slots=True)
class Question:
    """One prompt for one engine. Raises ValueError when the text is blank, no token may be written or the
    temperature is no number of 0 to 2."""

    text: str
    mode: Mode
    ask_key: str
    """Identity of the planned ask; its first eight hex digits also seed the local engine."""
    country: str | None = None
    """ISO 3166-1 alpha-2."""
    language: str | None = None
    """BCP 47."""
    city: str | None = None
    """Free text; it lies in the country, and is not sent without one."""
    region: str | None = None
    """Free text, such as a state; it lies in the country, and is not sent without one."""
    timezone: str | None = None
    """Name in the IANA database, such as `Europe/Berlin`."""
    device: Device | None = None
    """On what a person would read the answer; only suppliers of what people see are told."""
    max_output_tokens: int = MAX_OUTPUT_TOKENS
    temperature: float | None = None
    """How freely to choose words, 0 the least; None, as in everything that is measured, leaves it to the provider.

    Claude's and Perplexity's APIs take none and are sent none. A model that refuses it is asked again without.
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
    """One source: cited by the text, or only returned by the search that came before it."""

    url: str
    """As the provider gave it, tracking parameters included."""
    title: str | None
    kind: Literal["cited", "retrieved"]
    ordinal: int
    """Order within its kind, from 0."""
    start: int | None = None
    """First code point of the span in Answer.text; None when no offset passed the check."""
    end: int | None = None
    """Exclusive."""
    span: Literal["marker", "segment"] | None = None
    """`marker`: where the citation mark stands. `segment`: the text the source supports."""
    site: str | None = None
    """The host behind an address that only redirects, where the provider's metadata names it."""
    placement: Placement | None = None
    """Of what was seen on a screen."""
    group: int | None = None
    """The mark in the text that shows it together with others, by the supplier's number."""
    source_position: int | None = None
    """Its place in the list beside the text, from 1."""


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Whether the engine searched the web, and for what."""

    status: RetrievalStatus
    queries: tuple[str, ...] = ()
    searches: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """What the provider says the ask consumed; None is unknown, never zero."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    searches: int | None = None
    provider_cost_usd: Decimal | None = None
    """Only when the provider states it."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its response, as kept for evidence. It never holds a request header or a credential."""

    sent_at: datetime
    url: str
    request_body: bytes
    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)
    received_at: datetime
    raw_sha256: str
    """Hex digest of the body as it was received, before anything was taken out of it."""
    stripped: bool = False
    """True when `body` no longer is what was received, because ciphertext or a secret was taken out."""


@dataclass(frozen=True, slots=True)
class Card:
    """A product, place or advertisement that stood beside an answer; it is no part of the answer's text."""

    kind: CardKind
    title: str
    position: int
    """Order among the cards, from 1."""
    brand: str | None = None
    """Who makes it, where the card says so apart from its title."""
    seller: str | None = None
    price: str | None = None
    """As it was shown, or the number alone."""
    currency: str | None = None
    url: str | None = None
    rendered: bool | None = None
    """False for one that was delivered and not shown; None where nobody says."""


@dataclass(frozen=True, slots=True)
class SupplierCost:
    """What a supplier says that it charged."""

    amount: Decimal
    unit: Literal["usd", "credits"]


@dataclass(frozen=True, slots=True)
class Seen:
    """What is known of an answer only because somebody looked at a screen."""

    supplier: str
    absent_reason: AbsentReason | None = None
    """Why nothing was shown; None where something was."""
    observed_at: datetime | None = None
    """When the supplier looked, as it says."""
    proof_url: str | None = None
    locale_sent: Mapping[str, str] = field(default_factory=dict[str, str])
    locale_applied: LocaleApplied = "none"
    cards: tuple[Card, ...] = ()
    cost: SupplierCost | None = None


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """What one engine said to one question."""

    status: AnswerStatus
    text: str
    truncated: bool
    citations: tuple[EngineCitation, ...]
    retrieval: Retrieval
    requested_model: str
    served_model: str | None
    usage: Usage
    latency_ms: int
    """The whole ask, with retries and continuation turns."""
    attempts: int
    """Requests sent, failed ones included."""
    exchanges: tuple[Exchange, ...]
    parser: str
    """Name and number of the parser, such as `openai-responses/1`; the number rises with its behaviour."""
    citations_resolved: bool = True
    """False when the text marks a source that cannot be told: then nobody knows what the answer cites."""
    seen: Seen | None = None
    """Set for an answer that was seen on a screen and not given by an API."""

    def is_valid(self, mode: Mode) -> bool:
        """Whether it counts: it says something, to its end, and a grounded one was searched for or seen.

        People see what an app shows them, whether it searched or not.
        Of half an answer nobody can say whom it does not name; counting only the halves that name somebody would
        lift every rate.
        """
        complete = self.status == "answered" and not self.truncated
        grounded = self.seen is not None or self.retrieval.status == "searched"
        return complete and (mode is Mode.VISIBILITY or grounded)


@dataclass(frozen=True, slots=True)
class Credential:
    """The key of one provider account; neither `repr` nor `str` shows it.

    Raises ValueError unless the key is printable ASCII without spaces, the only
    form that can stand in an HTTP header; the message never quotes the key.
    """

    secret: str = field(repr=False)

    def __post_init__(self) -> None:
        if not self.secret or not all("!" <= character <= "~" for character in self.secret):
            raise ValueError("A credential must be printable ASCII without spaces.")


class Engine(Protocol):
    """One AI product that can be asked."""

    @property
    def platform(self) -> str:
        """Lowercase identifier of the product that is measured."""
        ...

    @property
    def model(self) -> str:
        """The model that is asked for, as the price table names it."""
        ...

    @property
    def modes(self) -> frozenset[Mode]:
        """Modes this engine can be asked in."""
        ...

    @property
    def cites(self) -> frozenset[Mode]:
        """Modes in which this engine reports citations."""
        ...

    def locale_fields(self, mode: Mode, country: str | None = None) -> frozenset[LocaleField]:
        """What of a place this engine is told in a mode; the rest of a question's locale is not sent.

        A few take more where the place is in one `country` than elsewhere.
        """
        ...

    async def ask(self, question: Question, credential: Credential | None) -> EngineAnswer:
        """Ask and return the answer, or raise EngineError. A missing credential means no request at all."""
        ...

    def parse(self, question: Question, exchanges: Sequence[Exchange]) -> EngineAnswer:
        """Read stored exchanges again, without any request. Raises EngineError as `ask` would."""
        ...
