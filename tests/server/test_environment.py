"""The variables of the environment: which values do, and that every one that does not is named at once."""

import pytest

from server.environment import Environment
from server.settings import InvalidSettings, Settings


def test_every_variable_that_does_not_do_is_named_at_once_with_what_it_must_be() -> None:
    environ = {
        "SEENBY_ENV": "prod",
        "SEENBY_RAW_ANSWER_DAYS": "100000",
        "SEENBY_METRICS": "yes",
        "SEENBY_BASE_URL": "ftp://host",
    }
    with pytest.raises(InvalidSettings) as refused:
        Settings.from_environ(environ)
    assert refused.value.faults == (
        "SEENBY_ENV must be one of development, production",
        "SEENBY_METRICS must be one of on, off",
        "SEENBY_RAW_ANSWER_DAYS must be a whole number of days, 0 to 99999",
        "SEENBY_BASE_URL must be http(s)://host[:port] without path, query or user",
    )


@pytest.mark.parametrize(
    ("given", "read"),
    [("a.example, b.example ,", ("a.example", "b.example")), (",", ()), ("   ", ()), ("*", ("*",))],
)
def test_a_list_is_separated_by_commas_and_blanks_around_its_parts_do_not_count(
    given: str, read: tuple[str, ...]
) -> None:
    environment, faults = Environment.read({"SEENBY_ALLOWED_HOSTS": given})
    assert (environment.allowed_hosts, faults) == (read, [])


def test_only_what_was_given_is_read_and_an_empty_variable_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEENBY_LOG_FORMAT", "json")
    environment, faults = Environment.read({"SEENBY_SIGNUP": "", "LOG_FORMAT": "json"})
    assert (environment.log_format, environment.signup, faults) == ("text", "open", [])
