"""Webhook registration: the URL is checked, URL and signing secret are encrypted, and the secret is shown once."""

import base64
import json
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from measurement.errors import WorkError
from oauth.sealing import Seal
from readiness.fetching import urls
from readiness.fetching.errors import UrlRefused
from storage.ids import new_id
from storage.repositories.webhooks import KINDS, Webhook
from storage.workspace import Workspace

WEBHOOK: Final = "webhook"
"""What a sealed webhook is bound to, beside company and row."""
FORMATS: Final = ("standard", "text", "teams")
MOST: Final = 10
"""Webhooks of one company."""


class InvalidWebhook(WorkError):
    """A webhook that cannot be registered; the words say why."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a webhook's messages go, and what they are signed with."""

    url: str
    secret: str


async def add_webhook(
    writing: Workspace,
    seal: Seal,
    url: str,
    kinds: Collection[str],
    form: str,
    now: datetime,
    allow_hosts: frozenset[str],
) -> tuple[Webhook, Target]:
    """Register a webhook in the caller's transaction; its secret is in the target alone. Raises InvalidWebhook."""
    if form not in FORMATS:
        raise InvalidWebhook(f"there is no format {form!r}", f"Formats: {', '.join(FORMATS)}.")
    if not kinds or not set(kinds) <= set(KINDS):
        raise InvalidWebhook("these are no kinds of notifications", f"Kinds: {', '.join(KINDS)}.")
    parsed = parse_target(url, allow_hosts)
    if len(await writing.webhooks.all()) >= MOST:
        raise InvalidWebhook(f"a company has at most {MOST} webhooks", "Remove one that is not needed.")
    target, webhook_id = Target(str(parsed), new_secret()), new_id()
    webhook = Webhook(
        id=webhook_id,
        host=parsed.authority,
        last4=target.url[-4:],
        sealed=seal_target(seal, target, writing.company_id, webhook_id),
        format=form,
        kinds=[kind for kind in KINDS if kind in kinds],
        state="active",
        disabled_reason=None,
        disabled_at=None,
        delivered_at=None,
        created_at=now,
    )
    await writing.webhooks.add(webhook)
    return webhook, target


def parse_target(url: str, allow_hosts: frozenset[str]) -> urls.Url:
    """Return an address that messages may be sent to. Raises InvalidWebhook.

    Names are looked up, and their addresses judged, whenever something is sent: not here.
    """
    try:
        parsed = urls.parse(url, allow_hosts=allow_hosts, exact=True)
    except UrlRefused as refused:
        raise InvalidWebhook(f"the address is not allowed: {refused}") from refused
    if parsed.scheme != "https" and f"{parsed.host}:{parsed.port}" not in allow_hosts:
        raise InvalidWebhook("the address is not allowed: a webhook URL starts with https://.")
    return parsed


def seal_target(seal: Seal, target: Target, company_id: str, webhook_id: str) -> str:
    """Return the sealed record of a target."""
    return seal.seal(json.dumps([target.url, target.secret]), company_id, WEBHOOK, webhook_id)


def open_target(seal: Seal, sealed: str, company_id: str, webhook_id: str) -> Target:
    """Return the target of a sealed record. Raises CannotOpen."""
    return Target(*json.loads(seal.open(sealed, company_id, WEBHOOK, webhook_id)))


def new_secret() -> str:
    """Return a new signing secret of a webhook: `whsec_` and 32 random bytes in base64 (Standard Webhooks 1.0.0)."""
    return f"whsec_{base64.b64encode(secrets.token_bytes(32)).decode()}"
