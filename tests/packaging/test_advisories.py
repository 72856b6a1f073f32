"""Known weaknesses of what is locked: pip-audit asks the package index, and a release waits for what it says."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.packaging.conftest import UV, run

ROOT = Path(__file__).parents[2]
WORKFLOWS = ROOT / ".github" / "workflows"
EXPORT = "export --frozen --no-default-groups --extra all --extra otel --extra browser --no-emit-project"
"""How both name what an installation brings, whatever its extras."""


def workflow(name: str) -> dict[str, Any]:
    return yaml.safe_load((WORKFLOWS / name).read_text(encoding="utf-8"))


def test_a_release_waits_for_an_audit_of_everything_that_any_extra_brings() -> None:
    release = workflow("release.yml")["jobs"]
    assert release["checks"]["uses"] == "./.github/workflows/checks.yml"
    assert release["build"]["needs"] == "checks"
    assert {release[job]["needs"] for job in ("pypi", "image")} == {"build"}
    steps = [step.get("run", "") for step in workflow("checks.yml")["jobs"]["audit"]["steps"]]
    assert any(f"uv {EXPORT} " in step for step in steps)
    assert any("pip-audit --require-hashes --disable-pip" in step and "|| true" not in step for step in steps)


@pytest.mark.skipif(
    "SEENBY_TESTS_IN_FULL" not in os.environ, reason="asks for every package: SEENBY_TESTS_IN_FULL=1 runs it"
)
def test_no_locked_package_has_a_known_weakness(tmp_path: Path) -> None:
    wanted = tmp_path / "requirements.txt"
    run([UV, *EXPORT.split(), "--quiet", "--output-file", wanted], ROOT)
    auditing = [UV, "tool", "run", "--python", sys.executable, "pip-audit", "--format", "json"]
    options = ["--progress-spinner", "off", "--require-hashes", "--disable-pip", "--requirement", wanted]
    done = subprocess.run([*auditing, *options], capture_output=True, text=True, timeout=280)
    found = json.loads(done.stdout)["dependencies"]
    unknown = [one["name"] for one in found if "skip_reason" in one]
    if len(unknown) == len(found):
        pytest.skip(
            f"the package index tells advisories of no locked version ({found[0]['skip_reason']}); "
            "the job audit of the workflow Checks asks one that does"
        )
    assert unknown == []
    assert {one["name"]: one["vulns"] for one in found if one["vulns"]} == {}
