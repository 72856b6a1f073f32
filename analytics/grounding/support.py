"""Holds every statement of a draft against known facts, and names the fact that one lacks (`fact_guard/6`)."""

import re
from collections.abc import Sequence
from decimal import Decimal
from unicodedata import normalize

from analytics.grounding import rival_words
from analytics.grounding.claims import DraftClaim, claims
from analytics.grounding.closest_facts import ClosestFacts
from analytics.grounding.draft_sentences import DraftSentence, MissingFact, Statement
from analytics.grounding.entailment import Entailment
from analytics.grounding.extremes import is_as_extreme, is_of_own_range
from analytics.grounding.fact_lines import (
    MOST_LINES,
    PHONE_DIGITS,
    FactLine,
    claim_languages,
    comparable_kind,
    has_same_measure,
    has_same_value,
    is_comparable,
    is_difference,
    is_same_phone,
    only_same_unit,
    read_fact_lines,
)
from analytics.grounding.facts import ABSOLUTE, Word, WordIndex, split_parts, words_of
from analytics.grounding.flattening import flatten
from analytics.grounding.frequencies import days_a_week, interval_of
from analytics.grounding.known_conditions import meets_conditions, refers_back
from analytics.grounding.known_hours import KnownHours
from analytics.grounding.known_inclusions import KnownInclusions
from analytics.grounding.known_names import PLACES
from analytics.grounding.known_parts import KnownSentence
from analytics.grounding.known_periods import KnownPeriods
from analytics.grounding.known_texts import KnownText
from analytics.grounding.names import KnownWords, unknown_names
from analytics.grounding.near_values import follows_nearly
from analytics.grounding.number_bounds import bounding_words
from analytics.grounding.opening_claims import OpeningClaim, week_of
from analytics.grounding.plain_words import is_plain
from analytics.grounding.sentence_spans import LONGEST_TEXT, language_of, sentences
from analytics.grounding.speech_acts import OF_A_KIND, WE
from analytics.grounding.web_addresses import URL, plain_address

VERSION = "fact_guard/6"
_COUNTED = re.compile(r"(?<=[\s-])[^\W\d_]{3,}\Z")
_CAPITALISED = re.compile(r"(?<=[\w,;] )([A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ][^\W\d_]+)")
_LABEL = re.compile(
    r"\s{0,9}(?:name|nom|nombre|nome|naam|industry|branche|secteur|sector|settore|website|site|web|sito|location|ort"
    r"|ville|ciudad"
    r"|localita|luogo|citta|plaats|vestigingsplaats)\s?:"
)
"""What a profile calls its lines, which says nothing itself: a firm in a town sells nothing local."""
_MOST_OF_READERS = 10
_LONGEST_SENTENCE, _MOST_CLAIMS, _SHOWN = 3000, 40, 200


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
        self._lines: dict[str, list[FactLine]] = {}
        for line in (line for text in known for line in read_fact_lines(text, self.language)):
            self._lines.setdefault(comparable_kind(line.claim), []).append(line)
        week = week_of(flatten(whole).split("\n"), (self.language,))
        self._periods = KnownPeriods(known, self.language, week, self._entailment)
        self._hours = KnownHours(
            self._lines.get("hours", [])[:MOST_LINES], week, self._periods, self._entailment.is_general
        )
        self._closest = ClosestFacts(self._lines, self._entailment)
        self._inclusions = KnownInclusions(known, self.language, self._entailment)
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

    def _read(self, text: str, language: str, before: Sequence[Word]) -> DraftSentence:
        flat = flatten(text)
        own = language_of(text, language)
        claimed = claims(flat, claim_languages(own, language, self.language))
        rest = _without(flat, claimed)
        words = [word for word in words_of(rest, own) if word.text not in self._own]
        unclaimed = "".join(
            " " if any(_holds_name(claim, place) for claim in claimed) else letter
            for place, letter in enumerate(text)
        )
        named = self._named(unclaimed, own)
        return DraftSentence(text, flat, rest, own, claimed, words, list(split_parts(flat)), named, before)

    def _missing(
        self, sentence: DraftSentence, known: KnownWords, plain: frozenset[str]
    ) -> list[MissingFact]:
        """Return the facts that a sentence lacks."""
        text = sentence.text
        if len(sentence.claims) > _MOST_CLAIMS:
            return [MissingFact("statement", text[:_SHOWN])]
        missing = [
            MissingFact(claim.kind, text[claim.start : claim.end].strip())
            for claim in sentence.claims
            if not self._advises(claim, sentence) and not self._supports(claim, sentence)
        ]
        missing += [*self._periods.find_missing(sentence), *self._inclusions.find_missing(sentence)]
        missing += self._ill_spoken(sentence)
        without_addresses = URL.sub(lambda match: " " * len(match[0]), text)
        missing += [
            MissingFact("name", name)
            for name, start, _ in unknown_names(without_addresses, known, sentence.language, plain=plain)
            # Otto is a name, and eight; Celsius is none where it belongs to a number.
            if not any(
                (claim.kind == "number" and claim.start == start) or _holds_name(claim, start)
                for claim in sentence.claims
            )
        ]
        # Words of one language say nothing of facts in another: there only a judge that reads both can tell.
        if not missing and sentence.language in self._known_languages:
            unsupported = self._entailment.find_unsupported(
                text, sentence.flat, sentence.rest, sentence.language, sentence.named
            )
            if unsupported is not None:
                missing.append(MissingFact("statement", text[slice(*unsupported)].strip()))
        return missing

    def _ill_spoken(self, sentence: DraftSentence) -> list[MissingFact]:
        """Return what a sentence says ill of somebody whom it names, if no fact of that name speaks ill too."""
        said = rival_words.DISPARAGED.search(sentence.flat)
        if (
            said is None
            or not sentence.named
            or WE.search(sentence.flat)
            or sentence.flat.rstrip().endswith("?")
        ):
            return []
        if self._entailment.speaks_of_reader(sentence.flat, said.start(), sentence.language):
            return []
        if any(rival_words.DISPARAGED.search(flat) for flat in self._entailment.said_with(sentence.named)):
            return []
        return [MissingFact("rival", sentence.text[slice(*said.span())])]

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
        return bool(claims(flat, claim_languages(own, self.language, self.language)))

    def _with_title(self, title: str) -> KnownWords:
        return self._known_words.extended(title)

    def _supports(self, claim: DraftClaim, sentence: DraftSentence) -> bool:
        """Tell whether a named fact entails a claim."""
        if isinstance(claim.value, OpeningClaim):
            return self._hours.bear_out(claim.value, sentence)
        if claim.kind == "rival" and rival_words.DISPARAGED.search(sentence.flat):
            return any(rival_words.DISPARAGED.search(line.flat) for line in self._lines.get("rival", ()))
        if claim.kind == "address":
            return claim.value in self._addresses or claim.value in self._hosts
        if claim.kind == "name":
            return self._known_words.holds([str(claim.value)])
        if claim.kind == "phone":
            return any(is_same_phone(str(claim.value), phone) for phone in self._phones)
        if claim.kind == "superlative" and sentence.flat.rstrip().endswith("?"):
            return WE.search(sentence.flat) is None
        if claim.kind == "superlative" and is_of_own_range(claim, sentence):
            return True  # judged with the size that is given of it
        if claim.kind == "number" and self._is_phone(sentence.flat[claim.start : claim.end]):
            return True
        lines = [
            line for line in self._lines.get(comparable_kind(claim), ()) if is_comparable(line.claim, claim)
        ]
        if self._is_as_often(claim, sentence):
            return True
        if claim.kind == "amount" and is_difference(claim, sentence.flat, lines):
            return True
        lines = only_same_unit(lines, claim)
        same = [
            line
            for line in lines
            if (
                (has_same_value(line.claim, claim) and has_same_measure(line, claim, sentence.flat))
                or follows_nearly(line.claim, claim, sentence.flat)
            )
            and (claim.kind == "date" or self._names_alike(line, sentence))
            and not self._closest.is_of_another(line, claim, sentence)
            and is_as_extreme(line, lines, claim, sentence)
        ]
        if comparable_kind(claim) == "number clock" and self._hours.has_time(claim, sentence):
            return True
        if (
            comparable_kind(claim) == "number clock"
            and not same
            and not any(not word.plain for word in sentence.words)
        ):
            return self._hours.is_in_week(claim)
        if claim.kind == "free offer":
            counted = [
                line
                for kind, known in self._lines.items()
                if kind.startswith(("number", "amount"))
                for line in known
            ]
            same = [
                line
                for line in same
                if meets_conditions(line, counted[:MOST_LINES], sentence)
                and not self._is_priced_beside(line, claim, sentence)
            ]
        return bool(same) and self._closest.is_closest(same, lines, claim, sentence)

    def _is_priced_beside(self, line: FactLine, claim: DraftClaim, sentence: DraftSentence) -> bool:
        """Tell whether a fact gives what a sentence calls free a price, and something else for nothing."""
        _, near = self._closest.words_about(claim, sentence)
        things = [word for word in near if not word.plain and not self._entailment.is_general(word)]
        low, high = next(
            (part for part in split_parts(line.flat) if part[0] <= line.claim.start < part[1]),
            (0, len(line.flat)),
        )
        own = [word for word in words_of(line.flat[low:high], line.language) if not word.plain]
        if not own or refers_back(line.flat, low) or any(map(WordIndex(sentence.words).holds, own)):
            return False
        return bool(things) and any(
            other.flat == line.flat and any(map(other.part.holds, things))
            for kind, known in self._lines.items()
            if kind.startswith("amount")
            for other in known[:MOST_LINES]
        )

    def _names_alike(self, line: FactLine, sentence: DraftSentence) -> bool:
        """Tell whether a fact speaks of what a sentence names; of a person its text or other facts may."""
        strange = [word for word in sentence.named if not line.around.holds(word)]
        return all(
            self._entailment.is_person(word)
            and (
                line.text.holds(word) or self._entailment.is_tied(sentence.text, sentence.words, line.around)
            )
            for word in strange
        )

    def _is_as_often(self, claim: DraftClaim, sentence: DraftSentence) -> bool:
        """Tell whether a fact says in other words how often: on how many days of the week, or at which intervals."""
        days = days_a_week(claim, sentence.flat)
        if days is not None and days == len(self._hours.open_days()):
            return True
        interval = interval_of(claim, sentence.flat)
        words = [word for word in sentence.words if not word.plain]
        return interval is not None and any(
            interval_of(line.claim, line.flat) == interval and any(map(line.around.holds, words))
            for kind in ("number minutes", "number counted")
            for line in self._lines.get(kind, ())[:MOST_LINES]
        )

    def _advises(self, claim: DraftClaim, sentence: DraftSentence) -> bool:
        """Tell whether a span of time stands where the reader is asked or advised: every three months."""
        if claim.kind in ("duration", "medical"):
            return WE.search(sentence.flat) is None and not self._entailment.claims_at(
                sentence.flat, claim.start, sentence.language
            )
        if claim.kind != "number" or not isinstance(claim.value, tuple):
            return False
        if claim.value[1] not in ("minutes", "months") and not _is_few(claim.value[0]):
            return False
        if WE.search(sentence.flat) is not None:
            return False
        is_of_all = OF_A_KIND.match(sentence.flat) or ABSOLUTE.match(sentence.flat.lstrip())
        if is_of_all and self._is_number_of_all(claim, sentence):
            return False
        place = (sentence.flat, claim.start, sentence.language)
        return not self._entailment.claims_at(*place) or (
            claim.value[1] not in ("minutes", "months") and self._entailment.speaks_of_reader(*place)
        )

    def _is_number_of_all(self, claim: DraftClaim, sentence: DraftSentence) -> bool:
        """Tell whether a fact gives a number of all that a sentence speaks of, which is then the company's."""
        words = [word for word in sentence.words if not word.plain]
        is_span = comparable_kind(claim) == "number minutes"
        return (
            bool(words)
            and any(
                is_comparable(line.claim, claim)
                # How long a thing takes is told of it alone.
                and (
                    any(map(line.part.holds_itself, words)) if is_span else all(map(line.around.holds, words))
                )
                for line in self._lines.get(comparable_kind(claim), ())[:MOST_LINES]
            )
        )

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
        return len(digits) >= PHONE_DIGITS and any(is_same_phone(digits, phone) for phone in self._phones)


def _is_few(value: object) -> bool:
    """Tell whether a count is one of the reader's own: two siblings, three rooms to paint."""
    return isinstance(value, Decimal) and value <= _MOST_OF_READERS


def _shown_lines(known: Sequence[KnownText]) -> list[str]:
    texts = [normalize("NFC", text.text) for text in known]
    lines = [" ".join(text[start:end].split()) for text in texts for start, end in sentences(text)]
    return [line for line in lines if line]


def _entailment(known: Sequence[KnownText], language: str, own_names: str) -> Entailment:
    """Return all sentences of the material in the form that tells what follows from them."""
    read: list[KnownSentence] = []
    for source, source_text in enumerate(known):
        text = normalize("NFC", source_text.text)
        own = language_of(text, language)
        title = flatten(normalize("NFC", source_text.title))
        for start, end in sentences(text):
            flat = flatten(text[start:end])
            label = _LABEL.match(flat) if source_text.source == "profile" else None
            flat = " " * label.end() + flat[label.end() :] if label else flat
            read.append(KnownSentence(flat, text[start:end], title, own, source))
    profiles = frozenset(
        source for source, source_text in enumerate(known) if source_text.source == "profile"
    )
    return Entailment(read, profiles, own_names, language)


def _holds_name(claim: DraftClaim, place: int) -> bool:
    """Tell whether a place belongs to a claim that may be written like a name: Christmas Day, degrees Celsius."""
    return claim.start <= place < claim.end and (
        claim.kind == "date" or (claim.kind == "number" and not _counts_things(claim))
    )


def _counts_things(claim: DraftClaim) -> bool:
    return claim.kind == "number" and isinstance(claim.value, tuple) and str(claim.value[1])[:1] == "~"


def _counts_nothing(claim: DraftClaim) -> bool:
    """Tell whether a number stands alone: of forty-six, six is nothing that forty counts."""
    return isinstance(claim.value, tuple) and claim.value[1] == "~"


def _without(flat: str, claimed: Sequence[DraftClaim]) -> str:
    """Return a flat sentence with blanks where something is claimed."""
    letters = list(flat)
    for claim in claimed:
        # What a number counts is a word like others: two siblings speak of siblings.
        counts = _counts_things(claim) and claim.value != "" and not _counts_nothing(claim)
        counted = _COUNTED.search(flat, claim.start, claim.end) if counts else None
        end = counted.start() if counted else claim.end
        start = claim.start - len(bounding_words(flat, claim))
        letters[start:end] = " " * (end - start)
    return "".join(letters)
