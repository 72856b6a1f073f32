"""Running a parser in a worker process that is killed when it takes too long.

Hostile markup makes every fast parser quadratic, so none runs inside the service's own process.
"""

import signal
from collections.abc import Callable
from typing import TypeVar, TypeVarTuple, Unpack

import anyio
import anyio.to_process
from selectolax.lexbor import SelectolaxError

from readiness.errors import FetchFailed, Reason

PARSE_SECONDS = 5
WAIT_SECONDS = 30

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


async def apart(
    seconds: float, function: Callable[[Unpack[Arguments]], Result], *arguments: *Arguments
) -> Result:
    """Run a function in a worker process; FetchFailed(unparsable) when it breaks or takes too long.

    At most `seconds` pass. The function itself has five seconds of processor time: a busy machine, or the start
    of a worker, is no fault of the page.
    """
    spent = min(seconds, PARSE_SECONDS)
    try:
        with anyio.fail_after(min(seconds, WAIT_SECONDS)):
            return await anyio.to_process.run_sync(_bounded, spent, function, arguments, cancellable=True)
    except (TimeoutError, anyio.BrokenWorkerProcess, SelectolaxError, ValueError, RecursionError) as error:
        raise FetchFailed(Reason.UNPARSABLE) from error


def _bounded(
    seconds: float, function: Callable[[Unpack[Arguments]], Result], arguments: tuple[*Arguments]
) -> Result:
    """Run a function in this worker; the kernel ends the process after so much processor time.

    No handler of ours would do: inside a parser's native code none is called.
    """
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, max(seconds, 0.001))
    try:
        return function(*arguments)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
