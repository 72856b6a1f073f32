"""The loop of an evaluation, with an engine on loopback that follows a script instead of thinking."""

import asyncio
import json
import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx2
import pytest

from engines.settings import CompatibleSettings
from tests.evals.agent import Attempt, ModelEndpoint, answer_question
from tests.evals.mcp_tools import connected_tools
from tests.evals.questions import BRAND, AnalystQuestion, questions
from tests.evals.report import render
from tests.evals.truth import Market
from tests.evals.workspace import planning
from tests.server.application.conftest import Server, Workspace, make_keys, served
from tools.catalog import tool_table

QUESTION = questions(Market())[0]
"""On which engine the brand is named most often, and how often."""
Script = Callable[[list[dict[str, Any]]], dict[str, Any]]
"""Gives the message that follows those before it."""


@dataclass
class ScriptedEngine:
    """An OpenAI-compatible endpoint that says what a script says; `asked` are the bodies that it got."""

    url: str = ""
    script: Script = lambda messages: {"role": "assistant", "content": ""}
    asked: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


@pytest.fixture
def engine() -> Generator[ScriptedEngine]:
    scripted = ScriptedEngine()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            scripted.asked.append(body)
            said = scripted.script(body["messages"])
            sent = json.dumps({"choices": [{"message": said}]}).encode()
            self.send_response(200 if said else 500)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, format: str, *args: object) -> None:
            """Keep the test's output clean."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        scripted.url = f"http://127.0.0.1:{server.server_port}/v1"
        yield scripted
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def server(history: Workspace) -> Generator[Server]:
    """The synthetic history behind `seenby serve`, with a key."""
    keyed = replace(history, keys=asyncio.run(make_keys(history.environ))[:1])
    with served(replace(keyed, environ=planning(keyed.environ))) as serving:
        yield serving


async def attempt(engine: ScriptedEngine, server: Server, question: AnalystQuestion = QUESTION) -> Attempt:
    async with (
        httpx2.AsyncClient() as http,
        connected_tools(server.url, server.workspace.key) as tools,
    ):
        endpoint = ModelEndpoint(CompatibleSettings("scripted", engine.url, "script-1"), http)
        return await answer_question(endpoint, tools, question)


def calling(tool: str, arguments: str) -> dict[str, Any]:
    """A message that asks for one call."""
    call = {"id": f"call-{tool}", "type": "function", "function": {"name": tool, "arguments": arguments}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def saying(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def told(messages: list[dict[str, Any]]) -> list[str]:
    """What the tools told so far."""
    return [message["content"] for message in messages if message["role"] == "tool"]


def most_naming_engine(messages: list[dict[str, Any]]) -> dict[str, Any]:
    """What a good analyst does: one call, and the answer from its result."""
    results = told(messages)
    if not results:
        return calling("get_platform_metrics", json.dumps({"brandId": BRAND}))
    header, *lines = results[-1].partition("\nplatforms ")[2].splitlines()
    names = header.rpartition(": ")[2].split(" | ")
    rows = [dict(zip(names, line[2:].split(" | "), strict=True)) for line in lines if line.startswith("- ")]
    rates = {
        row["platform"]: float(row["presence"].partition(" ")[0]) for row in rows if row["presence"] != "–"
    }
    best = max(rates, key=rates.__getitem__)
    return saying(f"Most often on {best}: in {rates[best]:.1%} of its answers.")


def misled(messages: list[dict[str, Any]]) -> dict[str, Any]:
    """What a model does that a description misleads, and that then forgets an argument."""
    steps = [
        calling("get_dashboard_overview", "{}"),
        calling("get_platform_metrics", "{}"),
        calling("get_platform_metrics", "[1"),
        saying("I do not know; perhaps synthetic-gemini, 12 %."),
    ]
    return steps[len(told(messages))]


async def test_a_model_s_calls_are_made_and_its_answer_is_judged_by_the_facts(
    engine: ScriptedEngine, server: Server
) -> None:
    engine.script = most_naming_engine
    made = await attempt(engine, server)
    assert (made.passed, made.missed, made.wrong_tools) == (True, [], [])
    assert [(call.tool, call.refusal) for call in made.calls] == [("get_platform_metrics", None)]
    offered = {tool["function"]["name"]: tool["function"] for tool in engine.asked[0]["tools"]}
    assert offered.keys() == tool_table().keys()
    assert offered["get_platform_metrics"]["parameters"]["required"] == ["brandId"]
    assert engine.asked[0]["messages"][-1]["content"] == QUESTION.text


async def test_the_report_names_misleading_descriptions_and_bad_arguments(
    engine: ScriptedEngine, server: Server
) -> None:
    engine.script = misled
    wrong = await attempt(engine, server)
    engine.script = most_naming_engine
    right = await attempt(engine, server)
    report = render([wrong, right], "script-1")
    assert report.startswith("# 1 of 2 questions answered by script-1")
    assert "get_dashboard_overview was taken 1 times; get_platform_metrics answers:" in report
    assert (
        "1 times get_platform_metrics: Tool 'get_platform_metrics' failed: brandId: Field required" in report
    )
    assert "1 times get_platform_metrics: the arguments are no JSON object" in report
    assert "said: I do not know" in report


async def test_an_engine_that_fails_or_never_answers_fails_its_question_alone(
    engine: ScriptedEngine, server: Server
) -> None:
    engine.script = lambda messages: {}
    failed = await attempt(engine, server)
    assert (failed.passed, failed.failure) == (False, "the engine failed: HTTPStatusError")
    engine.script = lambda messages: calling("get_credits", "{}")
    endless = await attempt(engine, server)
    assert (endless.passed, endless.failure) == (False, "no answer after 8 rounds of calls")
    assert len(endless.calls) == 8
    assert "no answer after 8 rounds" in render([endless], "script-1")
