"""The service as it is installed: one person signs up, lets a client in, and shuts it out in every process."""

import os
import re
import secrets
import subprocess
from collections.abc import Generator
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest

from oauth.pkce import challenge_of
from tests.held_ports import held_port
from tests.zygote import ForkedProcess, zygote

CALLBACK = "http://127.0.0.1:4000/cb"


@pytest.fixture
def processes(tmp_path: Path) -> Generator[tuple[str, str]]:
    """Two servers over one data folder and one address; return where each listens, the public one first."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SEENBY_")}
    with ExitStack() as stack:
        ports = [stack.enter_context(held_port()) for _ in range(2)]
        environment |= {"SEENBY_DATA_DIR": str(tmp_path), "SEENBY_BASE_URL": f"http://127.0.0.1:{ports[0]}"}
        for port in ports:
            log = tmp_path / f"serve-{port}.log"
            server = zygote().fork(["serve", "--port", str(port)], environment, log, log)
            stack.callback(server.wait)
            stack.callback(server.terminate)
            wait_for(port, server)
        yield f"http://127.0.0.1:{ports[0]}", f"http://127.0.0.1:{ports[1]}"


def wait_for(port: int, server: ForkedProcess) -> None:
    with httpx2.Client(timeout=1) as client:
        while True:
            try:
                if client.get(f"http://127.0.0.1:{port}/readyz").status_code == 200:
                    return
            except httpx2.TransportError:
                pass
            with suppress(subprocess.TimeoutExpired):
                raise AssertionError(f"the server ended with {server.wait(0.05)}")


def hidden(html: str, action: str) -> dict[str, str]:
    form = html[html.index(f'action="{action}"') :]
    matches = re.findall(
        r'<input type="hidden" name="([a-z]+)" value="([^"]*)">', form[: form.index("</form>")]
    )
    return dict(matches)


@pytest.mark.requirement("AUTH-05", "AUTH-13", "AUTH-14")
def test_a_revoked_app_and_key_are_rejected_by_both_processes_at_once(
    processes: tuple[str, str],
) -> None:
    url, other = processes
    with httpx2.Client(base_url=url, timeout=30) as browser:
        origin = {"Origin": url}
        form = hidden(browser.get("/auth/signup").text, "/auth/signup")
        person = {
            "company": "Ours",
            "name": "Ann",
            "email": "ann@ours.example",
            "password": secrets.token_hex(12),
        }
        assert browser.post("/auth/signup", data={**form, **person}, headers=origin).status_code == 303

        sent = {"redirect_uris": [CALLBACK], "token_endpoint_auth_method": "none"}
        client = browser.post("/api/oauth/register", json=sent).json()["client_id"]
        verifier = secrets.token_urlsafe(48)
        asked = {
            "response_type": "code",
            "client_id": client,
            "redirect_uri": CALLBACK,
            "code_challenge": challenge_of(verifier),
            "code_challenge_method": "S256",
        }
        consent = browser.get("/api/oauth/authorize", params=asked).headers["location"]
        form = hidden(browser.get(consent).text, "/oauth/consent")
        allowed = browser.post("/oauth/consent", data={**form, "decision": "allow"}, headers=origin)
        code = parse_qs(urlsplit(str(allowed.headers["location"])).query)["code"][0]
        tokens = browser.post(
            "/api/oauth/token",
            data={
                "grant_type": "authorization_code",
                "client_id": client,
                "code": code,
                "redirect_uri": CALLBACK,
                "code_verifier": verifier,
            },
        ).json()
        form = hidden(browser.get("/settings/keys").text, "/settings/keys")
        made = re.search(
            r"sk_live_[0-9a-f]{32}", browser.post("/settings/keys", data=form, headers=origin).text
        )
        assert made is not None

        def statuses(credential: str) -> list[int]:
            path, bearer = "/api/mcp-app/rest/list_brand_profiles", {"Authorization": f"Bearer {credential}"}
            return [httpx2.post(at + path, json={}, headers=bearer).status_code for at in (url, other)]

        for page, credential in (("/settings/apps", tokens["access_token"]), ("/settings/keys", made[0])):
            assert statuses(credential) == [200, 200]
            listed = browser.get(page).text
            (ending,) = re.findall(rf'action="({page}/[^"]+/revoke)"', listed)
            assert browser.post(ending, data=hidden(listed, ending), headers=origin).status_code == 303
            assert statuses(credential) == [401, 401]
