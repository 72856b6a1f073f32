"""Webhooks on the command line: added, tested, listed without their secrets, switched on, removed."""

import json
from pathlib import Path

from tests.server.application.conftest import Workspace
from tests.webhook_receiver import open_receiver

PRIVATE = {"SEENBY_ALLOW_PRIVATE_SITES": "on"}


def test_a_webhook_is_added_tested_listed_and_removed(workspace: Workspace, tmp_path: Path) -> None:
    with open_receiver() as receiver:
        added = workspace.seenby("webhooks", "add", receiver.url, "--kind", "ai_mention", "--json", **PRIVATE)
        webhook = json.loads(added.stdout)
        assert webhook["secret"].startswith("whsec_")
        assert webhook["kinds"] == ["ai_mention"]
        tested = workspace.seenby("webhooks", "test", webhook["id"], **PRIVATE)
        assert (tested.returncode, tested.stdout.strip()) == (0, "delivered, HTTP 204")
        guarded = workspace.seenby("webhooks", "test", webhook["id"])
        assert (guarded.returncode, guarded.stdout.strip()) == (1, "refused url, no answer")
        assert len(receiver.requests) == 1
    away = workspace.seenby("webhooks", "test", webhook["id"], **PRIVATE)
    assert (away.returncode, away.stdout.strip()) == (1, "connection, no answer")
    listed = workspace.seenby("webhooks", "list", "--json")
    assert json.loads(listed.stdout)[0]["id"] == webhook["id"]
    for secret in (webhook["secret"], "secret-path"):
        assert secret not in listed.stdout
    record = json.loads(workspace.seenby("webhooks", "deliveries", "--json").stdout)
    assert [one["outcome"] for one in record["deliveries"]] == ["connection", "refused_url", "delivered"]
    assert workspace.seenby("webhooks", "remove", webhook["id"]).returncode == 0
    gone = workspace.seenby("webhooks", "test", webhook["id"])
    assert (gone.returncode, "seenby webhooks list" in gone.stderr) == (1, True)


def test_an_address_or_a_kind_that_cannot_be_is_refused_in_words(workspace: Workspace) -> None:
    for arguments, words in (
        (("https://127.0.0.1/x",), "the address is not allowed"),
        (("https://hooks.example.com/x", "--kind", "gossip"), "no kinds of notifications"),
        (("https://hooks.example.com/x", "--format", "morse"), "there is no format 'morse'"),
    ):
        refused = workspace.seenby("webhooks", "add", *arguments)
        assert refused.returncode == 1
        assert words in refused.stderr
        assert "Traceback" not in refused.stderr
