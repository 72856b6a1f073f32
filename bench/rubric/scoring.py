"""Has an engine score a run's report by the rubric; a score without a quote from the report counts as none."""

import json
from collections.abc import Mapping
from typing import cast

from analytics.text.folding import fold
from measurement.planning.prompt_quoting import notes

CRITERIA: Mapping[str, str] = {
    "specific": "names the page, prompt, line or number that is meant; no other company's report could say it",
    "evidenced": "rests on answers, pages, checks or facts that are named",
    "correct": "says nothing that the evidence beside it contradicts",
    "usable": "can be done as it is written, by the owner of the site",
    "no repeat": "says each thing once",
}
LOWEST, HIGHEST = 1, 5
LONGEST_REPORT = 20_000


def request(company: str, workflow: str, report: str) -> str:
    """Return the whole question about one report."""
    asked = "\n".join(f"- {name}: {meaning}" for name, meaning in CRITERIA.items())
    return "\n\n".join(
        (
            f"Score the report of the workflow {workflow} for {company} as its customer would, on each:\n{asked}",
            f"Scores are whole numbers from {LOWEST} (worst) to {HIGHEST}. Answer with one JSON object, nothing else: "
            '{"specific": {"score": number, "quote": words of the report that show why, copied as they are}, ...}.',
            notes("The report", report[:LONGEST_REPORT]),
        )
    )


def read_scores(answer: str, report: str) -> dict[str, int | None]:
    """Return each criterion's score, or None when it is out of range or its quote is not in the report."""
    start, end = answer.find("{"), answer.rfind("}")
    try:
        given: object = json.loads(answer[start : end + 1]) if 0 <= start < end else None
    except (ValueError, RecursionError):
        given = None
    fields = cast("dict[str, object]", given) if isinstance(given, dict) else {}
    shown = fold(report).text
    return {name: _score(fields.get(name), shown) for name in CRITERIA}


def _score(entry: object, shown: str) -> int | None:
    if not isinstance(entry, dict):
        return None
    fields = cast("dict[str, object]", entry)
    score, quote = fields.get("score"), fields.get("quote")
    if type(score) is not int or not LOWEST <= score <= HIGHEST or not isinstance(quote, str):
        return None
    wanted = fold(quote).text.strip()
    return score if wanted and wanted in shown else None
