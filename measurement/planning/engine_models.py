"""Status of the configured models: whether they are still served, and until when. Models are never switched."""

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
    """Status of the model of one platform."""

    platform: str
    model: str
    standing: ModelStanding
    retires_on: date | None = None
    replacement: str | None = None
    fault: str | None = None
    """Why the list could not be read, in our own words."""
    listed: tuple[ListedModel, ...] = ()

    @property
    def needs_choice(self) -> bool:
        """Whether a user must choose another model before long."""
        return self.standing in ("retiring", "retired", "absent")


async def report_models(keys: EngineKeys, company_id: str, today: date) -> list[ModelReport]:
    """Fetch the model list of every provider that the company can query, one after the other."""
    return [
        await report_model(keys, company_id, platform, today)
        for platform in await keys.platforms(company_id)
        if is_listed(keys.engines, platform)
    ]


def is_listed(engines: Registry, platform: str) -> bool:
    """Return whether a platform is queried by model name, unlike AI surfaces and the built-in engine."""
    return isinstance(engines.get(platform), HttpEngine)


async def report_model(keys: EngineKeys, company_id: str, platform: str, today: date) -> ModelReport:
    """Fetch the model list of one provider."""
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
    """Return the status of a model according to a list."""
    entry = next((entry for entry in listed if entry.answers_to(model)), None)
    if entry is None:
        return ModelReport(platform, model, "absent", listed=tuple(listed))
    retiring = entry.retires_on is not None and entry.retires_on - today <= WARNED_AHEAD
    standing: ModelStanding = "retired" if entry.retired else "retiring" if retiring else "served"
    return ModelReport(platform, model, standing, entry.retires_on, entry.replacement, listed=tuple(listed))
