"""The distribution as a stranger gets it: built, installed into an empty environment, started from an empty folder."""

import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from server.mcp.discovery import mcp_json
from tools.catalog import tool_table

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES: list[str] = PROJECT["tool"]["uv"]["build-backend"]["module-name"]
UV = Path(sys.executable).with_name("uv")
DATA = (
    "server/demo/car_market.json",
    "rest_bridge/templates/docs.html",
    "rest_bridge/static/docs.css",
    "storage/migrations/script.py.mako",
    "storage/migrations/versions/0001_first_schema.py",
)


def run(command: list[str | Path], cwd: Path, environ: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, env=environ, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree."""
    if not UV.exists():
        pytest.skip("uv is not in the environment that runs the tests")
    folder = tmp_path_factory.mktemp("wheel")
    run([UV, "build", "--wheel", "--out-dir", folder, ROOT], folder)
    [built] = folder.glob("seenby-*.whl")
    return built


def test_the_wheel_carries_the_data_files_and_nothing_that_is_not_shipped(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert set(DATA) <= set(names)
    tracked = run(["git", "ls-files", *PACKAGES], ROOT).splitlines() if (ROOT / ".git").exists() else []
    assert set(tracked) <= set(names)
    tops = {name.partition("/")[0] for name in names}
    assert tops - set(PACKAGES) == {f"seenby-{PROJECT['project']['version']}.dist-info"}


def test_the_wheel_alone_starts_in_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    empty, environment = tmp_path / "empty", tmp_path / "environment"
    empty.mkdir()
    run([UV, "venv", "--quiet", "--python", sys.executable, environment], empty)
    run([UV, "pip", "install", "--quiet", "--python", environment, wheel], empty)
    seenby = environment / "bin" / "seenby"
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    environ = {**kept, "HOME": str(empty), "SEENBY_DATA_DIR": str(empty / "data"), "COLUMNS": "100"}
    assert "Usage" in run([seenby, "--help"], empty, environ)
    assert run([seenby, "migrate", "--json"], empty, environ)
    # Without the model the demo sets up everything and then says what to install, and exits with a failure.
    demo = subprocess.run(
        [seenby, "demo", "--no-serve", "--json"],
        cwd=empty, env=environ, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert demo.returncode == 1
    assert "Traceback" not in demo.stderr
    assert "Sample market: Toyota" in demo.stderr
    assert "seenby[local]" in demo.stderr


def test_no_other_distribution_claims_one_of_our_names() -> None:
    claimed = packages_distributions()
    others = {name: set(claimed.get(name, ())) - {"seenby"} for name in PACKAGES}
    assert {name: found for name, found in others.items() if found} == {}


def test_every_package_of_ours_is_shipped_checked_and_layered() -> None:
    paths = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"bench", "docs"}
    assert set(PACKAGES) == paths
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
