"""A backup as one file: a tar with a manifest, which says what is inside and what else is needed, and the copy."""

import hashlib
import io
import json
import os
import tarfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Final, cast

from storage.backup.copies import BackupFailed
from storage.backup.working_folder import working_folder

FORMAT: Final = 1
MANIFEST, COPY = "manifest.json", "database"
LARGEST_MANIFEST: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds. `secrets` maps each setting that is needed beside it to a fingerprint of its value."""

    program: str
    revision: str
    database: str
    created_at: str
    sha256: str
    size: int
    secrets: Mapping[str, str]
    format: int = FORMAT


def write_backup(target: Path, copy: Path, manifest: Manifest) -> None:
    """Write a backup beside its copy, for its owner alone to read; a file of this name is there whole or not at all."""
    arriving = copy.with_name("arriving")
    described = json.dumps(asdict(manifest), indent=2).encode()
    try:
        descriptor = os.open(arriving, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file, tarfile.open(fileobj=file, mode="w") as archive:
            head = tarfile.TarInfo(MANIFEST)
            head.size = len(described)
            archive.addfile(head, io.BytesIO(described))
            archive.add(copy, COPY, filter=anonymous)
            archive.close()
            file.flush()
            os.fsync(file.fileno())
        arriving.replace(target)
    except OSError as error:
        raise BackupFailed(f"{target} cannot be written: {error.strerror}") from error
    finally:
        arriving.unlink(missing_ok=True)


def anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Return a member without the names of who made it."""
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


@contextmanager
def open_backup(source: Path, folder: Path) -> Generator[tuple[Manifest, Path]]:
    """Lend a backup's manifest and its unpacked copy, whose digest is right. Raises BackupFailed."""
    try:
        with tarfile.open(source, "r:") as archive, working_folder(folder) as unpacked:
            manifest = read_manifest(source, archive)
            copy = unpacked / COPY
            member = archive.extractfile(COPY)
            if member is None:
                raise BackupFailed(f"{source.name} holds no copy of a database")
            with copy.open("wb", buffering=0) as file:
                while piece := member.read(1 << 20):
                    write_whole(file, piece)
            if digest_of(copy) != manifest.sha256:
                raise BackupFailed(f"{source.name} is damaged: its content is not what was written")
            yield manifest, copy
    except (tarfile.TarError, KeyError, EOFError) as error:
        raise BackupFailed(f"{source.name} is no backup of seenby, or is cut off") from error
    except OSError as error:
        raise BackupFailed(f"{source.name} cannot be read: {error.strerror}") from error


def write_whole(file: IO[bytes], piece: bytes) -> None:
    """Write to the unpacked copy. Raises BackupFailed, which names where there is no room: the backup can be read."""
    try:
        while piece:
            piece = piece[file.write(piece) :]
    except OSError as error:
        folder = Path(file.name).parent.parent
        raise BackupFailed(f"the copy cannot be unpacked in {folder}: {error.strerror}") from error


def read_manifest(source: Path, archive: tarfile.TarFile) -> Manifest:
    """Return the manifest of an open backup. Raises BackupFailed."""
    member = archive.extractfile(MANIFEST)
    try:
        fields = cast("dict[str, Any]", json.loads(member.read(LARGEST_MANIFEST) if member else b""))
        if fields["format"] != FORMAT:
            raise BackupFailed(f"{source.name} has format {fields['format']}: use a newer version of seenby")
        return Manifest(**fields)
    except (ValueError, TypeError, KeyError) as error:
        raise BackupFailed(f"{source.name} is no backup of seenby") from error


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
