"""README.md's own lines, run as they stand there, and its generated parts."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from analytics.batches import ENOUGH_ANSWERS, ENOUGH_PROMPTS, LOOK_BACK
from analytics.digests import SCORE_MODEL
from analytics.intervals import Z
from analytics.paired_change import TOLERATED_MISSING
from analytics.score import FEWEST_ANSWERS, FEWEST_PROMPTS
from analytics.score_inputs import FULLY_JUDGED, WEIGHTS
from tests.server.application.conftest import Server, Workspace

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
COMMANDS = [line for block in BLOCKS for line in block.splitlines() if line.startswith("seenby ")]
REQUESTS = [line for block in BLOCKS for line in block.splitlines() if line.startswith("curl ")]


def shell(line: str, folder: Path, environ: dict[str, str]) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{environ['PATH']}"
    command = ["bash", "-c", line]
    return subprocess.run(
        command, cwd=folder, env={**environ, "PATH": path}, capture_output=True, text=True, timeout=240
    )


@pytest.mark.local
def test_the_commands_of_the_readme_work_in_their_order(prepared: Workspace, tmp_path: Path) -> None:
    shutil.copy(ROOT / "server" / "demo" / "car_market.json", tmp_path / "brands.json")
    shutil.copy(prepared.folder / "answers.jsonl", tmp_path / "answers.jsonl")
    environ = {**prepared.environ, "SEENBY_DATA_DIR": str(tmp_path / "data")}
    assert len(COMMANDS) >= 8
    for line in COMMANDS:
        ran = shell(line, tmp_path, environ)
        assert ran.returncode == 0, (line, ran.stderr[-2000:])


def test_the_requests_of_the_readme_answer_a_read_its_evidence_and_a_refusal(application: Server) -> None:
    if shutil.which("curl") is None:
        pytest.skip("there is no curl")
    environ = {**application.workspace.environ, "SEENBY_API_KEY": application.workspace.key}
    lines = [line.replace("http://127.0.0.1:8000", application.url) for line in REQUESTS]
    score, mentions, refusal = (
        json.loads(shell(line, application.workspace.folder, environ).stdout) for line in lines
    )
    assert score["brandName"] == "Toyota"
    assert len(mentions["mentions"]) == 3
    assert refusal["error"]["code"] == "INVALID_PARAMS"
    assert refusal["error"].keys() == {"code", "message", "hint"}


def test_generated_documents_are_those_that_the_code_gives() -> None:
    ran = subprocess.run(
        [sys.executable, ROOT / "docs" / "generate.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_every_local_link_of_the_documents_leads_somewhere() -> None:
    for document in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\((?!https?://|#)([^)#]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), (document.name, target)


def test_the_published_method_states_the_constants_that_compute() -> None:
    method = (ROOT / "docs" / "measurement.md").read_text(encoding="utf-8")
    for stated in (
        f"`{SCORE_MODEL}`",
        f"hold {ENOUGH_ANSWERS} rated answers to {ENOUGH_PROMPTS} prompts",
        f"further than {LOOK_BACK.days} days",
        f"fewer than {FEWEST_ANSWERS} answers or {FEWEST_PROMPTS} prompts",
        f"z = {Z}",
        f"full from {FULLY_JUDGED} mentions on",
        f"more than {TOLERATED_MISSING:.0%}".replace("%", " %"),
        *(f"| {part} | {weight:g} |" for part, weight in WEIGHTS.items()),
    ):
        assert stated in method, stated
