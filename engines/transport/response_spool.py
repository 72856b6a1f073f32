"""Writes the responses to one ask to disk while they arrive, and reads those that an earlier process got whole."""

import json
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

KEPT_HEADERS = ("content-type", "date", "retry-after", "x-request-id", "request-id")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SpooledResponse:
    """A response with status 2xx that arrived whole before the process that waited for it died."""

    sent_at: datetime
    received_at: datetime
    status: int
    headers: Mapping[str, str]
    body: bytes


class ResponseFile:
    """The file of one response: a line about request and status, then the body as the network brings it.

    The system has what was written as soon as a write returns, so killing the process takes nothing away.
    """

    def __init__(self, path: Path, about: Mapping[str, str]) -> None:
        """Open the file, which must be possible before anything is sent. Raises OSError."""
        self._path = path
        self._about = about
        path.unlink(missing_ok=True)
        # A predecessor that is thought dead and is not goes on writing to its own, which has no name any more.
        self._descriptor: int | None = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)

    def begin(self, status: int, headers: Mapping[str, str]) -> None:
        """Write down what came before the body; a response without an answer is not written at all."""
        if not 200 <= status < 300:
            self.discard()
            return
        plain = headers.get("content-encoding", "identity") == "identity"
        length = headers.get("content-length") if plain else None
        kept = {name: headers[name] for name in KEPT_HEADERS if name in headers}
        line = json.dumps({**self._about, "status": status, "headers": kept, "length": length})
        self.write(line.encode() + b"\n")

    def write(self, chunk: bytes) -> None:
        """Write the next bytes; a disk that takes nothing only makes this response as mortal as its process."""
        if self._descriptor is None:
            return
        try:
            while chunk:
                chunk = chunk[os.write(self._descriptor, chunk) :]
        except OSError as error:
            log.warning("an answer could not be written to %s: %s", self._path.parent, error.strerror)
            self.discard()

    def close(self) -> None:
        """Let go of the file, which stays."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def discard(self) -> None:
        """Let go of the file and remove it."""
        if self._descriptor is not None:
            self.close()
            self._path.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class ResponsePlace:
    """Where the response to one request is to be written."""

    path: Path
    url: str
    sent_at: datetime

    def open(self, request: bytes) -> ResponseFile | None:
        """Return the file; None when it cannot be written."""
        about = {"url": self.url, "request": _text(request), "sentAt": self.sent_at.isoformat()}
        try:
            return ResponseFile(self.path, about)
        except OSError as error:
            log.warning("an answer could not be written to %s: %s", self.path.parent, error.strerror)
            return None


class ResponseSpool:
    """The files of one ask, one for each turn of its conversation; without a place nothing is written."""

    def __init__(self, place: Path | None = None) -> None:
        self._place = place
        self._taken: set[int] = set()

    def take(self, turn: int, url: str, request: bytes) -> SpooledResponse | None:
        """Return what an earlier process got for this very request, once; None when it got no whole response."""
        if self._place is None or turn in self._taken:
            return None
        self._taken.add(turn)
        path = self._path(self._place, turn)
        try:
            line, _, received = path.read_bytes().partition(b"\n")
            about: dict[str, Any] = json.loads(line)
            if (about["url"], about["request"]) != (url, _text(request)):
                return None
            # Half an object is no JSON; the length is held to all the same.
            whole = isinstance(json.loads(received), dict)
            if not whole or about["length"] not in (None, str(len(received))):
                return None
            return SpooledResponse(
                datetime.fromisoformat(about["sentAt"]),
                datetime.fromtimestamp(path.stat().st_mtime, UTC),
                int(about["status"]),
                {str(name): str(value) for name, value in about["headers"].items()},
                received,
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def place(self, turn: int, url: str, sent_at: datetime) -> ResponsePlace | None:
        """Return where the response to a request belongs that is about to be sent; None where nothing is written."""
        if self._place is None:
            return None
        self._taken.add(turn)
        return ResponsePlace(self._path(self._place, turn), url, sent_at)

    def drop(self) -> None:
        """Remove all files of the ask: its answer is stored, or it has none."""
        turn = 0
        while self._place is not None:
            try:
                self._path(self._place, turn).unlink()
            except OSError:
                return
            turn += 1

    @staticmethod
    def _path(place: Path, turn: int) -> Path:
        return place.with_name(f"{place.name}.{turn}")


def _text(request: bytes) -> str:
    return request.decode("utf-8", "replace")
