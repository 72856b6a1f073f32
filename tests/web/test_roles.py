"""Owner, member and viewer: who may change what, on pages and through apps that they connected."""

from collections.abc import Awaitable, Callable

import pytest

from storage.database import Database
from tests.web.conftest import App, Meet, Person
from web import endpoints

PASSWORD = "four unrelated words"
WRITE = {"workflowId": "ai_shop_checkup"}


async def colleague(owner: Person, meet: Meet, role: str) -> Person:
    """Somebody who joined the owner's company in a role."""
    person = meet()
    page = await owner.submit("/settings/people", {"email": person.email, "role": role})
    key = page.text.split("/auth/invitation?key=")[1].split("<")[0]
    token = await person.token(f"/auth/invitation?key={key}", "/auth/invitation")
    fields = {"token": token, "key": key, "name": "Bob", "password": PASSWORD}
    assert (await person.http.post("/auth/invitation", data=fields)).status_code == 303
    return person


async def call(app: App, tool: str, access: str, **arguments: object) -> int:
    answer = await app.http.post(
        f"/api/mcp-app/rest/{tool}", json=arguments, headers={"Authorization": f"Bearer {access}"}
    )
    return answer.status_code


async def user_id(database: Database, person: Person) -> str:
    user = await database.operators.users.by_email(person.email)
    assert user is not None
    return user.id


@pytest.mark.parametrize("role", ["member", "viewer"])
async def test_only_owners_make_and_revoke_api_keys(
    ada: Person, meet: Meet, token_for: Callable[[Person, str], str], role: str
) -> None:
    bob = await colleague(ada, meet, role)
    key = await ada.make_key()
    page = await bob.http.get("/settings/keys")
    assert (page.status_code, 'action="/settings/keys' in page.text) == (200, False)
    paths = [path.split('"')[0] for path in (await ada.http.get("/settings/keys")).text.split('action="')]
    [revoking] = [path for path in paths if path.endswith("/revoke")]
    for path in ("/settings/keys", revoking):
        refused = await bob.http.post(path, data={"token": token_for(bob, path)})
        assert refused.status_code == 403
    answer = await ada.http.post(
        "/api/mcp-app/rest/get_credits", json={}, headers={"Authorization": f"Bearer {key}"}
    )
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "path", ["/notifications/read", "/readiness/scans", "/settings/engines", "/settings/people"]
)
async def test_a_viewer_sends_no_form_that_changes_the_company(
    ada: Person, meet: Meet, token_for: Callable[[Person, str], str], path: str
) -> None:
    viewer = await colleague(ada, meet, "viewer")
    assert (await viewer.http.get("/")).status_code == 200
    refused = await viewer.http.post(path, data={"token": token_for(viewer, path)})
    assert (refused.status_code, "Viewers are read-only" in refused.text) == (403, True)
    renamed = await viewer.submit("/settings/profile", {"name": "Robert"})
    assert renamed.status_code < 400


@pytest.mark.parametrize("path", ["/notifications/read", "/brands/{brand}/audit", "/readiness/scans"])
async def test_storage_refuses_a_viewers_form_that_a_page_would_let_through(
    measured: Person,
    meet: Meet,
    token_for: Callable[[Person, str], str],
    monkeypatch: pytest.MonkeyPatch,
    path: str,
) -> None:
    viewer, path = await colleague(measured, meet, "viewer"), path.format(brand=measured.brand)
    monkeypatch.setattr(endpoints, "OWN_FORMS", frozenset({path}))
    fields = {"url": "https://acme.invalid/"}
    refused = await viewer.http.post(path, data={"token": token_for(viewer, path), **fields})
    assert (refused.status_code, "Viewers are read-only" in refused.text) == (403, True)
    sent = await measured.http.post(path, data={"token": token_for(measured, path), **fields})
    assert sent.status_code == 303


async def test_an_app_of_a_viewer_only_reads(
    ada: Person, meet: Meet, let_in: Callable[[Person], Awaitable[App]]
) -> None:
    viewer = await colleague(ada, meet, "viewer")
    app = await let_in(viewer)
    rid, token = await app.ask()
    fields = {"rid": rid, "token": token, "decision": "allow", "write": "on"}
    tokens = await app.redeem(await viewer.http.post("/oauth/consent", data=fields))
    assert tokens["scope"] == "service.read"
    assert await call(app, "get_credits", tokens["access_token"]) == 200
    assert await call(app, "run_workflow", tokens["access_token"], **WRITE) == 401


async def test_a_role_that_changes_later_counts_for_connected_apps(
    ada: Person, meet: Meet, database: Database, let_in: Callable[[Person], Awaitable[App]]
) -> None:
    bob = await colleague(ada, meet, "member")
    app = await let_in(bob)
    rid, token = await app.ask()
    fields = {"rid": rid, "token": token, "decision": "allow", "write": "on"}
    access = (await app.redeem(await bob.http.post("/oauth/consent", data=fields)))["access_token"]
    # It may write, and is refused for what it asks.
    assert await call(app, "run_workflow", access, **WRITE) == 400
    path = f"/settings/people/{await user_id(database, bob)}/role"
    assert (await ada.submit("/settings/people", {"role": "viewer"}, path)).status_code == 303
    assert await call(app, "run_workflow", access, **WRITE) == 401
    assert await call(app, "get_credits", access) == 200


async def test_the_last_owner_stays_one(ada: Person, database: Database) -> None:
    path = f"/settings/people/{await user_id(database, ada)}/role"
    page = await ada.submit("/settings/people", {"role": "viewer"}, path)
    assert (page.status_code, "at least one owner" in page.text) == (422, True)
    assert await ada.make_key()
