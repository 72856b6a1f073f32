"""Makes and changes prompt sets within the rules of plan, names and schedules."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from engines.errors import UnknownPlatform
from engines.registry import Registry
from storage.errors import Duplicate
from storage.repositories.prompt_sets import PromptDraft, PromptSet, PromptSetDraft
from storage.workspace import Workspace
from workflows.catalog import PLANS
from workflows.cron import next_tick, normal_form
from workflows.errors import ChangeRefused


@dataclass(frozen=True, slots=True)
class PromptSetWish:
    """How a prompt set shall be; without a brand it is one for every brand."""

    name: str
    prompts: tuple[PromptDraft, ...]
    brand_key: int | None = None
    description: str | None = None
    platforms: tuple[str, ...] = ()
    mode: str = "visibility"
    repeats: int = 3
    schedule: str | None = None
    archived: bool = False

    @property
    def draft(self) -> PromptSetDraft:
        """What is asked, and how."""
        return PromptSetDraft(self.name, self.prompts, self.platforms, self.mode, self.repeats)


async def wish_of(workspace: Workspace, known: PromptSet) -> PromptSetWish:
    """Return how a set is now, to be changed from there."""
    prompts = tuple(
        PromptDraft(one.text, one.intent, tuple(one.tags), one.branded, one.language)
        for one in await workspace.prompt_sets.prompts(known.key)
    )
    return PromptSetWish(
        name=known.name,
        prompts=prompts,
        brand_key=known.brand_key,
        description=known.description,
        platforms=tuple(known.platforms),
        mode=known.mode,
        repeats=known.repeats,
        schedule=known.schedule,
        archived=known.archived_at is not None,
    )


async def create(writing: Workspace, engines: Registry, wish: PromptSetWish, now: datetime) -> PromptSet:
    """Make a set. Raises ChangeRefused, and then nothing is kept."""
    wish = checked(wish, engines)
    await refuse_too_many(writing, 0, len(wish.prompts))
    due = next_tick(wish.schedule, now) if wish.schedule else None
    others = {"description": wish.description, "schedule": wish.schedule, "next_run_at": due}
    try:
        return await writing.prompt_sets.create(wish.brand_key, wish.draft, others, now)
    except Duplicate as taken:
        raise name_taken("prompt set", "list_prompt_sets") from taken


async def change(
    writing: Workspace, engines: Registry, known: PromptSet, wish: PromptSetWish, now: datetime
) -> PromptSet:
    """Bring a set to what is wished. Raises ChangeRefused, and then nothing is kept."""
    present = await writing.prompt_sets.prompts(known.key)
    languages = {one.text: one.language for one in present}
    prompts = tuple(replace(one, language=one.language or languages.get(one.text)) for one in wish.prompts)
    wish = checked(replace(wish, prompts=prompts), engines)
    before = 0 if known.archived_at else len(present)
    await refuse_too_many(writing, before, 0 if wish.archived else len(prompts))
    others: dict[str, Any] = {
        "description": wish.description,
        "schedule": wish.schedule,
        "next_run_at": due_after(known, wish, now),
        "archived_at": (known.archived_at or now) if wish.archived else None,
    }
    try:
        return await writing.prompt_sets.change(known, wish.brand_key, wish.draft, others, now)
    except Duplicate as taken:
        raise name_taken("prompt set", "list_prompt_sets") from taken


def due_after(known: PromptSet, wish: PromptSetWish, now: datetime) -> datetime | None:
    """Return the next tick: the one that stands, unless the schedule changed or the set comes back."""
    if wish.schedule is None or wish.archived:
        return None
    if wish.schedule == known.schedule and known.next_run_at is not None:
        return known.next_run_at
    return next_tick(wish.schedule, now)


def checked(wish: PromptSetWish, engines: Registry) -> PromptSetWish:
    """Return the wish in its normal form. Raises ChangeRefused."""
    refuse_twins([one.text for one in wish.prompts])
    platforms = known_platforms(wish.platforms, engines)
    if wish.schedule is None:
        return replace(wish, platforms=platforms)
    schedule = normal_form(wish.schedule)
    if wish.brand_key is None:
        raise ChangeRefused(
            "schedule: a prompt set for every brand cannot have one", "Send a brandId too, or no schedule."
        )
    return replace(wish, platforms=platforms, schedule=schedule)


def refuse_twins(texts: Sequence[str]) -> None:
    """Refuse a question that is there twice: nobody could tell which of their answers count."""
    first: dict[str, int] = {}
    for place, text in enumerate(texts, start=1):
        if first.setdefault(text, place) != place:
            raise ChangeRefused(
                f"prompts: number {place} is the same question as number {first[text]}",
                "Send each question once; repeats says how often it is asked.",
            )


def known_platforms(platforms: Sequence[str], engines: Registry) -> tuple[str, ...]:
    """Return the platforms by the engines' own names, each once. Raises ChangeRefused."""
    try:
        return tuple(dict.fromkeys(engines.get(platform).platform for platform in platforms))
    except UnknownPlatform as unknown:
        known = ", ".join(engines.platforms)
        raise ChangeRefused("platforms: there is no such engine", f"There is: {known}.") from unknown


async def refuse_too_many(writing: Workspace, before: int, after: int) -> None:
    """Hold the company to its plan's active prompts, one change at a time; fewer are always welcome."""
    plan = PLANS[await writing.credits.lock()]
    others = await writing.prompt_sets.active_prompts() - before
    if after > before and others + after > plan.prompts:
        raise ChangeRefused(
            f"{others + after} active prompts would be more than the {plan.prompts} of the {plan.name} plan",
            "Send fewer prompts, or archive a set with update_prompt_set.",
        )


def name_taken(what: str, lister: str) -> ChangeRefused:
    """Say that a name is another one's, in any case of its letters."""
    return ChangeRefused(
        f"name: another {what} has this name", f"Send another name. Call {lister} for those there are."
    )
