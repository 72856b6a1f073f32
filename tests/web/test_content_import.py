"""Import of contents: pages that a sitemap lists, addresses and files become texts, and no text that is here is changed."""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.web.conftest import Meet, Person, Run, Running
from tests.web.test_content import write
from tests.web.test_roles import colleague

HTML = (
    "<html><head><title>{title} | Acme</title><script>alert(1)</script></head><body><nav>Home Shop</nav><main>"
    "<h1>{title}</h1><p>Seven   <b>years</b>.</p><ul><li>Vans</li><li>Cars</li></ul><div># no heading</div></main>"
    "<footer>Imprint</footer></body></html>"
)
URLS = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{0}</urlset>"
INDEX = "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{0}</sitemapindex>"


class SiteServer(ThreadingHTTPServer):
    """A site with a sitemap index, three pages and one that robots.txt closes."""

    asked: list[str]
    title, more = "Warranty", ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def page(self, path: str) -> tuple[str, str] | None:
        """Return type and text of a page."""
        listed = [f"{self.url}/{name}" for name in ("warranty", "other", "closed")] + [
            "https://elsewhere.example/x"
        ]
        texts = {
            "/robots.txt": (
                "text/plain",
                f"User-agent: *\nDisallow: /closed\nSitemap: {self.url}/index.xml\n",
            ),
            "/index.xml": ("text/xml", INDEX.format(f"<sitemap><loc>{self.url}/pages.xml</loc></sitemap>")),
            "/pages.xml": (
                "text/xml",
                URLS.format("".join(f"<url><loc>{url}</loc></url>" for url in listed)),
            ),
            "/warranty": (
                "text/html",
                HTML.format(title=self.title).replace("</main>", f"{self.more}</main>"),
            ),
            "/other": ("text/html", HTML.format(title=self.title)),
            "/closed": ("text/html", HTML.format(title="Closed")),
        }
        return texts.get(path)


class SiteHandler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, SiteServer)
        self.server.asked.append(self.path)
        kind, text = self.server.page(self.path) or ("text/plain", "")
        body = text.encode()
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def open_site(kind: type[SiteServer] = SiteServer) -> Generator[SiteServer]:
    server = kind(("127.0.0.1", 0), SiteHandler)
    server.asked = []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def service(run_service: Run) -> Running:
    return run_service(ALLOW_PRIVATE_SITES="on")


@pytest.fixture
def site() -> Generator[SiteServer]:
    with open_site() as opened:
        yield opened


async def test_pages_of_a_sitemap_become_texts_and_texts_that_are_here_stay(
    measured: Person, site: SiteServer
) -> None:
    base = f"/brands/{measured.brand}/content"
    page = f"{base}/import"
    await write(measured, title="Warranty", body="As a person wrote it", url="")
    listed = await measured.submit(page, {"site": site.url, "list": "1"})
    assert "3 pages are listed" in listed.text
    assert "elsewhere.example" not in listed.text
    assert "/warranty" not in site.asked, "listing reads no page"
    addresses = "\n".join(f"{site.url}/{name}" for name in ("warranty", "other", "closed"))
    done = (await measured.submit(page, {"addresses": addresses, "category": "faq"})).text
    assert "2 texts were stored, 1 was not read" in done
    assert "robots.txt of its site keeps our bot away" in done
    assert "/closed" not in site.asked
    contents = (await measured.http.get(base)).text
    assert ('data-count="3"' in contents, "Warranty (/other)" in contents) == (True, True)
    person_text = (await measured.http.get(f"{base}?q=person")).text
    assert 'data-count="1"' in person_text
    again = (await measured.submit(page, {"addresses": addresses, "category": "faq"})).text
    assert "0 texts were stored, 2 stayed as they are" in again
    assert 'data-count="3"' in (await measured.http.get(base)).text


async def test_the_text_of_a_page_is_its_own_words_as_markdown(measured: Person, site: SiteServer) -> None:
    page = f"/brands/{measured.brand}/content/import"
    await measured.submit(page, {"addresses": f"{site.url}/warranty", "category": "faq"})
    key = await measured.make_key()
    answer = await measured.http.post(
        "/api/mcp-app/rest/get_repository_items",
        json={"brandId": measured.brand},
        headers={"Authorization": f"Bearer {key}"},
    )
    [item] = answer.json()["items"]
    words = "# Warranty\n\nSeven years.\n\n- Vans\n- Cars\n\n\\# no heading"
    assert (item["title"], item["category"], item["url"]) == ("Warranty", "faq", f"{site.url}/warranty")
    assert item["body"].startswith(words)
    assert "alert" not in item["body"]


async def test_files_become_texts_and_what_is_no_text_is_named(measured: Person) -> None:
    page = f"/brands/{measured.brand}/content/import"
    fields = {"token": await measured.token(page, page), "category": "blog"}
    files = [
        ("files", ("how.md", b"# How long?\n\nSeven years", "text/markdown")),
        ("files", ("page.html", HTML.format(title="A page").encode(), "text/html")),
        ("files", ("photo.txt", b"\xff\xd8\x00", "text/plain")),
    ]
    done = (await measured.http.post(page, data=fields, files=files)).text
    assert "2 texts were stored, 1 was not read" in done
    assert "photo.txt: it is not text in UTF-8" in done
    contents = await measured.text(f"/brands/{measured.brand}/content?category=blog")
    assert ("How long?" in contents, "A page" in contents) == (True, True)


async def test_an_import_reports_faults_and_updates_its_texts_on_request(
    measured: Person, site: SiteServer
) -> None:
    page = f"/brands/{measured.brand}/content/import"
    wrong = await measured.submit(page, {"addresses": "ftp://acme.example/x", "category": " "})
    assert (wrong.status_code, wrong.text.count('aria-invalid="true"')) == (422, 2)
    fields = {"addresses": f"{site.url}/warranty", "category": "faq"}
    await measured.submit(page, fields)
    done = (await measured.submit(page, {**fields, "update": "1"})).text
    assert "0 texts were stored, 1 stayed as it is" in done
    site.more = "<p>Since 2026</p>"
    done = (await measured.submit(page, fields)).text
    assert "0 texts were stored, 1 stayed as it is" in done
    done = (await measured.submit(page, {**fields, "update": "1"})).text
    assert "1 text was stored" in done
    assert 'data-count="1"' in (await measured.http.get(f"/brands/{measured.brand}/content?q=2026")).text
    nothing = await measured.submit(page, {"site": f"{site.url}/none.xml", "list": "1"})
    assert (nothing.status_code, "No page was found: no sitemap" in nothing.text) == (422, True)


async def test_viewers_and_other_companies_import_nothing(
    measured: Person, meet: Meet, site: SiteServer, token_for: Callable[[Person, str], str]
) -> None:
    page = f"/brands/{measured.brand}/content/import"
    viewer, stranger = await colleague(measured, meet, "viewer"), meet()
    await stranger.sign_up()
    for person, status in ((viewer, 403), (stranger, 404)):
        fields = {"addresses": f"{site.url}/warranty", "category": "faq", "token": token_for(person, page)}
        assert (await person.http.post(page, data=fields)).status_code == status
    assert "Import texts" not in await viewer.text(f"/brands/{measured.brand}/content")
    assert site.asked == []
