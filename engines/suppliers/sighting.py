"""What a supplier's body says of one surface, and the answer it makes."""

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
"""Every surface by its id, as people call it."""
OFFSET = re.compile(r"(?<!\s)\s++([+-]\d\d:?\d\d)$")


@dataclass(frozen=True, slots=True)
class Sighting:
    """What was seen of one question on one surface, whoever looked."""

    surface: str
    supplier: str
    prompt: str | None = None
    """What was asked, where the body repeats it."""
    absent_reason: AbsentReason | None = None
    """Why nothing was shown; None where something was."""
    text: str = ""
    cited: tuple[CitedSource, ...] = ()
    retrieved: tuple[CitedSource, ...] = ()
    resolved: bool = True
    """False when something is cited that has no address: nobody can tell then whose pages are cited."""
    queries: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ()
    model: str | None = None
    observed_at: datetime | None = None
    proof_url: str | None = None
    locale_sent: Mapping[str, str] = field(default_factory=dict[str, str])
    cost: SupplierCost | None = None
    task_id: str | None = None

    @property
    def platform(self) -> str:
        """The name under which it is measured: two suppliers of a surface never share a rate."""
        return f"{self.surface}@{self.supplier}"

    @property
    def locale_applied(self) -> LocaleApplied:
        """How near the place is that the supplier was told."""
        if "city" in self.locale_sent:
            return "city"
        return "country" if "country" in self.locale_sent else "none"

    @property
    def retrieval(self) -> Retrieval:
        """Whether it searched: Google's always do, of an app only sources and queries tell."""
        proven = bool(self.cited or self.retrieved or self.queries) or self.surface.startswith("google_")
        status: RetrievalStatus = "searched" if proven else "unknown"
        return Retrieval(status, self.queries, len(self.queries))


def answer_of(sighting: Sighting, exchanges: Sequence[Exchange], parser: str) -> EngineAnswer:
    """The answer that a sighting makes. One that was not shown has no text and counts as looked at."""
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
        ),
        citations_resolved=sighting.resolved,
    )


def sources(
    entries: Iterable[JsonObject], placement: Placement, url: str = "url", title: str = "title"
) -> list[CitedSource]:
    """Sources that a list names, by the fields of their address and title; what has no address is none.

    In the list beside the text, each has its place: the one that it says, else the one where it stands.
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
    """Whether every source that a list names has an address."""
    return all(body.string(entry, url) for entry in entries)


def union(*groups: Iterable[CitedSource]) -> tuple[CitedSource, ...]:
    """Sources of several lists, each address once, in the order in which they come.

    One that stands both in the text and beside it stands in the text, and keeps its place beside it.
    """
    by_address: dict[str, CitedSource] = {}
    for group in groups:
        for source in group:
            known = by_address.setdefault(source.url, source)
            if source.placement == "inline" and known.placement != "inline":
                by_address[source.url] = replace(known, placement="inline", group=source.group)
    return tuple(by_address.values())


def readings(exchanges: Iterable[Exchange], read: Callable[[JsonObject], Read]) -> Iterator[Read]:
    """What is read in each body of a task that brought no answer; a page for people says nothing."""
    for exchange in exchanges:
        with suppress(EngineError):
            yield read(body.decode(exchange.body))


def utc_time(text: str | None) -> datetime | None:
    """An instant in UTC as suppliers write it: ISO 8601, with a space before its offset or UTC for it; else None."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(OFFSET.sub(r"\1", text.replace("UTC", "+00:00").strip()))
        # An offset may lead out of the years that there are.
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
