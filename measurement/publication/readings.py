"""Shared extraction results of daily documents: equal results are a single object."""

from collections.abc import Mapping, Sequence
from typing import Any
from weakref import WeakValueDictionary

from analytics.observation import Channel
from measurement.planning.brand_identity import BRAND_KEY
from measurement.publication.said import ReadWords, SaidOfEntity, read_mentions


class OwnReading:
    """What answers to one prompt say about the brand, and how many entities they name, the brand included.

    The positions of competitors do not set two results apart.
    """

    __slots__ = ("__weakref__", "channel", "mentions", "own", "prompt_id", "prompt_sha256", "words")

    def __init__(
        self,
        prompt: tuple[str, str],
        channel: Channel,
        words: ReadWords,
        own: SaidOfEntity,
        mentions: int,
    ) -> None:
        self.prompt_id, self.prompt_sha256 = prompt
        self.channel = channel
        self.words = words
        self.own = own
        self.mentions = mentions


class AlikeReading:
    """The extraction result of equal answers to one prompt through one channel.

    The hash identifies the text of the prompt. All days hold the same object for the same result, so answers
    are counted without comparing what they say. `written` holds mentions as `read_mentions` parses them. A
    process caches many thousands of these, so they are small.
    """

    __slots__ = ("__weakref__", "_own", "channel", "prompt_id", "prompt_sha256", "words", "written")

    def __init__(
        self, prompt: tuple[str, str], channel: Channel, words: ReadWords, written: tuple[Any, ...]
    ) -> None:
        self.prompt_id, self.prompt_sha256 = prompt
        self.channel = channel
        self.words = words
        self.written = written
        self._own: OwnReading | None = None

    @property
    def said(self) -> tuple[SaidOfEntity, ...]:
        """Mentions of entities in the answers, by key."""
        return read_mentions(self.written)

    @property
    def own(self) -> OwnReading:
        """The part of the result that concerns only the brand."""
        if self._own is None:
            self._own = self._read_own()
        return self._own

    def _read_own(self) -> OwnReading:
        written = self.written
        places = written[1::3]
        mentions = len(places) - places.count(None)
        own = written[1:3] if written and written[0] == BRAND_KEY else (None, 0)
        prompt = self.prompt_id, self.prompt_sha256
        key = (prompt, self.channel, self.words, *own, mentions)
        shared = _OWN_READINGS.get(key)
        if shared is None:
            (of_brand,) = read_mentions((BRAND_KEY, *own))
            shared = _OWN_READINGS[key] = OwnReading(prompt, self.channel, self.words, of_brand, mentions)
        return shared


AlikeRows = Sequence[tuple[AlikeReading, int]]
"""Extraction results, each with its number of answers."""
ReadingCounts = Mapping[AlikeReading, int]

_READINGS: WeakValueDictionary[tuple[Any, ...], AlikeReading] = WeakValueDictionary()
_OWN_READINGS: WeakValueDictionary[tuple[Any, ...], OwnReading] = WeakValueDictionary()
"""Results that some day holds.

Two threads may create the same one twice. It is then counted in two parts with the same sum.
"""


def shared_reading(
    prompt: tuple[str, str], channel: Channel, words: ReadWords, written: tuple[Any, ...]
) -> AlikeReading:
    """Return the object that all days share for an extraction result."""
    key = (prompt, channel, words, written)
    shared = _READINGS.get(key)
    if shared is None:
        shared = _READINGS[key] = AlikeReading(prompt, channel, words, written)
    return shared


def count_readings() -> int:
    """Return the number of distinct extraction results in the days of this process."""
    return len(_READINGS)
