"""A folder in which a backup is made or unpacked: it is no backup, and what killed processes left is cleared away."""

import shutil
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from filelock import FileLock, Timeout

PREFIX: Final = ".seenby-backup-"
LOCK: Final = "lock"
"""Its lock ends with the process that works in the folder."""


@contextmanager
def working_folder(parent: Path) -> Generator[Path]:
    """Lend a new folder for its owner alone, and take it away; those that killed processes left go first."""
    clear(parent)
    folder, lock = open_folder(parent)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        lock.release()


def open_folder(parent: Path) -> tuple[Path, FileLock]:
    """Make a folder and lock it; another one where somebody cleared it away before it was locked."""
    while True:
        folder = Path(mkdtemp(prefix=PREFIX, dir=parent))
        with suppress(FileNotFoundError, Timeout):
            lock = FileLock(folder / LOCK, timeout=0)
            lock.acquire()
            if (folder / LOCK).exists():
                return folder, lock
            lock.release()


def clear(parent: Path) -> None:
    """Take away the folders in which nobody works any more."""
    for folder in parent.glob(f"{PREFIX}*"):
        with suppress(OSError, Timeout), FileLock(folder / LOCK, timeout=0):
            shutil.rmtree(folder, ignore_errors=True)
