"""The steps of a workflow as fields of a form: read from what was typed, and shown as it was typed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from storage.repositories.agents import AgentInstance
from web.automation.agent_settings import Offers, TypedSetting, read_settings, settings_of
from workflows.custom_workflows import MOST_STEPS
from workflows.definitions import AGENT_KINDS, offered

REUSABLE = "reusable:"
"""Before the id of a reusable agent in the field that says what a step is."""


@dataclass(frozen=True, slots=True)
class StepFields:
    """One step as the form shows it; `choice` is what the step is, `settings` are the fields that it can be set by."""

    number: int
    choice: str
    title: str
    settings: Sequence[TypedSetting]


def read_values(typed: Mapping[str, str]) -> dict[str, Any]:
    """Return a workflow as it was typed, in the form of a file's values: in the order of the typed places."""
    found: list[tuple[float, dict[str, Any]]] = []
    for number in range(1, MOST_STEPS + 1):
        choice = typed.get(f"step-{number}", "")
        if choice and f"remove-{number}" not in typed:
            found.append((_place(typed.get(f"place-{number}", ""), number), _step(choice, number, typed)))
    steps = [step for _, step in sorted(found, key=lambda one: one[0])]
    if typed.get("add"):
        steps.append(_step(typed["add"], 0, typed))
    values = {name: " ".join(typed.get(name, "").split()) for name in ("id", "name", "description")}
    return {**values, "steps": steps}


def _place(typed: str, number: int) -> float:
    """Return where a step is sorted: one that was moved passes the one whose place it was given."""
    place = int(typed) if typed.isdecimal() and len(typed) < 4 else number
    return place + (0.5 if place > number else -0.5 if place < number else 0)


def _step(choice: str, number: int, typed: Mapping[str, str]) -> dict[str, Any]:
    if choice.startswith(REUSABLE):
        return {"reusableAgent": choice.removeprefix(REUSABLE)}
    if choice not in offered():
        return {"agent": choice}
    prefix = f"set-{number}-"
    settings = {name.removeprefix(prefix): value for name, value in typed.items() if name.startswith(prefix)}
    return {"agent": choice, "configuration": read_settings(choice, {}, settings)}


def step_fields(
    values: Mapping[str, Any], agents: Sequence[AgentInstance], offers: Offers
) -> list[StepFields]:
    """Return the steps of a workflow's values as fields."""
    shown: list[StepFields] = []
    for number, step in enumerate(values["steps"], 1):
        reusable = step.get("reusableAgent")
        if reusable is not None:
            known = next(
                (agent for agent in agents if reusable.casefold() in (agent.id, agent.name.casefold())), None
            )
            title = known.name if known else reusable
            shown.append(StepFields(number, f"{REUSABLE}{known.id if known else reusable}", title, ()))
            continue
        kind = step.get("agent") or ""
        settings = settings_of(kind, step.get("configuration", {}), None, offers) if kind in offered() else ()
        shown.append(StepFields(number, kind, kind_title(kind), settings))
    return shown


def kind_title(kind: str) -> str:
    """Return what an agent does in words; what is none is called as it was typed."""
    return AGENT_KINDS[kind].title if kind in AGENT_KINDS else kind


def choices(values: Mapping[str, Any], agents: Sequence[AgentInstance]) -> dict[str, str]:
    """Return the steps that can be added, with what each does: agents have one place each."""
    taken = {step.get("agent") for step in values["steps"]}
    kinds = {name: kind.title for name, kind in AGENT_KINDS.items() if name not in taken}
    own = {
        f"{REUSABLE}{agent.id}": f"{agent.name} (your agent)" for agent in agents if agent.archived_at is None
    }
    return kinds | own
