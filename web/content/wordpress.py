"""Publishing a text to the company's WordPress site: the action, the outcome in words, and the post's status."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from measurement.planning.published_items import DRAFT
from tools.calls.rate_limits import RateLimitWindow
from web.errors import PageNotFound
from web.request import PageRequest
from workflows.publishing.wordpress_publication import SUCCESSES

OUTCOMES: Mapping[str, str] = {
    "works": "The site answers, and this user may write posts there.",
    "created": "Sent: it is a new post there.",
    "updated": "Sent: its post there is up to date. Whether the post is published is not changed.",
    "no_site": "There is no WordPress site yet: an owner sets one in the settings.",
    "not_approved": "It was not sent: a draft that is not approved is sent as a draft only.",
    "under_way": "It is being sent, or the last sending may still be at work there: try again in a minute.",
    "in_the_trash": "Its post there lies in the trash: restore it, or delete it for good, and send again.",
    "credentials_refused": "The site does not know this user or rejects the application password.",
    "not_allowed": "The site does not let this user do that: it needs the right to write and edit posts.",
    "no_wordpress": "No WordPress interface is found there: check the address, and that permalinks are not “plain”.",
    "invalid_parameters": "The site rejected the post as invalid; a plug-in may demand more than title and text.",
    "post_is_gone": "Its post went away while it was sent: send it again.",
    "site_error": "The site answered with an error of its own, or is too busy: try again in a minute.",
    "redirected": "The site redirects its interface, which is not followed: store the address that it redirects to.",
    "timeout": "The site did not answer in time: try again in a minute. No second post comes of it.",
    "dns": "The site's name is not known.",
    "tls": "The site's certificate was not accepted.",
    "connection": "Nothing answers there.",
    "refused_address": "The site's address is a private one, which is never sent to.",
    "refused_url": "The site's address was rejected.",
    "sealed_under_another_key": "The password was stored under another server secret: store the site again.",
}
"""Each outcome in words; any other is an answer that WordPress does not give."""


def describe_outcome(outcome: str) -> str:
    """Say what came of a call to the site."""
    return OUTCOMES.get(outcome, "What answers there does not answer as WordPress does.")


async def load_sending(request: PageRequest, item_id: str) -> dict[str, Any]:
    """Return what a text's page says of WordPress: the site, the post of the text, and how the last step went."""
    workspace = request.workspace
    site = await workspace.wordpress.site()
    post = await workspace.wordpress.post(item_id) if site else None
    outcome = request.http.query_params.get("sent", "")
    return {
        "wordpress": site,
        "post": post,
        "sent": describe_outcome(outcome) if outcome else None,
        "sent_well": outcome in SUCCESSES,
    }


SENDINGS_A_MINUTE = 20


async def publish_item(request: PageRequest) -> Response:
    """Send a text to WordPress, and say on its page how it went."""
    request.require_member()
    profile = await request.load_brand()
    typed = await request.read_form()
    company_id = request.signed_in.company_id
    await request.count_attempt(RateLimitWindow(f"wordpress:{company_id}", SENDINGS_A_MINUTE))
    workspace = request.services.database.workspace(company_id)
    brand = await workspace.brands.find(profile["id"])
    item = (
        await workspace.repository_items.find(brand.key, request.http.path_params["item_id"])
        if brand
        else None
    )
    if item is None:
        raise PageNotFound
    status = "publish" if typed.get("status") == "publish" else "draft"
    result = await request.services.wordpress.publish(request.database, company_id, item, status)
    page = f"/brands/{profile['id']}/content/{item.id}{'/draft' if item.category == DRAFT else ''}"
    return request.redirect(f"{page}?sent={result.outcome}")
