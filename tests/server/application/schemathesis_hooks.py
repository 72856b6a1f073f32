"""Loaded by schemathesis, so that limits and unknown names do not hide the tools.

Each request has an address in turn, and one of many keys where an operation wants a credential. What is right by its
schema names what the workspace has, for identifiers, engines and labels stand in the database and in no schema. What
is then refused must be refused for one of the reasons below, which no schema can say.
"""

import itertools
import json
import os
import re
from pathlib import Path
from typing import Any, cast

import schemathesis
from hypothesis import strategies

KEYS: list[str] = json.loads(Path(os.environ["KEYS_FILE"]).read_text(encoding="utf-8"))
KNOWN: dict[str, dict[str, list[Any]]] = json.loads(
    Path(os.environ["KNOWN_FILE"]).read_text(encoding="utf-8")
)
"""What the workspace has, by the field that names it: for every tool under "", else under the tool's name."""
BY_STATE = re.compile(
    r"another (brand|prompt set|agent) has this name"
    r"|the \w+ plan has (room for )?\d+"
    r"|\d+ active prompts would be more than"
    r"|\d+ of \d+ concurrent runs of the \w+ plan"
    r"|needs \d+ credits"
    r"|several brands: brandId must name one"
    r"|only pending or running runs can be cancelled"
    r"|no (competitor|tag|intent) has this name"
    r"|the agent does not work for this brand"
    r"|the agent is archived"
    r"|assignee is not in the workspace"
    r"|Tool 'run_prompt_set' failed: countries: \w+ has no location setting in mode"
    r"|Tool 'update_reusable_agent' failed: configuration\."
    r"|Tool 'update_reusable_agent' failed: schedule: an agent without brands cannot have one"
    r"|Tool 'update_prompt_set' failed: city: a city or region needs the one country"
)
"""Refused because of what the workspace holds at that moment."""
BY_MEANING = re.compile(
    r"prompts: number \d+ is the same question as"
    r"|competitors: .* is there twice, or is the brand itself"
    r'|names: ".*" (is claimed by two of brand and competitors|holds no letter and no digit)'
    r"|Input should hold a character that can be seen"
    r"|from is not before to|compareFrom is not before compareTo|the two periods overlap"
    r"|doneOn does not fit",
    re.DOTALL,
)
"""Refused because of two values that do not go together, or a text that holds nothing to see or to search for."""
BY_FORM = re.compile(
    r"is no web address|: it must be |the cron expression cannot be read|Input should be a day such as"
)
"""Refused because a text is not written in its form. Texts at their bounds are tried whatever their format says: only
those, which are zeros alone, may be refused so."""
ZEROS = re.compile(r'"0+"')
OF_THE_WORLD = re.compile(
    r"proposeFrom: (the site could not be read|the address is not allowed)|this URL is never visited"
)
"""Refused because of a site of somebody else, which no test asks."""
WRITTEN_FORMS = {
    "country-code": ["DE", "us", "JP"],
    "cron": ["0 6 * * 1", "*/15 0-5 1,15 * *", "30 23 29 2 *"],
    "day-or-instant": ["2026-11-02", "2026-11-02T08:00:00Z", "2024-02-29T23:59:59+05:30"],
    "language-tag": ["en", "de-AT", "zh-Hant-TW"],
    "place-name": ["Graz", "Zürich", "São Paulo"],
    "time-zone": ["Europe/Berlin", "UTC", "America/New_York"],
    "web-address": ["www.example.com", "https://example.com/shop", "http://a.example"],
}
TURN = itertools.count()
STARTED_RUNS: list[str] = []
"""Runs that the suite itself has started, newest last."""
library: Any = schemathesis  # its hooks have no types

for form, values in WRITTEN_FORMS.items():
    library.openapi.format(form, strategies.sampled_from(values))


@library.auth(refresh_interval=None)
class KeyInTurn:
    """One of the keys; a check that sends none, or a wrong one, is left alone."""

    def get(self, case: Any, context: Any) -> str | None:
        return KEYS[next(TURN) % len(KEYS)] if KEYS else None

    def set(self, case: Any, data: str | None, context: Any) -> None:
        if data is not None:
            case.headers["Authorization"] = f"Bearer {data}"


@library.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    turn = next(TURN)
    case.headers["X-Forwarded-For"] = f"198.51.{turn // 200 % 200}.{turn % 200 + 1}"
    sent: object = case.body
    is_right = case.meta is not None and case.meta.generation.mode.is_positive
    if is_right and isinstance(sent, dict):
        body = cast(dict[str, Any], sent)
        tool = str(case.path).rpartition("/")[2]
        name_what_there_is(body, {**KNOWN[""], **KNOWN.get(tool, {})}, turn)
        if tool.startswith("create_") and isinstance(body.get("name"), str):
            body["name"] = f"{body['name'][:190]} {turn}"
        if tool == "run_workflow" and turn % 2 and isinstance(body.setdefault("configuration", {}), dict):
            # One of several brands must be named, which is in no schema.
            body["configuration"].setdefault("brandId", KNOWN[""]["brandId"][0])
        if tool == "cancel_workflow_run" and STARTED_RUNS:
            body["runId"] = STARTED_RUNS.pop()


@library.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    tool = case.path.rpartition("/")[2]
    if tool in ("run_workflow", "run_reusable_agent") and response.status_code == 200:
        STARTED_RUNS.append(response.json()["runId"])


@library.hook
def filter_failure(context: Any, failure: Any, case: Any, response: Any) -> bool:
    """Keep every failure but a refusal of a right request for one of the reasons that no schema can say."""
    if type(failure).__name__ != "RejectedPositiveData" or response.status_code != 400:
        return True
    said = response.json()["error"]["message"]
    if BY_FORM.search(said):
        return not ZEROS.search(json.dumps(case.body))
    return not any(reasons.search(said) for reasons in (BY_STATE, BY_MEANING, OF_THE_WORLD))


def name_what_there_is(body: dict[str, Any], known: dict[str, list[Any]], turn: int) -> None:
    """Put in names that the workspace has, each in turn, where a body names anything."""
    for field, names in known.items():
        sent = body.get(field)
        if isinstance(sent, list):
            count = len(cast(list[Any], sent))
            body[field] = list(dict.fromkeys(names[(turn + place) % len(names)] for place in range(count)))
        elif field in body:
            body[field] = names[turn % len(names)]
    for part in body.values():
        if isinstance(part, dict):
            name_what_there_is(cast(dict[str, Any], part), known, turn)
