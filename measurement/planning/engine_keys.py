"""With whose key an engine is asked: the workspace's own one, else the server's."""

from engines.engine import Credential
from engines.registry import Registry
from measurement.errors import WorkError
from oauth.sealing import CannotOpen, Seal
from storage.database import Database


class EngineKeys:
    """Finds the credential for an ask; a key is opened for the one call and kept nowhere."""

    def __init__(self, database: Database, engines: Registry, seal: Seal) -> None:
        self._database = database
        self.engines = engines
        self._seal = seal

    async def find(self, company_id: str, platform: str) -> Credential | None:
        """Return the credential of a platform for this company, or None.

        Raises UnknownPlatform, and WorkError for a stored key that cannot be opened any more.
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
        """Tell whether the platform can be asked for this company. Raises UnknownPlatform."""
        return self.engines.configured(platform) or await self.find(company_id, platform) is not None

    async def platforms(self, company_id: str) -> tuple[str, ...]:
        """Return every platform that can be asked for this company, sorted."""
        stored = await self._database.workspace(company_id).provider_credentials.all()
        own = {key.platform for key in stored}
        return tuple(
            platform
            for platform in self.engines.platforms
            if platform in own or self.engines.configured(platform)
        )
