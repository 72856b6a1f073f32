"""Tells the wording of a part of a sentence from what it claims: ordinary words, everyday words, the reader's world."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from analytics.grounding.comparisons import is_without_exception
from analytics.grounding.everyday_words import is_everyday
from analytics.grounding.facts import Word, WordIndex
from analytics.grounding.ordinary_words import is_deed, is_ordinary
from analytics.grounding.reader_spans import is_of_company
from analytics.grounding.speech_acts import Span

_EVERYBODY: Final = re.compile(
    r"\b(?:every(?:one|body)|people|drivers|families|alle|jeder|leute|tout le monde|todos|todo el mundo|tutti"
    r"|iedereen|mensen|gens)\b"
)
_SPEAKERS: Final[Mapping[str, re.Pattern[str]]] = {
    "en": re.compile(r"\b(?:we|you|i|let|let's)\b"),
    "de": re.compile(r"\b(?:wir|sie|ihr|du|ich|man)\b"),
    "fr": re.compile(r"\b(?:nous|vous|on|je|tu)\b"),
    "es": re.compile(r""),
    "it": re.compile(r""),
    "nl": re.compile(r"\b(?:wij|we|u|je|jij|ik)\b"),
}
"""Who speaks and who is spoken to; what others say of the company is praise. Spanish and Italian verbs say it alone."""
_READER: Final = re.compile(
    r"\b(?:you|your|yours|yourself|they|them|sie|ihr\w{0,2}|ihnen|du|dein\w{0,2}|vous|votre|vos|sus?|usted\w*|le|voi"
    r"|vi|vostr\w"
    r"|lei|u|uw|je|jij|jouw)\b"
)
_FINDS: Final = re.compile(
    r"\b(?:available|find|get|have access|there (?:is|are)|finden|gibt es|verfugbar|bekommen|trouv\w+|il y a"
    r"|disponible\w*|encontrar\w*|hay|trov\w+|c'e|ci sono|disponibil\w|vindt|vinden|krijgt|beschikbaar)\b"
)
"""What makes a thing that readers have around them one that they are offered."""
_OFFERS: Final = re.compile(
    r"\b(?:there(?:'s| is| are| will be)|es gibt|gibt es|il y a|on trouve|hay|c'e|ci sono|(?:er"
    r"|daar) (?:is|zijn|staat))\b"
)
"""What says that a thing is there."""
_INFINITIVE: Final[Mapping[str, re.Pattern[str]]] = {
    "en": re.compile(r"(?!)"),
    "de": re.compile(r"(?!)"),
    "fr": re.compile(r"\b\w+(?:er|ir|re)\b"),
    "es": re.compile(r"\b\w+[aei]r\b"),
    "it": re.compile(r"\b\w+[aei]re\b"),
    "nl": re.compile(r"(?!)"),
}
"""Verbs that another verb of the part carries, where their form shows it."""
_BOAST: Final = re.compile(r"\b(?:\w{3,}(?:est|ste[nrsm]?)|other|ander\w*|autres?|otr[oa]s?|altr[oaie])\b")
"""What sets one above the others, or speaks of others, whoever is spoken to."""
_THE: Final = re.compile(
    r"\b(?:the|this|der|die|das|dem|den|dieser?|le|la|l'|ce|cette|el|este|esta|il|lo|questo|questa|de|het|deze"
    r"|dit)[ ]?\Z"
)


@dataclass(frozen=True, slots=True)
class Wording:
    """Tells which words of a part no fact needs to have.

    `is_unknown` says that no fact has a word in a language, `is_everywhere` that a word tells no text of the facts
    from the others; `texts` are the words of each of these texts, `own_name` finds the company's name.
    """

    own_name: re.Pattern[str] | None
    is_unknown: Callable[[Word, str], bool]
    is_everywhere: Callable[[Word], bool]
    texts: Sequence[WordIndex]

    def as_plain(
        self, flat: str, part: Span, words: Sequence[Word], readers: Sequence[Span], language: str
    ) -> list[Word]:
        """Return the words of a part of a flat sentence, with those that are wording as plain ones.

        `readers` are the parts of the sentence that speak of the reader or of people in general.
        """
        said = flat[slice(*part)]
        ours = is_of_company(said, self.own_name) or _names_company(flat, words)
        opened = self._ordinary(said, part[0], words, readers, language, ours=ours)
        read = [replace(word, plain=True) if word in opened else word for word in words]
        everyday = self._everyday(
            said, part[0], read, language, ours=ours, at_readers=not ours and _READER.search(said) is not None
        )
        return [replace(word, plain=True) if word in everyday else word for word in read]

    def _ordinary(
        self,
        flat: str,
        start: int,
        words: Sequence[Word],
        readers: Sequence[Span],
        language: str,
        *,
        ours: bool,
    ) -> list[Word]:
        """Return the words that no fact has and that are ordinary wording or speak of the reader's world."""
        own_part = "".join(
            " " if any(low <= place < high for low, high in readers) else letter
            for place, letter in enumerate(flat, start)
        )
        # Never and always make a record or a promise of any words.
        if ours and is_without_exception(own_part):
            return []
        of_customers = (
            _EVERYBODY.search(flat) is not None
            or (ours and _SPEAKERS[language].search(flat) is None)
            or any("visitor" in word.meanings for word in words)
        )
        at_readers = not ours and _READER.search(flat) is not None and _FINDS.search(flat) is None
        return [
            word
            for word in words
            if self.is_unknown(word, language)
            and (
                is_ordinary(word.text, language, ours=ours, of_customers=of_customers, at_readers=at_readers)
                or (
                    any(low <= word.start < high for low, high in readers) and not _BOAST.fullmatch(word.text)
                )
            )
        ]

    def _everyday(
        self, flat: str, start: int, words: Sequence[Word], language: str, *, ours: bool, at_readers: bool
    ) -> list[Word]:
        """Return the words of everyday life that no fact has, if what is left of the part is in one text.

        Where they stand beside what two texts say, they may say what neither does.
        """
        unknown = [
            word
            for word in words
            if self.is_unknown(word, language) and is_everyday(word.text, language, at_readers=at_readers)
        ]
        told = [
            word for word in words if not word.plain and word not in unknown and not self.is_everywhere(word)
        ]
        known = [word for word in words if not word.plain and word not in unknown]
        offered = _OFFERS.search(flat)
        if offered is not None:  # that there is a lift is no way to tell another fact
            unknown = [word for word in unknown if word.start < start + offered.start()]
        if not known and ours:  # beside no fact, what the company does is a claim: the practice has grown
            return [
                word
                for word in unknown
                if not is_deed(word.text, language) or _INFINITIVE[language].fullmatch(word.text)
            ]
        is_at_hand = not told or any(
            all(text.holds(word) or text.holds_compound(word.text, language) for word in told)
            for text in self.texts
        )
        return unknown if is_at_hand else []


def _names_company(flat: str, words: Sequence[Word]) -> bool:
    """Tell whether one of these words is the company's house or trade, `the practice`."""
    return any(
        "company" in word.meanings and _THE.search(flat, max(0, word.start - 10), word.start)
        for word in words
    )
