"""What the page of a text says of WordPress: the site, the post of the text, and how the last step went."""

from typing import Any

from web.request import PageRequest
from web.wordpress_outcomes import describe_outcome
from workflows.publishing.wordpress_publication import SUCCESSES


async def load_sending(request: PageRequest, item_id: str) -> dict[str, Any]:
    """Return what a text's page says of WordPress: the site, the post of the text, and how the last step went."""
    workspace = request.services.database.workspace(request.signed_in.company_id)
    site = await workspace.wordpress.site()
    post = await workspace.wordpress.post(item_id) if site else None
    outcome = request.http.query_params.get("sent", "")
    return {
        "wordpress": site,
        "post": post,
        "sent": describe_outcome(outcome) if outcome else None,
        "sent_well": outcome in SUCCESSES,
    }
