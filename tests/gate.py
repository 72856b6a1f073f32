"""Runs the test suite, repeats alone what failed, and counts a failure that does not repeat as a flaky test.

Usage: python tests/gate.py [pytest arguments]. Exits 0 when every test passed and at most `ALLOWED_FLAKY` are flaky.
"""

import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

ALLOWED_FLAKY = 2
"""More flaky tests than these fail the run: a suite that is repeated until it passes proves nothing."""
WORTH_REPEATING = 20
"""With more failures than these the code is broken, and repeating them one after the other only costs time."""
TESTS_FAILED = 1
"""Exit code of pytest for failed tests; any higher code means that it could not run them."""


@dataclass(frozen=True)
class SuiteResult:
    """What one run of pytest reported: its exit code, how many tests it had, and the names of some of them."""

    exit_code: int
    total: int
    skipped: int
    failed: frozenset[str]


def run_pytest(arguments: list[str]) -> SuiteResult:
    """Run pytest in a process of its own and read its report."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", *arguments, f"--junitxml={report}"]
        exit_code = subprocess.run(command, check=False).returncode
        if not report.exists():
            return SuiteResult(exit_code or TESTS_FAILED, 0, 0, frozenset())
        cases = ElementTree.parse(report).getroot().findall("testsuite/testcase")
    names = [f"{case.get('classname')}::{case.get('name')}" for case in cases]
    failed = {
        name
        for name, case in zip(names, cases, strict=True)
        if case.find("failure") is not None or case.find("error") is not None
    }
    skipped = {name for name, case in zip(names, cases, strict=True) if case.find("skipped") is not None}
    return SuiteResult(exit_code, len(set(names)), len(skipped - failed), frozenset(failed))


def main(arguments: list[str]) -> int:
    """Run the suite with pytest's `arguments`; return the exit code of the gate."""
    started = time.monotonic()
    suite = run_pytest(arguments)
    failed, flaky = suite.failed, frozenset[str]()
    if suite.exit_code == TESTS_FAILED and 0 < len(suite.failed) <= WORTH_REPEATING:
        print("again, one after the other, what failed above:", flush=True)
        alone = run_pytest(["-v", "--last-failed", "--last-failed-no-failures", "none"])
        if alone.exit_code in (0, TESTS_FAILED):
            failed = alone.failed
            flaky = suite.failed - failed
    for name in sorted(flaky):
        print(f"flaky: {name} failed beside a neighbor and passed alone")
    ran = suite.total - suite.skipped
    print(f"{ran} tests ran, {suite.skipped} were skipped, {len(flaky)} are flaky (allowed: {ALLOWED_FLAKY})")
    if len(flaky) > ALLOWED_FLAKY:
        failed |= flaky
    # The closing line has the form of pytest's own, with the counts of both runs together.
    counts = [(len(failed), "failed"), (ran - len(failed), "passed"), (suite.skipped, "skipped")]
    summary = ", ".join(f"{count} {word}" for count, word in counts if count)
    print(f"===== {summary or 'no tests ran'} in {time.monotonic() - started:.2f}s =====")
    if suite.exit_code > TESTS_FAILED:
        return suite.exit_code
    return TESTS_FAILED if failed or not ran or (suite.exit_code and not suite.failed) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
