"""A temperature goes where the official SDK puts it, nowhere when an API takes none, and never into what is measured."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest

from engines import anthropic as claude
from engines import compatible, gemini, local, xai
from engines import openai as chatgpt
from engines import perplexity as answers
from engines.engine import Credential, Question
from engines.errors import EngineError, EngineErrorCode
from engines.transport.http import Adapter
from tests.engines.conftest import CANARY, Build, Peer

GOOD = {
    "model": "served-model",
    "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": "A Toyota."}}],
}
REFUSED = {"error": {"message": "Unsupported parameter: 'temperature' is not supported with this model."}}


def named(sent: Any) -> dict[str, Any]:
    """The parts of a request that a temperature may stand in."""
    return {
        name: sent[name] for name in ("temperature", "generation_config", "generationConfig") if name in sent
    }


async def by_responses(url: str) -> None:
    import openai

    async with openai.AsyncOpenAI(api_key=CANARY, base_url=url, max_retries=0) as sdk:
        await sdk.responses.create(model="m", input="x", temperature=0)


async def by_chat(url: str) -> None:
    import openai

    async with openai.AsyncOpenAI(api_key=CANARY, base_url=url, max_retries=0) as sdk:
        await sdk.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "x"}], temperature=0
        )


async def by_interactions(url: str) -> None:
    from google import genai
    from google.genai import types

    async with genai.Client(api_key=CANARY, http_options=types.HttpOptions(base_url=url)).aio as sdk:
        await sdk.interactions.create(model="m", input="x", generation_config={"temperature": 0})


async def by_generate_content(url: str) -> None:
    from google import genai
    from google.genai import types

    async with genai.Client(api_key=CANARY, http_options=types.HttpOptions(base_url=url)).aio as sdk:
        await sdk.models.generate_content(
            model="m", contents="x", config=types.GenerateContentConfig(temperature=0)
        )


@pytest.mark.parametrize(
    ("adapter", "official"),
    [
        (chatgpt.ADAPTER, by_responses),
        (xai.adapter(), by_responses),
        (compatible.ADAPTER, by_chat),
        (gemini.adapter(), by_interactions),
        (gemini.adapter(gemini.GENERATE_CONTENT), by_generate_content),
    ],
    ids=["openai", "xai", "compatible", "interactions", "generate_content"],
)
async def test_a_temperature_is_sent_where_the_official_sdk_puts_it(
    peer: Peer,
    engine: Build,
    question: Question,
    credential: Credential,
    adapter: Adapter,
    official: Callable[[str], Awaitable[None]],
) -> None:
    peer.reply({"error": {"message": "not today"}}, 400)
    for asked in (replace(question, temperature=0.0), question):
        with pytest.raises(EngineError):
            await engine(peer.base_url, adapter).ask(asked, credential)
    with pytest.raises(Exception, match="not today"):
        await official(peer.base_url)
    ours, unasked, theirs = (named(request.json) for request in peer.asked)
    assert ours == theirs != {}
    assert unasked == {}


@pytest.mark.parametrize(
    ("adapter", "parameters"),
    [
        (claude.adapter(), "anthropic.types.message_create_params.MessageCreateParamsBase"),
        (answers.adapter(), "perplexity.types.response_create_params.ResponseCreateParamsBase"),
    ],
    ids=["anthropic", "perplexity"],
)
async def test_an_api_without_a_temperature_is_sent_none(
    peer: Peer, engine: Build, question: Question, credential: Credential, adapter: Adapter, parameters: str
) -> None:
    module, _, name = parameters.rpartition(".")
    official = getattr(import_module(module), name)
    assert "temperature" not in official.__annotations__, "the API takes one by now: send it"
    peer.reply({"error": {"message": "not today"}}, 400)
    with pytest.raises(EngineError):
        await engine(peer.base_url, adapter).ask(replace(question, temperature=0.0), credential)
    (request,) = peer.asked
    assert b"temperature" not in request.body


async def test_a_model_that_rejects_a_temperature_is_asked_again_without(
    peer: Peer, engine: Build, question: Question, credential: Credential
) -> None:
    peer.reply(REFUSED, 400)
    peer.reply(GOOD)
    asked = engine(peer.base_url)
    first, second = [await asked.ask(replace(question, temperature=0.0), credential) for _ in range(2)]
    assert [request.json.get("temperature") for request in peer.asked] == [0.0, None, None]
    assert (first.text, first.attempts, second.attempts) == ("A Toyota.", 2, 1)


async def test_another_refusal_of_a_request_with_a_temperature_is_not_repeated(
    peer: Peer, engine: Build, question: Question, credential: Credential
) -> None:
    peer.reply({"error": {"message": "The prompt is too long."}}, 400)
    with pytest.raises(EngineError) as caught:
        await engine(peer.base_url).ask(replace(question, temperature=0.0), credential)
    assert (caught.value.code, len(peer.asked)) == (EngineErrorCode.PROVIDER_ERROR, 1)


def test_the_built_in_engine_takes_a_temperature_and_has_one_of_its_own(question: Question) -> None:
    sent = [
        local.request(replace(question, temperature=temperature))["temperature"]
        for temperature in (0.0, None)
    ]
    assert sent == [0.0, local.TEMPERATURE]


@pytest.mark.parametrize("temperature", [-0.1, 2.1, float("nan")])
def test_a_temperature_out_of_range_is_no_question(question: Question, temperature: float) -> None:
    with pytest.raises(ValueError, match="temperature"):
        replace(question, temperature=temperature)
