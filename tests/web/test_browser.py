"""The pages in Chromium: the whole path of a key, a consent that a client asked for, and what pages load."""

import asyncio
import json
import shutil
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from playwright.async_api import Page
from pydantic import AnyUrl

from tests.web.conftest import NO_BRANDS, Meet, Person, Running

PASSWORD = "four unrelated words"
LOUD = ("error", "warning")
SIGNED_IN = (
    "/",
    "/start",
    "/connect",
    "/readiness",
    "/settings/keys",
    "/settings/apps",
    "/settings/engines",
    "/settings/webhooks",
    "/settings/wordpress",
    "/settings/people",
    "/settings/profile",
)
Browse = Callable[..., Awaitable[Page]]
pytestmark = pytest.mark.browser


async def test_a_key_is_made_used_with_curl_revoked_and_refused(browse: Browse, meet: Meet) -> None:
    if shutil.which("curl") is None:
        pytest.skip("there is no curl")
    person = meet()
    page = await browse(person)
    await page.goto("/")
    await page.get_by_role("link", name="Create an account").click()
    await page.get_by_label("Company").fill(person.company)
    await page.get_by_label("Your name").fill("Ada")
    await page.get_by_label("E-mail address").fill(person.email)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Create account").click()
    await page.get_by_role("link", name="Create an API key").click()
    await page.get_by_label("Description (optional)").fill("for curl")
    await page.get_by_role("button", name="Create key").click()
    key = (await page.locator("[data-copy='the key']").inner_text()).strip()
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await page.get_by_role("button", name="Copy the key").click()
    await page.get_by_text("the key copied").wait_for(state="attached")
    assert await page.evaluate("navigator.clipboard.readText()") == key

    await page.get_by_role("link", name="connect a client", exact=True).click()
    command = (await page.locator("[data-copy='the curl command']").inner_text()).replace(
        "$SEENBY_API_KEY", key
    )

    async def called() -> dict[str, Any]:
        ran = await asyncio.create_subprocess_exec("bash", "-c", command, stdout=asyncio.subprocess.PIPE)
        output, _ = await ran.communicate()
        return json.loads(output)

    assert await called() == NO_BRANDS
    await page.get_by_role("link", name="Settings").click()
    await page.get_by_role("button", name="Revoke the key for curl").click()
    await page.get_by_text("revoked").first.wait_for()
    assert (await called())["error"]["message"] == "Invalid API key."
    await page.get_by_role("button", name="Sign out").click()
    await page.get_by_role("heading", name="Sign in").wait_for()


class Browsing:
    """A person with a real browser: opens what a client asks to, signs in, allows it, and is led back to the client."""

    def __init__(self, page: Page, person: Person) -> None:
        self._page = page
        self._person = person
        self._told: asyncio.Queue[dict[str, list[str]]] = asyncio.Queue()
        self.consents: list[str] = []

    async def callback(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take a browser's answer as the client's own listener on loopback does."""
        target = (await reader.readuntil(b"\r\n\r\n")).split()[1].decode()
        if target.startswith("/callback?"):
            await self._told.put(parse_qs(urlsplit(target).query))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\ndone")
        await writer.drain()
        writer.close()

    async def open(self, url: str) -> None:
        await self._page.goto(url)
        if await self._page.get_by_role("heading", name="Sign in").count():
            await self._page.get_by_label("E-mail address").fill(self._person.email)
            await self._page.get_by_label("Password").fill(PASSWORD)
            await self._page.get_by_role("button", name="Sign in").click()
        await self._page.get_by_role("heading", name="Allow access?").wait_for()
        self.consents.append(await self._page.locator("main").inner_text())
        await self._page.get_by_role("button", name="Allow").click()
        await self._page.get_by_text("done").wait_for()

    async def answer(self) -> AuthorizationCodeResult:
        async with asyncio.timeout(20):
            told = await self._told.get()
        return AuthorizationCodeResult(code=told["code"][0], state=told["state"][0], iss=told["iss"][0])


class Kept:
    """What the client keeps."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


async def test_a_consent_that_the_sdk_s_client_asked_for_is_given_in_a_browser(
    browse: Browse, ada: Person, service: Running
) -> None:
    ada.http.cookies.clear()
    page = await browse(ada)
    person = Browsing(page, ada)
    listener = await asyncio.start_server(person.callback, "127.0.0.1", 0)
    callback = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}/callback"
    provider = OAuthClientProvider(
        server_url=f"{service.url}/mcp",
        client_metadata=OAuthClientMetadata(
            client_name="SDK client",
            redirect_uris=[AnyUrl(callback)],
            token_endpoint_auth_method="none",
        ),
        storage=Kept(),
        redirect_handler=person.open,
        callback_handler=person.answer,
    )
    async with (
        listener,
        httpx2.AsyncClient(auth=provider, timeout=60) as http,
        Client(streamable_http_client(f"{service.url}/mcp", http_client=http)) as client,
    ):
        listed = await client.call_tool("list_brand_profiles", {})
        assert listed.structured_content == NO_BRANDS
    (shown,) = person.consents
    assert "SDK client" in shown
    assert f"The answer goes to {callback.split('/')[2]}." in shown
    assert "any program on it can receive the answer" in shown
    await page.goto("/settings/apps")
    await page.get_by_role("button", name="Revoke SDK client").click()
    await page.get_by_text("No app was let in yet.").wait_for()


async def test_no_page_breaks_its_own_policy_or_asks_another_host(browse: Browse, measured: Person) -> None:
    page = await browse(measured)
    messages: list[str] = []
    asked: set[str] = set()
    page.on("console", lambda message: messages.append(message.text) if message.type in LOUD else None)
    page.on("request", lambda request: asked.add(request.url.split("/")[2]))
    for path in (*SIGNED_IN, f"/brands/{measured.brand}"):
        await page.goto(path)
    assert messages == []
    assert asked == {str(httpx2.URL(measured.http.base_url).netloc.decode())}


async def test_the_start_page_shows_the_score_and_change_of_the_overview(
    measured: Person, service: Running
) -> None:
    key = await measured.make_key()
    response = await measured.http.post(
        "/api/mcp-app/rest/compare_periods",
        json={"brandId": "Acme"},
        headers={"Authorization": f"Bearer {key}"},
    )
    compared = response.json()
    after, interval = compared["after"], compared["after"]["interval"]
    verdict = compared["verdict"].replace("_", " ")
    for path in ("/", f"/brands/{measured.brand}"):
        text = " ".join((await measured.text(path)).split())
        assert f"{after['score']:.1f} of 100" in text
        assert f"95% CI {interval['low']:.1f} \N{EN DASH} {interval['high']:.1f}" in text
    text = " ".join((await measured.text("/")).split())
    assert verdict in text
    assert "Never measured No measurement yet. Set up its first measurement Open Quiet brand" in text
