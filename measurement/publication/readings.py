"""Alike readings: what was read in the answers of laid out days, each reading once however often it comes."""

from collections.abc import Mapping, Sequence
from typing import Any
from weakref import WeakValueDictionary

from analytics.observation import Channel
from measurement.planning.brand_identity import BRAND_KEY
from measurement.publication.said import ReadWords, SaidOfEntity, read_mentions


class OwnReading:
    """What was read of the brand in answers to one prompt, and how many entities they name, the brand included.

    Where a rival stands in an answer makes no reading of its own.
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
    """What was read in answers to one prompt, in the words that its hash names, through one channel.

    Days hold the same object for the same reading, so that answers are counted without a look at what they say.
    `written` says of entities what `read_mentions` reads. A process keeps many thousands: they are small.
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
        """What the answers say of entities, by key."""
        return read_mentions(self.written)

    @property
    def own(self) -> OwnReading:
        """The same of the brand alone."""
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
"""What was read in answers, and in how many."""
ReadingCounts = Mapping[AlikeReading, int]

_READINGS: WeakValueDictionary[tuple[Any, ...], AlikeReading] = WeakValueDictionary()
_OWN_READINGS: WeakValueDictionary[tuple[Any, ...], OwnReading] = WeakValueDictionary()
"""Readings that some day holds. Two threads may make one twice: it is counted in two parts then, with the same sum."""


def shared_reading(
    prompt: tuple[str, str], channel: Channel, words: ReadWords, written: tuple[Any, ...]
) -> AlikeReading:
    """Return the object that stands for a reading in all days that hold it."""
    key = (prompt, channel, words, written)
    shared = _READINGS.get(key)
    if shared is None:
        shared = _READINGS[key] = AlikeReading(prompt, channel, words, written)
    return shared


def count_readings() -> int:
    """Return how many different readings the days of this process hold."""
    return len(_READINGS)
