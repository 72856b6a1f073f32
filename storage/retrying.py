"""Tries again what a busy database had no room for."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from storage.errors import DatabaseBusy

PAUSES = (0.2, 0.5, 1.0, 2.0)
"""Seconds between the tries; each try waits for its connection besides."""

Value = TypeVar("Value")


async def retry_while_busy(operation: Callable[[], Awaitable[Value]]) -> Value:
    """Run an operation that is safe to repeat until the database has room for it; after five tries it is raised."""
    for pause in PAUSES:
        try:
            return await operation()
        except Exception as error:
            if not is_busy_failure(error):
                raise
        await asyncio.sleep(pause)
    return await operation()


def is_busy_failure(error: BaseException) -> bool:
    """Tell whether nothing but a busy database failed, also in several tasks of a group."""
    if isinstance(error, BaseExceptionGroup):
        failures: tuple[BaseException, ...] = error.exceptions  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] # of any kind
        return all(map(is_busy_failure, failures))
    return isinstance(error, DatabaseBusy)
