"""The tools' verbs on the command line: tables for people, the tools' own results with --json, bars in a terminal."""

import json
import os
import pty
import re
import subprocess
import termios
from collections.abc import Generator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from server.cli import tool_words
from server.cli.demo_history import EMAIL
from server.cli.tool_words import commands_by_tool
from tests.server.application.conftest import PATIENCE_SECONDS, SEENBY, Workspace
from tests.workflows.conftest import Talker, talking
from tools.calls.filters import FILTERS
from tools.catalog import tool_table

BRAND = ("--brand", "Zentrix (synthetic)")
SET = "Buyers' questions"
DRAWN = "▏▎▍▌▋▊▉█▁▂▃▄▅▆▇"


@pytest.fixture
def engine() -> Generator[Talker]:
    """An engine that names the brand."""
    with talking() as talker:
        talker.script = lambda asked: "Zentrix is the most reliable."
        yield talker


def printed(workspace: Workspace, *arguments: str | Path, **variables: str) -> Any:
    """Return the JSON that a command prints, which must succeed."""
    done = workspace.seenby(*arguments, "--json", **variables)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def table(workspace: Workspace, *arguments: str) -> str:
    """Return what a command prints for people, which must succeed."""
    done = workspace.seenby(*arguments)
    assert done.returncode == 0, done.stderr
    assert not set(DRAWN) & set(done.stdout)
    return done.stdout


def in_terminal(workspace: Workspace, *arguments: str, columns: int = 110) -> str:
    """Return what a command shows in a terminal of this width."""
    ours, its = pty.openpty()
    termios.tcsetwinsize(its, (40, columns))
    environ = {**workspace.environ, "TERM": "xterm", "LANG": "C.UTF-8", "PYTHONUTF8": "1"}
    del environ["COLUMNS"]  # the terminal says how wide it is
    with subprocess.Popen(
        [SEENBY, *arguments], env=environ, stdout=its, stderr=subprocess.DEVNULL
    ) as process:
        os.close(its)
        shown = b""
        try:
            while part := os.read(ours, 65536):
                shown += part
        except OSError:  # how Linux says that the other side was closed
            pass
        assert process.wait(PATIENCE_SECONDS) == 0
    os.close(ours)
    return shown.decode()


def refused(workspace: Workspace, *arguments: str) -> str:
    """Return the words of a refusal."""
    done = workspace.seenby(*arguments)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    return done.stderr


def test_two_periods_are_compared_with_verdict_and_contributions(history: Workspace) -> None:
    result = printed(history, "compare", *BRAND, "--days", "28", "--platform", "synthetic-chatgpt")
    shown = table(history, "compare", *BRAND, "--days", "28", "--platform", "synthetic-chatgpt")
    assert result["statement"] in shown
    assert result["prompts"][0]["prompt"] in shown
    assert {row["platform"] for row in result["engines"]} == {"synthetic-chatgpt"}
    last = date.fromisoformat(result["after"]["until"][:10]) - timedelta(days=1)
    assert f"{result['after']['since'][:10]}  {last}" in shown, (
        "a period is shown by its first and its last day"
    )
    everything = history.seenby("compare", *BRAND, "--days", "28")
    assert "served model changed" in everything.stdout, "an engine that brings nothing says why"
    assert "rests on what both periods asked alike" in everything.stderr, (
        "the scores differ by another number"
    )


def test_sources_open_into_answers_and_an_answer_into_its_words(history: Workspace) -> None:
    cited = printed(history, "sources", *BRAND, "--limit", "2")
    assert len(cited["citations"]) == 2
    first = cited["citations"][0]
    done = history.seenby("sources", *BRAND, "--limit", "2")
    assert first["source"] in done.stdout
    assert "the next ones: --offset 2" in done.stderr
    citing = printed(history, "answers", "list", *BRAND, "--source", first["source"], "--tag", "cost")
    assert citing["total"] > 0
    answer = citing["answers"][0]
    assert answer["answerId"] in table(
        history, "answers", "list", *BRAND, "--source", first["source"], "--tag", "cost"
    )
    opened = printed(history, "answers", "show", answer["answerId"])
    assert len(opened["text"]) == opened["textLength"]
    shown = table(history, "answers", "show", answer["answerId"])
    assert opened["text"].splitlines()[0] in shown
    assert opened["citations"][0]["url"] in shown


def test_a_terminal_shows_bars_and_a_sparkline(history: Workspace) -> None:
    assert "█" in in_terminal(history, "sources", *BRAND)
    assert set("▁█") <= set(in_terminal(history, "brand", "show", BRAND[1]))
    assert "days measured" in table(history, "brand", "show", BRAND[1])


def test_whatever_reads_a_pipe_gets_one_line_a_row(history: Workspace) -> None:
    answers = printed(history, "answers", "list", *BRAND, "--limit", "20")["answers"]
    done = history.seenby("answers", "list", *BRAND, "--limit", "20", COLUMNS="40")
    heading, *lines = done.stdout.splitlines()
    assert heading.split() == ["id", "day", "engine", "question", "names"]
    assert [line.split()[:3] for line in lines] == [
        [answer["answerId"], answer["capturedAt"][:10], answer["platform"]] for answer in answers
    ]
    for line, answer in zip(lines, answers, strict=True):
        assert answer["prompt"] in line


def test_a_page_behind_the_last_one_says_how_many_there_are(history: Workspace) -> None:
    total = printed(history, "sources", *BRAND)["total"]
    done = history.seenby("sources", *BRAND, "--offset", str(total))
    assert f"{total} in all: there is nothing so far back." in done.stderr


@pytest.mark.parametrize("columns", [24, 40, 60])
def test_a_narrow_terminal_shows_everything_in_whole_words(history: Workspace, columns: int) -> None:
    [answer] = printed(history, "answers", "list", *BRAND, "--limit", "1")["answers"]
    shown = in_terminal(history, "answers", "list", *BRAND, "--limit", "1", columns=columns)
    lines = shown.replace("\r", "").splitlines()
    assert f"id: {answer['answerId']}" in lines
    assert f"question: {answer['prompt']}" in lines
    [brand] = printed(history, "brand", "list")
    assert f"name: {brand['name']}" in in_terminal(history, "brand", "list", columns=columns)


def test_an_archived_brand_leaves_the_list_and_comes_back(own_history: Workspace) -> None:
    assert "archived     yes" in table(own_history, "brand", "update", BRAND[1], "--archived")
    assert printed(own_history, "brand", "list") == []
    assert "yes" in table(own_history, "brand", "list", "--archived")
    words = refused(own_history, "run", "start", "--prompt-set", SET, "--preview")
    assert "is archived" in words
    assert "seenby brand update --no-archived" in words
    table(own_history, "brand", "update", BRAND[1], "--no-archived")
    [brand] = printed(own_history, "brand", "list")
    assert (brand["name"], brand["archived"]) == (BRAND[1], False)


def test_actions_are_listed_worst_first_and_decided_about(own_history: Workspace) -> None:
    listed = printed(own_history, "actions", "list")["actions"]
    assert [action["severity"] for action in listed[:2]] == ["critical", "warning"]
    one = listed[0]["actionId"]
    dismissal = ("actions", "update", one, "--state", "dismissed")
    assert "hint: " in refused(own_history, *dismissal)
    assert ": dismissed" in table(own_history, *dismissal, "--reason", "It is [b]right[/x] :smile:")
    dismissed = printed(own_history, "actions", "list", "--state", "dismissed")["actions"]
    assert [(action["actionId"], action["reason"]) for action in dismissed] == [
        (one, "It is [b]right[/x] :smile:")
    ]


def test_an_action_is_given_to_somebody_and_is_nobodys_again(own_history: Workspace) -> None:
    action = printed(own_history, "actions", "list")["actions"][0]
    update = ("actions", "update", action["actionId"], "--state", "planned")
    given = printed(own_history, *update, "--assignee", EMAIL)
    assert (given["assignee"], printed(own_history, *update)["assignee"]) == (EMAIL, EMAIL)
    done = own_history.seenby(*update, "--assignee", EMAIL, "--nobody")
    assert (done.returncode, "not both" in done.stderr) == (2, True)
    assert printed(own_history, *update, "--nobody")["assignee"] is None


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("compare", "--brand", "Zentrux (synthetic)"), "Did you mean 'Zentrix (synthetic)'?"),
        (("sources", *BRAND, "--platform", "synthetic-chatgtp"), "Did you mean 'synthetic-chatgpt'"),
        (("answers", "list", *BRAND, "--outcome", "lost"), "hint: "),
        (("answers", "show", "00000000-0000-7000-8000-000000000000"), "answer not found"),
        (("prompts", "list", "Buyer questions"), "Did you mean"),
        (("run", "cancel", "00000000-0000-7000-8000-000000000000"), "run not found"),
        (("brand", "create"), "name"),
        (("answers", "show", "nope"), "error: answer not found\nhint: Run `seenby answers list` first"),
        (("brand", "create", BRAND[1]), "`seenby brand list --archived`"),
        (("sources", *BRAND, "--country", "ZZ"), "no country has this name\nhint: "),
        (("sources", *BRAND, "--group-by", "x"), "error: --group-by: "),
        (("sources", *BRAND, "--mode", "x"), "hint: Give --mode as one of visibility, readiness."),
        (("compare", *BRAND, "--compare-from", "x"), "hint: Give --compare-from as a string."),
        (("answers", "list", *BRAND, "--from", "x"), "error: --from: "),
        (("actions", "update", "x", "--state", "x"), "done: with --done-on"),
        (("brand", "update", BRAND[1], "--competitor", ""), "error: --competitor: "),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value[:2]),
)
def test_a_refusal_says_why_with_a_hint_and_exits_with_1(
    history: Workspace, command: tuple[str, ...], words: str
) -> None:
    told = refused(history, *command)
    assert told.startswith("error: ")
    assert words in told


def test_a_fault_in_a_file_is_told_by_the_name_that_the_file_has_for_it(own_history: Workspace) -> None:
    fields = own_history.folder / "fields.json"
    fields.write_text(json.dumps({"industry": 5, "website": 5}), encoding="utf-8")
    update = ("brand", "update", BRAND[1], "--file", str(fields))
    assert "error: website: " in refused(own_history, *update)
    assert "error: industry: " in refused(own_history, *update, "--website", "https://zentrix.example")


PARTS_OF_IT = {"update_prompt_set"}
"""Tools of which no command does all: `prompts add` and `prompts place` do parts."""


def test_every_tool_that_a_command_calls_has_a_command_whose_options_refusals_name() -> None:
    calls = re.compile(r"tools\.(?:call|ask_about)\(\s*\"([a-z_]+)\"")
    folder = Path(tool_words.__file__).parent
    called = {tool for module in folder.glob("*.py") for tool in calls.findall(module.read_text("utf-8"))}
    commands = commands_by_tool()
    assert called - PARTS_OF_IT <= commands.keys() <= tool_table().keys()
    for tool in ("get_citations", "list_answers", "compare_periods"):
        options = {field: commands[tool].option(field) for field in FILTERS if field != "promptId"}
        assert all(options.values()), (tool, options)


def test_a_brand_is_made_changed_and_shown_with_what_a_file_says(own_history: Workspace) -> None:
    fields = own_history.folder / "fields.json"
    fields.write_text(
        json.dumps({"facts": {"telephone": "+1 555 0100"}, "industry": "tea"}), encoding="utf-8"
    )
    made = printed(
        own_history,
        "brand",
        "create",
        "Quelvane [x]",
        "--industry",
        "coffee",
        "--competitor",
        "Morvani",
        "--file",
        fields,
    )["profile"]
    assert (made["industry"], made["facts"]["telephone"]) == ("coffee", "+1 555 0100")
    changed = own_history.seenby("brand", "update", "quelvane [x]", "--alias", "Quel")
    assert changed.returncode == 0, changed.stderr
    assert "Quel" in changed.stdout
    joined = printed(own_history, "brand", "update", made["id"], "--add-competitor", "Kelbrook")["profile"]
    assert [rival["name"] for rival in joined["competitors"]] == ["Morvani", "Kelbrook"]
    shown = table(own_history, "brand", "show", made["id"])
    assert "Quelvane [x]" in shown
    assert "Morvani" in shown
    fields.write_text("[", encoding="utf-8")
    assert "fields.json" in refused(own_history, "brand", "update", made["id"], "--file", str(fields))


def test_questions_join_a_set_and_those_it_has_stay_as_they_are(own_history: Workspace) -> None:
    before = printed(own_history, "prompts", "list", SET)["prompts"]
    table(
        own_history, "prompts", "add", SET, "Which one heats up fastest?", before[0]["text"], "--tag", "speed"
    )
    pasted = own_history.folder / "questions.txt"
    pasted.write_text(
        "Which one is safest? | choose | safety, home\n\nWhich one is safest?\n", encoding="utf-8"
    )
    after = printed(own_history, "prompts", "import", SET, pasted)["prompts"]
    assert after[: len(before)] == before
    assert [(prompt["text"], prompt["intent"], prompt["tags"]) for prompt in after[len(before) :]] == [
        ("Which one heats up fastest?", None, ["speed"]),
        ("Which one is safest?", "choose", ["safety", "home"]),
    ]
    new = printed(own_history, "prompts", "add", "Small", "Which is best?", "--new", *BRAND)
    assert new["brandName"] == BRAND[1]
    assert {known["name"] for known in printed(own_history, "prompts", "list")["promptSets"]} == {
        SET,
        "Small",
    }


def test_a_run_is_previewed_started_followed_and_found_again(own_history: Workspace, engine: Talker) -> None:
    engines = {"SEENBY_ENGINE_COMPATIBLE": json.dumps([engine.entry])}
    printed(own_history, "prompts", "add", "Small", "Which is best?", "Which lasts?", "--new", *BRAND)
    start = ("run", "start", "--prompt-set", "Small", "--platform", "talker", "--repeats", "1")
    assert printed(own_history, *start, "--preview", **engines)["asks"] == 2
    assert engine.asked == []
    ended = printed(own_history, *start, **engines)
    assert (ended["status"], len(engine.asked)) == ("completed", 2)
    assert ended["runId"] in table(own_history, "run", "status")
    assert "completed" in table(own_history, "run", "status", ended["runId"])
    named = printed(own_history, "answers", "list", *BRAND, "--platform", "talker", **engines)["answers"]
    assert {entity["name"] for answer in named for entity in answer["names"]} == {BRAND[1]}


def test_a_run_that_nobody_executes_waits_and_is_cancelled(own_history: Workspace, engine: Talker) -> None:
    engines = {"SEENBY_ENGINE_COMPATIBLE": json.dumps([engine.entry])}
    printed(own_history, "prompts", "add", "Small", "Which is best?", "--new", *BRAND)
    start = ("run", "start", "--prompt-set", "Small", "--platform", "talker", "--detach")
    run = printed(own_history, *start, **engines)
    assert run["status"] == "pending"
    cancelled = printed(own_history, "run", "cancel", run["runId"])
    assert cancelled["creditsRefunded"] == run["credits"]
    assert printed(own_history, "run", "status", run["runId"])["status"] == "cancelled"
    assert engine.asked == []
