"""The manifest and the tests agree in both directions: each rule has a test, each mark has a rule."""

import tomllib
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from tools.catalog import tool_table

Rule = Mapping[str, Any]
MANIFEST = Path(__file__).with_name("requirements.toml")
SECTIONS = {
    "What the service does",
    "Resources and their fields",
    "States and transitions",
    "Endpoints",
    "Authentication",
    "Events",
    "Errors",
    "Limits",
    "Versioning",
}
SETTLED = {"section", "words"}
OPEN = SETTLED | {"feature", "built_by"}
"""A rule that is not built yet names the feature it waits for, and the day from which it fails the check."""
LISTS = {"tools", "public_tools"}


@pytest.fixture
def rules() -> dict[str, Rule]:
    return tomllib.loads(MANIFEST.read_text(encoding="utf-8"))


def faults_of(identifier: str, rule: Rule, today: date) -> list[str]:
    """What is wrong with one rule of the manifest, in words."""
    faults: list[str] = []
    if rule.get("section") not in SECTIONS:
        faults.append(f"{identifier} names no section of the specification")
    if not str(rule.get("words", "")).strip():
        faults.append(f"{identifier} has no words")
    if rule.keys() - LISTS not in (SETTLED, OPEN):
        faults.append(f"{identifier} has other fields than a proven or an open rule")
    elif "built_by" in rule and not (str(rule["feature"]).strip() and isinstance(rule["built_by"], date)):
        faults.append(f"{identifier} is open without a feature and a date")
    elif "built_by" in rule and rule["built_by"] < today:
        faults.append(f"{identifier} was to be built by {rule['built_by']}: {rule['feature']}")
    return faults


def test_every_rule_is_complete_and_no_open_one_is_overdue(rules: dict[str, Rule]) -> None:
    today = datetime.now(UTC).date()
    assert [fault for identifier, rule in rules.items() for fault in faults_of(identifier, rule, today)] == []
    assert {rule["section"] for rule in rules.values()} == SECTIONS


@pytest.mark.parametrize(
    "rule",
    [
        {"feature": "mail", "built_by": date(2026, 1, 1)},
        {"feature": " ", "built_by": date(2027, 1, 1)},
        {"feature": "mail", "built_by": "some day"},
        {"feature": "mail"},
        {"status": "open", "reason": "not built yet"},
    ],
)
def test_an_overdue_or_unexplained_open_rule_is_a_fault(rule: Rule) -> None:
    assert faults_of("X-01", {"section": "Limits", "words": "A rule.", **rule}, date(2026, 1, 2))


def test_every_rule_is_proven_or_open_and_never_both(
    rules: dict[str, Rule], covered: set[str] | None
) -> None:
    if covered is None:
        pytest.skip("only some of the tests run")
    must = {identifier for identifier, rule in rules.items() if "built_by" not in rule}
    assert must - covered == set(), "rules that no test proves"
    assert covered - rules.keys() == set(), "marks that name no rule"
    assert covered & (rules.keys() - must) == set(), "rules that are proven but still called open"


@pytest.mark.requirement("EP-19")
def test_the_tools_of_the_specification_exist_and_additions_are_counted(rules: dict[str, Rule]) -> None:
    table, rule = tool_table(), rules["EP-19"]
    guarded, public = set(rule["tools"]), set(rule["public_tools"])
    assert (len(guarded), len(public)) == (29, 3)
    assert guarded <= {*table.names("read"), *table.names("write")}
    assert public <= set(table.names("public"))
    additions = sorted(set(table) - guarded - public)
    changelog = Path(__file__).parents[2] / "CHANGELOG.md"
    listed = f": {', '.join(additions)}" if additions else ""
    counted = f"Tools: 29 and 3 public; {len(additions)} additions{listed}."
    assert counted in changelog.read_text(encoding="utf-8"), "run: .venv/bin/python docs/generate.py"
