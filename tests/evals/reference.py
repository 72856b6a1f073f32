"""The reference calls of a question, made one after the other, and the facts that their results lack."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from tests.evals.facts import place
from tests.evals.questions import AnalystQuestion, Earlier

CallTool = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]
"""Calls a tool and returns its result."""


async def reference_results(call: CallTool, question: AnalystQuestion) -> list[dict[str, Any]]:
    """Make the calls of a question, each with what earlier ones gave; return their results."""
    results: list[dict[str, Any]] = []
    for reference in question.calls:
        results.append(await call(reference.tool, filled(reference.arguments, results)))
    return results


def filled(arguments: Mapping[str, Any], results: list[dict[str, Any]]) -> dict[str, Any]:
    """Return arguments with what stands in earlier results."""
    return {
        name: place(results, value.at) if isinstance(value, Earlier) else value
        for name, value in arguments.items()
    }


def lacking(question: AnalystQuestion, results: list[dict[str, Any]]) -> list[str]:
    """Return the facts that are not where they should be, with what is there."""
    return [
        f"{fact}: there is {place(results, fact.at)!r}"
        for fact in question.facts
        if not fact.is_at(list(results))
    ]
