"""How right the readiness checks are: every check's precision and recall over the labelled corpus."""

import fnmatch
import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import anyio

from bench.readiness.corpus import GOOD, sites
from bench.readiness.layouts import layouts
from bench.sites import BASE_URL, POLICY, Pages, Place, served
from readiness.checks.catalog import CATALOG
from readiness.report.document import Report
from readiness.scans.scan import Options, scan

LABELS = Path(__file__).with_name("labels.toml")
SECOND_LABELS = Path(__file__).with_name("second_labels.toml")
STATUSES = ("fail", "warn", "unknown", "not_applicable")
FAULTS = ("fail", "warn")
NEEDED = 0.95
AT_ONCE = 4

Statuses = dict[str, str]


@dataclass(frozen=True, slots=True)
class Rightness:
    """One check over the corpus: faults found rightly, wrongly and not at all, and sites where the status is exact."""

    found: int
    false: int
    missed: int
    exact: int
    sites: int

    @property
    def precision(self) -> float:
        """Share of the faults that were reported and are there; 1 where none was reported."""
        return self.found / (self.found + self.false) if self.found + self.false else 1.0

    @property
    def recall(self) -> float:
        """Share of the faults that are there and were reported; 1 where there is none."""
        return self.found / (self.found + self.missed) if self.found + self.missed else 1.0


def labels() -> dict[str, Statuses]:
    """What a scan has to say of each site: every check that no list names passes."""
    written = tomllib.loads(LABELS.read_text(encoding="utf-8"))
    every = written.pop("every")
    return {name: _statuses(every, written, name) for name in written}


def _statuses(
    every: Mapping[str, list[str]], written: Mapping[str, Mapping[str, object]], name: str
) -> Statuses:
    """A site's own lists over those of the sound site it was made from, over those of all sites."""
    own = written[name]
    base = own.get("of")
    passes = dict.fromkeys((check.id for check in CATALOG), "pass")
    known = _statuses(every, written, base) if isinstance(base, str) else _listed(passes, every)
    return _listed(known, own)


def _listed(known: Statuses, lists: Mapping[str, object]) -> Statuses:
    statuses = dict(known)
    for status in (*STATUSES, "pass"):
        patterns = lists.get(status, [])
        for pattern in patterns if isinstance(patterns, list) else []:  # pyright: ignore[reportUnknownVariableType] - TOML
            names = fnmatch.filter(statuses, str(pattern))  # pyright: ignore[reportUnknownArgumentType]
            if not names:
                raise ValueError(f"no check is called {pattern}")
            statuses |= dict.fromkeys(names, status)
    return statuses


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two labellings of the checks that are a matter of taste: how often both say fault or both say none.

    `kappas` holds Cohen's kappa of each check, None where both labellings say the same of every site.
    """

    equal: int
    judged: int
    differing: tuple[str, ...]
    kappas: Mapping[str, float | None]


def agreement(first: Mapping[str, Statuses]) -> Agreement:
    """Compare the labels with the second labelling, over the sites and checks that both of them judge."""
    second = tomllib.loads(SECOND_LABELS.read_text(encoding="utf-8"))
    pairs = {
        (name, check): (first[name][check] in FAULTS, check in faults)
        for name, faults in second["faults"].items()
        for check in second["checks"]
        if first[name][check] in (*FAULTS, "pass")
    }
    differing = tuple(" ".join(pair) for pair, (ours, theirs) in pairs.items() if ours != theirs)
    kappas = {
        check: _kappa([both for (_, judged), both in pairs.items() if judged == check])
        for check in second["checks"]
    }
    return Agreement(len(pairs) - len(differing), len(pairs), differing, kappas)


def _kappa(pairs: Sequence[tuple[bool, bool]]) -> float | None:
    """Cohen's kappa (1960) of two judgements; None where chance alone would make them agree on everything."""
    if not pairs:
        return None
    count = len(pairs)
    observed = sum(ours == theirs for ours, theirs in pairs) / count
    ours, theirs = (sum(pair[side] for pair in pairs) / count for side in (0, 1))
    chance = ours * theirs + (1 - ours) * (1 - theirs)
    return None if chance == 1 else (observed - chance) / (1 - chance)


def site_host(name: str) -> str:
    """Return the host that a site of the corpus is served under."""
    return f"{re.sub('[^a-z0-9]+', '-', name.lower())}.example.com"


async def _scan_all(place: Place, names: list[str]) -> dict[str, Report]:
    reports: dict[str, Report] = {}
    limiter = anyio.CapacityLimiter(AT_ONCE)

    async def scan_site(name: str) -> None:
        async with limiter:
            reports[name] = await scan(
                f"https://{site_host(name)}/",
                options=Options(report_id="r", base_url=BASE_URL, signals=True),
                policy=replace(POLICY, interval=0),
                clock=lambda: datetime(2026, 3, 1, tzinfo=UTC),
                network=place.network(),
            )

    async with anyio.create_task_group() as group:
        for name in names:
            group.start_soon(scan_site, name)
    return reports


def scanned(built: Mapping[str, Pages]) -> dict[str, Report]:
    """Serve sites on loopback, scan them, and return their reports."""
    with served({site_host(name): pages for name, pages in built.items()}) as place:
        return anyio.run(_scan_all, place, list(built))


def every_site() -> dict[str, Pages]:
    """Build every site of the corpus."""
    return sites() | layouts()


def statuses_of(report: Report) -> Statuses:
    """The status of each check of a report."""
    checks = [check for _, group in report.groups() for check in group.checks] + report.emerging
    return {check.id: check.status.value for check in checks}


def compare(wanted: Mapping[str, Statuses], given: Mapping[str, Statuses]) -> dict[str, Rightness]:
    """Compare labels with statuses; a check's fault is a fail or a warning."""
    rightness: dict[str, Rightness] = {}
    for check in (check.id for check in CATALOG):
        counts: Counter[str] = Counter()
        for name, statuses in wanted.items():
            is_there, is_reported = statuses[check] in FAULTS, given[name][check] in FAULTS
            counts["found"] += is_there and is_reported
            counts["false"] += is_reported and not is_there
            counts["missed"] += is_there and not is_reported
            counts["exact"] += statuses[check] == given[name][check]
        rightness[check] = Rightness(
            counts["found"], counts["false"], counts["missed"], counts["exact"], len(wanted)
        )
    return rightness


def main() -> None:
    """Print precision and recall of every check, and where labels and statuses differ; end in 1 below 0.95."""
    wanted = labels()
    given = {name: statuses_of(report) for name, report in scanned(every_site()).items()}
    rightness = compare(wanted, given)
    print(f"{len(wanted)} sites, {len(GOOD)} of them sound; a fault is a fail or a warning")
    print(f"{'check':34} {'faults':>6} {'precision':>9} {'recall':>7} {'exact':>7}")
    for check, right in rightness.items():
        faults = right.found + right.missed
        print(
            f"{check:34} {faults:6} {right.precision:9.2f} {right.recall:7.2f} {right.exact:4}/{right.sites}"
        )
    shared = agreement(wanted)
    print(f"two labellings of matters of taste agree on {shared.equal} of {shared.judged}:", end=" ")
    print("; ".join(shared.differing))
    shown = {check: "-" if kappa is None else format(kappa, ".2f") for check, kappa in shared.kappas.items()}
    print("Cohen's kappa by check:", ", ".join(f"{check} {kappa}" for check, kappa in shown.items()))
    for name, statuses in wanted.items():
        differing = {
            check: f"{status} -> {given[name][check]}"
            for check, status in statuses.items()
            if status != given[name][check]
        }
        if differing:
            print(f"{name}: {json.dumps(differing)}")
    if any(min(right.precision, right.recall) < NEEDED for right in rightness.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
