"""Alike readings: what was read in the answers of laid out days, each reading once however often it comes."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from analytics.observation import Channel
from measurement.laid_out_days import ChosenPlaces, LaidOutDay, ReadWords, SaidOfEntity, read_mentions


class AlikeReading(NamedTuple):
    """What was read in answers to one prompt, in the words that its hash names, through one channel."""

    prompt_id: str
    prompt_sha256: str
    channel: Channel
    words: ReadWords
    said: tuple[SaidOfEntity, ...]


class AlikeReadings:
    """The readings of some days by place, in the order in which they first came.

    Months of a brand hold few readings that differ: what a reading says is made once, and its answers are counted.
    """

    def __init__(self) -> None:
        self._readings: list[AlikeReading] = []
        self._places: dict[tuple[Any, ...], int] = {}
        self._values: dict[object, int] = {}

    def __getitem__(self, place: int) -> AlikeReading:
        """Return the reading at a place."""
        return self._readings[place]

    def __iter__(self) -> Iterator[AlikeReading]:
        """Return all readings in the order of their places."""
        return iter(self._readings)

    def count(self, day: LaidOutDay, chosen: ChosenPlaces, counts: dict[int, int]) -> None:
        """Add the chosen answers of a day to `counts`, which has how many there are by place."""
        # A day names its prompts, channels and words by places of its own: these are numbers of the whole.
        prompts, channels, words = (
            [self._values.setdefault((kind, value), len(self._values)) for value in values]
            for kind, values in enumerate((day.prompts, day.channels, day.words))
        )
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
