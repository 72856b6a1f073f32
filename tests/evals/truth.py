"""What is true of the synthetic market, counted in what its generator writes: no reader or tool of ours takes part."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from measurement.planning.brand_files import PromptFile, parse_brands
from server.demo.synthetic_market import ENGINES, OWN, WEEKS, answers_of_week

MARKET = "synthetic_brand.json"
NAMED = re.compile(r"\*\*(\w+)\*\*")
SHORT_HOSTS = {"en.wikipedia.org": "wikipedia.org"}
"""Hosts whose registrable domain is more than `www.` shorter."""
BEFORE, AFTER = (1, 2, 3, 4), (5, 6, 7, 8)
"""The weeks of the 28 days before the newest 28, and of the newest 28."""
NEWEST = (WEEKS,)


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """One answer as it was written; `names` in their order, `hosts` None where the engine does not search."""

    week: int
    platform: str
    country: str
    prompt: str
    tag: str
    intent: str | None
    names: tuple[str, ...]
    hosts: frozenset[str] | None
    valid: bool


class Market:
    """Every answer of the market, and shares of them."""

    def __init__(self) -> None:
        (self.brand,) = parse_brands((files("server") / "demo" / MARKET).read_bytes(), MARKET)
        self.prompts = {
            prompt.text: prompt
            for prompt_set in self.brand.prompt_sets
            for prompt in prompt_set.prompts
            if isinstance(prompt, PromptFile)
        }
        searching = {engine.platform for engine in ENGINES if engine.searches}
        day = datetime(2026, 1, 1, tzinfo=UTC)  # what is written does not depend on it
        self.answers = [
            self._written(week, line, line["platform"] in searching)
            for week in range(1, WEEKS + 1)
            for line in answers_of_week(self.brand, week, day)
        ]

    def _written(self, week: int, line: dict[str, Any], searches: bool) -> WrittenAnswer:
        prompt = self.prompts[line["prompt"]]
        urls: list[str] = [cited["url"] for cited in line.get("citations", ())]
        hosts = {urlsplit(url).netloc for url in urls}
        return WrittenAnswer(
            week=week,
            platform=line["platform"],
            country=line["country"],
            prompt=prompt.text,
            tag=prompt.tags[0],
            intent=prompt.intent,
            names=tuple(NAMED.findall(line["text"])),
            hosts=frozenset(SHORT_HOSTS.get(host, host.removeprefix("www.")) for host in hosts)
            if searches
            else None,
            valid=line.get("status", "answered") == "answered",
        )

    def chosen(self, weeks: Iterable[int], **wanted: str) -> list[WrittenAnswer]:
        """Return the valid answers of some weeks that have these values in these fields."""
        wanted_weeks = frozenset(weeks)
        return [
            answer
            for answer in self.answers
            if answer.valid
            and answer.week in wanted_weeks
            and all(getattr(answer, name) == value for name, value in wanted.items())
        ]

    def count(self, name: str, weeks: Iterable[int], **wanted: str) -> int:
        """Return how many valid answers name a brand."""
        return sum(name in answer.names for answer in self.chosen(weeks, **wanted))

    def rate(self, name: str, weeks: Iterable[int], **wanted: str) -> float:
        """Return the share of valid answers that name a brand."""
        chosen = self.chosen(weeks, **wanted)
        return sum(name in answer.names for answer in chosen) / len(chosen)

    def mean_rate(self, name: str, weeks: Iterable[int], **wanted: str) -> float:
        """Return the mean over prompts, and within a prompt over engines and countries, of the share that names a brand."""
        weeks = tuple(weeks)
        rates: list[float] = []
        for prompt in sorted({answer.prompt for answer in self.chosen(weeks, **wanted)}):
            cells = {
                (answer.platform, answer.country) for answer in self.chosen(weeks, prompt=prompt, **wanted)
            }
            shares = [
                self.rate(
                    name, weeks, **{**wanted, "prompt": prompt, "platform": platform, "country": country}
                )
                for platform, country in sorted(cells)
            ]
            rates.append(sum(shares) / len(shares))
        return sum(rates) / len(rates)

    def rise(self, name: str, platforms: Sequence[str], **wanted: str) -> float:
        """Return the change of the mean rate from the earlier four weeks to the later, over these engines together.

        Engines that served another model meanwhile say nothing about the brand's change, and are left to the caller.
        """
        rates = [
            [self.mean_rate(name, weeks, platform=platform, **wanted) for platform in platforms]
            for weeks in (BEFORE, AFTER)
        ]
        before, after = (sum(shares) / len(shares) for shares in rates)
        return after - before

    def cited(self, weeks: Iterable[int], **wanted: str) -> Counter[str]:
        """Return in how many answers each site is cited."""
        return Counter(host for answer in self.chosen(weeks, **wanted) for host in answer.hosts or ())

    def cited_instead(self, weeks: Iterable[int]) -> Counter[str]:
        """The same over answers that name a rival and not the brand."""
        instead = [answer for answer in self.chosen(weeks) if answer.names and OWN not in answer.names]
        return Counter(host for answer in instead for host in answer.hosts or ())

    def searching(self, weeks: Iterable[int], **wanted: str) -> int:
        """Return how many answers come from engines that search."""
        return sum(answer.hosts is not None for answer in self.chosen(weeks, **wanted))

    @property
    def rivals(self) -> list[str]:
        """The names of the rivals."""
        return [rival.name for rival in self.brand.competitors]

    def gap(self, prompt: str, weeks: Iterable[int]) -> float:
        """Return by how much the strongest rival is named more often than the brand."""
        weeks = tuple(weeks)
        return max(self.rate(rival, weeks, prompt=prompt) for rival in self.rivals) - self.rate(
            OWN, weeks, prompt=prompt
        )


def day_of_week(week: int, today: datetime) -> str:
    """Return the day on which a week was measured, for a history loaded on this day."""
    loaded = datetime.combine(today.date(), time(6), UTC)
    return (loaded - timedelta(days=1 + 7 * (WEEKS - week))).date().isoformat()
