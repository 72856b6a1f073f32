"""How many sentences without a fact the fact guard lets through, and how many good ones it refuses."""

import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analytics.grounding.known_texts import KnownText
from analytics.grounding.support import VERSION, Grounding

SENTENCES = Path(__file__).with_name("sentences.toml")
TRIALS = Path(__file__).with_name("trials.toml")
ROUNDS = (Path(__file__).with_name("rounds.toml"), Path(__file__).with_name("wording.toml"))
PLAIN = "plain words"
"""The part that attacks the rules with claims in everyday words; it counts in no total."""
UNSEEN = ("round 18", "round 20")
"""Rounds that the rules were not changed with: they tell how wording fares that they have never seen, and count in no
total."""
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

    The sentences of trials.toml are held against the companies of sentences.toml; those of rounds.toml and wording.toml
    have companies of their own.
    """
    companies = _companies(SENTENCES)
    with TRIALS.open("rb") as file:
        trials = tomllib.load(file)["trial"]
    for company in companies:
        yield from _judge(
            company,
            {
                label: [
                    ("held out" if place % 2 else "tuning", text) for place, text in enumerate(company[label])
                ]
                + [(trial["name"], text) for trial in trials for text in trial[company["language"]][label]]
                for label in ("keep", "refuse")
            },
        )
    for company in (company for path in ROUNDS for company in _companies(path)):
        yield from _judge(
            company,
            {
                "keep": [(company["round"], text) for text in company["keep"]],
                "refuse": [(company["round"], text) for text in company["refuse"]]
                + [("hostile", text) for text in company.get("hostile", ())]
                + [(PLAIN, text) for text in company.get("plain", ())],
            },
        )


def _companies(path: Path) -> list[dict[str, Any]]:
    with path.open("rb") as file:
        return tomllib.load(file)["company"]


def _judge(company: dict[str, Any], labelled: dict[str, list[tuple[str, str]]]) -> Iterator[Judgement]:
    """Yield the verdict on each sentence, given by its label with the part of the set that it is of."""
    known = [KnownText("profile", company["profile"])]
    known += [KnownText(f"item {title}", body, title) for title, body in company["items"]]
    grounding = Grounding(known, (company["name"],))
    for label, sentences in labelled.items():
        for part, sentence in sentences:
            missing = [fact for statement in grounding.check(sentence) for fact in statement.missing]
            words = tuple(f"{fact.kind}: {fact.words}" for fact in missing)
            yield Judgement(sentence, company["language"], label == "keep", not missing, part, words)


def _rate(errors: int, judged: int) -> str:
    return f"{errors} of {judged} ({errors / judged:.1%})" if judged else "of none"


def main() -> None:
    """Print both error rates, on what the rules were tuned with and on what was held out.

    `--list` names the errors, but those of unseen rounds, which would be seen then.
    """
    judged = list(judge())
    print(f"{VERSION}, {len(judged)} sentences; goals: false accepts < {MOST_FALSE_ACCEPTS:.0%}, "
          f"false refusals < {MOST_FALSE_REFUSALS:.0%}")  # fmt: skip
    names = (
        ["tuning"] if "--tuning" in sys.argv else list(dict.fromkeys(judgement.part for judgement in judged))
    )
    parts = {name: [judgement for judgement in judged if judgement.part == name] for name in names}
    counted = [judgement for judgement in judged if judgement.part not in (PLAIN, *UNSEEN)]
    for name, part in {**parts, "all": counted}.items() if len(parts) > 1 else parts.items():
        bad = [judgement for judgement in part if not judgement.keep]
        good = [judgement for judgement in part if judgement.keep]
        accepted = [judgement for judgement in bad if judgement.kept]
        refused = [judgement for judgement in good if not judgement.kept]
        print(
            f"  {name}: false accepts {_rate(len(accepted), len(bad))}, false refusals {_rate(len(refused), len(good))}"
        )
        if name not in ("all", *UNSEEN) and "--list" in sys.argv:
            for judgement in [*accepted, *refused]:
                verdict = "accepted" if judgement.kept else "refused"
                print(f"    {judgement.language} {verdict}: {judgement.sentence} {judgement.missing}")
