"""Hashes that name evidence: the same inputs always give the same digest and id."""

import json
from collections.abc import Iterable
from hashlib import sha256

SCORE_MODEL = "visibility/2.0.1"


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical_json(value: object) -> str:
    """JSON with sorted keys and without white space; a float is written with its shortest exact digits.

    Raises ValueError for NaN and infinities, which JSON cannot say.
    """
    return _ENCODER.encode(value)


def digest(text: str) -> str:
    """SHA-256 of the UTF-8 text, as 64 lower-case hexadecimal digits."""
    return sha256(text.encode()).hexdigest()


def inputs_digest(answer_ids: Iterable[str], analysis: str) -> str:
    """Digest of a set of answers as one analysis revision read them; the order of the ids does not matter."""
    return digest(canonical_json({"analysis": analysis, "answers": sorted(set(answer_ids))}))
