"""Detects an ambiguous name in a ranking context: after `Runner-up:`, before `takes third`."""

import re
from typing import Final

from analytics.text.folding import fold

_LONGEST_LABEL: Final = 48
_MOST_WORDS: Final = 6
_LABELED = re.compile(r"(?P<label>[^:：\n]{2,60}?)[*_ ]{0,4}[:：][*_ \"“'\[]{0,6}\Z")
_SENTENCE_START = re.compile(r"[.!?;] ")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_AWARDS_TEXT = """
pick choice runner-up runner winner overall value budget favorite favourite alternative mention place
recommendation second third first fourth fifth best gold silver bronze upgrade all-rounder
testsieger preistipp preissieger sieger empfehlung platz geheimtipp favorit zweiter dritter erster wahl
ganador ganadora opcion mejor segundo tercero primero puesto alternativa favorita favorito
gagnant gagnante choix meilleur meilleure deuxieme troisieme premier favori
vincitore vincitrice scelta migliore secondo terzo primo posto
vencedor vencedora escolha melhor terceiro primeiro lugar winnaar keuze keus beste tweede derde eerste plaats
zwyciezca wybor pierwsze drugie trzecie miejsce kazanan tercih birinci ikinci ucuncu sira
победитель выбор лучший второе третье первое место
"""
_AWARDS = frozenset(_AWARDS_TEXT.split())
_BESIDE_AWARDS_TEXT = """
our my the a top most people beginners teams small businesses families everyone professionals for also great
honorable honourable editor's editors editors' number no premium cheap cheapest safest easiest luxury splurge
step-up up close very mein meine unser unsere der die das nummer mi la el nuestra nuestro economica barata mon
ma notre le numero mia il minha o mijn onze de goedkoopste 1 2 3 4 5 one two three
"""
_BESIDE_AWARDS = frozenset(_BESIDE_AWARDS_TEXT.split())
_NTH: Final = (
    r"(?:first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th)"
    r"(?= (?:place|spot|position|overall|on|in|for|because|with|thanks|and|by|mostly|due|among|here)\b|[.,;:)]|\s*\Z)"
)
_TAKES: Final = (
    r"(?:takes?|took|comes?|came|finish(?:es|ed)?|places?|placed|ranks?|ranked|lands?|landed|sits|gets|earns|earned"
    r"|claims|wins|won|slots|rounds|follows|is|was|would be|would come)"
)
_TAKES_PLACE = re.compile(
    rf"[*_\"”]{{0,4}}(?:,? (?:which|who) \w{{1,12}} [^,.;\n]{{1,40}},)? {_TAKES}"
    r"(?: (?:in|at|into|as|a|an|the|my|our|close|distant|solid|clear|overall|right|just)){0,3} "
    rf"(?:{_NTH}|number (?:one|two|three|\d)|#\d|runner-?up|the top (?:spot|pick)|gold|silver|bronze"
    r"|out (?:the|my|our) (?:top|list))",
    re.IGNORECASE,
)
"""Says that the preceding name takes a place."""
_ARABIC_PLACE = re.compile(
    r"(?:المرتبه|المركز|المكان|المقام|الخيار|خياري)"
    r" ال(?:اول|اولي|ثاني|ثانيه|ثالث|ثالثه|رابع|رابعه|خامس|خامسه|اخير|اخيره)"
    r"[,،:]?(?: (?:هو|هي|فهو|فهي|ياتي|تاتي|نجد|يحل|تحل|كان|كانت|سيكون)){0,2} ?[\"“«]?\Z"
    r"|(?:يليه|تليه|يليها|تليها|ثم ياتي|ثم تاتي)[,،]? ?[\"“«]?\Z"
)


_ARABIC_PLACE_AHEAD = re.compile(
    r"[\"”»]? (?:في |ب)?(?:المرتبة|المركز|المكان|المقام) ال(?:[أا]ول|ثاني|ثالث|رابع|خامس|[أا]خير)"
)


def is_ranked(text: str, start: int, end: int) -> bool:
    """Return whether the name at `[start, end)` of a text follows an award or rank label, or takes a place."""
    if _TAKES_PLACE.match(text, end):
        return True
    line = text[text.rfind("\n", 0, start) + 1 : start][-2 * _LONGEST_LABEL :]
    if line.isascii() or not _has_arabic(line):
        return _is_award(line)
    return (
        _ARABIC_PLACE.search(fold(line).text) is not None or _ARABIC_PLACE_AHEAD.match(text, end) is not None
    )


def _has_arabic(line: str) -> bool:
    return any("\u0620" <= letter <= "\u064a" for letter in line[-3:])


def _is_award(line: str) -> bool:
    """Return whether the text before a name in its line ends with a label made only of rank and award words."""
    labeled = _LABELED.search(line)
    if labeled is None:
        return False
    label = _SENTENCE_START.split(labeled["label"])[-1]
    words = _WORD.findall(fold(label).text)
    known = all(word in _AWARDS or word in _BESIDE_AWARDS for word in words)
    return known and len(words) <= _MOST_WORDS and not _AWARDS.isdisjoint(words)
