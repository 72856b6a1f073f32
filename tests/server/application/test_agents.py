"""`seenby agents compare`, run as an operator would, beside the installed package and beside files."""

import json
from pathlib import Path
from typing import Any

from readiness.agents import AGENTS, TOKENS
from tests.server.application.conftest import Workspace


def test_our_agents_are_compared_with_the_installed_list(workspace: Workspace) -> None:
    done = workspace.seenby("agents", "compare", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert set(document["agreed"]) | set(document["onlyOurs"]) == set(TOKENS)
    assert {"GPTBot", "ClaudeBot", "OAI-SearchBot", "Googlebot", "Bingbot"} <= set(document["agreed"])
    assert "DeepSeekBot" in document["agreed"]
    assert document["onlyTheirs"]
    assert document["unseenHeaders"] == []


def test_a_list_in_either_form_is_compared_and_another_refused(workspace: Workspace, tmp_path: Path) -> None:
    known = next(agent for agent in AGENTS if agent.token == "GPTBot")
    lists: list[tuple[Any, list[str], list[str]]] = [
        ({"GPTBot": {}, "NewBot": {"operator": "x"}}, ["GPTBot"], ["NewBot"]),
        (
            [
                {"pattern": "gp[tT]bot", "instances": [known.header], "tags": ["ai-crawler"]},
                {"pattern": "NewBot\\/", "instances": ["NewBot/1"], "tags": ["ai-crawler"]},
                {"pattern": "SeoBot", "tags": ["seo"]},
            ],
            ["GPTBot"],
            ["NewBot\\/"],
        ),
    ]
    path = tmp_path / "list.json"
    for content, agreed, theirs in lists:
        path.write_text(json.dumps(content), encoding="utf-8")
        document = json.loads(workspace.seenby("agents", "compare", "--file", str(path), "--json").stdout)
        assert (document["list"], document["agreed"], document["onlyTheirs"]) == ("list.json", agreed, theirs)
    path.write_text("[1]", encoding="utf-8")
    refused = workspace.seenby("agents", "compare", "--file", str(path))
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "list.json: an entry has no pattern" in refused.stderr
