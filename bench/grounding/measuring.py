"""How many sentences without a fact the fact guard lets through, and how many good ones it refuses."""

import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from analytics.grounding.support import VERSION, Grounding, KnownText

SENTENCES = Path(__file__).with_name("sentences.toml")
MOST_FALSE_ACCEPTS, MOST_FALSE_REFUSALS = 0.02, 0.05


@dataclass(frozen=True, slots=True)
class Judgement:
    """One labelled sentence and what the guard says of it."""

    sentence: str
    language: str
    keep: bool
    kept: bool
    held_out: bool
    missing: tuple[str, ...]


def judge() -> Iterator[Judgement]:
    """Yield every labelled sentence with the guard's verdict; each is checked by itself."""
    with SENTENCES.open("rb") as file:
        companies = tomllib.load(file)["company"]
    for company in companies:
        known = [KnownText("profile", company["profile"])]
        known += [KnownText(f"item {title}", body, title) for title, body in company["items"]]
        grounding = Grounding(known, (company["name"],))
        for label in ("keep", "refuse"):
            for place, sentence in enumerate(company[label]):
                missing = [fact for statement in grounding.check(sentence) for fact in statement.missing]
                words = tuple(f"{fact.kind}: {fact.words}" for fact in missing)
                yield Judgement(
                    sentence, company["language"], label == "keep", not missing, place % 2 == 1, words
                )


def main() -> None:
    """Print both error rates, on what the rules were tuned with and on what was held out; `--list` names the errors."""
    judged = list(judge())
    print(f"{VERSION}, {len(judged)} sentences; goals: false accepts < {MOST_FALSE_ACCEPTS:.0%}, "
          f"false refusals < {MOST_FALSE_REFUSALS:.0%}")  # fmt: skip
    parts = {
        "tuning": [each for each in judged if not each.held_out],
        "held out": [each for each in judged if each.held_out],
    }
    if "--tuning" in sys.argv:
        del parts["held out"]
    for name, part in {**parts, "all": judged}.items() if len(parts) == 2 else parts.items():
        bad = [each for each in part if not each.keep]
        good = [each for each in part if each.keep]
        accepted = [each for each in bad if each.kept]
        refused = [each for each in good if not each.kept]
        print(f"  {name}: false accepts {len(accepted)} of {len(bad)} ({len(accepted) / len(bad):.1%}), "
              f"false refusals {len(refused)} of {len(good)} ({len(refused) / len(good):.1%})")  # fmt: skip
        if name != "all" and "--list" in sys.argv:
            for each in [*accepted, *refused]:
                print(
                    f"    {each.language} {'accepted' if each.kept else 'refused'}: {each.sentence} {each.missing}"
                )
