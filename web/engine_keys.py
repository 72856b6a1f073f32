"""The page of a workspace's own keys for AI engines: stored sealed, tested by really asking, never shown."""

import hashlib

from starlette.responses import Response

from engines.engine import Credential, Mode, Question
from engines.errors import EngineError, ErrorCode
from engines.settings import LOCAL
from oauth.sealing import CannotOpen
from storage.ids import new_id
from tools.rate_limits import Window
from web.errors import NotHere
from web.visit import Visit

TESTS_A_MINUTE = 5
LONGEST_KEY = 512
TOKENS = 16


async def engines(visit: Visit) -> Response:
    """List the platforms and what is known of each key."""
    return await listing(visit)


async def store_key(visit: Visit) -> Response:
    """Seal and keep a key, untested, in the place of an earlier one."""
    visit.require_owner()
    typed = await visit.fields()
    platform, secret = known_platform(visit, typed.get("platform", "")), typed.get("secret", "").strip()
    try:
        if len(secret) > LONGEST_KEY:
            raise ValueError
        Credential(secret)
    except ValueError:
        return await listing(visit, fault="This is no API key: it has spaces or unusual characters, or none.")
    person, row_id = visit.signed, new_id()
    sealed = visit.site.seal.seal(secret, person.company_id, platform, row_id)
    async with visit.site.database.transaction(person.company_id) as workspace:
        await workspace.provider_credentials.put(
            row_id, platform, sealed, secret[-4:], person.user_id, visit.site.now()
        )
    return visit.go("/settings/engines")


async def test_key(visit: Visit) -> Response:
    """Ask the engine one short question with the key, and say how it went."""
    visit.require_owner()
    await visit.fields()
    platform = known_platform(visit, visit.request.path_params["platform"])
    company_id = visit.signed.company_id
    await visit.count(Window(f"engine-test:{company_id}", TESTS_A_MINUTE))
    found = await visit.site.database.workspace(company_id).provider_credentials.find(platform)
    if found is None:
        raise NotHere
    try:
        secret = visit.site.seal.open(found.sealed, company_id, platform, found.id)
    except CannotOpen:
        return await listing(visit, fault="This key was stored under another server secret. Enter it again.")
    state, words = await asked(visit, platform, secret)
    async with visit.site.database.transaction(company_id) as workspace:
        if state is not None:
            await workspace.provider_credentials.tested(found.id, state, visit.site.now())
        await workspace.provider_credentials.used(found.id, visit.site.now())
    if state == "ok":
        return await listing(visit, success=words)
    return await listing(visit, fault=words)


async def asked(visit: Visit, platform: str, secret: str) -> tuple[str | None, str]:
    """Return the key's new state, None when the test says nothing about it, and what to tell."""
    engine = visit.site.engines.get(platform)
    mode = Mode.VISIBILITY if Mode.VISIBILITY in engine.modes else Mode.READINESS
    ask_key = hashlib.sha256(new_id().encode()).hexdigest()
    question = Question("Reply with the word: yes", mode, ask_key, max_output_tokens=TOKENS)
    try:
        await engine.ask(question, Credential(secret))
    except EngineError as error:
        if error.code is ErrorCode.PROVIDER_AUTH:
            return "rejected", error.message
        return None, f"The key could not be tested. {error.message}"
    return "ok", "The engine answered: the key works."


async def remove_key(visit: Visit) -> Response:
    """Delete a key."""
    visit.require_owner()
    await visit.fields()
    async with visit.site.database.transaction(visit.signed.company_id) as workspace:
        if not await workspace.provider_credentials.remove(visit.request.path_params["platform"]):
            raise NotHere
    return visit.go("/settings/engines")


async def listing(visit: Visit, *, success: str | None = None, fault: str | None = None) -> Response:
    """Show the page, with how the last step went."""
    stored = await visit.site.database.workspace(visit.signed.company_id).provider_credentials.all()
    own = {one.platform: one for one in stored}
    rows = [
        {"platform": name, "own": own.get(name), "shared": visit.site.engines.configured(name)}
        for name in platforms(visit)
    ]
    local = visit.site.engines.configured(LOCAL)
    return visit.page(
        "engines.html", 422 if fault else 200, rows=rows, local=local, success=success, fault=fault
    )


def platforms(visit: Visit) -> list[str]:
    """Return the platforms that a key can be brought for."""
    return [name for name in visit.site.engines.platforms if name != LOCAL]


def known_platform(visit: Visit, name: str) -> str:
    """Return the platform. Raises NotHere for one that cannot be given a key."""
    if name not in platforms(visit):
        raise NotHere
    return name
