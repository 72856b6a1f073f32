"""Fields of the prompt set form: prompts as rows, pasted lines or an uploaded file, schedule and location."""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

from engines.registry import Registry
from measurement.planning.clock import utc_now
from measurement.planning.prompt_sets import SetPlace, change_place, checked_place
from storage.database import Database
from web.table_export import BYTE_ORDER_MARK, unguarded

SEPARATOR = re.compile(r"\t|\s{0,40}\|\s{0,40}")
"""Column separators of a line: a tab, as copied from a spreadsheet, or a vertical bar."""


ROW = re.compile(r"prompt-(\d{1,4})")
ROW_FIELDS = ("intent", "country", "language")
BLANK_ROWS = 3
KEPT = ("branded", "city")
"""Properties of a known prompt that have no field in its row."""


def write_rows(prompts: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Return the values of the fields of each prompt's row."""
    return [
        {
            "text": prompt["text"],
            **{name: prompt.get(name) or "" for name in ROW_FIELDS},
            "tags": ", ".join(prompt.get("tags") or ()),
        }
        for prompt in prompts
    ]


def read_rows(typed: Mapping[str, str], known: Sequence[Mapping[str, Any]] = ()) -> list[dict[str, Any]]:
    """Return the prompts of a form's rows, then of its pasted lines, as tool arguments without duplicates.

    A row without text is removed. Known prompts keep the properties that have no field.
    """
    kept = {prompt["text"]: prompt for prompt in known}
    prompts: dict[str, dict[str, Any]] = {}
    for number in sorted(int(row[1]) for row in map(ROW.fullmatch, typed) if row):
        text = " ".join(typed[f"prompt-{number}"].split())
        if not text or text in prompts:
            continue
        before = kept.get(text, {})
        fields = {name: typed.get(f"{name}-{number}", "").strip() for name in ROW_FIELDS}
        prompts[text] = {
            "text": text,
            **{name: before[name] for name in KEPT if before.get(name) is not None},
            **{name: value for name, value in fields.items() if value},
            "tags": read_tags(typed.get(f"tags-{number}", "")),
        }
    for prompt in read_lines(typed.get("prompts", "")):
        prompts.setdefault(prompt["text"], prompt)
    return list(prompts.values())


def read_tags(text: str) -> list[str]:
    """Return the tags of a comma-separated text, each once."""
    return [tag for tag in dict.fromkeys(tag.strip() for tag in text.split(",")) if tag]


def read_lines(text: str) -> list[dict[str, Any]]:
    """Return the prompts of several lines as tool arguments, without duplicates."""
    prompts: dict[str, dict[str, Any]] = {}
    for line in text.splitlines():
        question, *columns = SEPARATOR.split(line.strip())
        question = question.strip()
        if not question or question in prompts:
            continue
        prompt: dict[str, Any] = {"text": question}
        if columns and columns[0].strip():
            prompt["intent"] = columns[0].strip()
        if len(columns) > 1:
            prompt["tags"] = read_tags(",".join(columns[1:]))
        prompts[question] = prompt
    return list(prompts.values())


QUESTION, INTENT, TAGS = ("question", "prompt", "text"), ("intent",), ("tags", "tag")
"""Accepted column names."""
UNREADABLE = "\ufffd"


def read_file(text: str) -> list[dict[str, Any]]:
    """Return the prompts of a file as tool arguments, without duplicates. Raises ValueError when it is not text."""
    if UNREADABLE in text or "\0" in text:
        raise ValueError("the file is not text in UTF-8")
    lines = text.removeprefix(BYTE_ORDER_MARK).splitlines(keepends=True)
    head = next((line for line in lines if line.strip()), "")
    separator = max((",", ";", "\t"), key=head.count)
    names = [name.strip().strip('"').casefold() for name in head.split(separator)]
    if not set(names) & set(QUESTION):
        return read_lines("".join(lines))
    try:
        table = io.StringIO("".join(lines[lines.index(head) + 1 :]), newline="")
        rows = list(csv.DictReader(table, names, delimiter=separator))
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
        if tags := read_tags(_first(row, TAGS)):
            prompt["tags"] = tags
        prompts[question] = prompt
    return list(prompts.values())


def _first(row: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return the first nonempty column with one of these names."""
    values = (row.get(name) for name in names)
    found = (value.strip() for value in values if isinstance(value, str) and value.strip())
    return unguarded(next(found, ""))


def read_schedule(typed: Mapping[str, str]) -> str | None:
    """Return the schedule of a form as a tool argument, or None for never."""
    return typed.get("own-schedule", "").strip() or typed.get("schedule", "").strip() or None


def read_place(typed: Mapping[str, str], countries: Sequence[str]) -> SetPlace:
    """Return the location from a form. Raises ChangeRefused when it is invalid."""
    device = typed.get("device", "")
    typed_place = SetPlace(
        countries=tuple(countries),
        language=typed.get("language", "").strip() or None,
        city=typed.get("city", "").strip() or None,
        region=typed.get("region", "").strip() or None,
        timezone=typed.get("timezone", "").strip() or None,
        device="mobile" if device == "mobile" else "desktop" if device == "desktop" else None,
    )
    return checked_place(typed_place)


async def store_place(
    database: Database, engines: Registry, company_id: str, set_id: str, place: SetPlace
) -> None:
    """Store a validated location for a prompt set."""
    async with database.transaction(company_id) as writing:
        known = await writing.prompt_sets.find(set_id)
        if known is not None:
            await change_place(writing, engines, known, place, utc_now())
