"""`seenby init` at a terminal: it asks for what was not given, takes answers as a person types them, and repeats well."""

import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.server.application.conftest import PATIENCE_SECONDS, SEENBY, Workspace

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has no pseudo terminals of this kind"
)


QUESTIONS = (
    ("Company", "Zentrix AG"),
    ("Your e-mail address", "owner@zentrix.example"),
    ("Brand to measure", "Zentrix"),
    ("Its site", "https://www.zentrix.example"),
    ("What it sells", "saas"),
    ("Competitors", "Acme, Initech"),
    ("Engines to query", ""),
    ("URL of the database", ""),
)
"""What is asked, in order, and what a person types; nothing takes what is offered."""


class Terminal:
    """A command at a terminal of its own, read and typed at as a person does."""

    def __init__(self, workspace: Workspace, *arguments: str) -> None:
        self._ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [SEENBY, *arguments],
            cwd=workspace.folder,
            env={**workspace.environ, "TERM": "dumb"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            close_fds=True,
            start_new_session=True,
        )
        os.close(theirs)
        self.shown, self._answered = "", 0

    def _read(self) -> bool:
        """Read what is there; False when the command has closed its terminal."""
        if not select.select([self._ours], [], [], 0.2)[0]:
            return self.process.poll() is None
        try:
            piece = os.read(self._ours, 65_536)
        except OSError:
            return False
        self.shown += piece.decode()
        return bool(piece)

    def answer(self, question: str, typed: str) -> None:
        """Wait for a question that was not answered yet, and type."""
        until = time.monotonic() + PATIENCE_SECONDS
        while question not in self.shown[self._answered :] and time.monotonic() < until and self._read():
            pass
        assert question in self.shown[self._answered :], self.shown[-500:]
        self._answered = len(self.shown)
        os.write(self._ours, f"{typed}\n".encode())

    def end(self) -> int:
        """Read to the end and return the exit code."""
        until = time.monotonic() + PATIENCE_SECONDS
        while self._read() and time.monotonic() < until:
            pass
        os.close(self._ours)
        return self.process.wait(PATIENCE_SECONDS)


def type_answers(terminal: Terminal) -> int:
    for question, typed in QUESTIONS:
        terminal.answer(question, typed)
    return terminal.end()


def test_init_asks_for_missing_values_and_is_repeatable(empty: Workspace) -> None:
    first = Terminal(empty, "init")
    assert type_answers(first) == 0, first.shown
    assert "Traceback" not in first.shown
    kept = [empty.folder / "brands.json", *Path(empty.environ["SEENBY_DATA_DIR"]).glob("*.env")]
    assert len(kept) == 2
    before = [path.read_bytes() for path in kept]
    assert "Zentrix" in kept[0].read_text(encoding="utf-8")
    assert "Zentrix" in empty.seenby("brand", "list").stdout
    again = Terminal(empty, "init")
    assert type_answers(again) == 0, again.shown
    assert [path.read_bytes() for path in kept] == before


def test_init_asks_only_for_what_is_missing(empty: Workspace) -> None:
    terminal = Terminal(empty, "init", "--company", "Zentrix AG", "--brand", "Zentrix")
    for question, typed in QUESTIONS:
        if question not in ("Company", "Brand to measure"):
            terminal.answer(question, typed)
    assert terminal.end() == 0, terminal.shown
    assert "Company:" not in terminal.shown
    assert "Brand to measure" not in terminal.shown


def test_a_key_that_is_typed_is_kept_and_never_shown(empty: Workspace) -> None:
    terminal = Terminal(empty, "init", "--engine", "chatgpt")
    for question, typed in QUESTIONS:
        if question != "Engines to query":
            terminal.answer(question, typed)
    # The blank after the colon is written when the terminal no longer shows what is typed.
    terminal.answer("SEENBY_ENGINE_OPENAI_API_KEY): ", "a-key-that-nobody-sees")
    assert terminal.end() == 0, terminal.shown
    assert "a-key-that-nobody-sees" not in terminal.shown
    engines = json.loads(empty.seenby("doctor", "--json").stdout)["engines"]
    assert engines["chatgpt"] is True
