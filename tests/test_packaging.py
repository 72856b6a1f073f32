"""What the distribution holds, and what the files beside it say of it."""

import json
import re
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from server.mcp.discovery import mcp_json
from tools.catalog import tool_table

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES: list[str] = PROJECT["tool"]["uv"]["build-backend"]["module-name"]


def test_no_other_distribution_claims_one_of_our_names() -> None:
    claimed = packages_distributions()
    others = {name: set(claimed.get(name, ())) - {"seenby"} for name in PACKAGES}
    assert {name: found for name, found in others.items() if found} == {}


def test_every_package_of_ours_is_shipped_checked_and_layered() -> None:
    paths = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"bench", "docs"}
    assert set(PACKAGES) == paths
    assert {name for name in PACKAGES if not (ROOT / name / "py.typed").exists()} == set()
    contracts = PROJECT["tool"]["importlinter"]
    assert contracts["root_packages"] == PACKAGES
    [layers] = [one["layers"] for one in contracts["contracts"] if one["type"] == "layers"]
    assert {name for layer in layers for name in layer.split(" | ")} == set(PACKAGES)
    assert set(PROJECT["tool"]["pyright"]["include"]) >= {*PACKAGES, "tests"}


def test_no_test_folder_is_a_package_that_could_shadow_ours() -> None:
    assert list((ROOT / "tests").rglob("__init__.py")) == []


def test_the_newest_entry_of_the_changelog_is_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## (\S+)", text, re.MULTILINE)
    assert newest is not None
    assert newest[1] == PROJECT["project"]["version"]


@pytest.mark.requirement("VER-04")
def test_each_release_of_the_changelog_groups_its_changes_and_counts_tools() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    releases = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}  # keepachangelog.com/en/1.1.0
    for release in releases:
        groups = re.findall(r"^### (.+)$", release, re.MULTILINE)
        assert groups
        assert set(groups) <= kinds
        assert len(set(groups)) == len(groups)
        assert re.search(r"^Tools: \d+ and \d+ public", release, re.MULTILINE)
    entries = re.findall(r"^- (.+)$", text, re.MULTILINE)
    assert len(set(entries)) == len(entries)


def test_the_committed_discovery_document_is_the_one_that_is_served() -> None:
    computed = mcp_json(tool_table(), "http://127.0.0.1:8000", oauth=False)
    assert json.loads((ROOT / "mcp.json").read_text(encoding="utf-8")) == computed, (
        "run: .venv/bin/python docs/generate.py"
    )
