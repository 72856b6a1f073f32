"""A drawn mutant meets the tests that call its function, and no others."""

import json
import os
import subprocess
import sys
from pathlib import Path

from bench.mutants.called_functions import CALLS, FUNCTIONS
from bench.mutants.mutations import Mutation
from bench.mutants.sample import DRAWN, SEED, draw, function_of

ROOT = Path(__file__).parents[2]
MODULE = """
def double(number):
    return number * 2


def triple(number):
    return number * 3
"""
TESTS = """
import pytest
from arithmetic import double, triple


@pytest.fixture(scope="module")
def six():
    return triple(2)


def test_double():
    assert double(2) == 4


def test_first_with_six(six):
    assert six == 6


def test_second_with_six(six):
    assert six > 5


def test_wrong():
    assert double(2) == 5
"""


def test_tests_are_noted_for_the_functions_that_they_or_their_fixtures_call(tmp_path: Path) -> None:
    (tmp_path / "arithmetic.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "test_arithmetic.py").write_text(TESTS, encoding="utf-8")
    path, calls = str(tmp_path / "arithmetic.py"), tmp_path / "calls.json"
    (tmp_path / "functions.json").write_text(json.dumps([[path, 2, 3], [path, 6, 7]]), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"}
    files = {FUNCTIONS: str(tmp_path / "functions.json"), CALLS: str(calls)}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "bench.mutants.called_functions",
    ]
    done = subprocess.run(
        [*command, str(tmp_path)], cwd=tmp_path, env={**environment, **files}, capture_output=True, timeout=60
    )
    assert done.returncode == 1, done.stdout
    document = json.loads(calls.read_text(encoding="utf-8"))
    noted = [{test.partition("::")[2] for test in document["calls"][number]} for number in ("0", "1")]
    assert noted == [{"test_double", "test_wrong"}, {"test_first_with_six", "test_second_with_six"}]
    assert [test.partition("::")[2] for test in document["failed"]] == ["test_wrong"]


def test_a_mutant_belongs_to_the_innermost_function_around_it() -> None:
    def line(text: str) -> int:
        source = (ROOT / "bench/mutants/mutations.py").read_text(encoding="utf-8")
        return source[: source.index(text)].count("\n") + 1

    def around(text: str) -> tuple[str, int, int]:
        return function_of(Mutation(Path("bench/mutants/mutations.py"), line(text), 0, 0, "", ""))

    inner, outer = around("left.end_lineno, left"), around("starts = [0]")
    assert outer[1] < inner[1] < inner[2] < outer[2]
    assert around("COMPARISONS: dict")[1:] == (1, sys.maxsize)


def test_a_seed_draws_the_same_mutants_again() -> None:
    assert draw(DRAWN, SEED) == draw(DRAWN, SEED)
