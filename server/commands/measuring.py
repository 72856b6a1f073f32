"""Brands, probes, imports and exports from the command line."""

import time
from pathlib import Path
from typing import Any

from server.commands.output import Output, rate
from server.commands.spending import Consent, agreed, costs_of
from server.commands.subjects import find_company
from server.service import Service, utc_now
from storage.repositories.brands import Brand
from tools.scores import AiVisibilityScore, score_view
from workflows.brand_files import read_brands, save_brands
from workflows.captured_answers import Importer, exported
from workflows.errors import WorkError
from workflows.planning import Plan, ProbeRequest, find_brand, make_plan
from workflows.probing import Probed, Step


async def import_brands(service: Service, output: Output, path: Path, company_name: str | None) -> None:
    """Store the brands of a JSON file, all or none."""
    company = await find_company(service, company_name)
    files = read_brands(path)
    saved = await save_brands(service.database, company.id, files, path.name, utc_now())
    rows = [(brand.id, brand.name) for brand in saved]
    output.data([{"id": id, "name": name} for id, name in rows], lambda: output.table(("id", "name"), rows))
    if any(brand.revision_key is not None for brand in saved):
        output.say(
            "Names or sites may have changed: `seenby serve` or `worker` reads the answers anew, or seenby replay."
        )


async def list_brands(service: Service, output: Output, company_name: str | None) -> None:
    """Print the brands of a company."""
    company = await find_company(service, company_name)
    brands = await service.database.workspace(company.id).brands.all()
    rows = [(brand.id, brand.name, brand.industry, brand.website) for brand in brands]
    values = [
        {"id": one.id, "name": one.name, "industry": one.industry, "website": one.website} for one in brands
    ]
    output.data(values, lambda: output.table(("id", "name", "industry", "website"), rows))


async def probe(
    service: Service,
    output: Output,
    company_name: str | None,
    request: ProbeRequest,
    max_output_tokens: int | None,
    consent: Consent,
) -> int:
    """Ask engines now; return the exit code, 0 only when something was measured."""
    company = await find_company(service, company_name)
    plan = await make_plan(
        service.database, company.id, request, service.engines, service.engine_keys, utc_now()
    )
    if not await agreed(service, output, company.id, plan, max_output_tokens, consent):
        return 0
    probed = await run_probe(service, output, company.id, plan, max_output_tokens)
    score = await score_view(
        service.database.workspace(company.id), await reloaded(service, company.id, plan.brand)
    )
    report = report_of(probed, score)
    output.data(report, lambda: show_probe(output, probed, score))
    for platform, code, message, count in probed.errors:
        output.say(f"{platform}: {count} asks failed: {code}: {message}")
    return 0 if probed.batch.status == "success" else 1


async def run_probe(
    service: Service, output: Output, company_id: str, plan: Plan, max_output_tokens: int | None
) -> Probed:
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
            done = rate(step.settled - first[0], time.monotonic() - started, "answers")
            bar.update(task, completed=step.settled, total=step.total, rate=done)

        probed = await service.prober(max_output_tokens).probe(company_id, plan, advanced)
    if probed.resumed:
        output.say(
            "An unfinished probe of the same plan was taken up; what it had stored was not asked again."
        )
    return probed


async def list_batches(service: Service, output: Output, company_name: str | None) -> None:
    """Print what is running or was cut short."""
    company = await find_company(service, company_name)
    found = await service.database.workspace(company.id).batches.unfinished()
    values = [
        {
            "batchId": one.id,
            "brand": one.brand_name,
            "source": one.source,
            "createdAt": one.created_at,
            "asks": one.asks,
            "stored": one.stored,
            "failed": one.failed,
        }
        for one in found
    ]
    rows = [tuple(value.values()) for value in values]
    output.data(
        values,
        lambda: output.table(("batch", "brand", "source", "since", "asks", "stored", "failed"), rows),
    )


async def cancel_batch(service: Service, output: Output, company_name: str | None, batch_id: str) -> None:
    """Cancel a running batch. Raises WorkError when there is none of this id."""
    company = await find_company(service, company_name)
    async with service.database.transaction(company.id) as writing:
        if not await writing.batches.cancel(batch_id, utc_now()):
            raise WorkError("no running batch has this id", "List them with: seenby batches list")
    value = {"batchId": batch_id, "status": "cancelled"}
    output.data(value, lambda: output.people.print("cancelled; who was asking it stops"))


async def reloaded(service: Service, company_id: str, brand: Brand) -> Brand:
    """Return the brand as it stands now."""
    return await find_brand(service.database.workspace(company_id), brand.id)


def report_of(probed: Probed, score: AiVisibilityScore) -> dict[str, Any]:
    """Return a finished probe as JSON."""
    return {
        "batchId": probed.batch.id,
        "status": probed.batch.status,
        "stored": probed.stored,
        "failed": sum(one.failed for one in probed.progress),
        "resumed": probed.resumed,
        "errors": [
            {"platform": platform, "code": code, "message": message, "asks": count}
            for platform, code, message, count in probed.errors
        ],
        "cost": costs_of(probed),
        "score": score.model_dump(mode="json"),
    }


def show_probe(output: Output, probed: Probed, score: AiVisibilityScore) -> None:
    """Print a finished probe for people."""
    output.people.print(f"batch {probed.batch.id}: {probed.batch.status}, {probed.stored} answers stored")
    for cost in costs_of(probed)["known"]:
        output.people.print(f"known cost of {cost['answers']} answers: {cost['amount']} {cost['currency']}")
    show_score(output, score)


def show_score(output: Output, score: AiVisibilityScore) -> None:
    """Print a score with interval and factors."""
    if score.score is None:
        output.people.print(f"{score.brandName}: no score ({score.reason})")
    else:
        low, high = (score.interval.low, score.interval.high) if score.interval else (0.0, 0.0)
        output.people.print(
            f"[bold]{score.brandName}: visibility {score.score}[/bold] of 100, 95 % interval {low:.1f} to {high:.1f} "
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


async def import_answers(
    service: Service, output: Output, path: Path, company_name: str | None, brand_name: str, keep_going: bool
) -> int:
    """Import captured answers; return the exit code."""
    company = await find_company(service, company_name)
    brand = await find_brand(service.database.workspace(company.id), brand_name)
    importer = Importer(service.database, service.publisher, utc_now)
    with output.progress() as bar:
        task = bar.add_task("importing", total=None, rate="")
        started = time.monotonic()

        def advanced(done: int, total: int) -> None:
            bar.update(
                task, completed=done, total=total, rate=rate(done, time.monotonic() - started, "answers")
            )

        done = await importer.import_file(company.id, brand, path, keep_going=keep_going, progress=advanced)
    for line, reason in done.rejected:
        output.say(f"{path.name}, line {line}: {reason}")
    value = {
        "stored": done.stored,
        "duplicates": done.duplicates,
        "rejected": [{"line": line, "reason": reason} for line, reason in done.rejected],
    }
    summary = f"{done.stored} stored, {done.duplicates} duplicates skipped, {len(done.rejected)} rejected"
    output.data(value, lambda: output.people.print(summary))
    return 1 if done.rejected or not (done.stored or done.duplicates) else 0


async def export_answers(service: Service, output: Output, company_name: str | None, brand_name: str) -> None:
    """Print every answer of a brand as lines of JSON that can be imported."""
    company = await find_company(service, company_name)
    workspace = service.database.workspace(company.id)
    async for line in exported(workspace, await find_brand(workspace, brand_name)):
        output.line(line)
