"""Finds whom a sentence of thanks, regret or greeting speaks to: the writer of a review, by name."""

import re
from typing import Final

from analytics.grounding.flattening import flatten

_GREETING: Final = (
    r"thank you|thanks|dear|hi|hello|liebe[r]?|danke|dank|hallo|merci|chere?|bonjour|gracias|hola|estimad[oa]"
    r"|querid[oa]|grazie|car[oa]|gentile|ciao|beste|bedankt|dank u|dag"
)
_GREETED: Final = re.compile(
    rf"\b(?:{_GREETING})(?: (?:so much|very much|again|mille|beaucoup))?,?"
    r" (?:(?:mr|mrs|ms|herr|frau|monsieur|madame|senora?|signora?|mevrouw|meneer)\.? )?"
    r"(?P<named>[^\W\d_]+(?:[ -][^\W\d_]+)?)(?=[,.!:])"
)
_FEELS: Final = re.compile(
    r"\b(?:thank\w*(?! to\b)|sorry|apologi\w+|regret\w*|glad|happy|pleased|delighted|dank(?:e|en|t"
    r"|bar)?(?! (?:unser|de[mrns]\b|eine))|bedank\w*|leid|bedauern|freu\w+"
    r"|entschuldig\w+|merci|remerci\w+|desole\w*|navre\w*|ravi\w*|heureu\w+|gracias(?! al?\b)|agrade\w+"
    r"|lament\w+|sentimos|alegra\w*"
    r"|encantad\w*|grazie(?! a\w{0,3}\b)|ringrazi\w+|dispiace|spiacent\w|felic\w+|liet\w|spijt|jammer|blij|fijn)\b"
)
"""What tells a sentence of thanks or regret from one that lists names."""
_OPENING: Final = 24
"""Characters at the beginning of a sentence within which it says what it is."""
_BETWEEN: Final = re.compile(
    r", (?P<named>[A-ZÀ-ÖØ-Þ][^\W\d_A-Z]+(?:-[A-ZÀ-ÖØ-Þ][^\W\d_A-Z]+)?(?: [A-ZÀ-ÖØ-Þ][^\W\d_A-Z]+)?)"
    r"(?=\s?[!,;:]|\.\s{0,9}\Z)"
)
_OURS: Final = re.compile(
    r"\b(?:our|my|unser\w{0,2}|mein\w{0,2}|notre|nos|mon|ma|nuestr[oa]s?|mi|nostr[oaie]|mi[oa]|onze?|ons|mijn)"
    r" (?:[^\W\d_]{1,30} )?[^\W\d_]{1,30}\Z"
)
_NOUN: Final = re.compile(
    rf"{_OURS.pattern}|\b(?:an?|the|der|die|das|dem|den|eine?[mnr]?|le|la|un|une|el|il|lo|una|de|het|een)"
    r" (?:[^\W\d_]{1,30} )?[^\W\d_]{1,30}\Z"
)
"""Who is named again by the name behind the comma: our coach, Priya."""
_GOES_ON: Final = re.compile(
    r"\s?,(?! (?:and|but|we|for|that|und|aber|wir|fur|dass|et|mais|nous|pour|que|y|pero|por|e|ma|per|che"
    r"|en|maar|wij|voor|dat)\b)"
)
_LONGEST_NOUN: Final = 72
_READER: Final = re.compile(
    r"\b(?:you|your|yourself|sie|ihr\w{0,2}|ihnen|du|dein\w{0,2}|dir|vous|votre|vos|tu|te|sus?|le|usted\w*|tu|vi|vostr\w|lei"
    r"|u|uw|je|jouw)\b"
)


def addressees(text: str) -> list[tuple[int, int]]:
    """Return `[start, end)` of the names by which a sentence speaks to somebody: behind a greeting, between commas."""
    flat = flatten(text)
    spans = [match.span("named") for match in _GREETED.finditer(flat) if text[match.start("named")].isupper()]
    if _FEELS.search(flat) is None or (
        _READER.search(flat) is None and _FEELS.search(flat, 0, _OPENING) is None
    ):
        return spans
    is_formula = _FEELS.search(flat, 0, _OPENING) is not None
    between: list[tuple[int, int]] = []
    for match in _BETWEEN.finditer(text):
        # What goes on behind the name may say something of whom it names: the cook, Ingvild, is back.
        names_again = _NOUN if not is_formula or _GOES_ON.match(flat, match.end()) else _OURS
        if names_again.search(flat, max(0, match.start() - _LONGEST_NOUN), match.start()) is None:
            between.append(match.span("named"))
    # A row of names is a list, of which a writer is no part.
    return spans + (between if len(between) == 1 else [])
