"""The process that receives responses: it writes each to disk as it arrives, and outlives whoever asked."""

import asyncio
import signal
import sys
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from engines.errors import EngineError
from engines.transport.connection import Timeouts, Transport
from engines.transport.receiver_frames import ReceiverFrame, read_frame
from engines.transport.response_spool import ResponsePlace

LINGER_SECONDS = 10.0
"""How long it goes on for an asker that died; who takes up the work may ask anew by then."""


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send what the asker wants sent until it is gone; then receive what is on its way."""
    transport = Transport()
    under_way: dict[int, asyncio.Task[None]] = {}
    while (frame := await read_frame(reader)) is not None:
        number = int(frame.about["number"])
        if "url" not in frame.about:
            if number in under_way:
                under_way[number].cancel()
            continue
        task = asyncio.create_task(answer(transport, frame, writer))
        under_way[number] = task
        task.add_done_callback(lambda _, number=number: under_way.pop(number, None))
    if under_way:
        await asyncio.wait(list(under_way.values()), timeout=LINGER_SECONDS)
    await transport.aclose()


async def answer(transport: Transport, asked: ReceiverFrame, writer: asyncio.StreamWriter) -> None:
    """Send one request, and tell the asker what came."""
    about = asked.about
    place = ResponsePlace(Path(about["path"]), about["url"], datetime.fromisoformat(about["sentAt"]))
    timeouts = Timeouts(**about["timeouts"])
    try:
        received = await transport.post(
            about["url"], about["headers"], asked.body, timeouts, about["seconds"], place.open(asked.body)
        )
        reply = ReceiverFrame(
            {"number": about["number"], "status": received.status, "headers": dict(received.headers)},
            received.body,
        )
    except EngineError as error:
        failure = {"code": error.code.value, "message": str(error), "detail": error.detail}
        reply = ReceiverFrame(
            {"number": about["number"], "failure": {**failure, "possibly_billed": error.possibly_billed}}
        )
    writer.write(reply.encode())


def request_frame(
    number: int,
    place: ResponsePlace,
    headers: dict[str, str],
    body: bytes,
    timeouts: Timeouts,
    seconds: float,
) -> ReceiverFrame:
    """Return the message that `answer` takes."""
    return ReceiverFrame(
        {
            "number": number,
            "url": place.url,
            "sentAt": place.sent_at.isoformat(),
            "path": str(place.path),
            "headers": headers,
            "timeouts": asdict(timeouts),
            "seconds": seconds,
        },
        body,
    )


async def main() -> None:
    """Serve on the standard streams."""
    # Whoever stops the service stops all of its processes at once; this one ends when its asker has ended.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin.buffer)
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, sys.stdout.buffer)
    await serve(reader, asyncio.StreamWriter(transport, protocol, None, loop))


if __name__ == "__main__":
    asyncio.run(main())
