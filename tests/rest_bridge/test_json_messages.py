"""Reading a body: two readers must never see two things, and no bytes may break the reader."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rest_bridge.json_messages import DEEPEST, ClientGone, MalformedBody, parse_json, read_body

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(values)
def test_what_was_written_is_read(value: Any) -> None:
    assert parse_json(json.dumps(value, ensure_ascii=False).encode("utf-8")) == value


@given(st.binary(max_size=200))
def test_any_bytes_are_a_value_or_malformed(body: bytes) -> None:
    try:
        value = parse_json(body)
    except MalformedBody:
        return
    assert parse_json(json.dumps(value).encode()) == value


@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_two_hundred_levels_are_read_and_one_more_is_not(opening: bytes, closing: bytes) -> None:
    def nested(levels: int) -> bytes:
        return opening * levels + (b"1" if opening != b"[" else b"") + closing * levels

    parse_json(nested(DEEPEST))
    with pytest.raises(MalformedBody):
        parse_json(nested(DEEPEST + 1))


def test_many_brackets_side_by_side_are_not_deep() -> None:
    assert len(parse_json(b"[" + b",".join([b"[]"] * 5000) + b"]")) == 5000


async def test_a_client_that_leaves_is_noticed() -> None:
    messages = iter([{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}])

    async def receive() -> dict[str, Any]:
        return next(messages)

    with pytest.raises(ClientGone):
        await read_body(receive, [])
