"""A company's own workflows on the command line: taken in, listed, exported, put away."""

import json
from pathlib import Path

from tests.server.application.conftest import Workspace

TOML = """id = "texts"
name = "Texts"
description = ""

[[steps]]
agent = "repository_auditor"

[[steps]]
agent = "coverage_mapper"
"""


def test_a_workflow_is_imported_listed_exported_and_put_away(workspace: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "texts.toml"
    file.write_text(TOML, encoding="utf-8")
    checked = json.loads(workspace.seenby("workflow", "import", file, "--check", "--json").stdout)
    assert (checked["creditCost"], checked["version"]) == (2, None)
    assert "texts" not in workspace.seenby("workflow", "list").stdout
    stored = workspace.seenby("workflow", "import", file)
    assert stored.stdout == "texts: 2 agents, 2 credits, version 1\n", stored.stderr
    assert workspace.seenby("workflow", "export", "texts").stdout == TOML
    file.write_text(TOML.replace("Texts", "Our texts"), encoding="utf-8")
    assert json.loads(workspace.seenby("workflow", "import", file, "--json").stdout)["version"] == 2
    listed = json.loads(workspace.seenby("call", "list_workflows", "--json").stdout)
    assert (listed["workflows"][-1]["title"], listed["total"]) == ("Our texts", 7)
    assert workspace.seenby("workflow", "archive", "texts").stdout == "texts: archived\n"
    assert json.loads(workspace.seenby("workflow", "list", "--json").stdout) == [
        {"id": "texts", "version": 2, "status": "archived"}
    ]
    refused = workspace.seenby("run", "start", "--workflow", "texts", "--detach")
    assert (refused.returncode, "texts is archived and cannot be started" in refused.stderr) == (1, True)
    assert "`seenby workflow archive --undo`" in refused.stderr
    assert workspace.seenby("workflow", "archive", "texts", "--undo").stdout == "texts: active\n"


def test_what_is_wrong_is_said_with_the_nearest_name(workspace: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(TOML.replace("coverage_mapper", "coverage_maper"), encoding="utf-8")
    refused = workspace.seenby("workflow", "import", file)
    assert refused.returncode == 1
    assert "step 2: there is no agent 'coverage_maper'" in refused.stderr
    assert "Did you mean 'coverage_mapper'?" in refused.stderr
    file.write_bytes(b"\xff\xfe")
    assert "it cannot be read as text" in workspace.seenby("workflow", "import", file).stderr
    unknown = workspace.seenby("workflow", "export", "ai-shop-checkup")
    assert unknown.returncode == 1
    assert "workflow not found" in unknown.stderr
    assert "Did you mean 'ai_shop_checkup'?" in unknown.stderr
    assert "list_workflows" in unknown.stderr
