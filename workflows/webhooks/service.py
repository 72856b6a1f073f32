"""What owners and operators do with webhooks: add, list, test, switch on again, remove."""

from collections.abc import Collection

from measurement.planning.clock import Clock
from oauth.sealing import Seal
from storage.database import Database
from storage.repositories.webhooks import Webhook
from workflows.webhooks.delivery import Attempt, WebhookDelivery
from workflows.webhooks.registration import Target, add_webhook


class WebhookService:
    """The webhooks of companies; `allow_hosts` may have private addresses, in development only."""

    def __init__(
        self,
        database: Database,
        seal: Seal,
        base_url: str,
        now: Clock,
        allow_hosts: frozenset[str] = frozenset(),
    ) -> None:
        self._database = database
        self._seal = seal
        self._now = now
        self._allow_hosts = allow_hosts
        self.delivery = WebhookDelivery(database, seal, base_url, now, allow_hosts)

    async def add(
        self, company_id: str, url: str, kinds: Collection[str], form: str
    ) -> tuple[Webhook, Target]:
        """Register a webhook; its signing secret can be had now and never again. Raises InvalidWebhook."""
        async with self._database.transaction(company_id) as writing:
            return await add_webhook(writing, self._seal, url, kinds, form, self._now(), self._allow_hosts)

    async def all(self, company_id: str) -> list[Webhook]:
        """Return the webhooks of a company, the oldest first."""
        return await self._database.workspace(company_id).webhooks.all()

    async def test(self, company_id: str, webhook_id: str) -> Attempt | None:
        """Send a test now and return what came of it; None when there is no such webhook."""
        return await self.delivery.send_test(company_id, webhook_id)

    async def enable(self, company_id: str, webhook_id: str) -> bool:
        """Send notifications to a webhook again from now on; False when there is none."""
        async with self._database.transaction(company_id) as writing:
            return await writing.webhooks.enable(webhook_id)

    async def remove(self, company_id: str, webhook_id: str) -> bool:
        """Delete a webhook with what waits for it; False when there is none."""
        async with self._database.transaction(company_id) as writing:
            return await writing.webhooks.remove(webhook_id)
