"""API keys: storage, authentication, and when they were last used."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from oauth.api_keys import NewApiKey, make_api_key
from oauth.authenticate import ApiKeyAuthenticator, LastUses
from oauth.errors import CredentialRefused
from oauth.signing import API_KEYS, sub_key
from storage.database import Database
from tests.oauth.conftest import Running

NOW = datetime(2026, 3, 31, 12, tzinfo=UTC)
SIGNING = sub_key(b"0123456789abcdefghijklmnopqrstuvwxyz", API_KEYS)


async def kept(
    database: Database, *, expires_at: datetime | None = None, rate_limit: int | None = None
) -> NewApiKey:
    async with database.operation() as operators:
        company = await operators.companies.create("Shop", "owner@shop.example", "growth", NOW)
        made = make_api_key(SIGNING, company.id, NOW, expires_at=expires_at, rate_limit=rate_limit)
        await operators.api_keys.add(made.stored)
    return made


def checker(database: Database, now: datetime = NOW) -> tuple[ApiKeyAuthenticator, LastUses]:
    uses = LastUses(database)
    return ApiKeyAuthenticator(database, SIGNING, uses, lambda: now), uses


async def test_a_key_names_its_company_with_its_own_rate_limit(database: Database) -> None:
    made = await kept(database, rate_limit=7)
    principal = await checker(database)[0].authenticate(f"Bearer {made.raw}")
    assert principal is not None
    assert (principal.company_id, principal.rate_limit) == (made.stored.company_id, 7)


@pytest.mark.parametrize("raw", ["sk_live_" + "0" * 32, "sk_live_", "nonsense", ""])
@pytest.mark.requirement("ERR-10")
async def test_an_unknown_key_is_invalid(database: Database, raw: str) -> None:
    with pytest.raises(CredentialRefused) as refused:
        await checker(database)[0].authenticate(f"Bearer {raw}")
    assert refused.value.message == "Invalid API key."


@pytest.mark.requirement("STATE-06")
async def test_a_revoked_key_is_invalid_at_once_and_for_good(database: Database) -> None:
    made = await kept(database)
    authenticator, _ = checker(database)
    assert await authenticator.authenticate(f"Bearer {made.raw}") is not None
    async with database.operation() as operators:
        assert await operators.api_keys.revoke(made.stored.id)
        assert not await operators.api_keys.revoke(made.stored.id)
    with pytest.raises(CredentialRefused) as refused:
        await authenticator.authenticate(f"Bearer {made.raw}")
    assert refused.value.message == "Invalid API key."


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_a_key_revoked_by_another_process_is_invalid_at_once(url: str) -> None:
    asked, other = await Database.open(url), await Database.open(url)
    try:
        made = await kept(asked)
        authenticator, _ = checker(asked)
        assert await authenticator.authenticate(f"Bearer {made.raw}") is not None
        async with other.transaction(made.stored.company_id) as workspace:
            assert await workspace.api_keys.revoke(made.stored.id)
        with pytest.raises(CredentialRefused):
            await authenticator.authenticate(f"Bearer {made.raw}")
    finally:
        await other.close()
        await asked.close()


@pytest.mark.requirement("AUTH-06")
@pytest.mark.requirement("STATE-07")
async def test_a_key_holds_until_the_instant_it_expires(database: Database) -> None:
    end = NOW + timedelta(hours=1)
    made = await kept(database, expires_at=end)
    before, _ = checker(database, end - timedelta(microseconds=1))
    assert await before.authenticate(f"Bearer {made.raw}") is not None
    with pytest.raises(CredentialRefused) as refused:
        await checker(database, end)[0].authenticate(f"Bearer {made.raw}")
    assert refused.value.message == "API key expired."
    [stored] = await database.operators.api_keys.all()
    assert stored.status == "active"


async def test_the_last_use_is_written_behind_the_request_and_never_moves_back(database: Database) -> None:
    made = await kept(database)
    for moment in (NOW + timedelta(minutes=1), NOW):
        authenticator, uses = checker(database, moment)
        before = (await database.operators.api_keys.all())[0].last_used_at
        await authenticator.authenticate(f"Bearer {made.raw}")
        assert (await database.operators.api_keys.all())[0].last_used_at == before
        await uses.flush()
    assert (await database.operators.api_keys.all())[0].last_used_at == NOW + timedelta(minutes=1)


async def test_the_database_file_holds_no_key(database: Database, tmp_path: Path) -> None:
    made = await kept(database)
    await checker(database)[0].authenticate(f"Bearer {made.raw}")
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("seenby.db*") if path.is_file())
    assert made.stored.digest.encode() in stored
    assert made.raw.encode() not in stored
    assert made.raw.removeprefix("sk_live_").encode() not in stored


@pytest.mark.parametrize(("rate_limit", "hours"), [(0, 1), (601, 1), (5, 0), (5, -1)])
def test_a_key_needs_a_valid_rate_limit_and_a_future_expiry(rate_limit: int, hours: int) -> None:
    with pytest.raises(ValueError, match="must"):
        make_api_key(SIGNING, "company", NOW, expires_at=NOW + timedelta(hours=hours), rate_limit=rate_limit)


MESSAGE: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "look_around", "arguments": {}},
}


@pytest.mark.parametrize("kind", ["key", "token"])
async def test_calls_are_answered_while_the_database_is_write_locked(
    service: Running, tmp_path: Path, kind: str
) -> None:
    if kind == "key":
        made = make_api_key(service.site.api_key_signing, service.user.company_id, service.moment())
        async with service.database.transaction(service.user.company_id) as workspace:
            await workspace.api_keys.add(made.stored)
        credential = made.raw
    else:
        credential = (await service.tokens((await service.register())["client_id"]))["access_token"]
    with closing(sqlite3.connect(tmp_path / "seenby.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert (await service.call(credential)).status_code == 200
        bearer = {"Authorization": f"Bearer {credential}"}
        assert (await service.http.post("/mcp", json=MESSAGE, headers=bearer)).status_code == 200
