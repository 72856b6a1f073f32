"""The shape of the house: short chains of imports without a circle, and fixtures that have a type."""

import ast
from functools import cache
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[1]
PACKAGES = [
    "server", "rest_bridge", "web", "tools", "workflows", "measurement", "readiness", "oauth", "engines",
    "analytics", "storage",
]  # fmt: skip
MOST_FLOORS = 7
"""One more than with folders of small files: a merged file counts as a floor of its own."""
MOST_FLOORS_OF_STORAGE = 10
"""Encoding, tables, queries, the base of repositories, repositories on one another, workspace, database."""


def modules_of(package: str) -> dict[str, Path]:
    """Dotted name -> file of every module of `package`; revisions of the schema stand apart."""
    files = (path for path in (HOUSE / package).rglob("*.py") if path.parent.name != "versions")
    dotted = {".".join(path.relative_to(HOUSE).with_suffix("").parts): path for path in files}
    return {name.removesuffix(".__init__"): path for name, path in dotted.items()}


def rooms_of(package: str) -> dict[str, set[str]]:
    """Room -> the rooms that it imports. A room is a file of the package, or a folder whose files stand together.

    The folder `repositories` is a shelf of rooms, not one room.
    """
    modules = modules_of(package)

    def room(module: str) -> str:
        parts = module.split(".")[1:]
        return ".".join(parts[:2] if parts[0] == "repositories" else parts[:1])

    imported: dict[str, set[str]] = {room(module): set() for module in modules if module != package}
    for module, path in modules.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
                targets = [name if name in modules else node.module for name in names]
            elif isinstance(node, ast.Import):
                targets = [alias.name for alias in node.names]
            else:
                continue
            for target in targets:
                if module != package and target in modules and target != package:
                    imported[room(module)] |= {room(target)} - {room(module)}
    return imported


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_has_at_most_seven_floors_and_no_circle(package: str) -> None:
    imported = rooms_of(package)
    under_way: list[str] = []

    @cache
    def floor(room: str) -> int:
        assert room not in under_way, f"a circle: {' > '.join([*under_way, room])}"
        under_way.append(room)
        height = 1 + max((floor(below) for below in imported[room]), default=0)
        under_way.pop()
        return height

    heights = {room: floor(room) for room in imported}
    most = MOST_FLOORS_OF_STORAGE if package == "storage" else MOST_FLOORS
    assert max(heights.values()) <= most, sorted(heights.items(), key=lambda item: -item[1])[:5]


def untyped_fixtures(path: Path) -> list[str]:
    """The parameters of tests and fixtures that may be anything and are no value that the test is parametrised with."""
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        decorators = " ".join(map(ast.unparse, node.decorator_list))
        if not (node.name.startswith("test") or "pytest.fixture" in decorators):
            continue
        for argument in (*node.args.args, *node.args.kwonlyargs):
            kind = ast.unparse(argument.annotation) if argument.annotation else "Any"
            if kind in ("Any", "Callable[..., Any]") and argument.arg not in decorators:
                found.append(f"{path.relative_to(HOUSE)}: {node.name}({argument.arg})")
    return found


def test_every_fixture_has_a_type_where_it_is_used() -> None:
    files = [path for path in (HOUSE / "tests").rglob("*.py") if "node_modules" not in path.parts]
    assert [name for path in files for name in untyped_fixtures(path)] == []
