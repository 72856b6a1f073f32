"""The guide as every server shows it, and the list of it for models."""

import html
import re

import httpx2

from tests.web.conftest import Running
from web.connect.install_links import install_texts


async def opened(service: Running, path: str) -> httpx2.Response:
    async with httpx2.AsyncClient(base_url=service.url, timeout=20) as stranger:
        return await stranger.get(path)


async def test_guide_pages_open_without_sign_in_and_have_no_dead_links(
    service: Running,
) -> None:
    index = await opened(service, "/help")
    assert index.status_code == 200
    waiting, seen = set(re.findall(r'href="(/help/[\w-]+)', index.text)), set[str]()
    assert len(waiting) >= 15
    while waiting - seen:
        path = min(waiting - seen)
        seen.add(path)
        page = await opened(service, path)
        assert page.status_code == 200, path
        assert ".md" not in re.sub(
            r"<code.*?</code>|CONTRIBUTING.md|SECURITY.md", "", page.text, flags=re.DOTALL
        ), path
        waiting |= set(re.findall(r'href="(/help/[\w-]+)', page.text))


async def test_the_list_for_models_leads_to_markdown_of_each_page(service: Running) -> None:
    listed = await opened(service, "/llms.txt")
    assert listed.headers["content-type"].startswith("text/plain")
    links = re.findall(r"\((https?://[^)]+/help/[\w-]+\.md)\)", listed.text)
    assert len(links) >= 15
    page = await opened(service, "/help/" + links[0].rpartition("/")[2])
    assert page.headers["content-type"] == "text/markdown; charset=utf-8"
    assert page.text.startswith("# ")


async def test_a_missing_page_is_reported_and_no_path_escapes_the_guide(service: Running) -> None:
    for path in ("/help/nothing", "/help/..%2f..%2fREADME", "/help/README%00", "/help/.md"):
        assert (await opened(service, path)).status_code == 404, path


async def test_the_pages_that_an_operator_wrote_are_served_and_linked(service: Running) -> None:
    page = await opened(service, "/privacy")
    assert '<h1 id="our-privacy-page">Our privacy page</h1>' in page.text
    assert "&lt;b&gt;help@host.example&lt;/b&gt;" in page.text, "HTML is shown as text"
    links = re.findall(r'href="(/(?:privacy|terms|support))"', page.text)
    assert links == ["/privacy", "/support"]
    assert [(await opened(service, path)).status_code for path in ("/support", "/terms")] == [200, 404]


async def test_the_page_of_clients_installs_this_server_and_shows_no_key(service: Running) -> None:
    page = html.unescape((await opened(service, "/connect")).text)
    [cursor] = re.findall(r'href="(cursor:[^"]+)"', page)
    [vscode] = re.findall(r'href="(vscode:[^"]+)"', page)
    assert (cursor, vscode) == (
        (texts := install_texts(service.url, oauth=True)).cursor_link,
        texts.vscode_link,
    )
    assert {"claude mcp add", "codex mcp add", "gemini mcp add"} <= set(re.findall(r"\w+ mcp add", page))
    assert "sk_live" not in page
