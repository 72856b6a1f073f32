"""Builds the sources of an answer: numbered within their kind, each found once, marks `[n]` resolved."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from engines.engine import AnswerStatus, Citation, Mode, Retrieval

MARK = re.compile(r"\[(\d{1,3})\]")


@dataclass(frozen=True, slots=True)
class Source:
    """A page as a provider names it, and where the text refers to it, in code points."""

    url: str
    title: str | None = None
    place: tuple[int, int] | None = None
    span: Literal["marker", "segment"] | None = None


def numbered(cited: Iterable[Source], retrieved: Iterable[Source] = ()) -> tuple[Citation, ...]:
    """Citations in the order given, cited first.

    One URL at one place is one citation, and one retrieved URL is one source; when
    a place is unknown, a URL counts once.
    """
    return (*_of_kind("cited", cited), *_of_kind("retrieved", retrieved))


def marked(text: str, sources: Sequence[Source]) -> list[Source]:
    """The sources that marks `[n]` in `text` refer to, counted from 1; a mark beyond the list is skipped."""
    found: list[Source] = []
    for mark in MARK.finditer(text):
        number = int(mark[1])
        if 1 <= number <= len(sources):
            source = sources[number - 1]
            found.append(Source(source.url, source.title, mark.span(), "marker"))
    return found


def status_of(mode: Mode, text: str, retrieval: Retrieval, *, refused: bool) -> AnswerStatus:
    """What kind of answer this is; a grounded ask without a search is `not_grounded`."""
    if refused:
        return "refused"
    if not text.strip():
        return "empty"
    if mode is Mode.READINESS and retrieval.status != "searched":
        return "not_grounded"
    return "answered"


def _of_kind(kind: Literal["cited", "retrieved"], sources: Iterable[Source]) -> list[Citation]:
    unique: dict[tuple[str, tuple[int, int] | None], Source] = {}
    for source in sources:
        unique.setdefault((source.url, source.place), source)
    return [
        Citation(
            url=source.url,
            title=source.title,
            kind=kind,
            ordinal=ordinal,
            start=source.place[0] if source.place else None,
            end=source.place[1] if source.place else None,
            span=source.span if source.place else None,
        )
        for ordinal, source in enumerate(unique.values())
    ]
