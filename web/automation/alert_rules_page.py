"""Alert rules of a brand: added and removed on the page of its monitors."""

from collections.abc import Mapping
from math import isfinite
from typing import Any

from starlette.responses import Response

from measurement.alerts.rule_alerts import METRICS
from storage.repositories.alert_rules import AlertRule
from web.automation.monitors_page import render_monitors
from web.errors import PageNotFound
from web.request import PageRequest

MOST_RULES = 50
"""Rules of a brand."""
SHARES = frozenset({"shareOfVoice", "citationRate"})
"""Metrics that are stored as shares and typed as percentages."""
HIGHEST = 100.0
DIRECTIONS: Mapping[str, str] = {"below": "falls below", "above": "rises above"}


async def show_monitors(request: PageRequest) -> Response:
    """Show the monitors of a brand with its alert rules."""
    return await _render(request, {})


async def add_rule(request: PageRequest) -> Response:
    """Store a rule, or show what is wrong with it."""
    brand, typed = await request.find_brand(), await request.read_form()
    metric, direction = typed.get("metric", ""), typed.get("direction", "")
    threshold = _read_threshold(typed.get("threshold", ""), metric)
    async with request.transaction() as workspace:
        fault = None
        if metric not in METRICS or direction not in DIRECTIONS or threshold is None:
            fault = "Enter a number from 0 to 100. Shares are percentages."
        elif len(await workspace.alert_rules.of_brand(brand.key)) >= MOST_RULES:
            fault = f"A brand has at most {MOST_RULES} rules. Remove one first."
        else:
            await workspace.alert_rules.add(
                brand.key,
                metric,
                direction,
                threshold,
                email="email" in typed,
                created_by=request.signed_in.user_id,
                now=request.services.now(),
            )
    if fault is not None:
        return await _render(request, {**typed, "fault": fault})
    return request.redirect(f"/brands/{brand.id}/monitors#rules")


async def remove_rule(request: PageRequest) -> Response:
    """Remove a rule."""
    brand = await request.find_brand()
    await request.read_form()
    async with request.transaction() as workspace:
        if not await workspace.alert_rules.remove(brand.key, request.http.path_params["rule_id"]):
            raise PageNotFound
    return request.redirect(f"/brands/{brand.id}/monitors#rules")


def _read_threshold(typed: str, metric: str) -> float | None:
    try:
        value = float(typed)
    except ValueError:
        return None
    if not isfinite(value) or not 0 <= value <= HIGHEST:
        return None
    return value / HIGHEST if metric in SHARES else value


def _describe(rule: AlertRule) -> dict[str, Any]:
    title, words = METRICS[rule.metric]
    said = f"{title} {DIRECTIONS[rule.direction]} {words(rule.threshold)}"
    return {
        "id": rule.id,
        "words": said,
        "crossed": rule.crossed,
        "email": rule.author_email if rule.email else "",
    }


async def _render(request: PageRequest, typed: Mapping[str, str]) -> Response:
    profile = await request.load_brand()
    brand = await request.find_brand()
    rules = await request.workspace.alert_rules.of_brand(brand.key)
    return await render_monitors(
        request,
        profile,
        422 if typed else 200,
        rules=[_describe(rule) for rule in rules],
        metrics={name: title for name, (title, _) in METRICS.items()},
        directions=DIRECTIONS,
        mailed=request.services.outbox is not None,
        typed={"metric": "", "direction": "", "threshold": "", "fault": "", **typed},
    )
