"""How much of its connections a process uses at a moment."""

from dataclasses import dataclass

from sqlalchemy.pool import Pool, QueuePool


@dataclass(frozen=True, slots=True)
class PoolUsage:
    """One pool of connections: what it is for, how many are in use, and how many there may be."""

    name: str
    in_use: int
    size: int


def pool_usage(name: str, pool: Pool) -> PoolUsage:
    """Return the usage of an engine's pool, which has a fixed size."""
    assert isinstance(pool, QueuePool)
    return PoolUsage(name, pool.checkedout(), pool.size())
