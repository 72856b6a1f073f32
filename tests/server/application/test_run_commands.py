"""Runs and prompts on the command line: started, followed, detached; prompts that join a set."""

import json
from collections.abc import Generator
from typing import Any

import pytest

from tests.server.application.conftest import Workspace
from tests.workflows.conftest import Talker, talking

BRAND = "Zentrix (synthetic)"
SET = "Buyers' questions"
START = ("run", "start", "--prompt-set", "Small", "--platform", "talker", "--repeats", "1")


@pytest.fixture
def engine() -> Generator[Talker]:
    """An engine that names the brand."""
    with talking() as talker:
        talker.script = lambda asked: "Zentrix is the most reliable."
        yield talker


def printed(workspace: Workspace, *arguments: str, **variables: str) -> Any:
    """Return the JSON that a command prints; it must succeed."""
    done = workspace.seenby(*arguments, "--json", **variables)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def new_set(workspace: Workspace, *prompts: str) -> None:
    """Create the prompt set Small."""
    file = workspace.folder / "small.txt"
    file.write_text("\n".join(prompts), encoding="utf-8")
    made = printed(workspace, "prompts", "import", "Small", str(file), "--new", "--brand", BRAND)
    assert (made["brandName"], len(made["prompts"])) == (BRAND, len(prompts))


def test_prompts_join_a_set_and_its_present_prompts_stay(own_history: Workspace) -> None:
    sets = printed(own_history, "call", "list_prompt_sets", "--includePrompts")["promptSets"]
    before = next(known for known in sets if known["name"] == SET)["prompts"]
    file = own_history.folder / "prompts.txt"
    file.write_text(
        f"Which one is safest? | choose | safety, home\n\nWhich one is safest?\n{before[0]['text']} || other\n",
        encoding="utf-8",
    )
    after = printed(own_history, "prompts", "import", SET, str(file))["prompts"]
    assert after[: len(before)] == before
    assert [prompt["text"] for prompt in after[len(before) :]] == ["Which one is safest?"]
    again = own_history.seenby("prompts", "import", SET, str(file))
    assert f"0 added, {len(after)} in all" in again.stderr
    unknown = own_history.seenby("prompts", "import", "Buyer questions", str(file))
    assert (unknown.returncode, "Did you mean" in unknown.stderr) == (1, True)


def test_a_run_is_previewed_started_and_followed(own_history: Workspace, engine: Talker) -> None:
    engines = {"SEENBY_ENGINE_COMPATIBLE": json.dumps([engine.entry])}
    new_set(own_history, "Which is best?", "Which lasts?")
    assert printed(own_history, *START, "--preview", **engines)["asks"] == 2
    assert engine.asked == []
    ended = printed(own_history, *START, **engines)
    assert (ended["status"], len(engine.asked)) == ("completed", 2)
    assert ended["runId"] in own_history.seenby("call", "list_workflow_runs").stdout
    assert "completed" in own_history.seenby("run", "follow", ended["runId"]).stdout
    answers = ("call", "list_answers", "--brandId", BRAND, "--platform", "talker")
    named = printed(own_history, *answers, **engines)["answers"]
    assert {entity["name"] for answer in named for entity in answer["names"]} == {BRAND}


def test_a_detached_run_waits_and_is_cancelled(own_history: Workspace, engine: Talker) -> None:
    engines = {"SEENBY_ENGINE_COMPATIBLE": json.dumps([engine.entry])}
    new_set(own_history, "Which is best?")
    run = printed(own_history, *START, "--detach", **engines)
    assert run["status"] == "pending"
    cancelled = printed(own_history, "call", "cancel_workflow_run", "--runId", run["runId"])
    assert cancelled["creditsRefunded"] == run["credits"]
    status = printed(own_history, "call", "get_run_status", "--runId", run["runId"])
    assert (status["status"], engine.asked) == ("cancelled", [])
