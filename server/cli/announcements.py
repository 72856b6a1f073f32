"""Announcing a change of the interface: to everybody it concerns by e-mail, on the pages and to clients, in time."""

import hashlib
from collections import defaultdict
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from measurement.errors import UnknownName, WorkError
from measurement.planning.clock import utc_now
from server.cli.options import Json
from server.cli.output import Output
from server.cli.session import with_service
from storage.repositories.mails import MailDraft
from storage.repositories.notifications import Addressee, Announcement

if TYPE_CHECKING:
    from server.service import Service
    from storage.database import Database

NOTICE: Final = timedelta(days=30)
LONGEST_TITLE: Final = 120
LONGEST_BODY: Final = 10_000


def announce(
    file: Annotated[
        Path, typer.Argument(help="Text: a first line with the title, a blank line, paragraphs.")
    ],
    effective: Annotated[str, typer.Option(help="The day from which it holds, as 2026-12-31 (UTC).")],
    tool: Annotated[
        list[str] | None, typer.Option(help="A tool that goes away then; may be repeated.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Announce a change at least 30 days ahead: by e-mail, on the pages, in GET /mcp and in headers."""
    with_service(as_json, publish_announcement, file, effective, tuple(tool or ()))


async def publish_announcement(
    service: "Service", output: Output, file: Path, effective: str, tools: tuple[str, ...]
) -> None:
    """Store an announcement and queue its mails; the same one again queues what is missing. Raises WorkError."""
    if service.settings.smtp is None:
        raise WorkError(
            "an announcement goes to people by e-mail, and no mail server is set",
            "Set SEENBY_SMTP_HOST and SEENBY_SMTP_FROM. Nothing was announced.",
        )
    names = set(service.dispatcher.table)
    for tool in tools:
        if tool not in names:
            raise UnknownName("tool", tool, sorted(names))
    announcement = read_announcement(file, effective, tools, utc_now())
    async with service.database.operation() as operators:
        await operators.announcements.add(announcement)
    addressees = await service.database.operators.announcements.addressees()
    await queue_mails(service.database, announcement, addressees)
    fields = {"id": announcement.id, "effectiveOn": effective, "mailsQueued": len(addressees)}
    output.data(
        fields,
        lambda: output.people.print(f"announced for {effective}; {len(addressees)} people are mailed"),
    )
    output.say("a process that executes runs sends the mails; `seenby mails` shows what became of each")


async def queue_mails(database: "Database", announcement: Announcement, addressees: list[Addressee]) -> None:
    """Queue a mail to each, once however often this is done."""
    by_company: defaultdict[str, list[Addressee]] = defaultdict(list)
    for addressee in addressees:
        by_company[addressee.company_id].append(addressee)
    content = {
        "title": announcement.title,
        "body": announcement.body,
        "effectiveOn": announcement.effective_on.isoformat(),
    }
    for company_id, people in by_company.items():
        drafts = [
            MailDraft(
                kind="announcement",
                recipient=person.email,
                content=content,
                dedup_key=f"announcement:{announcement.id}:{person.user_id}",
                user_id=person.user_id,
            )
            for person in people
        ]
        async with database.transaction(company_id) as writing:
            await writing.mails.queue(drafts, utc_now())


def read_announcement(file: Path, effective: str, tools: tuple[str, ...], now: datetime) -> Announcement:
    """Return what a file announces. Raises WorkError."""
    try:
        day = date.fromisoformat(effective)
        text = file.expanduser().read_text(encoding="utf-8")
    except ValueError as error:
        raise WorkError(
            f"{effective} is no day, or {file} is no text", "Write the day as 2026-12-31."
        ) from error
    except OSError as error:
        raise WorkError(f"{file} cannot be read: {error.strerror}", "Name a text file.") from error
    soonest = now.date() + NOTICE
    if day < soonest:
        raise WorkError(
            f"{effective} is less than {NOTICE.days} days ahead",
            f"A breaking change is announced at least {NOTICE.days} days before: from {soonest} on.",
        )
    first, _, rest = text.strip().partition("\n")
    title, body = first.lstrip("# ").strip(), rest.strip()
    if not 0 < len(title) <= LONGEST_TITLE or not 0 < len(body) <= LONGEST_BODY:
        raise WorkError(
            f"{file} needs a title of at most {LONGEST_TITLE} characters and a text of at most {LONGEST_BODY}",
            "Write the title in the first line, then a blank line, then paragraphs.",
        )
    identity = hashlib.sha256("\n".join((title, body, effective, *sorted(tools))).encode()).hexdigest()[:32]
    return Announcement(identity, title, body, day, tools, now)
