"""Asks DeepSeek through its form of the Messages API, with the web tool of its chat.

Source: DeepSeek API documentation, web tools; types of the vendor's own harness, `web-search-deepseek`. Both are
documents: no real body was seen.
"""

from collections.abc import Sequence
from dataclasses import replace

from engines import anthropic
from engines.engine import EngineAnswer, Exchange, Mode, Question
from engines.transport.http import Adapter, HttpConfig, Request

PARSER = "deepseek-messages/1"
SEARCH_TOOL = "deepseek_web_search"
PATH = "/v1/messages"


def adapter(search_tool: str = SEARCH_TOOL) -> Adapter:
    """The adapter for one web tool: the one of DeepSeek's chat, or a dated one such as `web_search_20250305`."""

    def build(question: Question, config: HttpConfig) -> Request:
        return Request(PATH, request_body(question, config.model, search_tool))

    return Adapter(build=build, parse=parse, key_header="x-api-key", key_prefix="")


def request_body(question: Question, model: str, search_tool: str) -> dict[str, object]:
    """What is sent. No search can be forced: the model decides, and an answer without one is `not_grounded`."""
    sent: dict[str, object] = {
        "model": model,
        "max_tokens": question.max_output_tokens,
        "messages": [{"role": "user", "content": question.text}],
    }
    if question.temperature is not None:
        sent["temperature"] = question.temperature
    if question.mode is Mode.READINESS:
        name = SEARCH_TOOL if search_tool == SEARCH_TOOL else "web_search"
        sent["tools"] = [{"type": search_tool, "name": name}]
        # With thinking the tool becomes deep research, which is another product than the chat's search.
        sent["thinking"] = {"type": "disabled"}
    return sent


def parse(question: Question, exchanges: Sequence[Exchange]) -> EngineAnswer:
    """The answer in a message. Raises EngineError for a failure inside it or an unknown shape."""
    return replace(anthropic.parse(question, exchanges), parser=PARSER)
