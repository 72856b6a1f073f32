"""The documentation page: all of the table, nothing from elsewhere, nothing that runs."""

import re

import httpx2

from rest_bridge.docs import render
from rest_bridge.openapi import openapi_document
from tools.calls.table import ToolTable


async def test_the_page_shows_every_tool_and_field(client: httpx2.AsyncClient, table: ToolTable) -> None:
    page = (await client.get("/docs")).text
    for row in table.values():
        assert f'id="{row.name}"' in page
        assert row.title in page
        for field in row.input_schema["properties"]:
            assert f"<code>{field}</code>" in page
    assert "<code>configuration.priority</code>" in page
    assert "whole number from 1 to 100" in page


async def test_the_page_loads_its_own_style_and_nothing_else(client: httpx2.AsyncClient) -> None:
    answer = await client.get("/docs")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'; style-src 'self';")
    assert re.findall(r'<(?:script|img|iframe|style)\b|\bsrc=|style="', answer.text) == []
    (style,) = re.findall(r'<link rel="stylesheet" href="([^"]+)"', answer.text)
    sheet = await client.get(style)
    assert sheet.headers["content-type"] == "text/css; charset=utf-8"
    assert "url(" not in sheet.text
    assert "@import" not in sheet.text


def test_text_of_the_document_is_never_markup(table: ToolTable) -> None:
    document = openapi_document(table, "https://seenby.example", oauth=True)
    document["info"]["description"] = "<script>x</script>"
    document["tags"][0]["description"] = "<b>y</b>"
    page = render(document)
    assert "<script>" not in page
    assert "<b>y</b>" not in page
