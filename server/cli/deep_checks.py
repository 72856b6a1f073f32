"""What `seenby doctor --deep` looks at: damage, receipts, secrets, and the parts that are away."""

import shutil
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
    """Look through everything that can be looked at; nothing is asked, sent or changed."""
    database = service.database
    waiting, oldest = await database.operators.mail_queue.waiting()
    usage = shutil.disk_usage(service.settings.data_dir)
    return {
        "damage": await database.faults(),
        "brandsThatDoNotHold": await NightlyVerification(database, service.publisher, utc_now).verify_all(),
        "engineKeysThatDoNotOpen": await count_closed_keys(service),
        "redis": await redis_state(service),
        "mail": await mail_state(service),
        "webhooksWaiting": (await database.operators.webhook_queue.waiting())[0],
        "webhooksThatDoNotOpen": await count_closed_webhooks(service),
        "wordPressSitesThatDoNotOpen": await count_closed_sites(service),
        "wordPressTextsNotDelivered": await count_undelivered_texts(service),
        "mailsWaiting": waiting,
        "oldestMailSince": oldest.isoformat() if oldest else None,
        "diskFreeBytes": usage.free,
        "diskNearlyFull": usage.free / usage.total < Limits().disk_free_share,
    }


def holds(deep: dict[str, Any]) -> bool:
    """Tell whether nothing was found that wants a person."""
    faults = (
        *("damage", "brandsThatDoNotHold", "engineKeysThatDoNotOpen", "webhooksThatDoNotOpen"),
        *("wordPressSitesThatDoNotOpen", "diskNearlyFull"),
    )
    away = {deep["redis"], deep["mail"]} - {UNCHECKED, ANSWERS}
    return not any(deep[name] for name in faults) and not away


async def count_closed_keys(service: "Service") -> int:
    """Count the stored engine keys that today's secret and the one before it do not open."""
    closed = 0
    for company in await service.database.operators.companies.all():
        for key in await service.database.workspace(company.id).provider_credentials.all():
            try:
                service.seal.open(key.sealed, company.id, key.platform, key.id)
            except CannotOpen:
                closed += 1
    return closed


async def count_closed_webhooks(service: "Service") -> int:
    """Count the webhooks whose address and secret today's key and the one before it do not open."""
    from workflows.webhooks.registration import open_target  # loaded by who looks deeply

    closed = 0
    for company in await service.database.operators.companies.all():
        for webhook in await service.database.workspace(company.id).webhooks.all():
            try:
                open_target(service.seal, webhook.sealed, company.id, webhook.id)
            except CannotOpen:
                closed += 1
    return closed


async def count_closed_sites(service: "Service") -> int:
    """Count the WordPress sites whose password today's key and the one before it do not open."""
    from workflows.publishing.site_access import open_access  # loaded by who looks deeply

    closed = 0
    for company in await service.database.operators.companies.all():
        site = await service.database.workspace(company.id).wordpress.site()
        try:
            if site is not None:
                open_access(service.seal, site.sealed, company.id, site.id)
        except CannotOpen:
            closed += 1
    return closed


async def count_undelivered_texts(service: "Service") -> int:
    """Count the texts that a WordPress site did not take, or of which nobody knows; they can be sent again."""
    companies = await service.database.operators.companies.all()
    counts = [await service.database.workspace(company.id).wordpress.undelivered() for company in companies]
    return sum(counts)


async def redis_state(service: "Service") -> str:
    """Return whether Redis answers."""
    if service.redis is None:
        return UNCHECKED
    try:
        await service.redis.ping()
    except Exception as error:
        return f"does not answer ({type(error).__name__}): is SEENBY_REDIS_URL right, and is it running?"
    return ANSWERS


async def mail_state(service: "Service") -> str:
    """Return whether the mail server takes us in."""
    if service.settings.smtp is None:
        return UNCHECKED
    from workflows.mail.smtp import MailRefused, SmtpTransport  # loaded by who sends mail

    try:
        await SmtpTransport(service.settings.smtp).check()
    except MailRefused as refused:
        code = f", code {refused.reply}" if refused.reply else ""
        return f"does not take us in ({refused.outcome}{code}): look at SEENBY_SMTP_HOST, _PORT and _SECURITY"
    return ANSWERS
