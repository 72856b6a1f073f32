"""Tries again what a database had no room for, or what was under way when it went away."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from storage.errors import DatabaseLost, DatabaseUnavailable

PAUSES = (0.2, 0.5, 1.0, 2.0)
"""Seconds between the tries while it is busy or full; each try waits for its connection besides."""
LONG_PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
"""Seconds between the tries while it is away: a server that is started anew is back within a minute."""

Value = TypeVar("Value")


async def retry_while_busy(operation: Callable[[], Awaitable[Value]]) -> Value:
    """Run an operation that is safe to repeat until the database has room for it, or is back.

    After five tries for a busy or full one, and after a minute for one that is away, the failure is raised.
    """
    busy, away = iter(PAUSES), iter(LONG_PAUSES)
    while True:
        try:
            return await operation()
        except Exception as error:
            if not is_database_failure(error):
                raise
            pause = next(away if is_database_failure(error, DatabaseLost) else busy, None)
            if pause is None:
                raise
        await asyncio.sleep(pause)


def is_database_failure(error: BaseException, kind: type[DatabaseUnavailable] = DatabaseUnavailable) -> bool:
    """Tell whether nothing but the database failed, also in several tasks of a group."""
    if isinstance(error, BaseExceptionGroup):
        failures: tuple[BaseException, ...] = error.exceptions  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] # of any kind
        return all(is_database_failure(failure, kind) for failure in failures)
    return isinstance(error, kind)
