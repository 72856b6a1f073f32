"""The settings file of NAME=value lines. `seenby init` writes it, every command reads it, the environment wins."""

import os
import secrets
from collections.abc import Mapping, MutableMapping
from io import StringIO
from pathlib import Path

from server.environment import PREFIX, unknown_variables
from server.settings import InvalidSettings, data_folder

LOCATION = f"{PREFIX}SETTINGS"
FILE_NAME = "seenby.env"
HEADING = (
    "# Settings of seenby, one NAME=value a line; `seenby init` wrote this. The environment wins over it.\n"
)
UNWRITABLE = frozenset("\n\r\\`$")
"""Characters that systemd, Docker and we would not all read alike; a quote is one at the start alone."""


def settings_path(environ: Mapping[str, str]) -> Path:
    """Return the path of the settings file: SEENBY_SETTINGS, or seenby.env in the data folder."""
    named = environ.get(LOCATION, "").strip()
    return (
        Path(named).expanduser() if named else data_folder(environ.get(f"{PREFIX}DATA_DIR", "")) / FILE_NAME
    )


def load_settings_file(environ: MutableMapping[str, str], *, may_be_missing: bool = False) -> Path | None:
    """Add the settings file's values to `environ` for names that are not set. Returns the file's path, if it exists.

    Raises InvalidSettings when SEENBY_SETTINGS names a file that cannot be read or, unless it `may_be_missing`, is not
    there, and for unknown settings.
    """
    path = settings_path(environ)
    try:
        values = read_settings_file(path)
    except FileNotFoundError:
        if environ.get(LOCATION, "").strip() and not may_be_missing:
            missing = f"{LOCATION} names {path}, which is not there; seenby init writes it"
            raise InvalidSettings([missing]) from None
        return None
    for name, value in values.items():
        if not environ.get(name, "").strip():
            environ[name] = value
    return path


def read_settings_file(path: Path) -> dict[str, str]:
    """Return the settings in a file. Raises FileNotFoundError, and InvalidSettings with every fault."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InvalidSettings([f"the settings in {path} cannot be read ({reason})"]) from error
    from dotenv import dotenv_values  # slow to import, and most installations have no settings file

    values = dotenv_values(stream=StringIO(text), interpolate=False)
    faults = [f"{path}: {name} is no setting of seenby" for name in values if not name.startswith(PREFIX)]
    faults += [
        f"{path}: {name} is no setting of seenby" + (f"; {nearest} is one" if nearest else "")
        for name, nearest in unknown_variables(values).items()
    ]
    faults += [
        f"{path}: {name} has no value; write {name}=..." for name, value in values.items() if value is None
    ]
    if faults:
        raise InvalidSettings(faults)
    return {name: value for name, value in values.items() if value is not None}


def change_settings_file(path: Path, changes: Mapping[str, str]) -> bool:
    """Set names in a settings file, made when it is missing, readable for its owner alone; return whether it changed.

    Lines of other names stay as they are. Raises InvalidSettings for a value that cannot stand there, and OSError.
    """
    faults = [
        f"{name} has a backslash, a $, a backtick, a line break or quotes around it; set it in the environment"
        for name, value in changes.items()
        if not is_writable(value)
    ]
    if faults:
        raise InvalidSettings(faults)
    before = path.read_text(encoding="utf-8-sig") if path.exists() else HEADING
    after = _changed(before, changes)
    if path.exists() and after == before:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(after)
    written.replace(path)
    return True


def is_writable(value: str) -> bool:
    """Return whether systemd, Docker and seenby would all read this value alike."""
    return not (UNWRITABLE & set(value) or " #" in value or value != value.strip(" '\""))


def _changed(text: str, changes: Mapping[str, str]) -> str:
    """Return the text with the last line of each name replaced, and new names at the end."""
    lines = text.splitlines()
    for name, value in changes.items():
        places = [place for place, line in enumerate(lines) if line.partition("=")[0].strip() == name]
        if places:
            lines[places[-1]] = f"{name}={value}"
        else:
            lines.append(f"{name}={value}")
    return "\n".join(lines) + "\n"
