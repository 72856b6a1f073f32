"""Holds every statement of a draft against known facts, and names the fact that one lacks (`fact_guard/2`)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import normalize

from analytics.grounding.claims import URL, ClaimKind, DraftClaim, claims, plain_address
from analytics.grounding.company_statements import KnownStems
from analytics.grounding.flattening import flatten, stems
from analytics.grounding.names import KnownWords, unknown_names
from analytics.grounding.numerals import LANGUAGES
from analytics.grounding.opening_claims import OpeningClaim, agrees, week_of
from analytics.text.language import FUNCTION_WORDS

VERSION = "fact_guard/2"
LONGEST_TEXT = 40_000
"""Characters of a draft that are read; what an engine may write is a fifth of it."""
_END = re.compile(
    r"(?<!\bDr)(?<!\bSt)(?<!\bMr)(?<!\bMrs)(?<!\bProf)(?<!\bNr)(?<!\bNo)(?<![.!?…。])[.!?…。]++[\"”»')\]]*+\s++(?=\S)|\n++"
)
_LIST_NUMBER = re.compile(r"(?:^|\s)\d{1,2}[.)]\s*$")
_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST_PHONE = 6
_PHONE_DIGITS = 9


@dataclass(frozen=True, slots=True)
class KnownText:
    """A text that somebody stands by; `source` says which it is, `title` what it is about."""

    source: str
    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class MissingFact:
    """A claim of a sentence that no fact supports: its kind and its words."""

    kind: ClaimKind
    words: str


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of a draft at `[start, end)`, with the facts that it lacks; without any it may stand."""

    text: str
    start: int
    end: int
    missing: tuple[MissingFact, ...]


@dataclass(frozen=True, slots=True)
class _FactLine:
    """One line of the material, with what it claims and the stems that tie it to a sentence."""

    claims: tuple[DraftClaim, ...]
    stems: frozenset[str]
    language: str


class Grounding:
    """Everything that is known of a company, read once, to hold drafts against."""

    def __init__(self, known: Sequence[KnownText], own_names: Sequence[str] = ()) -> None:
        whole = normalize("NFC", "\n".join(f"{text.title}\n{text.text}" for text in known))
        self.language = language_of(whole)
        self.own_names = " ".join(own_names)
        self.fact_lines = list(dict.fromkeys(_shown_lines(known)))
        """Every sentence that somebody stands by, on one line each."""
        self._own = stems(flatten(" ".join(own_names)))
        self._known_words = KnownWords(f"{whole}\n{' '.join(own_names)}")
        self._known_stems = KnownStems(whole, " ".join(own_names))
        self._known_languages = {language_of(text.text, self.language) for text in known}
        self._lines = [line for text in known for line in _read_lines(text, self.language)]
        self._week = week_of(flatten(whole).split("\n"), (self.language,))
        self._addresses = {plain_address(match[0]) for match in URL.finditer(flatten(whole))}
        self._hosts = {address.split("/", 1)[0] for address in self._addresses if "@" not in address}
        self._phones = [
            str(claim.value) for line in self._lines for claim in line.claims if claim.kind == "phone"
        ]

    def check(self, draft: str, title: str = "") -> list[Statement]:
        """Return the sentences of a draft with the facts that each lacks; `title` may name whom it likes."""
        draft = normalize("NFC", draft)[:LONGEST_TEXT]
        language = language_of(draft, self.language)
        known = self._known_words if not title else self._with_title(title)
        plain = frozenset(flatten(word) for word in re.findall(r"(?<![^\W_])[a-zà-öø-ÿß][^\W\d_]+", draft))
        checked: list[Statement] = []
        before = stems(flatten(title))
        for start, end in sentences(draft):
            text = draft[start:end]
            flat = flatten(text)
            own = language_of(text, language)
            tied = stems(flat) | (before if len(stems(flat)) <= 2 else frozenset[str]())
            claimed = claims(flat, _languages(own, language, self.language))
            missing = [
                MissingFact(claim.kind, text[claim.start : claim.end].strip())
                for claim in claimed
                if not self._supports(claim, tied, flat)
            ]
            without_addresses = URL.sub(lambda match: " " * len(match[0]), text)
            missing += [
                MissingFact("name", name)
                for name, _, _ in unknown_names(without_addresses, known, own, plain=plain | known.lower)
            ]
            # Words of one language say nothing of facts in another: there only a judge that reads both can tell.
            if not missing and own in self._known_languages:
                unsupported = self._known_stems.find_unsupported(flat, _without(flat, claimed))
                if unsupported is not None:
                    missing.append(MissingFact("statement", text[slice(*unsupported)]))
            checked.append(Statement(text, start, end, tuple(dict.fromkeys(missing))))
            before = stems(flat)
        return checked

    def needs_support(self, text: str) -> bool:
        """Tell whether a sentence claims something, or says something of the company; a question does neither."""
        flat = flatten(normalize("NFC", text))
        if flat.rstrip().endswith("?"):
            return False
        return self.has_claim(text) or self._known_stems.says_something(flat)

    def has_claim(self, text: str) -> bool:
        """Tell whether a sentence holds a number, an hour, an address or another claim that the rules judge."""
        flat = flatten(normalize("NFC", text))
        own = language_of(text, self.language)
        return bool(claims(flat, _languages(own, self.language, self.language)))

    def _with_title(self, title: str) -> KnownWords:
        return self._known_words.extended(title)

    def _supports(self, claim: DraftClaim, tied: frozenset[str], flat: str) -> bool:
        """Tell whether a named fact entails a claim."""
        if isinstance(claim.value, OpeningClaim):
            return agrees(claim.value, self._week)
        if claim.kind == "address":
            return claim.value in self._addresses or claim.value in self._hosts
        if claim.kind == "phone":
            return any(_same_phone(str(claim.value), phone) for phone in self._phones)
        if claim.kind in ("superlative",) and flat.rstrip().endswith("?"):
            return True
        if claim.kind == "number" and self._is_phone(flat[claim.start : claim.end]):
            return True
        tied = tied - self._own - stems(flat[claim.start : claim.end])
        return any(_entails(line, claim, tied) for line in self._lines)

    def _is_phone(self, words: str) -> bool:
        """Tell whether what looks like one large number, 955 500 140, is a telephone number that is known."""
        digits = re.sub(r"\D", "", words)
        return len(digits) >= _PHONE_DIGITS and any(_same_phone(digits, phone) for phone in self._phones)


def _entails(line: _FactLine, claim: DraftClaim, tied: frozenset[str]) -> bool:
    """Tell whether a line says what is claimed, of what the words `tied` are about."""
    for fact in line.claims:
        if fact.kind != claim.kind or not _same_value(fact, claim):
            continue
        if claim.kind == "date" or _same_unit(fact, claim) or not tied or tied & line.stems:
            return True
    return False


def language_of(text: str, otherwise: str = "en") -> str:
    """Return which of the six languages a text is written in, by its function words; `otherwise` when none leads."""
    words = [word.casefold() for word in _WORD.findall(text)]
    counts = {language: sum(word in FUNCTION_WORDS[language] for word in words) for language in LANGUAGES}
    counts[otherwise] += 1
    return max(counts, key=lambda language: (counts[language], language == otherwise))


def sentences(text: str) -> list[tuple[int, int]]:
    """Return `[start, end)` of the sentences and lines of a text; abbreviations and list numbers end none."""
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(text):
        if "\n" not in match[0] and _LIST_NUMBER.search(text[start : match.start() + 1]):
            continue
        spans.append((start, match.end()))
        start = match.end()
    spans.append((start, len(text)))
    return [(low, high) for low, high in spans if text[low:high].strip()]


def _shown_lines(known: Sequence[KnownText]) -> list[str]:
    texts = [normalize("NFC", text.text) for text in known]
    lines = [" ".join(text[start:end].split()) for text in texts for start, end in sentences(text)]
    return [line for line in lines if line]


def _without(flat: str, claimed: Sequence[DraftClaim]) -> str:
    """Return a flat sentence with blanks where something is claimed."""
    for claim in claimed:
        flat = f"{flat[: claim.start]}{' ' * (claim.end - claim.start)}{flat[claim.end :]}"
    return flat


def _languages(own: str, draft: str, material: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((own, draft, material, "en")))


def _read_lines(known: KnownText, language: str) -> list[_FactLine]:
    """Return what the sentences of a text claim, each tied to the text's title too."""
    text = normalize("NFC", known.text)
    title = stems(flatten(known.title))
    lines: list[_FactLine] = []
    for start, end in sentences(text):
        flat = flatten(text[start:end])
        own = language_of(flat, language)
        read = claims(flat, _languages(own, language, language))
        if read:
            lines.append(_FactLine(tuple(read), stems(flat) | title, own))
    return lines


def _same_value(fact: DraftClaim, claim: DraftClaim) -> bool:
    """Tell whether two claims of one kind say the same amount; boasts and promises are the same in any words."""
    if isinstance(fact.value, tuple) and isinstance(claim.value, tuple):
        if len(fact.value) != 2 or len(claim.value) != 2:
            return fact.value == claim.value
        return fact.value[0] == claim.value[0] and (
            fact.value[1] == claim.value[1] or _is_noun(fact.value[1], claim.value[1])
        )
    if claim.kind in ("number", "share", "amount", "date"):
        return fact.value == claim.value
    return isinstance(fact.value, str) and isinstance(claim.value, str)


def _is_noun(unit: object, other: object) -> bool:
    """Tell whether at least one of two units is no measure of its own, so that the words around must decide."""
    return all(isinstance(name, str) and (name.startswith("~") or name == "people") for name in (unit, other))


def _same_unit(fact: DraftClaim, claim: DraftClaim) -> bool:
    if claim.kind != "number" or not isinstance(fact.value, tuple) or not isinstance(claim.value, tuple):
        return False
    return fact.value[1] == claim.value[1] and fact.value[1] not in ("~", "minutes", "months")


def _same_phone(number: str, other: str) -> bool:
    """Tell whether two numbers end alike, prefixes of country and trunk aside."""
    length = min(_PHONE_DIGITS, len(number.lstrip("0")), len(other.lstrip("0")))
    return length >= _SHORTEST_PHONE and number[-length:] == other[-length:]
