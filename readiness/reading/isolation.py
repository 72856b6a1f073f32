"""Running work on a stranger's text in a worker process that is killed when it takes too long.

Hostile markup makes every fast parser quadratic, so nothing that reads a page runs inside the service's own process.
"""

import ctypes
import pickle
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TypeVar, TypeVarTuple, Unpack, cast

import anyio
import anyio.to_process
import anyio.to_thread
from selectolax.lexbor import SelectolaxError

from readiness.fetching.errors import FetchFailed, Reason

PARSE_SECONDS = 5
WAIT_SECONDS = 30

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class TookTooLong(Exception):
    """A piece of work used up the processor time it was given."""


async def run_in_worker(
    seconds: float,
    function: Callable[[Unpack[Arguments]], Result],
    *arguments: *Arguments,
    processor_seconds: float = PARSE_SECONDS,
) -> Result:
    """Run a function in a worker process; FetchFailed(unparsable) when it breaks or takes too long.

    At most `seconds` pass, and the function has `processor_seconds` of processor time: a busy machine, the wait for
    a free worker or its start is no fault of the page. What goes over and comes back is pickled in a thread: large
    values would hold up the event loop.
    """
    spent = min(seconds, processor_seconds)
    try:
        with anyio.fail_after(seconds):
            order = await anyio.to_thread.run_sync(pickle.dumps, (function, arguments))
            async with anyio.to_process.current_default_process_limiter():
                with anyio.fail_after(max(WAIT_SECONDS, processor_seconds)):
                    answer = await anyio.to_process.run_sync(
                        _bounded, spent, order, cancellable=True, limiter=anyio.CapacityLimiter(1)
                    )
            return cast(Result, await anyio.to_thread.run_sync(pickle.loads, answer))
    except (TimeoutError, anyio.BrokenWorkerProcess, SelectolaxError, ValueError, RecursionError) as error:
        raise FetchFailed(Reason.UNPARSABLE) from error


def _bounded(seconds: float, order: bytes) -> bytes:
    """Run a function in this worker; the kernel ends the process after so much processor time.

    A signal handler would not do: none runs inside a parser's native code.
    """
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, max(seconds, 0.001))
    try:
        function, arguments = pickle.loads(order)
        return pickle.dumps(function(*arguments))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        _give_memory_back()


def _give_memory_back() -> None:
    """Return to the system what the parsed tree of a page took: 2 MB of markup take 50, and workers live on.

    Only glibc needs the call.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


@contextmanager
def limit_processor_time(seconds: float) -> Generator[None]:
    """Raise TookTooLong inside the block once it has used so much processor time.

    Regular expressions and Python code are interrupted, other native code is not. Only a main thread, which a
    worker's is, can be interrupted; elsewhere the block is not limited.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _interrupt)
    signal.setitimer(signal.ITIMER_VIRTUAL, max(seconds, 0.001))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise TookTooLong
