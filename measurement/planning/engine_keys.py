"""API keys of engines: the company's own key or the server's, sealed storage, and a test with a real request."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from engines.engine import Credential, Mode, Question
from engines.errors import EngineError, EngineErrorCode
from engines.registry import Registry
from engines.suppliers.supplier_engine import SupplierEngine
from measurement.errors import WorkError
from oauth.sealing import CannotOpen, Seal
from storage.database import Database
from storage.ids import new_id

LONGEST_KEY = 512
TOKENS = 16


class EngineKeys:
    """Finds the credential for a request. A key is opened for a single call and never kept."""

    def __init__(self, database: Database, engines: Registry, seal: Seal) -> None:
        self._database = database
        self.engines = engines
        self._seal = seal

    async def find(self, company_id: str, platform: str) -> Credential | None:
        """Return the credential of a platform for this company, or None.

        Raises UnknownPlatform, and WorkError for a stored key that can no longer be opened.
        """
        name = self.engines.get(platform).platform
        stored = await self._database.workspace(company_id).provider_credentials.find(name)
        if stored is None:
            return self.engines.credential(name)
        try:
            return Credential(self._seal.open(stored.sealed, company_id, name, stored.id))
        except CannotOpen as error:
            raise WorkError(
                f"the stored key of {name} was sealed under another server secret",
                "Enter it again in the settings, or remove it to use the server's own key.",
            ) from error

    async def configured(self, company_id: str, platform: str) -> bool:
        """Return whether the company can query the platform. Raises UnknownPlatform."""
        return self.engines.configured(platform) or await self.find(company_id, platform) is not None

    async def platforms(self, company_id: str) -> tuple[str, ...]:
        """Return every platform that the company can query, sorted."""
        stored = await self._database.workspace(company_id).provider_credentials.all()
        own = {key.platform for key in stored}
        return tuple(
            platform
            for platform in sorted({*self.engines.platforms, *own})
            if platform in self.engines and (platform in own or self.engines.configured(platform))
        )


class InvalidEngineKey(WorkError):
    """The input cannot be the API key of an engine."""

    def __init__(self) -> None:
        super().__init__("This is no API key: it has spaces or unusual characters, or none.")


@dataclass(frozen=True, slots=True)
class KeyCheck:
    """Whether an engine accepted a key, and a sentence about the result."""

    works: bool
    words: str


async def store_engine_key(
    database: Database, seal: Seal, company_id: str, user_id: str, platform: str, secret: str, now: datetime
) -> None:
    """Seal and store a key without testing it, replacing an earlier one. Raises InvalidEngineKey."""
    secret = secret.strip()
    try:
        if len(secret) > LONGEST_KEY:
            raise ValueError
        Credential(secret)
    except ValueError:
        raise InvalidEngineKey from None
    row_id = new_id()
    sealed = seal.seal(secret, company_id, platform, row_id)
    async with database.transaction(company_id) as workspace:
        await workspace.provider_credentials.put(row_id, platform, sealed, secret[-4:], user_id, now)


async def check_engine_key(
    database: Database, seal: Seal, engines: Registry, company_id: str, platform: str, now: datetime
) -> KeyCheck | None:
    """Test the stored key with one short question, and record the result; None without a key."""
    credential = await database.workspace(company_id).provider_credentials.find(platform)
    if credential is None:
        return None
    try:
        secret = seal.open(credential.sealed, company_id, platform, credential.id)
    except CannotOpen:
        return KeyCheck(False, "This key was stored under another server secret. Enter it again.")
    state, words = await _ask(engines, platform, secret)
    async with database.transaction(company_id) as workspace:
        if state is not None:
            await workspace.provider_credentials.tested(credential.id, state, now)
        await workspace.provider_credentials.used(credential.id, now)
    return KeyCheck(state == "ok", words)


async def _ask(engines: Registry, platform: str, secret: str) -> tuple[str | None, str]:
    """Return the key's new state, or None if the test was inconclusive, and a message for the user."""
    engine = engines.get(platform)
    mode = Mode.VISIBILITY if Mode.VISIBILITY in engine.modes else Mode.READINESS
    ask_key = hashlib.sha256(new_id().encode()).hexdigest()
    question = Question(
        "Reply with the word: yes", mode, ask_key, country="US", language="en", max_output_tokens=TOKENS
    )
    try:
        if isinstance(engine, SupplierEngine):
            return await _submit(engine, question, Credential(secret))
        await engine.ask(question, Credential(secret))
    except EngineError as error:
        if error.code is EngineErrorCode.PROVIDER_AUTH:
            return "rejected", error.message
        return None, f"The key could not be tested. {error.message}"
    return "ok", "The engine answered: the key works."


async def _submit(engine: SupplierEngine, question: Question, credential: Credential) -> tuple[str, str]:
    """Open one task without waiting for its result, which may take minutes. Opening it already verifies the key."""
    task = await engine.submit(question, credential)
    await engine.cancel(task, credential)
    return "ok", "The supplier took a question: the key works."
