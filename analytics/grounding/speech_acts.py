"""Tells which parts of a sentence claim something: questions, requests, advice and wishes claim nothing."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from analytics.grounding.facts import words_of
from analytics.grounding.flattening import flatten

Span = tuple[int, int]

WE = re.compile(
    r"\b(?:we|us|wir|uns|nous|nosotros|\w{2,20}(?:amos|emos|imos)|somos|noi|\w{2,20}iamo|wij|we|ons)\b"
    r"|\b(?:our|ours|unser\w{0,2}|notre|nos|nuestr[oa]s?|nostr[oaie]|ons|onze)\b"
)
OUR = re.compile(r"\b(?:our|unser\w{0,2}|notre|nos|nuestr[oa]s?|nostr[oaie]|ons|onze)\s")
OF_A_KIND = re.compile(r"\W{0,9}(?:(?:an?|eine?[mnrs]?|une?|un[oa]?|een)\s|un')")
"""What begins a sentence about any thing of a kind."""
_LEADING = re.compile(r"[\s#*>\"'“”«»¿¡(\[–—•-]*(?:\d{1,2}[.)]\s+)?")
_COURTESY = re.compile(
    r"\b(?:(?:would|'d|will|'ll|shall)? ?(?:love|like|be happy|be glad|be delighted|be pleased) to"
    r"|(?:come|get) back to you|back in touch|look(?:ing)? forward|wieder bei ihnen|melden uns|at your disposal"
    r"|n'hesitez pas|a bientot|sin compromiso|non esiti|aarzel niet|tot ziens|bis bald|auf wiedersehen"
    r"|do our best|you drive|sie fahren|vous conduisez|usted conduce|conduces|guidi|u rijdt"
    r"|delivered with|geliefert mit|livre\w* avec|entrega\w* con|consegna\w* con|geleverd met"
    r"|there is (?:plenty of |enough )?room (?:to|for)"
    r"|sin (?:miedo|problemas?)|ohne (?:sorgen?|weiteres)|senza (?:problemi|timore)|sans (?:souci|crainte)"
    r"|zonder zorgen|without (?:worry|fear|trouble)"
    r"|pas (?:de )?loin|not far|nicht weit|no (?:esta |queda )?lejos|non lontan\w|niet ver"
    r"|(?:on|to) the table|auf (?:dem|den) tisch|(?:sur la|a) table|(?:en|a) la mesa|in tavola|op tafel"
    r"|another (?:specialist|company|provider|shop|expert)|side by side|in der regel|bei einem ander\w+|bij een ander"
    r"|(?:no|without) surprises|keine (?:bosen )?uberraschungen|(?:sans|pas de) (?:mauvaises? )?surprises?"
    r"|sin sorpresas"
    r"|senza sorprese|geen verrassingen|not the right (?:people|place|address)"
    r"|natural (?:choice|fit|next step)|first step|one of (?:the|those|these|our|us)|four-legged|vierbeinig\w*"
    r"|(?:take|takes|taking|took) (?:good )?care of|(?:is |are )?in charge of|at the helm of|(?:am|an der) (?:ruder"
    r"|spitze)"
    r"|aan het roer|a la tete|al frente|alla guida|a (?:su )?cargo de|in den handen von|in the hands of|entre les mains"
    r"|en manos|nelle mani|in handen"
    r"|(?:full|whole|entire) (?=(?:hour|day|week|month|year)\b)|(?:volle|ganze)[nrs]? (?=(?:stunde|tag|woche|monat"
    r"|jahr))"
    r"|(?:pleine?|entiere?) (?=(?:heure|jour|semaine|mois|annee))|(?:entera?|complet[oa]|inter[oa]"
    r"|pien[oa])(?=\s?[.,;])"
    r"|(?:volle|hele) (?=(?:uur|dag|week|maand|jaar)\b)|fresh air|frische luft|air frais|aire fresco|aria fresca"
    r"|frisse lucht"
    r"|see you (?:again |soon|next|then)|au plaisir d(?:e (?:vous|te|t)|')\s?\w+(?:er|ir"
    r"|re)(?: (?:a nouveau|bientot|encore))?"
    r"|(?:nos|me) (?:encantar\w+|alegrar\w+) (?:volver a )?(?:ver|recibir|atender|acoger|saludar)(?:l[aeo]s?|te|os)"
    r"|(?:sara|e) (?:sempre )?un piacere (?:\w+ ){0,2}\w*(?:veder|accoglier|ospitar|aver)\w+"
    r"|tot (?:gauw|snel|spoedig|binnenkort)|(?:bis|auf) (?:demnachst|hoffentlich bald)"
    r"|wir freuen uns auf (?:sie|dich|euch)"
    r"|(?:es )?tut (?:uns|mir) (?:\w+ )?leid|het spijt (?:ons|me|mij)|(?:ci|mi) dispiace"
    r"|no problem|with pleasure|good advice|happy to|glad to|pleased to)\b"
)
_CLAUSE_END = re.compile(
    r"[,;:]\s|\s[-–—]\s| (?:and|und|et|y|e|en|but|aber|mais|pero|ma|maar) (?=(?:we|wir|nous|noi|wij)\b)"
)
TRADE: Final = frozenset(
    ("price", "discount", "order", "sell", "rent", "deliver", "free", "warranty", "tax", "extra", "insurance")
)
_MONEY = re.compile(r"[€$£]|\b(?:euros?|pounds?|francs?|franken|dollars?)\b")
_WORD_AFTER = r"(?![\w'])"
_NEVER = re.compile(r"(?!)")
_DATA: Final = files("analytics.grounding").joinpath("speech_acts.toml")


@dataclass(frozen=True, slots=True)
class _Marks:
    """What marks each kind of part in one language."""

    presupposes: re.Pattern[str]
    condition: re.Pattern[str]
    correlative: re.Pattern[str]
    reassurance: re.Pattern[str]
    consequence: re.Pattern[str]
    request: re.Pattern[str]
    enjoys: re.Pattern[str]
    advice: re.Pattern[str]
    announcement: re.Pattern[str]
    generic_subject: re.Pattern[str]
    generic_mark: re.Pattern[str]
    tie: re.Pattern[str]


def claim_spans(flat: str, own_name: re.Pattern[str] | None, language: str) -> list[Span]:
    """Return `[start, end)` of the parts of a flat sentence that may claim something of the company or the world."""
    marks = _marks(language)
    lead = _LEADING.match(flat)
    start = lead.end() if lead else 0
    text = flat[start:]
    if text.rstrip(" \n\"'”»)").endswith("?"):
        return [(start, len(flat))] if marks.presupposes.search(text) else []
    is_ours = WE.search(text) is not None or (own_name is not None and own_name.search(text) is not None)
    # What is said of anything of a kind is said of the company's too where the sentence goes on to speak of it.
    is_general = not is_ours and not is_of_trade(text, language)
    if is_general and _is_general(text, marks):
        return []
    spans: list[Span] = []
    requested = False
    for low, high in _without_conditions(text, _parts(text), marks):
        part = text[low:high]
        refers = WE.search(part) is not None or (own_name is not None and own_name.search(part) is not None)
        asks = marks.request.match(part) is not None
        if marks.enjoys.match(part):
            spans.append((low, high))
        elif asks or (requested and not refers):
            requested = True
            ours = OUR.search(part)
            if ours is not None:
                spans.append((low + ours.end(), high))
        elif not refers and (marks.advice.search(part) or (is_general and _is_general(part, marks))):
            requested = True
        elif refers or not (marks.announcement.match(part) or marks.reassurance.search(part)):
            spans.append((low, high))
        else:
            requested = True
    return [(start + low, start + high) for low, high in spans]


def asks(flat: str, language: str) -> bool:
    """Tell whether a flat text begins with a request in a language."""
    return _marks(language).request.match(flat) is not None


def without_courtesies(flat: str) -> str:
    """Return a flat sentence with blanks where it is only polite."""
    return _COURTESY.sub(lambda match: " " * len(match[0]), flat)


def _without_conditions(text: str, parts: list[Span], marks: _Marks) -> list[Span]:
    """Return the parts of a sentence without a first one that only says when the others hold."""
    if len(parts) < 2:
        return parts
    second = text[slice(*parts[1])]
    if marks.condition.match(text) or marks.consequence.match(second):
        return parts[1:]
    return parts


def is_of_trade(text: str, language: str) -> bool:
    """Tell whether a text speaks of what is bought, paid or promised: no rule of life, but an offer."""
    return _MONEY.search(text) is not None or any(word.meanings & TRADE for word in words_of(text, language))


def is_untied(text: str, language: str) -> bool:
    """Tell whether nothing ties a flat text to a company's place, its customers or its days."""
    return _marks(language).tie.search(text) is None


def _is_general(text: str, marks: _Marks) -> bool:
    """Tell whether a text states a general rule: of any thing of a kind, tied to no company, place, day or customer.

    So does one that says how much more of one thing comes of more of another.
    """
    if marks.correlative.match(text) or marks.reassurance.search(text):
        return True
    return (
        marks.generic_subject.match(text) is not None
        and (marks.generic_mark.search(text) or marks.advice.search(text)) is not None
        and marks.tie.search(text) is None
    )


@cache
def _marks(language: str) -> _Marks:
    tables = _tables()
    please = f"(?:{tables['please'][language]})?"

    def pattern(table: str, before: str = "") -> re.Pattern[str]:
        words = tables[table].get(language)
        return re.compile(rf"{before}\b(?:{words})\b") if words else _NEVER

    words = "|".join(sorted(frozenset(flatten(tables["requests"][language]).split())))
    forms = tables["forms"].get(language)
    either = "|".join(filter(None, (f"(?:{words}){_WORD_AFTER}", forms and f"(?:{forms}){_WORD_AFTER}")))
    return _Marks(
        presupposes=pattern("presupposes"),
        condition=pattern("conditions"),
        correlative=pattern("correlatives"),
        reassurance=pattern("reassurances"),
        consequence=pattern("consequences"),
        request=re.compile(rf"{please}(?:{either})"),
        enjoys=pattern("enjoys", please),
        advice=pattern("advice"),
        announcement=pattern("announcements"),
        generic_subject=pattern("generic_subjects"),
        generic_mark=pattern("generic_marks"),
        tie=pattern("ties"),
    )


@cache
def _tables() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(_DATA.read_text(encoding="utf-8"))


def _parts(text: str) -> list[Span]:
    """Return the parts of a sentence between commas, colons and dashes, blanks stripped from their beginnings."""
    parts: list[Span] = []
    low = 0
    for match in _CLAUSE_END.finditer(text):
        if match.start() > low:
            parts.append((low, match.start()))
        low = match.end()
    if low < len(text):
        parts.append((low, len(text)))
    return parts
