"""The page of the API in a real browser: it fits, is accessible and loads nothing from elsewhere, wide and narrow."""

import pytest
from playwright.async_api import async_playwright

from tests.conftest import NodeHome
from tests.server.application.conftest import Server
from tests.web.conftest import CHROMIUM, FLAGS
from tests.web.page_checks import layout_faults


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on the PATH")
async def test_the_page_of_the_api_fits_and_is_accessible_at_every_width(
    application: Server, node_home: NodeHome
) -> None:
    asked: list[str] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = await browser.new_page(base_url=application.url, bypass_csp=True)
        page.on("request", lambda request: asked.append(request.url))
        await page.goto("/docs")
        await page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true })")
        assert await layout_faults(page) == []
        await browser.close()
    assert {url.startswith(application.url) for url in asked} == {True}
