"""Tells what is missing of a firm, such as its prices or hours, from the absence of the firm itself."""

import re
from typing import Final

from analytics.matching.absences.detection import LONGEST_AFTER, LONGEST_LEAD
from analytics.matching.absences.grammar import NAME

_LEAD_TO_PLACE: Final = 16
"""Characters before a name in which a preposition makes it a place."""
_PART_OF_IT = re.compile(
    r"['’]s? (?!(?:online |web |own |very |actual |supposed |alleged |claimed )?(?:existence|presence|footprint|name|identity)"
    r"|(?:official |own )?(?:web ?site|site|page|profile)(?! (?:about|on|for|regarding|of|which|that)(?!\w)))[a-z]"
    r"| (?:has|have|gives?|shows?|publishes) no(?: [a-z]{1,15}){0,2} (?:information|info|details|data) (?:about|on|regarding) [a-z]"
)
"""Follows a name of which only something is missing: `no information on Acme's prices`."""
_PARTS_OF_FIRMS = (
    "hours|opening times|prices?|pricing|price list|fees?|costs?|address|phone number|warranty|guarantee|founders?|owners?|revenue"
    "|return policy|terms|delivery times?|stock|inventory|menu|locations?|branches"
    "|offnungszeiten|preise[n]?|preisliste|adresse|telefonnummer|garantie|kosten|gebuhren|umsatz|grunder|inhaber|lieferzeiten|standorte|filialen"
    "|horaires|prix|tarifs|frais|fondateur|delais|conditions|horarios?|precios?|tarifas?|direccion|garantia|telefono|fundador|plazos"
    "|orari|prezzi|tariffe|indirizzo|garanzia|costi|fondatore|condizioni|precos?|endereco|telefone|condicoes"
    "|openingstijden|prijzen|tarieven|adres|telefoonnummer|voorwaarden|cen[ay]?|godzin[ay]?|adresu|telefonu|gwarancji"
)
_PART_OF = re.compile(
    rf"(?:(?<!\w)(?:{_PARTS_OF_FIRMS})|(?<!\w)(?:about|on|regarding|zu den|zur|zum|uber die|uber den|uber das)(?: the)?"
    r" (?!company|firm|brand|business|dealer|existence|name|firma|marke|existenz|unternehmen|betrieb|handler)[a-z]{3,20})"
    r" (?:of|at|for|from|von|bei|de|du|d'|chez|del|di|della|da|do|van|bij)(?: (?:the|der|dem|la|el))?[ \"'*_]{0,4}\Z"
)
"""Leads to a name of which only something is missing: `no information on the prices of Acme`."""
_MARKS = " \"'*_"
_LINKS = (
    *(
        "of",
        "at",
        "for",
        "from",
        "von",
        "bei",
        "de",
        "du",
        "d",
        "chez",
        "del",
        "di",
        "della",
        "da",
        "do",
        "van",
        "bij",
    ),
    *("presso", "en", "na", "no", "the", "der", "dem", "den", "la", "el", "le"),
)
"""What `_PART_OF` and `_AT_IT` find before a name ends with one of these, but for marks."""
_LONGEST_LINK: Final = 12
_AT_IT = re.compile(
    r"(?:\A|[ (,])(?:at|bei|chez|bij|presso|en|na|no)(?: (?:der|dem|den|the|la|el|le))?[ \"'*_]{1,4}\Z"
)
_ABOUT_SOMETHING = re.compile(
    r"(?<!\w)(?:information(?:en|s|i)?|informacion|informac(?:ao|oes)|informazion[ei]|informatie|infos?|angaben|daten|data|details|datos"
    r"|dados|dati|gegevens|hinweise) (?:about|on|regarding|zu|zum|zur|uber|sur|sobre|acerca|su|sul|sulla|sulle|sui|over|concernant)"
    rf"(?! (?:it|them|sie|ihn|es|elle|lui|ella|questa|diese[ns]?|{NAME}))(?!\w)"
)
"""What is missing at a place that the sentence names: `bei Acme keine Angaben zur Herkunft`."""


def lacks_a_part(folded: str, low: int, start: int, end: int, high: int) -> bool:
    """Whether the sentence `[low, high)` only says that something of the name at `[start, end)` is unknown."""
    if _PART_OF_IT.match(folded, end, high):
        return True
    lead = folded[max(low, start - _LONGEST_LINK) : start].rstrip(_MARKS)
    if not lead.endswith(_LINKS):  # as before nearly every name
        return False
    if _PART_OF.search(folded, max(low, start - LONGEST_LEAD), start):
        return True
    at_it = _AT_IT.search(folded, max(low, start - _LEAD_TO_PLACE), start)
    return (
        at_it is not None and _ABOUT_SOMETHING.search(folded, end, min(high, end + LONGEST_AFTER)) is not None
    )
