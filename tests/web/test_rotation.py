"""Secrets are changed without shutting anybody out, and what was made with a dropped one is worth nothing."""

import json
import secrets
from collections.abc import Awaitable, Callable

import httpx2
import pytest

from tests.web.conftest import App, Meet, Person, Run

ENGINE = json.dumps([{"platform": "tester", "baseUrl": "http://127.0.0.1:1/v1", "model": "tester-1"}])
ENGINE_KEY = "a-key-of-a-provider-1234"


async def opens(http: httpx2.AsyncClient, credential: str) -> int:
    answer = await http.post(
        "/api/mcp-app/rest/list_brand_profiles", json={}, headers={"Authorization": f"Bearer {credential}"}
    )
    return answer.status_code


@pytest.mark.requirement("AUTH-15")
async def test_rotating_both_secrets_signs_no_one_out(
    restart: Run, meet: Meet, let_in: Callable[[Person], Awaitable[App]]
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
    app = await let_in(ada)
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
