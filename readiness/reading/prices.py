"""Amounts of money in running text: what is asked for the thing itself, apart from fees, savings and rates."""

# lists of words are easier to compare in few lines
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

SUM = r"\d{1,3}(?:[.,’' \u00a0\u202f]\d{3}){1,3}(?:[.,]\d{2})?(?!\d)|\d{1,12}(?:[.,]\d{2})?(?!\d)"
# What people write before an amount belongs to the next figure: `45,210 $299` is one amount of 299, `2021 CHF 28’900`
# one of 28,900.
PRICE = re.compile(
    rf"(?:US\$|C\$|R\$|[$€£]|\b(?:USD|EUR|GBP|CHF|PLN|CAD|BRL|Fr\.|SFr\.?))\s?(?P<after>{SUM})"
    rf"|(?<![\d.,])(?P<before>{SUM})(?:[,.][-–—]{{1,2}})?\s?(?:€(?!\d)|(?:[£$]|(?:USD|GBP|CHF|CAD)\b)(?!\s?\d)|(?:EUR|[Ee]uros?|zł|PLN|BRL)\b)"
    r"|(?<![\d.,])(?P<cents>\d{1,6}€\d{2})(?![\d.,]\d|\d)"  # `15€50`, as French till receipts have it
)
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


@dataclass(frozen=True, slots=True)
class Amount:
    """A price as written from `start` on, its value, and whether it is paid per month, or per year, day or hour."""

    start: int
    written: str
    value: Decimal
    monthly: bool
    rate: bool


def amounts(text: str) -> tuple[Amount, ...]:
    """Every amount above zero that carries a currency and is no fee, deposit or saving, in order of appearance."""
    prices: list[Amount] = []
    for match in PRICE.finditer(text):
        value = number(match["after"] or match["before"] or match["cents"].replace("€", "."))
        if value is not None and value > 0 and not _is_extra(text, match):
            monthly, rate = (bool(unit.match(text, match.end())) for unit in (PERIOD, RATE))
            prices.append(Amount(match.start(), match[0], value, monthly, rate))
    return tuple(prices)


def _is_extra(text: str, match: re.Match[str]) -> bool:
    """Whether the words beside an amount say that it is not the price: a label before it, or a noun after it.

    A noun that an amount follows again is the label of that one: `$18,400 Documentation fee $299`.
    """
    before = text[max(0, match.start() - LOOK_BACK) : match.start()]
    labelled = BEFORE.search(before)
    if labelled and not INCLUSIVE.search(before[: labelled.end()][-30:]):
        return True
    noun = AFTER.match(text[match.end() : match.end() + LOOK_AHEAD])
    return noun is not None and not NEXT_AMOUNT.match(noun["rest"])


def number(text: str) -> Decimal | None:
    """The number a person means by `24,990.00`, `24.990,00`, `24 990` or `24990.0`; None when it is none.

    A lone separator groups thousands only where one to three digits stand before it and three after.
    """
    plain = re.sub(r"[ \u00a0\u202f’']|[.,][-–—]{1,2}$", "", text)
    parts = re.split(r"[.,]", plain) if len(plain) <= 40 else []
    if not parts or not all(part.isascii() and part.isdigit() for part in parts):
        return None
    *wholes, last = parts
    is_fraction = bool(wholes) and (len(last) != 3 or (len(wholes) == 1 and not 0 < len(wholes[0]) <= 3))
    try:
        return Decimal(f"{''.join(wholes)}.{last}" if is_fraction else "".join(parts))
    except InvalidOperation:
        return None
