"""Backups: the whole database in one file, made while it is in use, and brought back into an empty one."""

import hashlib
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import anyio
import anyio.to_thread
import typer

from measurement.errors import WorkError
from measurement.planning.clock import utc_now
from server.cli.options import Json
from server.cli.output import Output
from server.cli.session import CommandSession, read_settings, with_database
from storage.backup import (
    BackupFailed,
    Manifest,
    copy_database,
    digest_of,
    load_database,
    open_backup,
    working_folder,
    write_backup,
)
from storage.migrations.upgrade import newest_revision
from storage.presence import ENGINE_MIGRATION

if TYPE_CHECKING:
    from server.settings import Settings

NEEDED_FOR: Final = {
    "SEENBY_SECRET_KEY": "API keys, sessions, engine keys, webhooks, links in mails that wait",
    "SEENBY_OAUTH_SECRET": "apps that people let in",
    "SEENBY_RECEIPT_KEY": "the signatures of receipts",
}
"""Secrets that no backup holds: what was made with each is of no use without it."""


def backup(
    file: Annotated[Path, typer.Argument(help="The new file; a place for its size twice is needed.")],
    as_json: Json = False,
) -> None:
    """Write the whole database to one file, as it is at one instant; the service goes on meanwhile."""
    with_database(as_json, make_backup, file)


async def make_backup(session: CommandSession, output: Output, file: Path) -> None:
    """Copy the database and describe the copy. Raises WorkError."""
    target = file.expanduser().absolute()
    if target.exists():
        raise WorkError(f"{file} exists already", "Name a new file: a backup replaces none.")
    if not target.parent.is_dir():
        raise WorkError(f"there is no folder {target.parent}", "Make it first.")
    settings = session.settings
    try:
        with working_folder(target.parent) as folder:
            copy = folder / "copy"
            async with session.database.presence.alone(ENGINE_MIGRATION):
                await anyio.to_thread.run_sync(copy_database, settings.database_url, copy)
            manifest = Manifest(
                program=version("seenby"),
                revision=newest_revision(),
                database=settings.database_url.partition("+")[0],
                created_at=datetime.now(UTC).isoformat(timespec="seconds"),
                sha256=await anyio.to_thread.run_sync(digest_of, copy),
                size=copy.stat().st_size,
                secrets=fingerprints(settings),
            )
            await anyio.to_thread.run_sync(write_backup, target, copy, manifest)
    except BackupFailed as failed:
        raise WorkError(str(failed), "No backup was made.") from failed
    except OSError as error:
        raise WorkError(
            f"no backup was made: {error.strerror}", "Look at the folder and its space."
        ) from error
    fields = {"file": str(target), "bytes": target.stat().st_size, "revision": manifest.revision}
    needed = sorted(manifest.secrets)
    output.data(
        {**fields, "secretsKeptApart": needed},
        lambda: output.people.print(f"{target}: {fields['bytes']} bytes, schema {manifest.revision}"),
    )
    for name in needed:
        output.say(f"keep {name} apart from it: without it {NEEDED_FOR[name]} are of no use")


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `seenby backup` wrote.")],
    work: Annotated[
        bool,
        typer.Option("--resume", help="Let it work at once: the one that was copied is stopped for good."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Bring a backup back into the empty database of the settings, and its schema up to date.

    What is restored answers and shows, and does no work by itself until `seenby resume`.
    """
    settings, output = read_settings(as_json)
    raise typer.Exit(anyio.run(bring_back, settings, output, file, work))


async def bring_back(settings: "Settings", output: Output, file: Path, work: bool = False) -> int:
    """Load a backup and migrate it. Raises WorkError; the database is as empty as before then."""
    from server.database import open_database

    kind = settings.database_url.partition("+")[0]
    await require_empty(settings)
    try:
        with open_backup(file.expanduser(), settings.data_dir) as (manifest, copy):
            require_fitting(manifest, kind)
            reason = f"restored as of {manifest.created_at}"
            pause = None if work else reason
            await anyio.to_thread.run_sync(load_database, settings.database_url, copy, pause)
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
    output.data(
        {**fields, "otherSecrets": changed, "paused": not work},
        lambda: output.people.print(f"restored {companies} companies as of {manifest.created_at}"),
    )
    for name in changed:
        output.say(
            f"{name} is another one than when the backup was made: {NEEDED_FOR[name]} need the old one"
        )
    output.say("check it with `seenby doctor --deep`")
    if not work:
        output.say(
            "its work is paused: no engine is asked and no mail or webhook is sent. When the one that was copied "
            "is stopped for good: seenby resume"
        )
    return 0


def resume(as_json: Json = False) -> None:
    """Let a restored copy work: ask engines by schedule, execute runs, send mails and webhooks."""
    with_database(as_json, end_pause)


async def end_pause(session: CommandSession, output: Output) -> None:
    """End the pause; processes that serve or work notice within seconds."""
    async with session.database.operation() as operators:
        ended = await operators.work_pauses.end()
    said = "resumed: what is scheduled and queued goes on" if ended else "work was not paused"
    output.data({"resumed": ended}, lambda: output.people.print(said))


async def require_empty(settings: "Settings") -> None:
    """Raise WorkError unless the database of the settings has no schema yet."""
    from storage.database import Database

    settings.data_dir.mkdir(parents=True, exist_ok=True)
    database = await Database.open(settings.database_url)
    try:
        versioned = await database.is_versioned()
    finally:
        await database.close()
    if versioned:
        raise WorkError(
            "the database of SEENBY_DATABASE_URL is in use: a restore overwrites nothing",
            "Set SEENBY_DATABASE_URL (or SEENBY_DATA_DIR) to an empty one and restore there.",
        )


def require_fitting(manifest: Manifest, kind: str) -> None:
    """Raise WorkError for a backup of another kind of database or of a newer program."""
    if manifest.database != kind:
        raise WorkError(
            f"the backup is one of {manifest.database} and the settings name {kind}",
            "Set SEENBY_DATABASE_URL to the same kind; `seenby export everything` moves between kinds.",
        )
    if manifest.revision > newest_revision():
        raise WorkError(
            f"the backup was made by seenby {manifest.program} with schema {manifest.revision}, and this program "
            f"knows schemas up to {newest_revision()}",
            f"Install seenby {manifest.program} or a newer one, and restore with that.",
        )


def fingerprints(settings: "Settings") -> dict[str, str]:
    """Return a short mark of each secret, by setting, which tells it from others and says nothing about it."""
    secrets = {"SEENBY_SECRET_KEY": settings.secret_key, "SEENBY_RECEIPT_KEY": settings.receipt_keys[0]}
    if settings.oauth is not None:
        secrets["SEENBY_OAUTH_SECRET"] = settings.oauth.secret
    return {name: fingerprint(name, secret) for name, secret in secrets.items()}


def fingerprint(name: str, secret: bytes) -> str:
    """Return eight hexadecimal digits of a digest."""
    return hashlib.sha256(b"seenby/backup/" + name.encode() + b"/" + secret).hexdigest()[:8]
