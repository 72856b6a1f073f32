"""Runs that ask one prompt set: what such a run would ask, cost and be able to show, and its start."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from engines.engine import LocaleField
from measurement.errors import Missing
from measurement.planning.ask_plan import AskPlan, locale_of
from measurement.planning.brand_identity import identify
from measurement.planning.detection import detectable_change, noise_of
from measurement.planning.locales import country_code
from measurement.planning.prompt_sets import known_place, known_platforms
from storage.repositories.brands import Brand
from storage.repositories.prompt_sets import PromptSet
from storage.repositories.prompts import Prompt
from storage.workspace import Workspace
from workflows.configurations import ProberConfiguration
from workflows.credits import balance, price
from workflows.errors import RunRefused
from workflows.prober_questions import prompt_set_ask_settings, set_countries
from workflows.runs import RunService, SingleAgentRun, brand_of
from workflows.workflow_definitions import PROMPT_SET

AGENT = "answer_prober"


@dataclass(frozen=True, slots=True)
class PromptSetRunRequest:
    """Which set to ask; what is left out is as the set says."""

    prompt_set_id: str
    brand_id: str | None = None
    platforms: tuple[str, ...] = ()
    repeats: int | None = None
    countries: tuple[str, ...] = ()

    @property
    def configuration(self) -> ProberConfiguration:
        """Return the agent's configuration."""
        return ProberConfiguration(
            promptSetId=self.prompt_set_id,
            platforms=list(self.platforms) or None,
            repeats=self.repeats,
            countries=list(self.countries) or None,
        )


@dataclass(frozen=True, slots=True)
class PromptSetRunPlan:
    """What a run will do. `headline_prompts` are those that do not name the brand, which the score counts.

    `money` is the expected cost by currency, `unpriced` the engines without a configured price, `unavailable` the
    engines of a preview that have no key, and `detectable` the smallest significant change of a rate (0 to 1) that such
    runs can show; None without enough prompts.
    """

    request: PromptSetRunRequest
    brand: Brand
    plan: AskPlan
    headline_prompts: int
    credits: int
    credits_available: int
    money: dict[str, Decimal]
    unpriced: tuple[str, ...]
    detectable: float | None
    unavailable: tuple[str, ...] = ()


async def plan_run(
    workspace: Workspace,
    desk: RunService,
    request: PromptSetRunRequest,
    now: datetime,
    *,
    as_preview: bool = False,
) -> PromptSetRunPlan:
    """Plan a run; nothing is asked and nothing stored. Raises Missing, RunRefused or ChangeRefused.

    A preview includes engines without a key: those that are named, and every engine where none could be asked.
    """
    listed = await workspace.prompt_sets.listed(request.prompt_set_id)
    if listed is None:
        raise Missing("prompt set")
    known = listed.set
    if known.archived_at is not None:
        raise RunRefused(
            "the prompt set is archived", "Bring it back with update_prompt_set and archived false."
        )
    brand = await _brand(workspace, listed.brand_id, request.brand_id)
    prompts = tuple(await workspace.prompts.of_set(known.key))
    if not prompts:
        raise RunRefused("the prompt set has no questions", "Add some with update_prompt_set.")
    ready = await desk.pricing.ready(workspace.company_id)
    chosen = known_platforms(request.platforms, desk.engines)
    if not as_preview:
        _refuse_unready(chosen, ready)
    countries = tuple(
        dict.fromkeys(known_place("countries", country_code, code) for code in request.countries)
    )
    request = replace(request, prompt_set_id=known.id, platforms=chosen, countries=countries)
    settings = prompt_set_ask_settings(known, ready, desk.engines, request.configuration)
    if as_preview and (not settings.platforms or not set(chosen) <= set(ready)):
        settings = prompt_set_ask_settings(known, desk.engines.platforms, desk.engines, request.configuration)
    if not settings.platforms:
        named = ", ".join(chosen or known.platforms)
        raise RunRefused(
            f"{named or 'no engine'} {'cannot' if named else 'can'} be asked in the mode {settings.mode}",
            "Send platforms with an engine that has a key, or change the set's mode with update_prompt_set.",
        )
    unavailable = tuple(platform for platform in settings.platforms if platform not in ready)
    locale = locale_of(desk.engines, settings.platforms, settings.mode, countries or tuple(known.countries))
    if countries:
        _refuse_other_countries(known, countries, locale)
    asks = AskPlan(
        brand,
        known,
        prompts,
        None,
        settings.platforms,
        settings.mode,
        settings.repeats,
        set_countries(known, request.configuration),
        locale,
    )
    preview = await desk.costs.preview(workspace.company_id, asks)
    headline = await _count_headline(workspace, brand, prompts)
    prices = await desk.pricing.prices(workspace, brand, (AGENT,), {AGENT: request.configuration})
    credits = price(asks.asks) if unavailable else sum(credits for _, credits in prices)
    return PromptSetRunPlan(
        request=request,
        brand=brand,
        plan=asks,
        headline_prompts=headline,
        credits=credits,
        credits_available=(await balance(workspace, now)).available,
        money=preview.totals,
        unpriced=preview.unknown,
        detectable=detectable_change(asks, headline, await noise_of(workspace, brand, now)),
        unavailable=unavailable,
    )


async def start_run(writing: Workspace, desk: RunService, plan: PromptSetRunPlan, now: datetime) -> str:
    """Reserve and queue a planned run; return its id. Raises RunRefused, and then nothing stays."""
    task = SingleAgentRun(AGENT, PROMPT_SET, plan.brand, plan.request.configuration)
    return (await desk.start_alone(writing, task, now)).id


async def _brand(workspace: Workspace, own: str | None, asked_for: str | None) -> Brand:
    """Return the brand of the set; for a set of every brand the one asked for, or the only one there is."""
    if own is None:
        return await brand_of(workspace, asked_for)
    brand = await brand_of(workspace, own)
    if asked_for is not None and (await brand_of(workspace, asked_for)).key != brand.key:
        raise RunRefused(
            f"the prompt set belongs to {brand.name}", "Leave brandId out, or send that brand's."
        )
    return brand


def _refuse_unready(chosen: Sequence[str], ready: Sequence[str]) -> None:
    unready = [platform for platform in chosen if platform not in ready]
    if unready:
        asked = ", ".join(ready) or "none"
        raise RunRefused(
            f"there is no key for {', '.join(unready)}", f"Engines that can be asked now: {asked}."
        )


def _refuse_other_countries(
    known: PromptSet, countries: Sequence[str], locale: Mapping[str, frozenset[LocaleField]]
) -> None:
    """Reject countries that no request of the run would use."""
    if known.city and set(countries) != set(known.countries):
        raise RunRefused(
            f"countries: the prompt set is asked from {known.city} in {', '.join(known.countries)}",
            "Leave countries out, or take the city away with update_prompt_set.",
        )
    if not any("country" in fields for fields in locale.values()):
        raise RunRefused(
            f"countries: {', '.join(locale)} has no location setting in mode {known.mode}",
            "Leave countries out, send other platforms, or change the set's mode with update_prompt_set.",
        )


async def _count_headline(workspace: Workspace, brand: Brand, prompts: Sequence[Prompt]) -> int:
    identity = await identify(workspace, brand)
    named = identity.reader.matcher.named
    return sum(
        not (brand.id in named(prompt.text) if prompt.branded is None else prompt.branded)
        for prompt in prompts
    )
