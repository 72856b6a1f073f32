"""A process with all its descendants: their memory, and killing them, orphans included."""

import mmap
import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

PROCESSES = Path("/proc")
KILL_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class ProcessEntry:
    """One line of the kernel's table: `started` distinguishes two processes with one number."""

    number: int
    parent: int
    session: int
    started: int
    is_ended: bool


@dataclass
class ProcessTree:
    """What descends from one process, seen again and again: who was seen once is never lost.

    The root leads a session of its own. A child that leaves the session is found by its parent, one whose parent ended
    by the sessions that were seen.
    """

    root: int
    _known: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    _sessions: set[int] = field(default_factory=set[int])

    def __post_init__(self) -> None:
        self._sessions.add(self.root)

    def processes(self) -> list[ProcessEntry]:
        """Return every process of the tree that has not ended."""
        table = {entry.number: entry for entry in _table()}
        members: dict[int, ProcessEntry] = {}
        grown = True
        while grown:
            grown = False
            for entry in table.values():
                if entry.number not in members and self._belongs(entry, members):
                    members[entry.number] = entry
                    self._known.add((entry.number, entry.started))
                    # A session that a member leads is the tree's; the session of the service is not.
                    if entry.session == entry.number:
                        self._sessions.add(entry.session)
                    grown = True
        return [entry for entry in members.values() if not entry.is_ended]

    def _belongs(self, entry: ProcessEntry, members: dict[int, ProcessEntry]) -> bool:
        return (
            entry.number == self.root
            or entry.parent in members
            or entry.session in self._sessions
            or (entry.number, entry.started) in self._known
        )

    def memory(self) -> int:
        """Return the bytes that all of it holds for itself; shared ones are left out."""
        return sum(_own_memory(entry.number) for entry in self.processes())

    def kill(self) -> None:
        """End all of it; who starts others meanwhile is met again. Blocks for a moment: call it in a thread."""
        ends = time.monotonic() + KILL_SECONDS
        while (alive := self.processes()) and time.monotonic() < ends:
            for entry in alive:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(entry.number, signal.SIGKILL)
            time.sleep(0.02)


def _table() -> list[ProcessEntry]:
    entries: list[ProcessEntry] = []
    for folder in PROCESSES.iterdir():
        if not folder.name.isdigit():
            continue
        with suppress(OSError, ValueError, IndexError):
            # The name is in brackets and may hold anything; the numbers come after the last one.
            fields = (folder / "stat").read_text(encoding="latin-1").rpartition(")")[2].split()
            entries.append(
                ProcessEntry(
                    int(folder.name), int(fields[1]), int(fields[3]), int(fields[19]), fields[0] in "ZX"
                )
            )
    return entries


def _own_memory(number: int) -> int:
    with suppress(OSError, ValueError, IndexError):
        fields = (PROCESSES / str(number) / "statm").read_text(encoding="ascii").split()
        return (int(fields[1]) - int(fields[2])) * mmap.PAGESIZE
    return 0
