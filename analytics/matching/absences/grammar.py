"""The form in which a language says that nothing is known of a name; phrases are expressions over folded text."""

import re
from dataclasses import dataclass

from analytics.text.folding import fold
from analytics.text.scripts import is_mark

NAME = "\u25c6"
"""Stands in the text for another name, so that a list of names is denied as a whole."""
LINE_BREAK = "\u23ce"
"""Stands for a line break after the name, which folding would make a space."""
_OPENING = r"""[ "'“”„«»‹›(\[:*]{0,4}"""
_CLOSING = r"""["'“”»›)\]*]{0,4}"""


@dataclass(frozen=True, slots=True)
class AbsenceGrammar:
    """How one language denies knowledge of a name.

    `triggers`: one of them stands in every sentence that denies. `before` ends right before the name, `after` starts
    right after it; `fill` are words that may stand between. `nothing` is a whole remark such as "no results found",
    which follows a name and a dash, a colon or a line break, or a clause that `lead`s to the name ("as for").
    An `opening` denies a name with an `ending` after it ("nothing about X came up"); an `aside` ("on the other hand") may
    stand between a name and what starts right after it.
    `hedge` are words of a sentence that only speculates.
    """

    language: str
    triggers: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    nothing: str
    lead: str = "(?!)"
    fill: str = "(?!)"
    listing: str = "(?!)"
    hedge: str = "(?!)"
    aside: str = "(?!)"
    opening: str = "(?!)"
    ending: str = "(?!)"
    spaced: bool = True


class CompiledGrammar:
    """The expressions of a grammar. Every repetition in them is bounded, so that time grows with the text only."""

    def __init__(self, grammar: AbsenceGrammar) -> None:
        space = " " if grammar.spaced else " ?"
        listing = rf"(?:{NAME}(?:{space}(?:{grammar.listing})|,(?: (?:{grammar.listing}))?){space}?){{0,8}}"
        fill = rf"(?:{space}(?:{grammar.fill})){{0,6}}"
        before = "|".join(grammar.before) or "(?!)"
        edge = r"(?<!\w)" if grammar.spaced else ""
        self.before = _compiled(rf"{edge}(?:{before}){fill}{_OPENING}{listing}{_OPENING}\Z")
        self.opening = _compiled(rf"{edge}(?:{grammar.opening}){fill}{_OPENING}{listing}{_OPENING}\Z")
        self.ending = _compiled(rf"{_CLOSING}(?:{grammar.ending})")
        self.after = _compiled(
            rf"{_CLOSING}(?:,? (?:{grammar.aside}),?)?(?:{'|'.join(grammar.after) or '(?!)'})"
        )
        self.remark = _compiled(
            rf"{_CLOSING}(?: ?[-:;–—(?,]{{1,3}}{_CLOSING}(?: ?[-*])?|\n[-* ]{{0,4}}) ?{_CLOSING}(?:{grammar.nothing})"
        )
        self.lead = _compiled(rf"{edge}(?:{grammar.lead}){fill}{_OPENING}\Z")
        self.denial = _compiled(rf"[^;.!?。！？।]{{0,60}}?{edge}(?:{grammar.nothing})")
        self.next_denial = _compiled(
            rf"[^;.!?。！？।]{{0,60}}[.!?。！？।…]{{1,3}}[ \n]{{0,3}}[^;.!?。！？।]{{0,40}}?{edge}(?:{grammar.nothing})"
        )
        end = r"(?!\w)" if grammar.spaced else ""
        self.hedge = _compiled(rf"{edge}(?:{grammar.hedge}){end}|[?？]")


def _compiled(pattern: str) -> re.Pattern[str]:
    folded = "".join(_folded(char) if char > "\x7f" else char for char in pattern)
    return re.compile(folded.replace(r"\n", LINE_BREAK))


def _folded(char: str) -> str:
    """A letter or mark of a phrase as folding writes it in a text; signs of the expression stay."""
    if not (char.isalpha() or is_mark(char)):
        return char
    return fold(f"\u0915{char}").text[1:] if is_mark(char) else fold(char).text
