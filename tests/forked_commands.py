"""Forks one process for each line of input, so that the tests pay once for what every process of ours imports.

A line is an order in JSON. One with `arguments` becomes a `seenby` command, or the `script` that it names; its pid is
the answer. One with `reap` is answered with the exit code of a process that has ended, negative for a signal.
"""

import atexit
import gc
import json
import os
import pkgutil
import resource
import runpy
import signal
import sys
import threading
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

PACKAGES = ("server.cli", "storage.repositories")
LATE = (
    "server.service",
    "server.serving",
    "storage.migrations.upgrade",
    "alembic.command",
    "dbos",
    "uvicorn.lifespan.on",
    "uvicorn.loops.auto",
    "measurement.asking.probe",
)
"""What commands load only when they need it; of the packages, every module."""
exit_codes: list[int] = []
"""The code with which this process ends, once it is known; never in the process that forks."""


def load() -> None:
    """Import what any command does. Children that a command itself starts import this file, and must not wait for it."""
    for package in PACKAGES:
        for module in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
            import_module(module.name)
    for late in LATE:
        import_module(late)
    assert threading.active_count() == 1, "a thread would be missing in every forked process"
    # What every command inherits is no garbage; looking through it copies each page of it and takes half a second.
    gc.freeze()


def fork_processes() -> str:
    """Fork a process per order and go on; returns only in the forked process, with the script that it is to be."""
    for line in sys.stdin:
        order = json.loads(line)
        if "reap" in order:
            tell(os.waitstatus_to_exitcode(os.waitpid(order["reap"], 0)[1]))
            continue
        pid = os.fork()
        if pid == 0:
            become(order)
            return order["script"]
        tell(pid)
    sys.exit(0)


def tell(number: int) -> None:
    """Answer an order."""
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


def become(order: dict[str, Any]) -> None:
    """Take on the arguments, environment, folder, files and limits of a process."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(order["folder"])
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(os.open(order["stdout"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    together = order["stderr"] == order["stdout"]
    os.dup2(1 if together else os.open(order["stderr"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    os.environ.clear()
    os.environ.update(order["environment"])
    time.tzset()
    sys.argv = [order["script"] or "seenby", *order["arguments"]]
    if order["largest_file"]:
        resource.setrlimit(resource.RLIMIT_FSIZE, (order["largest_file"], order["largest_file"]))


def run(program: Callable[[], object]) -> None:
    """Run what a forked process is for, and note with which code it ends."""
    try:
        program()
    except SystemExit as ending:
        exit_codes.extend([] if isinstance(ending.code, str) else [ending.code or 0])
        raise
    exit_codes.append(0)


def leave() -> None:
    """End at once, as the last exit function: threads have ended, and files are closed by the operating system.

    An interpreter that ends frees all it has loaded, which copies every page of it that was inherited: two thirds of
    the time of a short command.
    """
    if exit_codes:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(exit_codes[0])


if __name__ == "__main__":
    atexit.register(leave)  # the first that is registered is the last that is called
    load()
    script = fork_processes()
    if script:
        sys.path[0] = str(Path(script).parent)
        run(lambda: runpy.run_path(script, run_name="__main__"))
    else:
        run(import_module("server.cli.main").main)
