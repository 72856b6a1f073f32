"""Until when a model is served is read in its provider's list, told in time, and never acted on without a person."""

import json
import threading
from collections.abc import Generator
from datetime import UTC, datetime
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from engines.registry import Registry
from engines.settings import EngineSettings
from measurement.planning.engine_keys import EngineKeys
from oauth.sealing import Seal
from storage.database import Database
from tests.engines.supplier_bodies import QUESTION
from tests.measurement.conftest import Acme
from tests.measurement.loopback_supplier import running_supplier
from workflows.model_checks import ModelChecks

NOW = datetime(2026, 11, 22, 4, 41, tzinfo=UTC)
LISTS: dict[str, Any] = {
    "/openai/models": {
        "data": [
            {"id": "gpt-5.5", "object": "model", "shutdown_date": "2027-01-14"},
            {"id": "gpt-6-luna", "object": "model", "shutdown_date": None},
        ]
    },
    "/anthropic/v1/models": {
        "data": [
            {"id": "claude-sonnet-5-5", "lifecycle": "active", "retires_at": None},
            {"id": "claude-sonnet-4-5", "lifecycle": "retired", "retires_at": "2026-11-30T00:00:00Z"},
        ]
    },
    "/gemini/v1beta/models": {"models": [{"name": "models/gemini-flash-latest"}]},
    "/xai/models": {"data": [{"id": "grok-4.6"}]},
    "/deepseek/models": {"data": [{"id": "deepseek-flash"}]},
    "/mistral/v1/models": {
        "data": [
            {
                "id": "mistral-medium-3-5",
                "aliases": ["mistral-medium-latest"],
                "deprecation": "2027-06-01T12:00:00Z",
                "deprecation_replacement_model": "mistral-medium-4",
            }
        ]
    },
}
"""By path: what a provider of each kind lists."""


@pytest.fixture
def providers() -> Generator[tuple[str, list[tuple[str, dict[str, str]]]]]:
    """Where the providers answer, and the requests that they got: path and headers."""
    asked: list[tuple[str, dict[str, str]]] = []

    async def answer(request: Request) -> Response:
        asked.append((request.url.path, dict(request.headers)))
        listed = LISTS.get(request.url.path)
        return JSONResponse(listed or {"error": "who is this?"}, 200 if listed else 401)

    config = uvicorn.Config(
        Starlette(routes=[Route("/{path:path}", answer)]),
        host="127.0.0.1",
        port=0,
        log_config=None,
        lifespan="off",
    )
    listener = config.bind_socket()
    listener.listen(128)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}", asked
    server.should_exit = server.force_exit = True
    thread.join()
    listener.close()


def environ_of(base_url: str) -> dict[str, str]:
    names = ("openai", "anthropic", "gemini", "perplexity", "xai", "mistral")
    paths = {**{name: name for name in names}, "deepseek": "deepseek/anthropic"}
    return {
        **{f"SEENBY_ENGINE_{name.upper()}_BASE_URL": f"{base_url}/{path}" for name, path in paths.items()},
        **{f"SEENBY_ENGINE_{name.upper()}_API_KEY": f"key-of-{name}-0123456789" for name in paths},
    }


def test_each_providers_list_says_how_the_model_that_is_asked_for_stands(
    acme: Acme, providers: tuple[str, list[tuple[str, dict[str, str]]]]
) -> None:
    base_url, asked = providers
    acme.seenby.environment |= environ_of(base_url)
    done = acme.seenby("engines", "models", "--company", "Shop", "--json")
    assert done.code == 3  # Gemini's model is not in its list
    standing = {entry["platform"]: entry for entry in done.json["models"]}
    assert {
        name: entry["standing"] for name, entry in standing.items() if name not in ("one", "two", "chatgpt")
    } == {
        "claude": "served",
        "gemini": "absent",
        "perplexity": "not_listed",
        "grok": "served",
        "deepseek": "served",
        "mistral": "served",
    }
    assert standing["chatgpt"]["retiresOn"] == "2027-01-14"
    assert (standing["mistral"]["retiresOn"], standing["mistral"]["replacement"]) == (
        "2027-06-01",
        "mistral-medium-4",
    )
    assert {entry["parser"] for entry in standing.values()} == {"documented"}
    assert standing["one"]["standing"] == "unreadable"  # the peer of the tests lists none
    sent = dict(asked)
    assert sent["/openai/models"]["authorization"] == "Bearer key-of-openai-0123456789"
    assert sent["/anthropic/v1/models"]["x-api-key"] == "key-of-anthropic-0123456789"
    shown = acme.seenby("engines", "models", "--company", "Shop", "--all")
    assert "gpt-6-luna" in shown.out


async def test_a_retiring_model_is_reported_once_and_not_switched(
    acme: Acme, url: str, providers: tuple[str, list[tuple[str, dict[str, str]]]]
) -> None:
    acme.measured("--platform", "one")
    settings = EngineSettings.from_environ(environ_of(providers[0]))
    database = await Database.open(url)
    try:
        async with Registry(settings) as engines:
            keys = EngineKeys(database, engines, Seal(b"0123456789abcdefghijklmnopqrstuvwxyz"))
            told: list[int] = []
            for day in (14, 15, 16):
                checks = ModelChecks(database, keys, lambda day=day: NOW.replace(day=day))
                told.append(await checks.check_all())
            assert engines.get("chatgpt").model == "gpt-5.5"
        assert told == [1, 2, 2]  # the 14th of January is 61 days off, then 60 and 59
        [company] = await database.operators.companies.all()
        notifications, _ = await database.workspace(company.id).notifications.page(False, 50, 0)
        titles = sorted(notification.title for notification in notifications)
    finally:
        await database.close()
    assert titles == [
        "ChatGPT: the model gpt-5.5 will be retired on 2027-01-14",
        "Gemini: the model gemini-3.8-flash is not in the provider's list any more",
    ]


def test_one_real_call_is_written_without_who_asked_and_reads_the_same(acme: Acme) -> None:
    with running_supplier() as supplier:
        acme.seenby.environment |= {
            "SEENBY_SURFACES": "google_ai_overview=dataforseo",
            "SEENBY_SUPPLIER_DATAFORSEO_LOGIN": "owner@shop.example",
            "SEENBY_SUPPLIER_DATAFORSEO_PASSWORD": "0123456789abcdef",
            "SEENBY_SUPPLIER_DATAFORSEO_BASE_URL": supplier.base_url,
        }
        path = acme.path.with_name("recorded.json")
        command = (
            *(
                "engines",
                "record",
                "google_ai_overview@dataforseo",
                "--question",
                QUESTION,
                "--country",
                "de",
            ),
            *("--language", "de", "--out", str(path), "--company", "Shop", "--json"),
        )
        done = acme.seenby(*command)
        assert done.code == 0, done
        assert len(supplier.submissions) == 1
        for unwritable in (path.parent, path.parent / "nowhere" / "file.json"):
            refused = acme.seenby(*(str(unwritable) if part == str(path) else part for part in command))
            assert (refused.code, "cannot be written" in refused.err) == (1, True), refused
        assert len(supplier.submissions) == 1  # nothing is paid for that nobody could keep
    recording = json.loads(path.read_text())
    assert recording["facts"]["text"] == "Nimm Acme."
    assert recording["question"]["country"] == "DE"
    assert "owner@shop.example" not in path.read_text()
    refused = acme.seenby("engines", "record", "grok", "--question", QUESTION, "--company", "Shop")
    assert refused.code != 0
    assert "grok" in refused.err
