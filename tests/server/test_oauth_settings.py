"""What OAuth needs from the environment, and what production refuses to start without."""

import re
import secrets
import stat
from pathlib import Path

import pytest

from server.settings import InvalidSettings, Settings

KEY, OTHER = secrets.token_urlsafe(48), secrets.token_urlsafe(48)
ROOT = Path(__file__).parents[2]
PRINTED = re.compile(r"(?:SECRET_KEY|OAUTH_SECRET)(?:_PREVIOUS)?[\"']?\s*[=:]\s*[\"']?([\w+/=-]{32,})")


def production(**changed: str) -> dict[str, str]:
    environ = {
        "ENV": "production",
        "BASE_URL": "https://seenby.example",
        "DATABASE_URL": "postgresql://seenby:pass@db.example/seenby",
        "SECRET_KEY": KEY,
        "OAUTH_SECRET": OTHER,
        "RECEIPT_KEY": secrets.token_urlsafe(48),
        **changed,
    }
    return {f"SEENBY_{name}": value for name, value in environ.items() if value}


def faults(environ: dict[str, str]) -> tuple[str, ...]:
    with pytest.raises(InvalidSettings) as refused:
        Settings.from_environ(environ)
    return refused.value.faults


def test_private_sites_are_refused_in_production(tmp_path: Path) -> None:
    refused = ("SEENBY_ALLOW_PRIVATE_SITES must not be on in production",)
    assert faults(production(ALLOW_PRIVATE_SITES="on")) == refused
    developing = {"SEENBY_DATA_DIR": str(tmp_path), "SEENBY_ALLOW_PRIVATE_SITES": "on"}
    assert Settings.from_environ(developing).allow_private_sites


def test_sign_up_that_shows_who_has_an_account_is_refused_in_production(tmp_path: Path) -> None:
    assert faults(production(SIGNUP="unverified")) == ("SEENBY_SIGNUP must not be unverified in production",)
    developing = {"SEENBY_DATA_DIR": str(tmp_path), "SEENBY_SIGNUP": "unverified"}
    assert Settings.from_environ(developing).signup == "unverified"


def test_development_makes_its_secrets_once_and_says_so(tmp_path: Path) -> None:
    environ = {"SEENBY_DATA_DIR": str(tmp_path)}
    first, second = Settings.from_environ(environ), Settings.from_environ(environ)
    assert first.oauth is not None
    assert second.oauth is not None
    assert first.oauth.secret == second.oauth.secret != first.secret_key
    assert [str(tmp_path / "oauth.key") in note for note in first.notes].count(True) == 1
    assert second.notes == ()
    assert stat.S_IMODE((tmp_path / "oauth.key").stat().st_mode) == 0o600
    assert first.oauth.secret.decode() not in repr(first)


@pytest.mark.requirement("AUTH-15")
def test_production_names_every_fault_at_once() -> None:
    environ = production(
        SECRET_KEY="",
        OAUTH_SECRET="short",
        BASE_URL="http://seenby.example",
        DATABASE_URL="sqlite://",
        ALLOWED_HOSTS="*",
        OAUTH_REDIRECT_HOSTS="*",
    )
    named = " ".join(faults(environ))
    for variable in (
        "SECRET_KEY is missing",
        "OAUTH_SECRET is weak",
        "BASE_URL must be https",
        "DATABASE_URL names a database in memory",
        "ALLOWED_HOSTS must not",
        "OAUTH_REDIRECT_HOSTS must not",
    ):
        assert variable in named


@pytest.mark.requirement("AUTH-15")
@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"OAUTH_SECRET": ""}, "SEENBY_OAUTH_SECRET is missing"),
        ({"OAUTH_SECRET": "ab" * 20}, "SEENBY_OAUTH_SECRET is weak"),
        ({"OAUTH_SECRET": KEY}, "SEENBY_OAUTH_SECRET must not be the SEENBY_SECRET_KEY"),
        (
            {"DATABASE_URL": f"postgresql://seenby:{OTHER}@db.example/seenby"},
            "SEENBY_OAUTH_SECRET must not be the password of the database",
        ),
        ({"OAUTH_REDIRECT_SCHEMES": "cursor,javascript"}, "must not contain javascript"),
    ],
)
def test_production_needs_a_secret_of_its_own_for_oauth(changed: dict[str, str], fault: str) -> None:
    (only,) = faults(production(**changed))
    assert fault in only


def printed() -> set[str]:
    """Every secret that a document or a test of ours spells out."""
    files = [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "web" / "help").rglob("*.md"),
        *(ROOT / "tests").rglob("*.py"),
    ]
    own = [file for file in files if "node_modules" not in file.parts]
    return {matches for file in own for matches in PRINTED.findall(file.read_text(encoding="utf-8"))}


@pytest.mark.parametrize(
    "name", ["SECRET_KEY", "SECRET_KEY_PREVIOUS", "OAUTH_SECRET", "OAUTH_SECRET_PREVIOUS"]
)
def test_production_refuses_secrets_that_everybody_can_read(name: str) -> None:
    assert printed(), "the tests' own secrets are found"
    for value in (*printed(), "please-change-me-to-something-long-and-random"):
        (only,) = faults(production(**{name: value}))
        assert only == f"SEENBY_{name} reads like one printed in an example; make a random one"
        assert value not in only


def test_switched_off_nothing_of_oauth_is_asked_for() -> None:
    settings = Settings.from_environ(production(OAUTH="off", OAUTH_SECRET=""))
    assert settings.oauth is None


@pytest.mark.requirement("AUTH-16")
def test_production_accepts_the_official_connectors_by_default() -> None:
    policy = Settings.from_environ(production()).oauth
    assert policy is not None
    assert policy.redirects.admits("https://claude.ai/api/mcp/auth_callback")
    assert not policy.redirects.admits("https://app.example/cb")
    listed = Settings.from_environ(production(OAUTH_REDIRECT_HOSTS="App.example")).oauth
    assert listed is not None
    assert listed.redirects.admits("https://app.example/cb")
