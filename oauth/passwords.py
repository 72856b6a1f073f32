"""Passwords: hashed with argon2id in threads, a bounded number at a time, so that the event loop never waits."""

import base64
import secrets
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import anyio
from anyio import to_thread
from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

from oauth.errors import TooBusy

LENGTHS = range(12, 129)
"""Characters that a password may have (NIST SP 800-63B-4 asks for no composition rule)."""
AT_ONCE = 1
"""One hash computes with four threads and 64 MiB; two at once would leave no core to the answers."""
LONGEST_QUEUE = 16

Result = TypeVar("Result")


def acceptable(password: str) -> bool:
    """Whether the length does; nothing else is asked of a password."""
    return len(password) in LENGTHS


class Passwords:
    """Hashes and checks passwords with argon2id (RFC 9106, the low-memory choice of its section 4)."""

    def __init__(self, at_once: int = AT_ONCE, longest_queue: int = LONGEST_QUEUE) -> None:
        self._hasher = PasswordHasher(type=Type.ID)
        self._limiter = anyio.CapacityLimiter(at_once)
        self._most = at_once + longest_queue
        self._open = 0
        self._nobody = made_up_hash(self._hasher)

    async def hash(self, password: str) -> str:
        """Return the encoded hash with its parameters and salt. Raises TooBusy."""
        return await self._run(partial(self._hasher.hash, password), urgent=False)

    async def verify(self, stored: str | None, password: str, *, urgent: bool = False) -> bool:
        """Whether the password is the one of the stored hash; without one, False after the same work.

        Raises TooBusy when too many are waiting already, unless it is `urgent`.
        """
        known = stored is not None and len(password) <= LENGTHS[-1]
        against = stored if known and stored else self._nobody
        check = partial(self._check, against, password[: LENGTHS[-1]])
        return await self._run(check, urgent=urgent) and known

    def outdated(self, stored: str) -> bool:
        """Whether the hash was made with weaker parameters than today's."""
        return self._hasher.check_needs_rehash(stored)

    async def _run(self, work: Callable[[], Result], *, urgent: bool) -> Result:
        # Counted here and not asked of the limiter, which learns of a task only when it starts to wait.
        if not urgent and self._open >= self._most:
            raise TooBusy
        self._open += 1
        try:
            return await to_thread.run_sync(work, limiter=self._limiter)
        finally:
            self._open -= 1

    def _check(self, stored: str, password: str) -> bool:
        try:
            return self._hasher.verify(stored, password)
        except (VerificationError, InvalidHashError):
            return False


def made_up_hash(hasher: PasswordHasher) -> str:
    """Return a hash of nothing, which costs as much to check as a real one and matches no password."""
    salt, digest = (
        base64.b64encode(secrets.token_bytes(length)).decode().rstrip("=")
        for length in (hasher.salt_len, hasher.hash_len)
    )
    costs = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    return f"$argon2id$v=19${costs}${salt}${digest}"
