"""Holds every statement of a draft against known facts, and names the fact that one lacks (`fact_guard/2`)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from unicodedata import normalize

from analytics.grounding.claims import (
    URL,
    ClaimKind,
    DraftClaim,
    bound_of,
    claims,
    per_unit,
    plain_address,
    unit_named,
)
from analytics.grounding.entailment import DATED, Entailment, KnownSentence
from analytics.grounding.facts import Word, WordIndex, split_parts, words_of
from analytics.grounding.flattening import flatten
from analytics.grounding.known_names import PLACES
from analytics.grounding.names import KnownWords, unknown_names
from analytics.grounding.numerals import LANGUAGES
from analytics.grounding.opening_claims import OpeningClaim, agrees, week_of
from analytics.grounding.plain_words import is_plain
from analytics.grounding.speech_acts import WE
from analytics.text.language import FUNCTION_WORDS

VERSION = "fact_guard/2"
LONGEST_TEXT = 40_000
"""Characters of a draft that are read; what an engine may write is a fifth of it."""
_END = re.compile(
    r"(?<!\bDr)(?<!\bSt)(?<!\bMr)(?<!\bMrs)(?<!\bProf)(?<!\bNr)(?<!\bNo)(?<![.!?…。])[.!?…。]++[\"”»')\]]*+\s++(?=\S)|\n++"
)
_LIST_NUMBER = re.compile(r"(?:^|\s)\d{1,2}[.)]\s*$")
_WORD = re.compile(r"[^\W\d_]+")
_CAPITALISED = re.compile(r"(?<=[\w,;] )([A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ][^\W\d_]+)")
_SHORTEST_PHONE = 6
_PHONE_DIGITS = 9
_MOST_LINES, _MOST_WORDS = 200, 30
_SAME_UNIT = 6
_LONGEST_SENTENCE, _MOST_CLAIMS, _SHOWN = 3000, 40, 200
_CUE_KINDS = frozenset(
    ("superlative", "free offer", "duration", "legal", "certificate", "award", "medical", "rival")
)


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
    """One claim of the material, with the words that tie it to a sentence: its own part first, then all around it."""

    claim: DraftClaim
    flat: str
    part: WordIndex
    around: WordIndex


@dataclass(frozen=True, slots=True)
class _DraftSentence:
    """One sentence of a draft; `rest` has blanks where `claims` stand, `before` are the words of the one before."""

    text: str
    flat: str
    rest: str
    language: str
    claims: Sequence[DraftClaim]
    words: Sequence[Word]
    parts: Sequence[tuple[int, int]]
    named: Sequence[Word]
    before: Sequence[Word]


class Grounding:
    """Everything that is known of a company, read once, to hold drafts against."""

    def __init__(self, known: Sequence[KnownText], own_names: Sequence[str] = ()) -> None:
        whole = normalize("NFC", "\n".join(f"{text.title}\n{text.text}" for text in known))
        self.language = language_of(whole)
        self.own_names = " ".join(own_names)
        self.fact_lines = list(dict.fromkeys(_shown_lines(known)))
        """Every sentence that somebody stands by, on one line each."""
        self._own = frozenset(re.findall(r"[^\W\d_]+", flatten(self.own_names)))
        self._known_words = KnownWords(f"{whole}\n{' '.join(own_names)}")
        self._entailment = _entailment(known, self.language, self.own_names)
        self._known_languages = {language_of(text.text, self.language) for text in known}
        self._lines: dict[str, list[_FactLine]] = {}
        for line in (line for text in known for line in _read_lines(text, self.language)):
            self._lines.setdefault(_comparable(line.claim), []).append(line)
        self._week = week_of(flatten(whole).split("\n"), (self.language,))
        self._addresses = {plain_address(match[0]) for match in URL.finditer(flatten(whole))}
        self._hosts = {address.split("/", 1)[0] for address in self._addresses if "@" not in address}
        self._phones = [str(line.claim.value) for line in self._lines.get("phone", ())]

    def check(self, draft: str, title: str = "") -> list[Statement]:
        """Return the sentences of a draft with the facts that each lacks; `title` may name whom it likes."""
        draft = normalize("NFC", draft)[:LONGEST_TEXT]
        language = language_of(draft, self.language)
        known = self._known_words if not title else self._with_title(title)
        plain = frozenset(flatten(word) for word in re.findall(r"(?<![^\W_])[a-zà-öø-ÿß][^\W\d_]+", draft))
        checked: list[Statement] = []
        before = words_of(flatten(title), language)
        for start, end in sentences(draft):
            text = draft[start:end]
            if end - start > _LONGEST_SENTENCE:
                checked.append(Statement(text, start, end, (MissingFact("statement", text[:_SHOWN]),)))
                continue
            sentence = self._read(text, language, before)
            missing = self._missing(sentence, known, plain | known.lower)
            checked.append(Statement(text, start, end, tuple(dict.fromkeys(missing))))
            before = sentence.words
        return checked

    def _read(self, text: str, language: str, before: Sequence[Word]) -> _DraftSentence:
        flat = flatten(text)
        own = language_of(text, language)
        claimed = claims(flat, _languages(own, language, self.language))
        rest = _without(flat, claimed)
        words = [word for word in words_of(rest, own) if word.text not in self._own]
        named = self._named(text, own)
        return _DraftSentence(text, flat, rest, own, claimed, words, list(split_parts(flat)), named, before)

    def _missing(
        self, sentence: _DraftSentence, known: KnownWords, plain: frozenset[str]
    ) -> list[MissingFact]:
        """Return the facts that a sentence lacks."""
        text = sentence.text
        if len(sentence.claims) > _MOST_CLAIMS:
            return [MissingFact("statement", text[:_SHOWN])]
        missing = [
            MissingFact(claim.kind, text[claim.start : claim.end].strip())
            for claim in sentence.claims
            if not self._advises(claim, sentence.flat) and not self._supports(claim, sentence)
        ]
        without_addresses = URL.sub(lambda match: " " * len(match[0]), text)
        missing += [
            MissingFact("name", name)
            for name, _, _ in unknown_names(without_addresses, known, sentence.language, plain=plain)
        ]
        # Words of one language say nothing of facts in another: there only a judge that reads both can tell.
        if not missing and sentence.language in self._known_languages:
            unsupported = self._entailment.find_unsupported(
                text, sentence.flat, sentence.rest, sentence.language, sentence.named
            )
            if unsupported is not None:
                missing.append(MissingFact("statement", text[slice(*unsupported)].strip()))
        return missing

    def needs_support(self, text: str) -> bool:
        """Tell whether a sentence claims something, or says something of the company; a question does neither."""
        flat = flatten(normalize("NFC", text))
        if flat.rstrip().endswith("?"):
            return False
        own = language_of(text, self.language)
        return self.has_claim(text) or self._entailment.claims_something(flat, own)

    def has_claim(self, text: str) -> bool:
        """Tell whether a sentence holds a number, an hour, an address or another claim that the rules judge."""
        flat = flatten(normalize("NFC", text))
        own = language_of(text, self.language)
        return bool(claims(flat, _languages(own, self.language, self.language)))

    def _with_title(self, title: str) -> KnownWords:
        return self._known_words.extended(title)

    def _supports(self, claim: DraftClaim, sentence: _DraftSentence) -> bool:
        """Tell whether a named fact entails a claim."""
        if isinstance(claim.value, OpeningClaim):
            return agrees(claim.value, self._week) and not self._is_known_closed(claim.value, sentence)
        if claim.kind == "address":
            return claim.value in self._addresses or claim.value in self._hosts
        if claim.kind == "phone":
            return any(_same_phone(str(claim.value), phone) for phone in self._phones)
        if claim.kind == "superlative" and sentence.flat.rstrip().endswith("?"):
            return WE.search(sentence.flat) is None
        if claim.kind == "number" and self._is_phone(sentence.flat[claim.start : claim.end]):
            return True
        lines = [
            line for line in self._lines.get(_comparable(claim), ()) if _is_comparable(line.claim, claim)
        ]
        same = [
            line
            for line in lines
            if _same_value(line.claim, claim)
            and _same_measure(line, claim, sentence.flat)
            and (claim.kind == "date" or all(line.around.holds(word) for word in sentence.named))
        ]
        if (
            _comparable(claim) == "number clock"
            and not same
            and not any(not word.plain for word in sentence.words)
        ):
            return isinstance(claim.value, tuple) and any(
                claim.value[0] in times for times in self._week.values()
            )
        return bool(same) and self._is_closest(same, lines, claim, sentence)

    def _is_known_closed(self, claim: OpeningClaim, sentence: _DraftSentence) -> bool:
        """Tell whether a fact says that what a sentence speaks of is closed on a day that the sentence names."""
        words = [word for word in sentence.words if not word.plain and not self._entailment.is_general(word)]
        return not claim.closed and any(
            isinstance(line.claim.value, OpeningClaim)
            and line.claim.value.closed
            and bool(line.claim.value.days & claim.days)
            and any(line.around.holds(word) for word in words)
            for line in self._lines.get("hours", ())[:_MOST_LINES]
        )

    def _advises(self, claim: DraftClaim, flat: str) -> bool:
        """Tell whether a span of time stands where the reader is asked or advised: every three months."""
        if (
            claim.kind != "number"
            or not isinstance(claim.value, tuple)
            or claim.value[1] not in ("minutes", "months")
        ):
            return False
        return WE.search(flat) is None and not self._entailment.claims_at(flat, claim.start)

    def _is_closest(
        self,
        same: Sequence[_FactLine],
        lines: Sequence[_FactLine],
        claim: DraftClaim,
        sentence: _DraftSentence,
    ) -> bool:
        """Tell whether a fact with a claim's value is what its sentence speaks of, before all with another value."""
        words, near = self._words_about(claim, sentence)
        content = [word for word in near if not word.plain] or [word for word in words if not word.plain]
        if claim.kind == "date":
            content = [word for word in near if word.meanings & DATED]
        if not content:
            return True
        specific = [word for word in content if not self._entailment.is_general(word)]
        if claim.kind in _CUE_KINDS:
            return any(_covers(line, specific) for line in same)
        scores = [(_score(line, claim, content, words), line) for line in lines[:_MOST_LINES]]
        best = max(score for score, _ in scores)
        chosen = [line for score, line in scores if score == best]
        return any(
            any(line is other for other in chosen)
            and (
                claim.kind == "date"
                or _is_same_unit(line.claim, claim)
                or any(line.around.holds(word) for word in specific or content)
            )
            for line in same
        )

    def _words_about(self, claim: DraftClaim, sentence: _DraftSentence) -> tuple[list[Word], list[Word]]:
        """Return the words of a sentence, or of the one before it if it has none, and those beside a claim."""
        low, high = next(
            ((low, high) for low, high in sentence.parts if low <= claim.start < high),
            (0, len(sentence.flat)),
        )
        words = sentence.words if any(not word.plain for word in sentence.words) else sentence.before
        beside = [word for word in sentence.words if low <= word.start < high]
        near = beside if words is sentence.words else words
        return list(words[:_MOST_WORDS]), list(near[:_MOST_WORDS])

    def _named(self, text: str, language: str) -> list[Word]:
        """Return the names in a sentence that the facts tell apart by: words with capitals, in German none."""
        if language == "de":
            return []
        capitals = {flatten(match[1]) for match in _CAPITALISED.finditer(text)}
        words = words_of(" ".join(sorted(capitals)), language)
        return [
            word for word in words
            if not is_plain(word.text, language) and word.text not in PLACES and word.text not in self._own
            and not self._entailment.is_general(word)
        ]  # fmt: skip

    def _is_phone(self, words: str) -> bool:
        """Tell whether what looks like one large number, 955 500 140, is a telephone number that is known."""
        digits = re.sub(r"\D", "", words)
        return len(digits) >= _PHONE_DIGITS and any(_same_phone(digits, phone) for phone in self._phones)


def _comparable(claim: DraftClaim) -> str:
    """Return which facts a claim is compared with: those of its kind and, for numbers, of its measure."""
    if (
        claim.kind in ("number", "amount", "share")
        and isinstance(claim.value, tuple)
        and len(claim.value) == 2
    ):
        unit = str(claim.value[1])
        return f"{claim.kind} {'counted' if unit.startswith('~') or unit == 'people' else unit}"
    return claim.kind


def _is_comparable(fact: DraftClaim, claim: DraftClaim) -> bool:
    return not isinstance(claim.value, tuple) or (
        isinstance(fact.value, tuple) and len(fact.value) == len(claim.value)
    )


def _same_measure(line: _FactLine, claim: DraftClaim, flat: str) -> bool:
    """Tell whether a number is bounded and counted as the fact's is, `more than` and `a month`."""
    bound, known = bound_of(flat, claim), bound_of(line.flat, line.claim)
    if bound not in (None, "from") and known not in ((bound, "from") if bound == "over" else (bound,)):
        return False
    per = per_unit(flat, claim) if claim.kind == "amount" else None
    return (
        per is None
        or per in (per_unit(line.flat, line.claim), None)
        or per in map(unit_named, line.flat.split())
    )


def _score(line: _FactLine, claim: DraftClaim, near: Sequence[Word], words: Sequence[Word]) -> int:
    """Return how much of a sentence a fact speaks of; words beside the claim count most."""
    return (
        _SAME_UNIT * _is_same_unit(line.claim, claim)
        + 3 * sum(line.part.holds(word) + line.part.holds_itself(word) for word in near[:_MOST_WORDS])
        + sum(2 * line.around.holds(word) for word in near[:_MOST_WORDS])
        + sum(line.around.holds(word) for word in words[:_MOST_WORDS])
    )


def _is_same_unit(fact: DraftClaim, claim: DraftClaim) -> bool:
    """Tell whether two numbers count the same things, which is more than the same measure."""
    if claim.kind != "number" or not isinstance(fact.value, tuple) or not isinstance(claim.value, tuple):
        return False
    return fact.value[1] == claim.value[1] and str(claim.value[1]).lstrip("~") not in (
        "",
        "minutes",
        "months",
    )


def _covers(line: _FactLine, content: Sequence[Word]) -> bool:
    """Tell whether a fact speaks of most of what a sentence says is the best, free or certified."""
    return 3 * sum(line.around.holds(word) for word in content) >= 2 * len(content)


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


def _entailment(known: Sequence[KnownText], language: str, own_names: str) -> Entailment:
    """Return all sentences of the material in the form that tells what follows from them."""
    read: list[KnownSentence] = []
    for source, each in enumerate(known):
        text = normalize("NFC", each.text)
        own = language_of(text, language)
        title = flatten(normalize("NFC", each.title))
        for start, end in sentences(text):
            read.append(KnownSentence(flatten(text[start:end]), text[start:end], title, own, source))
    profiles = frozenset(source for source, each in enumerate(known) if each.source == "profile")
    return Entailment(read, profiles, own_names, language)


def _without(flat: str, claimed: Sequence[DraftClaim]) -> str:
    """Return a flat sentence with blanks where something is claimed."""
    letters = list(flat)
    for claim in claimed:
        letters[claim.start : claim.end] = " " * (claim.end - claim.start)
    return "".join(letters)


def _languages(own: str, draft: str, material: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((own, draft, material, "en")))


def _read_lines(known: KnownText, language: str) -> Iterator[_FactLine]:
    """Yield what the sentences of a text claim, each tied to the words beside it and to the text's title."""
    text = normalize("NFC", known.text)
    title = flatten(normalize("NFC", known.title))
    own = language_of(text, language)
    for start, end in sentences(text):
        flat = flatten(text[start:end])
        read = claims(flat, _languages(own, language, language))
        if not read:
            continue
        around = WordIndex([*words_of(flat, own), *words_of(title, own)])
        parts = list(split_parts(flat))
        for claim in read:
            low, high = next(
                ((low, high) for low, high in parts if low <= claim.start < high), (0, len(flat))
            )
            yield _FactLine(claim, flat, WordIndex(words_of(flat[low:high], own)), around)


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


def _same_phone(number: str, other: str) -> bool:
    """Tell whether two numbers end alike, prefixes of country and trunk aside."""
    length = min(_PHONE_DIGITS, len(number.lstrip("0")), len(other.lstrip("0")))
    return length >= _SHORTEST_PHONE and number[-length:] == other[-length:]
