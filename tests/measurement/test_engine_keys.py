"""An engine is asked with the workspace's own key, and only for that workspace."""

import pytest

from engines.registry import Registry
from engines.settings import EngineSettings
from measurement.errors import WorkError
from measurement.planning.clock import utc_now
from measurement.planning.engine_keys import EngineKeys
from oauth.sealing import Seal
from storage.database import Database
from storage.ids import new_id
from tests.measurement.conftest import Acme

SECRET = b"a secret of the tests that is long enough"
OTHER = b"another secret of the tests, long enough!"


async def company(database: Database, name: str) -> str:
    async with database.operation() as operators:
        return (await operators.companies.create(name, f"{name}@example.com", "growth", utc_now())).id


async def keep(database: Database, company_id: str, secret: str, seal: Seal) -> None:
    row = new_id()
    sealed = seal.seal(secret, company_id, "chatgpt", row)
    async with database.transaction(company_id) as workspace:
        await workspace.provider_credentials.put(row, "chatgpt", sealed, secret[-4:], None, utc_now())


async def test_a_workspaces_own_key_wins_and_another_workspace_never_gets_it(database: Database) -> None:
    ours, theirs = await company(database, "ours"), await company(database, "theirs")
    seal = Seal(SECRET)
    await keep(database, ours, "own-key-of-ours", seal)
    settings = EngineSettings.from_environ({"SEENBY_ENGINE_OPENAI_API_KEY": "key-of-the-server"})
    async with Registry(settings) as engines:
        keys = EngineKeys(database, engines, seal)
        own, shared = await keys.find(ours, "chatgpt"), await keys.find(theirs, "ChatGPT")
    assert own is not None
    assert shared is not None
    assert (own.secret, shared.secret) == ("own-key-of-ours", "key-of-the-server")


async def test_an_own_key_makes_a_platform_available(
    database: Database,
) -> None:
    ours, theirs = await company(database, "ours"), await company(database, "theirs")
    seal = Seal(SECRET)
    await keep(database, ours, "own-key-of-ours", seal)
    async with Registry(EngineSettings.from_environ({})) as engines:
        keys = EngineKeys(database, engines, seal)
        assert await keys.configured(ours, "chatgpt")
        assert not await keys.configured(theirs, "chatgpt")


async def test_a_key_under_a_lost_secret_fails_closed(
    database: Database,
) -> None:
    ours = await company(database, "ours")
    await keep(database, ours, "own-key-of-ours", Seal(OTHER))
    settings = EngineSettings.from_environ({"SEENBY_ENGINE_OPENAI_API_KEY": "key-of-the-server"})
    async with Registry(settings) as engines:
        with pytest.raises(WorkError, match="another server secret"):
            await EngineKeys(database, engines, Seal(SECRET)).find(ours, "chatgpt")
        found = await EngineKeys(database, engines, Seal(SECRET, (OTHER,))).find(ours, "chatgpt")
    assert found is not None
    assert found.secret == "own-key-of-ours"


@pytest.mark.parametrize(
    ("platform", "told"),
    [
        ("google_ai_mode@cloro", "Set SEENBY_SUPPLIER_CLORO_API_KEY in the environment, or store"),
        (
            "chatgpt_app@dataforseo",
            "SEENBY_SUPPLIER_DATAFORSEO_LOGIN and SEENBY_SUPPLIER_DATAFORSEO_PASSWORD",
        ),
        ("chatgpt", "seenby init --engine chatgpt"),
    ],
)
def test_an_engine_without_a_credential_names_what_has_to_be_set(
    acme: Acme, platform: str, told: str
) -> None:
    surfaces = "google_ai_mode=cloro,chatgpt_app=dataforseo"
    refused = acme.seenby(
        "probe", "--brand", "Acme", "--platform", platform, "--yes", SEENBY_SURFACES=surfaces
    )
    assert (refused.code, told in " ".join(refused.err.split())) == (1, True), refused
