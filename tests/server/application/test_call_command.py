"""`seenby call`: every tool as a command, its options, its tables and JSON, its errors, and shell completion."""

import json
import os
import pty
import subprocess
import termios
from typing import Any

import pytest
from typer.testing import CliRunner

from server.cli.call import app
from tests.server.application.conftest import BRAND as TOYOTA
from tests.server.application.conftest import PATIENCE_SECONDS, SEENBY, Workspace
from tools.catalog import tool_table

BRAND = ("--brandId", "Zentrix (synthetic)")
SET = "Buyers' questions"
TABLE = tool_table()
ANSWERS = ("call", "list_answers", *BRAND)


def result_of(workspace: Workspace, tool: str, *arguments: str, **variables: str) -> Any:
    """Return a tool's result as JSON; the call must succeed."""
    done = workspace.seenby("call", tool, *arguments, "--json", **variables)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def error_of(workspace: Workspace, *arguments: str, code: int = 1, **variables: str) -> str:
    """Return what a failing call prints on standard error; standard output stays empty."""
    done = workspace.seenby("call", *arguments, **variables)
    assert (done.returncode, done.stdout) == (code, ""), done
    assert "Traceback" not in done.stderr
    return done.stderr


def in_terminal(workspace: Workspace, *arguments: str, columns: int) -> str:
    """Return what a command shows in a terminal of this width."""
    ours, its = pty.openpty()
    termios.tcsetwinsize(its, (40, columns))
    environ = {**workspace.environ, "TERM": "xterm", "LANG": "C.UTF-8", "PYTHONUTF8": "1"}
    del environ["COLUMNS"]  # the terminal reports its width
    with subprocess.Popen(
        [SEENBY, *arguments], env=environ, stdout=its, stderr=subprocess.DEVNULL
    ) as process:
        os.close(its)
        shown = b""
        try:
            while part := os.read(ours, 65536):
                shown += part
        except OSError:  # how Linux reports that the other side was closed
            pass
        assert process.wait(PATIENCE_SECONDS) == 0
    os.close(ours)
    return shown.decode().replace("\r", "")


@pytest.mark.parametrize("tool", TABLE)
def test_every_tool_has_a_command_with_an_option_for_each_field(tool: str) -> None:
    shown = CliRunner(env={"COLUMNS": "100"}).invoke(app, [tool, "--help"])
    assert shown.exit_code == 0, shown.output
    schema = TABLE[tool].input_schema
    words = " ".join(shown.output.split())
    assert TABLE[tool].title in words
    for field in schema["properties"]:
        assert f"--{field} " in words
    assert words.count("[required]") == len(schema.get("required", ()))
    assert not {"company", "json", "help"} & schema["properties"].keys()


def test_help_lists_every_tool_by_family_with_one_sentence() -> None:
    shown = CliRunner(env={"COLUMNS": "100"}).invoke(app, ["--help"]).output
    assert [
        line.split()[0] for line in shown.splitlines() if line[:3].strip() and "_" in line.split()[0]
    ] == [*TABLE]
    assert "\nBrands:\n  list_brand_profiles" in shown


def test_help_shows_types_limits_and_defaults() -> None:
    words = " ".join(CliRunner().invoke(app, ["list_answers", "--help"]).output.split())
    assert "--limit NUMBER" in words
    assert "Default: 20. [1<=x<=100]" in words
    assert "names_us|rival_instead|nobody" in words
    assert "--counted / --no-counted" in words


def test_a_score_is_printed_as_lines_and_tables_and_as_the_raw_result(history: Workspace) -> None:
    score = result_of(history, "get_ai_visibility_score", *BRAND)
    done = history.seenby("call", "get-ai-visibility-score", "--brand-id", BRAND[1])
    assert done.returncode == 0
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["score", str(score["score"])] in lines
    assert ["receipt", score["receipt"]["receiptId"]] in lines
    assert ["Factors"] in lines
    assert "Synthetic sample data" in done.stderr
    assert "measurement" in score


def test_pages_continue_with_the_printed_offset(history: Workspace) -> None:
    first = history.seenby(*ANSWERS, "--limit", "2")
    total = result_of(history, "list_answers", *BRAND)["total"]
    assert f"Showing 1-2 of {total}; next: --offset 2" in first.stderr
    assert (
        f"Showing 3-4 of {total}; next: --offset 4"
        in history.seenby(*ANSWERS, "--limit", "2", "--offset", "2").stderr
    )
    assert f"There are only {total}" in history.seenby(*ANSWERS, "--offset", str(total)).stderr


def test_a_pipe_gets_one_line_per_row(history: Workspace) -> None:
    answers = result_of(history, "list_answers", *BRAND)["answers"]
    printed = history.seenby(*ANSWERS, COLUMNS="40").stdout.splitlines()
    table = printed[printed.index("Answers") + 2 :]
    assert [line.split()[0] for line in table] == [answer["answerId"] for answer in answers]
    for line, answer in zip(table, answers, strict=True):
        assert answer["prompt"] in line
        assert line == line.rstrip()


@pytest.mark.parametrize("columns", [24, 60])
def test_a_narrow_terminal_shows_each_row_as_a_block(history: Workspace, columns: int) -> None:
    [answer] = result_of(history, "list_answers", *BRAND, "--limit", "1")["answers"]
    lines = in_terminal(history, *ANSWERS, "--limit", "1", columns=columns).splitlines()
    assert f"answer id: {answer['answerId']}" in lines
    assert f"prompt: {answer['prompt']}" in lines


def test_profiles_are_created_and_changed_with_lists_and_objects(own_history: Workspace) -> None:
    facts = own_history.folder / "facts.json"
    facts.write_text(json.dumps({"telephone": "+1 555 0100"}), encoding="utf-8")
    made = result_of(
        own_history,
        *("create_brand_profile", "--name", "Quelvane [x]", "--aliases", "Quel", "--aliases", "Q [b]"),
        *("--keywords", '["coffee", "tea"]', "--competitors", '{"name": "Morvani"}', "--facts", f"@{facts}"),
        *("--competitors", '[{"name": "Kelbrook"}]', "--ambiguous"),
    )["profile"]
    assert (made["aliases"][1:], made["keywords"]) == (["Quel", "Q [b]"], ["coffee", "tea"])
    assert [rival["name"] for rival in made["competitors"]] == ["Morvani", "Kelbrook"]
    assert (made["facts"]["telephone"], made["ambiguous"]) == ("+1 555 0100", True)
    shown = own_history.seenby("call", "get_brand_profile", "--brandId", "quelvane [x]").stdout
    assert "Quel, Q [b]" in shown
    archived = result_of(own_history, "update_brand_profile", "--brandId", made["id"], "--archived")
    assert archived["profile"]["archived"] is True
    [brand] = json.loads(own_history.seenby("brand", "list", "--json").stdout)
    assert brand["name"] == BRAND[1]
    assert made["name"] in own_history.seenby("brand", "list", "--archived").stdout
    error = own_history.seenby("probe", "--brand", made["name"], "--yes").stderr
    assert f"seenby call update_brand_profile --brandId '{made['name']}' --no-archived" in error


def test_null_clears_a_field_that_may_be_empty(own_history: Workspace) -> None:
    action = result_of(own_history, "list_actions")["actions"][0]
    update = ("update_action", "--actionId", action["actionId"], "--state", "planned")
    email = "synthetic@seenby.example"
    assert result_of(own_history, *update, "--assignee", email)["assignee"] == email
    assert result_of(own_history, *update)["assignee"] == email
    assert result_of(own_history, *update, "--assignee", "null")["assignee"] is None


def test_prompt_sets_are_found_by_name(own_history: Workspace) -> None:
    changed = result_of(own_history, "update_prompt_set", "--promptSetId", SET, "--repeats", "2")
    assert (changed["name"], changed["repeats"]) == (SET, 2)
    error = error_of(own_history, "update_prompt_set", "--promptSetId", "Buyers questions", "--repeats", "2")
    assert f'Did you mean "{SET}"?' in error


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("get_citations", "--brandId", "Zentrux (synthetic)"), "Did you mean 'Zentrix (synthetic)'?"),
        (("get_citations", *BRAND, "--country", "ZZ"), "no country has this name\nhint: "),
        (("get_answer", "--answerId", "nope"), "error: answer not found\nhint: "),
        (("list_answers", *BRAND, "--from", "x"), "error: from: "),
        (("create_brand_profile", "--name", BRAND[1]), "hint: "),
        (("update_action", "--actionId", "x", "--state", "planned"), "action not found"),
    ],
)
def test_a_tool_error_has_a_hint_and_exit_code_1(
    history: Workspace, arguments: tuple[str, ...], words: str
) -> None:
    error = error_of(history, *arguments)
    assert error.startswith("error: ")
    assert words in error


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("get_citation",), "Did you mean 'get_citations'"),
        (("get_citations",), "Missing option '--brandId'"),
        (("get_citations", "--brandid", "x"), "--brandId"),
        (("get_citations", *BRAND, "--groupBy", "site"), "'domain', 'url'"),
        (("get_citations", *BRAND, "--limit", "1000"), "less than or equal to 100"),
        (("create_brand_profile", "--facts", "{"), "this is not JSON"),
        (("create_brand_profile", "--facts", "@none.json"), "none.json"),
    ],
)
def test_a_usage_error_names_the_option_and_exits_with_2(
    history: Workspace, arguments: tuple[str, ...], words: str
) -> None:
    assert words in error_of(history, *arguments, code=2)


def test_a_key_acts_for_its_company_with_its_scopes(workspace: Workspace) -> None:
    created = workspace.seenby("company", "create", "Mall", "--email", "owner@mall.example")
    assert created.returncode == 0
    assert "There are several companies" in error_of(workspace, "list_brand_profiles")
    chosen = result_of(workspace, "list_brand_profiles", SEENBY_API_KEY=workspace.key)
    assert TOYOTA in [brand["name"] for brand in chosen["brands"]]
    named = ("list_brand_profiles", "--company", "Mall")
    assert result_of(workspace, *named, SEENBY_API_KEY=workspace.key)["brands"] == []
    assert result_of(workspace, "list_brand_profiles", SEENBY_COMPANY="Mall")["brands"] == []
    error = error_of(workspace, "list_brand_profiles", SEENBY_API_KEY="sk_live_wrong")
    assert error.startswith("error: SEENBY_API_KEY: ")


def test_a_public_tool_needs_no_company(empty: Workspace) -> None:
    assert result_of(empty, "get_agentic_readiness_methodology")


@pytest.mark.parametrize(
    ("words", "completions"),
    [
        ("seenby cal", ["call"]),
        ("seenby call get_cr", ["get_credits"]),
        ("seenby call get_citations --groupB", ["--groupBy"]),
        ("seenby call get_citations --groupBy ", ["domain", "url"]),
    ],
)
def test_shells_complete_tools_options_and_values(
    empty: Workspace, words: str, completions: list[str]
) -> None:
    shell = {"_SEENBY_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    done = subprocess.run(
        [SEENBY], env={**empty.environ, **shell}, capture_output=True, text=True, timeout=PATIENCE_SECONDS
    )
    assert done.stdout.split() == completions


def test_an_answer_is_opened_whole(history: Workspace) -> None:
    [answer] = result_of(history, "list_answers", *BRAND, "--limit", "1")["answers"]
    opened = result_of(history, "get_answer", "--answerId", answer["answerId"])
    assert len(opened["text"]) == opened["textLength"]
    shown = history.seenby("call", "get_answer", "--answerId", answer["answerId"]).stdout
    assert opened["text"].splitlines()[0] in shown
