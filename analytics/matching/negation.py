"""Detects negated mentions: an answer names an entity only to say that it knows nothing about it.

The cue words of each language are data (`negation_cues.toml`), and there is a single scope rule. A mention is
negated if, within its sentence and a dozen words around it, a negating word is close to a word for knowing or
finding, or a single word denies knowledge. It is not negated if something else is denied ("no complaints"). A
word such as "but" ends the scope if another name follows it. If a name is alone on its line, the next line is
checked in the same way.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import product
from typing import Final, NamedTuple

from analytics.matching.negation_cues import NAME, Cue, CueWords, cue_words
from analytics.text.folding import FoldedText, fold
from analytics.text.sentences import Sentences

_SCOPE: Final = 12
"""Words on each side of a name that can negate it."""
_NEAR: Final = 6
"""Maximum distance in words between a negating word and what it negates."""
_LONGEST_SENTENCE: Final = 600
"""Folded characters of a sentence that are examined on each side of a name."""
_REMARK_WITHIN: Final = 10
"""Characters after a name within which a line break makes the next line a remark about it."""
_MARKUP = " \t*_#>-•:：|\"'“”\0\u200b0123456789.)"
_SHOWN = re.compile(r"\S")
_PART_OF_IT = re.compile(r"['’]s? (?!(?:own |very |actual )?(?:existence|presence|name|identity)\b)[a-z]")
"""Follows a name if only some aspect of it is unknown: `no information on Acme's prices`."""


class NameSpan(NamedTuple):
    """A name in the text: `[start, end)` in the original, and the matching span in the folded text."""

    start: int
    end: int
    folded_start: int
    folded_end: int


class NegatedMentions:
    """Decides for each name of one text whether its mention is negated; `names` are in order."""

    def __init__(
        self,
        shown: str,
        folded: FoldedText,
        sentences: Sentences,
        names: Sequence[NameSpan],
        languages: Callable[[], AbstractSet[str]],
    ) -> None:
        self._shown = shown
        self._folded = folded
        self._sentences = sentences
        self._names = names
        self._starts = [name.folded_start for name in names]
        self._languages = languages
        self._read: dict[tuple[int, int], list[list[int]]] = {}

    def is_negated(self, name: NameSpan) -> bool:
        """Return whether the words around the name say that nothing is known about it."""
        if _PART_OF_IT.match(self._folded.text, name.folded_end):
            return False
        low, high = self._bounds(name)
        nearest = bisect_left(self._denials, low)
        if nearest == len(self._denials) or self._denials[nearest] > high + _LONGEST_SENTENCE:
            return False
        place = bisect_left(self._starts, name.folded_start) - bisect_left(self._starts, low)
        if self._denials[nearest] < high and any(_is_denied(cues, place) for cues in self._cues(low, high)):
            return True
        remark = self._remark(name)
        return remark is not None and any(_is_denied(words.cues(remark), 0) for words in self._words)

    def is_hedged(self, name: NameSpan) -> bool:
        """Return whether the sentence only speculates or asks; after a negated mention, that makes it negated too."""
        low, high = self._bounds(name)
        if "?" in self._folded.text[low:high]:
            return True
        return any(Cue.HEDGES & cue for cues in self._cues(low, high) for cue in cues)

    def _bounds(self, name: NameSpan) -> tuple[int, int]:
        """Return the bounds of a name's sentence in the folded text."""
        low, high = map(self._folded.position, self._sentences.around(name.start, name.end))
        if high - low > _LONGEST_SENTENCE:
            low, high = (
                max(low, name.folded_start - _LONGEST_SENTENCE),
                min(high, name.folded_end + _LONGEST_SENTENCE),
            )
        return low, high

    @cached_property
    def _words(self) -> list[CueWords]:
        """The cue words of the answer's and the prompt's languages, or of all languages if both are unknown."""
        languages = self._languages() or cue_words().keys()
        return [words for language, words in cue_words().items() if language in languages]

    @cached_property
    def _denials(self) -> list[int]:
        """Start positions of possible denials in the text. Most sentences have none and need no further analysis."""
        return sorted({at for words in self._words for at in words.denials(self._folded.text)})

    def _cues(self, low: int, high: int) -> list[list[int]]:
        if (low, high) not in self._read:
            text = self._text(low, high)
            self._read[low, high] = [words.cues(text) for words in self._words]
        return self._read[low, high]

    def _text(self, low: int, high: int) -> str:
        """Return a part of the folded text with `NAME` in place of each name."""
        pieces: list[str] = []
        at = low
        for name in self._names[bisect_left(self._starts, low) : bisect_left(self._starts, high)]:
            pieces += self._folded.text[at : name.folded_start], NAME
            at = name.folded_end
        return "".join([*pieces, self._folded.text[at:high]])

    def _remark(self, name: NameSpan) -> str | None:
        """Return the line after a name alone on its line, or the sentence after `Acme?`, preceded by `NAME`."""
        rest = self._shown[name.end : name.end + _REMARK_WITHIN]
        if not rest.startswith("?") and not ("\n" in rest and self._is_alone(name)):
            return None
        opened = _SHOWN.search(
            self._shown, name.end + 1 if rest.startswith("?") else self._shown.find("\n", name.end)
        )
        if opened is None:
            return None
        low, high = self._sentences.around(opened.start(), opened.end())
        return f"{NAME} {fold(self._shown[low : min(high, low + _LONGEST_SENTENCE)]).text}"

    def _is_alone(self, name: NameSpan) -> bool:
        low = self._shown.rfind("\n", 0, name.start) + 1
        high = self._shown.find("\n", name.end)
        rest = self._shown[low : name.start] + self._shown[name.end : high if high >= 0 else len(self._shown)]
        return not rest.strip(_MARKUP)


def _is_denied(cues: Sequence[int], place: int) -> bool:
    """Return whether a sentence denies knowledge of the name at this position among its names."""
    at = [at for at, cue in enumerate(cues) if cue & Cue.NAME][place : place + 1]
    if not at:
        return False
    low, high = _scope(cues, at[0])
    scope = cues[low:high]
    if any(cue & Cue.OTHER for cue in scope):
        return False
    if any(cue & Cue.LACKS for cue in scope):
        return True
    negates = [place for place, cue in enumerate(scope) if cue & Cue.NEGATES]
    knows = [place for place, cue in enumerate(scope) if cue & Cue.KNOWS]
    return any(_are_joined(scope, denial, denied) for denial, denied in product(negates, knows))


def _are_joined(scope: Sequence[int], denial: int, denied: int) -> bool:
    """Return whether a negating word is close to another, without a comma or a "but" between them."""
    low, high = min(denial, denied), max(denial, denied)
    return 0 < high - low <= _NEAR and not any(cue & (Cue.PAUSE | Cue.BUT) for cue in scope[low + 1 : high])


def _scope(cues: Sequence[int], at: int) -> tuple[int, int]:
    """Return `[low, high)` of the words around a name, ending at a period or at a "but" followed by another name."""
    low, high = max(0, at - _SCOPE), min(len(cues), at + _SCOPE + 1)
    for place in range(at - 1, low - 1, -1):
        if cues[place] & Cue.STOP or (cues[place] & Cue.BUT and _names(cues[low:place])):
            low = place + 1
            break
    for place in range(at + 1, high):
        if cues[place] & Cue.STOP or (cues[place] & Cue.BUT and _names(cues[place:high])):
            high = place
            break
    return low, high


def _names(cues: Sequence[int]) -> bool:
    return any(cue & Cue.NAME for cue in cues)
