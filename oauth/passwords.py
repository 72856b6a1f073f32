"""Passwords: hashed with argon2id in threads, a bounded number at a time, so that the event loop never waits."""

import asyncio
import base64
import contextlib
import os
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

from oauth.errors import TooBusy

LENGTHS = range(12, 129)
"""Characters that a password may have (NIST SP 800-63B-4 asks for no composition rule)."""
STRONG = 3
"""The least score by zxcvbn, of 0 to 4."""
MOST_JUDGED = 72
"""Characters that zxcvbn judges; it rejects longer ones, as its time grows with the square of the length."""
SERVICE = "seenby"
"""A word that makes a password of this service easier to guess."""
AT_ONCE = 1
"""One hash computes with four threads and 64 MiB; two at once would leave no core to the answers."""
NICENESS = 5
"""On a busy core hashing gets a third of what the answers get: each step is a factor of 1.25 (Linux, per thread)."""
LONGEST_QUEUE = 16

Result = TypeVar("Result")


def acceptable(password: str) -> bool:
    """Return whether a password may be chosen: its length fits, and zxcvbn estimates 100 million guesses or more."""
    # Its word lists take 15 MB, and most processes never see a new password.
    from zxcvbn import zxcvbn

    return len(password) in LENGTHS and zxcvbn(password[:MOST_JUDGED], [SERVICE])["score"] >= STRONG


class Passwords:
    """Hashes and checks passwords with argon2id (RFC 9106, the low-memory choice of its section 4)."""

    def __init__(self, at_once: int = AT_ONCE, longest_queue: int = LONGEST_QUEUE) -> None:
        self._hasher = PasswordHasher(type=Type.ID)
        # A dedicated pool: a thread that lowers its priority can never raise it again, and hashing threads inherit it.
        self._threads = ThreadPoolExecutor(at_once, "password", initializer=lower_priority)
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
        if not urgent and self._open >= self._most:
            raise TooBusy
        self._open += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._open -= 1

    def _check(self, stored: str, password: str) -> bool:
        try:
            return self._hasher.verify(stored, password)
        except (VerificationError, InvalidHashError):
            return False


def lower_priority() -> None:
    """Lower the priority of this thread, and of those that it starts."""
    if hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


def made_up_hash(hasher: PasswordHasher) -> str:
    """Return a hash of nothing, which costs as much to check as a real one and matches no password."""
    salt, digest = (
        base64.b64encode(secrets.token_bytes(length)).decode().rstrip("=")
        for length in (hasher.salt_len, hasher.hash_len)
    )
    costs = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    return f"$argon2id$v=19${costs}${salt}${digest}"
