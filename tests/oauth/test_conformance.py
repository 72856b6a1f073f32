"""The public conformance suite's scenarios for authorization servers, with a person who allows what is asked."""

import asyncio
import re
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.conftest import NodeHome
from tests.held_ports import held_port
from tests.oauth.conftest import Running

SUITE = "@modelcontextprotocol/conformance/dist/index.js"
LONGEST_RUN_SECONDS = 120


@pytest.fixture
def callback_port() -> Generator[int]:
    """Where the suite listens for its callback."""
    with held_port() as port:
        yield port


@pytest.mark.requirement("AUTH-13")
async def test_the_conformance_suite_s_authorization_scenarios_pass(
    service: Running, node_home: NodeHome, tmp_path: Path, callback_port: int
) -> None:
    client = await service.register(f"http://127.0.0.1:{callback_port}/callback")
    resource = ["--url", service.url, "--resource", f"{service.url}/mcp"]
    arguments = [*resource, "-p", str(callback_port), "-o", str(tmp_path)]
    suite = await asyncio.create_subprocess_exec(
        *node_home.command(SUITE, "authorization", "--client-id", client["client_id"], *arguments),
        cwd=tmp_path,
        env=node_home.environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output = ""
    assert suite.stdout is not None
    async with asyncio.timeout(LONGEST_RUN_SECONDS):
        while line := await suite.stdout.readline():
            output += line.decode()
            asked = re.search(r"(http://127\.0\.0\.1:\d+/api/oauth/authorize\?\S+)", line.decode())
            if asked:
                await allow(service, asked[1])
        assert await suite.wait() == 0, output
    assert re.search(r"[1-9]\d* passed, 0 failed", output), output


async def allow(service: Running, url: str) -> None:
    answer = await service.browser.get(url)
    page = await service.browser.get(answer.headers["location"])
    form = page.text[page.text.index('action="/oauth/consent"') :]
    hidden = dict(re.findall(r'<input type="hidden" name="(rid|token)" value="([^"]+)">', form))
    allowed = await service.decide({**hidden, "decision": "allow"})
    await service.browser.get(allowed.headers["location"])
