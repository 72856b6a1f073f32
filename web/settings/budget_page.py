"""The page of what asking may cost: the credits of the month with their statement, and limits on money."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from starlette.responses import Response

from storage.repositories.credits import LedgerEntry
from storage.repositories.spending import SpendingBudget
from web.request import PageRequest
from web.table_export import table_response
from workflows.credits import period_of

LEDGER_WORDS = {
    "reserve": "set aside for a run",
    "settle": "used by a run",
    "refund": "given back after a run",
    "grant": "granted for this month",
}
STATEMENT_COLUMNS = ("when", "kind", "credits", "page")
MOST = Decimal(1_000_000_000)
LIMITS = {"perRun": "One measurement", "perDay": "One day (UTC)"}


async def show_budget(request: PageRequest) -> Response:
    """Show what is left, where credits went, and the limits."""
    return await _render_budget(request)


async def save_budget(request: PageRequest) -> Response:
    """Store the limits of an owner; both left empty take the budget away."""
    request.require_owner()
    typed = await request.read_form()
    faults, wanted = _parse_budget(typed)
    if faults:
        return await _render_budget(request, typed, faults)
    async with request.transaction() as workspace:
        await workspace.spending.set_budget(wanted, request.services.now())
    return request.redirect("/settings/budget?saved=1")


def _parse_budget(typed: Mapping[str, str]) -> tuple[dict[str, str], SpendingBudget | None]:
    """Return what is wrong by field, and the budget that was typed; None where nothing limits."""
    faults: dict[str, str] = {}
    limits: dict[str, Decimal | None] = {}
    for name in LIMITS:
        text = typed.get(name, "").strip()
        try:
            value = Decimal(text) if text else None
        except InvalidOperation:
            value = Decimal(-1)
        if value is not None and not (value.is_finite() and 0 <= value <= MOST):
            faults[name] = "A number of at least 0, please, such as 2.50; empty is no limit."
        limits[name] = value
    currency = typed.get("currency", "").strip().upper()
    if not (len(currency) == 3 and currency.isascii() and currency.isalpha()):
        faults["currency"] = "Three letters, please, such as USD or EUR."
    if faults or limits == dict.fromkeys(LIMITS):
        return faults, None
    return faults, SpendingBudget(currency, limits["perRun"], limits["perDay"])


async def export_statement(request: PageRequest) -> Response:
    """Give the statement of this month as CSV or JSON, newest first, as its page is narrowed."""
    entries = await _load_entries(request)
    base = request.services.base_url
    rows = [
        (
            entry.created_at.isoformat(timespec="seconds"),
            entry.kind,
            entry.amount,
            f"{base}/automation/runs/{entry.run_id}" if entry.run_id else None,
        )
        for entry in entries
    ]
    return table_response(request.http.url.path, "statement", STATEMENT_COLUMNS, rows)


async def _load_entries(request: PageRequest) -> list[LedgerEntry]:
    """Return the lines of this month of the kind that the address names, or all, newest first."""
    workspace = request.workspace
    kind = request.http.query_params.get("kind", "")
    return [
        entry
        for entry in reversed(await workspace.credits.entries(period_of(request.services.now())))
        if kind not in LEDGER_WORDS or entry.kind == kind
    ]


async def _render_budget(
    request: PageRequest, typed: Mapping[str, str] | None = None, faults: Mapping[str, str] | None = None
) -> Response:
    credits = await request.call_tool("get_credits")
    workspace = request.workspace
    now = request.services.now()
    budget = await workspace.spending.budget()
    kind = request.http.query_params.get("kind", "")
    entries = await _load_entries(request)
    known = {
        "perRun": "" if budget is None or budget.per_run is None else f"{budget.per_run:f}",
        "perDay": "" if budget is None or budget.per_day is None else f"{budget.per_day:f}",
        "currency": budget.currency if budget else "USD",
    }
    return request.render(
        "settings/budget.html",
        422 if faults else 200,
        credits=credits,
        entries=entries,
        kind=kind if kind in LEDGER_WORDS else "",
        words=LEDGER_WORDS,
        sum=sum(entry.amount for entry in entries) if kind in LEDGER_WORDS else len(entries),
        budget=budget,
        spent=await workspace.spending.spent_on(now.date(), budget.currency) if budget else None,
        limits=LIMITS,
        typed=typed or known,
        faults=faults or {},
        saved="saved" in request.http.query_params,
    )
