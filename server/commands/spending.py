"""Budgets from the command line, and what a probe will cost before it starts."""

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

import anyio.to_thread
import typer

from analytics.intervals import fewest_prompts
from server.commands.output import Output
from server.commands.subjects import find_company
from server.service import Service, utc_now
from storage.repositories.spending import Budget
from workflows.costs import Preview, shown
from workflows.errors import WorkError
from workflows.planning import Plan
from workflows.probing import Probed


@dataclass(frozen=True, slots=True)
class Consent:
    """How a person is asked: only a preview, a question on the terminal, or not at all."""

    preview: bool = False
    ask: bool = False


async def agreed(
    service: Service,
    output: Output,
    company_id: str,
    plan: Plan,
    max_output_tokens: int | None,
    consent: Consent,
) -> bool:
    """Show what a plan costs; True when it may start. A plan that costs nothing is not asked about."""
    preview = await service.costs.preview(company_id, plan, max_output_tokens)
    if consent.preview:
        output.data(preview_of(plan, preview), lambda: show_preview(output, plan, preview))
        return False
    if not consent.ask or all(one.basis == "free" for one in preview.estimates) or preview.refusal():
        return True
    show_preview(output, plan, preview)
    return await anyio.to_thread.run_sync(typer.confirm, "Start?", abandon_on_cancel=True)


def preview_of(plan: Plan, preview: Preview) -> dict[str, Any]:
    """Return a plan and its estimated cost as JSON; amounts are decimal text, null is unknown."""
    refusal = preview.refusal()
    return {
        "prompts": len(plan.prompts),
        "repeats": plan.repeats,
        "mode": str(plan.mode),
        "asks": plan.asks,
        "platforms": [
            {
                "platform": one.platform,
                "model": one.model,
                "asks": one.asks,
                "costPerAsk": text(one.each),
                "cost": text(one.total),
                "currency": one.currency,
                "basis": one.basis,
            }
            for one in preview.estimates
        ],
        "totals": {currency: text(total) for currency, total in preview.totals.items()},
        "unknownPrices": list(preview.unknown),
        "budget": budget_of(preview.budget, preview.spent_today),
        "refused": refusal.message if refusal else None,
        "promptsThatMustMove": prompts_that_must_move(plan),
    }


def prompts_that_must_move(plan: Plan) -> int:
    """Return how many prompts must move the same way before a change can be told from chance."""
    channels = len(plan.platforms)
    return fewest_prompts(channels + 1 if channels > 1 else 1)


def text(amount: Decimal | None) -> str | None:
    """Return an amount as plain decimal digits."""
    return None if amount is None else f"{amount.normalize():f}"


def show_preview(output: Output, plan: Plan, preview: Preview) -> None:
    """Print a plan and its estimated cost for people."""
    rows = [
        (
            one.platform,
            one.model,
            one.asks,
            "unknown" if one.total is None else f"{shown(one.total)} {one.currency or ''}".strip(),
            one.basis,
        )
        for one in preview.estimates
    ]
    output.table(("platform", "model", "asks", "cost", "basis"), rows)
    for currency, total in preview.totals.items():
        output.people.print(f"about {shown(total)} {currency} in all")
    needed = prompts_that_must_move(plan)
    can = (
        f"only if {needed} of its {len(plan.prompts)} prompts move"
        if needed <= len(plan.prompts)
        else "never"
    )
    output.people.print(f"this plan can detect a change of presence {can}")
    refusal = preview.refusal()
    if refusal:
        output.people.print(f"it would be refused: {refusal.message}")


def costs_of(probed: Probed) -> dict[str, Any]:
    """Return what a probe cost, as far as it is known."""
    known = sum(one.answers for one in probed.costs)
    return {
        "known": [
            {"currency": one.currency, "amount": text(one.amount), "answers": one.answers}
            for one in probed.costs
        ],
        "answersOfUnknownCost": probed.stored - known,
    }


def budget_of(budget: Budget | None, spent_today: Decimal) -> dict[str, Any] | None:
    """Return a budget as JSON."""
    if budget is None:
        return None
    return {
        "currency": budget.currency,
        "perRun": text(budget.per_run),
        "perDay": text(budget.per_day),
        "spentToday": text(spent_today),
    }


async def set_budget(
    service: Service,
    output: Output,
    company_name: str | None,
    per_run: str | None,
    per_day: str | None,
    currency: str,
) -> None:
    """Store a budget. Raises WorkError for what is no amount or no currency."""
    company = await find_company(service, company_name)
    if per_run is None and per_day is None:
        raise WorkError("no limit was given", "Give --per-run, --per-day or both.")
    if not (len(currency) == 3 and currency.isascii() and currency.isalpha()):
        raise WorkError("the currency is no ISO 4217 code", "For example: --currency EUR")
    budget = Budget(currency.upper(), limit_of("--per-run", per_run), limit_of("--per-day", per_day))
    async with service.database.transaction(company.id) as writing:
        await writing.spending.set_budget(budget, utc_now())
    await show_budget(service, output, company.id)


def limit_of(option: str, given: str | None) -> Decimal | None:
    """Return an amount from the command line. Raises WorkError unless it is a number from 0 to a billion."""
    if given is None:
        return None
    try:
        amount = Decimal(given)
    except InvalidOperation:
        amount = Decimal(-1)
    if not (amount.is_finite() and 0 <= amount <= 1_000_000_000):
        raise WorkError(f"{option} is no amount", "Give a number of at least 0, for example 2.50.")
    return amount


async def show_budget(service: Service, output: Output, company_name: str | None) -> None:
    """Print the budget of a company."""
    company = await find_company(service, company_name)
    spending = service.database.workspace(company.id).spending
    budget = await spending.budget()
    spent = await spending.spent_on(utc_now().date(), budget.currency) if budget else Decimal(0)
    value = budget_of(budget, spent)
    rows = [] if value is None else [tuple(value.values())]
    output.data(value, lambda: output.table(("currency", "per run", "per day", "spent today"), rows))
    if budget is None:
        output.say("there is no budget: asking is not limited")


async def clear_budget(service: Service, output: Output, company_name: str | None) -> None:
    """Take the budget of a company away."""
    company = await find_company(service, company_name)
    async with service.database.transaction(company.id) as writing:
        await writing.spending.set_budget(None, utc_now())
    await show_budget(service, output, company.id)
