"""The manifest and the tests agree in both directions: each rule has a test, each mark has a rule."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

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


@pytest.fixture
def rules() -> dict[str, dict[str, Any]]:
    return tomllib.loads(MANIFEST.read_text(encoding="utf-8"))


def test_every_rule_has_its_words_its_section_and_a_reason_if_it_is_open(
    rules: dict[str, dict[str, Any]],
) -> None:
    assert {rule["section"] for rule in rules.values()} == SECTIONS
    for identifier, rule in rules.items():
        assert rule["words"].strip(), identifier
        settled = {"section", "words"}
        assert rule.keys() == (settled | {"status", "reason"} if "status" in rule else settled), identifier
        assert rule.get("status", "open") == "open", identifier
        assert rule.get("reason", "said").strip(), identifier


def test_every_rule_is_proven_or_open_and_never_both(
    rules: dict[str, dict[str, Any]], covered: set[str] | None
) -> None:
    if covered is None:
        pytest.skip("only some of the tests run")
    must = {identifier for identifier, rule in rules.items() if "status" not in rule}
    assert must - covered == set(), "rules that no test proves"
    assert covered - rules.keys() == set(), "marks that name no rule"
    assert covered & (rules.keys() - must) == set(), "rules that are proven but still called open"
