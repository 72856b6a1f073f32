"""Webhooks of a company: added, listed, tested, switched on again, removed, and the record of deliveries."""

from typing import Annotated

import typer

from measurement.errors import WorkError
from server.cli.lookup import find_company
from server.cli.options import Company, Json
from server.cli.output import Output
from server.cli.session import with_service
from server.service import Service
from storage.repositories.webhooks import KINDS, Webhook

app = typer.Typer(no_args_is_help=True, help="Webhooks that notifications are sent to.")

NONE = ("there is no webhook of this id", "See: seenby webhooks list")


@app.command("add")
def add(
    url: Annotated[str, typer.Argument(help="An https:// address that can be reached from everywhere.")],
    kind: Annotated[
        list[str] | None, typer.Option(help=f"One of {', '.join(KINDS)}; all without it.")
    ] = None,
    form: Annotated[
        str, typer.Option("--format", help="standard for programs, text for Slack and Teams.")
    ] = "standard",
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Add a webhook and print its signing secret, this once."""
    with_service(as_json, add_webhook, url, kind or list(KINDS), form, company)


async def add_webhook(
    service: Service, output: Output, url: str, kinds: list[str], form: str, company_name: str | None
) -> None:
    """Register a webhook. Raises WorkError."""
    company = await find_company(service.database, company_name)
    webhook, target = await service.webhooks.add(company.id, url, kinds, form)
    output.say("The secret is shown this once; `seenby webhooks test` sends something to try it with.")
    fields = {**public_fields(webhook), "secret": target.secret}
    output.data(fields, lambda: output.people.print(f"{webhook.id} {target.secret}"))


@app.command("list")
def list_(company: Company = None, as_json: Json = False) -> None:
    """List the webhooks, without their addresses' paths and their secrets."""
    with_service(as_json, list_webhooks, company)


async def list_webhooks(service: Service, output: Output, company_name: str | None) -> None:
    """Print every webhook of a company."""
    company = await find_company(service.database, company_name)
    webhooks = await service.webhooks.all(company.id)
    rows = [
        (webhook.id, f"{webhook.host}…{webhook.last4}", webhook.format, webhook.state, webhook.delivered_at)
        for webhook in webhooks
    ]
    columns = ("id", "to", "format", "state", "last delivered")
    output.data([public_fields(webhook) for webhook in webhooks], lambda: output.table(columns, rows))


@app.command("test")
def send_test(webhook_id: str, company: Company = None, as_json: Json = False) -> None:
    """Send a test now; exits with 1 when it was not taken."""
    with_service(as_json, test_webhook, webhook_id, company)


async def test_webhook(service: Service, output: Output, webhook_id: str, company_name: str | None) -> int:
    """Send a test and print what came of it. Raises WorkError when there is no such webhook."""
    company = await find_company(service.database, company_name)
    attempt = await service.webhooks.test(company.id, webhook_id)
    if attempt is None:
        raise WorkError(*NONE)
    answered = "no answer" if attempt.reply is None else f"HTTP {attempt.reply}"
    output.data(
        {"delivered": attempt.delivered, "outcome": attempt.outcome, "reply": attempt.reply},
        lambda: output.people.print(f"{attempt.outcome.replace('_', ' ')}, {answered}"),
    )
    return 0 if attempt.delivered else 1


@app.command("enable")
def enable(webhook_id: str, company: Company = None, as_json: Json = False) -> None:
    """Send notifications again to a webhook that was switched off."""
    with_service(as_json, enable_webhook, webhook_id, company)


async def enable_webhook(service: Service, output: Output, webhook_id: str, company_name: str | None) -> None:
    """Switch a webhook on. Raises WorkError when there is none."""
    company = await find_company(service.database, company_name)
    if not await service.webhooks.enable(company.id, webhook_id):
        raise WorkError(*NONE)
    output.data({"id": webhook_id, "state": "active"}, lambda: output.people.print(f"{webhook_id} active"))


@app.command("remove")
def remove(webhook_id: str, company: Company = None, as_json: Json = False) -> None:
    """Remove a webhook, and what waits for it."""
    with_service(as_json, remove_webhook, webhook_id, company)


async def remove_webhook(service: Service, output: Output, webhook_id: str, company_name: str | None) -> None:
    """Remove a webhook. Raises WorkError when there is none."""
    company = await find_company(service.database, company_name)
    if not await service.webhooks.remove(company.id, webhook_id):
        raise WorkError(*NONE)
    output.data({"id": webhook_id, "removed": True}, lambda: output.people.print(f"{webhook_id} removed"))


@app.command("deliveries")
def deliveries(
    company: Company = None,
    limit: Annotated[int, typer.Option(min=1, max=1000)] = 50,
    offset: Annotated[int, typer.Option(min=0)] = 0,
    as_json: Json = False,
) -> None:
    """List what was sent or waits, newest first, with what became of each."""
    with_service(as_json, list_deliveries, company, limit, offset)


async def list_deliveries(
    service: Service, output: Output, company_name: str | None, limit: int, offset: int
) -> None:
    """Print one page of the record."""
    company = await find_company(service.database, company_name)
    records, total = await service.database.workspace(company.id).webhooks.deliveries(limit, offset)
    rows = [
        (record.created_at, record.kind, record.state, record.attempts, record.outcome, record.reply)
        for record in records
    ]
    columns = ("queued", "kind", "state", "attempts", "outcome", "reply")
    output.data({"deliveries": records, "total": total}, lambda: output.table(columns, rows))


def public_fields(webhook: Webhook) -> dict[str, object]:
    """Return what may be shown of a webhook: its URL's path may be a secret, and what it signs with is one."""
    return {
        "id": webhook.id,
        "host": webhook.host,
        "last4": webhook.last4,
        "format": webhook.format,
        "kinds": list(webhook.kinds),
        "state": webhook.state,
        "disabledReason": webhook.disabled_reason,
        "deliveredAt": webhook.delivered_at,
        "createdAt": webhook.created_at,
    }
