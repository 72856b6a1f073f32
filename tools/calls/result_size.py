"""The one place that keeps results small enough for a model: pages end early, and what has no pages is shortened."""

from collections.abc import Sequence
from typing import Any, cast

from pydantic import BaseModel
from pydantic_core import from_json, to_json

from tools.calls.wire import ListWindow

LARGEST_RESULT = 60_000
"""Bytes of the largest result: some 15,000 tokens, less than any client cuts off."""

_RESERVE = 400
"""Bytes left for what is then said about it."""
_STEPS = ((2000, 200), (1000, 100), (500, 50), (300, 30), (200, 20), (100, 10), (60, 5), (30, 2), (20, 1))
"""Longest text in characters and longest list that are tried one after the other."""


def serialised(result: BaseModel, notices: Sequence[str] = (), *, whole: bool = False) -> bytes:
    """Write a result as JSON of at most `LARGEST_RESULT` bytes, unless the `whole` of it is wanted.

    `notices` are said in its `notice`, which every result may have, after what it says itself. A page that is
    too large ends early and says where the next one begins; anything else has its longest texts and lists cut.
    """
    body = _written(result, notices)
    if whole or len(body) <= LARGEST_RESULT:
        return body
    result, said = _ended_early(result, len(body) - LARGEST_RESULT + _RESERVE)
    body = _written(result, [*notices, *said])
    return body if len(body) <= LARGEST_RESULT else _shortened(result, [*notices, *said])


def _written(result: BaseModel, notices: Sequence[str]) -> bytes:
    if not notices:
        return result.__pydantic_serializer__.to_json(result, by_alias=True)
    said = " ".join([*filter(None, [getattr(result, "notice", None)]), *notices])
    if "notice" in type(result).model_fields:
        changed = result.model_copy(update={"notice": said})
        return changed.__pydantic_serializer__.to_json(changed, by_alias=True)
    body = result.__pydantic_serializer__.to_json(result, by_alias=True)
    return b'%b%b"notice":%b}' % (body[:-1], b"," if len(body) > len("{}") else b"", to_json(said))


def _ended_early(result: BaseModel, excess: int) -> tuple[BaseModel, list[str]]:
    """The result with so much less in its list, or in the list of the only item that is left of it."""
    window: ListWindow | None = getattr(result, "window", None)
    if window is None:
        return result, []
    items = cast(list[Any], getattr(result, window.field) or [])
    sizes = [len(to_json(item, by_alias=True)) + 1 for item in items]
    kept, saved = len(items), 0
    while kept > 1 and saved < excess:
        kept -= 1
        saved += sizes[-1 - kept] if window.keeps_end else sizes[kept]
    shown = items[len(items) - kept :] if window.keeps_end else items[:kept]
    said: list[str] = []
    if saved < excess and shown and isinstance(shown[0], BaseModel):
        inner, said = _ended_early(shown[0], excess - saved)
        shown = [inner]
    if kept == len(items):
        return result.model_copy(update={window.field: shown}), said
    changes: dict[str, object] = {window.field: shown}
    if window.following is None:
        said = [
            f"Only the {'newest' if window.keeps_end else 'first'} {kept} of {len(items)} {window.field} fit.",
            *said,
        ]
    else:
        start = cast(int, getattr(result, window.offset))
        changes[window.following] = start + kept
        said = [f"The page ends early, since more does not fit: go on with {window.following}.", *said]
    return result.model_copy(update=changes), said


def _shortened(result: BaseModel, notices: Sequence[str]) -> bytes:
    """The result with its texts and lists cut further and further, until it is small enough."""
    value = from_json(_written(result, notices))
    told = str(value.get("notice") or "")
    for longest_text, longest_list in _STEPS:
        cut = _cut(value, longest_text, longest_list)
        cut["notice"] = (
            f"{told} Shortened to fit: texts to {longest_text} characters, lists to {longest_list} items; "
            "ask for less with limit or filters."
        ).strip()
        body = to_json(cut)
        if len(body) <= LARGEST_RESULT:
            return body
    raise ValueError(f"{type(result).__name__} has too many fields for a result")


def _cut(value: Any, longest_text: int, longest_list: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= longest_text else value[: longest_text - 1] + "…"
    if isinstance(value, list):
        return [_cut(item, longest_text, longest_list) for item in cast(list[Any], value)[:longest_list]]
    if isinstance(value, dict):
        members = cast(dict[str, Any], value)
        return {name: _cut(member, longest_text, longest_list) for name, member in members.items()}
    return value
