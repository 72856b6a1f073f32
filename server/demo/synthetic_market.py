"""The synthetic market: eight weeks of invented answers about an invented brand, the same for every seed and day.

Week 4 changes the model of one engine. Week 5 brings one real change: the brand is named more often, and far more
often where buyers ask about cost. Week 6 has an outage of another engine, which from week 7 on gives German buyers a
wrong founding year for the brand. Week 7 brings an apparent change that is not real.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from measurement.planning.brand_files import BrandFile, PromptFile

WEEKS = 8
REPEATS = 2
SEED = 20_260_000
COUNTRIES = ("US", "DE")
MODEL_CHANGE, REAL_CHANGE, OUTAGE, APPARENT_CHANGE = 4, 5, 6, 7
OWN = "Zentrix"
SITES = "-synthetic-sample.com"
"""End of every invented host; hosts that end in `.example` count as no site."""
NAMED = {
    "reliability": {OWN: 0.8, "Morvani": 0.6, "Kelbrook": 0.3, "Tessaro": 0.25},
    "cost": {OWN: 0.2, "Morvani": 0.75, "Kelbrook": 0.5, "Tessaro": 0.2},
    "design": {OWN: 0.55, "Morvani": 0.3, "Kelbrook": 0.25, "Tessaro": 0.6},
    "service": {OWN: 0.45, "Morvani": 0.5, "Kelbrook": 0.2, "Tessaro": 0.15},
    "ease": {OWN: 0.05, "Morvani": 0.1, "Kelbrook": 0.7, "Tessaro": 0.3},
    "taste": {OWN: 0.1, "Morvani": 0.1, "Kelbrook": 0.05, "Tessaro": 0.1},
}
"""How often an answer to a question of each tag names each brand, before anything changes."""
FOUNDED, WRONG_YEAR = 1994, 1987
"""When the brand was founded, as one of its texts says, and what an engine comes to say."""
COST_AFTER = 0.7
"""How often answers about cost name the brand after the real change."""
LIFT_AFTER = 0.15
"""How much more often all other answers name it then."""
PRAISE = (
    "is reliable and well built",
    "is a good choice for most homes",
    "costs more than it should",
    "is easy to repair",
    "is quiet, and its service is excellent",
    "breaks more often than others",
)
THIRD_PARTIES = (
    f"brewtests{SITES}",
    f"kitchenjournal{SITES}",
    "www.reddit.com",
    "en.wikipedia.org",
    "www.youtube.com",
)


@dataclass(frozen=True, slots=True)
class SyntheticEngine:
    """One engine of the market. `lift` is added to the rate at which it names the brand."""

    platform: str
    searches: bool
    lift: float

    def model(self, week: int) -> str:
        """Return the model that the engine reports in a week."""
        changed = self.platform == "synthetic-perplexity" and week >= MODEL_CHANGE
        return f"{self.platform}-{2 if changed else 1}"


ENGINES = (
    SyntheticEngine("synthetic-chatgpt", True, 0.0),
    SyntheticEngine("synthetic-perplexity", True, 0.1),
    SyntheticEngine("synthetic-gemini", False, -0.1),
)


def answers_of_week(brand: BrandFile, week: int, day: datetime) -> Iterator[dict[str, Any]]:
    """Yield the answers of one week, 1 to 8, all captured on one day, in the import format."""
    moment = day
    prompts = [
        prompt
        for prompt_set in brand.prompt_sets
        for prompt in prompt_set.prompts
        if isinstance(prompt, PromptFile)
    ]
    for engine in ENGINES:
        for country in COUNTRIES:
            for number, prompt in enumerate(prompts):
                for repeat in range(REPEATS):
                    rng = random.Random(f"{SEED}/{week}/{engine.platform}/{country}/{number}/{repeat}")
                    moment += timedelta(seconds=20)
                    yield _answer(rng, engine, country, prompt, week, repeat, moment)


def _answer(
    rng: random.Random,
    engine: SyntheticEngine,
    country: str,
    prompt: PromptFile,
    week: int,
    repeat: int,
    moment: datetime,
) -> dict[str, Any]:
    line: dict[str, Any] = {
        "platform": engine.platform,
        "mode": "readiness" if engine.searches else "visibility",
        "prompt": prompt.text,
        "captured_at": moment.isoformat(),
        "model": engine.model(week),
        "country": country,
        "repeat": repeat,
        "source_id": f"synthetic-{week}-{engine.platform}-{country}-{prompt.text}-{repeat}",
    }
    out = week == OUTAGE and engine.platform == "synthetic-gemini" and rng.random() < 0.6
    if out:
        return line | {"text": "", "status": "empty"}
    named = _named(rng, engine, prompt.tags[0], week)
    misled = week >= APPARENT_CHANGE and engine.platform == "synthetic-gemini" and country == "DE"
    line["text"] = _text(rng, named, wrong_year=misled and prompt.tags[0] == "reliability")
    if engine.searches:
        line["citations"] = _citations(rng, named)
    return line


def _named(rng: random.Random, engine: SyntheticEngine, tag: str, week: int) -> list[str]:
    """Draw whom an answer names, in the order of its list."""
    chances = dict(NAMED[tag])
    if week >= REAL_CHANGE:
        chances[OWN] = COST_AFTER if tag == "cost" else chances[OWN] + LIFT_AFTER
    chances[OWN] += engine.lift
    if week == APPARENT_CHANGE and engine.platform == "synthetic-chatgpt":
        chances[OWN] += 0.05
    named = [name for name, chance in chances.items() if rng.random() < chance]
    return sorted(named, key=lambda name: rng.random() - chances[name])


def _text(rng: random.Random, named: Sequence[str], *, wrong_year: bool) -> str:
    if not named:
        return "It depends on how much coffee you drink and on the room there is. Try some in a shop before you buy."
    shown = {name: f"**{name}**" for name in named}
    if wrong_year and OWN in shown:
        shown[OWN] += f", founded in {WRONG_YEAR},"
    lines = [
        f"{place}. {shown[name]} {rng.choice(PRAISE)}. People who have had one for years say so again and again."
        for place, name in enumerate(named, start=1)
    ]
    opening = "Most tests agree on a short list for this question, in this order:"
    return "\n".join([opening, "", *lines, "", "Compare what a repair costs before you decide."])


def _citations(rng: random.Random, named: Sequence[str]) -> list[dict[str, str]]:
    """Cite three to five pages; makers that are named are cited more often than others."""
    hosts = rng.sample(THIRD_PARTIES, rng.randint(2, 4))
    hosts += [f"www.{name.casefold()}{SITES}" for name in named if rng.random() < 0.35]
    if OWN not in named and "Morvani" in named and rng.random() < 0.7:
        hosts.append(f"morvanifans{SITES}")
    return [
        {"url": f"https://{host}/page-{rng.randrange(1, 6)}" if host.endswith(SITES) else f"https://{host}/"}
        for host in dict.fromkeys(hosts)
    ]
