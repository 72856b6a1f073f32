"""Backups of the whole database: one file each, made on request or every night."""

import hashlib
import logging
from datetime import UTC, datetime, time
from importlib.metadata import version
from pathlib import Path
from typing import Final

import anyio.to_thread

from measurement.planning.clock import Clock
from measurement.planning.schedules import repeat_nightly
from server.settings import Settings
from storage.backup import Manifest, copy_database, digest_of, working_folder, write_backup
from storage.database import Database
from storage.migrations.upgrade import newest_revision
from storage.presence import ENGINE_MIGRATION

log = logging.getLogger(__name__)
HOUR: Final = time(2, 23)
NAMED: Final = "seenby-{:%Y-%m-%d-%H%M%S}.backup"
MADE: Final = "seenby-????-??-??-??????.backup"


async def make_backup(settings: Settings, database: Database, target: Path) -> Manifest:
    """Write a consistent copy of the database to a new file. Raises BackupFailed and OSError."""
    with working_folder(target.parent) as folder:
        copy = folder / "copy"
        async with database.presence.alone(ENGINE_MIGRATION):
            await anyio.to_thread.run_sync(copy_database, settings.direct_database_url, copy)
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
    return manifest


class NightlyBackup:
    """Makes a backup each night, in one of all processes, and deletes all but the newest ones."""

    def __init__(self, settings: Settings, database: Database, folder: Path, now: Clock) -> None:
        self._settings = settings
        self._database = database
        self._folder = folder
        self._now = now

    async def run(self) -> None:
        """Make a backup every night until cancelled."""
        await repeat_nightly(self._database, "backup", HOUR, self._now, self.back_up)

    async def back_up(self) -> None:
        """Make a backup, then delete the oldest ones. A failed backup deletes none."""
        target = self._folder / NAMED.format(self._now())
        await make_backup(self._settings, self._database, target)
        log.info("backed up to %s, %d bytes", target, target.stat().st_size)
        for old in sorted(self._folder.glob(MADE))[: -self._settings.backups_kept]:
            old.unlink(missing_ok=True)


def fingerprints(settings: Settings) -> dict[str, str]:
    """Return a short fingerprint of each secret, by setting; it reveals nothing about the secret."""
    secrets = {"SEENBY_SECRET_KEY": settings.secret_key, "SEENBY_RECEIPT_KEY": settings.receipt_keys[0]}
    if settings.oauth is not None:
        secrets["SEENBY_OAUTH_SECRET"] = settings.oauth.secret
    return {name: fingerprint(name, secret) for name, secret in secrets.items()}


def fingerprint(name: str, secret: bytes) -> str:
    """Return eight hexadecimal digits of a digest."""
    return hashlib.sha256(b"seenby/backup/" + name.encode() + b"/" + secret).hexdigest()[:8]
