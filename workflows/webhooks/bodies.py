"""What a webhook is sent: a JSON document for programs, a text for Slack, or an Adaptive Card for Teams."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from storage.repositories.brands import Brand
from storage.repositories.repository_items import ItemDraft, digest
from storage.repositories.webhooks import DRAFT_APPROVED, REPORTS, TEST, DeliveryDraft
from storage.workspace import Workspace
from workflows.mail.messages import clean, paragraph_of, scheduled_report

JSON: Final = (("Content-Type", "application/json; charset=utf-8"),)
TYPES: Final[Mapping[str, str]] = {
    TEST: "webhook.test",
    DRAFT_APPROVED: "draft.approved",
    **dict.fromkeys(REPORTS, "report.created"),
}
"""Types of the messages that are no notification, by their kind."""
NO_ORIGIN: Final[Mapping[str, Any]] = {"id": None, "brandId": None, "issueId": None, "runId": None}
TEST_CONTENT: Final[Mapping[str, Any]] = {
    **NO_ORIGIN,
    "kind": TEST,
    "severity": "info",
    "title": "Test of a webhook",
    "message": "Notifications of seenby arrive here.",
    "path": None,
}


def body_of(content: Mapping[str, Any], form: str, base_url: str, created_at: datetime) -> bytes:
    """Return the body of a message; `form` is a webhook's format: standard, text or teams.

    Title and message may quote engines and sites: invisible characters are removed, and in a text
    nothing of it is a mention, a link or markup to the chat service.
    """
    if "report" in content:
        words = scheduled_report(content["report"], None, base_url)
        message = "\n\n".join(words.paragraphs)
        content = {
            **NO_ORIGIN,
            **content,
            "severity": "info",
            "title": words.subject,
            "message": message,
            "path": "/",
        }
    url = base_url + (content["path"] or "/notifications")
    title, message = clean(str(content["title"])), paragraph_of(str(content["message"]))
    if form == "text":
        return dumped({"text": f"{inert(title)}\n{inert(message)}\n{url}"})
    if form == "teams":
        return dumped(_adaptive_card(unlinked(title), unlinked(message), url))
    created = created_at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    data = {**content, "title": title, "message": message, "url": url, "createdAt": created}
    del data["path"]
    return dumped(
        {"type": TYPES.get(content["kind"], "notification.created"), "timestamp": created, "data": data}
    )


def inert(text: str) -> str:
    """Return a text in which Slack finds no control sequence and Markdown no link.

    Slack's documentation names the three characters that are escaped as entities; Markdown wants `](` for a link.
    """
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return unlinked(escaped)


def unlinked(text: str) -> str:
    """Return a text in which Markdown finds no link."""
    return text.replace("](", "] (")


def _adaptive_card(title: str, message: str, url: str) -> dict[str, Any]:
    """Return a message with one card, as the "When a Teams webhook request is received" trigger takes it."""
    blocks = [
        {"type": "TextBlock", "text": title, "weight": "Bolder", "wrap": True},
        {"type": "TextBlock", "text": message, "wrap": True},
    ]
    card = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": blocks,
        "actions": [{"type": "Action.OpenUrl", "title": "Open in seenby", "url": url}],
    }
    kind = "application/vnd.microsoft.card.adaptive"
    return {"type": "message", "attachments": [{"contentType": kind, "content": card}]}


def dumped(document: Mapping[str, Any]) -> bytes:
    """Return a document as it is sent and signed."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


async def queue_approval(
    writing: Workspace, brand: Brand, item_id: str, text: ItemDraft, now: datetime
) -> None:
    """Queue a delivery to every subscribed webhook; the text is not sent, receivers fetch it."""
    content = {
        "id": item_id,
        "kind": DRAFT_APPROVED,
        "severity": "info",
        "title": text.title,
        "message": f"A draft of {brand.name} was approved as {text.category}.",
        "path": f"/brands/{brand.id}/content/{item_id}",
        "brandId": brand.id,
        "issueId": None,
        "runId": None,
    }
    key = f"{DRAFT_APPROVED}:{item_id}:{digest(text.body)}:{now.isoformat()}"
    wanting = [
        webhook
        for webhook in await writing.webhooks.all()
        if webhook.state == "active" and DRAFT_APPROVED in webhook.kinds
    ]
    await writing.webhooks.queue(
        [DeliveryDraft(webhook.id, DRAFT_APPROVED, content, key) for webhook in wanting], now
    )
