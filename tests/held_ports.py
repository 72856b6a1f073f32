"""Ports that are held for a test, so that no neighbour is given them between their choice and their use."""

import socket
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def held_port() -> Generator[int]:
    """Hold a port of 127.0.0.1 while the block lasts: it refuses connections until a server listens at it.

    A socket that is bound and does not listen lets another one with SO_REUSEADDR, as servers set it, bind to the same
    port by its number; who asks the system for any port is never given this one.
    """
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]
