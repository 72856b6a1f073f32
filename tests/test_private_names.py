"""Private names of libraries that have no public way: each is used in one module, and is there."""

import asyncio
import re
from pathlib import Path

import pytest
from dbos import DBOS

HOUSE = Path(__file__).parents[1]
USED = {
    "_set_running_loop": "workflows/engine/engine_process.py",
    "_recover_pending_workflows": "workflows/engine/engine_process.py",
}
MARKED = re.compile(r"reportPrivateUsage|\basyncio\._")
PRIVATE = re.compile(r"(?<!self)(?<!cls)\.(_[a-z]\w*)")


def test_private_names_of_libraries_are_used_once_and_listed() -> None:
    packages = [path for path in HOUSE.iterdir() if (path / "__init__.py").is_file() and path.name != "tests"]
    used = {
        (name, path.relative_to(HOUSE).as_posix())
        for package in packages
        for path in package.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if MARKED.search(line)
        for name in PRIVATE.findall(line)
    }
    assert used == set(USED.items())


@pytest.mark.parametrize(
    ("owner", "name"), [(asyncio, "_set_running_loop"), (DBOS, "_recover_pending_workflows")]
)
def test_the_library_still_has_the_function(owner: object, name: str) -> None:
    assert callable(getattr(owner, name, None))
