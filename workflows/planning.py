"""Plans what to ask: prompts x platforms x repeats, with a key for every single ask."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from engines.engine import Mode
from engines.errors import UnknownPlatform
from engines.registry import Registry
from storage.database import Database
from storage.ids import new_id
from storage.repositories.batches import Batch, PlannedAsk, PlannedSimulation
from storage.repositories.brands import Brand
from storage.repositories.prompt_sets import Prompt, PromptSet, text_sha256
from storage.workspace import Workspace
from workflows.engine_keys import EngineKeys
from workflows.errors import NothingToAsk, ProviderNotConfigured, UnknownName

MOST_REPEATS = 20


@dataclass(frozen=True, slots=True)
class ProbeRequest:
    """What a person wants asked. Empty platforms and None fall back to what the prompt set says."""

    brand: str
    platforms: tuple[str, ...] = ()
    prompt_set: str | None = None
    query: str | None = None
    mode: str | None = None
    repeats: int | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be asked of whom, before anything is stored."""

    brand: Brand
    prompt_set: PromptSet | None
    prompts: tuple[Prompt, ...]
    query: str | None
    platforms: tuple[str, ...]
    mode: Mode
    repeats: int

    @property
    def asks(self) -> int:
        """How many questions will be asked."""
        return len(self.prompts) * len(self.platforms) * self.repeats

    @property
    def sha256(self) -> str:
        """Identity of the plan: a batch of the same plan that was cut short is taken up again."""
        words = {
            "prompts": [[prompt.id, text_sha256(prompt.text)] for prompt in self.prompts],
            "query": self.query,
            "platforms": sorted(self.platforms),
            "mode": str(self.mode),
            "repeats": self.repeats,
        }
        return hashlib.sha256(json.dumps(words, sort_keys=True).encode()).hexdigest()


async def find_brand(workspace: Workspace, name_or_id: str) -> Brand:
    """Find a brand. Raises UnknownName with the nearest ones."""
    brand = await workspace.brands.find(name_or_id)
    if brand is None:
        raise UnknownName("brand", name_or_id, [one.name for one in await workspace.brands.all()])
    return brand


async def make_plan(
    database: Database,
    company_id: str,
    request: ProbeRequest,
    engines: Registry,
    keys: EngineKeys,
    now: datetime,
) -> Plan:
    """Check a request whole and plan it. Raises a WorkError, and then nothing was stored."""
    workspace = database.workspace(company_id)
    brand = await find_brand(workspace, request.brand)
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
    return Plan(brand, chosen, prompts, request.query, names, mode, repeats)


async def find_prompt_set(workspace: Workspace, brand: Brand, request: ProbeRequest) -> PromptSet | None:
    """Return the set that is meant: the named one, or the only one of the brand; None for a custom query."""
    if request.query is not None:
        if request.prompt_set is not None:
            raise NothingToAsk("a prompt set and a query were both given", "Give one of them.")
        return None
    known = await workspace.prompt_sets.active()
    if request.prompt_set is not None:
        found = await workspace.prompt_sets.find(request.prompt_set)
        if found is None or found.brand_key not in (None, brand.key):
            raise UnknownName("prompt set", request.prompt_set, [one.name for one in known])
        return found
    own = [one for one in known if one.brand_key in (None, brand.key)]
    if len(own) == 1:
        return own[0]
    if own:
        names = ", ".join(one.name for one in own)
        raise NothingToAsk(f"{brand.name} has several prompt sets", f"Name one with --prompt-set: {names}.")
    raise NothingToAsk(f"{brand.name} has no prompt set", "Import one with the brand, or give --query.")


def mode_of(mode: str) -> Mode:
    """Return the mode of this name. Raises UnknownName."""
    try:
        return Mode(mode)
    except ValueError:
        raise UnknownName("mode", mode, list(Mode)) from None


async def require(engines: Registry, keys: EngineKeys, company_id: str, platform: str, mode: Mode) -> None:
    """Make sure a platform is known, can be asked, and has the mode. Raises a WorkError."""
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
    """Return the prompts of the set, or the one prompt of a custom query."""
    if chosen is None:
        assert query is not None
        if not query.strip():
            raise NothingToAsk("the query is empty", "Give a question with --query.")
        return await loose_prompts(database, company_id, brand, [query], None, now)
    found = await database.workspace(company_id).prompt_sets.prompts(chosen.key)
    if not found:
        raise NothingToAsk(f"the prompt set {chosen.name} has no active prompt", "Add prompts to it.")
    return tuple(found)


async def loose_prompts(
    database: Database,
    company_id: str,
    brand: Brand,
    texts: Sequence[str],
    language: str | None,
    now: datetime,
) -> tuple[Prompt, ...]:
    """Return prompts of questions outside of any set, making those that are new."""
    async with database.transaction(company_id) as writing:
        await writing.batches.lock(brand.key)
        return tuple([await writing.prompt_sets.loose(text, language, now) for text in texts])


async def open_batch(database: Database, company_id: str, plan: Plan, now: datetime) -> tuple[Batch, bool]:
    """Store the plan, or take up the unfinished batch of the same plan; True when it is taken up."""
    async with database.transaction(company_id) as writing:
        await writing.batches.lock(plan.brand.key)
        unfinished = await writing.batches.running(plan.brand.key, plan.sha256)
        if unfinished is not None:
            return unfinished, True
        return await store(writing, new_id(), [plan], plan.sha256, now), False


async def open_run_batch(
    database: Database, company_id: str, run: tuple[int, str], plans: Sequence[Plan], now: datetime
) -> tuple[Batch, bool]:
    """Store the plans as the one batch of a run, or take it up as it was planned; True when it is taken up.

    `run` is the run's key and the batch's identifier, which follows from the run: a repeated step finds its batch.
    """
    key, batch_id = run
    async with database.transaction(company_id) as writing:
        await writing.batches.lock(plans[0].brand.key)
        known = await writing.batches.named(batch_id)
        if known is not None:
            return known, True
        # A batch of a run is found by its identifier alone; no probe of the same plan may take it up.
        return await store(writing, batch_id, plans, batch_id, now, key), False


async def store(
    writing: Workspace,
    batch_id: str,
    plans: Sequence[Plan],
    plan_sha256: str,
    now: datetime,
    run_key: int | None = None,
) -> Batch:
    """Store plans as one batch; it belongs to a prompt set when all of it does."""
    sets = {(plan.prompt_set.key, plan.prompt_set.version) if plan.prompt_set else None for plan in plans}
    return await writing.batches.open(
        batch_id,
        plans[0].brand.key,
        [planned_simulation(plan, batch_id, platform) for plan in plans for platform in plan.platforms],
        source="probe",
        plan_sha256=plan_sha256,
        prompt_set=sets.pop() if len(sets) == 1 else None,
        now=now,
        run_key=run_key,
    )


def planned_simulation(plan: Plan, batch_id: str, platform: str) -> PlannedSimulation:
    """Return one platform's session with all its asks."""
    asks = tuple(
        PlannedAsk(prompt.key, ask_key(batch_id, prompt, platform, plan.mode, repeat), repeat)
        for repeat in range(plan.repeats)
        for prompt in plan.prompts
    )
    return PlannedSimulation(platform, str(plan.mode), plan.query, asks)


def ask_key(batch_id: str, prompt: Prompt, platform: str, mode: Mode, repeat: int) -> str:
    """Return the identity of one ask, 64 hexadecimal digits; it also seeds engines that can be seeded."""
    parts: Sequence[str] = (batch_id, prompt.id, text_sha256(prompt.text), platform, mode, "", str(repeat))
    return hashlib.sha256("|".join(parts).encode()).hexdigest()
