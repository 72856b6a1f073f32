"""The demo with a history: eight synthetic weeks with one real change, and a notice wherever a number stands."""

import json
from pathlib import Path
from typing import Any

from tests.server.application.conftest import Workspace

BRAND = "Zentrix (synthetic)"


def export(history: Workspace) -> list[dict[str, Any]]:
    """Every answer of the history."""
    exported = history.seenby("export", "answers", "--brand", BRAND)
    assert exported.returncode == 0, exported.stderr
    return [json.loads(line) for line in exported.stdout.splitlines()]


def test_history_has_eight_weeks_three_engines_and_two_countries(history: Workspace) -> None:
    answers = export(history)
    assert len({answer["captured_at"][:10] for answer in answers}) == 8
    assert {answer["country"] for answer in answers} == {"US", "DE"}
    assert {answer["platform"] for answer in answers} == {
        "synthetic-chatgpt",
        "synthetic-gemini",
        "synthetic-perplexity",
    }
    models = {answer["model"] for answer in answers if answer["platform"] == "synthetic-perplexity"}
    assert models == {"synthetic-perplexity-1", "synthetic-perplexity-2"}
    assert {answer["platform"] for answer in answers if answer["status"] == "empty"} == {"synthetic-gemini"}


def test_history_is_loaded_once(history: Workspace, tmp_path: Path) -> None:
    before = len(export(history))
    assert history.seenby("demo", "--history", "--no-serve").returncode == 0
    assert len(export(history)) == before
