"""Fields of the prompt set form: prompts as text lines or an uploaded file, schedule and location."""

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engines.registry import Registry
from measurement.planning.clock import utc_now
from measurement.planning.prompt_sets import SetPlace, change_place, checked_place
from storage.database import Database

SEPARATOR = re.compile(r"\t|\s{0,40}\|\s{0,40}")
"""Column separators of a line: a tab, as copied from a spreadsheet, or a vertical bar."""


def write_lines(prompts: Sequence[Mapping[str, Any]]) -> str:
    """Return one line per prompt: text
    intent
    tags, without empty trailing columns.
    """
    return "\n".join(_write_line(prompt) for prompt in prompts)


def _write_line(prompt: Mapping[str, Any]) -> str:
    columns = [prompt["text"], prompt["intent"] or "", ", ".join(prompt["tags"])]
    while not columns[-1]:
        columns.pop()
    return " | ".join(columns)


def read_lines(text: str, known: Sequence[Mapping[str, Any]] = ()) -> list[dict[str, Any]]:
    """Return the prompts of several lines as tool arguments, without duplicates.

    Known prompts keep the properties that a line does not contain (branded, country, language, city).
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
    """Return the columns of a line. A known prompt stays whole even if it contains a separator."""
    whole = next((text for text in known if SEPARATOR.search(text) and line.startswith(text)), "")
    rest = line[len(whole) :]
    columns = [column.strip() for column in SEPARATOR.split(rest)]
    return [whole, *columns[1:]] if whole else columns


QUESTION, INTENT, TAGS = ("question", "prompt", "text"), ("intent",), ("tags", "tag")
"""Accepted column names."""
UNREADABLE = "\ufffd"


def read_file(text: str) -> list[dict[str, Any]]:
    """Return the prompts of a file as tool arguments, without duplicates. Raises ValueError when it is not text."""
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
    """Return the first nonempty column with one of these names."""
    values = (row.get(name) for name in names)
    return next((value.strip() for value in values if isinstance(value, str) and value.strip()), "")


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
