"""Checks claims of answers about a brand against its profile and repository (`accuracy/2`), to find hallucinations."""

# ruff: noqa: E501  # one line per kind keeps the lists comparable
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from typing import Literal, TypeAlias

from analytics.accuracy.values import (
    Kind,
    Value,
    address,
    costs,
    figures,
    folded,
    is_address,
    site,
    values,
)
from analytics.text.opening_hours import Opening, Spans, openings
from analytics.text.phones import phones, same_phone
from analytics.text.sentences import Sentences

VERSION = "accuracy/2"
Verdict: TypeAlias = Literal["supported", "contradicted", "unverifiable"]

_LINE = re.compile(
    r"^[ \t>*•-]{0,20}(?P<key>[^\W\d][^:\n]{1,60}?)[ \t]{0,8}:[ \t]{0,8}(?P<value>[^\n]{1,300})$",
    re.MULTILINE,
)
_KEYS_OF_KIND: Mapping[Kind, str] = {
    "phone": "phone tel telephone phone_number call telefon telefonnummer fon telefono telefoon telefoonnummer numer_telefonu telefone",
    "email": "email e-mail mail e-mail-adresse courriel correo correo_electronico posta_elettronica adres_e-mail e-mailadres",
    "site": "website site web url homepage webseite internet site_web sitio_web pagina_web sito sito_web strona strona_internetowa",
    "address": "address street street_address adresse anschrift strasse direccion indirizzo adres endereco rue calle via ulica rua straat",
    "city": "city town location ort stadt standort ville ciudad citta plaats miasto cidade",
    "hours": "hours opening_hours open business_hours offnungszeiten geoffnet horaires heures_d'ouverture horario horarios orari orario"
    " openingstijden godziny_otwarcia godziny horario_de_funcionamento",
    "founded": "founded established since founding_year gegrundet grundung grundungsjahr seit fondee fonde annee_de_creation depuis fundada"
    " fundado fundacion desde fondata fondato fondazione dal opgericht oprichting zalozona zalozono rok_zalozenia fundacao",
}  # fmt: skip
_KEYS: Mapping[str, Kind] = {
    key.replace("_", " "): kind for kind, keys in _KEYS_OF_KIND.items() for key in keys.split()
}
_LISTS = frozenset(("services", "service", "makes", "brands", "products"))
_YEAR = re.compile(r"\b(?:1[6-9]|20)\d\d\b")
_WORD = re.compile(r"\w+")
_SMALL = frozenset(("a", "an", "the", "of", "for", "and", "per", "from"))
_ABOUT = frozenset(
    ("about", "over", "up", "to", "at", "least", "ca", "ab", "bis", "uber", "mindestens", "env", "plus")
)
_FEWEST_ADDRESS_WORDS = 3
_NOT = re.compile(r"\b(?:not|no|never|n't|without)\b|n['’]t\b", re.IGNORECASE)
_LONGEST_QUOTE = 300
KEPT_PAGES = 512
"""Texts of brands whose facts are kept: they are read for each measurement, and seldom change."""
EXCLUSIVE: frozenset[Kind] = frozenset(
    ("phone", "site", "address", "city", "hours", "founded", "price", "figure")
)
"""Kinds of which one value can be true; of these a claim that equals none of the facts is wrong."""


@dataclass(frozen=True, slots=True)
class FactMaterial:
    """A text of the brand; `source` says where, for example an item's id."""

    text: str
    source: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is so. `subject` is what a price, a figure or a listed name is about; folded."""

    kind: Kind
    value: str | int | tuple[Decimal, str] | Opening
    quote: str
    source: str
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that a brand says of itself, by kind; its week is closed on every day it does not name."""

    all: tuple[Fact, ...]
    week: Mapping[int, tuple[Spans, Fact]] = field(default_factory=dict[int, tuple[Spans, Fact]])

    def of(self, kind: Kind, subject: str = "") -> list[Fact]:
        """Return the facts of a kind, about one subject if it is given."""
        return [fact for fact in self.all if fact.kind == kind and (not subject or fact.subject == subject)]


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim with its verdict and both texts; `fact` is what it was held against, None for an unverifiable one."""

    kind: Kind
    verdict: Verdict
    claim: str
    fact: Fact | None
    at: int


@lru_cache(maxsize=KEPT_PAGES)
def page_facts(page: FactMaterial) -> tuple[Fact, ...]:
    """Read the facts of one text."""
    return (*line_facts(page), *prose_facts(page))


def facts_of(material: Iterable[FactMaterial], sites: Sequence[str] = ()) -> Facts:
    """Read facts: sites of the profile, `Key: value` lines, and values that their form identifies."""
    facts = [
        Fact("site", domain, stated_site, "profile")
        for stated_site in sites
        if (domain := site(stated_site)) is not None
    ]
    for page in material:
        facts += page_facts(page)
    distinct = {(fact.kind, fact.subject, str(fact.value)): fact for fact in reversed(facts)}
    ordered = tuple(reversed(distinct.values()))
    return Facts(ordered, week_of(ordered))


def line_facts(material: FactMaterial) -> Iterator[Fact]:
    """Yield the facts of `Key: value` lines."""
    for line in _LINE.finditer(material.text):
        key, value, quote = folded(line["key"]), line["value"].strip(), line[0].strip()[:_LONGEST_QUOTE]
        kind = _KEYS.get(key)
        if key in _LISTS:
            for name in re.split(r"[,;]| and ", value):
                if words_of(name):
                    yield Fact("named", folded(name), quote, material.source, folded(name))
        elif kind == "hours":
            for opening in openings(value, cued=True):
                yield Fact("hours", opening, quote, material.source)
        elif kind is not None:
            read = keyed_value(kind, value)
            if read is not None:
                yield Fact(kind, read, quote, material.source)
        else:
            yield from measured_facts(key, value, quote, material.source)


def keyed_value(kind: Kind, value: str) -> str | int | None:
    """Read the value of a line whose key says what it is."""
    if kind == "phone":
        return next((phone.digits for phone in phones(value, cued=True)), None)
    if kind == "founded":
        year = _YEAR.search(value)
        return int(year[0]) if year else None
    if kind == "site":
        return site(value)
    if kind == "address":
        street = address(value.split(",", 1)[0])
        return street if len(street.split()) >= _FEWEST_ADDRESS_WORDS or is_address(value) else None
    return folded(value.split(",", 1)[0]) or None


def measured_facts(key: str, value: str, quote: str, source: str) -> Iterator[Fact]:
    """Yield what a thing costs, else how much of something it is if the line states no more than that."""
    stated = [figure for figure in figures(value) if not words_of(value[: figure.start]) - _ABOUT]
    for measured in (*costs(value), *stated):
        yield Fact(measured.kind, measured.value, quote, source, key)
        return


def prose_facts(material: FactMaterial) -> Iterator[Fact]:
    """Yield values of lines that have no key: phone, mail, address, founding year, hours; a price is the title's."""
    for line in material.text.splitlines():
        if _LINE.match(line):
            continue
        quote = line.strip()[:_LONGEST_QUOTE]
        for value in values(line):
            if value.kind in ("phone", "email", "address", "founded", "hours") and value.firm:
                yield Fact(value.kind, value.value, quote, material.source)
            elif value.kind == "price" and material.title:
                yield Fact("price", value.value, quote, material.source, folded(material.title))


def week_of(facts: Sequence[Fact]) -> dict[int, tuple[Spans, Fact]]:
    """Return times and fact of each open day, empty times where only the day is known; other days are closed."""
    week: dict[int, tuple[Spans, Fact]] = {}
    for fact in facts:
        if fact.kind == "hours" and isinstance(fact.value, Opening) and fact.value.open:
            for day in fact.value.days:
                week.setdefault(day, (fact.value.spans, fact))
    return week


def check(
    text: str,
    facts: Facts,
    own: Sequence[tuple[int, int]],
    others: Sequence[tuple[int, int]] = (),
    *,
    branded: bool = False,
) -> list[CheckedClaim]:
    """Check the claims of one answer about the brand.

    `own` and `others` are the counted spans of the brand and of other entities. A claim is in a clause that
    names the brand nearest, or, when the prompt names it (`branded`), in one that names no other entity.
    """
    if not own and not branded:
        return []
    sentences = Sentences(text)

    def is_ours(start: int, end: int) -> bool:
        clause = sentences.clause(start, end)
        own_distances = [distance(span, start, end) for span in own if inside(span, clause)]
        other_distances = [distance(span, start, end) for span in others if inside(span, clause)]
        if own_distances:
            return not other_distances or min(own_distances) <= min(other_distances)
        return branded and not other_distances

    checked: list[CheckedClaim] = []
    for value, subject in claims(text, facts, sentences):
        if is_ours(value.start, value.end):
            quote = quote_clause(sentences, value)
            judged = verdict(value, subject, facts)
            if judged is not None:
                checked.append(CheckedClaim(value.kind, judged[0], quote, judged[1], value.start))
    return sorted(checked, key=lambda claim: claim.at)


def check_quotes(
    text: str, facts: Facts, quotes: Iterable[str], known: Collection[int]
) -> list[CheckedClaim]:
    """Check the claims inside of these quotes, which an engine attributed to the brand; those at `known` are left out.

    A quote that is not in the text is ignored.
    """
    sentences = Sentences(text)
    spans = [(at, at + len(quote)) for quote in quotes if quote and (at := text.find(quote)) >= 0]
    checked_by_start: dict[int, CheckedClaim] = {}
    for value, subject in claims(text, facts, sentences) if spans else ():
        if value.start in known or not any(inside((value.start, value.end), span) for span in spans):
            continue
        judged = verdict(value, subject, facts)
        if judged is not None:
            checked_by_start[value.start] = CheckedClaim(
                value.kind, judged[0], quote_clause(sentences, value), judged[1], value.start
            )
    return [checked_by_start[at] for at in sorted(checked_by_start)]


def claims(text: str, facts: Facts, sentences: Sentences) -> Iterator[tuple[Value, str]]:
    """Yield the values of a text with the subject they are about: prices and figures by the words of their clause."""
    for value in values(text):
        if value.kind == "price":
            yield value, subject_of(value, facts.of("price"), sentences)
        else:
            yield value, ""
    measured = facts.of("figure")
    for value in figures(text) if measured else ():
        subject = subject_of(
            value, [fact for fact in measured if unit(fact.value) == unit(value.value)], sentences
        )
        if subject:
            yield value, subject
    yield from affirmed_names(text, facts, sentences)


def affirmed_names(text: str, facts: Facts, sentences: Sentences) -> Iterator[tuple[Value, str]]:
    """Yield services, makes and products of the repository that a text affirms."""
    for fact in facts.of("named"):
        name_match = re.search(rf"(?<!\w){re.escape(str(fact.value))}(?!\w)", text, re.IGNORECASE)
        if name_match is not None and _NOT.search(text, *sentences.clause(*name_match.span())) is None:
            yield Value("named", fact.value, *name_match.span()), fact.subject


def subject_of(value: Value, facts: Sequence[Fact], sentences: Sentences) -> str:
    """Return what a value is about: the nearest thing whose words are all in its clause."""
    start, end = sentences.clause(value.start, value.end)
    clause = folded(sentences.text[start:end])
    best: tuple[int, str] | None = None
    for fact in facts:
        if not fact.subject or not words_of(fact.subject) <= words_of(clause):
            continue
        at = clause.find(fact.subject)
        away = abs(start + max(at, 0) - value.start)
        if best is None or away < best[0]:
            best = (away, fact.subject)
    return best[1] if best else ""


def verdict(value: Value, subject: str, facts: Facts) -> tuple[Verdict, Fact | None] | None:
    """Compare one claim with the facts of its kind; None for a claim that is too weak to be one."""
    if value.kind == "hours" and isinstance(value.value, Opening):
        return opening_verdict(value.value, facts)
    known = facts.of(value.kind, subject)
    if value.kind == "price" and not subject:
        return "unverifiable", None
    equal = next((fact for fact in known if is_same_value(value, fact)), None)
    if equal is not None:
        return "supported", equal
    if not value.firm:
        return None
    if (
        value.kind == "email"
        and known
        and _mail_domain(value.value)
        not in {
            *(_mail_domain(fact.value) for fact in known),
            *(fact.value for fact in facts.of("site")),
        }
    ):
        return "contradicted", known[0]
    comparable = [fact for fact in known if same_measure(value, fact)]
    if comparable and value.kind in EXCLUSIVE:
        return "contradicted", comparable[0]
    return "unverifiable", None


def _mail_domain(address: object) -> str | None:
    """Return the registrable domain of an e-mail address; the mailboxes of one domain do not contradict each other."""
    return site(str(address).rpartition("@")[2])


def is_same_value(value: Value, fact: Fact) -> bool:
    """Return whether claim and fact are the same."""
    if value.kind == "phone":
        return same_phone(str(value.value), str(fact.value))
    return value.value == fact.value


def same_measure(value: Value, fact: Fact) -> bool:
    """Return whether two values are comparable: prices of one currency, figures of one unit."""
    return unit(value.value) == unit(fact.value)


def unit(value: str | int | tuple[Decimal, str] | Opening) -> str:
    """Return the currency or the unit of a measured value."""
    return value[1] if isinstance(value, tuple) else ""


def opening_verdict(claim: Opening, facts: Facts) -> tuple[Verdict, Fact | None]:
    """Compare days and hours: every day that is claimed must be as the week has it."""
    if not facts.week:
        return "unverifiable", None
    any_fact = next(iter(facts.week.values()))[1]
    agreeing = any_fact
    for day in sorted(claim.days):
        spans, fact = facts.week.get(day, (frozenset(), any_fact))
        is_open = day in facts.week
        if is_open != claim.open or (claim.spans and spans and claim.spans != spans):
            return "contradicted", fact
        agreeing = fact
    return "supported", agreeing


def score(verdicts: Iterable[str]) -> float | None:
    """Return 100 x supported / (supported + contradicted), None when there is neither."""
    counts = Counter(verdicts)
    right, wrong = counts["supported"], counts["contradicted"]
    return 100 * right / (right + wrong) if right + wrong else None


def omitted(facts: Facts, checked: Iterable[CheckedClaim]) -> list[Fact]:
    """Return the facts that no claim was held against."""
    met = {(claim.fact.kind, claim.fact.subject, str(claim.fact.value)) for claim in checked if claim.fact}
    return [fact for fact in facts.all if (fact.kind, fact.subject, str(fact.value)) not in met]


def quote_clause(sentences: Sentences, value: Value) -> str:
    """Return the clause around a claim, at most 300 characters."""
    return sentences.quote(value.start, value.end)


def inside(span: tuple[int, int], clause: tuple[int, int]) -> bool:
    """Return whether a span lies in a clause."""
    return clause[0] <= span[0] and span[1] <= clause[1]


def distance(span: tuple[int, int], start: int, end: int) -> int:
    """Return how many characters lie between a span and a value."""
    return max(span[0] - end, start - span[1], 0)


def words_of(text: str) -> frozenset[str]:
    """Return the words of a folded text that say something."""
    return frozenset(word for word in _WORD.findall(folded(text)) if word not in _SMALL)
