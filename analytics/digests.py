"""Hashes that name evidence: the same inputs always give the same digest and id."""

import json
from collections.abc import Iterable
from hashlib import sha256

SCORE_MODEL = "visibility/3.0.0"
IDS_AT_ONCE = 1000


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
    """Digest of a set of answers as one analysis revision read them; the order of the ids does not matter.

    It is that of the canonical JSON of `{"analysis": ..., "answers": [sorted ids]}`, which is never held whole.
    """
    ids = sorted(set(answer_ids))
    hashed = sha256(f'{canonical_json({"analysis": analysis})[:-1]},"answers":['.encode())
    for first in range(0, len(ids), IDS_AT_ONCE):
        hashed.update(b"," if first else b"")
        hashed.update(canonical_json(ids[first : first + IDS_AT_ONCE])[1:-1].encode())
    hashed.update(b"]}")
    return hashed.hexdigest()
