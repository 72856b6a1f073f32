"""Observations of AI surfaces in data providers' responses, and the answers they result in."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TypeVar

from engines.citations import CitedSource, numbered
from engines.engine import (
    AbsentReason,
    Card,
    EngineAnswer,
    Exchange,
    LocaleApplied,
    Mode,
    Placement,
    Retrieval,
    RetrievalStatus,
    Seen,
    SupplierCost,
    Usage,
)
from engines.errors import EngineError
from engines.transport import body
from engines.transport.body import JsonObject
from engines.transport.exchanges import elapsed_ms

Read = TypeVar("Read")
SURFACES: Mapping[str, str] = {
    "google_ai_overview": "Google AI Overview",
    "google_ai_mode": "Google AI Mode",
    "chatgpt_app": "ChatGPT (app)",
    "gemini_app": "Gemini (app)",
    "perplexity_app": "Perplexity (app)",
    "copilot": "Copilot",
    "bing_copilot": "Copilot Search",
    "grok_app": "Grok (app)",
}
"""Every AI surface by its id, with its display name."""
OFFSET = re.compile(r"(?<!\s)\s++([+-]\d\d:?\d\d)$")


@dataclass(frozen=True, slots=True)
class Sighting:
    """One observation of a question on an AI surface, from any data provider."""

    surface: str
    supplier: str
    prompt: str | None = None
    """The question, if the body repeats it."""
    absent_reason: AbsentReason | None = None
    """Why nothing was displayed; None if something was."""
    text: str = ""
    cited: tuple[CitedSource, ...] = ()
    retrieved: tuple[CitedSource, ...] = ()
    resolved: bool = True
    """False if a cited source has no URL, so the owners of the cited pages are unknown."""
    queries: tuple[str, ...] = ()
    searched: bool | None = None
    """Whether the engine searched, if the body says so."""
    cards: tuple[Card, ...] = ()
    model: str | None = None
    observed_at: datetime | None = None
    proof_url: str | None = None
    locale_sent: Mapping[str, str] = field(default_factory=dict[str, str])
    cost: SupplierCost | None = None
    task_id: str | None = None

    @property
    def is_observed(self) -> bool:
        """Whether the answer was observed on a screen; a data provider may also forward a model's API."""
        return self.surface in SURFACES

    @property
    def platform(self) -> str:
        """The platform name used in measurements; two data providers of one AI surface never share a rate."""
        return f"{self.surface}@{self.supplier}" if self.is_observed else self.surface

    @property
    def mode(self) -> Mode:
        """The mode of the answer: a model's API that did not search answers from memory."""
        from_memory = not self.is_observed and self.retrieval.status == "not_requested"
        return Mode.VISIBILITY if from_memory else Mode.READINESS

    @property
    def locale_applied(self) -> LocaleApplied:
        """The most precise part of the location that was sent to the data provider."""
        if "city" in self.locale_sent:
            return "city"
        return "country" if "country" in self.locale_sent else "none"

    @property
    def retrieval(self) -> Retrieval:
        """Whether the engine searched: always for Google's surfaces, else shown by sources and queries."""
        proven = bool(self.cited or self.retrieved or self.queries) or self.surface.startswith("google_")
        status: RetrievalStatus = "searched" if proven or self.searched else "unknown"
        if status == "unknown" and self.searched is False:
            status = "not_requested"
        return Retrieval(status, self.queries, len(self.queries))


def answer_of(sighting: Sighting, exchanges: Sequence[Exchange], parser: str) -> EngineAnswer:
    """Return the answer in an observation. If nothing was displayed, the answer has no text and counts as observed."""
    shown = sighting.absent_reason is None
    return EngineAnswer(
        status="not_shown" if not shown else "answered" if sighting.text.strip() else "empty",
        text=sighting.text if shown else "",
        truncated=False,
        citations=numbered(sighting.cited, sighting.retrieved) if shown else (),
        retrieval=sighting.retrieval,
        requested_model=sighting.platform,
        served_model=sighting.model,
        usage=Usage(
            provider_cost_usd=sighting.cost.amount if sighting.cost and sighting.cost.unit == "usd" else None
        ),
        latency_ms=elapsed_ms(exchanges) if exchanges else 0,
        attempts=len(exchanges),
        exchanges=tuple(exchanges),
        parser=parser,
        seen=Seen(
            supplier=sighting.supplier,
            absent_reason=sighting.absent_reason,
            observed_at=sighting.observed_at,
            proof_url=sighting.proof_url,
            locale_sent=sighting.locale_sent,
            locale_applied=sighting.locale_applied,
            cards=sighting.cards if shown else (),
            cost=sighting.cost,
        )
        if sighting.is_observed
        else None,
        citations_resolved=sighting.resolved,
    )


def sources(
    entries: Iterable[JsonObject], placement: Placement, url: str = "url", title: str = "title"
) -> list[CitedSource]:
    """Return the sources in a list, by the fields of their URL and title; entries without a URL are skipped.

    In the list next to the text, each source has a position: the stated one, else its index.
    """
    return [
        CitedSource(
            address,
            body.string(entry, title),
            placement=placement,
            position=(body.whole(entry, "position") or place) if placement == "panel" else None,
        )
        for place, entry in enumerate(entries, start=1)
        if (address := body.string(entry, url))
    ]


def have_addresses(entries: Iterable[JsonObject], url: str = "url") -> bool:
    """Return whether every source in a list has a URL."""
    return all(body.string(entry, url) for entry in entries)


def union(*groups: Iterable[CitedSource]) -> tuple[CitedSource, ...]:
    """Return the sources of several lists, each URL once, in order of appearance.

    A source that is both in the text and next to it counts as inline, and keeps its position in the list.
    """
    by_address: dict[str, CitedSource] = {}
    for group in groups:
        for source in group:
            known = by_address.setdefault(source.url, source)
            if source.placement == "inline" and known.placement != "inline":
                by_address[source.url] = replace(known, placement="inline", group=source.group)
    return tuple(by_address.values())


def readings(exchanges: Iterable[Exchange], read: Callable[[JsonObject], Read]) -> Iterator[Read]:
    """Yield the result of `read` for each body of a task without an answer; HTML pages are skipped."""
    for exchange in exchanges:
        with suppress(EngineError):
            yield read(body.decode(exchange.body))


def utc_time(text: str | None) -> datetime | None:
    """Parse a provider's instant to UTC: ISO 8601, with a space before the offset or `UTC` in its place; else None."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(OFFSET.sub(r"\1", text.replace("UTC", "+00:00").strip()))
        # An offset may lead outside the supported range of years.
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
