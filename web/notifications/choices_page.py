"""The page on which each person says which notifications they want by e-mail; without a word they get none."""

from collections.abc import Mapping

from starlette.responses import Response

from storage.repositories.notification_choices import (
    KINDS,
    MEANS,
    MONTHLY_REPORT,
    WEEKLY_REPORT,
    NotificationChoice,
)
from web.request import PageRequest

WORDS: Mapping[str, tuple[str, str]] = {
    "ai_mention": (
        "What engines say of you",
        "A rival is named where you were, or an answer contradicts a fact.",
    ),
    "bot_access": ("Engines cannot read the site", "robots.txt or the site's protection turns a bot away."),
    "crawler_error": ("Broken pages", "A page that matters answers with an error."),
    "content_gap": ("Missing content", "Buyers ask something that nothing on the site answers."),
    "system_alert": ("Measuring itself", "A run failed, credits run out, an engine changed its model."),
    WEEKLY_REPORT: ("Weekly report", "On Mondays: how each brand stands and what changed."),
    MONTHLY_REPORT: ("Monthly report", "On the first of the month: the same for the month that ended."),
}
"""Each kind in words: its name, and when it comes."""


async def show_choices(request: PageRequest) -> Response:
    """Show what the person wants by which means."""
    return await _render_choices(request)


async def save_choices(request: PageRequest) -> Response:
    """Store what the person wants; it is their own, so that a viewer may choose as well."""
    typed = await request.read_form()
    chosen = [
        NotificationChoice(kind, means) for kind in KINDS for means in MEANS if f"{kind}-{means}" in typed
    ]
    person = request.signed_in
    async with request.services.database.transaction(person.company_id) as workspace:
        await workspace.notification_choices.set_of_user(person.user_id, chosen)
    return request.redirect("/settings/notifications?saved=1")


async def _render_choices(request: PageRequest) -> Response:
    person = request.signed_in
    workspace = request.services.database.workspace(person.company_id)
    stored = await workspace.notification_choices.of_user(person.user_id)
    return request.render(
        "notifications/choices.html",
        kinds=[(kind, *WORDS[kind]) for kind in KINDS],
        chosen={(choice.kind, choice.means) for choice in stored},
        mailed=request.services.outbox is not None,
        saved=request.http.query_params.get("saved") == "1",
    )
