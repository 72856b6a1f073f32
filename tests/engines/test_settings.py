"""Engines as the environment configures them."""

import json
from typing import Any

import pytest

from engines.errors import InvalidEngineSettings
from engines.settings import EngineSettings

SECRET = "sk-canary-0123456789"
ENTRY: dict[str, Any] = {
    "platform": "ollama", "baseUrl": "http://127.0.0.1:11434/v1", "model": "llama3", "apiKey": SECRET,
}  # fmt: skip


def compatible(*entries: Any) -> dict[str, str]:
    return {"SEENBY_ENGINE_COMPATIBLE": json.dumps(list(entries))}


def test_an_empty_environment_configures_nothing_but_is_valid() -> None:
    settings = EngineSettings.from_environ({})
    assert settings.compatible == ()
    assert all(hosted.credential is None for hosted in settings.hosted.values())


def test_a_compatible_endpoint_is_read_with_its_options() -> None:
    entry = ENTRY | {"searchTool": "openrouter:web_search", "headers": {"X-Title": "seenby"}}
    (engine,) = EngineSettings.from_environ(compatible(entry)).compatible
    assert (engine.platform, engine.model) == ("ollama", "llama3")
    assert engine.credential is not None
    assert engine.credential.secret == SECRET
    assert engine.search_tool == {"type": "openrouter:web_search"}
    assert engine.headers == {"X-Title": "seenby"}


def test_concurrency_is_read_by_platform() -> None:
    environ = compatible(ENTRY) | {"SEENBY_ENGINE_CONCURRENCY": "ollama=8, LOCAL=1"}
    assert EngineSettings.from_environ(environ).concurrency == {"ollama": 8, "local": 1}


@pytest.mark.parametrize(
    ("entry", "named"),
    [
        (ENTRY | {"platform": "chatgpt"}, "SEENBY_ENGINE_COMPATIBLE[0].platform"),
        (ENTRY | {"platform": "9 lives"}, "SEENBY_ENGINE_COMPATIBLE[0].platform"),
        (ENTRY | {"baseUrl": "ftp://host/v1"}, "SEENBY_ENGINE_COMPATIBLE[0].baseUrl"),
        (ENTRY | {"baseUrl": "http://user:pass@host/v1"}, "SEENBY_ENGINE_COMPATIBLE[0].baseUrl"),
        (ENTRY | {"baseUrl": "http://host:99999/"}, "SEENBY_ENGINE_COMPATIBLE[0].baseUrl"),
        (ENTRY | {"model": ""}, "SEENBY_ENGINE_COMPATIBLE[0].model"),
        (ENTRY | {"model": 3}, "SEENBY_ENGINE_COMPATIBLE[0].model"),
        (ENTRY | {"apiKey": SECRET + "\n" + SECRET}, "SEENBY_ENGINE_COMPATIBLE[0].apiKey"),
        (ENTRY | {"headers": {"X": "a\nb"}}, "SEENBY_ENGINE_COMPATIBLE[0].headers"),
        (ENTRY | {"headers": ["X"]}, "SEENBY_ENGINE_COMPATIBLE[0].headers"),
        (ENTRY | {"api": "completions"}, "SEENBY_ENGINE_COMPATIBLE[0].api"),
        (ENTRY | {"extraBody": "enable_search"}, "SEENBY_ENGINE_COMPATIBLE[0].extraBody"),
        (ENTRY | {"extraBody": {"messages": "x"}}, "extraBody must not name messages"),
        (ENTRY | {"searchTool": 4}, "SEENBY_ENGINE_COMPATIBLE[0].searchTool"),
        (ENTRY | {"base_url": "x"}, "'base_url'"),
        ("ollama", "SEENBY_ENGINE_COMPATIBLE[0]"),
    ],
)
def test_a_fault_names_the_variable_and_the_field_and_never_the_key(entry: Any, named: str) -> None:
    with pytest.raises(InvalidEngineSettings) as caught:
        EngineSettings.from_environ(compatible(entry))
    assert named in str(caught.value)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("environ", "named"),
    [
        ({"SEENBY_ENGINE_COMPATIBLE": "{"}, "SEENBY_ENGINE_COMPATIBLE is not JSON"),
        ({"SEENBY_ENGINE_COMPATIBLE": "{}"}, "SEENBY_ENGINE_COMPATIBLE is not a list"),
        (compatible(ENTRY, ENTRY), "names the platform ollama twice"),
        ({"SEENBY_ENGINE_GEMINI_API": "vertex"}, "SEENBY_ENGINE_GEMINI_API"),
        ({"SEENBY_ENGINE_ANTHROPIC_SEARCH_TOOL": "search"}, "SEENBY_ENGINE_ANTHROPIC_SEARCH_TOOL"),
        ({"SEENBY_ENGINE_PERPLEXITY_PATH": "agent"}, "SEENBY_ENGINE_PERPLEXITY_PATH"),
        ({"SEENBY_ENGINE_XAI_BASE_URL": "x.ai"}, "SEENBY_ENGINE_XAI_BASE_URL"),
        ({"SEENBY_ENGINE_OPENAI_API_KEY": "a b"}, "SEENBY_ENGINE_OPENAI_API_KEY"),
        ({"SEENBY_ENGINE_CONCURRENCY": "local=0"}, "SEENBY_ENGINE_CONCURRENCY: local"),
        ({"SEENBY_ENGINE_CONCURRENCY": "local=two"}, "SEENBY_ENGINE_CONCURRENCY: local"),
        ({"SEENBY_ENGINE_CONCURRENCY": "nobody=2"}, "SEENBY_ENGINE_CONCURRENCY names a platform"),
    ],
)
def test_a_fault_of_a_whole_variable_is_named(environ: dict[str, str], named: str) -> None:
    with pytest.raises(InvalidEngineSettings) as caught:
        EngineSettings.from_environ(environ)
    assert named in str(caught.value)


def test_all_faults_are_told_at_once() -> None:
    environ = compatible(ENTRY | {"model": ""}, ENTRY | {"baseUrl": "nowhere"})
    with pytest.raises(InvalidEngineSettings) as caught:
        EngineSettings.from_environ(environ | {"SEENBY_ENGINE_CONCURRENCY": "local=-1"})
    assert len(caught.value.faults) == 3


def test_settings_do_not_show_a_key() -> None:
    settings = EngineSettings.from_environ(compatible(ENTRY | {"headers": {"X-Key": SECRET}}))
    assert SECRET not in repr(settings)
