"""Passwords that are tried first are told from those that a person thought of."""

import pytest

from oauth.passwords import acceptable


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
        "welcome-admin-1",
        "abcdefghijkl",
        "seenby123456",
    ],
)
def test_a_password_that_is_tried_first_is_refused(password: str) -> None:
    assert not acceptable(password)


@pytest.mark.parametrize(
    "password",
    ["four unrelated words", "twelve characters at least", "kT9#vbQ2xLm7", "Rotkehlchen am Dienstag"],
)
def test_a_password_that_a_person_thought_of_is_taken(password: str) -> None:
    assert acceptable(password)
