"""How often the evaluation set of the tests is read rightly, by language, beside geo-score on the same answers."""

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from analytics.answers.answer_reading import Reader
from analytics.matching.aliases import Alias, Entity
from analytics.matching.mentions import MentionStatus

FOLDER = Path(__file__).parents[1] / "tests" / "analytics" / "evaluation"

PARTS = {"held_out": "held out", "answers": "seen", "hard": "hard"}


@dataclass(frozen=True, slots=True)
class EvaluationCase:
    """One answer with what a person reads in it; `ranks` and `absent` are None where the label leaves them open.

    Where the label says that only running prose ranks (`prose_ranks`), `ranks` is empty: prose has no rank.
    `part` is `held_out` (written before the rules), `answers` (while they were made) or `hard`.
    """

    language: str
    part: str
    brands: tuple[str, ...]
    text: str
    named: frozenset[str]
    absent: frozenset[str] | None
    ranks: dict[str, int] | None


class PlainEntity(Protocol):
    """An entity of geo-score, which has no types."""

    def named_in(self, text: str) -> bool: ...


@dataclass(slots=True)
class Tally:
    """Counts of one language: names right, wrongly found and missed; whole answers with the right ranks."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    plain_right: int = 0
    plain_wrong: int = 0
    plain_missed: int = 0
    ranked: int = 0
    ranked_right: int = 0
    absences: int = 0
    absences_right: int = 0
    failures: list[str] = field(default_factory=list[str])

    def __add__(self, other: "Tally") -> "Tally":
        counts = {name: getattr(self, name) + getattr(other, name) for name in Tally.__slots__}
        return Tally(**counts)


def cases() -> Iterator[EvaluationCase]:
    """Yield every case of the set, by language; the files say how they are labelled."""
    for path in sorted(FOLDER.glob("*.toml")):
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        for part in PARTS:
            for case in document.get(part, []):
                yield _case(path.stem, part, case)


def _case(language: str, part: str, case: dict[str, Any]) -> EvaluationCase:
    absent = case.get("absent")
    return EvaluationCase(
        case.get("language", language),
        part,
        tuple(case["brands"]),
        case["text"],
        frozenset(case["named"]),
        None if absent is None else frozenset(absent),
        {} if "prose_ranks" in case else case.get("ranks"),
    )


def evaluate(case: EvaluationCase) -> Tally:
    """Read one answer with default settings and count what is right."""
    reading = Reader([Entity(brand, (Alias(brand),)) for brand in case.brands], case.brands[0]).read(
        case.text, (), case.language
    )
    status = {read.mention.entity_id: read.mention.status for read in reading.mentions}
    named = frozenset(brand for brand, value in status.items() if value is MentionStatus.COUNTED)
    absent = frozenset(brand for brand, value in status.items() if value is MentionStatus.ABSENCE)
    ranks = {read.mention.entity_id: read.rank for read in reading.mentions if read.rank is not None}
    plain = {brand for brand in case.brands if _plain({"name": brand}).named_in(case.text)}
    tally = Tally(
        right=len(named & case.named),
        wrong=len(named - case.named),
        missed=len(case.named - named),
        plain_right=len(plain & case.named),
        plain_wrong=len(plain - case.named),
        plain_missed=len(case.named - plain),
        ranked=case.ranks is not None,
        ranked_right=case.ranks is not None and ranks == case.ranks,
        absences=case.absent is not None,
        absences_right=case.absent is not None and absent == case.absent,
    )
    if named != case.named or tally.ranked != tally.ranked_right or tally.absences != tally.absences_right:
        tally.failures.append(
            f"{case.language}: {case.text.strip()[:100]!r} names {sorted(named)}, ranks {ranks}"
        )
    return tally


_plain: Callable[[dict[str, str]], PlainEntity] = import_module("geo_watch").Entity


def share(part: int, whole: int) -> str:
    """Return a share with three decimals, a dash where there is nothing to share."""
    return f"{part / whole:9.3f}" if whole else "        -"


def line(label: str, tally: Tally, answers: int) -> str:
    """Return one row of the table."""
    return " ".join(
        (
            f"  {label:<10}{answers:>5}",
            share(tally.right, tally.right + tally.wrong),
            share(tally.right, tally.right + tally.missed),
            share(tally.plain_right, tally.plain_right + tally.plain_wrong),
            share(tally.plain_right, tally.plain_right + tally.plain_missed),
            share(tally.ranked_right, tally.ranked),
            share(tally.absences_right, tally.absences),
        )
    )


def run() -> Tally:
    """Evaluate the whole set and print a table by language."""
    evaluated = [(case, evaluate(case)) for case in cases()]
    print(f"evaluation set, {len(evaluated)} answers written and labelled by hand, default settings")
    print("  language  answers precision recall  geo-score's two     rank right negated right")
    for language in sorted({case.language for case, _ in evaluated}):
        tallies = [tally for case, tally in evaluated if case.language == language]
        print(line(language, sum(tallies, Tally()), len(tallies)))
    for part, label in PARTS.items():
        tallies = [tally for case, tally in evaluated if case.part == part]
        print(line(label, sum(tallies, Tally()), len(tallies)))
    total = sum((tally for _, tally in evaluated), Tally())
    print(line("all", total, len(evaluated)))
    return total
