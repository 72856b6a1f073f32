"""The deployment's policy, and redirect URIs: which may be registered, and which one a request names."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from oauth.signing import Digests

LONGEST = 1024
LOOPBACK_HOSTS = frozenset({"127.0.0.1", "[::1]", "localhost"})
NEVER_SCHEMES = frozenset({"javascript", "data", "vbscript", "file", "about", "blob", "http", "https", "ftp"})

PUBLISHED = frozenset(
    {
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "https://www.cursor.com/agents/mcp/oauth/callback",
        "https://vscode.dev/redirect",
        "https://insiders.vscode.dev/redirect",
        "https://callback.mistral.ai/v1/integrations_auth/oauth2_callback",
    }
)
"""Redirects that the documentation of Cursor, VS Code and Le Chat publishes, November 2026. Every deployment accepts
them: codes are bound to the client by PKCE."""

_COPILOT_STUDIO = re.compile(r"https://global\.consent\.azure-apim\.net/redirect/[A-Za-z0-9._-]{1,200}")
"""The redirect of Copilot Studio, which ends in the name of a connector."""
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\uffff\\#]|[^\x00-\uffff]")
_HTTPS = re.compile(r"https://([A-Za-z0-9.-]+|\[[0-9a-fA-F:.]+\])(:[0-9]{1,5})?(?=[/?]|$)(.*)", re.DOTALL)
_LOOPBACK = re.compile(r"http://(127\.0\.0\.1|\[::1\]|localhost)(:[0-9]{1,5})?(?=[/?]|$)(.*)", re.DOTALL)
_PRIVATE = re.compile(r"(?<![a-z0-9+.-])([a-z][a-z0-9+.-]*):(//)?[A-Za-z0-9._~/?&=%-]+")


@dataclass(frozen=True, slots=True)
class RedirectRules:
    """What one deployment accepts.

    `hosts` are those an https redirect may lead to, None for any; `schemes` are private ones, such as
    `cursor`, that the operator trusts.
    """

    hosts: frozenset[str] | None = None
    schemes: frozenset[str] = frozenset()

    def well_formed(self, uri: str) -> bool:
        """Return whether the text is a safe redirect, the host aside."""
        if len(uri) > LONGEST or _UNSAFE.search(uri):
            return False
        if is_published(uri):
            return True
        if _HTTPS.fullmatch(uri) or _LOOPBACK.fullmatch(uri):
            return _port_fits(uri)
        private = _PRIVATE.fullmatch(uri)
        return private is not None and private[1] in self.schemes - NEVER_SCHEMES

    def admits(self, uri: str, own_origin: str | None = None) -> bool:
        """Whether a client may register it; one from the origin of the client's own document always may."""
        if not self.well_formed(uri):
            return False
        https = _HTTPS.fullmatch(uri)
        if https is None or self.hosts is None or is_published(uri) or origin_of(uri) == own_origin:
            return True
        return https[1].lower() in self.hosts and https[2] in (None, ":443")


@dataclass(frozen=True, slots=True)
class OAuthPolicy:
    """One deployment's issuer, secrets and redirects. `base_url` has no trailing slash and is the issuer.

    `former_secret` still verifies what it signed. `apps_challenge` is the text that
    proves the domain to a directory of apps.
    """

    base_url: str
    secret: bytes = field(repr=False)
    former_secret: bytes | None = field(default=None, repr=False)
    redirects: RedirectRules = field(default_factory=RedirectRules)
    apps_challenge: str | None = None

    def digests(self, label: str) -> Digests:
        """Return the keys of one purpose."""
        return Digests.of(self.secret, label, self.former_secret)


def is_published(uri: str) -> bool:
    """Return whether a well-known client publishes this redirect."""
    return uri in PUBLISHED or _COPILOT_STUDIO.fullmatch(uri) is not None


def is_loopback(uri: str) -> bool:
    """Whether the answer goes to a program on the person's own computer."""
    return _LOOPBACK.fullmatch(uri) is not None


def matches(registered: str, asked: str) -> bool:
    """Compare as raw strings; on loopback the port is the program's own choice (RFC 8252 section 7.3)."""
    if registered == asked:
        return True
    registered_match, asked_match = _LOOPBACK.fullmatch(registered), _LOOPBACK.fullmatch(asked)
    return (
        registered_match is not None
        and asked_match is not None
        and (registered_match[1], registered_match[3]) == (asked_match[1], asked_match[3])
    )


def is_registered(asked: str, registered: Iterable[str]) -> bool:
    """Whether one of the registered redirects is the one that was asked for."""
    return any(matches(uri, asked) for uri in registered)


def chosen(asked: str | None, registered: Sequence[str]) -> str | None:
    """Return the redirect of a request: the named one if it is registered, else the only one; None if neither."""
    if asked is None:
        return registered[0] if len(registered) == 1 else None
    return asked if is_registered(asked, registered) else None


def origin_of(uri: str) -> str:
    """Return scheme and authority in lower case, as a browser compares them; for a private scheme the scheme."""
    parts = urlsplit(uri)
    if parts.scheme not in ("http", "https"):
        return f"{parts.scheme}:"
    return f"{parts.scheme}://{parts.netloc.lower()}"


def host_of(uri: str) -> str:
    """Return what a person is shown of a redirect: its host and port, or its scheme."""
    parts = urlsplit(uri)
    return parts.netloc if parts.scheme in ("http", "https") else f"{parts.scheme}:"


def _port_fits(uri: str) -> bool:
    try:
        port = urlsplit(uri).port
    except ValueError:
        return False
    return port is None or port > 0
