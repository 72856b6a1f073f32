"""Clients that the operator vouches for: pinned on the command line, let in without a fetch, taken back at once."""

import asyncio
import json
import os
import re
import secrets
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from oauth.client_documents import vouched_for
from oauth.pkce import challenge_of
from oauth.redirects import RedirectRules
from tests.web.conftest import Person, Running

CLIENT = "https://nobody.invalid/oauth/client.json"
CALLBACK = "https://nobody.invalid/cb"


async def seenby(service: Running, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command over the data of the running service."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SEENBY_")}
    environment["SEENBY_DATA_DIR"] = str(service.settings.data_dir)
    command = [str(Path(sys.executable).with_name("seenby")), "clients", *arguments]
    return await asyncio.to_thread(
        subprocess.run, command, env=environment, capture_output=True, text=True, timeout=60
    )


@pytest.mark.requirement("AUTH-16")
async def test_an_operator_vouches_for_a_client_whose_metadata_cannot_be_fetched(
    service: Running, ada: Person
) -> None:
    verifier = secrets.token_urlsafe(48)
    asked = {
        "response_type": "code",
        "client_id": CLIENT,
        "redirect_uri": CALLBACK,
        "code_challenge": challenge_of(verifier),
        "code_challenge_method": "S256",
    }
    assert (await ada.http.get("/api/oauth/authorize", params=asked)).status_code == 400

    pinned = await seenby(service, "pin", CLIENT, "--redirect", CALLBACK, "--name", "The till", "--json")
    assert pinned.returncode == 0, pinned.stderr
    assert json.loads(pinned.stdout)["redirectUris"] == [CALLBACK]
    sent = await ada.http.get("/api/oauth/authorize", params=asked)
    page = await ada.http.get(sent.headers["location"])
    assert "<strong>nobody.invalid</strong>, which calls itself “The till”," in page.text
    form = page.text[page.text.index('action="/oauth/consent"') :]
    fields = dict(re.findall(r'name="(rid|token)" value="([^"]+)"', form))
    allowed = await ada.http.post("/oauth/consent", data={**fields, "decision": "allow"})
    redeemed = await ada.http.post(
        "/api/oauth/token",
        data={
            "grant_type": "authorization_code",
            "client_id": CLIENT,
            "code": parse_qs(urlsplit(str(allowed.headers["location"])).query)["code"][0],
            "redirect_uri": CALLBACK,
            "code_verifier": verifier,
        },
    )
    bearer = {"Authorization": f"Bearer {redeemed.json()['access_token']}"}
    path = "/api/mcp-app/rest/list_brand_profiles"
    assert (await ada.http.post(path, json={}, headers=bearer)).status_code == 200

    assert (await seenby(service, "unpin", CLIENT)).returncode == 0
    assert (await ada.http.post(path, json={}, headers=bearer)).status_code == 401
    assert (await ada.http.get("/api/oauth/authorize", params=asked)).status_code == 400


@pytest.mark.parametrize(
    ("client", "redirects", "words"),
    [
        (CLIENT, ["http://nobody.invalid/cb"], "is no redirect"),
        (CLIENT, ["javascript:alert(1)"], "is no redirect"),
        (CLIENT, ["cursor://nobody/cb"], "is no redirect"),
        (CLIENT, [], "from 1 to 10 redirects"),
        ("https://127.0.0.1/client.json", [CALLBACK], "the https URL of its metadata"),
        ("http://nobody.invalid/client.json", [CALLBACK], "the https URL of its metadata"),
    ],
)
def test_what_no_client_may_be_cannot_be_vouched_for(client: str, redirects: list[str], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        vouched_for(client, "", redirects, RedirectRules(), datetime.now(UTC))
