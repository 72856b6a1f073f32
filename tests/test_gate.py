"""The gate: a failure that repeats fails it, and one that does not is named, counted and bounded."""

import os
import subprocess
import sys
from pathlib import Path

GATE = Path(__file__).with_name("gate.py")
SOUND = "def test_sound(): pass\n"
BROKEN = "def test_broken(): assert False\n"
FLAKY = """
import os
def test_flaky_{number}():
    assert "PYTEST_XDIST_WORKER" not in os.environ
"""


def run_gate(folder: Path, tests: str) -> tuple[int, list[str]]:
    """Run the gate over one file of tests, in two processes; its exit code and the lines it printed."""
    (folder / "test_it.py").write_text(tests, encoding="utf-8")
    # A test must not inherit what pytest's own workers leave in the environment; one plugin is all it needs.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "xdist.plugin"}
    done = subprocess.run(
        [sys.executable, GATE, "--numprocesses", "1"],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    return done.returncode, done.stdout.splitlines()


def test_a_failure_that_repeats_alone_fails_the_gate(tmp_path: Path) -> None:
    code, lines = run_gate(tmp_path, SOUND + BROKEN + FLAKY.format(number=1))
    assert code == 1
    assert "flaky: test_it::test_flaky_1 failed beside a neighbor and passed alone" in lines
    assert lines[-1].startswith("===== 1 failed, 2 passed in ")


def test_two_flaky_tests_are_named_and_let_through(tmp_path: Path) -> None:
    code, lines = run_gate(tmp_path, FLAKY.format(number=1) + FLAKY.format(number=2))
    assert code == 0
    assert [line.split()[1] for line in lines if line.startswith("flaky:")] == [
        "test_it::test_flaky_1",
        "test_it::test_flaky_2",
    ]
    assert lines[-1].startswith("===== 2 passed in ")


def test_a_third_flaky_test_fails_the_gate(tmp_path: Path) -> None:
    code, lines = run_gate(tmp_path, "".join(FLAKY.format(number=number) for number in (1, 2, 3)))
    assert code == 1
    assert lines[-2] == "3 tests ran, 0 were skipped, 3 are flaky (allowed: 2)"
    assert lines[-1].startswith("===== 3 failed in ")


def test_a_suite_that_cannot_be_collected_fails_the_gate(tmp_path: Path) -> None:
    code, lines = run_gate(tmp_path, "import a_module_that_is_not_there\n")
    assert code != 0
    assert lines[-1].startswith("===== ")
