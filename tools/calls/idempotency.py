"""Requests that may be repeated: the same key and arguments give the first answer again."""

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import Any, TypeVar

from pydantic import BaseModel

from tools.calls.call import Call
from tools.calls.errors import ToolRefusal

KEPT = timedelta(hours=24)
Model = TypeVar("Model", bound=BaseModel)


async def answer_once(
    call: Call, arguments: Mapping[str, Any], model: type[Model], make: Callable[[], Awaitable[Model]]
) -> Model:
    """Answer a write once per key, company and day; without a key every call is a new one.

    The key is kept in the transaction of what it made. Raises Refused when it came with other arguments before.
    """
    if call.idempotency_key is None:
        return await make()
    workspace = await call.workspace()
    await workspace.credits.lock()
    key, now = call.idempotency_key, call.now()
    written = json.dumps([call.tool, arguments], sort_keys=True, ensure_ascii=False)
    digest = hashlib.sha256(written.encode()).hexdigest()
    known = await workspace.idempotency_keys.find(key, now - KEPT)
    if known is None:
        made = await make()
        answer = made.model_dump(mode="json")
        await workspace.idempotency_keys.remember(key, digest, answer, since=now - KEPT, now=now)
        return made
    if known[0] != digest:
        raise ToolRefusal(
            "the idempotency key was used for a request with other arguments", "Send another key, or none."
        )
    return model.model_validate(known[1])
