"""What people are told is in words: no notification and no issue names a tool, a command or a raw engine."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from measurement.planning.engine_names import channel_name, platform_name

ROOT = Path(__file__).parents[2]
MAKERS = {"NotificationDraft": {"title", "message"}, "IssueObservation": {"bad"}}
"""What makes something that people are told, and which of its arguments they read."""
MACHINE_WORDS = re.compile(r"`|\bseenby \w+|\b(?:get|list|run|update|create)_[a-z_]+")


def told() -> Iterator[tuple[str, ast.expr]]:
    """Yield each text that people are told, with the place where it is written."""
    for layer in ("measurement", "readiness", "workflows", "server"):
        for path in sorted((ROOT / layer).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    for argument in node.keywords:
                        if argument.arg in MAKERS.get(node.func.id, ()):
                            yield f"{path.relative_to(ROOT)}:{node.lineno}", argument.value


def test_no_text_that_people_are_told_names_a_tool_or_a_command() -> None:
    texts = list(told())
    assert len(texts) > 20, "nothing was looked at"
    wrong = [
        (place, piece.value)
        for place, text in texts
        for piece in ast.walk(text)
        if isinstance(piece, ast.Constant)
        and isinstance(piece.value, str)
        and MACHINE_WORDS.search(piece.value)
    ]
    assert wrong == []


def test_every_engine_that_people_are_told_of_has_its_name_in_words() -> None:
    raw = [
        (place, ast.unparse(part.value))
        for place, text in told()
        for part in ast.walk(text)
        if isinstance(part, ast.FormattedValue)
        and re.search(r"(?:^|\.)(?:platform|channel|mode)$", ast.unparse(part.value))
    ]
    assert raw == []


def test_an_engine_is_told_as_people_call_it() -> None:
    assert platform_name("synthetic-gemini") == "Synthetic Gemini"
    assert channel_name("chatgpt/visibility/DE") == "ChatGPT (from memory, Germany)"
    assert channel_name("perplexity/readiness@import") == "Perplexity (with web search, imported)"
    assert channel_name("talker") == "talker"
    assert all(not MACHINE_WORDS.search(channel_name(f"{name}/visibility")) for name in ("gemini", "local"))
