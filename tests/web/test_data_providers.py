"""Data providers of AI surfaces are set up on the page of engine keys."""

import re
import sqlite3
import threading
from collections.abc import Generator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.web.conftest import Meet, Person, Run
from tests.web.test_start import location, new_brand

PAGE, SERPAPI = "/settings/engines", "/settings/engines/providers/serpapi"
SECRET = "serpapi-key-0123456789"


@pytest.fixture
def provider() -> Generator[tuple[str, list[str]]]:
    """A provider that rejects every key, and what it was asked for."""
    asked: list[str] = []

    class Rejects(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(401)

        do_POST = do_GET

        def log_message(self, format: str, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Rejects)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()


async def test_a_providers_key_makes_its_surfaces_ready_and_is_stored_encrypted(
    run_service: Run, meet: Meet, provider: tuple[str, list[str]]
) -> None:
    base_url, asked = provider
    service = run_service(SUPPLIER_SERPAPI_BASE_URL=base_url)
    owner, other = meet(service.url), meet(service.url)
    await owner.sign_up()
    await other.sign_up()
    shown = (await owner.http.get(PAGE)).text
    assert ("Google AI Overview" in shown, "(via SerpApi)" in shown) == (True, False)
    none = await owner.submit(PAGE, {"secret-serpapi": SECRET}, SERPAPI)
    assert (none.status_code, "Select at least one AI surface." in none.text) == (422, True)
    spaced = {"surface-google_ai_mode": "1", "secret-serpapi": "two words"}
    assert (await owner.submit(PAGE, spaced, SERPAPI)).status_code == 422
    chosen = {f"surface-{name}": "1" for name in ("google_ai_overview", "bing_copilot")}
    assert location(await owner.submit(PAGE, chosen | {"secret-serpapi": SECRET}, SERPAPI)) == PAGE
    rows = await owner.text(PAGE)
    assert "Google AI Overview (via SerpApi)" in rows
    assert "Google AI Mode (via SerpApi)" not in rows
    assert SECRET not in rows
    with closing(sqlite3.connect(service.database_file)) as database:
        sealed = database.execute("SELECT sealed FROM provider_credentials").fetchall()
    assert len(sealed) == 2
    assert all(SECRET not in str(row[0]) for row in sealed)
    brand = (await new_brand(owner, name="Zentrix", category="espresso machines")).split("/")[2]
    engines = (await owner.http.get(f"/start/{brand}/engines")).text
    assert re.search(r'name="engine-google_ai_overview@serpapi" value="1" checked', engines)
    assert "(via SerpApi)" not in await other.text(PAGE)
    test = f"{PAGE}/google_ai_overview@serpapi/test"
    await owner.submit(PAGE, {}, test)
    assert asked, "the provider was not asked"
    assert "rejected" in await owner.text(PAGE)
    replaced = {"surface-google_ai_mode": "1", "secret-serpapi": SECRET}
    await owner.submit(PAGE, replaced, SERPAPI)
    rows = await owner.text(PAGE)
    assert ("Google AI Mode (via SerpApi)" in rows, "Copilot Search (via SerpApi)" in rows) == (True, False)


async def test_the_page_of_engine_keys_reads_without_disclaimers(ada: Person) -> None:
    page = await ada.text(PAGE)
    assert "built by its documentation" not in page
    assert "documentation alone" not in page
    for name in ("SerpApi", "DataForSEO", "Bright Data", "Cloro"):
        assert name in page
