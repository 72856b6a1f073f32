"""Forks one `seenby` process for each line of input, so that the tests pay for the imports once."""

import gc
import json
import os
import pkgutil
import resource
import select
import signal
import sys
from importlib import import_module
from typing import Any

import server.cli
from server.cli.main import main

LATE = (
    *(module.name for module in pkgutil.iter_modules(server.cli.__path__, "server.cli.")),
    "server.service",
    "storage.migrations.upgrade",
    "tldextract",
    "vaderSentiment.vaderSentiment",
    "measurement.asking.probe",
)
"""What commands load only when they need it."""


def fork_commands() -> None:
    """Fork a process per order and go on; returns only in the forked process, which then is the command."""
    for line in sys.stdin:
        order = json.loads(line)
        if "wait" in order:
            tell(waited(order["wait"], order["seconds"]))
            continue
        pid = os.fork()
        if pid == 0:
            become(order)
            return
        tell(pid)
    sys.exit(0)


def tell(number: int) -> None:
    """Answer an order."""
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


def waited(pid: int, seconds: float) -> int:
    """Return the exit code, negative for a signal; a process that does not end in time is killed."""
    ended, _, _ = select.select([os.pidfd_open(pid)], [], [], seconds)
    if not ended:
        os.kill(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def become(order: dict[str, Any]) -> None:
    """Take on the arguments, environment, files and limits of a command."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, path in enumerate((os.devnull, order["stdout"], order["stderr"])):
        os.dup2(os.open(path, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    os.environ.clear()
    os.environ.update(order["environment"])
    sys.argv = ["seenby", *order["arguments"]]
    if order["largest_file"]:
        resource.setrlimit(resource.RLIMIT_FSIZE, (order["largest_file"], order["largest_file"]))


if __name__ == "__main__":
    for late in LATE:
        import_module(late)
    # What every command inherits is no garbage; looking through it copies each page of it and takes half a second.
    gc.freeze()
    fork_commands()
    main()
