"""The shape of every tool as clients see it, so that a change of it is a visible difference."""

import json
import os
from pathlib import Path

import pytest

from tools.catalog import tool_table

FOLDER = Path(__file__).with_name("snapshots")
TABLE = tool_table()


@pytest.mark.parametrize("name", TABLE)
def test_a_tool_has_the_shape_of_its_snapshot(name: str) -> None:
    wire = json.loads(TABLE[name].wire_tool().model_dump_json(by_alias=True, exclude_none=True))
    shape = json.dumps(wire, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    path = FOLDER / f"{name}.json"
    if os.environ.get("UPDATE_SNAPSHOTS") == "1":
        FOLDER.mkdir(exist_ok=True)
        path.write_text(shape, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == shape, "UPDATE_SNAPSHOTS=1 writes it anew"


def test_no_snapshot_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(TABLE)
