"""Draws mutants with a fixed seed, runs the tests of each, and says which survive.

`python -m bench.mutants.sample` works in a copy of the tree, one mutant after the other, and exits with 1 when fewer
than `REQUIRED` are killed. Sixty take half an hour to an hour on two cores. `--from N --to M` runs a part of the draw.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from bench.mutants.mutations import Mutation, find_mutations

ROOT = Path(__file__).parents[2]
SEED = 20261122
DRAWN, REQUIRED = 60, 54
PATIENCE_SECONDS = 600
"""A mutant whose tests take longer than this hangs, and counts as killed."""
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
    "tools/calls/dispatch": ("tests/tools/test_dispatch.py", "tests/rest_bridge/test_routes.py"),
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


def tests_of(path: Path) -> list[str]:
    """Return the tests of a module that exist: the file of its own name first, all of its package's last."""
    name = path.as_posix()
    own = f"tests/{path.parts[0]}/test_{path.stem}.py"
    longest = max((prefix for prefix in TESTS if name.startswith(prefix)), key=len)
    listed = (own, *TESTS[longest], f"tests/{path.parts[0]}")
    return [test for test in dict.fromkeys(listed) if (ROOT / test).exists()]


def draw(count: int, seed: int) -> list[Mutation]:
    """Draw mutants of the packages in `TESTS`, the same ones for the same code and seed."""
    tops = sorted({prefix.partition("/")[0] for prefix in TESTS})
    paths = sorted(path.relative_to(ROOT) for top in tops for path in (ROOT / top).rglob("*.py"))
    chosen = [path for path in paths if any(path.as_posix().startswith(prefix) for prefix in TESTS)]
    mutations = [mutation for path in chosen for mutation in find_mutations(path, (ROOT / path).read_bytes())]
    return random.Random(seed).sample(mutations, count)


def survives(mutation: Mutation, tree: Path) -> bool:
    """Make the change in the copied tree, run the tests that should notice it, and take it back."""
    source = (tree / mutation.path).read_bytes()
    (tree / mutation.path).write_bytes(mutation.apply(source))
    try:
        return all(passes(test, tree) for test in tests_of(mutation.path))
    finally:
        (tree / mutation.path).write_bytes(source)


def broken(mutations: list[Mutation], tree: Path) -> list[str]:
    """Return the test files of the draw that fail without any change: they would kill everything."""
    used = dict.fromkeys(test for mutation in mutations for test in tests_of(mutation.path))
    return [test for test in used if not passes(test, tree)]


def passes(test: str, tree: Path) -> bool:
    """Whether a test file passes in the copied tree."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "-m",
        "not browser",
        test,
    ]
    try:
        done = subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, timeout=PATIENCE_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def main() -> int:
    """Run the draw and print one line for each mutant."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--to", dest="last", type=int, default=DRAWN)
    options = parser.parse_args()
    mutations = draw(DRAWN, options.seed)[options.first - 1 : options.last]
    killed = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        for name in COPIED:
            shutil.copytree(
                ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules")
            )
        for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "mcp.json"):
            shutil.copy(ROOT / name, tree / name)
        if failing := broken(mutations, tree):
            print(f"These fail without a mutant: {', '.join(failing)}")
            return 2
        for number, mutation in enumerate(mutations, options.first):
            started = time.monotonic()
            survived = survives(mutation, tree)
            killed += not survived
            seconds = time.monotonic() - started
            print(
                f"{number:3} {'SURVIVED' if survived else 'killed'}  {mutation}  ({seconds:.0f} s)",
                flush=True,
            )
    print(f"{killed} of {len(mutations)} mutants killed (seed {options.seed})")
    return int(killed < REQUIRED * len(mutations) / DRAWN)


if __name__ == "__main__":
    sys.exit(main())
