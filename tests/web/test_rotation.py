"""Secrets are changed without shutting anybody out, and what was made with a dropped one is worth nothing."""

import json
import re
import secrets
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest

from oauth.pkce import challenge_of

CALLBACK = "http://127.0.0.1:4000/cb"
ENGINE = json.dumps([{"platform": "tester", "baseUrl": "http://127.0.0.1:1/v1", "model": "tester-1"}])
ENGINE_KEY = "a-key-of-a-provider-1234"


class Client:
    """A connected app: it was allowed once, and holds what it was given."""

    def __init__(self, person: Any) -> None:
        self.http: httpx2.AsyncClient = person.http
        self.verifier = secrets.token_urlsafe(48)
        self.id = ""
        self.secret = ""

    async def register(self) -> None:
        answer = await self.http.post("/api/oauth/register", json={"redirect_uris": [CALLBACK]})
        self.id, self.secret = answer.json()["client_id"], answer.json()["client_secret"]

    async def ask(self) -> tuple[str, str]:
        """Open the consent page; return the request and the token of its form."""
        asked = {
            "response_type": "code",
            "client_id": self.id,
            "redirect_uri": CALLBACK,
            "code_challenge": challenge_of(self.verifier),
            "code_challenge_method": "S256",
        }
        sent = await self.http.get("/api/oauth/authorize", params=asked)
        page = await self.http.get(sent.headers["location"])
        form = page.text[page.text.index('action="/oauth/consent"') :]
        found = re.findall(r'name="(?:rid|token)" value="([^"]+)"', form)
        return found[0], found[1]

    async def allow(self, rid: str, token: str) -> httpx2.Response:
        fields = {"rid": rid, "token": token, "decision": "allow"}
        return await self.http.post("/oauth/consent", data=fields)

    async def token(self, **fields: str) -> httpx2.Response:
        return await self.http.post(
            "/api/oauth/token", data={"client_id": self.id, "client_secret": self.secret, **fields}
        )

    async def redeem(self, answer: httpx2.Response) -> dict[str, Any]:
        code = parse_qs(urlsplit(answer.headers["location"]).query)["code"][0]
        redeemed = await self.token(
            grant_type="authorization_code",
            code=code,
            redirect_uri=CALLBACK,
            code_verifier=self.verifier,
        )
        assert redeemed.status_code == 200, redeemed.text
        return redeemed.json()


async def opens(http: httpx2.AsyncClient, credential: str) -> int:
    answer = await http.post(
        "/api/mcp-app/rest/list_brand_profiles", json={}, headers={"Authorization": f"Bearer {credential}"}
    )
    return answer.status_code


@pytest.mark.requirement("AUTH-15")
async def test_a_change_of_both_secrets_shuts_nobody_out_until_the_former_ones_are_dropped(
    restart: Callable[..., Any], meet: Callable[..., Any]
) -> None:
    former = {"SECRET_KEY": secrets.token_urlsafe(48), "OAUTH_SECRET": secrets.token_urlsafe(48)}
    present = {"SECRET_KEY": secrets.token_urlsafe(48), "OAUTH_SECRET": secrets.token_urlsafe(48)}
    both = present | {f"{name}_PREVIOUS": value for name, value in former.items()}

    ada = meet(restart(ENGINE_COMPATIBLE=ENGINE, **former).url)
    await ada.sign_up()
    key = await ada.make_key()
    await ada.submit("/settings/engines", {"platform": "tester", "secret": ENGINE_KEY})
    invited = await ada.submit("/settings/people", {"email": "bob@example.com", "role": "member"})
    link = "/auth/invitation?key=" + invited.text.split("/auth/invitation?key=")[1].split("<")[0]
    open_form = await ada.token("/settings/profile", "/settings/profile")
    app = Client(ada)
    await app.register()
    tokens = await app.redeem(await app.allow(*await app.ask()))
    waiting = await app.ask()

    async def held() -> tuple[int, int, int, int]:
        """Session, invitation, key and access token, as they are answered."""
        session, invitation = await ada.http.get("/settings/keys"), await ada.http.get(link)
        return (
            session.status_code,
            invitation.status_code,
            await opens(ada.http, key),
            await opens(ada.http, tokens["access_token"]),
        )

    restart(ENGINE_COMPATIBLE=ENGINE, **both)
    assert await held() == (200, 200, 200, 200)
    saved = await ada.http.post("/settings/profile", data={"token": open_form, "name": "Ada again"})
    assert saved.status_code == 303, "the form that was open is still good"
    tested = await ada.submit("/settings/engines", {}, "/settings/engines/tester/test")
    assert "under another server secret" not in tested.text
    assert (await app.redeem(await app.allow(*waiting)))["token_type"] == "Bearer"
    renewed = await app.token(grant_type="refresh_token", refresh_token=tokens["refresh_token"])
    assert renewed.status_code == 200

    restart(ENGINE_COMPATIBLE=ENGINE, **present)
    assert await held() == (303, 404, 401, 401)
    assert (await app.token(grant_type="refresh_token", refresh_token=tokens["refresh_token"])).json() == {
        "error": "invalid_client",
        "error_description": "The client is not known.",
    }
    assert await opens(ada.http, renewed.json()["access_token"]) == 200, "what was made since is good"
    await ada.sign_in()
    tested = await ada.submit("/settings/engines", {}, "/settings/engines/tester/test")
    assert "under another server secret" in tested.text
