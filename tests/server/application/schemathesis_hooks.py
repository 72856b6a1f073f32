"""Loaded by schemathesis, so that limits and unknown brands do not hide the tools.

Each request has an address in turn, most have a key, and every other one names a brand that is there. Every other
request to propose a brand from a site, which no test asks, is one to create the brand.
"""

import itertools
import json
import os
from pathlib import Path
from typing import Any, cast

import schemathesis

KEYS: list[str] = json.loads(Path(os.environ["KEYS_FILE"]).read_text(encoding="utf-8"))
BRAND = os.environ["BRAND_ID"]
"""By its id, which stays when a request renames the brand."""
TURN = itertools.count()
library: Any = schemathesis  # its hooks have no types


@library.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    turn = next(TURN)
    case.headers["X-Forwarded-For"] = f"198.51.{turn // 200 % 200}.{turn % 200 + 1}"
    if turn % 2 and names_a_brand(case.body):
        case.body["brandId"] = BRAND
    if turn % 2 and case.path.endswith("/create_brand_profile") and proposes(case.body):
        case.body["name"] = f"Brand {turn}"
        del case.body["proposeFrom"]
    # A made-up credential is refused before anything of the request is looked at: some of these are enough.
    if KEYS and ("Authorization" not in case.headers or turn % 4):
        case.headers["Authorization"] = f"Bearer {KEYS[turn % len(KEYS)]}"


def names_a_brand(body: object) -> bool:
    brand_id = cast(dict[str, object], body).get("brandId") if isinstance(body, dict) else None
    return isinstance(brand_id, str) and brand_id != ""


def proposes(body: object) -> bool:
    return isinstance(body, dict) and "proposeFrom" in cast(dict[str, object], body)
