"""What pages queue: invitations, mails about sign-ups and links for passwords, each in the transaction of its link."""

from datetime import datetime
from typing import Final

from oauth.sealing import Seal
from storage.ids import new_id
from storage.repositories.mails import MailDraft
from storage.workspace import Workspace

MAIL: Final = "mail"
"""What the sealed links of mails are bound to, beside company and row."""


class Outbox:
    """Queues mails that hold a link; it exists only where mails can be sent."""

    def __init__(self, seal: Seal) -> None:
        self._seal = seal

    async def invite(
        self,
        writing: Workspace,
        recipient: str,
        link: str,
        now: datetime,
        *,
        company: str,
        invited_by: str,
        role: str,
    ) -> None:
        """Queue an invitation in the caller's transaction."""
        content = {"company": company, "invitedBy": invited_by, "role": role}
        await self._queue(writing, "invitation", recipient, content, link, now)

    async def reset_password(
        self, writing: Workspace, recipient: str, link: str, user_id: str, now: datetime
    ) -> None:
        """Queue a link for a new password in the caller's transaction."""
        await self._queue(writing, "password_reset", recipient, {}, link, now, user_id)

    async def welcome(
        self, writing: Workspace, recipient: str, link: str, user_id: str, now: datetime, *, company: str
    ) -> None:
        """Queue the link by which a new owner chooses the first password, in the caller's transaction."""
        await self._queue(writing, "sign_up", recipient, {"company": company}, link, now, user_id)

    async def tell_of_account(self, writing: Workspace, recipient: str, user_id: str, now: datetime) -> None:
        """Queue a note to an address that already has an account."""
        await self._queue(writing, "sign_up", recipient, {}, None, now, user_id)

    async def _queue(
        self,
        writing: Workspace,
        kind: str,
        recipient: str,
        content: dict[str, str],
        link: str | None,
        now: datetime,
        user_id: str | None = None,
    ) -> None:
        mail_id = new_id()
        sealed = self._seal.seal(link, writing.company_id, MAIL, mail_id) if link else None
        draft = MailDraft(kind, recipient, content, f"{kind}:{mail_id}", user_id, sealed, mail_id)
        await writing.mails.queue([draft], now)
