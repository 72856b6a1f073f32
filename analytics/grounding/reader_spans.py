"""Finds the parts of a sentence that speak of the reader's world: for whom it holds, what is theirs, life."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from analytics.grounding.speech_acts import WE, Span, is_of_trade, is_untied

_DATA: Final = files("analytics.grounding").joinpath("reader_spans.toml")
_LEADING: Final = re.compile(r"[\s#*>\"'“”«»¿¡(\[–—•-]*(?:\d{1,2}[.)]\s+)?")
_PART_END: Final = re.compile(r"[,;:!?]\s|\s[-–—]\s|(?<![.!?])[.!?]+\s{0,9}\Z|\Z")
_PERMITS: Final = re.compile(
    r"\b(?:welcome|allowed|permitted|admitted|insured|safe|willkommen|erlaubt|gestattet|bienvenu\w*|admis\w*"
    r"|autoris\w+"
    r"|bienvenid\w+|admit\w+|permit\w+|benvenut\w|ammess\w|permess\w|welkom|toegestaan)\b"
)
"""What the company lets a reader's companion or thing do."""
_WORDS_OWNED: Final = re.compile(r"\s{1,3}[^\W\d_]+(?:-[^\W\d_]+)*")


_TELLS = re.compile(
    r"\b(?:ist|sind|hat|haben|kostet|kosten|gibt es|braucht|brauchen|mussen|muss|wird|werden|gilt|gelten|is|zijn|kost"
    r"|heeft|hebben"
    r"|wordt|worden|geldt|gelden|hoeft|moet)\b"
)
"""The verb behind an aim in German and Dutch, with which what is told begins: for dyeing, no test is needed."""


@dataclass(frozen=True, slots=True)
class _Openings:
    """What opens each kind of part in one language; `at_start` only where a part of the sentence begins."""

    anywhere: re.Pattern[str]
    at_start: re.Pattern[str]
    aim: re.Pattern[str]
    kind: re.Pattern[str]
    people: re.Pattern[str]
    possession: re.Pattern[str]


def reader_spans(
    flat: str,
    own_name: re.Pattern[str] | None,
    language: str,
    is_of_facts: Callable[[str], bool] = lambda _: False,
) -> list[Span]:
    """Return `[start, end)` of the parts of a flat sentence that speak of the reader or of people in general.

    A part that names the company or says `we` is none, unless it acknowledges what a customer reported. What is said of
    any thing of a kind is none either where `is_of_facts` finds in it a thing that the facts tell of.
    """
    openings = _openings(language)
    is_ours = is_of_company(flat, own_name)
    spans: list[Span] = []
    for low, high, is_first in _parts(flat):
        part = flat[low:high]
        acknowledged = openings.at_start.match(part)
        if acknowledged is not None and acknowledged.lastgroup == "acknowledged":
            spans.append((low, high))  # the formula is what anybody says
            continue
        if acknowledged is not None and not is_of_company(part, own_name):
            spans.append((low, high))
        if openings.people.search(part) and not is_of_company(part, own_name):
            spans.append((low, high))
        if is_first and openings.aim.match(part) and not is_of_company(part, own_name):
            told = _TELLS.search(part)
            spans.append((low, low + told.start() if told else high))
        # What is said of any thing of a kind is said of the company's too where the sentence goes on to speak of it.
        if is_first and not is_ours and openings.kind.match(part) and not is_of_trade(part, language):
            spans += [(low, high)] if is_untied(part, language) and not is_of_facts(part) else []
        spans += [
            (low + match.start(), high)
            for match in openings.anywhere.finditer(part)
            if not is_of_company(part[match.start() :], own_name)
        ]
    return spans + [
        (match.end(), owned.end())
        for match in openings.possession.finditer(flat)
        if not is_ours
        and not _PERMITS.search(flat)
        and (owned := _WORDS_OWNED.match(flat, match.end())) is not None
    ]


def is_of_company(part: str, own_name: re.Pattern[str] | None) -> bool:
    """Tell whether a part speaks of the company."""
    return WE.search(part) is not None or (own_name is not None and own_name.search(part) is not None)


def _parts(flat: str) -> Iterator[tuple[int, int, bool]]:
    """Yield `[start, end)` of what stands between commas, colons and dashes, and whether the sentence begins so."""
    lead = _LEADING.match(flat)
    low = lead.end() if lead else 0
    is_first = True
    for match in _PART_END.finditer(flat, low):
        if match.start() > low:
            yield low, match.start(), is_first
            is_first = False
        low = match.end()


@cache
def _openings(language: str) -> _Openings:
    tables = _tables()

    def words(table: str) -> str:
        return tables[table][language]

    return _Openings(
        anywhere=re.compile(rf"\b(?:{words('conditions')})"),
        at_start=re.compile(
            rf"(?:and |und |et |y |e |en )?(?:(?P<acknowledged>{words('acknowledgements')})"
            rf"|(?:{words('generalities')})(?!\w))"
        ),
        aim=re.compile(rf"(?:{words('aims')})(?!\w)"),
        people=re.compile(rf"\b(?:{words('people')})(?!\w)"),
        kind=re.compile(rf"(?:{words('kinds')})(?!\w)"),
        possession=re.compile(rf"\b(?:{words('possessions')})\b"),
    )


@cache
def _tables() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(_DATA.read_text(encoding="utf-8"))
