"""The authorization server as a whole: its parts, built once from plain values, and their routes."""

import time
from collections.abc import Callable
from datetime import datetime

from starlette.routing import Route

from oauth.authorization import PendingRequests
from oauth.client_documents import ClientDocuments, DocumentFetcher
from oauth.clients import Clients
from oauth.consent import ConsentPages, Render, SignedIn
from oauth.endpoints import TokenServer, document_routes
from oauth.grants import Grants
from oauth.redirects import OAuthPolicy
from oauth.registration import Registrations
from oauth.scopes import Audiences
from oauth.signing import CONSENT, OAUTH_CLIENT_SECRETS, OAUTH_REQUESTS, OAUTH_TOKENS
from oauth.throttle import Throttle
from storage.database import Database


def grants_of(policy: OAuthPolicy, database: Database, now: Callable[[], datetime]) -> Grants:
    """Build what makes and ends tokens."""
    return Grants(database, policy.digests(OAUTH_TOKENS), Audiences(policy.base_url), now)


def oauth_routes(
    policy: OAuthPolicy,
    database: Database,
    now: Callable[[], datetime],
    *,
    signed_in: SignedIn,
    render: Render,
    throttle: Throttle,
    fetcher: DocumentFetcher | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> list[Route]:
    """Build every endpoint. Without a fetcher, of the clients known by a document only the pinned ones work."""
    secrets = policy.digests(OAUTH_CLIENT_SECRETS)
    documents = ClientDocuments(policy.redirects, fetcher, throttle, clock)
    clients = Clients(database, documents, secrets, now)
    grants = grants_of(policy, database, now)
    pages = ConsentPages(
        base_url=policy.base_url,
        database=database,
        clients=clients,
        requests=PendingRequests(database, policy.digests(OAUTH_REQUESTS), now),
        grants=grants,
        rules=policy.redirects,
        form_keys=policy.digests(CONSENT),
        throttle=throttle,
        signed_in=signed_in,
        render=render,
    )
    registrations = Registrations(database, policy.redirects, secrets, now)
    return [
        *document_routes(policy.base_url, policy.apps_challenge),
        *TokenServer(clients, registrations, grants, throttle).routes(),
        *pages.routes(),
    ]
