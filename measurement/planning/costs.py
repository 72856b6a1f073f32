"""Cost estimates of plans before they start, and the spending limits of each request while they run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from engines.engine import MAX_OUTPUT_TOKENS, EngineAnswer, Mode, SupplierCost
from engines.prices import Cost, Price, Prices
from engines.registry import Registry
from engines.settings import LOCAL
from engines.suppliers.supplier_engine import SupplierEngine
from measurement.errors import BudgetRefused
from measurement.planning.ask_plan import AskPlan
from measurement.planning.clock import Clock
from storage.database import Database
from storage.repositories.asks import OpenAsk
from storage.repositories.spending import AskCost, SpendingBudget
from storage.workspace import Workspace

SAMPLES = 100
FEWEST_SAMPLES = 10
BYTES_PER_TOKEN = 2
GROUNDED_TOKENS = 20_000
"""Assumed input tokens of a request with web search, until the company has its own data. Results count as input."""
GROUNDED_SEARCHES = 3
ZERO = Decimal(0)
Basis = Literal["measured", "assumed", "free", "unknown"]


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """Estimated cost of one platform's requests; `each` is the expected, `most` the highest likely cost of one."""

    platform: str
    model: str
    asks: int
    each: Decimal | None
    most: Decimal | None
    currency: str | None
    basis: Basis

    @property
    def total(self) -> Decimal | None:
        """The expected cost of all requests; None if unknown."""
        return None if self.each is None else self.each * self.asks


@dataclass(frozen=True, slots=True)
class Preview:
    """A plan's estimates, the budget, and how much of it was spent on this UTC day."""

    estimates: tuple[CostEstimate, ...]
    budget: SpendingBudget | None
    spent_today: Decimal

    @property
    def totals(self) -> dict[str, Decimal]:
        """The known expected costs, by currency."""
        totals: dict[str, Decimal] = {}
        for estimate in self.estimates:
            if estimate.total is not None and estimate.currency is not None:
                totals[estimate.currency] = totals.get(estimate.currency, ZERO) + estimate.total
        return totals

    @property
    def unknown(self) -> tuple[str, ...]:
        """Platforms without a known price."""
        return tuple(estimate.platform for estimate in self.estimates if estimate.basis == "unknown")

    def refusal(self) -> BudgetRefused | None:
        """Return the error if the budget forbids the plan, else None."""
        if self.budget is None:
            return None
        currency = self.budget.currency
        strange = [
            estimate.platform
            for estimate in self.estimates
            if estimate.basis == "unknown" or estimate.currency not in (None, currency)
        ]
        if strange:
            return BudgetRefused(
                f"there is a budget in {currency}, and no price in it for {', '.join(strange)}",
                "Add the price to the file of SEENBY_PRICES, or take the budget away: seenby budget clear",
            )
        total = self.totals.get(currency, ZERO)
        if self.budget.per_run is not None and total > self.budget.per_run:
            return BudgetRefused(
                f"this would cost about {format_amount(total)} {currency}; "
                f"one run may cost {format_amount(self.budget.per_run)}",
                "Ask fewer prompts, platforms or repeats, or raise the budget: seenby budget set --per-run",
            )
        if self.budget.per_day is not None and self.spent_today + total > self.budget.per_day:
            return BudgetRefused(
                f"this would cost about {format_amount(total)} {currency}, "
                f"and today has spent {format_amount(self.spent_today)} of {format_amount(self.budget.per_day)}",
                "Wait until midnight UTC, ask less, or raise the budget: seenby budget set --per-day",
            )
        return None


@dataclass(frozen=True, slots=True)
class Allowance:
    """Spending of a running probe: its limits, and the amount to reserve for a request to each platform."""

    limits: SpendingBudget | None
    most: Mapping[str, Decimal]
    prices: Prices

    async def reserve(self, writing: Workspace, batch_key: int, ask: OpenAsk, day: date) -> bool:
        """Reserve a request's cost before it is sent; False if the budget no longer allows it."""
        if self.limits is None:
            return True
        return await writing.spending.reserve(batch_key, day, self._most(ask), self.limits)

    async def spend(
        self, writing: Workspace, batch_key: int, answered: Sequence[tuple[OpenAsk, date, EngineAnswer]]
    ) -> None:
        """Replace the reserved amounts with what answers cost; where that is unknown, the reserved amount stays."""
        costs = [(ask, day, self.prices.cost(ask.platform, answer)) for ask, day, answer in answered]
        await self._count(writing, batch_key, costs)

    async def _count(
        self, writing: Workspace, batch_key: int, priced: Sequence[tuple[OpenAsk, date, Cost | None]]
    ) -> None:
        """Store known costs, with one correction per day and currency regardless of the number of requests."""
        costs = [(ask, day, cost) for ask, day, cost in priced if cost is not None]
        if not costs:
            return
        await writing.spending.record(
            [AskCost(ask.key, cost.amount, cost.currency, cost.stated_by) for ask, _, cost in costs]
        )
        differences: dict[tuple[date, str], Decimal] = {}
        for ask, day, cost in costs:
            if self.limits is None or self.limits.currency == cost.currency:
                set_aside = ZERO if self.limits is None else self._most(ask)
                before = differences.get((day, cost.currency), ZERO)
                differences[day, cost.currency] = before + cost.amount - set_aside
        for (day, currency), difference in differences.items():
            await writing.spending.correct(batch_key, day, difference, currency)

    async def spend_unanswered(
        self,
        writing: Workspace,
        batch_key: int,
        looks: Sequence[tuple[OpenAsk, date, SupplierCost | None]],
    ) -> None:
        """Record what data providers charge for queries that brought no answer, as far as that is known."""
        costs = [(ask, day, self.prices.cost_of_look(ask.platform, charged)) for ask, day, charged in looks]
        await self._count(writing, batch_key, costs)

    async def give_back(self, writing: Workspace, batch_key: int, ask: OpenAsk, day: date) -> None:
        """Release the amount reserved for a request that cannot have been billed."""
        if self.limits is not None and self._most(ask):
            await writing.spending.correct(batch_key, day, -self._most(ask), self.limits.currency)

    def _most(self, ask: OpenAsk) -> Decimal:
        """Return the amount to reserve for a request; 0 if its engine is no longer in the settings."""
        return self.most.get(ask.platform, ZERO)


@dataclass(frozen=True, slots=True)
class WritingPlan:
    """So many requests at most to an engine that judges or writes, each of at most so many bytes and output tokens."""

    platform: str
    calls: int
    longest: int
    max_output_tokens: int


@dataclass(frozen=True, slots=True)
class WritingAllowance:
    """Spending of an agent that judges or writes: its limits, and the amount to reserve for each request."""

    limits: SpendingBudget | None
    most: Decimal
    prices: Prices

    async def reserve(self, writing: Workspace, batch_key: int, day: date) -> bool:
        """Reserve a request's cost before it is sent; False if the budget no longer allows it."""
        return self.limits is None or await writing.spending.reserve(batch_key, day, self.most, self.limits)

    async def give_back(self, writing: Workspace, batch_key: int, day: date) -> None:
        """Release the amount reserved for a request that cannot have been billed."""
        if self.limits is not None and self.most:
            await writing.spending.correct(batch_key, day, -self.most, self.limits.currency)

    async def spend(
        self, writing: Workspace, batch_key: int, day: date, platform: str, answer: EngineAnswer
    ) -> None:
        """Replace the reserved amount with what an answer costs; where that is unknown, the reserved amount stays."""
        cost = self.prices.cost(platform, answer)
        if cost is None or (self.limits is not None and self.limits.currency != cost.currency):
            return
        set_aside = ZERO if self.limits is None else self.most
        await writing.spending.correct(batch_key, day, cost.amount - set_aside, cost.currency)


class Costs:
    """Estimates plans from the price table and from the usage of the company's earlier requests."""

    def __init__(self, database: Database, engines: Registry, prices: Prices, now: Clock) -> None:
        self._database = database
        self._engines = engines
        self._prices = prices
        self._now = now

    async def preview(self, company_id: str, plan: AskPlan, max_output_tokens: int | None = None) -> Preview:
        """Estimate a plan; nothing is sent and nothing stored."""
        return await self._preview(company_id, [plan], max_output_tokens)

    async def _preview(
        self, company_id: str, plans: Sequence[AskPlan], max_output_tokens: int | None
    ) -> Preview:
        workspace = self._database.workspace(company_id)
        budget = await workspace.spending.budget()
        today = self._now().date()
        spent = await workspace.spending.spent_on(today, budget.currency) if budget else ZERO
        estimates = [
            await self._estimate(workspace, plan, platform, max_output_tokens)
            for plan in plans
            for platform in plan.platforms
        ]
        return Preview(tuple(estimates), budget, spent)

    async def preview_writing(self, company_id: str, plan: WritingPlan) -> Preview:
        """Estimate requests that judge or write; nothing is sent and nothing stored."""
        workspace = self._database.workspace(company_id)
        budget = await workspace.spending.budget()
        today = self._now().date()
        spent = await workspace.spending.spent_on(today, budget.currency) if budget else ZERO
        model = self._engines.get(plan.platform).model
        price = self._prices.price(plan.platform, model)
        if price is None:
            estimate = CostEstimate(plan.platform, model, plan.calls, None, None, None, "unknown")
        else:
            each = price.of(plan.longest // BYTES_PER_TOKEN + 1, plan.max_output_tokens, 0)
            estimate = CostEstimate(plan.platform, model, plan.calls, each, each, price.currency, "assumed")
        return Preview((estimate,), budget, spent)

    async def admit_writing(self, company_id: str, plan: WritingPlan) -> WritingAllowance:
        """Return the allowance of requests that judge or write. Raises BudgetRefused before anything is sent."""
        preview = await self.preview_writing(company_id, plan)
        refused = preview.refusal()
        if refused is not None:
            raise refused
        return WritingAllowance(preview.budget, preview.estimates[0].most or ZERO, self._prices)

    async def admit(
        self, company_id: str, plans: Sequence[AskPlan], max_output_tokens: int | None = None
    ) -> Allowance:
        """Return the joint allowance of the plans. Raises BudgetRefused before anything is sent or stored."""
        preview = await self._preview(company_id, plans, max_output_tokens)
        refused = preview.refusal()
        if refused is not None:
            raise refused
        most: dict[str, Decimal] = {}
        for estimate in preview.estimates:
            most[estimate.platform] = max(most.get(estimate.platform, ZERO), estimate.most or ZERO)
        return Allowance(preview.budget, most, self._prices)

    async def _estimate(
        self, workspace: Workspace, plan: AskPlan, platform: str, max_output_tokens: int | None
    ) -> CostEstimate:
        model, asks = self._engines.get(platform).model, plan.asks_of(platform)
        if platform == LOCAL:
            return CostEstimate(platform, model, asks, ZERO, ZERO, None, "free")
        costs = await workspace.spending.recent(plan.brand.key, platform, str(plan.mode), SAMPLES)
        if len(costs) >= FEWEST_SAMPLES and len({currency for currency, _ in costs}) == 1:
            amounts = [amount for _, amount in costs]
            mean = sum(amounts, ZERO) / len(amounts)
            return CostEstimate(platform, model, asks, mean, max(amounts), costs[0][0], "measured")
        price = self._prices.price(platform, model)
        if price is None:
            return CostEstimate(platform, model, asks, None, None, None, "unknown")
        engine = self._engines.get(platform)
        if isinstance(engine, SupplierEngine):
            return _estimate_looks(engine, asks, price)
        written = max_output_tokens or MAX_OUTPUT_TOKENS
        grounded = plan.mode is Mode.READINESS
        longest = max(len(prompt.text.encode()) for prompt in plan.prompts)
        read = longest // BYTES_PER_TOKEN + 1 + (GROUNDED_TOKENS if grounded else 0)
        cost_of_ask = price.of(read, written, GROUNDED_SEARCHES if grounded else 0)
        return CostEstimate(platform, model, asks, cost_of_ask, cost_of_ask, price.currency, "assumed")


def _estimate_looks(engine: SupplierEngine, asks: int, price: Price) -> CostEstimate:
    """Estimate AI surface observations, by the credits that each one takes or by the price of one."""
    usual, most = (Decimal(credits) for credits in engine.credits or (0, 0))
    each, dearest = (price.of_look(credits or None) for credits in (usual, most))
    if each is None or dearest is None:
        return CostEstimate(engine.platform, engine.model, asks, None, None, None, "unknown")
    return CostEstimate(engine.platform, engine.model, asks, each, dearest, price.currency, "assumed")


def format_amount(amount: Decimal) -> str:
    """Format an amount for display: two decimals, or four significant digits if it is below 1."""
    rounded = amount.quantize(Decimal("0.01")) if amount >= 1 or amount == 0 else Decimal(f"{amount:.4g}")
    return f"{rounded:f}"
