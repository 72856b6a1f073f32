"""The documents that anybody may read."""

from collections.abc import Callable, Sequence

import httpx2
import pytest
from starlette.types import ASGIApp

from analytics.digests import SCORE_MODEL
from analytics.score_inputs import WEIGHTS
from server.mcp.chart_views import chart_uri
from server.mcp.measurement_method import MEASUREMENT_METHOD, measurement_method
from server.mcp.resources import Document, ResourceEntry, ResourceLibrary, tools_guide
from tests.server.conftest import Serve
from tools.calls.dispatch import Dispatcher

REPORT = ResourceEntry("seenby://readiness/a.example", "report", "Report", "A public report.")


class Shelf:
    """A provider whose documents are known when they are asked for."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts

    async def entries(self) -> Sequence[ResourceEntry]:
        return [REPORT]

    async def read(self, uri: str) -> str | None:
        return self.texts.get(uri)


async def test_the_guide_tells_every_tool_with_its_fields(dispatcher: Dispatcher) -> None:
    guide = tools_guide(dispatcher.table)
    [entry] = await guide.entries()
    text = await guide.read(entry.uri)
    assert text is not None
    for row in dispatcher.table.values():
        assert f"### {row.name}\n\n{row.description}" in text
        for name in row.input_schema["properties"]:
            assert f"| `{name}` |" in text
    assert "## Write tools (scope service.write" in text


async def test_the_method_tells_every_part_with_the_weight_that_computes() -> None:
    text = await measurement_method().read(MEASUREMENT_METHOD)
    assert text is not None
    assert f"model {SCORE_MODEL}" in text
    for part, weight in WEIGHTS.items():
        assert f"| {part} | {weight:g} | " in text


async def test_a_document_is_written_once_and_only_when_read() -> None:
    written: list[str] = []

    def write() -> str:
        written.append("once")
        return "text"

    document = Document(REPORT, write)
    assert await document.entries() == [REPORT]
    assert await document.read("seenby://elsewhere") is None
    assert not written
    assert [await document.read(REPORT.uri) for _ in range(2)] == ["text", "text"]
    assert written == ["once"]


async def test_the_first_provider_that_has_a_document_gives_it() -> None:
    library = ResourceLibrary([Shelf({}), Shelf({"u": "first"}), Shelf({"u": "second"})])
    assert await library.read("u") == "first"
    assert await library.read("v") is None
    assert len(await library.entries()) == 3


@pytest.mark.parametrize("lane", [True, False])
async def test_a_declared_provider_is_listed_and_read_without_a_credential(
    serve: Serve, app_of: Callable[..., ASGIApp], lane: bool
) -> None:
    service = serve(app_of(resources=[Shelf({REPORT.uri: "# Grade B"})], fast_lane=lane))
    async with httpx2.AsyncClient(base_url=service.url) as client:
        listed = await client.post("/mcp", content='{"jsonrpc":"2.0","id":1,"method":"resources/list"}')
        uris = [resource["uri"] for resource in listed.json()["result"]["resources"]]
        assert uris == ["seenby://method/measurement", "seenby://guide/tools", chart_uri(), REPORT.uri]
        message = '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"%s"}}'
        read = await client.post("/mcp", content=message % REPORT.uri)
    assert read.json()["result"]["contents"] == [
        {"uri": REPORT.uri, "mimeType": "text/markdown", "text": "# Grade B"}
    ]


async def test_a_provider_that_breaks_says_nothing_of_itself(
    serve: Serve, app_of: Callable[..., ASGIApp]
) -> None:
    class Broken(Shelf):
        async def read(self, uri: str) -> str | None:
            raise OSError("/srv/private/report.md")

    service = serve(app_of(resources=[Broken({})]))
    message = '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"x:y"}}'
    async with httpx2.AsyncClient(base_url=service.url) as client:
        response = await client.post("/mcp", content=message)
    assert response.status_code == 200
    assert response.json()["error"] == {"code": -32603, "message": "Internal server error"}
