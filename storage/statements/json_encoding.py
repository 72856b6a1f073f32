"""Writes many JSON values in one call of an encoder, which takes longer to be called than to write a small value."""

from collections.abc import Callable, Sequence
from typing import Any

SEPARATOR, WRITTEN_SEPARATOR = "\0", '"\\u0000"'
"""Stands between two values; a value that holds it as well is found out by the count of pieces."""


def encode_each(encode: Callable[[Any], str], values: Sequence[Any], between: str = ",") -> list[str]:
    """Return what an encoder makes of each value; `between` is what it writes between two elements of a list.

    Raises what the encoder raises.
    """
    if not values:
        return []
    separated: list[Any] = [SEPARATOR] * (2 * len(values) - 1)
    separated[::2] = values
    pieces = encode(separated)[1:-1].split(f"{between}{WRITTEN_SEPARATOR}{between}")
    return pieces if len(pieces) == len(values) else list(map(encode, values))
