"""Dynamic client registration (RFC 7591): which metadata a client may send, and the response."""

import json
import secrets
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, cast

from oauth import scopes
from oauth.client_documents import LONGEST_NAME, cleaned
from oauth.errors import OAuthRefused
from oauth.redirects import NEVER_SCHEMES, RedirectRules
from oauth.signing import Digests
from storage.database import Database
from storage.repositories.oauth_clients import StoredClient

MOST_REDIRECTS: Final = 10
LONGEST_SHOWN: Final = 200
METHODS: Final = ("none", "client_secret_post", "client_secret_basic")
GRANTS: Final = ["authorization_code", "refresh_token"]


class Registrations:
    """Registers clients without an operator's approval."""

    def __init__(
        self, database: Database, rules: RedirectRules, digests: Digests, now: Callable[[], datetime]
    ) -> None:
        self._database = database
        self._rules = rules
        self._digests = digests
        self._now = now

    def read(self, body: bytes) -> dict[str, Any]:
        """Return what is kept of a client's metadata. Raises OAuthRefused."""
        return read_metadata(body, self._rules)

    async def register(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """Store a client and return its information response; its secret is shown here only.

        The redirects in it are the accepted ones of those that were sent (RFC 7591 section 3.2.1).
        """
        now, client_id = self._now(), secrets.token_urlsafe(24)
        secret = None if document["token_endpoint_auth_method"] == "none" else secrets.token_hex(32)
        digest = self._digests.digest(secret) if secret else None
        async with self._database.operation() as operators:
            stored = StoredClient(client_id, "registration", document, digest, now, None)
            await operators.oauth_clients.add(stored)
        registration = {"client_id": client_id, "client_id_issued_at": int(now.timestamp()), **document}
        if secret is not None:
            registration |= {"client_secret": secret, "client_secret_expires_at": 0}
        return registration


def read_metadata(body: bytes, rules: RedirectRules) -> dict[str, Any]:
    """Return what is kept of a client's metadata; unknown members are dropped. Raises OAuthRefused."""
    try:
        parsed: object = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise _bad("The body must be a JSON object.") from error
    if not isinstance(parsed, dict):
        raise _bad("The body must be a JSON object.")
    sent = cast(dict[str, Any], parsed)
    method = sent.get("token_endpoint_auth_method") or "client_secret_post"
    if method not in METHODS:
        raise _bad(f"token_endpoint_auth_method must be one of {', '.join(METHODS)}.")
    if "authorization_code" not in _names(sent, "grant_types", ["authorization_code"]):
        raise _bad("grant_types must contain authorization_code.")
    if "code" not in _names(sent, "response_types", ["code"]):
        raise _bad("response_types must contain code.")
    name = sent.get("client_name") or ""
    if not isinstance(name, str) or len(name) > LONGEST_NAME:
        raise _bad(f"client_name must be text of at most {LONGEST_NAME} characters.")
    return {
        "client_name": cleaned(name),
        "redirect_uris": _redirects(sent, rules),
        "token_endpoint_auth_method": method,
        "grant_types": GRANTS,
        "response_types": ["code"],
        "scope": scopes.format_scopes(scopes.KNOWN),
    }


def _names(sent: Mapping[str, Any], member: str, absent: list[str]) -> list[object]:
    values: object = sent.get(member)
    if values is None:
        return list[object](absent)
    if not isinstance(values, list):
        raise _bad(f"{member} must be a list.")
    return cast(list[object], values)


def _redirects(sent: Mapping[str, Any], rules: RedirectRules) -> list[str]:
    redirect_uris: object = sent.get("redirect_uris")
    listed = cast(list[object], redirect_uris) if isinstance(redirect_uris, list) else []
    if not 1 <= len(listed) <= MOST_REDIRECTS:
        raise OAuthRefused("invalid_redirect_uri", f"1 to {MOST_REDIRECTS} redirect_uris are needed.")
    sent_uris = [uri for uri in listed if isinstance(uri, str)]
    if len(sent_uris) != len(listed):
        raise OAuthRefused("invalid_redirect_uri", "redirect_uris must be a list of text.")
    admitted = [uri for uri in sent_uris if rules.admits(uri)]
    if not admitted:
        raise OAuthRefused("invalid_redirect_uri", not_admitted(sent_uris[0]))
    return admitted


def not_admitted(uri: str) -> str:
    """Say which redirect is not accepted, and which setting of the server would accept it."""
    scheme = uri.partition(":")[0].lower()
    if scheme == "https":
        way = "Its operator can accept the host with SEENBY_OAUTH_REDIRECT_HOSTS."
    elif scheme in NEVER_SCHEMES or not uri.isprintable():
        way = "Use https, or http on 127.0.0.1."
    else:
        way = "Its operator can accept the scheme with SEENBY_OAUTH_REDIRECT_SCHEMES."
    return f"The redirect URI {cleaned(uri)[:LONGEST_SHOWN]} is not accepted by this server. {way}"


def _bad(description: str) -> OAuthRefused:
    return OAuthRefused("invalid_client_metadata", description)
