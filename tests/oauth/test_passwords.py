"""Passwords: which may be chosen, what is stored, what matches, and how many may wait."""

import asyncio
import os
import threading

import pytest

from oauth.errors import TooBusy
from oauth.passwords import Passwords, acceptable

PASSWORD = "four unrelated words"


async def test_a_hash_is_argon2id_and_matches_its_password_alone() -> None:
    passwords = Passwords()
    stored = await passwords.hash(PASSWORD)
    assert stored.startswith("$argon2id$")
    assert PASSWORD not in stored
    assert await passwords.verify(stored, PASSWORD)
    assert not await passwords.verify(stored, PASSWORD + "!")
    assert not passwords.outdated(stored)


@pytest.mark.parametrize("stored", [None, "", "no hash", "$argon2id$v=19$m=8,t=1,p=1$x$y"])
async def test_without_a_good_hash_nothing_matches(stored: str | None) -> None:
    assert not await Passwords().verify(stored, PASSWORD)


async def test_a_password_beyond_the_limit_never_matches_by_its_beginning() -> None:
    passwords = Passwords()
    stored = await passwords.hash("x" * 128)
    assert await passwords.verify(stored, "x" * 128)
    assert not await passwords.verify(stored, "x" * 129)


async def test_a_full_queue_rejects_all_but_urgent_passwords() -> None:
    passwords = Passwords(at_once=1, longest_queue=2)
    ordinary = [passwords.verify(None, PASSWORD) for _ in range(10)]
    outcomes = await asyncio.gather(
        *ordinary, passwords.verify(None, PASSWORD, urgent=True), return_exceptions=True
    )
    refused = [outcome for outcome in outcomes if isinstance(outcome, TooBusy)]
    assert (len(refused), outcomes.count(False), outcomes[-1]) == (7, 4, False)
    assert not await passwords.verify(None, PASSWORD)


async def test_the_event_loop_goes_on_while_a_password_is_hashed() -> None:
    hashing = asyncio.create_task(Passwords().hash(PASSWORD))
    turns = 0
    while not hashing.done():
        await asyncio.sleep(0)
        turns += 1
    assert turns > 100


@pytest.mark.skipif(
    not hasattr(os, "setpriority"), reason="threads have a priority of their own on Linux alone"
)
async def test_on_a_busy_core_hashing_gets_a_third_of_what_the_answers_get() -> None:
    before = set(threading.enumerate())
    await Passwords().hash(PASSWORD)
    (hashing,) = set(threading.enumerate()) - before
    assert hashing.native_id is not None
    steps = os.getpriority(os.PRIO_PROCESS, hashing.native_id) - os.getpriority(
        os.PRIO_PROCESS, threading.get_native_id()
    )
    # sched(7): each step of niceness is a factor of about 1.25 of the processor time.
    assert round(1.25**steps) == 3


async def test_one_hash_is_computed_at_a_time() -> None:
    passwords = Passwords()
    before = set(threading.enumerate())
    await asyncio.gather(*(passwords.hash(f"correct horse battery {number}") for number in range(3)))
    assert len([thread for thread in set(threading.enumerate()) - before if "password" in thread.name]) == 1


@pytest.mark.parametrize(
    "password",
    [
        "password1234",
        "Password2026!",
        "P@ssw0rd1234",
        "passwordpassword",
        "qwertyuiop12",
        "qwertyqwerty",
        "123456789012",
        "aaaaaaaaaaaaaaa",
        "letmeinplease",
        "abcdefghijkl",
        "seenby123456",
    ],
)
def test_an_easily_guessed_password_is_rejected(password: str) -> None:
    assert not acceptable(password)


@pytest.mark.parametrize(
    "password",
    ["four unrelated words", "twelve characters at least", "kT9#vbQ2xLm7", "Rotkehlchen am Dienstag"],
)
def test_a_strong_password_is_accepted(password: str) -> None:
    assert acceptable(password)
