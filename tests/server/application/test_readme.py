"""What documents repeat of the code, and where their links lead."""

import re
import subprocess
import sys
from pathlib import Path

from analytics.batches import ENOUGH_ANSWERS, ENOUGH_PROMPTS, LOOK_BACK
from analytics.digests import SCORE_MODEL
from analytics.intervals import Z
from analytics.paired_change import TOLERATED_MISSING
from analytics.score import FEWEST_ANSWERS, FEWEST_PROMPTS
from analytics.score_inputs import WEIGHTS

ROOT = Path(__file__).parents[3]


def test_generated_documents_are_those_that_the_code_gives() -> None:
    ran = subprocess.run(
        [sys.executable, ROOT / "docs" / "generate.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_every_local_link_of_the_documents_leads_somewhere() -> None:
    for document in [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "web" / "help").rglob("*.md"),
    ]:
        for target in re.findall(r"\]\((?!https?://|#)([^)#]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), (document.name, target)


def test_the_published_method_states_the_constants_that_compute() -> None:
    method = (ROOT / "web" / "help" / "guide" / "measurement.md").read_text(encoding="utf-8")
    for stated in (
        f"`{SCORE_MODEL}`",
        f"hold {ENOUGH_ANSWERS} rated answers to {ENOUGH_PROMPTS} prompts",
        f"further than {LOOK_BACK.days} days",
        f"fewer than {FEWEST_ANSWERS} answers or {FEWEST_PROMPTS} prompts",
        f"z = {Z}",
        f"more than {TOLERATED_MISSING:.0%}",
        *(f"| {part} | {weight:g} |" for part, weight in WEIGHTS.items()),
    ):
        assert stated in method, stated
