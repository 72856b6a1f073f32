"""A relay on loopback that harms what passes through it: late, cut off, refused, or taken and never answered."""

import asyncio
from contextlib import suppress


class FaultProxy:
    """Relays connections to a port of loopback; faults hold for all connections until they are taken back.

    `delay` is waited for before each piece goes on, in seconds; `stalled` holds everything back; `refusing` closes
    new connections at once; `cut_after` cuts everything once, when so many more pieces have come from either side.
    """

    def __init__(self, target: int) -> None:
        self.delay = 0.0
        self.refusing = False
        self.cut_after: int | None = None
        self._target = target
        self._flows = asyncio.Event()
        self._flows.set()
        self._open: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    @property
    def port(self) -> int:
        """Where it listens."""
        assert self._server is not None
        return self._server.sockets[0].getsockname()[1]

    @property
    def stalled(self) -> bool:
        """Whether it holds everything back."""
        return not self._flows.is_set()

    @stalled.setter
    def stalled(self, stalled: bool) -> None:
        if stalled:
            self._flows.clear()
        else:
            self._flows.set()

    async def start(self) -> None:
        """Listen."""
        self._server = await asyncio.start_server(self._relay, "127.0.0.1", 0)

    async def stop(self) -> None:
        """Stop listening and cut everything."""
        self.stalled = False
        if self._server is not None:
            self._server.close()
        self.cut()

    def cut(self) -> None:
        """Reset every connection in the middle of whatever passes."""
        for writer in list(self._open):
            writer.transport.abort()

    def heal(self) -> None:
        """Take every fault back."""
        self.delay, self.refusing, self.stalled = 0.0, False, False

    def _count_piece(self) -> None:
        if self.cut_after is not None:
            self.cut_after -= 1
            if self.cut_after <= 0:
                self.cut_after = None
                self.cut()

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.refusing:
            writer.transport.abort()
            return
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        self._open |= {writer, far_writer}
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._pump(reader, far_writer))
                group.create_task(self._pump(far_reader, writer))
        finally:
            self._open -= {writer, far_writer}

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                await asyncio.sleep(self.delay)
                await self._flows.wait()
                self._count_piece()
                writer.write(data)
                await writer.drain()
        writer.close()
