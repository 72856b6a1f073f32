"""Settings of each kind of reusable agent as form fields, and the choices a company has for them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from measurement.planning.engine_names import platform_name
from web.request import PageRequest
from workflows.definitions import offered

YES_NO = {"yes": "yes", "no": "no"}


@dataclass(frozen=True, slots=True)
class AgentSetting:
    """One setting: its name in the form and on the wire, and how it is typed; `options` make it a choice.

    Of `several` options as many are ticked as one likes.
    """

    name: str
    label: str
    type: str = "text"
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    hint: str = ""
    several: bool = False


SETTINGS: Mapping[str, AgentSetting] = {
    setting.name: setting
    for setting in (
        AgentSetting("promptSetId", "Prompt set", hint="Leave empty to use the brand's only set."),
        AgentSetting(
            "repeats", "Repeats per prompt", "number", hint="1 to 20. Leave empty to use the set's value."
        ),
        AgentSetting("mode", "Mode", options={"visibility": "Memory", "readiness": "Web search"}),
        AgentSetting(
            "countries", "Countries (such as US, DE)", hint="Leave empty to use the set's countries."
        ),
        AgentSetting("platforms", "Engines", hint="Select none to use all available engines.", several=True),
        AgentSetting(
            "siteType",
            "Kind of site",
            options={"dealer": "dealer", "repair_shop": "repair shop", "service_site": "service site"},
            hint="Detected automatically when none is chosen.",
        ),
        AgentSetting("probeBots", "Also check as AI bots", options=YES_NO),
        AgentSetting("itemLimit", "Texts at most", "number", hint="1 to 5."),
        AgentSetting("tone", "Tone to write in", hint="Else the voice of the brand."),
    )
}
Offers = Mapping[str, Mapping[str, str]]
"""What can be chosen where that depends on the company: by setting, values with their words."""


@dataclass(frozen=True, slots=True)
class TypedSetting:
    """A setting with the value that its field shows, or with what is `ticked` of its options."""

    setting: AgentSetting
    value: str
    options: Mapping[str, str]
    ticked: Sequence[str] = ()

    @property
    def words(self) -> str:
        """What it is set to, for who reads alone; empty for nothing."""
        if self.setting.several:
            return ", ".join(self.options[name] for name in self.ticked)
        return self.options.get(self.value, self.value)


def kind_titles() -> dict[str, str]:
    """Return the kinds of work that an agent can do alone, with what each does."""
    return {name: kind.title for name, kind in offered().items()}


def settings_of(
    kind: str, stored: Mapping[str, Any], typed: Mapping[str, str] | None, offers: Offers
) -> list[TypedSetting]:
    """Return the settings of a kind with what is stored or was typed."""
    return [_typed_setting(setting, stored, typed, offers) for setting in _settings(kind)]


def _typed_setting(
    setting: AgentSetting, stored: Mapping[str, Any], typed: Mapping[str, str] | None, offers: Offers
) -> TypedSetting:
    options = offers.get(setting.name, setting.options)
    if not setting.several:
        value = typed.get(setting.name, "") if typed is not None else _written(stored.get(setting.name))
        return TypedSetting(setting, value, options)
    ticked: list[str] = _read_ticks(setting, typed) if typed is not None else stored.get(setting.name) or []
    # An engine whose key is gone stays selected until a person unselects it.
    gone = {name: f"{platform_name(name)} (cannot be asked now)" for name in ticked if name not in options}
    return TypedSetting(setting, "", {**options, **gone}, ticked)


def read_settings(kind: str, before: Mapping[str, Any], typed: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings of a form as the tools take them; what no field shows stays as it is."""
    names = {setting.name for setting in _settings(kind)}
    settings = {name: value for name, value in before.items() if name not in names}
    for setting in _settings(kind):
        if setting.several:
            if ticked := _read_ticks(setting, typed):
                settings[setting.name] = ticked
        elif value := typed.get(setting.name, "").strip():
            settings[setting.name] = _read(setting, value)
    return settings


def _read_ticks(setting: AgentSetting, typed: Mapping[str, str]) -> list[str]:
    """Return which options of a setting are ticked, in the order of the form."""
    prefix = f"{setting.name}-"
    return [name.removeprefix(prefix) for name in typed if name.startswith(prefix)]


def _settings(kind: str) -> list[AgentSetting]:
    configuration = offered()[kind].configuration
    fields = configuration.model_fields if configuration else {}
    return [SETTINGS[name] for name in fields if name in SETTINGS]


def _read(setting: AgentSetting, value: str) -> Any:
    if setting.name == "countries":
        return [word.upper() for word in value.replace(",", " ").split()]
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


MOST_SETS = 100


async def load_offers(request: PageRequest) -> Offers:
    """Return question sets and engines by their ids, with their names."""
    listed = await request.call_tool("list_prompt_sets", limit=MOST_SETS)
    prompt_sets: list[dict[str, Any]] = listed["promptSets"] if listed else []
    return {
        "promptSetId": {known["promptSetId"]: known["name"] for known in prompt_sets},
        "platforms": {name: platform_name(name) for name in await request.ready_platforms()},
    }
