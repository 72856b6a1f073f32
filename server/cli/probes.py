"""Probes: engines asked now, with progress, and the score that comes out."""

import sys
import time
from typing import Annotated, Any

import typer

from measurement.asking.probe_progress import ProbeResult, Step
from measurement.planning.ask_plan import AskPlan, ProbeRequest, make_plan
from measurement.planning.brand_identity import find_brand
from measurement.planning.clock import utc_now
from server.cli.consent import Consent
from server.cli.lookup import find_company
from server.cli.options import Company, Json, OneBrand
from server.cli.output import Output, format_rate
from server.cli.probe_costs import confirm_cost, cost_fields
from server.cli.session import with_service
from server.service import Service
from storage.repositories.brands import Brand
from tools.calls.wire import Intervals
from tools.scores import AiVisibilityScore, score_view

EXIT_CODES = {"success": 0, "partial": 3}


def probe(
    brand: OneBrand,
    company: Company = None,
    platform: Annotated[list[str] | None, typer.Option(help="May be given several times.")] = None,
    prompt_set: str | None = None,
    query: Annotated[str | None, typer.Option(help="One question instead of a prompt set.")] = None,
    mode: Annotated[str | None, typer.Option(help="visibility or readiness.")] = None,
    repeats: Annotated[int | None, typer.Option(min=1, max=20)] = None,
    max_output_tokens: Annotated[int | None, typer.Option(min=16, max=8192)] = None,
    country: Annotated[
        list[str] | None, typer.Option(help="Ask from here, such as DE; may be given several times.")
    ] = None,
    preview: Annotated[
        bool, typer.Option("--preview", help="Say what it would ask and cost; ask nothing.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before spending money.")] = False,
    as_json: Json = False,
) -> None:
    """Ask engines now and publish the result; exits with 0 when measured, 3 when too much is missing."""
    request = ProbeRequest(
        brand, tuple(platform or ()), prompt_set, query, mode, repeats, tuple(country or ())
    )
    consent = Consent(preview, ask=not (yes or as_json) and sys.stdin.isatty())
    with_service(as_json, run_and_report, company, request, max_output_tokens, consent)


async def run_and_report(
    service: Service,
    output: Output,
    company_name: str | None,
    request: ProbeRequest,
    max_output_tokens: int | None,
    consent: Consent,
) -> int:
    """Ask engines now; return the exit code: 0 measured, 3 with too many answers missing, 1 not measured."""
    company = await find_company(service.database, company_name)
    plan = await make_plan(
        service.database, company.id, request, service.engines, service.engine_keys, utc_now()
    )
    if not await confirm_cost(service, output, company.id, plan, max_output_tokens, consent):
        return 0
    probed = await run_probe(service, output, company.id, plan, max_output_tokens)
    score = await score_view(
        service.database.workspace(company.id), await reload_brand(service, company.id, plan.brand)
    )
    report = report_fields(probed, score)
    output.data(report, lambda: show_probe(output, probed, score))
    for platform, code, message, count in probed.errors:
        output.say(f"{platform}: {count} asks failed: {code}: {message}")
    if probed.failed:
        output.say(f"{probed.failed} of {probed.planned} asks failed; the same command measures anew")
    return EXIT_CODES.get(probed.status, 1)


async def run_probe(
    service: Service, output: Output, company_id: str, plan: AskPlan, max_output_tokens: int | None
) -> ProbeResult:
    """Run a plan behind a progress bar."""
    output.say(
        f"prompts {len(plan.prompts)} x platforms {len(plan.platforms)} x repeats {plan.repeats} = asks {plan.asks}"
    )
    started = time.monotonic()
    with output.progress() as bar:
        task = bar.add_task(f"asking {', '.join(plan.platforms)}", total=plan.asks, rate="")
        first: list[int] = []

        def advanced(step: Step) -> None:
            first[:] = first or [step.settled]
            done = format_rate(step.settled - first[0], time.monotonic() - started, "answers")
            bar.update(task, completed=step.settled, total=step.total, rate=done)

        probed = await service.prober(max_output_tokens).probe(company_id, plan, advanced)
    if probed.resumed:
        output.say(
            "An unfinished probe of the same plan was taken up; what it had stored was not asked again."
        )
    return probed


async def reload_brand(service: Service, company_id: str, brand: Brand) -> Brand:
    """Return the brand as it stands now."""
    return await find_brand(service.database.workspace(company_id), brand.id)


def report_fields(probed: ProbeResult, score: AiVisibilityScore) -> dict[str, Any]:
    """Return a finished probe as JSON."""
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
        "cost": cost_fields(probed),
        "score": score.model_dump(mode="json"),
    }


def show_probe(output: Output, probed: ProbeResult, score: AiVisibilityScore) -> None:
    """Print a finished probe for people."""
    output.people.print(
        f"batch {probed.batch.id}: {probed.status}, {probed.stored} of {probed.planned} answers stored"
    )
    for cost in cost_fields(probed)["known"]:
        output.people.print(f"known cost of {cost['answers']} answers: {cost['amount']} {cost['currency']}")
    show_score(output, score)


def show_score(output: Output, score: AiVisibilityScore) -> None:
    """Print a score with its intervals and factors."""
    if score.score is None:
        output.people.print(f"{score.brandName}: no score ({score.reason})")
    else:
        these_prompts, all_questions = interval_texts(score.intervals)
        output.people.print(
            f"{score.brandName}: visibility {score.score} of 100; 95 % interval: "
            f"these prompts {these_prompts}, all such questions {all_questions} "
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
        output.table(("part", "value", "weight", "samples", "why not"), rows)
    if score.receipt:
        output.people.print(f"receipt {score.receipt.receiptId}")
    if score.notice:
        output.say(score.notice)


def interval_texts(intervals: Intervals | None) -> tuple[str, str]:
    """Return both intervals of a score as text: for these prompts, and for all such questions."""
    if intervals is None:
        return "-", "-"
    these_prompts, all_questions = intervals.thesePrompts, intervals.allQuestions
    bound = "at most " if intervals.atMost else ""
    return (
        f"{bound}{these_prompts.low:.1f} to {these_prompts.high:.1f}",
        f"{all_questions.low:.1f} to {all_questions.high:.1f}" if all_questions else "-",
    )
