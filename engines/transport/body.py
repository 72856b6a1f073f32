"""Parses provider JSON field by field and rejects undocumented shapes as `invalid_response`."""

import json
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import NoReturn, TypeAlias, cast

from engines.errors import EngineError, EngineErrorCode

JsonObject: TypeAlias = Mapping[str, object]

# Neither UTF-8 nor PostgreSQL can store these. Each is replaced by one code point, so offsets stay correct.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
DEEPEST = 100
"""Maximum nesting of lists and objects; parsers recurse to this depth, and a process can only recurse so far."""
MOST = 10**15
"""Above any plausible charge."""


def malformed(detail: str) -> EngineError:
    """Return the error for an undocumented response; `detail` is our own text, not the provider's."""
    return EngineError(
        EngineErrorCode.INVALID_RESPONSE, "The engine's response is not the documented shape.", detail=detail
    )


def decode(body: bytes) -> JsonObject:
    """Return one JSON object from UTF-8 bytes. Raises EngineError `invalid_response` for anything else."""
    value = decode_any(body)
    if not isinstance(value, dict):
        raise malformed("the body is not an object")
    return cast(JsonObject, value)


def decode_any(body: bytes) -> object:
    """Return one JSON value of any kind from UTF-8 bytes. Raises EngineError `invalid_response` for anything else."""
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
    """Return whether a JSON value is nested deeper than any documented response; each value is visited once."""
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
    """Return UTF-8 JSON without spaces, with non-ASCII characters unescaped."""
    # A provider may return a lone surrogate in a turn that is continued; UTF-8 cannot encode it.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def string(parent: JsonObject, key: str) -> str | None:
    """Return a string, or None if it is absent or null."""
    value = parent.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        raise malformed(f"{key} is not a string")
    return storable(value)


def required(parent: JsonObject, key: str) -> str:
    """Return a string that the provider's documentation guarantees."""
    value = string(parent, key)
    if value is None:
        raise malformed(f"{key} is missing")
    return value


def storable(value: str) -> str:
    """Return the string with NUL and lone surrogates replaced by U+FFFD, one for one."""
    return UNSTORABLE.sub("\ufffd", value)


def whole(parent: JsonObject, key: str) -> int | None:
    """Return an integer of at least 0. Anything else counts as unknown, because a count must not fail an answer."""
    value = parent.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def amount(parent: JsonObject, key: str) -> Decimal | None:
    """Return a number from 0 to `MOST` in its shortest decimal spelling; anything else counts as unknown."""
    value = parent.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= MOST:
        return None
    return Decimal(str(value))


def child(parent: JsonObject, key: str) -> JsonObject | None:
    """Return an object, or None if it is absent or null."""
    value = parent.get(key)
    if value is None:
        return None
    if not isinstance(value, dict):
        raise malformed(f"{key} is not an object")
    return cast(JsonObject, value)


def children(parent: JsonObject, key: str) -> list[JsonObject]:
    """Return a list of objects, empty if it is absent or null."""
    values = items(parent, key)
    if not all(isinstance(value, dict) for value in values):
        raise malformed(f"{key} holds something else than objects")
    return cast(list[JsonObject], values)


def strings(parent: JsonObject, key: str) -> tuple[str, ...]:
    """Return a list of strings, empty if it is absent or null."""
    values = items(parent, key)
    if not all(isinstance(value, str) for value in values):
        raise malformed(f"{key} holds something else than strings")
    return tuple(storable(value) for value in cast(list[str], values))


def items(parent: JsonObject, key: str) -> list[object]:
    """Return a list of any values, empty if it is absent or null."""
    value = parent.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise malformed(f"{key} is not a list")
    return cast(list[object], value)


def _not_json(constant: str) -> NoReturn:
    raise ValueError(constant)
