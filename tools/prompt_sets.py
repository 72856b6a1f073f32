"""The prompt set tools: which questions are asked, how often, and when."""

from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from measurement.errors import Missing
from measurement.planning.prompt_sets import PromptSetInput, change, create, input_of
from storage.repositories.prompt_sets import ListedPromptSet, PromptSet
from storage.repositories.prompts import Prompt, PromptDraft
from storage.workspace import Workspace
from tools.calls.call import NamedBrandIfAny, ThisCall
from tools.calls.parameters import (
    UNSAID,
    Archived,
    CompanyWideBrandId,
    IncludeArchived,
    Limit,
    Name,
    Offset,
    Omissible,
    PromptSetId,
    Schedule,
)
from tools.calls.schemas import required_with, when
from tools.calls.table import ToolFamily
from tools.calls.wire import UNTRUSTED, CleanText, ListWindow, Page, Wire, place_of
from tools.prompt_set_fields import (
    City,
    Countries,
    Description,
    DeviceField,
    IncludePrompts,
    Language,
    Mode,
    ModeField,
    Platforms,
    Prompts,
    PromptsOffset,
    Region,
    Repeats,
    Timezone,
)

family = ToolFamily()

SET_TEXT = ("name", "description", "brandName", "prompts[].text", "prompts[].intent", "prompts[].tags[]")


class LastBatch(Wire):
    """The newest batch that asked the set."""

    promptSetVersion: int
    status: Literal["running", "success", "failed", "cancelled"]
    startedAt: datetime
    finishedAt: datetime | None


class PromptSetSummary(Wire):
    """One prompt set without its questions."""

    promptSetId: str
    name: CleanText
    description: CleanText | None
    brandId: str | None = Field(description="Null: it is for every brand.")
    brandName: CleanText | None
    status: Literal["active", "archived"]
    version: int = Field(
        description="Rises when the questions change; scores compare what both versions asked."
    )
    promptCount: int
    platforms: list[str]
    mode: Mode
    repeats: int
    countries: list[str] = Field(
        description="Where the questions are asked from; engines that take none ignore it."
    )
    language: str | None
    city: str | None
    region: str | None
    timezone: str | None
    device: str | None = Field(description="desktop or mobile, for data providers; null leaves it to them.")
    schedule: str | None = Field(description="Cron, in timezone, else UTC.")
    nextRunAt: datetime | None
    lastRun: LastBatch | None
    createdAt: datetime
    updatedAt: datetime


class PromptView(Wire):
    """One question; its id stays while its text does."""

    promptId: str
    text: CleanText
    intent: CleanText | None
    tags: list[CleanText]
    branded: bool | None = Field(
        description="A person's word over the matcher's; null leaves it to the matcher."
    )
    country: str | None
    language: str | None
    city: str | None


class PromptSetView(PromptSetSummary):
    """One prompt set with its questions."""

    prompts: list[PromptView]
    untrusted: list[str] = Field(default=[*SET_TEXT], description=UNTRUSTED)


class ListedPromptSetView(PromptSetSummary):
    """One prompt set in a list; its questions only where they were asked for."""

    window = ListWindow("prompts", "promptsOffset", "promptsNextOffset")

    prompts: list[PromptView] | None = Field(default=None, description="Null unless includePrompts is true.")
    promptsOffset: int = 0
    promptsNextOffset: int | None = Field(
        default=None, description="promptsOffset of the questions that follow; null at the end."
    )


class PromptSets(Page):
    """A page of prompt sets, by name."""

    window = ListWindow("promptSets")

    promptSets: list[ListedPromptSetView]
    untrusted: list[str] = Field(default=[f"promptSets[].{name}" for name in SET_TEXT], description=UNTRUSTED)


@family.read("List prompt sets")
async def list_prompt_sets(
    call: ThisCall,
    brand: NamedBrandIfAny,
    brandId: Omissible[CompanyWideBrandId] = None,
    includeArchived: IncludeArchived = False,
    includePrompts: IncludePrompts = False,
    promptsOffset: PromptsOffset = 0,
    limit: Limit = 20,
    offset: Offset = 0,
) -> PromptSets:
    """Return prompt sets: what is asked, when, and the last run. Ids feed run_prompt_set and update_prompt_set."""
    workspace = await call.workspace()
    brand_key = brand.key if brand else None
    prompt_sets, total = await workspace.prompt_sets.page(brand_key, includeArchived, limit, offset)
    return PromptSets(
        promptSets=[
            await _listed_view(workspace, listed, promptsOffset if includePrompts else None)
            for listed in prompt_sets
        ],
        **place_of(total, limit, offset),
    )


IN_ONE_COUNTRY: dict[str, Any] = {
    "required": ["countries"],
    "properties": {"countries": {"minItems": 1, "maxItems": 1}},
}
"""A city or region lies in one country."""


@family.write(
    "Create prompt set",
    destructive=False,
    idempotent=False,
    rules=lambda: [
        required_with("brandId", field="schedule", value={"type": "string"}),
        when("city", {"type": "string", "minLength": 1}, IN_ONE_COUNTRY),
        when("region", {"type": "string", "minLength": 1}, IN_ONE_COUNTRY),
    ],
)
async def create_prompt_set(
    name: Name,
    prompts: Prompts,
    call: ThisCall,
    brand: NamedBrandIfAny,
    brandId: Omissible[CompanyWideBrandId] = None,
    description: Omissible[Description] = None,
    platforms: Omissible[Platforms] = None,
    mode: ModeField = "visibility",
    repeats: Repeats = 3,
    schedule: Schedule = UNSAID,
    countries: Omissible[Countries] = None,
    language: Omissible[Language] = None,
    city: Omissible[City] = None,
    region: Omissible[Region] = None,
    timezone: Omissible[Timezone] = None,
    device: Omissible[DeviceField] = None,
) -> PromptSetView:
    """Create a set of prompts to ask AI engines, also on a schedule. To see its cost use run_prompt_set with
    preview."""
    writing = await call.workspace()
    prompt_set = PromptSetInput(
        name=name,
        prompts=tuple(map(PromptDraft.of, prompts)),
        brand_key=brand.key if brand else None,
        description=description,
        platforms=tuple(platforms or ()),
        mode=mode,
        repeats=repeats,
        schedule=None if schedule is UNSAID else schedule,
        countries=tuple(countries or ()),
        language=language,
        city=city,
        region=region,
        timezone=timezone,
        device=device,
    )
    return await view_of(writing, await create(writing, call.desk.engines, prompt_set, call.now()))


@family.write("Update prompt set", destructive=True, idempotent=True)
async def update_prompt_set(
    promptSetId: PromptSetId,
    call: ThisCall,
    brand: NamedBrandIfAny,
    name: Omissible[Name] = None,
    brandId: Omissible[CompanyWideBrandId] = None,
    description: Omissible[Description] = None,
    prompts: Omissible[Prompts] = None,
    platforms: Omissible[Platforms] = None,
    mode: Omissible[ModeField] = None,
    repeats: Omissible[Repeats] = None,
    schedule: Schedule = UNSAID,
    archived: Omissible[Archived] = None,
    countries: Omissible[Countries] = None,
    language: Omissible[Language] = None,
    city: Omissible[City] = None,
    region: Omissible[Region] = None,
    timezone: Omissible[Timezone] = None,
    device: Omissible[DeviceField] = None,
) -> PromptSetView:
    """Change only the fields sent; prompts replaces the list, and unchanged texts keep their ids. For a new set use
    create_prompt_set."""
    writing = await call.workspace()
    await writing.credits.lock()  # locks prompt sets until this call has ended
    listed = await writing.prompt_sets.listed(promptSetId)
    if listed is None:
        raise Missing("prompt set")
    fields: dict[str, Any] = {
        "name": name,
        "brand_key": brand.key if brand else None,
        "description": description,
        "prompts": None if prompts is None else tuple(map(PromptDraft.of, prompts)),
        "platforms": None if platforms is None else tuple(platforms),
        "mode": mode,
        "repeats": repeats,
        "archived": archived,
        "countries": None if countries is None else tuple(countries),
        "language": language,
        "city": city,
        "region": region,
        "timezone": timezone,
        "device": device,
    }
    changes = {field: value for field, value in fields.items() if value is not None}
    if schedule is not UNSAID:
        changes["schedule"] = schedule
    known = listed.set
    if changes:
        prompt_set = replace(await input_of(writing, known), **changes)
        known = await change(writing, call.desk.engines, known, prompt_set, call.now())
    return await view_of(writing, known)


async def _listed_view(
    workspace: Workspace, listed: ListedPromptSet, prompts_from: int | None
) -> ListedPromptSetView:
    """Return a set as a list shows it, with its questions from an offset on when they were asked for."""
    view = ListedPromptSetView.model_validate(summary_fields(listed))
    if prompts_from is not None:
        prompts = await workspace.prompts.of_set(listed.set.key)
        view.prompts = [_prompt_view(prompt) for prompt in prompts[prompts_from:]]
        view.promptsOffset = prompts_from
    return view


async def view_of(workspace: Workspace, known: PromptSet) -> PromptSetView:
    """Return a set with its questions."""
    listed = await workspace.prompt_sets.listed(known.id)
    assert listed is not None
    prompts = [_prompt_view(prompt) for prompt in await workspace.prompts.of_set(known.key)]
    return PromptSetView.model_validate({**summary_fields(listed), "prompts": prompts})


def summary_fields(listed: ListedPromptSet) -> dict[str, Any]:
    """Return the fields that list and set share."""
    known, last = listed.set, listed.last
    return {
        "promptSetId": known.id,
        "name": known.name,
        "description": known.description,
        "brandId": listed.brand_id,
        "brandName": listed.brand_name,
        "status": "archived" if known.archived_at else "active",
        "version": known.version,
        "promptCount": listed.prompts,
        "platforms": list(known.platforms),
        "mode": known.mode,
        "repeats": known.repeats,
        "countries": list(known.countries),
        "language": known.language,
        "city": known.city,
        "region": known.region,
        "timezone": known.timezone,
        "device": known.device,
        "schedule": known.schedule,
        "nextRunAt": None if listed.brand_archived else known.next_run_at,
        "lastRun": last
        and {
            "promptSetVersion": last.version,
            "status": last.status,
            "startedAt": last.created_at,
            "finishedAt": last.finished_at,
        },
        "createdAt": known.created_at,
        "updatedAt": known.updated_at,
    }


def _prompt_view(prompt: Prompt) -> PromptView:
    return PromptView(
        promptId=prompt.id,
        text=prompt.text,
        intent=prompt.intent,
        tags=list(prompt.tags),
        branded=prompt.branded,
        country=prompt.country,
        language=prompt.language,
        city=prompt.city,
    )
