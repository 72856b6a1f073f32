"""The page of webhooks: added, tested, switched on again and removed by owners; what became of each delivery."""

from collections.abc import Mapping

from starlette.responses import Response

from storage.repositories.webhooks import DRAFT_APPROVED, KINDS, TEST
from tools.calls.rate_limits import RateLimitWindow
from web.errors import PageNotFound
from web.notifications.notifications_page import WORDS as NOTIFICATION_WORDS
from web.request import PageRequest
from workflows.webhooks.delivery import Attempt
from workflows.webhooks.registration import InvalidWebhook, Target

TESTS_A_MINUTE = 5
WORDS = {
    **NOTIFICATION_WORDS,
    DRAFT_APPROVED: ("Approved drafts", "A person approved a draft; the message leads to its text."),
}
"""Each kind in words: its name, and when it comes."""
SHOWN = 20
"""Deliveries on the page; the command line lists all."""
OUTCOMES: Mapping[str, str] = {
    "delivered": "arrived",
    "receiver_refused": "the receiver answered with an error",
    "gone": "the receiver wants no more (410)",
    "redirected": "the receiver redirects, which is not followed",
    "timeout": "the receiver did not answer in time",
    "dns": "the name is not known",
    "tls": "the certificate was not accepted",
    "connection": "nothing answers there",
    "protocol": "what answered is no web server",
    "refused_address": "the address is a private one, which is never sent to",
    "refused_url": "the address is not allowed",
    "sealed_under_another_key": "it was stored under another server secret: remove it and add it again",
    "webhook_disabled": "not sent: the webhook was switched off",
    "too_old": "not sent within three days",
    "internal_error": "something went wrong here; see the log",
}
"""Each outcome in words."""


async def show_webhooks(request: PageRequest) -> Response:
    """List the webhooks and what was sent last."""
    return await _render_webhooks(request)


async def create_webhook(request: PageRequest) -> Response:
    """Add a webhook and show its signing secret, this once."""
    request.require_owner()
    typed = await request.read_form()
    url = typed.get("url", "")
    kinds = [kind for kind in KINDS if f"kind-{kind}" in typed]
    form = typed.get("format", "standard")
    try:
        _, target = await request.services.webhooks.add(request.signed_in.company_id, url, kinds, form)
    except InvalidWebhook as invalid:
        words = f"The webhook was not added: {invalid.message}."
        return await _render_webhooks(request, fault=words, typed_url=url)
    return await _render_webhooks(request, made=target)


async def send_test(request: PageRequest) -> Response:
    """Send a test now, and say how it went."""
    request.require_owner()
    await request.read_form()
    company_id = request.signed_in.company_id
    await request.count_attempt(RateLimitWindow(f"webhook-test:{company_id}", TESTS_A_MINUTE))
    attempt = await request.services.webhooks.test(company_id, request.http.path_params["webhook_id"])
    if attempt is None:
        raise PageNotFound
    words = describe(attempt)
    if attempt.delivered:
        return await _render_webhooks(request, success=words)
    return await _render_webhooks(request, fault=words)


async def enable_webhook(request: PageRequest) -> Response:
    """Send notifications again to a webhook that was switched off."""
    request.require_owner()
    await request.read_form()
    webhook_id = request.http.path_params["webhook_id"]
    if not await request.services.webhooks.enable(request.signed_in.company_id, webhook_id):
        raise PageNotFound
    return request.redirect("/settings/webhooks")


async def remove_webhook(request: PageRequest) -> Response:
    """Remove a webhook, and what waits for it."""
    request.require_owner()
    await request.read_form()
    webhook_id = request.http.path_params["webhook_id"]
    if not await request.services.webhooks.remove(request.signed_in.company_id, webhook_id):
        raise PageNotFound
    return request.redirect("/settings/webhooks")


def describe(attempt: Attempt) -> str:
    """Say what came of a test."""
    answered = "" if attempt.reply is None else f" (HTTP {attempt.reply})"
    return f"The test: {OUTCOMES.get(attempt.outcome, attempt.outcome)}{answered}."


async def _render_webhooks(
    request: PageRequest,
    *,
    made: Target | None = None,
    success: str | None = None,
    fault: str | None = None,
    typed_url: str = "",
) -> Response:
    workspace = request.workspace
    deliveries, total = await workspace.webhooks.deliveries(SHOWN, 0)
    webhooks = await workspace.webhooks.all()
    return request.render(
        "notifications/webhooks.html",
        422 if fault else 200,
        webhooks=webhooks,
        hosts={webhook.id: webhook.host for webhook in webhooks},
        kinds=[(kind, *WORDS[kind]) for kind in KINDS],
        names={kind: WORDS[kind][0] for kind in KINDS} | {TEST: "Test"},
        outcomes=OUTCOMES,
        deliveries=deliveries,
        total=total,
        made=made,
        success=success,
        fault=fault,
        typed_url=typed_url,
    )
