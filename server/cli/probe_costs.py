"""What a probe costs: the preview, the question before money is spent, and the bill."""

from typing import Any

from measurement.asking.probe_progress import ProbeResult
from measurement.planning.ask_plan import AskPlan
from measurement.planning.clock import utc_now
from measurement.planning.costs import Preview, format_amount
from measurement.planning.detection import PlanNoise, detectable_change, noise_of
from server.cli.budgets import budget_fields
from server.cli.consent import Consent, confirm
from server.cli.output import Output, decimal_text
from server.service import Service


async def confirm_cost(
    service: Service,
    output: Output,
    company_id: str,
    plan: AskPlan,
    max_output_tokens: int | None,
    consent: Consent,
) -> bool:
    """Show what a plan costs; True when it may start. A plan that costs nothing is not asked about."""
    preview = await service.costs.preview(company_id, plan, max_output_tokens)
    noise = await noise_of(service.database.workspace(company_id), plan.brand, utc_now())
    points = detectable_points(plan, noise)
    if consent.preview:
        output.data(
            preview_fields(plan, preview, points), lambda: show_preview(output, plan, preview, points)
        )
        return False
    if (
        not consent.ask
        or all(estimate.basis == "free" for estimate in preview.estimates)
        or preview.refusal()
    ):
        return True
    show_preview(output, plan, preview, points)
    return await confirm("Start?")


def preview_fields(plan: AskPlan, preview: Preview, points: float | None) -> dict[str, Any]:
    """Return a plan and its estimated cost as JSON; amounts are decimal text, null is unknown."""
    refusal = preview.refusal()
    return {
        "prompts": len(plan.prompts),
        "repeats": plan.repeats,
        "mode": str(plan.mode),
        "asks": plan.asks,
        "platforms": [
            {
                "platform": estimate.platform,
                "model": estimate.model,
                "asks": estimate.asks,
                "costPerAsk": decimal_text(estimate.each),
                "cost": decimal_text(estimate.total),
                "currency": estimate.currency,
                "basis": estimate.basis,
            }
            for estimate in preview.estimates
        ],
        "totals": {currency: decimal_text(total) for currency, total in preview.totals.items()},
        "unknownPrices": list(preview.unknown),
        "budget": budget_fields(preview.budget, preview.spent_today),
        "refused": refusal.message if refusal else None,
        "smallestDetectableChange": points,
    }


def detectable_points(plan: AskPlan, noise: PlanNoise) -> float | None:
    """Return the smallest change of the score, in points, that a plan reveals four times out of five.

    Only questions of a prompt set that are not marked as branded count; None where they reveal nothing.
    """
    counted = [prompt for prompt in plan.prompts if plan.prompt_set and not prompt.branded]
    smallest = detectable_change(plan, len(counted), noise) if counted else None
    return None if smallest is None else 100 * smallest


def power_line(points: float | None) -> str:
    """Say what a plan could detect when it is repeated unchanged."""
    if points is None:
        return "repeated unchanged, this plan can detect no change: ask more prompts (10 are advisable)"
    return f"repeated unchanged, this plan detects a change of {points:.0f} points or more (power 80 %)"


def show_preview(output: Output, plan: AskPlan, preview: Preview, points: float | None) -> None:
    """Print a plan and its estimated cost for people."""
    rows = [
        (
            estimate.platform,
            estimate.model,
            estimate.asks,
            "unknown"
            if estimate.total is None
            else f"{format_amount(estimate.total)} {estimate.currency or ''}".strip(),
            estimate.basis,
        )
        for estimate in preview.estimates
    ]
    output.table(("platform", "model", "asks", "cost", "basis"), rows)
    for currency, total in preview.totals.items():
        output.people.print(f"about {format_amount(total)} {currency} in all")
    output.people.print(power_line(points))
    refusal = preview.refusal()
    if refusal:
        output.people.print(f"it would be refused: {refusal.message}")


def cost_fields(probed: ProbeResult) -> dict[str, Any]:
    """Return what a probe cost, as far as it is known."""
    known = sum(cost.answers for cost in probed.costs)
    return {
        "known": [
            {"currency": cost.currency, "amount": decimal_text(cost.amount), "answers": cost.answers}
            for cost in probed.costs
        ],
        "answersOfUnknownCost": probed.stored - known,
    }
