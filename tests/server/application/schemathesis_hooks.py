"""Loaded by schemathesis, so that limits and unknown brands do not hide the tools.

Each request has a key and an address in turn, and every other one the name of a brand that is there.
"""

import itertools
import json
import os
from pathlib import Path
from typing import Any, cast

import schemathesis

KEYS: list[str] = json.loads(Path(os.environ["KEYS_FILE"]).read_text(encoding="utf-8"))
TURN = itertools.count()
library: Any = schemathesis  # its hooks have no types


@library.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    turn = next(TURN)
    case.headers["X-Forwarded-For"] = f"198.51.{turn // 200 % 200}.{turn % 200 + 1}"
    if turn % 2 and names_a_brand(case.body):
        case.body["brandId"] = "Toyota"
    if KEYS and "Authorization" not in case.headers:
        case.headers["Authorization"] = f"Bearer {KEYS[turn % len(KEYS)]}"


def names_a_brand(body: object) -> bool:
    given = cast(dict[str, object], body).get("brandId") if isinstance(body, dict) else None
    return isinstance(given, str) and given != ""
