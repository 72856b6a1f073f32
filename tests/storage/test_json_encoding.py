"""Texts and documents are written as the library of Python writes them, to the byte."""

import json
from typing import Any

import pytest

from storage.statements.json_encoding import quoted, with_long_texts


def test_every_character_is_quoted_as_the_library_does() -> None:
    for first in range(0, 0x110000, 0x400):
        text = "".join(map(chr, range(first, first + 0x400)))
        assert quoted(text) == json.dumps(text, ensure_ascii=False)


DOCUMENTS: list[Any] = [
    [],
    {},
    "",
    None,
    [{"line": '{"text":"Zürich \\"A\\"\n"}'}],
    [
        {
            "sentAt": "2026-01-01",
            "status": 200,
            "headers": {"a": "b"},
            "body": "é\u2028",
            "stripped": False,
        }
    ],
    ({"delay": 0.5, "more": [1, None, True, [], {}]}, "x"),
    {1: "a", None: "b", "c": 2},
    "\ud800",
]


@pytest.mark.parametrize("value", DOCUMENTS)
def test_documents_are_written_as_the_library_does(value: Any) -> None:
    assert with_long_texts(value) == json.dumps(value, ensure_ascii=False)
