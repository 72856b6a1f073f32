"""What a reusable agent of each kind can be set to, as fields of a form."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from workflows.definitions import offered

YES_NO = {"yes": "yes", "no": "no"}


@dataclass(frozen=True, slots=True)
class AgentSetting:
    """One setting: its name in the form and on the wire, and how it is typed; `options` make it a choice."""

    name: str
    label: str
    type: str = "text"
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    hint: str = ""


SETTINGS: Mapping[str, AgentSetting] = {
    setting.name: setting
    for setting in (
        AgentSetting("promptSetId", "Question set", hint="The brand's only set when none is chosen."),
        AgentSetting(
            "repeats", "Times each question is asked", "number", hint="1 to 20; else as the set says."
        ),
        AgentSetting("mode", "Mode", options={"visibility": "from memory", "readiness": "with web search"}),
        AgentSetting("countries", "Countries, such as US, DE", hint="Else those of the set."),
        AgentSetting("platforms", "Engines, such as chatgpt, gemini", hint="Else all that can be asked."),
        AgentSetting(
            "siteType",
            "Kind of site",
            options={"dealer": "dealer", "repair_shop": "repair shop", "service_site": "service site"},
            hint="Found out by itself when none is chosen.",
        ),
        AgentSetting("probeBots", "Also look as AI bots do", options=YES_NO),
        AgentSetting("itemLimit", "Texts at most", "number", hint="1 to 5."),
        AgentSetting("tone", "Tone to write in", hint="Else the voice of the brand."),
    )
}
LISTS = frozenset({"countries", "platforms"})


@dataclass(frozen=True, slots=True)
class TypedSetting:
    """A setting with the value that its field shows."""

    setting: AgentSetting
    value: str
    options: Mapping[str, str]


def kind_titles() -> dict[str, str]:
    """Return the kinds of work that an agent can do alone, with what each does."""
    return {name: kind.title for name, kind in offered().items()}


def settings_of(
    kind: str, stored: Mapping[str, Any], typed: Mapping[str, str] | None, prompt_sets: Mapping[str, str]
) -> list[TypedSetting]:
    """Return the settings of a kind with what is stored or was typed."""
    return [
        TypedSetting(
            setting,
            typed.get(setting.name, "") if typed is not None else _written(stored.get(setting.name)),
            prompt_sets if setting.name == "promptSetId" else setting.options,
        )
        for setting in _settings(kind)
    ]


def read_settings(kind: str, before: Mapping[str, Any], typed: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings of a form as the tools take them; what no field shows stays as it is."""
    names = {setting.name for setting in _settings(kind)}
    settings = {name: value for name, value in before.items() if name not in names}
    for setting in _settings(kind):
        value = typed.get(setting.name, "").strip()
        if value:
            settings[setting.name] = _read(setting, value)
    return settings


def _settings(kind: str) -> list[AgentSetting]:
    configuration = offered()[kind].configuration
    fields = configuration.model_fields if configuration else {}
    return [SETTINGS[name] for name in fields if name in SETTINGS]


def _read(setting: AgentSetting, value: str) -> Any:
    if setting.name in LISTS:
        words = value.replace(",", " ").split()
        return [word.upper() if setting.name == "countries" else word.lower() for word in words]
    if setting.options is YES_NO:
        return value == "yes"
    return int(value) if setting.type == "number" and value.isdecimal() and len(value) < 9 else value


def _written(value: Any) -> str:
    """Return a stored value as a field shows it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, cast("list[object]", value)))
    return "" if value is None else str(value)
