"""The tool that runs a prompt set now, or previews its cost."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Annotated

from pydantic import Field

from measurement.planning.engine_names import platform_name
from tools.calls.call import Call, ThisCall
from tools.calls.parameters import Omissible, PromptSetId, RunStatus, written_as
from tools.calls.table import ToolFamily
from tools.calls.wire import Wire
from tools.prompt_set_fields import Platforms, Repeats
from workflows.configurations import MOST_COUNTRIES
from workflows.prompt_set_runs import PromptSetRunPlan, PromptSetRunRequest, plan_run, start_run

family = ToolFamily()


class ExpectedCost(Wire):
    """Money that engines are expected to charge."""

    currency: str
    amount: float


class PromptSetRun(Wire):
    """A run of one prompt set: the plan, and once it was started its id."""

    runId: str | None = Field(description="Null for a preview.")
    status: RunStatus | None
    promptSetId: str
    brandId: str
    platforms: list[str]
    countries: list[str] = Field(
        description="Where questions without a country of their own are asked from; engines that take none ignore it."
    )
    prompts: int
    headlinePrompts: int = Field(
        description="Prompts that do not name the brand; only these count in the score."
    )
    repeats: int
    asks: int = Field(description="Requests to engines in all.")
    credits: int
    creditsAvailable: int = Field(description="Before the run.")
    expectedCosts: list[ExpectedCost] = Field(description="By currency, where prices are known.")
    unpricedPlatforms: list[str] = Field(description="Engines without a known price.")
    smallestDetectableChange: float | None = Field(
        description="Smallest change of a rate, in percentage points, that is detected in 8 of 10 comparisons; "
        "null with fewer than two headline prompts."
    )
    unavailablePlatforms: list[str] = Field(
        default=[],
        description="Engines of a preview without a key; a run is rejected until they have one or others are sent.",
    )
    notice: str | None = None


PreviewOnly = Annotated[bool, Field(description="Only return the cost.")]
RunBrandId = Annotated[
    str,
    Field(min_length=1, max_length=200, description="Brand id or name, where the set is for every brand."),
]
RunCountries = Annotated[
    list[Annotated[str, Field(min_length=2, max_length=2), written_as("country-code")]],
    Field(max_length=MOST_COUNTRIES, description="Instead of the set's, such as US."),
]


@family.write("Run prompt set", destructive=True, idempotent=False, open_world=True)
async def run_prompt_set(
    promptSetId: PromptSetId,
    call: ThisCall,
    platforms: Omissible[Platforms] = None,
    repeats: Omissible[Repeats] = None,
    brandId: Omissible[RunBrandId] = None,
    preview: PreviewOnly = False,
    countries: Omissible[RunCountries] = None,
) -> PromptSetRun:
    """Ask a prompt set now; this spends credits. With preview it only returns what that asks and costs. Poll
    get_run_status with the runId."""
    request = PromptSetRunRequest(
        promptSetId, brandId, tuple(platforms or ()), repeats, tuple(countries or ())
    )
    if preview:
        assert call.principal is not None
        async with call.open_workspace(call.principal, False) as reading:
            return _view(await plan_run(reading, call.desk, request, call.now(), as_preview=True))
    await call.desk.engine.open()  # not inside of the transaction that comes next
    arguments = {
        "promptSetId": promptSetId,
        "brandId": brandId,
        "platforms": platforms,
        "repeats": repeats,
        "countries": countries,
    }
    return await call.answer_once(arguments, PromptSetRun, partial(_start, call, request))


async def _start(call: Call, request: PromptSetRunRequest) -> PromptSetRun:
    writing = await call.workspace()
    plan = await plan_run(writing, call.desk, request, call.now())
    return _view(plan, await start_run(writing, call.desk, plan, call.now()))


def _view(planned: PromptSetRunPlan, run_id: str | None = None) -> PromptSetRun:
    plan = planned.plan
    return PromptSetRun(
        runId=run_id,
        status="pending" if run_id else None,
        promptSetId=planned.request.prompt_set_id,
        brandId=planned.brand.id,
        platforms=list(plan.platforms),
        countries=list(plan.countries),
        prompts=len(plan.prompts),
        headlinePrompts=planned.headline_prompts,
        repeats=plan.repeats,
        asks=plan.asks,
        credits=planned.credits,
        creditsAvailable=planned.credits_available,
        expectedCosts=expected_costs(planned.money),
        unpricedPlatforms=list(planned.unpriced),
        smallestDetectableChange=None if planned.detectable is None else round(100 * planned.detectable, 1),
        unavailablePlatforms=list(planned.unavailable),
        notice=_key_notice(planned.unavailable),
    )


def expected_costs(money: Mapping[str, Decimal]) -> list[ExpectedCost]:
    """Return amounts by currency as they are shown."""
    return [ExpectedCost(currency=currency, amount=float(amount)) for currency, amount in money.items()]


def _key_notice(unavailable: Sequence[str]) -> str | None:
    """Say which engines of a preview cannot be asked yet."""
    if not unavailable:
        return None
    names = ", ".join(platform_name(platform) for platform in unavailable)
    return f"There is no key for {names}, so a run as previewed cannot start. Send platforms to preview fewer engines."
