"""Announcements of interface changes: by e-mail, on the pages, in GET /mcp and in headers, 30 days ahead."""

import hashlib
from collections import defaultdict
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from measurement.errors import UnknownName, WorkError
from measurement.planning.clock import utc_now
from server.cli.session import Session, command
from storage.repositories.mails import MailDraft
from storage.repositories.notifications import Addressee, Announcement

if TYPE_CHECKING:
    from storage.database import Database

NOTICE: Final = timedelta(days=30)
LONGEST_TITLE: Final = 120
LONGEST_BODY: Final = 10_000


@command(service=True, company=False)
async def announce(
    session: Session,
    file: Annotated[
        Path, typer.Argument(help="Text file: a first line with the title, a blank line, paragraphs.")
    ],
    effective: Annotated[str, typer.Option(help="The first day of the change, as 2026-12-31 (UTC).")],
    tool: Annotated[list[str] | None, typer.Option(help="A tool that is removed then. Repeatable.")] = None,
) -> None:
    """Announce a change at least 30 days ahead: by e-mail, on the pages, in GET /mcp and in headers.

    The same announcement again queues only the e-mails that are missing.
    """
    if session.settings.smtp is None:
        raise WorkError(
            "An announcement is sent by e-mail, and no mail server is configured.",
            "Set SEENBY_SMTP_HOST and SEENBY_SMTP_FROM. Nothing was announced.",
        )
    tools = tuple(tool or ())
    known = set(session.service.dispatcher.table)
    for name in tools:
        if name not in known:
            raise UnknownName("tool", name, sorted(known))
    announcement = read_announcement(file, effective, tools, utc_now())
    async with session.database.operation() as operators:
        await operators.announcements.add(announcement)
    addressees = await session.database.operators.announcements.addressees()
    await queue_mails(session.database, announcement, addressees)
    session.output.show(
        {"id": announcement.id, "effectiveOn": effective, "mailsQueued": len(addressees)},
        f"announced for {effective}; {len(addressees)} e-mails queued",
    )
    session.output.say("seenby serve or worker sends the e-mails; check them with: seenby mails")


async def queue_mails(database: "Database", announcement: Announcement, addressees: list[Addressee]) -> None:
    """Queue one e-mail to each addressee; repeating it queues none twice."""
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
    """Return the announcement of a file. Raises WorkError."""
    try:
        day = date.fromisoformat(effective)
        text = file.expanduser().read_text(encoding="utf-8")
    except ValueError as error:
        raise WorkError(
            f"{effective} is not a day, or {file} is not a text file.", "Write the day as 2026-12-31."
        ) from error
    except OSError as error:
        raise WorkError(f"{file} cannot be read: {error.strerror}.", "Give a text file.") from error
    soonest = now.date() + NOTICE
    if day < soonest:
        raise WorkError(
            f"{effective} is less than {NOTICE.days} days ahead.",
            f"The earliest day is {soonest}.",
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
