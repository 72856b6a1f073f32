"""When a credential was last used costs the request that uses it no write."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from oauth.api_keys import make_api_key
from tests.oauth.conftest import Running

MESSAGE: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "look_around", "arguments": {}},
}


@pytest.mark.parametrize("kind", ["key", "token"])
async def test_calls_are_answered_while_nobody_can_write(service: Running, tmp_path: Path, kind: str) -> None:
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
