"""Whether the models that are asked for are still served, and until when; nothing is ever switched."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from engines.errors import EngineError
from engines.model_lists import ListedModel, read_models
from engines.registry import Registry
from engines.transport.http import HttpEngine
from measurement.errors import WorkError
from measurement.planning.engine_keys import EngineKeys

WARNED_AHEAD = timedelta(days=60)
ModelStanding = Literal["served", "retiring", "retired", "absent", "not_listed", "unreadable"]
"""`absent`: the provider's list does not name it. `not_listed`: the provider has no list. `unreadable`: it failed."""


@dataclass(frozen=True, slots=True)
class ModelReport:
    """How the model of one platform stands."""

    platform: str
    model: str
    standing: ModelStanding
    retires_on: date | None = None
    replacement: str | None = None
    fault: str | None = None
    """Why the list could not be read, in our words."""
    listed: tuple[ListedModel, ...] = ()

    @property
    def needs_choice(self) -> bool:
        """Whether somebody must choose another model before long."""
        return self.standing in ("retiring", "retired", "absent")


async def report_models(keys: EngineKeys, company_id: str, today: date) -> list[ModelReport]:
    """Read the list of every provider that can be asked for a company, one after the other."""
    return [
        await report_model(keys, company_id, platform, today)
        for platform in await keys.platforms(company_id)
        if is_listed(keys.engines, platform)
    ]


def is_listed(engines: Registry, platform: str) -> bool:
    """Tell whether a platform is asked for a model by name, which surfaces and the built-in engine are not."""
    return isinstance(engines.get(platform), HttpEngine)


async def report_model(keys: EngineKeys, company_id: str, platform: str, today: date) -> ModelReport:
    """Read the list of one provider."""
    engine = keys.engines.get(platform)
    assert isinstance(engine, HttpEngine)
    try:
        listed = await read_models(engine, await keys.find(company_id, platform))
    except (EngineError, WorkError) as error:
        return ModelReport(platform, engine.model, "unreadable", fault=error.message)
    if listed is None:
        return ModelReport(platform, engine.model, "not_listed")
    return standing_of(platform, engine.model, listed, today)


def standing_of(platform: str, model: str, listed: Sequence[ListedModel], today: date) -> ModelReport:
    """Return how a model stands in a list."""
    entry = next((entry for entry in listed if entry.answers_to(model)), None)
    if entry is None:
        return ModelReport(platform, model, "absent", listed=tuple(listed))
    retiring = entry.retires_on is not None and entry.retires_on - today <= WARNED_AHEAD
    standing: ModelStanding = "retired" if entry.retired else "retiring" if retiring else "served"
    return ModelReport(platform, model, standing, entry.retires_on, entry.replacement, listed=tuple(listed))
