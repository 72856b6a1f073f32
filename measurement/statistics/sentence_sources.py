"""Links each sentence of a text to the line of profile or published texts that supports it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import anyio.to_thread

from analytics.grounding.flattening import flatten, stems
from analytics.grounding.sentence_spans import LONGEST_TEXT, sentences
from measurement.planning.published_items import published
from measurement.publication.accuracy_checks import profile_lines
from storage.repositories.brands import Brand
from storage.workspace import Workspace

PROFILE = "profile"
MOST_SENTENCES = 60
MOST_LINES = 3000
FEWEST_SHARED = 2
"""Longer words or numbers that a sentence shares with a line, below which nothing ties the two."""
LEAST_SHARE = 0.5
"""Share of a sentence's longer words that the line must hold too."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class FactPlace:
    """Where a fact stands: the id of an item, or `profile`; its title; the number of the line, from 1; its words."""

    source: str
    title: str
    line: int
    words: str


@dataclass(frozen=True, slots=True)
class SourcedSentence:
    """One sentence of a text and the line that says it; None where no line does, as of a heading or a courtesy."""

    text: str
    place: FactPlace | None


async def link_sentences(
    workspace: Workspace, brand: Brand, body: str, item_id: str
) -> tuple[SourcedSentence, ...]:
    """Return the sentences of a text with their sources, at most sixty; the text itself is no source of its own."""
    texts = [(item.id, item.title, item.body) for item in await published(workspace, brand)]
    texts = [text for text in texts if text[0] != item_id]
    texts.insert(0, (PROFILE, brand.name, _profile_text(brand)))
    return await anyio.to_thread.run_sync(tie_sentences, texts, brand.name, body)


def _profile_text(brand: Brand) -> str:
    named = {"Name": brand.name, "Industry": brand.industry, "Website": brand.website}
    lines = [f"{name}: {value}" for name, value in named.items() if value]
    return "\n".join([*lines, *([profile_lines(brand.facts)] if brand.facts else [])])


@dataclass(frozen=True, slots=True)
class _KnownLine:
    place: FactPlace
    stems: frozenset[str]
    numbers: frozenset[str]


def tie_sentences(
    texts: Sequence[tuple[str, str, str]], own_name: str, body: str
) -> tuple[SourcedSentence, ...]:
    """Return the sentences of a text, at most sixty, each with its line of `texts` (source, title, words)."""
    body = body[:LONGEST_TEXT]
    own = stems(flatten(own_name))
    known = [line for text in texts for line in _known_lines(*text)][:MOST_LINES]
    spans = sentences(body)[:MOST_SENTENCES]
    return tuple(
        SourcedSentence(" ".join(body[start:end].split()), _place_of(body[start:end], known, own))
        for start, end in spans
    )


def _known_lines(source: str, title: str, text: str) -> Iterator[_KnownLine]:
    for start, end in sentences(text[:LONGEST_TEXT]):
        words = " ".join(text[start:end].split())
        place = FactPlace(source, title, text.count("\n", 0, start) + 1, words)
        yield _KnownLine(place, stems(flatten(f"{title} {words}")), frozenset(_NUMBER.findall(words)))


def _place_of(sentence: str, known: Sequence[_KnownLine], own: frozenset[str]) -> FactPlace | None:
    """Return the line that holds every number of a sentence and most of its longer words; None without one."""
    wanted, numbers = stems(flatten(sentence)) - own, frozenset(_NUMBER.findall(sentence))
    best: tuple[int, _KnownLine] | None = None
    for line in known:
        shared = len(wanted & line.stems)
        tied = shared + len(numbers) >= FEWEST_SHARED and shared >= LEAST_SHARE * len(wanted)
        if tied and numbers <= line.numbers and (best is None or shared > best[0]):
            best = (shared, line)
    return best[1].place if best else None
