"""What was stored years ago is read as it was then, until a parser says by its number that it reads otherwise."""

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from engines.engine import EngineAnswer, Mode, Question
from engines.parsers import PARSERS, parser_of
from measurement.extraction.answer_drafts import exchanges_in, exchanges_of

FIXTURES = sorted(Path(__file__).with_name("exchanges").rglob("*.json"))
BESIDE = ("site", "placement", "group", "source_position")
"""What few providers say of a source, and what is committed only where one does."""
UPDATE = bool(os.environ.get("UPDATE_SNAPSHOTS"))


def read(stored: Any) -> EngineAnswer:
    """The answer in a fixture, as today's parser of its format reads it."""
    parse = parser_of(stored["parser"])
    assert parse is not None, f"nothing parses {stored['parser']} any more, and answers like it are stored"
    question = Question(stored["prompt"], Mode(stored["mode"]), "00c0ffee")
    return parse(question, exchanges_in(stored["exchanges"]))


def expectation(answer: EngineAnswer) -> Any:
    """What is committed of an answer: all that a parser decides."""
    usage = {
        name: str(value) if name == "provider_cost_usd" and value is not None else value
        for name, value in asdict(answer.usage).items()
    }
    return {
        "status": answer.status,
        "text": answer.text,
        "truncated": answer.truncated,
        "retrieval": {**asdict(answer.retrieval), "queries": list(answer.retrieval.queries)},
        "citations": [
            {name: value for name, value in asdict(citation).items() if name not in BESIDE or value}
            for citation in answer.citations
        ],
        **({} if answer.citations_resolved else {"citationsResolved": False}),
        "models": [answer.requested_model, answer.served_model],
        "usage": usage,
    }


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_stored_exchange_is_read_as_committed_for_its_parser(path: Path) -> None:
    """An expectation is added for a new number, and never changed for an old one."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    answer = read(stored)
    if UPDATE and answer.parser not in stored["read"]:
        stored["read"][answer.parser] = expectation(answer)
        path.write_text(json.dumps(stored, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    committed = stored["read"].get(answer.parser)
    assert committed is not None, f"say what {answer.parser} reads: UPDATE_SNAPSHOTS=1, and look at it"
    assert expectation(answer) == committed, f"{answer.parser} reads otherwise now: raise its number"


def test_every_format_that_is_parsed_has_a_stored_exchange() -> None:
    assert {path.parent.name for path in FIXTURES} == PARSERS.keys()


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_is_stored_of_an_exchange_is_what_is_parsed_again(path: Path) -> None:
    stored = json.loads(path.read_text(encoding="utf-8"))["exchanges"]
    assert exchanges_of(exchanges_in(stored)) == stored


def test_an_exchange_that_is_no_utf_8_comes_back_byte_for_byte() -> None:
    stored = json.loads(FIXTURES[0].read_text(encoding="utf-8"))["exchanges"]
    stored[0]["body"] = {"base64": "/w=="}
    [exchange] = exchanges_in(stored[:1])
    assert exchange.body == b"\xff"
    assert exchanges_of([exchange]) == stored[:1]
