"""Reads provider JSON field by field and refuses, as `invalid_response`, what is not the documented shape."""

import json
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import NoReturn, TypeAlias, cast

from engines.errors import EngineError, EngineErrorCode

JsonObject: TypeAlias = Mapping[str, object]

# Neither UTF-8 nor PostgreSQL can hold these. One code point replaces one, so offsets stay right.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
DEEPEST = 100
"""Levels of lists and objects inside one another; what reads them goes as deep, and a process only so far."""
MOST = 10**15
"""Above any amount that somebody could have been charged."""


def malformed(detail: str) -> EngineError:
    """The error for a response that is not what the provider documents; `detail` is ours, not theirs."""
    return EngineError(
        EngineErrorCode.INVALID_RESPONSE, "The engine's response is not the documented shape.", detail=detail
    )


def decode(body: bytes) -> JsonObject:
    """One JSON object from UTF-8 bytes. Raises EngineError `invalid_response` on anything else."""
    value = decode_any(body)
    if not isinstance(value, dict):
        raise malformed("the body is not an object")
    return cast(JsonObject, value)


def decode_any(body: bytes) -> object:
    """One JSON value of any kind from UTF-8 bytes. Raises EngineError `invalid_response` on anything else."""
    try:
        value: object = json.loads(body.decode("utf-8"), parse_constant=_not_json)
    except UnicodeDecodeError:
        raise malformed("the body is not UTF-8") from None
    except (ValueError, RecursionError):
        raise malformed("the body is not JSON") from None
    if is_deep(value):
        raise malformed(f"the body is nested deeper than {DEEPEST} levels")
    return value


def is_deep(value: object) -> bool:
    """Whether a JSON value has more levels than anything that a provider documents; each is looked at once."""
    level = [value]
    for _ in range(DEEPEST):
        level = [inner for outer in level for inner in _inside(outer) if isinstance(inner, (dict, list))]
        if not level:
            return False
    return True


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return cast(JsonObject, value).values()
    return cast("list[object]", value) if isinstance(value, list) else ()


def encode(value: object) -> bytes:
    """UTF-8 JSON without spaces, non-ASCII characters as themselves."""
    # A lone surrogate can come back from a provider in a turn that is continued; UTF-8 cannot hold it.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def string(parent: JsonObject, key: str) -> str | None:
    """A string, or None when absent or null."""
    value = parent.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        raise malformed(f"{key} is not a string")
    return storable(value)


def required(parent: JsonObject, key: str) -> str:
    """A string that the provider's documentation promises."""
    value = string(parent, key)
    if value is None:
        raise malformed(f"{key} is missing")
    return value


def storable(value: str) -> str:
    """The string with NUL and lone surrogates replaced by U+FFFD, one for one."""
    return UNSTORABLE.sub("\ufffd", value)


def whole(parent: JsonObject, key: str) -> int | None:
    """An integer of at least 0; anything else counts as unknown, for no answer is lost over a count."""
    value = parent.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def amount(parent: JsonObject, key: str) -> Decimal | None:
    """A number from 0 to `MOST` in its shortest decimal spelling; anything else counts as unknown."""
    value = parent.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= MOST:
        return None
    return Decimal(str(value))


def child(parent: JsonObject, key: str) -> JsonObject | None:
    """An object, or None when absent or null."""
    value = parent.get(key)
    if value is None:
        return None
    if not isinstance(value, dict):
        raise malformed(f"{key} is not an object")
    return cast(JsonObject, value)


def children(parent: JsonObject, key: str) -> list[JsonObject]:
    """A list of objects, empty when absent or null."""
    values = items(parent, key)
    if not all(isinstance(value, dict) for value in values):
        raise malformed(f"{key} holds something else than objects")
    return cast(list[JsonObject], values)


def strings(parent: JsonObject, key: str) -> tuple[str, ...]:
    """A list of strings, empty when absent or null."""
    values = items(parent, key)
    if not all(isinstance(value, str) for value in values):
        raise malformed(f"{key} holds something else than strings")
    return tuple(storable(value) for value in cast(list[str], values))


def items(parent: JsonObject, key: str) -> list[object]:
    """A list of anything, empty when absent or null."""
    value = parent.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise malformed(f"{key} is not a list")
    return cast(list[object], value)


def _not_json(constant: str) -> NoReturn:
    raise ValueError(constant)
