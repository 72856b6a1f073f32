"""Suppliers' own clients send what we send, and read in the same bodies what we read."""

import json
import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

import pytest

from engines.engine import Mode, Question
from engines.errors import EngineError
from engines.suppliers import brightdata, cloro, dataforseo, dataforseo_answers, serpapi
from engines.suppliers.sighting import Sighting
from engines.transport.body import JsonObject
from tests.engines import supplier_bodies as bodies
from tests.engines.supplier_bodies import overview, page
from tests.measurement.loopback_supplier import Supplier, running_supplier

HERE = Path(__file__).parent
UV = Path(sys.executable).with_name("uv")
SECONDS = 240
QUESTION = Question(
    "Welche Laufschuhe unter 100 € sind 50 % + gut?",
    Mode.READINESS,
    "ab" * 32,
    country="DE",
    language="de-AT",
    city="Munich",
    region="Bavaria",
    device="mobile",
)
PLAIN = Question("Welche Laufschuhe sind gut?", Mode.READINESS, "cd" * 32, country="DE", language="de")


@pytest.fixture(scope="session")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter whose environment has the suppliers' clients."""
    if not UV.exists():
        pytest.skip("uv is not in the environment that runs the tests")
    environment = tmp_path_factory.mktemp("clients") / "venv"
    python = environment / "bin" / "python"
    environ = {name: value for name, value in os.environ.items() if not name.startswith("UV_PROJECT")}
    wanted = HERE / "requirements.txt"
    for command in (
        [UV, "venv", "--quiet", "--python", sys.executable, environment],
        [UV, "pip", "install", "--quiet", "--python", python, "--requirement", wanted],
    ):
        done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=SECONDS)
        if done.returncode:
            pytest.skip(f"the suppliers' clients cannot be installed here: {done.stderr.strip()[-300:]}")
    return python


@pytest.fixture
def supplier() -> Generator[Supplier]:
    with running_supplier() as supplier:
        yield supplier


def said_by(python: Path, client: str, supplier: Supplier | None, given: Any) -> Any:
    """What a supplier's client says of a loopback supplier, or of bodies."""
    address = supplier.base_url if supplier else ""
    command = [python, HERE / "official_clients.py", client, address]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def test_dataforseo_takes_our_tasks_as_its_typed_models_spell_them(python: Path, supplier: Supplier) -> None:
    calls = {surface: dataforseo.submission(QUESTION, surface) for surface in dataforseo.TASK_PATHS}
    tasks = {surface: cast("list[dict[str, Any]]", call.body)[0] for surface, call in calls.items()}
    unknown = said_by(python, "dataforseo-requests", supplier, tasks)
    assert not any(unknown.values())
    assert [path for path, _ in supplier.requests] == [call.path for call in calls.values()]
    sent = [{name: value for name, value in body[0].items() if value is not None} for body in supplier.bodies]
    assert sent == list(tasks.values())
    assert {authorization for _, authorization in supplier.requests} == {
        dataforseo.API.authorization("owner@shop.example:secret-of-the-shop")
    }


def test_dataforseo_reads_the_same_facts_in_the_same_bodies(python: Path) -> None:
    seen = [
        ("google_ai_overview", bodies.dataforseo("google_ai_overview", page(overview("Nimm Acme.")))),
        ("google_ai_overview", bodies.dataforseo("google_ai_overview", page())),
        ("google_ai_mode", bodies.dataforseo("google_ai_mode", page(overview("Nimm Globex.")))),
        ("chatgpt_app", bodies.dataforseo("chatgpt_app", bodies.CHAT)),
        ("bing_copilot", bodies.dataforseo("bing_copilot", page(overview("Nimm Zentrix.")))),
        ("bing_copilot", bodies.dataforseo("bing_copilot", page())),
    ]
    theirs = said_by(python, "dataforseo-bodies", None, seen)
    ours = [dataforseo_answers.read(cast(JsonObject, body), {}) for _, body in seen]
    for their, our in zip(theirs, ours, strict=True):
        assert "\n\n".join(their["texts"]) == our.text
        assert set(their["sources"]) <= {source.url for source in our.cited}
        assert our.cost is not None
        assert (str(their["cost"]), their["model"]) == (str(our.cost.amount), our.model)
    for their, our in (*zip(theirs[:3], ours[:3], strict=True), *zip(theirs[4:], ours[4:], strict=True)):
        assert their["overview"] == (our.absent_reason is None)
    assert set(theirs[3]["queries"]) == set(ours[3].queries)
    failed = bodies.dataforseo("google_ai_overview", status=40101)
    [their] = said_by(python, "dataforseo-bodies", None, [("google_ai_overview", failed)])
    assert their["status"] == dataforseo_answers.SEARCH_ENGINE_ERROR
    with pytest.raises(EngineError):
        dataforseo_answers.read(cast(JsonObject, failed), {})


def test_cloro_takes_our_tasks_and_hands_on_what_we_read(python: Path, supplier: Supplier) -> None:
    supplier.pending = 1
    calls = [cloro.submission(QUESTION, surface) for surface in cloro.TASKS]
    tasks = [cast("dict[str, Any]", call.body) for call in calls]
    answered = said_by(python, "cloro", supplier, [tasks[0]])
    assert supplier.bodies == [tasks[0]]
    assert supplier.requests[0][0] == calls[0].path
    assert supplier.requests[1][0] == cloro.API.fetch("google_ai_overview", "task-1").path
    assert {authorization for _, authorization in supplier.requests} == {
        cloro.API.authorization("sk_live_0123456789")
    }
    sighting = cloro.read(answered[0], cast(JsonObject, tasks[0]))
    assert (sighting.text, sighting.locale_applied) == ("Nimm Acme.", "city")


def test_bright_data_sends_and_fetches_what_we_do(python: Path, supplier: Supplier) -> None:
    results = said_by(python, "brightdata", supplier, {"prompt": PLAIN.text, "country": "DE"})
    ours = [brightdata.submission(PLAIN, surface, "zone") for surface in ("chatgpt_app", "perplexity_app")]
    triggered = [path for path, _ in supplier.requests if "/trigger" in path]
    for path, body, call in zip(triggered, supplier.bodies, ours, strict=True):
        [their], [our] = body, cast("list[dict[str, Any]]", call.body)
        # Of ChatGPT's collector only the documentation has an index, its client sends none.
        asked = our if "perplexity" in our["url"] else {name: our[name] for name in our if name != "index"}
        assert asked == {name: their.get(name) for name in asked} | {"url": our["url"]}
        assert their["url"].rstrip("/") == our["url"].rstrip("/")
        theirs, sent = (dict(parse_qsl(urlsplit(address).query)) for address in (path, call.path))
        assert (theirs["dataset_id"], theirs["include_errors"]) == (sent["dataset_id"], "true")
    fetched = [path for path, _ in supplier.requests if "/trigger" not in path]
    api = brightdata.api("zone")
    assert api.result is not None
    assert {api.fetch("chatgpt_app", "task-1").path, api.result("chatgpt_app", "task-1").path} <= set(fetched)
    assert [result["success"] for result in results] == [True, True]
    record = results[0]["data"][0] if isinstance(results[0]["data"], list) else results[0]["data"]
    assert brightdata.read(record, {}).text == "Nimm Acme."


def test_serpapi_makes_the_searches_that_we_make(python: Path, supplier: Supplier) -> None:
    calls = [serpapi.submission(QUESTION, surface) for surface in serpapi.ENGINES_BY_SURFACE]
    asked = [dict(parse_qsl(urlsplit(call.path).query)) for call in calls]
    answered = said_by(python, "serpapi", supplier, asked)
    key = {"api_key": "key-of-serpapi-0123456789"}
    assert [dict(parse_qsl(urlsplit(path).query)) for path, _ in supplier.requests] == [
        {**search, **key} for search in asked
    ]
    sighting: Sighting = serpapi.read(answered[0], {})
    assert sighting.text == "Nimm Acme."
