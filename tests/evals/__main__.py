"""`make evals`: forty questions of an analyst, asked of a model that has our tools over MCP.

The engine is the first of SEENBY_ENGINE_COMPATIBLE. Without one the reference calls are checked alone.
"""

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx2

from engines.settings import CompatibleSettings, EngineSettings
from tests.evals.agent import Attempt, ModelEndpoint, answer_question
from tests.evals.mcp_tools import McpTools, connected_tools
from tests.evals.questions import AnalystQuestion, questions
from tests.evals.reference import lacking, reference_results
from tests.evals.report import render
from tests.evals.truth import Market
from tests.evals.workspace import load_history, planning
from tests.server.application.conftest import served


def main() -> int:
    """Return 0 when every question was answered, or every fact found."""
    parser = argparse.ArgumentParser(prog="make evals", description=__doc__)
    parser.add_argument("--questions", type=int, help="Ask only the first so many.")
    parser.add_argument("--least", type=int, help="Answered questions that are enough; all without it.")
    options = parser.parse_args()
    compatible = EngineSettings.from_environ(os.environ).compatible
    asked = questions(Market())[: options.questions]
    attempts = asyncio.run(evaluate(asked, compatible[0] if compatible else None))
    if attempts is None:
        return 1
    if not compatible:
        return 0
    print(render(attempts, f"{compatible[0].model} at {compatible[0].base_url}"))  # noqa: T201 - a report
    enough = len(asked) if options.least is None else options.least
    return 0 if sum(attempt.passed for attempt in attempts) >= enough else 1


async def evaluate(asked: list[AnalystQuestion], engine: CompatibleSettings | None) -> list[Attempt] | None:
    """Check the reference calls, then ask the engine; None when a reference call gives no fact."""
    async with served_tools() as tools:
        faults = [
            f"{question.text}\n  {fact}"
            for question in asked
            for fact in lacking(question, await reference_results(tools.result, question))
        ]
        for fault in faults:
            print(fault, file=sys.stderr)  # noqa: T201 - a report
        if faults:
            return None
        if engine is None:
            print(f"The reference calls give the facts of {len(asked)} questions. No engine is configured:")  # noqa: T201
            print("set SEENBY_ENGINE_COMPATIBLE to ask a model, as web/help/guide/settings.md has it.")  # noqa: T201
            return []
        async with httpx2.AsyncClient() as http:
            endpoint = ModelEndpoint(engine, http)
            return [await answer_question(endpoint, tools, question) for question in asked]


@asynccontextmanager
async def served_tools() -> AsyncGenerator[McpTools]:
    """The synthetic history behind `seenby serve`, and a client of its MCP endpoint."""
    with tempfile.TemporaryDirectory() as folder:
        workspace = await load_history(Path(folder))
        with served(replace(workspace, environ=planning(workspace.environ))) as server:
            async with connected_tools(server.url, workspace.key) as tools:
                yield tools


if __name__ == "__main__":
    raise SystemExit(main())
