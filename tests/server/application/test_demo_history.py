"""The demo with a history: eight synthetic weeks with one real change, and a notice wherever a number stands."""

import json
from pathlib import Path
from typing import Any

import httpx2

from tests.server.application.conftest import ServeProcess, Workspace

BRAND = "Zentrix (synthetic)"


def export(history: Workspace) -> list[dict[str, Any]]:
    """Every answer of the history."""
    exported = history.seenby("export", "answers", "--brand", BRAND)
    assert exported.returncode == 0, exported.stderr
    return [json.loads(line) for line in exported.stdout.splitlines()]


def test_history_has_eight_weeks_three_engines_and_two_countries(history: Workspace) -> None:
    answers = export(history)
    assert len({answer["captured_at"][:10] for answer in answers}) == 8
    assert {answer["country"] for answer in answers} == {"US", "DE"}
    assert {answer["platform"] for answer in answers} == {
        "synthetic-chatgpt",
        "synthetic-gemini",
        "synthetic-perplexity",
    }
    models = {answer["model"] for answer in answers if answer["platform"] == "synthetic-perplexity"}
    assert models == {"synthetic-perplexity-1", "synthetic-perplexity-2"}
    assert {answer["platform"] for answer in answers if answer["status"] == "empty"} == {"synthetic-gemini"}


def test_history_is_loaded_once(history: Workspace, tmp_path: Path) -> None:
    before = len(export(history))
    assert history.seenby("demo", "--history", "--no-serve").returncode == 0
    assert len(export(history)) == before


def test_a_workflow_looks_at_the_sample_site_and_drafts_what_mends_it(
    own_history: Workspace, serve: ServeProcess
) -> None:
    with serve(own_history, "--history", command="demo"):
        shown = json.loads(
            own_history.seenby("call", "get_brand_profile", "--brandId", BRAND, "--json").stdout
        )
        site = shown["website"]
        home = httpx2.get(site)
        run = own_history.seenby(
            "run", "start", "--workflow", "full_service", "--brand", BRAND, "--yes", "--json"
        )
        done = json.loads(run.stdout)
        refused = own_history.seenby("scan", site)
    assert "are invented" in home.text
    report = done["report"]
    first, _, rest = report.partition("## What was done")
    assert "robots.txt keeps AI search bots out" in first
    assert "A draft waits for your approval in Content" in first
    assert f"{site}service" in first
    assert first.count("Expected gain") == 3
    assert "Read the site: 6 pages of the site were read" in rest
    # The exemption is the demo server's alone: a command of the same folder still visits no private address.
    assert refused.returncode == 1
    assert "robots.txt" not in refused.stdout


def test_the_sample_site_is_owned_and_a_chosen_site_stays(
    own_history: Workspace, serve: ServeProcess
) -> None:
    def website() -> str:
        shown = json.loads(
            own_history.seenby("call", "get_brand_profile", "--brandId", BRAND, "--json").stdout
        )
        return shown["website"]

    with serve(own_history, "--history", command="demo"):
        first = website()
    with serve(own_history, "--history", command="demo"):
        second = website()
        assert httpx2.get(second).status_code == 200
    assert first.startswith("http://127.0.0.1:")
    changed = own_history.seenby(
        *("call", "update_brand_profile", "--brandId", BRAND),
        *("--website", "https://zentrix-synthetic-sample.com/"),
    )
    assert changed.returncode == 0, changed.stderr
    with serve(own_history, "--history", command="demo"):
        assert website() == "https://zentrix-synthetic-sample.com/"
