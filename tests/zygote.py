"""Processes of ours that are forked from one which has imported everything: a start costs a tenth of a second.

What a start itself does (which modules it loads, how long it takes, what a missing package does) is tested with
processes that the operating system starts.
"""

import asyncio
import atexit
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from uuid import uuid4

ROOT = Path(__file__).parents[1]


class Zygote:
    """The process that forks; several threads may ask it."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, str(ROOT / "tests" / "forked_commands.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )

    def close(self) -> None:
        """End it; what it has forked goes on."""
        self._process.communicate()

    def fork(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        stdout: Path,
        stderr: Path,
        *,
        folder: Path = ROOT,
        script: Path | None = None,
        largest_file: int = 0,
    ) -> "ForkedProcess":
        """Start a `seenby` command, or a script of the tests; it has no input, and writes into files."""
        order: dict[str, object] = {
            "arguments": list(arguments),
            "environment": dict(environment),
            "stdout": str(stdout),
            "stderr": str(stderr),
            "folder": str(folder),
            "script": str(script or ""),
            "largest_file": largest_file,
        }
        return ForkedProcess(self, self._order(order))

    def run(
        self, arguments: Sequence[str], environment: Mapping[str, str], folder: Path, seconds: float
    ) -> subprocess.CompletedProcess[str]:
        """Run a `seenby` command to its end. Raises subprocess.TimeoutExpired after so many seconds."""
        with tempfile.TemporaryDirectory() as name:
            out, err = Path(name, "stdout"), Path(name, "stderr")
            process = self.fork(arguments, environment, out, err, folder=folder)
            try:
                code = process.wait(seconds)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait(seconds)
                raise
            return subprocess.CompletedProcess(
                ["seenby", *arguments], code, out.read_text(encoding="utf-8"), err.read_text(encoding="utf-8")
            )

    def reap(self, pid: int) -> int:
        """Return the exit code of a process that has ended."""
        return self._order({"reap": pid})

    def _order(self, order: dict[str, object]) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._turn:
            self._process.stdin.write(json.dumps(order) + "\n")
            self._process.stdin.flush()
            return int(self._process.stdout.readline())


@dataclass
class ForkedProcess:
    """A forked process, with the words of `subprocess.Popen`."""

    zygote: Zygote
    pid: int
    returncode: int | None = None
    _reaping: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def wait(self, timeout: float | None = None) -> int:
        """Return its exit code, negative for a signal. Raises subprocess.TimeoutExpired after so many seconds."""
        with self._reaping:
            if self.returncode is None:
                ending = os.pidfd_open(self.pid)  # it stays in the table of processes until it is reaped
                try:
                    ended, _, _ = select.select([ending], [], [], timeout)
                finally:
                    os.close(ending)
                if not ended:
                    assert timeout is not None
                    raise subprocess.TimeoutExpired("seenby", timeout)
                self.returncode = self.zygote.reap(self.pid)
            return self.returncode

    def poll(self) -> int | None:
        """Return its exit code, or None while it runs."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


@dataclass
class AwaitedProcess:
    """The same, with the words of `asyncio.subprocess.Process`."""

    forked: ForkedProcess

    @property
    def pid(self) -> int:
        """Its id."""
        return self.forked.pid

    @property
    def returncode(self) -> int | None:
        """Its exit code, or None while it runs."""
        return self.forked.poll()

    async def wait(self) -> int:
        """Return its exit code, negative for a signal."""
        if self.forked.poll() is None:
            loop, ended = asyncio.get_running_loop(), asyncio.Event()
            ending = os.pidfd_open(self.pid)
            loop.add_reader(ending, ended.set)
            try:
                await ended.wait()
            finally:
                loop.remove_reader(ending)
                os.close(ending)
        return self.forked.wait()

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        self.forked.send_signal(number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.forked.terminate()

    def kill(self) -> None:
        """End it at once."""
        self.forked.kill()


def fork_worker(environment: Mapping[str, str], folder: Path) -> AwaitedProcess:
    """Start a `seenby worker`; what it says is in a file of that folder."""
    log = folder / f"worker-{uuid4()}.log"
    return AwaitedProcess(zygote().fork(["worker"], environment, log, log))


@cache
def zygote() -> Zygote:
    """The one of this process of tests, made when it is first asked for."""
    made = Zygote()
    atexit.register(made.close)
    return made
