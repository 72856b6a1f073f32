"""The addresses that suppliers call when a task is done; a call makes a look due and says nothing more."""

from measurement.planning.clock import Clock
from oauth.signing import Digests
from storage.database import Database

PATH = "/supplier-callbacks"
FIELD = "task"


class SupplierCallbacks:
    """Makes and recognizes the address of each task, which only its supplier knows.

    What a call brings is never read: anybody may call, so what was seen is fetched from the supplier with our key.
    A call for a task that has ended, or a second one, changes nothing; one that is lost is made up for by looking.
    """

    def __init__(self, database: Database, digests: Digests, base_url: str, now: Clock) -> None:
        self._database = database
        self._digests = digests
        self._base_url = base_url
        self._now = now

    def address(self, company_id: str, ask_key: str) -> str:
        """Return the address to call for the task of an ask."""
        named = f"{company_id}.{ask_key}"
        return f"{self._base_url}{PATH}?{FIELD}={named}.{self._digests.digest(named)}"

    def is_known(self, token: str) -> bool:
        """Whether we made this token."""
        named, _, digest = token.rpartition(".")
        return token.isascii() and self._digests.matches(named, digest)

    async def receive(self, token: str) -> None:
        """Let the task of a known token be looked at now, if it still waits."""
        company_id, ask_key, _ = token.split(".")
        async with self._database.transaction(company_id) as writing:
            await writing.asks.hasten(ask_key, self._now())
