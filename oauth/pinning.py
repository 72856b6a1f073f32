"""Clients that an operator vouches for: what may be said of one."""

from collections.abc import Sequence
from datetime import datetime

from oauth.client_documents import MOST_REDIRECTS, is_document_url
from oauth.client_names import LONGEST, cleaned
from oauth.redirects import RedirectRules
from storage.repositories.pinned_clients import PinnedClient


def vouched_for(
    url: str, name: str, redirects: Sequence[str], rules: RedirectRules, now: datetime
) -> PinnedClient:
    """Return the client. The operator's word is enough for any host; the form of a redirect is ours.

    Raises ValueError, in words for the operator.
    """
    if not is_document_url(url):
        raise ValueError("a client's id is the https URL of its metadata, with a path and without a port")
    if not 1 <= len(redirects) <= MOST_REDIRECTS:
        raise ValueError(f"a client has from 1 to {MOST_REDIRECTS} redirects")
    for redirect in redirects:
        if not rules.well_formed(redirect):
            raise ValueError(
                f"{redirect} is no redirect: https, or http on loopback, or a scheme of SEENBY_OAUTH_REDIRECT_SCHEMES"
            )
    if len(name) > LONGEST:
        raise ValueError(f"a name has at most {LONGEST} characters")
    return PinnedClient(url, cleaned(name), list(redirects), now)
