"""A company's own workflow as a TOML file: read from one, and written as one that reads the same."""

import json
import tomllib
from typing import Any, cast

from measurement.errors import ChangeRefused
from workflows.custom_workflows import StepInput, WorkflowInput, validate_workflow

LARGEST_FILE = 64 * 1024
MOST_PARTS = 2_000
"""Of keys, which is several times what a workflow of every agent has: reading them takes their number squared."""
HINT = "See the guide's page on workflows of your own for a whole example."


def parse_workflow(text: str) -> WorkflowInput:
    """Read a workflow from TOML. Raises ChangeRefused with the line or field at fault, never with its value."""
    if len(text) > LARGEST_FILE:
        raise ChangeRefused(f"the file is larger than {LARGEST_FILE // 1024} KB", HINT)
    if "\0" in text:
        raise ChangeRefused("the file holds the character NUL, which no text has", HINT)
    if max(text.count("."), text.count("=")) > MOST_PARTS:
        raise ChangeRefused("the file has more keys than a workflow of every agent", HINT)
    try:
        values = tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        place = str(error).rpartition("(")[2].rstrip(")")
        raise ChangeRefused(
            f"the file is no TOML {place if place.startswith('at ') else ''}".rstrip(), HINT
        ) from error
    except RecursionError as error:
        raise ChangeRefused("the file is no workflow: its values are nested too deep", HINT) from error
    return validate_workflow(values)


def write_workflow(given: WorkflowInput) -> str:
    """Return a workflow as TOML."""
    lines = [f"{field} = {_written(getattr(given, field))}" for field in ("id", "name", "description")]
    for step in given.steps:
        lines += ["", "[[steps]]", *_step_lines(step)]
    return "\n".join(lines) + "\n"


def _step_lines(step: StepInput) -> list[str]:
    if step.reusableAgent is not None:
        return [f"reusableAgent = {_written(step.reusableAgent)}"]
    lines = [f"agent = {_written(step.agent)}"]
    if step.configuration:
        settings = ", ".join(f"{name} = {_written(value)}" for name, value in step.configuration.items())
        lines.append(f"configuration = {{ {settings} }}")
    return lines


def _written(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_written(item) for item in cast('list[object]', value))}]"
    # JSON's strings, numbers and words are TOML's too, but for one character that TOML wants escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
