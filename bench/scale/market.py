"""A seeded market: brands, their competitors and prompts, and what engines answer on a day."""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bench.extraction import answer, names

RIVALS = 5
DAYS = 400
ITEMS = 12
BODY = 18_000
"""Characters in a repository item: a long page."""
NAMED = 0.52
"""Share of answers in which a competitor is a candidate. Answer texts name a few of them less often."""
CATEGORIES = ("blog", "product", "faq")
INTENTS = ("choose", "compare", "repair")
TAGS = ("price", "service")
SUFFIX = "-synthetic-sample.com"
"""Suffix of every host. Hosts under .example have no registrable domain, so their citations would not be counted."""
SOURCES = tuple(f"source{number}{SUFFIX}" for number in range(400))
CHANNELS = (
    ("chatgpt", "readiness"),
    ("chatgpt", "visibility"),
    ("perplexity", "readiness"),
    ("claude", "readiness"),
    ("claude", "visibility"),
    ("gemini", "readiness"),
    ("gemini", "visibility"),
)


@dataclass(frozen=True, slots=True)
class Panel:
    """What is asked about a brand: so many prompts in the first channels, so many times, every so many days."""

    prompts: int
    channels: int
    batches: int
    every: int

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

    @property
    def answers(self) -> int:
        """Answers of all brands."""
        once = self.brands - 1 - self.followed
        small = self.small.answers * (self.small.batches * self.followed + once)
        return self.large.answers * self.large.batches + small


FULL = Size("full", 200, Panel(435, 7, DAYS, 1), Panel(10, 3, 133, 3), 199)
HUNDREDTH = Size("hundredth", 200, Panel(10, 7, 90, 1), Panel(10, 3, 30, 3), 9)
TENTH = Size("tenth", 20, Panel(43, 7, DAYS, 1), Panel(10, 3, 133, 3), 19)
TENTH_OF_TENTH = Size("hundredth", 20, Panel(10, 7, 90, 1), Panel(10, 3, 30, 3), 9)
"""The sizes of a pair answer a call with as much: they have brands, channels and the days of the longest trend in
common, and calls are about brands that are followed. How many are, how long and with how many prompts differs."""


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
                    "name": f"Questions about {self.name}",
                    "prompts": [
                        {
                            "text": asked,
                            "intent": INTENTS[number % len(INTENTS)],
                            "tags": [TAGS[number % len(TAGS)]],
                        }
                        for number, asked in enumerate(self.prompts)
                    ],
                }
            ],
        }


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
                f"Which dealer is good for purpose {number}.{prompt}?"
                for prompt in range(FULL.large.prompts if number == 0 else FULL.small.prompts)
            ),
        )
        for number in range(brands)
    ]


def captured(rng: random.Random, brand: Watched, panel: Panel, day: datetime) -> Iterator[dict[str, Any]]:
    """Return the answers of one batch, spread over a day, in the form that an import reads."""
    step = timedelta(days=1) / (panel.answers + 1)
    moment = day
    for prompt in brand.prompts[: panel.prompts]:
        for platform, mode in CHANNELS[: panel.channels]:
            moment += step
            line = {
                "platform": platform,
                "mode": mode,
                "prompt": prompt,
                "text": text(rng, brand),
                "captured_at": moment.isoformat(),
                "model": f"{platform}-1",
                "country": "DE",
            }
            yield line | ({"citations": citations(rng, brand)} if mode == "readiness" else {})


def text(rng: random.Random, brand: Watched) -> str:
    """Write an answer that usually names the brand and some of its competitors."""
    named_rivals = [name for name in brand.rivals if rng.random() < NAMED]
    return answer(rng, [brand.name, brand.name, *named_rivals])


def citations(rng: random.Random, brand: Watched) -> list[dict[str, str]]:
    """Cite fifteen to twenty pages; one answer in three cites the brand itself."""
    hosts = rng.sample(SOURCES, rng.randint(15, 20))
    if rng.random() < 1 / 3:
        hosts[0] = brand.sites[rng.randrange(len(brand.sites))]
    return [
        {"url": f"https://www.{host}/page/{rng.randrange(40)}", "title": f"Page of {host}"} for host in hosts
    ]


def write(lines: Iterator[dict[str, Any]] | Sequence[dict[str, Any]], path: Path) -> Path:
    """Write lines for an import."""
    path.write_text("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines), encoding="utf-8")
    return path
