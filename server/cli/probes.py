"""Probes: engines are queried now, with a cost preview and progress, and the score is printed."""

import sys
from typing import Annotated, Any

import typer

from measurement.asking.probe_progress import ProbeResult, Step
from measurement.planning.ask_plan import AskPlan, ProbeRequest, make_plan
from measurement.planning.clock import utc_now
from measurement.planning.costs import Preview, format_amount
from measurement.planning.detection import PlanNoise, detectable_change, noise_of
from server.cli.companies import budget_fields
from server.cli.output import Output, confirm
from server.cli.session import OneBrand, Session, command
from tools.calls.wire import Intervals
from tools.scores import AiVisibilityScore, score_view

EXIT_CODES = {"success": 0, "partial": 3}


@command(service=True)
async def probe(
    session: Session,
    brand: OneBrand,
    platform: Annotated[list[str] | None, typer.Option(help="Engine to query. Repeatable.")] = None,
    prompt_set: str | None = None,
    query: Annotated[str | None, typer.Option(help="One prompt instead of a prompt set.")] = None,
    mode: Annotated[str | None, typer.Option(help="visibility or readiness.")] = None,
    repeats: Annotated[int | None, typer.Option(min=1, max=20)] = None,
    max_output_tokens: Annotated[int | None, typer.Option(min=16, max=8192)] = None,
    country: Annotated[
        list[str] | None, typer.Option(help="Ask from this country, such as DE. Repeatable.")
    ] = None,
    preview: Annotated[bool, typer.Option("--preview", help="Show requests and cost; send nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
) -> int:
    """Query engines now and publish the result; exits with 0 when measured, 3 when too much is missing."""
    service, output = session.service, session.output
    request = ProbeRequest(
        brand, tuple(platform or ()), prompt_set, query, mode, repeats, tuple(country or ())
    )
    plan = await make_plan(
        session.database, session.company.id, request, service.engines, service.engine_keys, utc_now()
    )
    asks_first = not (yes or output.as_json) and sys.stdin.isatty()
    if not await confirm_cost(session, plan, max_output_tokens, only_preview=preview, asks_first=asks_first):
        return 0
    probed = await run_probe(session, plan, max_output_tokens)
    score = await score_view(session.workspace, await session.brand(plan.brand.id))
    if output.as_json:
        output.show(report_fields(probed, score))
    else:
        show_probe(output, probed, score)
    for engine, code, message, count in probed.errors:
        output.say(f"{engine}: {count} requests failed: {code}: {message}")
    if probed.failed:
        output.say(
            f"{probed.failed} of {probed.planned} requests failed. Run the same command to measure again."
        )
    return EXIT_CODES.get(probed.status, 1)


async def confirm_cost(
    session: Session, plan: AskPlan, max_output_tokens: int | None, *, only_preview: bool, asks_first: bool
) -> bool:
    """Show what a plan costs; return True when it may start. A plan that costs nothing needs no confirmation."""
    preview = await session.service.costs.preview(session.company.id, plan, max_output_tokens)
    points = detectable_points(plan, await noise_of(session.workspace, plan.brand, utc_now()))
    if only_preview:
        show_preview(session.output, plan, preview, points)
        return False
    free = all(estimate.basis == "free" for estimate in preview.estimates)
    if not asks_first or free or preview.refusal():
        return True
    show_preview(session.output, plan, preview, points)
    return await confirm("Start?")


def detectable_points(plan: AskPlan, noise: PlanNoise) -> float | None:
    """Return the smallest change of the score, in points, that a plan detects with a power of 80%.

    Only prompts of a prompt set that are not branded count; None when they detect nothing.
    """
    counted = [prompt for prompt in plan.prompts if plan.prompt_set and not prompt.branded]
    smallest = detectable_change(plan, len(counted), noise) if counted else None
    return None if smallest is None else 100 * smallest


def show_preview(output: Output, plan: AskPlan, preview: Preview, points: float | None) -> None:
    """Print a plan and its estimated cost; amounts are decimal text, null is unknown."""
    refusal = preview.refusal()
    platforms = [
        {
            "platform": estimate.platform,
            "model": estimate.model,
            "asks": estimate.asks,
            "costPerAsk": estimate.each,
            "cost": estimate.total,
            "currency": estimate.currency,
            "basis": estimate.basis,
        }
        for estimate in preview.estimates
    ]
    output.show(
        {
            "prompts": len(plan.prompts),
            "repeats": plan.repeats,
            "mode": str(plan.mode),
            "asks": plan.asks,
            "platforms": platforms,
            "totals": preview.totals,
            "unknownPrices": list(preview.unknown),
            "budget": budget_fields(preview.budget, preview.spent_today),
            "refused": refusal.message if refusal else None,
            "smallestDetectableChange": points,
        }
    )
    if output.as_json:
        return
    for currency, total in preview.totals.items():
        output.people.print(f"about {format_amount(total)} {currency} in total")
    output.people.print(power_line(points))


def power_line(points: float | None) -> str:
    """Return what a plan could detect when it is repeated unchanged."""
    if points is None:
        return (
            "Repeated unchanged, this plan can detect no change. Use more prompts; 10 or more are advisable."
        )
    return f"Repeated unchanged, this plan detects a change of {points:.0f} points or more (power 80%)."


async def run_probe(session: Session, plan: AskPlan, max_output_tokens: int | None) -> ProbeResult:
    """Run a plan with a progress bar."""
    output = session.output
    output.say(
        f"prompts {len(plan.prompts)} x platforms {len(plan.platforms)} x repeats {plan.repeats} = requests {plan.asks}"
    )
    with output.progress(f"asking {', '.join(plan.platforms)}", "answers") as progress:

        def advanced(step: Step) -> None:
            progress(step.settled, step.total)

        prober = session.service.prober(max_output_tokens)
        probed = await prober.probe(session.company.id, plan, advanced)
    if probed.resumed:
        output.say(
            "An unfinished probe of the same plan was resumed; stored answers were not requested again."
        )
    return probed


def report_fields(probed: ProbeResult, score: AiVisibilityScore) -> dict[str, Any]:
    """Return a finished probe as JSON."""
    known = [
        {"currency": cost.currency, "amount": cost.amount, "answers": cost.answers} for cost in probed.costs
    ]
    return {
        "batchId": probed.batch.id,
        "status": probed.status,
        "planned": probed.planned,
        "stored": probed.stored,
        "failed": probed.failed,
        "resumed": probed.resumed,
        "errors": [
            {"platform": platform, "code": code, "message": message, "asks": count}
            for platform, code, message, count in probed.errors
        ],
        "cost": {
            "known": known,
            "answersOfUnknownCost": probed.stored - sum(cost.answers for cost in probed.costs),
        },
        "score": score.model_dump(mode="json"),
    }


def show_probe(output: Output, probed: ProbeResult, score: AiVisibilityScore) -> None:
    """Print a finished probe for people."""
    output.people.print(
        f"batch {probed.batch.id}: {probed.status}, {probed.stored} of {probed.planned} answers stored"
    )
    for cost in probed.costs:
        output.people.print(f"known cost of {cost.answers} answers: {cost.amount:f} {cost.currency}")
    show_score(output, score)


def show_score(output: Output, score: AiVisibilityScore) -> None:
    """Print a score with its intervals and factors."""
    if score.score is None:
        output.people.print(f"{score.brandName}: no score ({score.reason})")
    else:
        this_set, all_similar = interval_texts(score.intervals)
        output.people.print(
            f"{score.brandName}: visibility {score.score} of 100; 95% interval: this prompt set {this_set}, "
            f"all similar prompts {all_similar} "
            f"({score.answers} answers to {score.prompts} prompts, confidence {score.confidence})"
        )
    rows = [
        (
            factor.part,
            "not measured" if factor.value is None else f"{factor.value:.3f}",
            f"{factor.effectiveWeight:.2f}",
            factor.samples,
            factor.reason,
        )
        for factor in score.factors
    ]
    if rows:
        output.table(("factor", "value", "weight", "samples", "reason"), rows)
    if score.receipt:
        output.people.print(f"receipt {score.receipt.receiptId}")
    if score.notice:
        output.say(score.notice)


def interval_texts(intervals: Intervals | None) -> tuple[str, str]:
    """Return both intervals of a score as text: for this prompt set, and for all similar prompts."""
    if intervals is None:
        return "-", "-"
    this_set, all_similar = intervals.thesePrompts, intervals.allQuestions
    bound = "at most " if intervals.atMost else ""
    return (
        f"{bound}{this_set.low:.1f} to {this_set.high:.1f}",
        f"{all_similar.low:.1f} to {all_similar.high:.1f}" if all_similar else "-",
    )
