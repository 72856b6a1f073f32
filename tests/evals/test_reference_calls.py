"""The calls that answer an analyst's forty questions give the facts that were counted in the generator's answers."""

import json
from collections.abc import AsyncGenerator
from itertools import count
from typing import Any

import pytest

from oauth.principal import Caller, Principal, Scope
from server.mcp.summaries import summary
from server.service import open_service
from server.settings import Settings
from tests.evals.facts import Count, Share, words
from tests.evals.questions import AnalystQuestion, questions
from tests.evals.reference import CallTool, lacking, reference_results
from tests.evals.truth import Market
from tests.evals.workspace import planning
from tests.server.application.conftest import Workspace
from tools.calls.dispatch import Success
from tools.catalog import tool_table

QUESTIONS = questions(Market())
CALLERS = count()
MOST_TEXT_READ = 12_000
"""Bytes of text that a model reads for one question."""


@pytest.fixture
def texts() -> list[str]:
    """The texts of all results so far, as a host shows them to its model."""
    return []


@pytest.fixture
async def call(history: Workspace, texts: list[str]) -> AsyncGenerator[CallTool]:
    """The tools over the synthetic history."""
    async with open_service(Settings.from_environ(planning(history.environ))) as service:
        (company,) = await service.database.operators.companies.all()

        async def called(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
            principal = Principal(company.id, f"key:{next(CALLERS)}", frozenset({Scope.WRITE}))
            outcome = await service.dispatcher.call(tool, arguments, Caller(principal, "192.0.2.1"))
            assert isinstance(outcome, Success), outcome
            texts.append(summary(outcome))
            return json.loads(outcome.body)

        yield called


async def test_the_reference_calls_of_every_question_give_its_facts(call: CallTool) -> None:
    faults = {
        question.text: missing
        for question in QUESTIONS
        if (missing := lacking(question, await reference_results(call, question)))
    }
    assert faults == {}


async def test_the_texts_of_the_results_alone_say_every_fact_in_few_bytes(
    call: CallTool, texts: list[str]
) -> None:
    for question in QUESTIONS:
        texts.clear()
        await reference_results(call, question)
        read = "\n".join(texts)
        assert [fact for fact in question.facts if not fact.is_said(read)] == [], question.text
        assert len(read.encode()) <= MOST_TEXT_READ, question.text


def test_there_are_forty_questions_with_at_most_three_calls() -> None:
    assert len({question.text for question in QUESTIONS}) == 40
    table = tool_table()
    for question in QUESTIONS:
        assert 1 <= len(question.calls) <= 3
        assert question.facts
        assert question.tools <= table.keys(), question.tools - table.keys()
    assert len({call.tool for question in QUESTIONS for call in question.calls}) >= 12


@pytest.mark.parametrize(
    ("fact", "said", "holds"),
    [
        (Share("", 0.6094), "Named in 60.9 % of its answers.", True),
        (Share("", 0.6094), "Named in 0.61 of them.", True),
        (Share("", 0.6094), "Named in 39 of 64 answers.", False),
        (Share("", 0.6094), "Named in about 55% of 61000 answers.", False),
        (Share("", -0.12, points=2), "It fell by 12.5 points.", True),
        (Count("", 1536), "There are 1,536 answers.", True),
        (Count("", 16), "There are 160 answers.", False),
        (words("", "rose", "grew"), "It GREW.", True),
        (words("", "rose", "grew"), "It fell.", False),
    ],
)
def test_words_are_judged_by_the_numbers_and_names_in_them(
    fact: Share | Count, said: str, holds: bool
) -> None:
    assert fact.is_said(said) is holds


async def test_a_fact_that_is_not_in_the_results_is_told(call: CallTool) -> None:
    known = QUESTIONS[0]
    wrong = AnalystQuestion(known.text, known.calls, (Share(known.facts[1].at, 0.01),))
    (fault,) = lacking(wrong, await reference_results(call, wrong))
    assert "0.01" in fault
