"""Cuts out of an answer what an absence is read from: the clause before a name, and what follows it."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from analytics.matching.absences.anaphora import pointed_back
from analytics.matching.absences.cue_rules import denies
from analytics.matching.absences.cue_words import lexicons
from analytics.matching.absences.detection import (
    GRAMMARS,
    LONGEST_AFTER,
    LONGEST_BEFORE,
    LONGEST_LEAD,
    denials,
    is_denied_after,
    is_denied_before,
    is_hedged,
    is_remarked,
)
from analytics.matching.absences.grammar import LINE_BREAK, NAME
from analytics.matching.absences.missing_parts import lacks_a_part
from analytics.text.folding import FoldedText, fold
from analytics.text.scripts import right_edge_is_free
from analytics.text.sentences import Sentences

_MARKUP = " \t*_#>-•:：|\"'“”\0\u200b0123456789.)"
_REMARK_WITHIN = 10
"""Characters after a name within which a line break (or a question mark at once) lets the next line be a remark about it."""
_SHOWN = re.compile(r"\S")
_REMARK_OPENS = re.compile(
    r"[*_\"”'’)\]]{0,4}[ \t]{0,3}(?:[:：|(（–—-]|[:：]?[*_]{0,3}[ \t]{0,3}\n)[*_ \t\n>•-]{0,8}"
)
_LONGEST_SENTENCE = 600
"""Folded characters of a sentence that is read as a whole, once for all its names."""
_REACH = 2 * LONGEST_AFTER
"""Folded characters after a name beyond which no denial is about it."""


class NameSpan(NamedTuple):
    """A name of the text: `[start, end)` in the original, and where it stands in the folded text."""

    start: int
    end: int
    folded_start: int
    folded_end: int


class AbsenceClauses:
    """Answers for each name of one text whether it is only said to be unknown; `names` in order.

    Only sentences that hold a word of denial are looked at.
    """

    def __init__(
        self, shown: str, folded: FoldedText, sentences: Sentences, names: Sequence[NameSpan]
    ) -> None:
        self._shown = shown
        self._folded = folded
        self._sentences = sentences
        self._names = names
        self._starts = [name.folded_start for name in names]
        self._bounds: dict[tuple[int, int], tuple[int, int]] = {}
        self._hedged: dict[tuple[int, int], bool] = {}
        self._rows: dict[tuple[int, int, int], str] = {}

    @cached_property
    def _denials(self) -> list[tuple[int, int]]:
        return denials(self._folded.text)

    @cached_property
    def _offsets(self) -> list[int]:
        return [offset for offset, _ in self._denials]

    def is_absence(self, name: NameSpan) -> bool:
        """Whether the words around the name say that nothing is known of it."""
        offsets = self._offsets
        nearest = bisect_left(offsets, name.folded_start - LONGEST_BEFORE)
        if nearest == len(offsets) or offsets[nearest] > name.folded_end + _REACH:
            return False
        sentence = self._sentences.around(name.start, name.end)
        if sentence not in self._bounds:
            self._bounds[sentence] = self._folded.position(sentence[0]), self._folded.position(sentence[1])
        low, high = self._bounds[sentence]
        if lacks_a_part(self._folded.text, low, name.folded_start, name.folded_end, high):
            return False
        low = self._past_brackets(name.folded_start, low)
        if offsets[nearest] < name.folded_start and self._is_denied_before(name, low, high):
            return True
        following = bisect_left(offsets, name.folded_end, nearest)
        near = following < len(offsets) and offsets[following] < high + LONGEST_LEAD
        if near and self._is_denied_after(name, low, high, sentence[1]):
            return True
        return self._is_denied_in_rows(name, low, high) or self._is_denied_of_it(name, sentence[1])

    def _is_denied_of_it(self, name: NameSpan, last: int) -> bool:
        """Whether a remark behind a name says of "this company" that nothing is known of it.

        The remark follows a colon, a dash or a bracket in the name's sentence, which ends at `last` in the original, or
        it is the line after a name that is alone in its own.
        """
        stop = _REMARK_OPENS.match(self._shown, name.end)
        if stop is None or ("\n" in stop.group() and not self._is_alone(name)):
            return False
        last = self._sentences.around(stop.end(), stop.end() + 1)[1] if stop.end() >= last else last
        low = self._folded.position(stop.end())
        high = min(self._folded.position(last), low + LONGEST_AFTER)
        remark = self._folded.text[low:high]
        for grammar in self._grammars(low, high):
            language = GRAMMARS[grammar].language
            shown = pointed_back(remark, language)
            if shown is None:
                continue
            before, after = shown.split(NAME, 1)
            lexicon = lexicons()[language]
            if is_denied_before((grammar,), before, after) or is_denied_after((grammar,), before, after):
                return True
            if denies(lexicon, lexicon.row(shown), 0):
                return True
        return False

    def _past_brackets(self, start: int, low: int) -> int:
        """Where the sentence of a name at `start` goes on after brackets that deny another: `Acme (not found) or Bravo`."""
        closed = self._folded.text.rfind(")", low, start)
        opened = self._folded.text.rfind("(", low, closed) if closed >= 0 else -1
        if opened < 0:
            return low
        denial = bisect_left(self._offsets, opened)
        return closed + 1 if denial < len(self._offsets) and self._offsets[denial] < closed else low

    def _is_denied_in_rows(self, name: NameSpan, low: int, high: int) -> bool:
        """Whether the cue words around a name deny it, in its sentence or in the line after a name alone in its line."""
        if high - low > _LONGEST_SENTENCE:
            low = max(low, name.folded_start - LONGEST_BEFORE)
            high = min(high, name.folded_end + LONGEST_AFTER)
        place = bisect_left(self._starts, name.folded_start) - bisect_left(self._starts, low)
        for grammar in self._grammars(low, high):
            lexicon = lexicons()[GRAMMARS[grammar].language]
            key = low, high, grammar
            if key not in self._rows:
                self._rows[key] = lexicon.row(self._text(low, high))
            if denies(lexicon, self._rows[key], place):
                return True
        rest = self._shown[name.end : name.end + _REMARK_WITHIN]
        if rest.startswith("?"):
            return self._is_denied_next(name, high, name.end + 1)
        if "\n" not in rest or not self._is_alone(name):
            return False
        return self._is_denied_next(name, high, self._shown.find("\n", name.end))

    def _is_denied_next(self, name: NameSpan, high: int, last: int) -> bool:
        """Whether the line or sentence after a name that is alone in its own denies it; it begins after `last`."""
        grammars = self._grammars(high, high + LONGEST_AFTER)
        if not grammars:
            return False
        opened = _SHOWN.search(self._shown, last)
        if opened is None:
            return False
        below, end = self._sentences.around(opened.start(), opened.end())
        following = (
            f"{NAME}: {fold(self._shown[below : min(end, below + LONGEST_AFTER)]).text.lstrip('-•+# ')}"
        )
        return any(
            denies(lexicon, lexicon.row(following), 0)
            for lexicon in (lexicons()[GRAMMARS[grammar].language] for grammar in grammars)
        )

    def _is_denied_before(self, name: NameSpan, low: int, high: int) -> bool:
        """`[low, high)` is the sentence of the name in the folded text."""
        start = name.folded_start
        low = max(low, start - LONGEST_BEFORE)
        if not self._grammars(low, start):
            return False
        clause = self._sentences.clause(name.start, name.end)[0]
        low = max(low, self._folded.position(clause))
        grammars = self._grammars(low, start)
        if not grammars:
            return False
        after = self._text(name.folded_end, min(high, name.folded_end + LONGEST_LEAD))
        return is_denied_before(grammars, self._text(low, start), after)

    def _is_denied_after(self, name: NameSpan, low: int, high: int, last: int) -> bool:
        """`last` is where the sentence ends in the original text."""
        end = self._end_of_word(name.folded_end)
        grammars = self._grammars(end, min(high + LONGEST_LEAD, end + _REACH))
        if not grammars:
            return False
        before = self._text(max(low, name.folded_start - LONGEST_LEAD), name.folded_start)
        if self._grammars(end, min(high, end + LONGEST_AFTER)):
            after = self._text(end, min(high, end + LONGEST_AFTER))
            if is_denied_after(grammars, before, after):
                return True
        rest = self._shown[name.end : name.end + _REMARK_WITHIN]
        alone = rest.startswith("?") or ("\n" in rest and self._is_alone(name))
        return is_remarked(grammars, before, lambda: self._following(name, last), alone=alone)

    def is_hedged(self, name: NameSpan) -> bool:
        """Whether the sentence around a name only speculates."""
        sentence = self._sentences.around(name.start, name.end)
        if sentence not in self._hedged:
            grammars = sorted({grammar for _, grammar in self._denials})
            self._hedged[sentence] = is_hedged(grammars, fold(self._shown[slice(*sentence)]).text)
        return self._hedged[sentence]

    def _grammars(self, start: int, end: int) -> Sequence[int]:
        low = bisect_left(self._offsets, start)
        high = bisect_left(self._offsets, end, low)
        if high - low < 2:
            return (self._denials[low][1],) if high > low else ()
        return sorted({grammar for _, grammar in self._denials[low:high]})

    def _end_of_word(self, end: int) -> int:
        """Where the ending of an inflected name ends."""
        folded = self._folded.text
        while end < len(folded) and not right_edge_is_free(folded[end - 1], folded[end]):
            end += 1
        return end

    def _is_alone(self, name: NameSpan) -> bool:
        low = self._shown.rfind("\n", 0, name.start) + 1
        high = self._shown.find("\n", name.end)
        rest = self._shown[low : name.start] + self._shown[name.end : high if high >= 0 else len(self._shown)]
        return not rest.strip(_MARKUP)

    def _following(self, name: NameSpan, last: int) -> str:
        """The folded text after a name up to the end of the sentence after its own, with a sign for each line break."""
        end = self._sentences.around(last, last + 1)[1] if last < len(self._shown) else last
        text = self._shown[name.end : min(end, name.end + LONGEST_AFTER)]
        return fold(text.replace("\n", LINE_BREAK)).text

    def _text(self, start: int, end: int) -> str:
        """A part of the folded text with a sign in place of each name."""
        first = bisect_left(self._starts, start)
        last = bisect_left(self._starts, end, first)
        if first == last:
            return self._folded.text[start:end]
        pieces: list[str] = []
        at = start
        for name in self._names[first:last]:
            if name.folded_start >= at and name.folded_end <= end:
                pieces += (self._folded.text[at : name.folded_start], NAME)
                at = name.folded_end
        return "".join((*pieces, self._folded.text[at:end]))
