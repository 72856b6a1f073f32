"""Driver errors: one named exception for each, with our own message, and retries with backoff."""

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable
from typing import TypeVar

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from storage.errors import DatabaseBusy, DatabaseLost, DatabaseUnavailable, RowGone, StorageError

log = logging.getLogger(__name__)

UNAVAILABLE = (DBAPIError, sqlite3.DatabaseError, PoolTimeout, OSError)
DEFECTS = (DataError, IntegrityError, ProgrammingError, sqlite3.IntegrityError, sqlite3.ProgrammingError)
REFERS_TO_NOTHING = "23503"
"""PostgreSQL's code for a row that references a missing row."""
LOST = frozenset({"08", "28", "3D", "53", "57", "58"})
"""Classes of PostgreSQL's error codes (appendix A of its manual) that are not caused by a statement."""
CONTENDED = frozenset({"25P03", "25P04", "40001", "40P01", "53200", "53300", "55P03", "57014", "57P05"})
"""Its codes for failures that a retry may resolve: a deadlock, a full server, an unavailable lock, or a
statement, transaction or idle connection that the server ended automatically or on request."""
PREFERRED = frozenset({"40001", "40P01", "55P03"})
"""Those of them after which another transaction goes on."""
NO_CONNECTION_LEFT = "53300"
READ_ONLY = "25006"
"""Its code for a server that is temporarily read-only: its successor is not ready, or its disk is nearly full."""
FULL = frozenset({"53100", "58030"})
"""Its codes for a disk that is full, or that cannot be read or written."""
GONE = "the server does not answer"
SHUT_DOWN = frozenset({"57P01", "57P02", "57P03"})
"""Its codes for a server that is stopping, has crashed, or does not accept connections yet."""
NO_ROOM = "the disk is full or cannot be written"
REASONS = (
    (("locked", "busy"), "it stayed locked; another process is writing"),
    (("is full", "No space", "File too large", "disk I/O error"), NO_ROOM),
    (("readonly", "read-only", "Read-only"), "it is read-only"),
    (("unable to open", "Permission denied"), "the file cannot be opened"),
    (("not a database", "malformed"), "the file is damaged or is not a database"),
    (("does not exist",), "there is no such database"),
)


class named_failures:  # lower case, because it reads as a statement
    """Raise DatabaseUnavailable for a full, locked, damaged or lost database, and RowGone for a row without its owner.

    Other exceptions are not changed.
    """

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        failure: StorageError | None = None if error is None else named_failure(error)
        if error is not None and refers_to_nothing(error):
            # Nearly always caused by a deletion; if it is a defect, only this line shows it.
            log.warning("a row was to be stored whose owner is gone: %s", cause_of(error), stack_info=True)
            failure = RowGone()
        if failure is not None:
            raise failure from error


def refers_to_nothing(error: BaseException) -> bool:
    """Return whether a row's owner is missing: each owner was found before, so it was deleted in the meantime."""
    if isinstance(cause_of(error), sqlite3.IntegrityError):
        return "FOREIGN KEY" in str(cause_of(error))
    return isinstance(error, IntegrityError) and code_of(error) == REFERS_TO_NOTHING


def named_failure(error: BaseException) -> DatabaseUnavailable | None:
    """Return the named exception for a driver's failure, or None if the database is not at fault."""
    if not is_unavailable(error):
        return None
    if is_busy(error):
        return DatabaseBusy(f"the database is busy: {reason(error)}; try again in a moment")
    failure = DatabaseLost if is_lost(error) else DatabaseUnavailable
    return failure(f"the database cannot be used: {reason(error)}")


def is_busy(error: BaseException) -> bool:
    """Return whether the database was only busy, so that a retry may succeed."""
    if isinstance(error, PoolTimeout):
        return True
    cause = cause_of(error)
    if isinstance(cause, sqlite3.OperationalError):
        return "locked" in str(cause) or "busy" in str(cause)
    return code_of(error) in CONTENDED


def is_lost(error: BaseException) -> bool:
    """Return whether work in progress was lost with the server, for example by a restart or failover."""
    code = code_of(error) or "08"
    return code == READ_ONLY or (reason(error) == GONE and is_away(code))


def is_unavailable(error: BaseException) -> bool:
    """Return whether the database is at fault, and not a statement or a uniqueness constraint."""
    if isinstance(error, DEFECTS):
        return False
    if code := code_of(error):
        return code[:2] in LOST or code in CONTENDED or code == READ_ONLY
    if type(error).__module__.startswith("asyncpg."):  # an optional dependency that may not be installed
        return not isinstance(error, ValueError)
    return isinstance(error, UNAVAILABLE)


def reason(error: BaseException) -> str:
    """Return the reason for a database failure in our own words."""
    cause = cause_of(error)
    words = str(cause)
    if code_of(error) in FULL:
        return NO_ROOM
    for signs, reason in REASONS:
        if any(sign in words for sign in signs):
            return reason
    if isinstance(error, PoolTimeout):
        return "every connection stayed in use"
    if code_of(error) == NO_CONNECTION_LEFT:
        advice = "lower SEENBY_DATABASE_CONNECTIONS or raise max_connections"
        return f"the server says {server_words(cause)!r}; {advice}"
    if code_of(error) in CONTENDED - PREFERRED:
        return f"the server says {server_words(cause)!r}"
    if is_busy(error):
        return "other transactions were preferred"
    if isinstance(cause, sqlite3.Error) or not is_away(code_of(error) or "08"):
        return "it rejected the operation"
    return GONE


def server_words(cause: BaseException) -> str:
    """Return the first line of what PostgreSQL says, without the name of the driver's class before it."""
    return str(cause).partition("\n")[0].rpartition(">: ")[2]


def is_away(code: str) -> bool:
    """Return whether PostgreSQL's code means a lost connection or server, not an error response."""
    return code.startswith("08") or code in SHUT_DOWN


def cause_of(error: BaseException) -> BaseException:
    """Return the driver's own exception, which SQLAlchemy wraps."""
    return error.orig or error if isinstance(error, DBAPIError) else error


def code_of(error: BaseException) -> str:
    """Return PostgreSQL's five-character code, or none if the driver failed without a response from the server."""
    return str(getattr(cause_of(error), "sqlstate", None) or "")


PAUSES = (0.2, 0.5, 1.0, 2.0)
"""Seconds between retries while it is busy or full, in addition to the wait for a connection."""
LONG_PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
"""Seconds between retries while it is away: a server that restarts is back within a minute."""

Value = TypeVar("Value")


async def retry_while_busy(operation: Callable[[], Awaitable[Value]]) -> Value:
    """Run an operation that is safe to repeat until the database is available again.

    The failure is raised after five tries if the database is busy or full, and after a minute if it is away.
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
    """Return whether only the database failed, including in several tasks of a group."""
    if isinstance(error, BaseExceptionGroup):
        failures: tuple[BaseException, ...] = error.exceptions  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] # of any kind
        return all(is_database_failure(failure, kind) for failure in failures)
    return isinstance(error, kind)
