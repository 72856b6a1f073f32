"""Questions in a file that a person chose: a table with named columns, or one question a line."""

import csv
from collections.abc import Mapping, Sequence
from typing import Any

from web.automation.prompt_lines import read_lines

QUESTION, INTENT, TAGS = ("question", "prompt", "text"), ("intent",), ("tags", "tag")
"""What a column may be called."""
UNREADABLE = "\ufffd"


def read_file(text: str) -> list[dict[str, Any]]:
    """Return the questions of a file as the tools take them, each once. Raises ValueError for what is no text."""
    if UNREADABLE in text or "\0" in text:
        raise ValueError("the file is not text in UTF-8")
    lines = text.removeprefix("\ufeff").splitlines()
    head = next((line for line in lines if line.strip()), "")
    separator = max((",", ";", "\t"), key=head.count)
    names = [name.strip().strip('"').casefold() for name in head.split(separator)]
    if not set(names) & set(QUESTION):
        return read_lines("\n".join(lines))
    try:
        rows = list(csv.DictReader(lines[lines.index(head) + 1 :], names, delimiter=separator))
    except csv.Error as error:
        raise ValueError("the table cannot be read") from error
    prompts: dict[str, dict[str, Any]] = {}
    for row in rows:
        question = " ".join(_first(row, QUESTION).split())
        if not question or question in prompts:
            continue
        prompt: dict[str, Any] = {"text": question}
        if intent := _first(row, INTENT):
            prompt["intent"] = intent
        if tags := [tag.strip() for tag in _first(row, TAGS).split(",") if tag.strip()]:
            prompt["tags"] = list(dict.fromkeys(tags))
        prompts[question] = prompt
    return list(prompts.values())


def _first(row: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return the first column of these names that says anything."""
    values = (row.get(name) for name in names)
    return next((value.strip() for value in values if isinstance(value, str) and value.strip()), "")
