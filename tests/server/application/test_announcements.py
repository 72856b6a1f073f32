"""Announcing a change: in time, to everybody it concerns, on the pages and to programs."""

import time
from collections.abc import Generator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx2
import pytest

from tests.mail_server import MailServer, open_mail_server
from tests.server.application.conftest import ServeProcess, Workspace

TODAY = datetime.now(UTC).date()
TEXT = "# list_simulations goes away\n\nUse list_answers.\n\n<script>alert(1)</script> Ask us if it is too early.\n"


@pytest.fixture
def mail_server() -> Generator[MailServer]:
    with open_mail_server() as server:
        yield server


def smtp(server: MailServer) -> dict[str, str]:
    return {
        "SEENBY_SMTP_HOST": "127.0.0.1",
        "SEENBY_SMTP_PORT": str(server.port),
        "SEENBY_SMTP_FROM": "seenby@a.test",
        "SEENBY_SMTP_SECURITY": "none",
    }


def announce(workspace: Workspace, folder: Path, days: int, **variables: str) -> tuple[int, str]:
    file = folder / "change.md"
    file.write_text(TEXT, encoding="utf-8")
    day = (TODAY + timedelta(days=days)).isoformat()
    done = workspace.seenby(
        "announce", str(file), "--effective", day, "--tool", "list_simulations", **variables
    )
    return done.returncode, done.stderr


def test_a_change_is_refused_less_than_thirty_days_ahead(
    workspace: Workspace, tmp_path: Path, mail_server: MailServer
) -> None:
    code, words = announce(workspace, tmp_path, 29, **smtp(mail_server))
    assert (code, "less than 30 days ahead" in words) == (1, True)
    assert (TODAY + timedelta(days=30)).isoformat() in words


def test_without_a_mail_server_nothing_is_announced(workspace: Workspace, tmp_path: Path) -> None:
    code, words = announce(workspace, tmp_path, 40)
    assert (code, "SEENBY_SMTP_HOST" in words) == (1, True)


def test_a_change_reaches_people_pages_and_programs(
    workspace: Workspace, tmp_path: Path, serve: ServeProcess, mail_server: MailServer
) -> None:
    variables = smtp(mail_server)
    for _ in range(2):  # the second one is the same announcement
        assert announce(workspace, tmp_path, 40, **variables)[0] == 0
    day = TODAY + timedelta(days=40)
    with serve(workspace, **variables) as server:
        assert mail_server.arrived.wait(60)
        deadline = time.monotonic() + 60
        listed = httpx2.get(f"{server.url}/mcp").json().get("announcements")
        while not listed and time.monotonic() < deadline:
            listed = httpx2.get(f"{server.url}/mcp").json().get("announcements")
        rest = f"{server.url}/api/mcp-app/rest/"
        leaving, staying = (
            httpx2.post(rest + tool, json={}, headers=server.authorization)
            for tool in ("list_simulations", "list_brand_profiles")
        )
    assert (listed[0]["effectiveOn"], listed[0]["tools"]) == (day.isoformat(), ["list_simulations"])
    assert leaving.status_code == 200
    assert leaving.headers["sunset"] == f"{day:%a, %d %b %Y} 00:00:00 GMT"
    assert leaving.headers["deprecation"].removeprefix("@").isdigit()
    assert 'rel="deprecation"' in leaving.headers["link"]
    assert not {"sunset", "deprecation"} & staying.headers.keys()
    [message] = mail_server.messages
    assert message["To"] == "owner@example.com"
    assert message["Subject"] == f"From {day.isoformat()}: list_simulations goes away"
    page = message.get_body(("html",))
    assert page is not None
    assert "<script" not in page.get_content()
    record = workspace.seenby("mails")
    assert "announcement" in record.stdout
    assert "delivered" in record.stdout
