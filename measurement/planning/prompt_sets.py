"""Create and change prompt sets within the rules for plans, names and schedules."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from engines.engine import Device
from engines.errors import UnknownPlatform
from measurement.errors import ChangeRefused
from measurement.planning.locales import city_name, country_code, language_tag, timezone_name
from measurement.planning.schedules import next_tick, normal_form
from storage.errors import DuplicateRow
from storage.plans import PLANS
from storage.repositories.prompt_sets import PromptSet, PromptSetDraft
from storage.repositories.prompts import PromptDraft
from storage.workspace import Workspace

if TYPE_CHECKING:
    from engines.registry import Registry


@dataclass(frozen=True, slots=True)
class PromptSetInput:
    """Settings of a prompt set; without a brand, the set applies to every brand."""

    name: str
    prompts: tuple[PromptDraft, ...]
    brand_key: int | None = None
    description: str | None = None
    platforms: tuple[str, ...] = ()
    mode: str = "visibility"
    repeats: int = 3
    schedule: str | None = None
    archived: bool = False
    countries: tuple[str, ...] = ()
    language: str | None = None
    city: str | None = None
    region: str | None = None
    timezone: str | None = None
    device: str | None = None

    @property
    def draft(self) -> PromptSetDraft:
        """The prompts, and how to run them."""
        return PromptSetDraft(
            self.name,
            self.prompts,
            self.platforms,
            self.mode,
            self.repeats,
            self.countries,
            self.language,
            self.city,
            self.region,
            self.timezone,
            self.device,
        )


@dataclass(frozen=True, slots=True)
class SetPlace:
    """Location and device of the requests of a prompt set."""

    countries: tuple[str, ...] = ()
    language: str | None = None
    city: str | None = None
    region: str | None = None
    timezone: str | None = None
    device: Device | None = None

    @classmethod
    def of(cls, known: PromptSet) -> "SetPlace":
        """Return the location and device of a stored set."""
        return cls(
            tuple(known.countries),
            known.language,
            known.city,
            known.region,
            known.timezone,
            "mobile" if known.device == "mobile" else "desktop" if known.device else None,
        )


async def input_of(workspace: Workspace, known: PromptSet) -> PromptSetInput:
    """Return the current settings of a set, as a basis for changes."""
    prompts = tuple(map(PromptDraft.of, await workspace.prompts.of_set(known.key)))
    return PromptSetInput(
        name=known.name,
        prompts=prompts,
        brand_key=known.brand_key,
        description=known.description,
        platforms=tuple(known.platforms),
        mode=known.mode,
        repeats=known.repeats,
        schedule=known.schedule,
        archived=known.archived_at is not None,
        countries=tuple(known.countries),
        language=known.language,
        city=known.city,
        region=known.region,
        timezone=known.timezone,
        device=known.device,
    )


async def create(
    writing: Workspace, engines: "Registry", settings: PromptSetInput, now: datetime
) -> PromptSet:
    """Create a prompt set. Raises ChangeRefused, in which case nothing is stored."""
    settings = checked(settings, engines)
    await refuse_too_many(writing, 0, len(settings.prompts))
    due = next_tick(settings.schedule, now, settings.timezone) if settings.schedule else None
    others = {"description": settings.description, "schedule": settings.schedule, "next_run_at": due}
    try:
        return await writing.prompt_sets.create(settings.brand_key, settings.draft, others, now)
    except DuplicateRow as taken:
        raise name_taken("prompt set", "list_prompt_sets") from taken


async def change(
    writing: Workspace, engines: "Registry", known: PromptSet, settings: PromptSetInput, now: datetime
) -> PromptSet:
    """Change a set to these settings. Raises ChangeRefused, in which case nothing is stored."""
    present = await writing.prompts.of_set(known.key)
    languages = {prompt.text: prompt.language for prompt in present}
    prompts = tuple(
        replace(prompt, language=prompt.language or languages.get(prompt.text)) for prompt in settings.prompts
    )
    settings = checked(replace(settings, prompts=prompts), engines)
    before = 0 if known.archived_at else len(present)
    await refuse_too_many(writing, before, 0 if settings.archived else len(prompts))
    others: dict[str, Any] = {
        "description": settings.description,
        "schedule": settings.schedule,
        "next_run_at": due_after(known, settings, now),
        "archived_at": (known.archived_at or now) if settings.archived else None,
    }
    try:
        return await writing.prompt_sets.change(known, settings.brand_key, settings.draft, others, now)
    except DuplicateRow as taken:
        raise name_taken("prompt set", "list_prompt_sets") from taken


async def change_place(
    writing: Workspace, engines: "Registry", known: PromptSet, place: SetPlace, now: datetime
) -> PromptSet:
    """Change the location of a set. Raises ChangeRefused, in which case nothing is stored."""
    place = checked_place(place)
    if place == SetPlace.of(known):
        return known
    changed = replace(
        await input_of(writing, known),
        countries=place.countries,
        language=place.language,
        city=place.city,
        region=place.region,
        timezone=place.timezone,
        device=place.device,
    )
    return await change(writing, engines, known, changed, now)


def checked_place(place: SetPlace) -> SetPlace:
    """Normalize a location. Raises ChangeRefused."""
    countries = dict.fromkeys(known_place("countries", country_code, code) for code in place.countries)
    checked = replace(
        place,
        countries=tuple(countries),
        language=known_place("language", language_tag, place.language) if place.language else None,
        city=known_place("city", city_name, place.city) if place.city else None,
        region=known_place("region", city_name, place.region) if place.region else None,
        timezone=known_place("timezone", timezone_name, place.timezone) if place.timezone else None,
    )
    if (checked.city or checked.region) and len(checked.countries) != 1:
        raise ChangeRefused(
            "city: a city or region needs the one country it lies in", "Send exactly one country with it."
        )
    return checked


def due_after(known: PromptSet, settings: PromptSetInput, now: datetime) -> datetime | None:
    """Return the next tick: the current one, unless schedule or time zone changed or the set was restored."""
    if settings.schedule is None or settings.archived:
        return None
    unchanged = (settings.schedule, settings.timezone) == (known.schedule, known.timezone)
    if unchanged and known.next_run_at is not None:
        return known.next_run_at
    return next_tick(settings.schedule, now, settings.timezone)


def checked(settings: PromptSetInput, engines: "Registry") -> PromptSetInput:
    """Validate and normalize settings. Raises ChangeRefused."""
    refuse_twins([prompt.text for prompt in settings.prompts])
    place = checked_place(
        SetPlace(
            settings.countries,
            settings.language,
            settings.city,
            settings.region,
            settings.timezone,
        )
    )
    settings = replace(
        settings,
        countries=place.countries,
        language=place.language,
        city=place.city,
        region=place.region,
        timezone=place.timezone,
        prompts=tuple(in_normal_form(prompt) for prompt in settings.prompts),
    )
    platforms = known_platforms(settings.platforms, engines)
    if settings.schedule is None:
        return replace(settings, platforms=platforms)
    schedule = normal_form(settings.schedule)
    if settings.brand_key is None:
        raise ChangeRefused(
            "schedule: a prompt set for every brand cannot have one", "Send a brandId too, or no schedule."
        )
    return replace(settings, platforms=platforms, schedule=schedule)


def in_normal_form(prompt: PromptDraft) -> PromptDraft:
    """Return a prompt with its locale in normal form. Raises ChangeRefused."""
    return replace(
        prompt,
        language=known_place("prompts: language", language_tag, prompt.language) if prompt.language else None,
        country=known_place("prompts: country", country_code, prompt.country) if prompt.country else None,
        city=known_place("prompts: city", city_name, prompt.city) if prompt.city else None,
    )


def known_place(field: str, check: Callable[[str], str], value: str) -> str:
    """Normalize one part of a locale. Raises ChangeRefused."""
    try:
        return check(value)
    except ValueError as fault:
        raise ChangeRefused(f"{field}: it {fault}", "Change it, or leave it out.") from fault


def refuse_twins(texts: Sequence[str]) -> None:
    """Reject a question that occurs twice, because it would be unclear which of their answers count."""
    first: dict[str, int] = {}
    for place, text in enumerate(texts, start=1):
        if first.setdefault(text, place) != place:
            raise ChangeRefused(
                f"prompts: number {place} is the same question as number {first[text]}",
                "Send each question once; repeats says how often it is asked.",
            )


def known_platforms(platforms: Sequence[str], engines: "Registry") -> tuple[str, ...]:
    """Return the platforms by the engines' own names, without duplicates. Raises ChangeRefused."""
    try:
        return tuple(dict.fromkeys(engines.get(platform).platform for platform in platforms))
    except UnknownPlatform as unknown:
        known = ", ".join(engines.platforms)
        raise ChangeRefused("platforms: there is no such engine", f"There is: {known}.") from unknown


async def refuse_too_many(writing: Workspace, before: int, after: int) -> None:
    """Enforce the plan's limit of active prompts, one change at a time; reductions are always allowed."""
    plan = PLANS[await writing.credits.lock()]
    others = await writing.prompt_sets.active_prompts() - before
    if after > before and others + after > plan.prompts:
        raise ChangeRefused(
            f"{others + after} active prompts would be more than the {plan.prompts} of the {plan.name} plan",
            "Send fewer prompts, or archive a set with update_prompt_set.",
        )


def name_taken(noun: str, lister: str) -> ChangeRefused:
    """Return the error for a name that is taken, regardless of case."""
    return ChangeRefused(
        f"name: another {noun} has this name", f"Send another name. Call {lister} for those there are."
    )
