"""The files of `deploy/`: read by the tools that judge them, and their processes started as they say."""

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from engines import smollm
from server.environment import known_variables
from tests.server.application.conftest import Workspace, environment, served

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
MOST_EXPOSED = 20
"""Of 100, as systemd-analyze counts; a unit without any sandbox has 96."""


def compose(name: str) -> dict[str, Any]:
    return yaml.safe_load((DEPLOY / name).read_text(encoding="utf-8"))


def test_the_image_passes_hadolint_and_runs_unprivileged() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    last_stage = text.rpartition("\nFROM ")[2]
    assert re.search(r"^USER 10001:10001$", last_stage, re.MULTILINE)
    assert not re.search(r"gcc|build-essential", last_stage)
    assert re.findall(r"apt-get install (.*) \\$", last_stage, re.MULTILINE) == [
        "--yes --no-install-recommends libgomp1 postgresql-client"
    ]
    assert "HEALTHCHECK" in last_stage
    hadolint = Path(sys.executable).with_name("hadolint")
    if not hadolint.exists():
        pytest.skip("hadolint is not installed")
    judged = subprocess.run([hadolint, DEPLOY / "Dockerfile"], capture_output=True, text=True)
    assert judged.returncode == 0, judged.stdout


def test_the_image_can_back_up_the_postgresql_of_the_compose_file() -> None:
    """pg_dump must not be older than the server: the image's Debian has to bring one of the server's version."""
    of_debian = {"trixie": 17}  # packages.debian.org/trixie/postgresql-client
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    releases = re.findall(r"^FROM python:3\.\d+-slim-(\w+)", text, re.MULTILINE)
    server = re.search(r"image: postgres:(\d+)", (DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    assert server is not None
    assert [of_debian[release] for release in releases] == [int(server[1])] * 2


def test_the_image_holds_every_package_and_no_operator_file() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = project["tool"]["uv"]["build-backend"]["module-name"]
    assert lines[0] == "*"
    assert {line[1:] for line in lines if line.startswith("!")} == {
        *packages,
        *("LICENSE", "README.md", "pyproject.toml", "uv.lock"),
    }


@pytest.mark.parametrize("name", ["compose.yaml", "compose.single.yaml"])
def test_services_of_ours_are_confined_and_their_settings_exist(name: str) -> None:
    services = compose(name)["services"]
    ours = [service for service in services.values() if service["image"] == "seenby"]
    assert ours
    for service in ours:
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert set(service["environment"]) <= known_variables()
    published = {
        service: ports for service, definition in services.items() if (ports := definition.get("ports"))
    }
    assert set(published) <= {"caddy", "seenby"}
    assert all(port.startswith("127.0.0.1:") for port in published.get("seenby", []))


def test_the_compose_file_requires_every_secret_and_contains_none() -> None:
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    for name in re.findall(r"\$\{(\w+)", text):
        assert f"${{{name}:?" in text, f"{name} may be missing unnoticed"
    assert not re.search(r"(?:SECRET|PASSWORD|KEY)\w*: *[\"']?[A-Za-z0-9_-]{12,}[\"']?$", text, re.MULTILINE)


@pytest.mark.local
@pytest.mark.skipif(not smollm.installed(), reason="the built-in model is not installed")
def test_the_processes_of_the_compose_file_start_from_nothing_and_measure(
    empty_postgres: str, tmp_path: Path
) -> None:
    try:
        socket.create_connection(("127.0.0.1", 6379), 2).close()
    except OSError:
        pytest.skip("Redis does not answer on 127.0.0.1:6379")
    services = compose("compose.yaml")["services"]
    given = {name: secrets.token_urlsafe(48) for name in re.findall(r"\$\{(\w+)", json.dumps(services))}
    given["SEENBY_HOST"] = "seenby.example"
    settings: dict[str, str] = {
        name: re.sub(r"\$\{(\w+):\?[^}]*\}", lambda match: given[match[1]], value)
        for name, value in services["seenby"]["environment"].items()
    }
    # The same services at other names: what the compose network calls postgres and redis is on this machine.
    settings["SEENBY_DATABASE_URL"] = empty_postgres.replace("+asyncpg", "")
    settings["SEENBY_REDIS_URL"] = settings["SEENBY_REDIS_URL"].replace("redis:6379", "127.0.0.1:6379")
    workspace = Workspace(environment(tmp_path / "data", **settings), tmp_path, ())
    command, *options = services["seenby"]["command"]
    seenby = Path(sys.executable).with_name("seenby")
    with (
        served(workspace, *options, command=command) as server,
        subprocess.Popen(
            [seenby, *services["worker"]["command"]],
            cwd=tmp_path,
            env=workspace.environ,
            stderr=subprocess.PIPE,
            text=True,
        ) as worker,
    ):
        try:
            made = workspace.seenby(
                *(
                    "init",
                    "--company",
                    "Zentrix AG",
                    "--email",
                    "owner@zentrix.example",
                    "--brand",
                    "Zentrix",
                ),
                "--json",
            )
            assert made.returncode == 0, made.stderr
            sets = workspace.seenby("call", "list_prompt_sets", "--json")
            [prompt_set] = json.loads(sets.stdout)["promptSets"]
            asked = workspace.seenby(
                *("probe", "--brand", "Zentrix", "--platform", "local", "--query", "Which tool is best?"),
                *("--repeats", "1", "--max-output-tokens", "16", "--json"),
            )
            assert json.loads(asked.stdout)["planned"] == 1, asked.stderr
            assert prompt_set["brandName"] == "Zentrix"
            assert worker.poll() is None
        finally:
            worker.terminate()
        assert "serving on https://seenby.example" in server.log.read_text(encoding="utf-8")
        assert worker.wait(60) is not None


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze")
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_unit_is_one_that_systemd_reads_and_confines(unit: Path) -> None:
    command = [
        "systemd-analyze",
        "security",
        "--offline=yes",
        f"--threshold={MOST_EXPOSED}",
        "--no-pager",
        unit,
    ]
    judged = subprocess.run(command, capture_output=True, text=True)
    assert judged.returncode == 0, judged.stdout[-400:] + judged.stderr
    assert "Unknown" not in judged.stderr, judged.stderr
    verified = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    told = [line for line in verified.stderr.splitlines() if unit.name in line]
    assert [line for line in told if "not executable" not in line and "No such file" not in line] == []


def test_the_workflows_of_the_release_are_ones_that_actionlint_takes() -> None:
    actionlint = Path(sys.executable).with_name("actionlint")
    if not actionlint.exists():
        pytest.skip("actionlint is not installed")
    judged = subprocess.run([actionlint, "-no-color"], cwd=ROOT, capture_output=True, text=True)
    assert judged.returncode == 0, judged.stdout + judged.stderr


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_a_form_of_the_repository_is_one_that_github_shows(form: Path) -> None:
    schema = "vendor.github-issue-config" if form.stem == "config" else "vendor.github-issue-forms"
    judging = [Path(sys.executable).with_name("check-jsonschema"), "--builtin-schema", schema]
    judged = subprocess.run([*judging, form], capture_output=True, text=True)
    assert judged.returncode == 0, judged.stdout + judged.stderr


@pytest.mark.parametrize("name", ["compose.yaml", "compose.single.yaml"])
def test_a_compose_file_fits_the_schema_and_names_what_exists(name: str) -> None:
    """What `docker compose config` looks at, without it: the published schema, and what names refer to."""
    judging = [Path(sys.executable).with_name("check-jsonschema"), "--builtin-schema", "vendor.compose-spec"]
    judged = subprocess.run([*judging, DEPLOY / name], capture_output=True, text=True)
    assert judged.returncode == 0, judged.stdout + judged.stderr
    whole = compose(name)
    services: dict[str, Any] = whole["services"]
    for service in services.values():
        assert set(service.get("networks", ())) <= set(whole.get("networks", {}))
        assert {volume.partition(":")[0] for volume in service.get("volumes", ())} <= set(whole["volumes"])
        for needed, terms in service.get("depends_on", {}).items():
            assert terms == {"condition": "service_healthy"}
            assert needed == "seenby" or "healthcheck" in services[needed], "it would be waited for for ever"
        building = service.get("build")
        if building is not None:
            assert (DEPLOY / building["context"] / building["dockerfile"]).is_file()


@pytest.mark.parametrize("name", ["compose.yaml", "compose.single.yaml"])
def test_an_installed_compose_reads_the_compose_files(name: str) -> None:
    docker = shutil.which("docker")
    if docker is None or subprocess.run([docker, "compose", "version"], capture_output=True).returncode:
        pytest.skip("there is no docker compose")
    given = dict.fromkeys(re.findall(r"\$\{(\w+)", (DEPLOY / name).read_text(encoding="utf-8")), "x")
    command = ["docker", "compose", "--file", str(DEPLOY / name), "config", "--quiet"]
    read = subprocess.run(command, env={**os.environ, **given}, capture_output=True, text=True)
    assert read.returncode == 0, read.stderr
