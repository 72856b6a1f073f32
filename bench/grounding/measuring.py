"""How many sentences without a fact the fact guard lets through, and how many good ones it refuses."""

import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from analytics.grounding.support import VERSION, Grounding, KnownText

SENTENCES = Path(__file__).with_name("sentences.toml")
TRIALS = Path(__file__).with_name("trials.toml")
MOST_FALSE_ACCEPTS, MOST_FALSE_REFUSALS = 0.02, 0.05


@dataclass(frozen=True, slots=True)
class Judgement:
    """One labelled sentence and what the guard says of it."""

    sentence: str
    language: str
    keep: bool
    kept: bool
    part: str
    missing: tuple[str, ...]


def judge() -> Iterator[Judgement]:
    """Yield every labelled sentence with the guard's verdict; each is checked by itself.

    The sentences of trials.toml are held against the companies of sentences.toml.
    """
    with SENTENCES.open("rb") as file:
        companies = tomllib.load(file)["company"]
    with TRIALS.open("rb") as file:
        trials = tomllib.load(file)["trial"]
    for company in companies:
        known = [KnownText("profile", company["profile"])]
        known += [KnownText(f"item {title}", body, title) for title, body in company["items"]]
        grounding = Grounding(known, (company["name"],))
        language = company["language"]
        for label in ("keep", "refuse"):
            labelled = [
                (sentence, "held out" if place % 2 else "tuning")
                for place, sentence in enumerate(company[label])
            ]
            labelled += [(sentence, trial["name"]) for trial in trials for sentence in trial[language][label]]
            for sentence, part in labelled:
                missing = [fact for statement in grounding.check(sentence) for fact in statement.missing]
                words = tuple(f"{fact.kind}: {fact.words}" for fact in missing)
                yield Judgement(sentence, language, label == "keep", not missing, part, words)


def main() -> None:
    """Print both error rates, on what the rules were tuned with and on what was held out; `--list` names the errors."""
    judged = list(judge())
    print(f"{VERSION}, {len(judged)} sentences; goals: false accepts < {MOST_FALSE_ACCEPTS:.0%}, "
          f"false refusals < {MOST_FALSE_REFUSALS:.0%}")  # fmt: skip
    names = ["tuning"] if "--tuning" in sys.argv else list(dict.fromkeys(each.part for each in judged))
    parts = {name: [each for each in judged if each.part == name] for name in names}
    for name, part in {**parts, "all": judged}.items() if len(parts) > 1 else parts.items():
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
