"""Asks engines through a process of its own, so that killing this one loses no response that has arrived."""

import asyncio
import logging
import os
import sys
from collections.abc import Mapping
from itertools import count

from engines.errors import EngineError, EngineErrorCode
from engines.transport.connection import Received, Timeouts, Transport
from engines.transport.receiver_frames import ReceiverFrame, read_frame
from engines.transport.receiver_process import request_frame
from engines.transport.response_spool import ResponsePlace

GRACE_SECONDS = 5.0
"""What the other process may be late with saying that a request took too long."""
log = logging.getLogger(__name__)


class Receiver:
    """Sends requests whose responses are spooled; the first one starts the process. Belongs to an event loop.

    Bytes that the system has taken from the network and no program has read yet die with the program's socket; on a
    busy machine they lie there for a tenth of a second. The socket is the other process's, and that one is not killed.
    """

    def __init__(self, transport: Transport) -> None:
        """Take what sends when no process can be started."""
        self._transport = transport
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._waiting: dict[int, asyncio.Future[ReceiverFrame]] = {}
        self._numbers = count(1)

    async def post(
        self,
        place: ResponsePlace,
        headers: Mapping[str, str],
        body: bytes,
        timeouts: Timeouts,
        seconds: float,
    ) -> Received:
        """Send `body` and return the response, which is on disk by then; raises as Transport.post does."""
        writer = await self._writer()
        if writer is None:
            return await self._transport.post(place.url, headers, body, timeouts, seconds, place.open(body))
        number = next(self._numbers)
        reply = self._waiting[number] = asyncio.get_running_loop().create_future()
        writer.write(request_frame(number, place, dict(headers), body, timeouts, seconds).encode())
        try:
            async with asyncio.timeout(seconds + GRACE_SECONDS):
                return received_in(await reply)
        except TimeoutError:
            failure = EngineError(
                EngineErrorCode.TIMEOUT, "The engine did not answer in time.", possibly_billed=True
            )
        finally:
            if self._waiting.pop(number, None) is not None and not writer.is_closing():
                writer.write(ReceiverFrame({"number": number}).encode())
        raise failure

    async def aclose(self) -> None:
        """End the process, unless nothing was ever asked; the next request starts another one."""
        process, reading = self._process, self._reading
        if process is None or reading is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        try:
            async with asyncio.timeout(GRACE_SECONDS):
                await reading
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()

    async def _writer(self) -> asyncio.StreamWriter | None:
        """Return where requests are written, or None when no process can be started."""
        if os.name != "posix":
            return None  # a loop cannot read its own standard input there
        async with self._starting:
            if self._process is None:
                try:
                    self._process = await asyncio.create_subprocess_exec(
                        sys.executable,
                        "-m",
                        "engines.transport.receiver_process",
                        stdin=asyncio.subprocess.PIPE,
                        stdout=asyncio.subprocess.PIPE,
                        stderr=asyncio.subprocess.DEVNULL,
                        start_new_session=True,
                    )
                except OSError as error:
                    log.warning("responses are received without a process of their own: %s", error.strerror)
                    return None
                self._reading = asyncio.create_task(self._read(self._process))
            return self._process.stdin

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        """Hand replies to who waits for them until the process ends; then nobody waits in vain."""
        assert process.stdout is not None
        while (frame := await read_frame(process.stdout)) is not None:
            reply = self._waiting.pop(int(frame.about["number"]), None)
            if reply is not None and not reply.done():
                reply.set_result(frame)
        self._process = None
        lost, self._waiting = self._waiting, {}
        for reply in lost.values():
            if not reply.done():
                reply.set_result(ReceiverFrame({"failure": LOST}))


LOST = {
    "code": EngineErrorCode.PROVIDER_UNAVAILABLE.value,
    "message": "The engine could not be reached.",
    "detail": "the receiving process ended",
    "possibly_billed": True,
}


def received_in(reply: ReceiverFrame) -> Received:
    """Return the response that a reply holds. Raises the EngineError that it tells."""
    failure = reply.about.get("failure")
    if failure is not None:
        raise EngineError(
            EngineErrorCode(failure["code"]),
            failure["message"],
            detail=failure["detail"],
            possibly_billed=failure["possibly_billed"],
        )
    return Received(reply.about["status"], reply.about["headers"], reply.body)
