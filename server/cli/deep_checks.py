"""Checks of `seenby doctor --deep`: database damage, receipts, secrets, and components that do not respond."""

import shutil
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from measurement.planning.clock import utc_now
from measurement.receipts.nightly import NightlyVerification
from oauth.sealing import CannotOpen
from server.telemetry.vitals import Limits

if TYPE_CHECKING:
    from server.service import Service

UNCHECKED = "not set"
ANSWERS = "answers"


async def check_deeply(service: "Service") -> dict[str, Any]:
    """Check everything that can be checked without sending or changing anything."""
    database = service.database
    waiting, oldest = await database.operators.mail_queue.waiting()
    usage = shutil.disk_usage(service.settings.data_dir)
    return {
        "damage": await database.faults(),
        "brandsThatDoNotHold": await NightlyVerification(database, service.publisher, utc_now).verify_all(),
        **await count_unopenable(service),
        "redis": await redis_state(service),
        "mail": await mail_state(service),
        "webhooksWaiting": (await database.operators.webhook_queue.waiting())[0],
        "wordPressTextsNotDelivered": await count_undelivered_texts(service),
        "mailsWaiting": waiting,
        "oldestMailSince": oldest.isoformat() if oldest else None,
        "diskFreeBytes": usage.free,
        "diskNearlyFull": usage.free / usage.total < Limits().disk_free_share,
    }


def holds(deep: dict[str, Any]) -> bool:
    """Return whether nothing needs attention."""
    faults = (
        *("damage", "brandsThatDoNotHold", "engineKeysThatDoNotOpen", "webhooksThatDoNotOpen"),
        *("wordPressSitesThatDoNotOpen", "diskNearlyFull"),
    )
    away = {deep["redis"], deep["mail"]} - {UNCHECKED, ANSWERS}
    return not any(deep[name] for name in faults) and not away


async def count_unopenable(service: "Service") -> dict[str, int]:
    """Count stored secrets that neither today's key nor the previous one opens."""
    from workflows.publishing.site_access import open_access  # loaded by deep checks only
    from workflows.webhooks.registration import open_target

    counts = {
        "engineKeysThatDoNotOpen": 0,
        "webhooksThatDoNotOpen": 0,
        "wordPressSitesThatDoNotOpen": 0,
    }

    def check(name: str, open_secret: Callable[..., object], *arguments: object) -> None:
        try:
            open_secret(*arguments)
        except CannotOpen:
            counts[name] += 1

    for company in await service.database.operators.companies.all():
        workspace = service.database.workspace(company.id)
        for key in await workspace.provider_credentials.all():
            check("engineKeysThatDoNotOpen", service.seal.open, key.sealed, company.id, key.platform, key.id)
        for webhook in await workspace.webhooks.all():
            check("webhooksThatDoNotOpen", open_target, service.seal, webhook.sealed, company.id, webhook.id)
        site = await workspace.wordpress.site()
        if site is not None:
            check("wordPressSitesThatDoNotOpen", open_access, service.seal, site.sealed, company.id, site.id)
    return counts


async def count_undelivered_texts(service: "Service") -> int:
    """Count the texts whose delivery to a WordPress site failed or is unknown; they can be sent again."""
    companies = await service.database.operators.companies.all()
    counts = [await service.database.workspace(company.id).wordpress.undelivered() for company in companies]
    return sum(counts)


async def redis_state(service: "Service") -> str:
    """Return whether Redis responds."""
    if service.redis is None:
        return UNCHECKED
    try:
        await service.redis.ping()
    except Exception as error:
        return f"does not answer ({type(error).__name__}): is SEENBY_REDIS_URL right, and is it running?"
    return ANSWERS


async def mail_state(service: "Service") -> str:
    """Return whether the mail server accepts our login."""
    if service.settings.smtp is None:
        return UNCHECKED
    from workflows.mail.smtp import MailRefused, SmtpTransport  # loaded by processes that send mail

    try:
        await SmtpTransport(service.settings.smtp).check()
    except MailRefused as refused:
        code = f", code {refused.reply}" if refused.reply else ""
        return f"does not accept our login ({refused.outcome}{code}): check SEENBY_SMTP_HOST, _PORT and _SECURITY"
    return ANSWERS
