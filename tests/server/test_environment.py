"""The variables of the environment: which values do, and that every one that does not is named at once."""

from pathlib import Path

import pytest

from server.environment import Environment
from server.settings import InvalidSettings, Settings


def test_every_invalid_variable_is_named_at_once() -> None:
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
        "SEENBY_METRICS must be one of on, any-host, off",
        "SEENBY_RAW_ANSWER_DAYS must be a whole number of days, 0 to 99999",
        "SEENBY_BASE_URL must be http(s)://host[:port] without path, query or user",
    )


@pytest.mark.parametrize(
    ("given", "read"),
    [("a.example, b.example ,", ("a.example", "b.example")), (",", ()), ("   ", ()), ("*", ("*",))],
)
def test_a_list_is_comma_separated_and_blanks_are_trimmed(given: str, read: tuple[str, ...]) -> None:
    environment, faults = Environment.read({"SEENBY_ALLOWED_HOSTS": given})
    assert (environment.allowed_hosts, faults) == (read, [])


def test_only_what_was_given_is_read_and_an_empty_variable_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEENBY_LOG_FORMAT", "json")
    environment, faults = Environment.read({"SEENBY_SIGNUP": "", "LOG_FORMAT": "json"})
    assert (environment.log_format, environment.signup, faults) == ("text", "open", [])


def faults_of(environ: dict[str, str]) -> tuple[str, ...]:
    with pytest.raises(InvalidSettings) as refused:
        Settings.from_environ({**environ, "SEENBY_SECRET_KEY": "", "SEENBY_OAUTH": "off"})
    return refused.value.faults


def test_impossible_addresses_are_rejected_before_anything_starts(
    tmp_path: Path,
) -> None:
    faults = faults_of(
        {
            "SEENBY_DATA_DIR": str(tmp_path),
            "SEENBY_TRUSTED_PROXIES": "10.0.0.0/8, balancer",
            "SEENBY_ALLOWED_ORIGINS": "https://app.example, app.example",
            "SEENBY_ALLOWED_HOSTS": "seenby.example:*, https://seenby.example",
            "SEENBY_REDIS_URL": "127.0.0.1:6379",
            "SEENBY_DATABASE_URL": "postgresql://seenby@127.0.0.1:port/seenby",
        }
    )
    assert faults == (
        "SEENBY_DATABASE_URL must have a port from 1 to 65535, or none",
        "SEENBY_ALLOWED_HOSTS: 'https://seenby.example' is no host name, such as seenby.example or seenby.example:*",
        "SEENBY_ALLOWED_ORIGINS: 'app.example' is no origin, such as https://app.example or http://app.example:*",
        "SEENBY_TRUSTED_PROXIES: 'balancer' is no address or network, such as 10.0.0.1 or 10.0.0.0/8",
        "SEENBY_REDIS_URL must be redis://host:port/number, rediss:// for TLS, or unix://path",
    )


def test_a_misspelt_variable_is_named_beside_the_fault_that_it_causes() -> None:
    environ = {"SEENBY_ENV": "production", "SEENBY_SECRET_KY": "x" * 40}
    with pytest.raises(InvalidSettings) as refused:
        Settings.from_environ(environ)
    assert "SEENBY_SECRET_KEY is missing" in refused.value.faults
    assert (
        "SEENBY_SECRET_KY is no setting of seenby and was not read; SEENBY_SECRET_KEY is one"
        in refused.value.hints
    )


def test_an_unknown_variable_gets_a_suggestion(tmp_path: Path) -> None:
    environ = {
        "SEENBY_DATA_DIR": str(tmp_path),
        "SEENBY_DATABSE_URL": "sqlite:///x.db",
        "SEENBY_ENGINE_OPENAI_API_KEY": "a-key",
        "SEENBY_COLOUR": "red",
    }
    notes = [note for note in Settings.from_environ(environ).notes if "no setting" in note]
    assert notes == [
        "SEENBY_COLOUR is no setting of seenby and was not read",
        "SEENBY_DATABSE_URL is no setting of seenby and was not read; SEENBY_DATABASE_URL is one",
    ]


def test_a_policy_page_that_cannot_be_read_stops_the_start(tmp_path: Path) -> None:
    binary = tmp_path / "terms.md"
    binary.write_bytes(b"\xff")
    environ = {"SEENBY_DATA_DIR": str(tmp_path), "SEENBY_PRIVACY": str(tmp_path / "none.md")}
    with pytest.raises(InvalidSettings) as rejected:
        Settings.from_environ({**environ, "SEENBY_TERMS": str(binary)})
    assert rejected.value.faults == (
        "SEENBY_PRIVACY: the file cannot be read (No such file or directory)",
        "SEENBY_TERMS: the file is not UTF-8",
    )
