"""Webhooks of a company: add, list, test, enable, remove, deliveries; and the record of its e-mails."""

from typing import Annotated

import typer

from measurement.errors import WorkError
from server.cli.output import camel_case
from server.cli.session import Session, command
from storage.repositories.webhooks import KINDS, Webhook

app = typer.Typer(no_args_is_help=True, help="Webhooks that receive notifications.")

NOT_FOUND = ("No webhook has this id.", "List webhooks with: seenby webhooks list")
SHOWN = ("id", "host", "last4", "format", "kinds", "state", "disabled_reason", "delivered_at", "created_at")
RecordLimit = Annotated[int, typer.Option(min=1, max=1000)]
RecordOffset = Annotated[int, typer.Option(min=0)]


@command(app, "add", service=True)
async def add(
    session: Session,
    url: Annotated[str, typer.Argument(help="A public https:// address.")],
    kind: Annotated[list[str] | None, typer.Option(help=f"{', '.join(KINDS)}. All by default.")] = None,
    form: Annotated[
        str, typer.Option("--format", help="standard for programs, text for Slack, teams for Teams.")
    ] = "standard",
) -> None:
    """Add a webhook and print its signing secret. It is shown only once."""
    webhook, target = await session.service.webhooks.add(session.company.id, url, kind or list(KINDS), form)
    session.output.say("The secret is shown only once. Send a test with: seenby webhooks test ID")
    session.output.show({**public_fields(webhook), "secret": target.secret}, f"{webhook.id} {target.secret}")


@command(app, "list", service=True)
async def list_(session: Session) -> None:
    """List the webhooks; URL paths and secrets are not shown."""
    webhooks = await session.service.webhooks.all(session.company.id)
    columns = "id host last4 format kinds state deliveredAt"
    session.output.show([public_fields(webhook) for webhook in webhooks], columns=columns)


@command(app, "test", service=True)
async def send_test(session: Session, webhook_id: str) -> int:
    """Send a test now; exits with 1 when it was not delivered."""
    attempt = await session.service.webhooks.test(session.company.id, webhook_id)
    if attempt is None:
        raise WorkError(*NOT_FOUND)
    answered = "no answer" if attempt.reply is None else f"HTTP {attempt.reply}"
    session.output.show(
        {"delivered": attempt.delivered, "outcome": attempt.outcome, "reply": attempt.reply},
        f"{attempt.outcome.replace('_', ' ')}, {answered}",
    )
    return 0 if attempt.delivered else 1


@command(app, "enable", service=True)
async def enable(session: Session, webhook_id: str) -> None:
    """Resume sending to a webhook that was disabled."""
    if not await session.service.webhooks.enable(session.company.id, webhook_id):
        raise WorkError(*NOT_FOUND)
    session.output.show({"id": webhook_id, "state": "active"}, f"{webhook_id} active")


@command(app, "remove", service=True)
async def remove(session: Session, webhook_id: str) -> None:
    """Remove a webhook and its pending deliveries."""
    if not await session.service.webhooks.remove(session.company.id, webhook_id):
        raise WorkError(*NOT_FOUND)
    session.output.show({"id": webhook_id, "removed": True}, f"{webhook_id} removed")


@command(app, "deliveries")
async def deliveries(session: Session, limit: RecordLimit = 50, offset: RecordOffset = 0) -> None:
    """List deliveries, newest first, with their outcomes."""
    records, total = await session.workspace.webhooks.deliveries(limit, offset)
    session.output.page("deliveries", records, total, "createdAt kind state attempts outcome reply")


@command()
async def mails(session: Session, limit: RecordLimit = 50, offset: RecordOffset = 0) -> None:
    """List the e-mails of a company, newest first, with their delivery state."""
    records, total = await session.workspace.mails.page(limit, offset)
    session.output.page("mails", records, total, "createdAt kind recipient state attempts reply")


def public_fields(webhook: Webhook) -> dict[str, object]:
    """Return what may be shown of a webhook: the path of its URL may be a secret."""
    return {camel_case(name): getattr(webhook, name) for name in SHOWN}
