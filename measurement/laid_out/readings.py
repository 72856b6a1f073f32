"""Alike readings: what was read in the answers of laid out days, each reading once however often it comes."""

from collections.abc import Iterator
from typing import Any, Generic, NamedTuple, TypeVar

from analytics.observation import Channel
from measurement.brand_identity import BRAND_KEY
from measurement.laid_out.days import ChosenPlaces, LaidOutDay, ReadWords, SaidOfEntity, read_mentions

Reading = TypeVar("Reading")


class AlikeReading(NamedTuple):
    """What was read in answers to one prompt, in the words that its hash names, through one channel."""

    prompt_id: str
    prompt_sha256: str
    channel: Channel
    words: ReadWords
    said: tuple[SaidOfEntity, ...]


class _Places:
    """Numbers of the prompts, channels and words of all days, each of which names them by places of its own."""

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}

    def of_day(self, day: LaidOutDay) -> tuple[list[int], ...]:
        """Return the numbers of a day's prompts, channels and words, by place."""
        numbers = self._numbers
        return tuple(
            [numbers.setdefault((kind, value), len(numbers)) for value in values]
            for kind, values in enumerate((day.prompts, day.channels, day.words))
        )


class _Readings(Generic[Reading]):
    """Readings by place, in the order in which they first came."""

    def __init__(self) -> None:
        self._readings: list[Reading] = []
        self._places: dict[tuple[Any, ...], int] = {}
        self._numbers = _Places()

    def __getitem__(self, place: int) -> Reading:
        """Return the reading at a place."""
        return self._readings[place]

    def __iter__(self) -> Iterator[Reading]:
        """Return all readings in the order of their places."""
        return iter(self._readings)


class AlikeReadings(_Readings[AlikeReading]):
    """The readings of some days.

    Months of a brand hold few readings that differ: what a reading says is made once, and its answers are counted.
    """

    def count(self, day: LaidOutDay, chosen: ChosenPlaces, counts: dict[int, int]) -> None:
        """Add the chosen answers of a day to `counts`, which has how many there are by place."""
        prompts, channels, words = self._numbers.of_day(day)
        known = self._places
        for row in day.answers:
            prompt: int = row[0]
            channel: int = row[1]
            if not chosen[prompt][channel]:
                continue
            of_words: int = row[2]
            key: tuple[Any, ...] = (prompts[prompt], channels[channel], words[of_words], *row[4:])
            place = known.get(key)
            if place is None:
                place = known[key] = len(self._readings)
                self._readings.append(
                    AlikeReading(
                        *day.prompts[prompt],
                        day.channels[channel],
                        day.words[of_words],
                        read_mentions(row[4:]),
                    )
                )
            counts[place] = counts.get(place, 0) + row[3]


class OwnReading(NamedTuple):
    """What was read of the brand in answers to one prompt, and how many entities they name, the brand included."""

    prompt_id: str
    prompt_sha256: str
    channel: Channel
    words: ReadWords
    own: SaidOfEntity
    mentions: int


class OwnReadings(_Readings[OwnReading]):
    """As `AlikeReadings`, of the brand alone: where a rival stands in an answer makes no reading of its own."""

    def count(self, day: LaidOutDay, chosen: ChosenPlaces, counts: dict[int, int]) -> None:
        """Add the chosen answers of a day to `counts`, which has how many there are by place."""
        prompts, channels, words = self._numbers.of_day(day)
        known = self._places
        for row in day.answers:
            prompt: int = row[0]
            channel: int = row[1]
            if not chosen[prompt][channel]:
                continue
            of_words: int = row[2]
            said = row[5::3]
            mentions = len(said) - said.count(None)
            own: tuple[Any, ...] = (row[5], row[6]) if said and row[4] == BRAND_KEY else (None, 0)
            key: tuple[Any, ...] = (prompts[prompt], channels[channel], words[of_words], *own, mentions)
            place = known.get(key)
            if place is None:
                place = known[key] = len(self._readings)
                (of_brand,) = read_mentions((BRAND_KEY, *own))
                self._readings.append(
                    OwnReading(
                        *day.prompts[prompt], day.channels[channel], day.words[of_words], of_brand, mentions
                    )
                )
            counts[place] = counts.get(place, 0) + row[3]
