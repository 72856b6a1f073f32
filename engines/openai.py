"""Asks ChatGPT's models through the OpenAI Responses API.

Source: OpenAI API reference, Responses and web search; types of the official Python SDK 3.52.
"""

from collections.abc import Sequence

from engines import responses
from engines.engine import EngineAnswer, Exchange, Mode, Question
from engines.locale import PLACE_OF_SEARCH, place
from engines.transport.http import Adapter, HttpConfig, Request

PARSER = "openai-responses/1"


def build(question: Question, config: HttpConfig) -> Request:
    """The request; a grounded ask forces a search and asks for everything the search returned.

    `required` forces it because naming the tool is documented for the preview tool
    only. A location without a country is sent on purpose: none at all means the
    United States.
    """
    sent: dict[str, object] = {
        "model": config.model,
        "input": [{"role": "user", "content": question.text}],
        "max_output_tokens": question.max_output_tokens,
        "store": False,
    }
    if question.temperature is not None:
        sent["temperature"] = question.temperature
    if question.mode is Mode.READINESS:
        location = {"type": "approximate"} | place(question)
        sent["tools"] = [config.search_tool or {"type": "web_search", "user_location": location}]
        sent["tool_choice"] = "required"
        sent["include"] = ["web_search_call.action.sources"]
    return Request("/responses", {**sent, **config.extra_body})


def parse(question: Question, exchanges: Sequence[Exchange]) -> EngineAnswer:
    """The answer in a response. Raises EngineError for a failure inside it or an unknown shape."""
    return responses.parse(question, exchanges, PARSER)


ADAPTER = Adapter(build=build, parse=parse, locale=PLACE_OF_SEARCH)
