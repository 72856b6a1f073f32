"""Backups: the whole database in one file, written while it is in use and restored into an empty one."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import anyio
import anyio.to_thread
import typer

from measurement.errors import WorkError
from measurement.planning.clock import utc_now
from server.backups import fingerprints, make_backup
from server.cli.output import Output
from server.cli.session import JsonOption, Session, command, read_settings
from storage.backup import (
    BackupFailed,
    Manifest,
    load_database,
    open_backup,
)
from storage.migrations.upgrade import newest_revision

if TYPE_CHECKING:
    from server.settings import Settings

NEEDED_FOR: Final = {
    "SEENBY_SECRET_KEY": "API keys, sessions, engine keys, webhooks, links in pending mails",
    "SEENBY_OAUTH_SECRET": "connected apps",
    "SEENBY_RECEIPT_KEY": "the signatures of receipts",
}
"""Secrets that are not part of a backup, and what stops working without each."""


@command(company=False)
async def backup(
    session: Session,
    file: Annotated[Path, typer.Argument(help="The new file. Twice its size must be free.")],
) -> None:
    """Write a consistent copy of the whole database to one file, while the service runs."""
    target = file.expanduser().absolute()
    if target.exists():
        raise WorkError(f"{file} exists already.", "Give a new file.")
    if not target.parent.is_dir():
        raise WorkError(f"There is no folder {target.parent}.", "Create it first.")
    settings = session.settings
    try:
        manifest = await make_backup(settings, session.database, target)
    except BackupFailed as failed:
        raise WorkError(str(failed), "No backup was made.") from failed
    except OSError as error:
        raise WorkError(
            f"No backup was made: {error.strerror}.", "Check the folder and its free space."
        ) from error
    fields = {"file": str(target), "bytes": target.stat().st_size, "revision": manifest.revision}
    needed = sorted(manifest.secrets)
    session.output.show(
        {**fields, "secretsKeptApart": needed},
        f"{target}: {fields['bytes']} bytes, schema {manifest.revision}",
    )
    for name in needed:
        session.output.say(f"Store {name} separately: without it these stop working: {NEEDED_FOR[name]}")


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `seenby backup` wrote.")],
    work: Annotated[
        bool,
        typer.Option("--resume", help="Start its work at once: the original is stopped for good."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Restore a backup into the empty database of the settings and migrate it.

    The restored copy serves requests; it starts no background work until `seenby resume`.
    """
    settings, output = read_settings(as_json)
    raise typer.Exit(anyio.run(bring_back, settings, output, file, work))


async def bring_back(settings: "Settings", output: Output, file: Path, work: bool = False) -> int:
    """Load a backup and migrate it. Raises WorkError and leaves the database empty then."""
    from server.database import open_database

    kind = settings.database_url.partition("+")[0]
    await require_empty(settings)
    try:
        with open_backup(file.expanduser(), settings.data_dir) as (manifest, copy):
            require_fitting(manifest, kind)
            reason = f"restored as of {manifest.created_at}"
            pause = None if work else reason
            await anyio.to_thread.run_sync(load_database, settings.direct_database_url, copy, pause)
    except BackupFailed as failed:
        raise WorkError(str(failed), "Nothing was restored.") from failed
    async with open_database(settings) as database:
        companies = len(await database.operators.companies.all())
        async with database.operation() as operators:
            if work:
                await operators.work_pauses.end()
            else:
                await operators.work_pauses.begin(reason, utc_now())
    fields = {"companies": companies, "madeAt": manifest.created_at, "revision": manifest.revision}
    changed = [name for name, mark in fingerprints(settings).items() if manifest.secrets.get(name) != mark]
    output.show(
        {**fields, "otherSecrets": changed, "paused": not work},
        f"restored {companies} companies as of {manifest.created_at}",
    )
    for name in changed:
        output.say(f"{name} differs from the backup's: these need the old one: {NEEDED_FOR[name]}")
    output.say("Check it with: seenby doctor --deep")
    if not work:
        output.say(
            "Its work is paused: no engine requests, e-mails or webhooks. When the original is stopped for good, run: "
            "seenby resume"
        )
    return 0


@command(company=False)
async def resume(session: Session) -> None:
    """Start the work of a restored copy: schedules, runs, e-mails and webhooks. Processes notice within seconds."""
    async with session.database.operation() as operators:
        ended = await operators.work_pauses.end()
    said = "Resumed: schedules and queued work continue." if ended else "The work was not paused."
    session.output.show({"resumed": ended}, said)


async def require_empty(settings: "Settings") -> None:
    """Raise WorkError unless the database of the settings has no schema yet."""
    from storage.database import Database

    settings.data_dir.mkdir(parents=True, exist_ok=True)
    database = await Database.open(settings.direct_database_url)
    try:
        versioned = await database.is_versioned()
    finally:
        await database.close()
    if versioned:
        raise WorkError(
            "The database of SEENBY_DATABASE_URL is in use; a restore overwrites nothing.",
            "Set SEENBY_DATABASE_URL or SEENBY_DATA_DIR to an empty one.",
        )


def require_fitting(manifest: Manifest, kind: str) -> None:
    """Raise WorkError for a backup of another kind of database or of a newer program."""
    if manifest.database != kind:
        raise WorkError(
            f"The backup is from {manifest.database}, and the settings use {kind}.",
            "Set SEENBY_DATABASE_URL to the same kind. `seenby export everything` moves data between kinds.",
        )
    if manifest.revision > newest_revision():
        raise WorkError(
            f"The backup was made by seenby {manifest.program} with schema {manifest.revision}; this version "
            f"supports schemas up to {newest_revision()}.",
            f"Install seenby {manifest.program} or newer.",
        )
