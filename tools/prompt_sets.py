"""The prompt set tools: which questions are asked, how often, and when."""

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from storage.repositories.prompt_sets import ListedPromptSet, Prompt, PromptDraft, PromptSet
from storage.workspace import Workspace
from tools.call import NamedBrandIfAny, ThisCall
from tools.parameters import (
    STORABLE,
    UNSAID,
    WHOLE,
    Archived,
    CompanyWideBrandId,
    IncludeArchived,
    Limit,
    Name,
    Offset,
    Omissible,
    Platform,
    PromptSetId,
    Schedule,
)
from tools.table import ToolFamily
from tools.wire import Page, Wire, place_of
from workflows.errors import Missing
from workflows.prompt_sets import PromptSetWish, change, create, wish_of

family = ToolFamily()

Mode = Literal["visibility", "readiness"]
Description = Annotated[
    str, Field(max_length=2000, description="What the set is for, in the words of people."), STORABLE
]
Label = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100), STORABLE]


class PromptRequest(BaseModel):
    """One question as it is sent."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=2000),
        STORABLE,
        Field(description="The question as a buyer would ask it, 1 to 2000 characters."),
    ]
    intent: Omissible[Annotated[Label, Field(description="What the buyer wants, such as compare.")]] = None
    tags: Annotated[
        list[Label], Field(default_factory=list, max_length=20, description="Free labels, at most 20.")
    ]
    branded: Omissible[
        Annotated[bool, Field(description="Whether it names the brand; left out, the matcher decides.")]
    ] = None


Prompts = Annotated[
    list[PromptRequest],
    Field(min_length=1, max_length=500, description="The questions, 1 to 500, each once."),
]
Platforms = Annotated[
    list[Platform], Field(max_length=20, description="Engines to ask; list_simulations shows those in use.")
]
ModeField = Annotated[Mode, Field(description="visibility asks without web search, readiness with it.")]
Repeats = Annotated[
    int, Field(ge=1, le=20, description="How often each question is put to each engine, 1 to 20."), WHOLE
]


class LastBatch(Wire):
    """The newest batch that asked the set."""

    promptSetVersion: int
    status: Literal["running", "success", "failed", "cancelled"]
    startedAt: datetime
    finishedAt: datetime | None


class PromptSetSummary(Wire):
    """One prompt set without its questions."""

    promptSetId: str
    name: str
    description: str | None
    brandId: str | None = Field(description="Null: it is for every brand.")
    brandName: str | None
    status: Literal["active", "archived"]
    version: int = Field(
        description="Rises when the questions change; scores compare what both versions asked."
    )
    promptCount: int
    platforms: list[str]
    mode: Mode
    repeats: int
    schedule: str | None = Field(description="Cron, UTC.")
    nextRunAt: datetime | None
    lastRun: LastBatch | None
    createdAt: datetime
    updatedAt: datetime


class PromptView(Wire):
    """One question; its id stays while its text does."""

    promptId: str
    text: str
    intent: str | None
    tags: list[str]
    branded: bool | None = Field(
        description="A person's word over the matcher's; null leaves it to the matcher."
    )


class PromptSetView(PromptSetSummary):
    """One prompt set with its questions."""

    prompts: list[PromptView]


class PromptSets(Page):
    """A page of prompt sets, by name."""

    promptSets: list[PromptSetSummary]


@family.read("List prompt sets")
async def list_prompt_sets(
    call: ThisCall,
    brand: NamedBrandIfAny,
    brandId: Omissible[CompanyWideBrandId] = None,
    includeArchived: IncludeArchived = False,
    limit: Limit = 20,
    offset: Offset = 0,
) -> PromptSets:
    """List prompt sets with how many questions they hold, schedule and last run. The ids feed update_prompt_set, which
    called with an id alone returns the questions too."""
    workspace = await call.workspace()
    brand_key = brand.key if brand else None
    found, total = await workspace.prompt_sets.page(brand_key, includeArchived, limit, offset)
    return PromptSets(
        promptSets=[PromptSetSummary.model_validate(summary_fields(one)) for one in found],
        **place_of(total, limit, offset),
    )


@family.write("Create prompt set", destructive=False, idempotent=False)
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
) -> PromptSetView:
    """Create a set of questions that are put to AI engines again and again, by a schedule if it has one. Call
    list_brand_profiles for brand ids."""
    writing = await call.workspace()
    wish = PromptSetWish(
        name=name,
        prompts=drafts_of(prompts),
        brand_key=brand.key if brand else None,
        description=description,
        platforms=tuple(platforms or ()),
        mode=mode,
        repeats=repeats,
        schedule=None if schedule is UNSAID else schedule,
    )
    return await view_of(writing, await create(writing, call.desk.engines, wish, call.now()))


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
) -> PromptSetView:
    """Change what is sent of a prompt set and leave the rest; prompts replace the list, and kept ones keep their ids.
    Call list_prompt_sets for prompt set ids."""
    writing = await call.workspace()
    await writing.credits.lock()  # nobody else changes a set until this call has ended
    listed = await writing.prompt_sets.listed(promptSetId)
    if listed is None:
        raise Missing("prompt set")
    given: dict[str, Any] = {
        "name": name,
        "brand_key": brand.key if brand else None,
        "description": description,
        "prompts": None if prompts is None else drafts_of(prompts),
        "platforms": None if platforms is None else tuple(platforms),
        "mode": mode,
        "repeats": repeats,
        "archived": archived,
    }
    changes = {field: value for field, value in given.items() if value is not None}
    if schedule is not UNSAID:
        changes["schedule"] = schedule
    known = listed.set
    if changes:
        wish = replace(await wish_of(writing, known), **changes)
        known = await change(writing, call.desk.engines, known, wish, call.now())
    return await view_of(writing, known)


def drafts_of(prompts: list[PromptRequest]) -> tuple[PromptDraft, ...]:
    """Return questions as they are stored."""
    return tuple(PromptDraft(one.text, one.intent, tuple(one.tags), one.branded) for one in prompts)


async def view_of(workspace: Workspace, known: PromptSet) -> PromptSetView:
    """Return a set with its questions."""
    listed = await workspace.prompt_sets.listed(known.id)
    assert listed is not None
    prompts = [prompt_view(one) for one in await workspace.prompt_sets.prompts(known.key)]
    return PromptSetView.model_validate({**summary_fields(listed), "prompts": prompts})


def summary_fields(one: ListedPromptSet) -> dict[str, Any]:
    """Return the fields that list and set share."""
    known, last = one.set, one.last
    return {
        "promptSetId": known.id,
        "name": known.name,
        "description": known.description,
        "brandId": one.brand_id,
        "brandName": one.brand_name,
        "status": "archived" if known.archived_at else "active",
        "version": known.version,
        "promptCount": one.prompts,
        "platforms": list(known.platforms),
        "mode": known.mode,
        "repeats": known.repeats,
        "schedule": known.schedule,
        "nextRunAt": known.next_run_at,
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


def prompt_view(one: Prompt) -> PromptView:
    """Return a question as it is shown."""
    return PromptView(
        promptId=one.id, text=one.text, intent=one.intent, tags=list(one.tags), branded=one.branded
    )
