"""A plugin of pytest that notes which tests call the functions that mutants were drawn in, and how long they take.

`SEENBY_MUTANT_FUNCTIONS` names a JSON file of `[path, first line, last line]`, `SEENBY_MUTANT_CALLS` the file that is
written: for each function, by its place in the list, the seconds of each test that called it, and which tests failed.
"""

import json
import os
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from types import FrameType

import pytest

FUNCTIONS, CALLS = "SEENBY_MUTANT_FUNCTIONS", "SEENBY_MUTANT_CALLS"


class CalledFunctions:
    """Notes every call of the functions in question, on all threads."""

    def __init__(self, functions: list[tuple[str, int, int]]) -> None:
        self._of_file: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
        for number, (path, first, last) in enumerate(functions):
            self._of_file[str(Path(path).resolve())].append((number, first, last))
        self._numbers: dict[object, tuple[int, ...]] = {}
        self._called: set[int] = set()
        self._of_fixture: dict[str, set[int]] = defaultdict(set)
        self._seconds: dict[int, dict[str, float]] = defaultdict(dict)
        self._failed: set[str] = set()

    def _note(self, frame: FrameType, _event: str, _argument: object) -> None:
        code = frame.f_code
        numbers = self._numbers.get(code)
        if numbers is None:
            places = self._of_file.get(code.co_filename, ())
            numbers = tuple(number for number, first, last in places if first <= code.co_firstlineno <= last)
            self._numbers[code] = numbers
        self._called.update(numbers)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Note what one test calls; what its shared fixtures called counts too."""
        self._called = set()
        threading.settrace(self._note)
        sys.settrace(self._note)
        began = time.monotonic()
        try:
            return (yield)
        finally:
            sys.settrace(None)
            threading.settrace(None)  # pyright: ignore[reportArgumentType] # takes None, as sys.settrace does
            seconds = round(time.monotonic() - began, 3)
            names: list[str] = getattr(item, "fixturenames", [])
            for number in self._called.union(*(self._of_fixture[name] for name in names)):
                self._seconds[number][item.nodeid] = seconds

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
        """Remember what a fixture of several tests called: only the first of them makes it."""
        before = set(self._called)
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                self._of_fixture[fixturedef.argname] |= self._called - before

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember who failed."""
        if report.failed:
            self._failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Write the file."""
        document = {"calls": self._seconds, "failed": sorted(self._failed)}
        Path(os.environ[CALLS]).write_text(json.dumps(document), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Take part in the run."""
    functions = json.loads(Path(os.environ[FUNCTIONS]).read_text(encoding="utf-8"))
    config.pluginmanager.register(CalledFunctions([tuple(function) for function in functions]))
