"""What engines answer about a brand on a day: every answer is drawn, and the same seed draws the same ones."""

import json
import math
import random
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from bench.scale.market import CHANNELS, Panel, Watched
from bench.scale.pages import Page, own_pages, preferences, shared_pages
from bench.scale.texts import PooledText, TextPool
from storage.tables.columns import EPOCH, MICROSECOND

DAY = timedelta(days=1)
QUARTER = 91
STEPS = 0.4
"""Share of engines and entities whose rate takes a step on some day."""
DEGRADED = 0.015
"""Share of days on which a channel fails more often than it may."""
MODEL_DAYS = 110
COUNTS = tuple(
    min(60, round(random.Random(number).lognormvariate(2.55, 0.55)))  # a median of 13, a few above 40
    for number in range(1 << 10)
)
"""Numbers of pages that an answer cites."""
UNREAD = ("refused", "empty", "failed")


class Cited(NamedTuple):
    """One source of an answer. Places in the text are code points, or None."""

    page: int
    """Index among the pages of the brand's answers."""
    is_cited: bool
    """False for a page that was found and not used."""
    start: int | None
    end: int | None


class Drawn(NamedTuple):
    """One request and its answer; `status` is `failed` where none came."""

    prompt: int
    channel: int
    moment: int
    """Microseconds since 1970."""
    text: PooledText
    status: str
    is_truncated: bool
    is_known: bool
    """Whether its citations are known."""
    cited: tuple[Cited, ...]
    model: str
    latency: int

    @property
    def is_valid(self) -> bool:
        """Whether rates may count it."""
        return self.status == "answered" and not self.is_truncated


@cache
def liked_pages(seed: int, platform: str, quarter: int) -> list[int]:
    """Return the cached preferences of an engine."""
    return preferences(seed, platform, quarter)


@cache
def third_party_pages(seed: int) -> list[Page]:
    """Return the cached pages of third parties."""
    return shared_pages(seed)


class Engines:
    """How often each engine names each entity for each prompt of a brand, day by day."""

    def __init__(self, seed: int, brand: Watched) -> None:
        rng = random.Random(f"{seed}:{brand.name}:rates")
        entities = range(1 + len(brand.rivals))
        self._rates = [
            [rng.betavariate(2.6, 2.0) if entity == 0 else rng.betavariate(2.0, 2.0) for entity in entities]
            for _ in brand.prompts
        ]
        self._phases = [
            [(rng.random() * math.tau, rng.uniform(60, 400)) for _ in entities] for _ in brand.prompts
        ]
        self._offsets = [[rng.gauss(0.0, 0.08) for _ in entities] for _ in CHANNELS]
        self._steps = [
            [
                (rng.randrange(40, 400), rng.choice((-0.25, -0.15, 0.15, 0.25)))
                if rng.random() < STEPS
                else None
                for _ in entities
            ]
            for _ in CHANNELS
        ]
        self._moods = [(rng.random() * math.tau, rng.uniform(50, 200)) for _ in CHANNELS]

    def rates(self, prompt: int, number: int) -> list[float]:
        """Return the rates of all entities for a prompt on a day, before the engine is looked at."""
        return [
            rate + 0.12 * math.sin(number * math.tau / period + phase)
            for rate, (phase, period) in zip(self._rates[prompt], self._phases[prompt], strict=True)
        ]

    def shifts(self, channel: int, number: int) -> list[float]:
        """Return what an engine adds to the rates on a day."""
        return [
            offset + (step[1] if step and number >= step[0] else 0.0)
            for offset, step in zip(self._offsets[channel], self._steps[channel], strict=True)
        ]

    def mood(self, channel: int, number: int) -> float:
        """Return the exponent that makes an engine's texts better (below 1) or worse (above 1) on a day."""
        phase, period = self._moods[channel]
        return math.exp(0.6 * math.sin(number * math.tau / period + phase))


class Answers:
    """Draws the batches of one brand."""

    def __init__(self, seed: int, brand: Watched, pool: TextPool, pages_each: int, first: date) -> None:
        self.pool = pool
        self.brand = brand
        self._seed = seed
        self._first = first
        self._engines = Engines(seed, brand)
        own = own_pages(seed, brand, pages_each)
        self.pages = [*third_party_pages(seed), *(page for of_entity in own for page in of_entity)]
        self._own_first = len(self.pages) - len(own) * pages_each
        self._pages_each = pages_each

    def batch(self, panel: Panel, day: date, part: int = 0, *, fails: bool = True) -> Iterator[Drawn]:
        """Draw one batch of a day, prompt by prompt; without `fails`, every request is answered."""
        rng = random.Random(f"{self._seed}:{self.brand.name}:{day}:{part}")
        uniform = rng.random
        number = (day - self._first).days
        began = datetime(day.year, day.month, day.day, tzinfo=UTC) + part * DAY / panel.times
        step = DAY / panel.times / (panel.answers + 1) // MICROSECOND
        moments = count((began - EPOCH) // MICROSECOND + step, step)
        channels = range(panel.channels)
        shifts = [self._engines.shifts(channel, number) for channel in channels]
        moods = [self._engines.mood(channel, number) for channel in channels]
        failing = [0.006 if not fails or uniform() >= DEGRADED else 0.4 for _ in channels]
        models = [model_of(channel, number) for channel in channels]
        liked = [liked_pages(self._seed, CHANNELS[channel][0], number // QUARTER) for channel in channels]
        grounded = [CHANNELS[channel][1] == "readiness" for channel in channels]
        naming, refused, empty = self.pool.naming, self.pool.refused, self.pool.empty
        for prompt in range(panel.prompts):
            rates = self._engines.rates(prompt, number)
            for channel in channels:
                moment = next(moments)
                ending = uniform()
                latency = 800 + int(rng.expovariate(1 / 4_000))
                if ending < 0.017 + failing[channel]:
                    status, is_truncated = "answered", False
                    if ending < 0.008:
                        status, text = "refused", refused
                    elif ending < 0.009:
                        status, text = "empty", empty
                    elif ending < 0.017 or not fails:
                        text, is_truncated = naming[0][int(len(naming[0]) * uniform())], True
                    else:
                        status, text = "failed", empty
                    is_known = grounded[channel]
                    served = models[channel], latency
                    yield Drawn(prompt, channel, moment, text, status, is_truncated, is_known, (), *served)
                    continue
                named = 0
                for entity, (rate, shift) in enumerate(zip(rates, shifts[channel], strict=True)):
                    if uniform() < rate + shift:
                        named |= 1 << entity
                texts = naming[named]
                text = texts[int(len(texts) * uniform() ** moods[channel])]
                is_known, cited = False, ()
                if grounded[channel]:
                    is_known = uniform() >= 0.03
                    cited = self._cited(rng, liked[channel], len(text.text), named)
                served = models[channel], latency
                yield Drawn(prompt, channel, moment, text, "answered", False, is_known, cited, *served)

    def _cited(self, rng: random.Random, liked: list[int], length: int, named: int) -> tuple[Cited, ...]:
        """Draw sources; what an answer names, it cites more often."""
        uniform = rng.random
        chosen = dict.fromkeys(
            [liked[int(uniform() * len(liked))] for _ in range(COUNTS[int(uniform() * len(COUNTS))])]
        )
        if uniform() < 0.4:
            entity = int(uniform() * len(self.pool.keys))
            if named >> entity & 1 or uniform() < 0.3:
                own = self._own_first + entity * self._pages_each + int(uniform() ** 2 * self._pages_each)
                chosen = {own: None, **chosen} if uniform() < 0.5 else {**chosen, own: None}
        used = len(chosen) if uniform() < 0.8 else len(chosen) * 2 // 3
        placed = uniform() < 0.3
        cited: list[Cited] = []
        for at, page in enumerate(chosen):
            start = int(uniform() * (length - 40)) if placed and at < used else None
            cited.append(Cited(page, at < used, start, None if start is None else start + 40))
        return tuple(cited)


def model_of(channel: int, number: int) -> str:
    """Return the model that an engine serves on a day; each changes a few times a year."""
    platform = CHANNELS[channel][0]
    return f"{platform}-{1 + (number + sum(map(ord, platform)) % MODEL_DAYS) // MODEL_DAYS}"


def line(answers: Answers, drawn: Drawn) -> dict[str, Any]:
    """Return an answer in the form that an import reads."""
    platform, mode, country = CHANNELS[drawn.channel]
    written: dict[str, Any] = {
        "platform": platform,
        "mode": mode,
        "prompt": answers.brand.prompts[drawn.prompt],
        "text": drawn.text.text,
        "captured_at": (EPOCH + drawn.moment * MICROSECOND).isoformat(),
        "model": drawn.model,
        "country": country,
        "status": drawn.status,
    }
    if drawn.is_truncated:
        written["truncated"] = True
    if mode == "readiness":
        written["citations"] = [citation(answers.pages[cited.page], cited) for cited in drawn.cited]
        if not drawn.is_known:
            written["citations_known"] = False
    return written


def citation(page: Page, cited: Cited) -> dict[str, Any]:
    """Return a source in the form that an import reads."""
    written: dict[str, Any] = {
        "url": page.url,
        "title": page.title,
        "kind": "cited" if cited.is_cited else "retrieved",
    }
    if cited.start is not None:
        written |= {"start": cited.start, "end": cited.end}
    return written


def write(lines: Iterator[dict[str, Any]] | list[dict[str, Any]], path: Path) -> Path:
    """Write lines for an import."""
    path.write_text("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines), encoding="utf-8")
    return path
