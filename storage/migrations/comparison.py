"""Compares the schema that a database has with the one that is declared, whatever revision it claims to be of."""

from collections.abc import Iterator
from typing import Any, cast

from sqlalchemy import Connection

from storage.tables import metadata

VERBS = {"add": "is missing", "remove": "is not declared"}
NOUNS = {"fk": "foreign key"}
CHANGES = {
    "modify_type": "has type {0}, declared is {1}",
    "modify_nullable": "has nullable {0}, declared is {1}",
    "modify_default": "has another default than declared",
}


def differences(connection: Connection) -> list[str]:
    """Return what differs, a clause each: tables, columns, indexes, constraints, types."""
    from alembic.autogenerate import compare_metadata  # heavy, and seldom needed
    from alembic.runtime.migration import MigrationContext

    context = MigrationContext.configure(connection, opts={"include_name": _is_ours})
    differences_found = cast("list[Any]", compare_metadata(context, metadata))
    return sorted(
        clause for difference in _flat(differences_found) if (clause := _clause(difference)) is not None
    )


def _is_ours(name: str | None, kind: str, parents: object) -> bool:
    """Leave out tables that are not declared: the full-text index and those of others."""
    return kind != "table" or name in metadata.tables


def _flat(entries: list[Any]) -> Iterator[tuple[Any, ...]]:
    """Yield the differences one by one: changes of a column come as a list of their own."""
    for entry in entries:
        if isinstance(entry, list):
            yield from cast("list[tuple[Any, ...]]", entry)
        else:
            yield entry


def _clause(difference: tuple[Any, ...]) -> str | None:
    """Say a difference; None for the full-text column and index, which only the migration knows."""
    kind = str(difference[0])
    if kind in CHANGES:
        _, _, table, column, _, present, declared = difference
        return f"column {table}.{column} {CHANGES[kind].format(present, declared)}"
    verb, _, noun = kind.partition("_")
    element = difference[-1]
    if verb == "remove" and "search" in str(element.name):
        return None
    table = getattr(element, "table", None)
    owner = f"{difference[2]}." if noun == "column" else ""
    of = f" of {table.name}" if table is not None and noun not in ("table", "column") else ""
    name = element.name or ", ".join(column.name for column in getattr(element, "columns", ()))
    return f"{NOUNS.get(noun, noun)} {owner}{name}{of} {VERBS[verb]}"
