"""Clients of other makers against the running service: FastMCP's, Authlib's, and mcp-remote between a desktop and us."""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
import pytest
from filelock import FileLock

from tests.conftest import NodeHome
from tests.oauth.conftest import Running
from tests.oauth.test_sdk_client import AtTheScreen, started

HERE = Path(__file__).parent
UV = Path(sys.executable).with_name("uv")
INSTALLING_SECONDS = 240


@pytest.fixture(scope="session")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter whose environment has the clients."""
    if not UV.exists():
        pytest.skip("uv is not in the environment that runs the tests")
    shared = tmp_path_factory.getbasetemp()
    environment = (shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared) / "other-clients"
    python = environment / "bin" / "python"
    environ = {name: value for name, value in os.environ.items() if not name.startswith("UV_PROJECT")}
    with FileLock(f"{environment}.lock"):
        for command in (
            [UV, "venv", "--quiet", "--allow-existing", "--python", sys.executable, environment],
            [UV, "pip", "install", "--quiet", "--python", python, "-r", HERE / "requirements.txt"],
        ):
            done = subprocess.run(
                command, env=environ, capture_output=True, text=True, timeout=INSTALLING_SECONDS
            )
            if done.returncode:
                pytest.skip(f"the clients cannot be installed here: {done.stderr.strip()[-300:]}")
    return python


async def returned(person: AtTheScreen, address: str) -> str:
    """Let a person sign in and allow what is asked; return the address that the browser is sent to."""
    await person.open(address)
    answer = await person.answer()
    redirect = parse_qs(urlsplit(address).query)["redirect_uri"][0]
    return f"{redirect}?{urlencode({'code': answer.code, 'state': answer.state, 'iss': answer.iss})}"


async def deliver(person: AtTheScreen, address: str) -> None:
    """Do as `returned`, and follow the address to the client that listens there."""
    back = await returned(person, address)
    async with httpx2.AsyncClient(timeout=20) as browser:
        for _ in range(600):
            try:
                assert (await browser.get(back)).status_code == 200
            except httpx2.ConnectError:  # it opens its listener after it has asked for the browser
                await asyncio.sleep(0.1)
            else:
                return
    raise AssertionError("the client does not listen at its own callback")


@pytest.mark.parametrize("path", ["/mcp", "/api/mcp-app"])
async def test_fastmcp_s_client_signs_in_and_calls(
    visited: tuple[Running, str], python: Path, path: str
) -> None:
    service, password = visited
    person = AtTheScreen(service, password)
    command = (python, HERE / "python_clients.py", "fastmcp", service.url + path)
    async with started(command, {**os.environ}) as client:
        assert (await client.read())["tools"] == ["look_around", "change_something"]
        assert person.consents == 0, "listing needs nobody"
        client.write({"call": "change_something"})
        await deliver(person, (await client.read())["open"])
        assert await client.read() == {"result": {"done": "changed"}}
        client.write({"call": "look_around"})
        assert await client.read() == {"result": {"done": "looked"}}
        assert person.consents == 1, "one consent is for both scopes"
        client.write({"call": None})
        assert await client.end() == 0


async def test_authlib_s_client_signs_in_calls_renews_and_revokes(
    visited: tuple[Running, str], python: Path
) -> None:
    service, password = visited
    person = AtTheScreen(service, password)
    command = (python, HERE / "python_clients.py", "authlib", service.url)
    async with started(command, {**os.environ}) as client:
        client.write({"response": await returned(person, (await client.read())["open"])})
        given = await client.read()
        assert given == {"scope": "service.read service.write", "lifetime": 3600}
        client.write({"call": "change_something"})
        first = await client.read()
        assert first["result"] == {"done": "changed"}
        client.write({"call": "look_around", "renew": True})
        again = await client.read()
        assert again["result"] == {"done": "looked"}
        assert again["token"] != first["token"]
        client.write({"call": None})
        assert await client.read() == {"refused": 401}
        assert await client.end() == 0


MCP_REMOTE = "mcp-remote/dist/proxy.js"


@pytest.mark.parametrize("path", ["/mcp", "/api/mcp-app"])
async def test_mcp_remote_signs_a_desktop_in_and_passes_its_calls_on(
    visited: tuple[Running, str], node_home: NodeHome, tmp_path: Path, path: str
) -> None:
    service, password = visited
    person = AtTheScreen(service, password)
    environment = {**node_home.environment, "MCP_REMOTE_CONFIG_DIR": str(tmp_path), "BROWSER": "true"}
    command = node_home.command(MCP_REMOTE, service.url + path, "--allow-http")
    async with started(command, environment, told=True) as desktop:
        desktop.write(
            request(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=DESKTOP)
        )
        assert (await desktop.read())["result"]["serverInfo"]["name"] == "seenby"
        desktop.write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        desktop.write(request(2, "tools/list"))
        listed = (await desktop.read())["result"]["tools"]
        assert [tool["name"] for tool in listed] == ["look_around", "change_something"]
        desktop.write(request(3, "tools/call", name="look_around", arguments={}))
        while not (asked := re.search(r"(http://\S+/api/oauth/authorize\?\S+)", await desktop.said())):
            pass
        await deliver(person, asked[1])
        assert (await desktop.read())["result"]["structuredContent"] == {"done": "looked"}
        desktop.write(request(4, "tools/call", name="look_around", arguments={}))
        assert (await desktop.read())["result"]["structuredContent"] == {"done": "looked"}
        assert person.consents == 1


DESKTOP = {"name": "desktop", "version": "1"}


def request(number: int, method: str, **parameters: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}
