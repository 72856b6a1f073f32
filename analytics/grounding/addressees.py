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
    r"\b(?:thank\w*|sorry|apologi\w+|regret\w*|glad|happy|pleased|delighted|dank\w*|bedank\w*|leid|bedauern|freu\w+"
    r"|entschuldig\w+|merci|remerci\w+|desole\w*|navre\w*|ravi\w*|heureu\w+|gracias|agrade\w+|lament\w+|sentimos|alegra\w*"
    r"|encantad\w*|grazie|ringrazi\w+|dispiace|spiacent\w|felic\w+|liet\w|spijt|jammer|blij|fijn)\b"
)
"""What tells a sentence of thanks or regret from one that lists names."""
_OPENING: Final = 24
"""Characters at the beginning of a sentence within which it says what it is."""
_BETWEEN: Final = re.compile(
    r", (?P<named>[A-ZÀ-ÖØ-Þ][^\W\d_A-Z]+(?:-[A-ZÀ-ÖØ-Þ][^\W\d_A-Z]+)?(?: [A-ZÀ-ÖØ-Þ][^\W\d_A-Z]+)?)"
    r"(?=\s?[!,;:]|\.\s{0,9}\Z)"
)
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
    # A row of names is a list, of which a writer is no part.
    between = [match.span("named") for match in _BETWEEN.finditer(text)]
    return spans + (between if len(between) == 1 else [])
