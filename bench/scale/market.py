"""A seeded market: brands, their competitors, prompts and panels, and the channels that are asked."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bench.extraction import names

RIVALS = 5
DAYS = 400
ITEMS = 12
BODY = 18_000
"""Characters in a repository item: a long page."""
CATEGORIES = ("blog", "product", "faq")
INTENTS = ("choose", "compare", "repair", "buy", "finance")
TAGS = ("price", "service", "city", "electric")
SUFFIX = "-synthetic-sample.com"
"""Suffix of every host. Hosts under .example have no registrable domain, so their citations would not be counted."""
SOURCES = tuple(f"source{number}{SUFFIX}" for number in range(400))
CHANNELS = (
    ("chatgpt", "readiness", "DE"),
    ("chatgpt", "visibility", "DE"),
    ("perplexity", "readiness", "US"),
    ("claude", "readiness", "DE"),
    ("claude", "visibility", "DE"),
    ("gemini", "readiness", "DE"),
    ("chatgpt", "readiness", "US"),
)
"""Platform, mode and country; panels ask through the first of them. One engine is asked from two countries."""
COUNTRIES = ("DE", "US")
MOST_SMALL = 16
"""Prompts of a brand that is asked about little; a panel asks the first of them."""
SECOND_SET = 4
"""One prompt in so many belongs to the second prompt set of a brand with many prompts."""


@dataclass(frozen=True, slots=True)
class Panel:
    """What is asked about a brand: so many prompts in the first channels, so many times, every so many days."""

    prompts: int
    channels: int
    batches: int
    every: int
    times: int = 1
    """Batches on each of these days."""

    @property
    def answers(self) -> int:
        """Answers of one batch."""
        return self.prompts * self.channels


@dataclass(frozen=True, slots=True)
class Size:
    """One brand that is asked about a lot, and others."""

    name: str
    brands: int
    large: Panel
    small: Panel
    followed: int
    """How many of the others are asked about again and again; the rest is asked about once, on the last day."""
    varied: bool = False
    """Whether the panels of the others differ, and the first of them is asked about twice a day."""

    def panel(self, number: int) -> Panel:
        """Return the panel of a brand; the large one is number 0."""
        if number == 0:
            return self.large
        panel = self.small
        if self.varied:
            rng = random.Random(f"panel {number}")
            panel = replace(
                panel,
                prompts=panel.prompts + rng.choice((-1, 0, 0, 1, 2)),
                channels=panel.channels + rng.choice((-1, 0, 0, 1)),
                times=2 if number == 1 else 1,
            )
        return panel if number <= self.followed else replace(panel, batches=1, times=1)


FULL = Size("full", 200, Panel(435, 7, DAYS, 1), Panel(12, 3, 100, 4), 199, varied=True)
TENTH = Size("tenth", 20, Panel(43, 7, DAYS, 1), Panel(12, 3, 100, 4), 19, varied=True)
TWENTY = Size("twenty", 200, Panel(12, 3, 366, 1), Panel(12, 3, 4, 90), 9, varied=True)
TWENTY_OF_TENTH = Size("twenty", 20, Panel(12, 3, 366, 1), Panel(12, 3, 16, 24), 9, varied=True)
"""The sizes of a pair answer a call with as much: they have brands and the days of the longest period in common, and
calls are about brands that are followed. How many are, and with how many prompts and channels, differs."""


@dataclass(frozen=True, slots=True)
class Watched:
    """One brand of the market."""

    name: str
    rivals: tuple[str, ...]
    prompts: tuple[str, ...]

    @property
    def sites(self) -> tuple[str, ...]:
        """The site of the brand and of each competitor."""
        return tuple(f"{site(name)}" for name in (self.name, *self.rivals))

    def file(self) -> dict[str, Any]:
        """Return the brand as `seenby brand import` reads it."""
        own, *others = self.sites
        return {
            "name": self.name,
            "domains": [own],
            "industry": "cars",
            "website": f"https://{own}/",
            "keywords": ["car", "dealer"],
            "competitors": [
                {"name": name, "domains": [at]} for name, at in zip(self.rivals, others, strict=True)
            ],
            "repositoryItems": [
                {
                    "title": f"{self.name} explains number {number}",
                    "body": (f"Warranty and service, part {number}. " * BODY)[:BODY],
                    "category": CATEGORIES[number % len(CATEGORIES)],
                }
                for number in range(ITEMS)
            ],
            "promptSets": [
                {
                    "name": f"Questions about {self.name}" + (f", part {part + 1}" if part else ""),
                    "prompts": [
                        {
                            "text": asked,
                            "intent": INTENTS[number % len(INTENTS)],
                            "tags": tags_of(number),
                        }
                        for number, asked in prompts
                    ],
                }
                for part, prompts in enumerate(self._sets())
            ],
        }

    def _sets(self) -> list[list[tuple[int, str]]]:
        numbered = list(enumerate(self.prompts))
        if len(numbered) < 10 * SECOND_SET:
            return [numbered]
        second = [prompt for prompt in numbered if prompt[0] % SECOND_SET == SECOND_SET - 1]
        return [[prompt for prompt in numbered if prompt not in second], second]


def tags_of(number: int) -> list[str]:
    """Return the tags of a prompt: none, one or two."""
    if number % 7 == 6:
        return []
    first = TAGS[number % len(TAGS)]
    return sorted({first, TAGS[number // 2 % len(TAGS)]}) if number % 3 == 0 else [first]


def site(name: str) -> str:
    """Return the host of a name."""
    return "".join(letter for letter in name.casefold() if letter.isascii() and letter.isalnum()) + SUFFIX


def market(seed: int, brands: int) -> list[Watched]:
    """Make the brands; the first is the one that is asked about a lot. Nothing depends on the size."""
    rng = random.Random(seed)
    invented = names(rng, brands * (RIVALS + 1))
    rng.shuffle(invented)
    return [
        Watched(
            name=invented[number * (RIVALS + 1)],
            rivals=tuple(invented[number * (RIVALS + 1) + 1 : (number + 1) * (RIVALS + 1)]),
            prompts=tuple(
                prompt_of(number, prompt, invented[number * (RIVALS + 1) : (number + 1) * (RIVALS + 1)])
                for prompt in range(FULL.large.prompts if number == 0 else MOST_SMALL)
            ),
        )
        for number in range(brands)
    ]


def prompt_of(brand: int, number: int, entities: Sequence[str]) -> str:
    """Return a question; a few name the brand, and a few a competitor."""
    own, *rivals = entities
    if number % 29 == 11:
        return f"Is {own} a good dealer for purpose {brand}.{number}?"
    if number % 23 == 8:
        return f"Which dealer is better than {rivals[number % RIVALS]} for purpose {brand}.{number}?"
    return f"Which dealer is good for purpose {brand}.{number}?"
