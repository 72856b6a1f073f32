"""Messages between a process that asks engines and the one that receives their responses: JSON, then a body."""

import asyncio
import json
import struct
from dataclasses import dataclass
from typing import Any

SIZES = struct.Struct("!II")


@dataclass(frozen=True, slots=True)
class ReceiverFrame:
    """One message in either direction."""

    about: dict[str, Any]
    body: bytes = b""

    def encode(self) -> bytes:
        """Return the bytes that stand for it."""
        about = json.dumps(self.about).encode()
        return SIZES.pack(len(about), len(self.body)) + about + self.body


async def read_frame(reader: asyncio.StreamReader) -> ReceiverFrame | None:
    """Return the next message, or None when the other side is gone, even in the middle of one."""
    try:
        about, body = SIZES.unpack(await reader.readexactly(SIZES.size))
        return ReceiverFrame(json.loads(await reader.readexactly(about)), await reader.readexactly(body))
    except (asyncio.IncompleteReadError, OSError):
        return None
