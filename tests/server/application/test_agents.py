"""`seenby agents compare`, run as an operator would, beside the installed package and beside files."""

import json
from pathlib import Path
from typing import Any

from readiness.agents import AGENTS, TOKENS


def test_our_agents_are_compared_with_the_installed_list(workspace: Any) -> None:
    done = workspace.seenby("agents", "compare", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert set(found["agreed"]) | set(found["only_ours"]) == set(TOKENS)
    assert {"GPTBot", "ClaudeBot", "OAI-SearchBot", "Googlebot", "Bingbot"} <= set(found["agreed"])
    assert "DeepSeekBot" in found["only_theirs"]
    assert found["unseen_headers"] == []


def test_a_list_in_either_form_is_compared_and_another_refused(workspace: Any, tmp_path: Path) -> None:
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
        found = json.loads(workspace.seenby("agents", "compare", "--file", str(path), "--json").stdout)
        assert (found["list"], found["agreed"], found["only_theirs"]) == ("list.json", agreed, theirs)
    path.write_text("[1]", encoding="utf-8")
    refused = workspace.seenby("agents", "compare", "--file", str(path))
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "list.json: an entry has no pattern" in refused.stderr
