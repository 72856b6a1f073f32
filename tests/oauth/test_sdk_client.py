"""The official SDK's client against the running service: found, registered, signed in, called, renewed, stepped up."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
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
from pydantic import AnyUrl

from tests.conftest import NodeHome
from tests.oauth.conftest import Running

CALLBACK = "http://127.0.0.1:3030/callback"
LONGEST_ANSWER_SECONDS = 60


class Kept:
    """What the client keeps."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    @property
    def held(self) -> OAuthToken:
        assert self.tokens is not None
        return self.tokens

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class AtTheScreen:
    """A person with a browser: signs in by the form, allows what is asked, counts how often."""

    def __init__(self, service: Running, password: str) -> None:
        self._service = service
        self._password = password
        self.consents = 0
        self.asked: list[str] = []
        self._answer: AuthorizationCodeResult | None = None

    async def open(self, url: str) -> None:
        self.asked.append(parse_qs(urlsplit(url).query)["scope"][0])
        browser: httpx2.AsyncClient = self._service.browser
        answer: httpx2.Response = await browser.get(url)
        if urlsplit(answer.headers["location"]).path == "/auth/login":
            answer = await self._sign_in(answer.headers["location"])
        page = await browser.get(answer.headers["location"])
        fields = hidden(page.text, "/oauth/consent")
        self.consents += 1
        allowed: httpx2.Response = await browser.post(
            "/oauth/consent",
            data={**fields, "decision": "allow", "write": "yes"},
            headers={"Origin": self._service.url},
        )
        told = parse_qs(urlsplit(allowed.headers["location"]).query)
        self._answer = AuthorizationCodeResult(
            code=told["code"][0], state=told["state"][0], iss=told["iss"][0]
        )

    async def _sign_in(self, location: str) -> httpx2.Response:
        form = await self._service.browser.get(location)
        fields = hidden(form.text, "/auth/login")
        typed = {"email": self._service.user.email, "password": self._password}
        answer = await self._service.browser.post(
            "/auth/login", data={**fields, **typed}, headers={"Origin": self._service.url}
        )
        assert answer.status_code == 303, answer.text
        return answer

    async def answer(self) -> AuthorizationCodeResult:
        assert self._answer is not None
        return self._answer


def hidden(html: str, action: str) -> dict[str, str]:
    form = html[html.index(f'action="{action}"') :]
    return dict(
        re.findall(r'<input type="hidden" name="([a-z]+)" value="([^"]*)">', form[: form.index("</form>")])
    )


@pytest.mark.parametrize("path", ["/mcp", "/api/mcp-app"])
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_sdk_s_client_signs_in_once_to_read_and_write_and_refreshes(
    visited: tuple[Running, str], path: str, mode: Any
) -> None:
    service, password = visited
    kept, person = Kept(), AtTheScreen(service, password)
    provider = OAuthClientProvider(
        server_url=f"{service.url}{path}",
        client_metadata=OAuthClientMetadata(
            client_name="SDK", redirect_uris=[AnyUrl(CALLBACK)], token_endpoint_auth_method="none"
        ),
        storage=kept,
        redirect_handler=person.open,
        callback_handler=person.answer,
    )
    async with (
        httpx2.AsyncClient(auth=provider, timeout=20) as http,
        Client(streamable_http_client(f"{service.url}{path}", http_client=http), mode=mode) as client,
    ):
        assert len((await client.list_tools()).tools) == 2
        assert person.consents == 0, "listing needs nobody"
        looked = await client.call_tool("look_around", {})
        assert looked.structured_content == {"done": "looked"}
        assert (person.consents, kept.held.scope) == (1, "service.read service.write")
        changed = await client.call_tool("change_something", {})
        assert changed.structured_content == {"done": "changed"}
        assert person.consents == 1
        first = kept.held.access_token
        service.moment.forward(minutes=61)
        provider.context.token_expiry_time = 1.0
        again = await client.call_tool("change_something", {})
        assert again.structured_content == {"done": "changed"}
        assert person.consents == 1, "a refresh asks nobody"
        assert kept.held.access_token != first


class Process:
    """A client in a process of its own, which reads and writes lines of JSON."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    def write(self, line: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(line).encode() + b"\n")

    async def read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        async with asyncio.timeout(LONGEST_ANSWER_SECONDS):
            line = await self._process.stdout.readline()
        assert line, "the client ended"
        return json.loads(line)

    async def said(self) -> str:
        """Read one line of what it tells people."""
        assert self._process.stderr is not None
        async with asyncio.timeout(LONGEST_ANSWER_SECONDS):
            line = await self._process.stderr.readline()
        assert line, "the client ended"
        return line.decode()

    async def end(self) -> int:
        assert self._process.stdin is not None
        self._process.stdin.close()
        async with asyncio.timeout(LONGEST_ANSWER_SECONDS):
            return await self._process.wait()


@asynccontextmanager
async def started(
    command: Sequence[str | Path], environment: Mapping[str, str], *, told: bool = False
) -> AsyncGenerator[Process]:
    """Start a client; `told` keeps what it tells people for the test."""
    process = await asyncio.create_subprocess_exec(
        *command,
        env=environment,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE if told else asyncio.subprocess.DEVNULL,
    )
    try:
        yield Process(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


class TypeScriptClient:
    """The TypeScript SDK's client in a process of its own, with a person who opens what it asks to."""

    def __init__(self, process: Process, person: AtTheScreen) -> None:
        self._process = process
        self._person = person

    async def call(self, tool: str) -> dict[str, Any]:
        """Call a tool; return its result and what the client holds after it."""
        self._process.write({"call": tool})
        said = await self._process.read()
        if "open" in said:
            await self._person.open(said["open"])
            answer = await self._person.answer()
            self._process.write({"code": answer.code, "state": answer.state, "iss": answer.iss})
            said = await self._process.read()
        return said


@pytest.mark.parametrize(
    ("generation", "path"), [("first", "/mcp"), ("second", "/mcp"), ("second", "/api/mcp-app")]
)
async def test_the_typescript_sdk_s_clients_do_the_same(
    visited: tuple[Running, str], node_home: NodeHome, generation: str, path: str
) -> None:
    service, password = visited
    person = AtTheScreen(service, password)
    script = node_home.package / "oauth_client.mjs"
    command = (node_home.binary, script, generation, service.url + path, CALLBACK)
    async with started(command, node_home.environment) as process:
        client = TypeScriptClient(process, person)
        assert (await process.read())["tools"] == ["look_around", "change_something"]
        assert person.consents == 0, "listing needs nobody"
        looked = await client.call("look_around")
        assert (looked["result"], looked["scope"]) == ({"done": "looked"}, "service.read service.write")
        changed = await client.call("change_something")
        assert (changed["result"], changed["scope"]) == ({"done": "changed"}, "service.read service.write")
        assert person.consents == 1
        service.moment.forward(minutes=61)
        again = await client.call("change_something")
        assert again["result"] == {"done": "changed"}
        assert person.consents == 1, "a refresh asks nobody"
        assert again["token"] != changed["token"]
        process.write({"call": None})
        assert await process.end() == 0
