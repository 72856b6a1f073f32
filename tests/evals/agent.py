"""A model with our tools: it is asked a question, its calls are made over MCP, and its words are judged."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol

import httpx2
from pydantic import TypeAdapter

from engines.settings import CompatibleSettings
from tests.evals.questions import AnalystQuestion

MOST_ROUNDS = 8
"""Times that a model may ask for calls before it has to answer."""
PATIENCE_SECONDS = 180
LONGEST_RESULT = 60_000
MESSAGE = TypeAdapter(dict[str, Any])
SYSTEM = (
    "You are an analyst of how AI engines present brands. Today is {today} (UTC). The brand is Zentrix (synthetic), "
    "a sample. Answer from the results of the tools alone, in at most three sentences, with names and numbers."
)


class Refused(Exception):
    """A tool refused a call, in these words."""


class Tools(Protocol):
    """The tools as a client of MCP has them."""

    async def listed(self) -> list[dict[str, Any]]:
        """Return tools/list."""
        ...

    async def call(self, tool: str, arguments: dict[str, Any]) -> str:
        """Return the text of a result. Raises Refused."""
        ...


@dataclass(frozen=True, slots=True)
class MadeCall:
    """A call that a model asked for; `refusal` is what the tool said to it, None when it gave a result."""

    tool: str
    arguments: dict[str, Any]
    refusal: str | None


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a model did with a question."""

    question: AnalystQuestion
    answer: str
    calls: Sequence[MadeCall]
    failure: str | None = None

    @property
    def missed(self) -> list[str]:
        """The facts that the answer does not hold."""
        return [str(fact) for fact in self.question.facts if not fact.is_said(self.answer)]

    @property
    def passed(self) -> bool:
        """The answer holds every fact."""
        return self.failure is None and not self.missed

    @property
    def wrong_tools(self) -> list[str]:
        """The tools that were called and cannot answer the question, in their order."""
        return list(dict.fromkeys(call.tool for call in self.calls if call.tool not in self.question.tools))


class ModelEndpoint:
    """An OpenAI-compatible endpoint for chat completions with tools."""

    def __init__(self, settings: CompatibleSettings, http: httpx2.AsyncClient) -> None:
        self._settings = settings
        self._http = http

    async def complete(self, messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> dict[str, Any]:
        """Return the message that the model gives. Raises httpx2.HTTPError or ValueError."""
        credential = self._settings.credential
        own = {"Authorization": f"Bearer {credential.secret}"} if credential else {}
        answer = await self._http.post(
            f"{self._settings.base_url.rstrip('/')}/chat/completions",
            json={
                "model": self._settings.model,
                "messages": messages,
                "tools": tools,
                "temperature": 0,
                **self._settings.extra_body,
            },
            headers={**own, **self._settings.headers},
            timeout=PATIENCE_SECONDS,
        )
        answer.raise_for_status()
        return MESSAGE.validate_python(answer.json()["choices"][0]["message"])


@dataclass(slots=True)
class Conversation:
    """One question on its way to an answer."""

    question: AnalystQuestion
    messages: list[dict[str, Any]]
    calls: list[MadeCall] = field(default_factory=list[MadeCall])

    def attempt(self, answer: str, failure: str | None = None) -> Attempt:
        """Return how it ended."""
        return Attempt(self.question, answer, tuple(self.calls), failure)


async def answer_question(endpoint: ModelEndpoint, tools: Tools, question: AnalystQuestion) -> Attempt:
    """Let a model answer a question with the tools; a failing endpoint is told as the attempt's failure."""
    offered = [as_function(tool) for tool in await tools.listed()]
    system = SYSTEM.format(today=datetime.now(UTC).date().isoformat())
    talk = Conversation(
        question, [{"role": "system", "content": system}, {"role": "user", "content": question.text}]
    )
    for _ in range(MOST_ROUNDS):
        try:
            message = await endpoint.complete(talk.messages, offered)
        except (httpx2.HTTPError, ValueError, LookupError) as error:
            return talk.attempt("", f"the engine failed: {type(error).__name__}")
        talk.messages.append(message)
        wanted = message.get("tool_calls") or ()
        if not wanted:
            return talk.attempt(str(message.get("content") or ""))
        for call in wanted:
            talk.messages.append(await made(talk, tools, call))
    return talk.attempt("", f"no answer after {MOST_ROUNDS} rounds of calls")


def as_function(tool: dict[str, Any]) -> dict[str, Any]:
    """Return an entry of tools/list as chat completions take it."""
    described = {"name": tool["name"], "description": tool["description"], "parameters": tool["inputSchema"]}
    return {"type": "function", "function": described}


async def made(talk: Conversation, tools: Tools, call: dict[str, Any]) -> dict[str, Any]:
    """Make a call that the model asked for; return the message that tells its result or its refusal."""
    name, written = str(call["function"]["name"]), call["function"].get("arguments") or "{}"
    arguments: dict[str, Any] = {}
    try:
        arguments = MESSAGE.validate_python(json.loads(written) if isinstance(written, str) else written)
        content, refusal = (await tools.call(name, arguments))[:LONGEST_RESULT], None
    except ValueError:
        content = refusal = "the arguments are no JSON object"
    except Refused as refused:
        content = refusal = str(refused)
    talk.calls.append(MadeCall(name, arguments, refusal))
    return {"role": "tool", "tool_call_id": call.get("id", ""), "content": content}
