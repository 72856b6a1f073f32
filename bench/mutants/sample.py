"""Draws mutants with a fixed seed, runs the tests of each, and says which survive.

`python -m bench.mutants.sample` first runs the tests of the drawn modules once and notes which of them call the
functions that mutants are in; then each mutant meets those tests alone, the quickest first, until one fails. It works
in copies of the tree, two mutants at a time, and exits with 1 when fewer than `REQUIRED` are killed. `--from N --to M`
runs a part of the draw.
"""

import argparse
import ast
import json
import os
import queue
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from bench.mutants.called_functions import CALLS, FUNCTIONS
from bench.mutants.mutations import Mutation, find_mutations

ROOT = Path(__file__).parents[2]
SEED = 20261122
DRAWN, REQUIRED = 60, 54
AT_ONCE = 2
ALLOWED_FAILURES = 2
"""A test that fails without a mutant is left out; with more of them the code is broken."""
PATIENCE_SECONDS, PATIENCE = 600, 5
"""A mutant hangs whose tests take longer than so many seconds, and than so many times what they take without it."""
MAP_SECONDS = 3600
"""How long the one run of all tests may take that notes which functions they call."""
COPIED = ("analytics", "engines", "measurement", "oauth", "readiness", "rest_bridge", "server", "storage", "tests",
          "tools", "web", "workflows", "bench", "docs")  # fmt: skip

OAUTH = ("tests/oauth/test_flow.py", "tests/oauth/test_grants.py")
TESTS: Mapping[str, tuple[str, ...]] = {
    "analytics/accuracy": ("tests/analytics/test_accuracy.py", "tests/measurement/test_accuracy.py"),
    "analytics/answers/answer_reading.py": ("tests/analytics/test_answer_reading.py",),
    "analytics/answers/citations.py": ("tests/analytics/test_citations.py",),
    "analytics/answers/ranks.py": ("tests/analytics/test_ranks.py",),
    "analytics/answers/tone.py": ("tests/analytics/test_tone.py",),
    "analytics/matching/masking.py": ("tests/analytics/test_masking.py", "tests/analytics/test_mentions.py"),
    "analytics/matching": (
        "tests/analytics/test_mentions.py",
        "tests/analytics/test_answer_reading.py",
        "tests/analytics/test_evaluation.py",
    ),
    "analytics/answers": ("tests/analytics/test_answer_reading.py", "tests/analytics/test_evaluation.py"),
    "analytics/text": (
        "tests/analytics/test_folding.py",
        "tests/analytics/test_scripts.py",
        "tests/analytics/test_mentions.py",
        "tests/analytics/test_tone.py",
        "tests/analytics/test_accuracy.py",
        "tests/analytics/test_discovery.py",
    ),
    "analytics/grounding": (
        "tests/analytics/test_grounding.py",
        "tests/workflows/test_second_judge.py",
        "tests/workflows/test_content_refresh.py",
    ),
    "analytics/prompt_results.py": ("tests/tools/test_prompt_results.py",),
    "analytics/observation.py": ("tests/analytics/test_metrics.py", "tests/analytics/test_score.py"),
    "analytics/score_inputs.py": ("tests/analytics/test_score.py", "tests/analytics/test_metrics.py"),
    "analytics/prompt_means.py": ("tests/analytics/test_score.py", "tests/analytics/test_metrics.py"),
    "analytics": (
        "tests/analytics/test_properties.py",
        "tests/analytics/test_metrics.py",
        "tests/analytics/test_change.py",
    ),
    "measurement/calculation": (
        "tests/measurement/test_evidence.py",
        "tests/measurement/test_specified_results.py",
        "tests/measurement/test_rollups.py",
    ),
    "tools/calls/dispatch": (
        "tests/tools/test_dispatch.py",
        "tests/rest_bridge/test_routes.py",
        "tests/server/test_operations.py",
    ),
    "oauth/passwords.py": ("tests/oauth/test_passwords.py", "tests/web/test_accounts.py"),
    "oauth/redirects.py": ("tests/oauth/test_redirects.py", "tests/oauth/test_flow.py"),
    "oauth/client_documents.py": ("tests/oauth/test_client_documents.py",),
    "oauth/sealing.py": ("tests/oauth/test_sealing.py",),
    "oauth/api_keys.py": ("tests/oauth/test_api_keys.py", "tests/web/test_pages.py"),
    "oauth/principal.py": ("tests/oauth/test_principal.py",),
    "oauth/challenges.py": ("tests/oauth/test_challenges.py",),
    "oauth/throttle.py": ("tests/web/test_accounts.py", *OAUTH),
    "oauth": (*OAUTH, "tests/oauth/test_client_documents.py", "tests/oauth/test_sdk_client.py"),
    "workflows/credits": (
        "tests/workflows/test_limits.py",
        "tests/workflows/test_running.py",
        "tests/workflows/test_credit_alerts.py",
        "tests/workflows/test_interleavings.py",
    ),
}
"""Which tests notice a change below a path; the longest path that fits counts, after the module's own test file."""
WHOLE_FOLDERS = {
    "analytics": ("analytics", "measurement", "tools"),
    "measurement": ("measurement", "tools"),
    "oauth": ("oauth",),
}
"""The folders of tests that are asked too, for each package: no test that might notice a mutant may be left out."""


def tests_of(path: Path) -> list[str]:
    """Return the test files of a module: that of its own name, those listed, all of its folder where that is quick."""
    name, package = path.as_posix(), path.parts[0]
    own = f"tests/{package}/test_{path.stem}.py"
    longest = max((prefix for prefix in TESTS if name.startswith(prefix)), key=len)
    folders = (
        sorted((ROOT / "tests" / folder).rglob("test_*.py")) for folder in WHOLE_FOLDERS.get(package, ())
    )
    listed = (own, *TESTS[longest], *(file.relative_to(ROOT).as_posix() for file in chain(*folders)))
    return [test for test in dict.fromkeys(listed) if (ROOT / test).exists()]


def draw(count: int, seed: int) -> list[Mutation]:
    """Draw mutants of the packages in `TESTS`, the same ones for the same code and seed."""
    tops = sorted({prefix.partition("/")[0] for prefix in TESTS})
    paths = sorted(path.relative_to(ROOT) for top in tops for path in (ROOT / top).rglob("*.py"))
    chosen = [path for path in paths if any(path.as_posix().startswith(prefix) for prefix in TESTS)]
    mutations = [mutation for path in chosen for mutation in find_mutations(path, (ROOT / path).read_bytes())]
    return random.Random(seed).sample(mutations, count)


def function_of(mutation: Mutation) -> tuple[str, int, int]:
    """Return path, first and last line of the innermost function around a mutant; of the module where there is none."""
    tree = ast.parse((ROOT / mutation.path).read_bytes())
    around = [
        (min([node.lineno, *(mark.lineno for mark in node.decorator_list)]), node.end_lineno or node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    holding = [(first, last) for first, last in around if first <= mutation.line <= last]
    first, last = max(holding, default=(1, sys.maxsize))
    return mutation.path.as_posix(), first, last


@dataclass(frozen=True, slots=True)
class FunctionCalls:
    """For each function the seconds of each test that calls it, and the tests that failed without a mutant."""

    by_function: Sequence[Mapping[str, float]]
    failed: Sequence[str]


@dataclass(frozen=True, slots=True)
class SourceTree:
    """A copy of the code with its tests, in which one mutant at a time is made."""

    root: Path

    @classmethod
    def copied(cls, root: Path) -> "SourceTree":
        """Copy the code below a folder that is not there yet."""
        root.mkdir()
        ignored = shutil.ignore_patterns("__pycache__", "node_modules")
        for name in COPIED:
            shutil.copytree(ROOT / name, root / name, ignore=ignored)
        for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "mcp.json"):
            shutil.copy(ROOT / name, root / name)
        return cls(root)

    def run(self, tests: Sequence[str], *options: str, seconds: float, **variables: str) -> int | None:
        """Run tests; return pytest's exit code, or None when they take longer than some seconds."""
        listed = self.root / "tests.txt"
        listed.write_text("\n".join(tests), encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-m", "not browser", "-p", "no:cacheprovider"]
        environment = {**os.environ, "PYTHONPATH": str(self.root), **variables}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        try:
            return subprocess.run(
                [*command, *options, f"@{listed}"],
                cwd=self.root,
                env=environment,
                capture_output=True,
                timeout=seconds,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            return None

    def calls(self, functions: Sequence[tuple[str, int, int]], tests: Sequence[str]) -> "FunctionCalls":
        """Run test files and return which tests call each function. Raises RuntimeError when they cannot be run."""
        asked, answered = self.root / "functions.json", self.root / "calls.json"
        places = [(str(self.root / path), first, last) for path, first, last in functions]
        asked.write_text(json.dumps(places), encoding="utf-8")
        files = {FUNCTIONS: str(asked), CALLS: str(answered)}
        exit_code = self.run(tests, "-p", "bench.mutants.called_functions", seconds=MAP_SECONDS, **files)
        if exit_code not in (0, 1):
            raise RuntimeError(f"pytest ended with {exit_code} for {', '.join(tests)}")
        document = json.loads(answered.read_text(encoding="utf-8"))
        calls = [document["calls"].get(str(number), {}) for number in range(len(functions))]
        return FunctionCalls(calls, document["failed"])

    def verdict(self, mutation: Mutation, tests: Sequence[str], seconds: float) -> str:
        """Make the change, run the tests, and take it back: `killed`, `SURVIVED`, or `hangs` after so many seconds.

        What hangs counts as nothing: a change may make a loop endless, and a machine may be busy.
        """
        path = self.root / mutation.path
        source, before = path.read_bytes(), path.stat().st_mtime
        path.write_bytes(mutation.apply(source))
        os.utime(path, (before + 1, before + 1))  # compiled modules are known by whole seconds and size
        try:
            exit_code = self.run(tests, "-x", seconds=seconds) if tests else 0
            return "SURVIVED" if exit_code == 0 else "hangs" if exit_code is None else "killed"
        finally:
            path.write_bytes(source)
            os.utime(path, (before + 2, before + 2))


def main() -> int:
    """Run the draw and print one line for each mutant."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--to", dest="last", type=int, default=DRAWN)
    options = parser.parse_args()
    mutations = draw(DRAWN, options.seed)[options.first - 1 : options.last]
    functions = [function_of(mutation) for mutation in mutations]
    functions += [(mutation.path.as_posix(), 1, sys.maxsize) for mutation in mutations]  # the modules
    tests = list(dict.fromkeys(test for mutation in mutations for test in tests_of(mutation.path)))
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(AT_ONCE) as threads:
        trees = [SourceTree.copied(Path(folder) / str(number)) for number in range(AT_ONCE)]
        shares = [tests[number::AT_ONCE] for number in range(AT_ONCE)]
        began = time.monotonic()
        try:
            running = [
                threads.submit(tree.calls, functions, share)
                for tree, share in zip(trees, shares, strict=True)
            ]
            parts: list[FunctionCalls] = [call.result() for call in running]
        except RuntimeError as failure:
            print(failure)
            return 2
        failed = {test for part in parts for test in part.failed}
        print(
            f"{len(tests)} test files were run without a mutant ({time.monotonic() - began:.0f} s)",
            flush=True,
        )
        for test in sorted(failed):
            print(f"left out, it fails without a mutant: {test}", flush=True)
        if len(failed) > ALLOWED_FAILURES:
            return 2
        free: queue.SimpleQueue[SourceTree] = queue.SimpleQueue()
        for tree in trees:
            free.put(tree)

        def verdict_on(place: int) -> str:
            """Try one mutant in a tree that is free."""
            # A function that is called while its module is loaded alone is asked about like the module's constants.
            function, module = (
                {test: taken for part in parts for test, taken in part.by_function[at].items()}
                for at in (place, len(mutations) + place)
            )
            callers = function or module
            tests = sorted(callers.keys() - failed, key=lambda test: callers[test])
            patience = max(PATIENCE_SECONDS, PATIENCE * sum(callers[test] for test in tests))
            tree, began = free.get(), time.monotonic()
            try:
                verdict = tree.verdict(mutations[place], tests, patience)
            finally:
                free.put(tree)
            seconds = time.monotonic() - began
            number = options.first + place
            print(
                f"{number:3} {verdict}  {mutations[place]}  ({len(tests)} tests, {seconds:.0f} s)",
                flush=True,
            )
            return verdict

        verdicts = list(threads.map(verdict_on, range(len(mutations))))
    killed = verdicts.count("killed")
    print(
        f"{killed} of {len(mutations)} mutants killed, {verdicts.count('hangs')} hang (seed {options.seed})"
    )
    return int(killed < REQUIRED * len(mutations) / DRAWN)


if __name__ == "__main__":
    sys.exit(main())
