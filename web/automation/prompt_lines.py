"""Questions as lines of text: written for a person to edit, and read from what was typed or pasted."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

SEPARATOR = re.compile(r"\t|\s{0,40}\|\s{0,40}")
"""Columns of a line: a tab, as spreadsheets copy, or an upright stroke."""


def write_lines(prompts: Sequence[Mapping[str, Any]]) -> str:
    """Return one line a question: text | intent | tags, as far as there are any."""
    return "\n".join(_write_line(prompt) for prompt in prompts)


def _write_line(prompt: Mapping[str, Any]) -> str:
    columns = [prompt["text"], prompt["intent"] or "", ", ".join(prompt["tags"])]
    while not columns[-1]:
        columns.pop()
    return " | ".join(columns)


def read_lines(text: str, known: Sequence[Mapping[str, Any]] = ()) -> list[dict[str, Any]]:
    """Return the questions of some lines as the tools take them, each once.

    What a line does not say of a question that is known (branded, country, language, city) is kept.
    """
    kept = {prompt["text"]: prompt for prompt in known}
    prompts: dict[str, dict[str, Any]] = {}
    for line in text.splitlines():
        columns = _columns(line.strip(), kept)
        question = columns[0]
        if not question or question in prompts:
            continue
        before = kept.get(question, {})
        prompt: dict[str, Any] = {
            name: before[name]
            for name in ("branded", "country", "language", "city")
            if before.get(name) is not None
        }
        prompt["text"] = question
        if len(columns) > 1 and columns[1]:
            prompt["intent"] = columns[1]
        if len(columns) > 2:
            tags = (tag.strip() for column in columns[2:] for tag in column.split(","))
            prompt["tags"] = [tag for tag in dict.fromkeys(tags) if tag]
        prompts[question] = prompt
    return list(prompts.values())


def _columns(line: str, known: Iterable[str]) -> list[str]:
    """Return the columns of a line; a known question stays whole although a separator stands in it."""
    whole = next((text for text in known if SEPARATOR.search(text) and line.startswith(text)), "")
    rest = line[len(whole) :]
    columns = [column.strip() for column in SEPARATOR.split(rest)]
    return [whole, *columns[1:]] if whole else columns
