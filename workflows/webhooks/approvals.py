"""Tells webhooks that a person approved a draft, in the transaction that approves it."""

from datetime import datetime

from storage.repositories.brands import Brand
from storage.repositories.repository_items import ItemDraft, digest
from storage.repositories.webhooks import DRAFT_APPROVED, DeliveryDraft
from storage.workspace import Workspace


async def queue_approval(
    writing: Workspace, brand: Brand, item_id: str, text: ItemDraft, now: datetime
) -> None:
    """Queue a delivery to every webhook that wants it; its text is not sent, whoever hears of it fetches it."""
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
