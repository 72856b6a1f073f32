"""Builds the sources of an answer: numbered within their kind, without duplicates, with marks `[n]` resolved."""

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from engines.engine import AnswerStatus, EngineCitation, Mode, Placement, Retrieval

MARK = re.compile(r"\[(\d{1,3})\]")


@dataclass(frozen=True, slots=True)
class CitedSource:
    """A page as named by a provider, and the place in the text that refers to it, in code points."""

    url: str
    title: str | None = None
    place: tuple[int, int] | None = None
    span: Literal["marker", "segment"] | None = None
    site: str | None = None
    """The destination host of a redirect URL according to the provider."""
    placement: Placement | None = None
    group: int | None = None
    position: int | None = None
    """Position in the list next to the text, from 1."""


@dataclass(frozen=True, slots=True)
class MarkedSources:
    """The sources that the marks `[n]` of a text refer to, in text order."""

    sources: list[CitedSource]
    resolved: bool
    """False if a mark has a number that matches no source, or several."""


def numbered(
    cited: Iterable[CitedSource], retrieved: Iterable[CitedSource] = ()
) -> tuple[EngineCitation, ...]:
    """Return citations in the given order, cited ones first.

    One URL at one place is one citation, and one retrieved URL is one source. If a place is unknown, a URL
    counts once.
    """
    return (*_of_kind("cited", cited), *_of_kind("retrieved", retrieved))


def resolve_marks(
    text: str, sources: Iterable[tuple[int | None, CitedSource]], placed: Container[int] = ()
) -> MarkedSources:
    """Resolve the marks `[n]` of `text` by the provider's source numbers.

    A number shared by two different URLs resolves nothing. Marks that start at a position in `placed` (code
    points) are explained by the provider itself and never count as unresolved. Without any source there are
    no marks.
    """
    by_number: dict[int | None, list[CitedSource]] = {}
    for number, source in sources:
        known = by_number.setdefault(number, [])
        if all(other.url != source.url for other in known):
            known.append(source)
    marked: list[CitedSource] = []
    resolved = True
    for mark in MARK.finditer(text) if by_number else ():
        candidates = by_number.get(int(mark[1]), [])
        if len(candidates) == 1:
            [source] = candidates
            marked.append(CitedSource(source.url, source.title, mark.span(), "marker", source.site))
        elif mark.start() not in placed:
            resolved = False
    return MarkedSources(marked, resolved)


def name_pages(annotations: Iterable[Mapping[str, object]]) -> bool:
    """Return whether every citation among these annotations names the page it refers to.

    The owner of an unnamed page is unknown. The citations of such an answer are not measured, instead of
    counting as none.
    """
    urls = (note.get("url") for note in annotations if note.get("type") == "url_citation")
    return all(isinstance(url, str) and url for url in urls)


def status_of(mode: Mode, text: str, retrieval: Retrieval, *, refused: bool) -> AnswerStatus:
    """Return the status of an answer; a grounded request without a search is `not_grounded`."""
    if refused:
        return "refused"
    if not text.strip():
        return "empty"
    if mode is Mode.READINESS and retrieval.status != "searched":
        return "not_grounded"
    return "answered"


def _of_kind(kind: Literal["cited", "retrieved"], sources: Iterable[CitedSource]) -> list[EngineCitation]:
    unique: dict[tuple[str, tuple[int, int] | None], CitedSource] = {}
    for source in sources:
        unique.setdefault((source.url, source.place), source)
    return [
        EngineCitation(
            url=source.url,
            title=source.title,
            kind=kind,
            ordinal=ordinal,
            start=source.place[0] if source.place else None,
            end=source.place[1] if source.place else None,
            span=source.span if source.place else None,
            site=source.site,
            placement=source.placement,
            group=source.group,
            source_position=source.position,
        )
        for ordinal, source in enumerate(unique.values())
    ]
