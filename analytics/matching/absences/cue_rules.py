"""Tells from the row of cue words around a name whether a sentence says that nothing is known of it."""

import re
from functools import cache
from typing import Final, NamedTuple

from analytics.matching.absences.cue_words import OTHER_NAME, WORD, CueLexicon, signs

_TARGET: Final = "\u25c6"
_LONGEST: Final = 40
"""Signs on each side of a name that are looked at."""


def _any(*kinds: str) -> str:
    """The signs of words that can be of one of these kinds."""
    return "".join(sign for of, sign in signs().items() if not of.isdisjoint(kinds))


def _one(*kinds: str) -> str:
    return f"[{_any(*kinds)}]"


class DenialRules(NamedTuple):
    """Rows that deny a name: by what stands before it, by what follows it, and by what follows a topic (`as for`).

    `after_verb_last` and `before_verb_last` hold what else denies where the verb comes last. `denial` finds any denying
    word. Every repetition is bounded.
    """

    denial: re.Pattern[str]
    before: re.Pattern[str]
    after: re.Pattern[str]
    topic: re.Pattern[str]
    after_verb_last: re.Pattern[str]
    before_verb_last: re.Pattern[str]


@cache
def denial_rules() -> DenialRules:
    """Return the rules as expressions over rows; compiled at first use."""
    denies = f"(?<!{_one('other')}){_one('not')}"
    lacks, finds = _one("lacks"), _one("finds")
    evidence, about, source = _one("evidence"), _one("about"), _one("source")
    listed, known, named = _one("listed"), _one("known"), _one("named")
    kind = _one("kind")
    gap = f"[^.:{OTHER_NAME}{_TARGET}{_any('other', 'but')}]"
    aside = f"[^.:{_TARGET}{_any('other', 'but')}]"
    tight = f"[^.,:{OTHER_NAME}{_TARGET}{_any('other', 'but')}]"
    plain = f"(?![^.:]{{0,3}}{_one('other')})"
    leading = _any("about", "of", "named")
    closes = f"(?=$|[.,:{_any('but', 'about', 'of', 'source', 'joins')}])"
    target = f"(?:{_TARGET}|(?:{OTHER_NAME}(?:,|{_one('joins')}){{1,2}}){{1,8}}{_TARGET}{closes})"
    called = f"(?:[{leading}{_any('joins')}]|{WORD}{{0,3}}{kind}){{0,4}}"
    topic = f"(?:[{leading}]{called}|{about}{WORD}?){target}"
    direct = f"(?:[{_any('of', 'named')}]|{WORD}{{0,2}}{kind}){{0,4}}{target}"
    ends = f"(?=$|[.,:{_any('finds', 'listed', 'known', 'lacks', 'about', 'of', 'source', 'joins', 'but')}])"
    start = "(?:^|[.,:])"
    before = (
        f"{denies}{gap}{{0,6}}{evidence}{gap}{{0,8}}?{topic}{plain}",
        f"{evidence}{gap}{{0,4}}{denies}{gap}{{0,5}}?{topic}",
        f"{denies}{gap}{{0,3}}{finds}{gap}{{0,2}}{topic}{plain}",
        f"{denies}{gap}{{0,3}}{finds}{evidence}?{direct}{plain}",
        f"{source}{gap}{{0,6}}{denies}{gap}{{0,2}}[{_any('lists', 'listed', 'finds')}]{evidence}?(?:{topic}|{direct})",
        f"{denies}{WORD}{{0,2}}{source}{gap}{{0,6}}{denies}?[{_any('lists', 'listed')}]{evidence}?(?:{topic}|{direct})",
        f"{denies}{gap}{{0,8}}?{named}[{leading}{_any('kind')}]{{0,3}}{target}",
        f"{lacks}{gap}{{0,2}}(?:{topic}|{direct})",
        f"{denies}{gap}?[{_any('listed', 'known')}]{evidence}?{direct}{aside}{{0,4}}{source}",
        f"{denies}(?:{OTHER_NAME},?{_one('joins')}{{1,2}}){{0,4}}{_TARGET}(?:,?{_one('joins')}{{1,2}}{OTHER_NAME}){{0,4}}"
        f"(?<={_one('joins')}[{OTHER_NAME}{_TARGET}]){listed}(?=$|[.,]|{tight}?{source})",
    )
    after = (
        f"{_TARGET}{aside}{{0,6}}{denies}{tight}{{0,4}}{listed}{tight}{{0,5}}{source}",
        f"{_TARGET}{aside}{{0,6}}{denies}{tight}?{listed}(?=$|[.,])",
        f"{_TARGET}{aside}{{0,6}}{denies}{tight}{{0,4}}{source}{tight}{{0,4}}{denies}?{listed}",
        f"{_TARGET}{aside}{{0,4}}{listed}{tight}{{0,3}}{denies}{tight}{{0,3}}{source}",
        f"{_TARGET}[{_any('named', 'kind', 'source')}{WORD},]{{0,4}}{denies}{tight}{{0,2}}{known}(?![{_any('about', 'of', 'other')}])",
        f"{_TARGET}[{_any('named', 'kind')}{WORD},]{{0,2}}{known}{denies}",
        f"{_TARGET}[{_any('named', 'kind')}{WORD},]{{0,3}}{lacks}(?=$|[.,])",
        f"{_TARGET}:[,:{_any('but', 'joins')}]{{0,4}}(?:{denies}{tight}{{0,5}}(?:{evidence}|[{_any('finds', 'listed', 'known')}]{ends}){plain}|{lacks}|{evidence}{gap}{{0,4}}[{_any('not', 'lacks')}])",
    )
    topical = (
        f"{evidence}{gap}{{0,2}}{topic}{aside}{{0,4}}{denies}(?=$|[.,])",
        f"{finds}{gap}{{0,3}}{evidence}{gap}{{0,3}}{topic}{aside}{{0,4}}{denies}",
        f"{evidence}{gap}{{0,2}}{topic}(?:,{tight}{{1,3}},)?{tight}{{0,4}}{denies}{gap}{{0,3}}[{_any('finds', 'listed')}]",
        f"{source}[{_any('of', 'about')}]{direct}{aside}{{0,4}}{denies}{gap}{{0,4}}[{_any('evidence', 'kind', 'listed')}]{plain}",
        f"{listed}{gap}{{0,3}}{source}{gap}{{0,3}}[.,:][,{_any('but', 'joins')}]{{0,2}}{_TARGET}{denies}(?=$|[.,])",
        f"{start}[{WORD},]{{0,3}}{about}{direct}{aside}{{0,6}}(?:{denies}{gap}{{0,6}}[{_any('finds', 'evidence')}]{plain}|{lacks})",
        f"{start}[{WORD},]{{0,3}}{_one('of')}{direct}{aside}{{0,6}}{denies}{gap}{{0,4}}(?:{finds}{gap}{{0,4}}{evidence}|{evidence}{gap}{{0,4}}{finds}){plain}",
    )
    loose = f"[{_any('named', 'kind', 'of', 'about')}]{{0,4}}(?:{WORD}{{0,3}}{kind}[{_any('named', 'kind', 'of', 'about')}]{{0,3}})?"
    missing = f"[{_any('not', 'lacks')}]"
    after_verb_last = (
        f"{_TARGET}{loose}{about}{gap}{{0,6}}{lacks}",
        f"{_TARGET}{loose}{lacks}",
        f"{_TARGET}{loose}{denies}?[{_any('listed', 'finds', 'known', 'evidence')}]{gap}{{0,5}}{missing}",
        f"{_TARGET}{loose}{about}{gap}{{0,5}}[{_any('finds', 'evidence')}]{gap}{{0,3}}{missing}",
        f"{_TARGET}{loose}{gap}{{0,3}}{source}{gap}{{0,4}}(?:[{_any('listed', 'finds', 'evidence')}]{gap}{{0,3}}{missing}|{lacks})",
        f"{_TARGET}[{_any('of')}]{{0,2}}{named}[{_any('named', 'of')}]{{0,3}}{WORD}{{0,2}}{kind}{_one('of')}{{0,2}}{missing}",
        f"{_TARGET}{loose}{gap}{{0,2}}{denies}{finds}",
        f"{_TARGET}{loose}{source}{_one('of')}?{missing}(?=$|[.])",
    )
    before_verb_last = (
        f"{source}{gap}{{0,5}}{denies}?{gap}{{0,2}}{_TARGET}{loose}(?:{lacks}|[{_any('listed', 'finds', 'evidence')}]{gap}{{0,2}}{missing})",
    )
    return DenialRules(
        re.compile(missing),
        *(
            re.compile("|".join(rules))
            for rules in (before, after, topical, after_verb_last, before_verb_last)
        ),
    )


def denies(lexicon: CueLexicon, row: str, place: int) -> bool:
    """Whether a row of a sentence says that nothing is known of the name at this place among its names."""
    at = -1
    for _ in range(place + 1):
        at = row.find(OTHER_NAME, at + 1)
        if at < 0:
            return False
    first = max(0, at - _LONGEST)
    rules = denial_rules()
    around = row[first:at] + _TARGET + row[at + 1 : at + 1 + _LONGEST]
    at -= first
    if rules.denial.search(around, at):
        if rules.after.match(around, at) or rules.topic.search(around):
            return True
        if lexicon.verb_last and (
            rules.after_verb_last.match(around, at) or rules.before_verb_last.search(around)
        ):
            return True
    return rules.denial.search(around, 0, at) is not None and rules.before.search(around) is not None
