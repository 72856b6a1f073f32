"""Plan requests: prompts x platforms x repeats, with a key for every single request."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from engines.engine import LOCALE_FIELDS, LocaleField, Mode
from engines.errors import UnknownPlatform
from engines.registry import Registry
from measurement.errors import NothingToAsk, ProviderNotConfigured, UnknownName
from measurement.planning.brand_identity import find_brand
from measurement.planning.engine_keys import EngineKeys
from measurement.planning.locales import country_code
from storage.database import Database
from storage.ids import new_id
from storage.repositories.batches import BatchRow, PlannedAsk, PlannedSimulation
from storage.repositories.brands import Brand
from storage.repositories.prompt_sets import PromptSet
from storage.repositories.prompts import Prompt, text_sha256
from storage.workspace import Workspace

MOST_REPEATS = 20


@dataclass(frozen=True, slots=True)
class ProbeRequest:
    """A user's request for a measurement. Empty platforms and None fall back to the prompt set."""

    brand: str
    platforms: tuple[str, ...] = ()
    prompt_set: str | None = None
    query: str | None = None
    mode: str | None = None
    repeats: int | None = None
    countries: tuple[str, ...] = ()
    """ISO 3166-1 alpha-2; if empty, the countries of the prompt set."""


@dataclass(frozen=True, slots=True)
class AskPlan:
    """The requests to send to each platform, before anything is stored."""

    brand: Brand
    prompt_set: PromptSet | None
    prompts: tuple[Prompt, ...]
    query: str | None
    platforms: tuple[str, ...]
    mode: Mode
    repeats: int
    countries: tuple[str, ...] = ()
    """Countries for each prompt that has no country of its own."""
    locale: Mapping[str, frozenset[LocaleField]] = field(default_factory=dict[str, frozenset[LocaleField]])
    """Locale fields that each platform supports in this mode."""

    @property
    def asks(self) -> int:
        """Number of requests to send."""
        return sum(self.asks_of(platform) for platform in self.platforms)

    def asks_of(self, platform: str) -> int:
        """Return the number of requests to send to one platform."""
        return sum(len(prompts) for prompts in self.by_country(platform).values()) * self.repeats

    def by_country(self, platform: str) -> dict[str, list[Prompt]]:
        """Return the prompts for a platform by country; the empty name is for requests without a country.

        A platform that does not support a country gets each prompt once, regardless of the countries.
        """
        takes_country = "country" in self.locale.get(platform, frozenset())
        groups: dict[str, list[Prompt]] = {}
        for prompt in self.prompts:
            wanted = ((prompt.country,) if prompt.country else self.countries) or ("",)
            for country in wanted if takes_country else ("",):
                groups.setdefault(country, []).append(prompt)
        return groups

    def not_supported(self, platform: str) -> tuple[LocaleField, ...]:
        """Return the locale fields that the plan sets and a platform does not support."""
        chosen = self.prompt_set
        wanted: set[LocaleField] = set()
        if self.countries or any(prompt.country for prompt in self.prompts):
            wanted.add("country")
        if (chosen and chosen.city) or any(prompt.city for prompt in self.prompts):
            wanted.add("city")
        if (chosen and chosen.language) or any(prompt.language for prompt in self.prompts):
            wanted.add("language")
        if chosen:
            further: tuple[tuple[LocaleField, str | None], ...] = (
                ("region", chosen.region),
                ("timezone", chosen.timezone),
                ("device", chosen.device),
            )
            wanted |= {name for name, value in further if value}
        lacking = wanted - self.locale.get(platform, frozenset())
        return tuple(name for name in LOCALE_FIELDS if name in lacking)

    @property
    def sha256(self) -> str:
        """Identity of the plan; an interrupted batch of the same plan is resumed."""
        words = {
            "prompts": [[prompt.id, text_sha256(prompt.text)] for prompt in self.prompts],
            "query": self.query,
            "platforms": sorted(self.platforms),
            "mode": str(self.mode),
            "repeats": self.repeats,
            "countries": list(self.countries),
        }
        return hashlib.sha256(json.dumps(words, sort_keys=True).encode()).hexdigest()


async def make_plan(
    database: Database,
    company_id: str,
    request: ProbeRequest,
    engines: Registry,
    keys: EngineKeys,
    now: datetime,
) -> AskPlan:
    """Validate a request completely and plan it. Raises a WorkError, in which case nothing was stored."""
    workspace = database.workspace(company_id)
    brand = await find_brand(workspace, request.brand)
    if brand.archived_at is not None:
        raise NothingToAsk(
            f"{brand.name} is archived: it keeps its history and is not measured",
            f"Restore it: seenby call update_brand_profile --brandId {brand.name!r} --no-archived",
        )
    chosen = await find_prompt_set(workspace, brand, request)
    platforms = request.platforms or (tuple(chosen.platforms) if chosen else ())
    if not platforms:
        raise NothingToAsk("no platform was named", "Name one with --platform, for example --platform local.")
    mode = mode_of(request.mode or (chosen.mode if chosen else Mode.VISIBILITY))
    for platform in platforms:
        await require(engines, keys, company_id, platform, mode)
    repeats = request.repeats or (chosen.repeats if chosen else 1)
    if not 1 <= repeats <= MOST_REPEATS:
        raise NothingToAsk(f"repeats must be from 1 to {MOST_REPEATS}", "Change --repeats.")
    prompts = await prompts_of(database, company_id, brand, chosen, request.query, now)
    names = tuple(dict.fromkeys(engines.get(platform).platform for platform in platforms))
    countries = known_countries(request.countries) or (tuple(chosen.countries) if chosen else ())
    locale = locale_of(engines, names, mode, countries)
    return AskPlan(brand, chosen, prompts, request.query, names, mode, repeats, countries, locale)


def known_countries(codes: Sequence[str]) -> tuple[str, ...]:
    """Normalize country codes and remove duplicates. Raises NothingToAsk for an invalid code."""
    try:
        return tuple(dict.fromkeys(country_code(code) for code in codes))
    except ValueError as fault:
        raise NothingToAsk(f"the country {fault}", "Change --country, or leave it out.") from fault


def locale_of(
    engines: Registry, platforms: Sequence[str], mode: Mode, countries: Sequence[str] = ()
) -> dict[str, frozenset[LocaleField]]:
    """Return the locale fields that each platform supports in a mode; a region needs exactly one country."""
    country = countries[0] if len(countries) == 1 else None
    return {platform: engines.get(platform).locale_fields(mode, country) for platform in platforms}


async def find_prompt_set(workspace: Workspace, brand: Brand, request: ProbeRequest) -> PromptSet | None:
    """Return the prompt set by name, or the brand's only one; None for a custom query."""
    if request.query is not None:
        if request.prompt_set is not None:
            raise NothingToAsk("a prompt set and a query were both given", "Give one of them.")
        return None
    known = await workspace.prompt_sets.active()
    if request.prompt_set is not None:
        prompt_set = await workspace.prompt_sets.find(request.prompt_set)
        if prompt_set is None or prompt_set.brand_key not in (None, brand.key):
            raise UnknownName("prompt set", request.prompt_set, [prompt_set.name for prompt_set in known])
        return prompt_set
    own = [prompt_set for prompt_set in known if prompt_set.brand_key in (None, brand.key)]
    if len(own) == 1:
        return own[0]
    if own:
        names = ", ".join(prompt_set.name for prompt_set in own)
        raise NothingToAsk(f"{brand.name} has several prompt sets", f"Name one with --prompt-set: {names}.")
    raise NothingToAsk(f"{brand.name} has no prompt set", "Import one with the brand, or give --query.")


def mode_of(mode: str) -> Mode:
    """Return the mode with this name. Raises UnknownName."""
    try:
        return Mode(mode)
    except ValueError:
        raise UnknownName("mode", mode, list(Mode)) from None


async def require(engines: Registry, keys: EngineKeys, company_id: str, platform: str, mode: Mode) -> None:
    """Check that a platform is known, is configured, and supports the mode. Raises a WorkError."""
    try:
        engine = engines.get(platform)
    except UnknownPlatform:
        raise UnknownName("platform", platform, engines.platforms) from None
    if not await keys.configured(company_id, platform):
        raise ProviderNotConfigured(engine.platform)
    if mode not in engine.modes:
        modes = ", ".join(sorted(engine.modes))
        raise NothingToAsk(f"{engine.platform} has no mode {mode}", f"It has: {modes}.")


async def prompts_of(
    database: Database,
    company_id: str,
    brand: Brand,
    chosen: PromptSet | None,
    query: str | None,
    now: datetime,
) -> tuple[Prompt, ...]:
    """Return the prompts of the set, or the single prompt of a custom query."""
    if chosen is None:
        assert query is not None
        if not query.strip():
            raise NothingToAsk("the query is empty", "Give a question with --query.")
        return await loose_prompts(database, company_id, brand, [query], None, now)
    prompts = await database.workspace(company_id).prompts.of_set(chosen.key)
    if not prompts:
        raise NothingToAsk(f"the prompt set {chosen.name} has no active prompt", "Add prompts to it.")
    return tuple(prompts)


async def loose_prompts(
    database: Database,
    company_id: str,
    brand: Brand,
    texts: Sequence[str],
    language: str | None,
    now: datetime,
) -> tuple[Prompt, ...]:
    """Return prompts for questions outside any prompt set, creating those that are new."""
    async with database.transaction(company_id) as writing:
        await writing.batches.lock(brand.key)
        return tuple([await writing.prompts.standalone(text, language, now) for text in texts])


async def open_batch(
    database: Database, company_id: str, plan: AskPlan, now: datetime
) -> tuple[BatchRow, bool]:
    """Store the plan, or resume the unfinished batch of the same plan; True if it is resumed."""
    async with database.transaction(company_id) as writing:
        await writing.batches.lock(plan.brand.key)
        unfinished = await writing.batches.running(plan.brand.key, plan.sha256)
        if unfinished is not None:
            return unfinished, True
        return await store(writing, new_id(), [plan], plan.sha256, now), False


async def open_run_batch(
    database: Database, company_id: str, run: tuple[int, str], plans: Sequence[AskPlan], now: datetime
) -> tuple[BatchRow, bool]:
    """Store the plans as the only batch of a run, or resume it as it was planned; True if it is resumed.

    `run` is the run's key and the batch's identifier, which derives from the run, so a repeated step finds
    its batch.
    """
    key, batch_id = run
    async with database.transaction(company_id) as writing:
        await writing.batches.lock(plans[0].brand.key)
        known = await writing.batches.named(batch_id)
        if known is not None:
            return known, True
        # Only its identifier finds the batch of a run; no probe of the same plan may resume it.
        return await store(writing, batch_id, plans, batch_id, now, key), False


async def store(
    writing: Workspace,
    batch_id: str,
    plans: Sequence[AskPlan],
    plan_sha256: str,
    now: datetime,
    run_key: int | None = None,
) -> BatchRow:
    """Store plans as one batch; the batch belongs to a prompt set if all plans do."""
    sets = {(plan.prompt_set.key, plan.prompt_set.version) if plan.prompt_set else None for plan in plans}
    return await writing.batches.open(
        batch_id,
        plans[0].brand.key,
        [
            planned_simulation(plan, batch_id, platform, country, prompts)
            for plan in plans
            for platform in plan.platforms
            for country, prompts in plan.by_country(platform).items()
        ],
        source="probe",
        plan_sha256=plan_sha256,
        prompt_set=sets.pop() if len(sets) == 1 else None,
        now=now,
        run_key=run_key,
    )


def planned_simulation(
    plan: AskPlan, batch_id: str, platform: str, country: str, prompts: Sequence[Prompt]
) -> PlannedSimulation:
    """Return one platform's session in one country with all its requests."""
    asks = tuple(
        PlannedAsk(prompt.key, ask_key(batch_id, prompt, platform, plan.mode, country, repeat), repeat)
        for repeat in range(plan.repeats)
        for prompt in prompts
    )
    not_supported = plan.not_supported(platform)
    return PlannedSimulation(platform, str(plan.mode), plan.query, asks, country, not_supported)


def ask_key(batch_id: str, prompt: Prompt, platform: str, mode: Mode, country: str, repeat: int) -> str:
    """Return the key of one request, 64 hexadecimal digits; it also seeds engines that support a seed."""
    parts: Sequence[str] = (
        batch_id,
        prompt.id,
        text_sha256(prompt.text),
        platform,
        mode,
        country,
        str(repeat),
    )
    return hashlib.sha256("|".join(parts).encode()).hexdigest()
