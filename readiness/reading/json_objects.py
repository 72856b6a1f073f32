"""Objects inside JSON that a site wrote: whatever stands there is read as objects or as none."""

from typing import TypeAlias, cast

Json: TypeAlias = dict[str, object]
MOST_ITEMS = 200
"""How many entries of a list are read."""


def objects_of(value: object) -> list[Json] | None:
    """The entries of a list of objects; None where it is no such list, or an empty one."""
    if not isinstance(value, list) or not value:
        return None
    entries = cast(list[object], value)[:MOST_ITEMS]
    return cast(list[Json], entries) if all(isinstance(entry, dict) for entry in entries) else None


def object_of(value: object) -> Json:
    """A value that is an object; an empty one for anything else."""
    return cast(Json, value) if isinstance(value, dict) else {}
