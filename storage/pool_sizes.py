"""How many connections to PostgreSQL a process opens, and how its pools share them."""

from typing import NamedTuple

CONNECTIONS = 14
"""Connections of one process to PostgreSQL: seven processes fit into a server with its default of 100."""
FEWEST_CONNECTIONS = 9


class PoolSizes(NamedTuple):
    """How many connections to PostgreSQL each pool of a process may open. One more holds its locks."""

    write: int
    read: int
    brief: int
    engine: int

    @classmethod
    def of(cls, connections: int) -> "PoolSizes":
        """Share out the connections of a process, at least FEWEST_CONNECTIONS."""
        shared = max(connections, FEWEST_CONNECTIONS) - 1
        engine, brief = max(2, shared // 4), max(1, shared // 6)
        write = (shared - engine - brief) // 2
        return cls(write, shared - engine - brief - write, brief, engine)
