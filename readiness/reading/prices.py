"""Amounts of money that are asked for the thing itself, apart from fees, savings and rates."""

# lists of words are easier to compare in few lines
import re
from dataclasses import dataclass
from decimal import Decimal

from analytics.text.prices import Price, prices

PERIOD = re.compile(
    r"\s{0,2}(?:/|per|a|pro|par|al|por|p\.)?\s?(?:mo(?:nth)?|monthly|monat(?:lich)?|mtl|mois|mes|mese|maand|m[êe]s|m)\b\.?",
    re.I,
)
RATE = re.compile(
    r"\s{0,2}(?:/|per|an?|each|pro|je|par|por|al?|all['’]|p\.)\s?(?:years?|yr|annum|weeks?|wk|days?|hours?|hr|miles?|jahr|woche|tag|stunde|kilometer|an|semaine|jour|heure|km"
    r"|a[ñn]o|semana|d[íi]a|hora|anno|settimana|giorno|ora|jaar|dag|uur|rok|tydzie[ńn]|dzie[ńn]|godzin[ęa]|ano)(?!\w)"
    r"|\s{0,2}(?:yearly|annually|weekly|j[äa]hrlich|w[öo]chentlich|annuels?|anuales?|annui|jaarlijks|rocznie|tygodniowo)(?!\w)",
    re.I,
)
BEFORE_MONTHLY = re.compile(
    r"(?<!\w)(?:monthly(?:\s(?:payments?|rates?))?|per\smonth|monatlich\w{0,2}|monats?rate|mensualit[ée]|mensual(?:idad)?|cuota|rata(?:\smensile)?|maandbedrag)"
    r"[\s:]{1,3}(?:(?:from|of|only|just|ab|von|nur|d[èe]s|de|desde|da|vanaf|od)\s)?$",
    re.I,
)
MONTHLY_LABEL = re.compile(
    r"\s{0,2}(?:monthly|monatlich\w{0,2}|monats?rate)(?:\s(?:payments?|rates?))?[\s:]{1,3}(?:(?:from|of|only|just|ab|von|nur)\s)?(?:[$€£]|\d[\d.,]{0,8}\s?[€£])",
    re.I,
)
"""A word for a month that is the label of the amount behind it, as in `€38,995 Monthly payment from €220`."""
EXTRA = (
    r"(?:(?:doc|documentation|dealer|processing|admin(?:istration)?|delivery|destination|handling|filing|registration)\s)?(?:fees?|charges?)"
    r"|deposit|down(?:\spayment)?|sav(?:e|ings?)|discount|rebate|cash\sback|bonus|allowance|off|shipping|delivery|warranty|tax(?:es)?|insurance"
    r"|[üu]berf[üu]hrung(?:skosten)?|zulassung(?:skosten)?|anzahlung|kaution|rabatt|ersparnis|sie\ssparen|nachlass|pr[äa]mie|geb[üu]hr(?:en)?|versandkosten"
    r"|frais(?:\sde\s\w{1,20})?|acompte|remise|[ée]conomi(?:e|sez)|caution|apport|carte\sgrise"
    r"|gastos(?:\sde\s\w{1,20})?|entrada|descuento|ahorr[ae]|fianza|spese(?:\sdi\s\w{1,20})?|anticipo|sconto|risparmi[ao]?|caparra"
    r"|kosten|aanbetaling|korting|bespaar|afleverkosten|op[łl]ata|zaliczka|rabat|wp[łl]ata|taxa|desconto|sinal"
)
LABELLED_EXTRA = (
    r"registration|title|tags|plates|road\stax|freight|set-?up|prep(?:aration)?|installation|(?:kfz-)?steuer|bereitstellung(?:skosten)?|schlussrate"
    r"|immatriculation|mise\s[àa]\sdisposition|malus|matriculaci[óo]n|transferencia|transporte|gestor[íi]a|immatricolazione|passaggio(?:\sdi\spropriet[àa])?"
    r"|messa\ssu\sstrada|bollo|maxirata|leges|rijklaar(?:maken|\s?pakket)|aflever\w{0,12}|tenaamstelling|wegenbelasting|slottermijn|rejestracja|dostawa|ubezpieczenie"
)
"""What names the amount after it; behind one, as in `16.900 € bollo escluso`, it is what the price leaves out."""
MILEAGE_LABEL = (
    r"mileage|odometer|kilometerstand|km[- ]stand|laufleistung|kilom[ée]trage|kilometraje|chilometraggio"
    r"|tachograaf|przebieg|quilometragem"
)
BEFORE = re.compile(
    rf"(?<!\w)(?:{EXTRA}|{LABELLED_EXTRA}|{MILEAGE_LABEL})(?:[\s:=(~*-]{{1,3}}(?:of|up|to|an?|the|from|is|only|von|bis|zu|de|des|di|da|van|vanaf|tot|od|ab|est|ist|d[èe]s|desde|dal?)(?!\w)){{0,2}}[\s:=(~*+-]{{0,3}}$",
    re.I,
)
INCLUSIVE = re.compile(
    r"(?<!\w)(?:incl\w{0,8}|inkl\w{0,8}|no|without|zero|all|ohne|sans|sin|senza|zonder|bez)(?!\w)", re.I
)
AFTER = re.compile(
    rf"[\s)*]{{0,2}}(?:(?:dealer|doc\w{{0,12}}|instant|minimum|refundable|customer|cash)\s){{0,2}}(?:{EXTRA}|(?:an|in|de|di)\s(?:{EXTRA}))(?![\w-])(?P<rest>[^\n]{{0,20}})",
    re.I,
)
NEXT_AMOUNT = re.compile(
    r"[^\d$€£]{0,3}[\d$€£]"
    r"|[\s:=(~*+-]{0,3}(?:(?:payment|from|of|only|just|ab|von|nur|d[èe]s|de|desde|da|vanaf|od)\s){1,2}[\d$€£]",
    re.I,
)
LOOK_BACK, LOOK_AHEAD = 60, 60
WEIGHT = re.compile(r"pounds?$", re.I)
"""A pound on the page of a vehicle is a weight."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A price as written from `start` on, its value, and whether it is paid per month, or per year, day or hour."""

    start: int
    written: str
    value: Decimal
    currency: str
    monthly: bool
    rate: bool


def amounts(text: str) -> tuple[Amount, ...]:
    """Every amount above zero that carries a currency and is no fee, deposit or saving, in order of appearance."""
    found: list[Amount] = []
    for price in prices(text):
        written = text[price.start : price.end]
        if price.amount > 0 and not WEIGHT.search(written) and not _is_extra(text, price):
            is_rate = bool(RATE.match(text, price.end))
            found.append(
                Amount(price.start, written, price.amount, price.currency, _is_monthly(text, price), is_rate)
            )
    return tuple(found)


def _is_monthly(text: str, price: Price) -> bool:
    if BEFORE_MONTHLY.search(text[max(0, price.start - LOOK_BACK) : price.start]):
        return True
    return bool(PERIOD.match(text, price.end)) and not MONTHLY_LABEL.match(text, price.end)


def _is_extra(text: str, price: Price) -> bool:
    """Whether the words beside an amount say that it is not the price: a label before it, or a noun after it.

    A noun that an amount follows again is the label of that one: `$18,400 Documentation fee $299`.
    """
    before = text[max(0, price.start - LOOK_BACK) : price.start]
    labelled = BEFORE.search(before)
    if labelled and not INCLUSIVE.search(before[: labelled.end()][-30:]):
        return True
    noun = AFTER.match(text[price.end : price.end + LOOK_AHEAD])
    return noun is not None and not NEXT_AMOUNT.match(noun["rest"])
