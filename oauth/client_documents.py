"""Client ID metadata documents: clients whose id is the URL of their own metadata.

Follows draft-ietf-oauth-client-id-metadata-document. The documents of well-known clients are pinned:
their hosts may answer a server's fetch with a check meant for browsers.
"""

import json
import re
import time
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol, cast
from urllib.parse import urlsplit

import anyio

from oauth.errors import DocumentRefused, DocumentUnreachable
from oauth.redirects import RedirectRules
from oauth.throttle import Limit, Throttle, network_of
from storage.repositories.oauth_clients import PinnedClient

LARGEST: Final = 16_384
LONGEST_URL: Final = 512
LONGEST_NAME: Final = 120
SHORTEST_CACHE: Final = 300
LONGEST_CACHE: Final = 86_400
FAILURE_CACHE: Final = 60
MOST_CACHED: Final = 256
MOST_REDIRECTS: Final = 10
FETCHES: Final = Limit("fetch", 10, 60)

PINNED: Final[Mapping[str, tuple[str, ...]]] = {
    "https://claude.ai/oauth/mcp-oauth-client-metadata": (
        "https://claude.ai/api/mcp/auth_callback",
        "https://claude.com/api/mcp/auth_callback",
    ),
    "https://claude.ai/oauth/claude-code-client-metadata": (
        "http://localhost/callback",
        "http://127.0.0.1/callback",
    ),
    "https://chatgpt.com/oauth/client.json": ("https://chatgpt.com/connector_platform_oauth_redirect",),
}
PINNED_NAMES: Final = {"claude.ai": "Claude", "chatgpt.com": "ChatGPT"}

_CHATGPT: Final = re.compile(r"https://chatgpt\.com/oauth/([A-Za-z0-9_-]{1,128})/client\.json")
_URL: Final = re.compile(
    r"https://([a-z0-9.-]+\.[a-z][a-z0-9-]*)(/[A-Za-z0-9._~!$&'()*+,;=:@%/-]+)(\?[^#\s]*)?"
)
_MAX_AGE: Final = re.compile(r"max-age=([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Fetched:
    """One answer: `media_type` in lower case without parameters."""

    status: int
    media_type: str
    cache_control: str
    body: bytes


class DocumentFetcher(Protocol):
    """Fetches a stranger's https URL safely: public addresses only, no redirect, bounded in size and time."""

    async def fetch(self, url: str) -> Fetched:
        """Return the answer. Raises DocumentUnreachable."""
        ...


@dataclass(slots=True)
class _Cached:
    document: Mapping[str, Any] | None
    until: float


class ClientDocuments:
    """Finds documents: pinned, remembered, or fetched. Without a fetcher only pinned ones are found."""

    def __init__(
        self,
        rules: RedirectRules,
        fetcher: DocumentFetcher | None,
        throttle: Throttle,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rules = rules
        self._fetcher = fetcher
        self._throttle = throttle
        self._clock = clock
        self._cache: dict[str, _Cached] = {}
        self._locks: dict[str, anyio.Lock] = {}

    async def document(
        self, url: str, address: str, last_good: Mapping[str, Any] | None
    ) -> Mapping[str, Any]:
        """Return the checked metadata behind a client id, asked for from `address`.

        `last_good` is an older copy, used when the document cannot be fetched. Raises DocumentRefused.
        """
        document = pinned(url)
        if document is not None:
            return document
        if not is_document_url(url):
            raise DocumentRefused("the client id is no URL of a metadata document")
        lock = self._locks.setdefault(url, anyio.Lock())
        try:
            async with lock:
                return await self._remembered(url, address, last_good)
        finally:
            if not lock.statistics().tasks_waiting:
                self._locks.pop(url, None)

    async def _remembered(
        self, url: str, address: str, last_good: Mapping[str, Any] | None
    ) -> Mapping[str, Any]:
        now = self._clock()
        cached = self._cache.get(url)
        if cached is None or cached.until <= now:
            if self._fetcher is None or await self._throttle.wait((FETCHES, network_of(address))) is not None:
                raise DocumentRefused("no document is fetched for this request")
            cached = await self._fetched(self._fetcher, url, last_good)
            self._remember(url, cached)
        if cached.document is None:
            raise DocumentRefused("the document could not be had or does not do")
        return cached.document

    async def _fetched(
        self, fetcher: DocumentFetcher, url: str, last_good: Mapping[str, Any] | None
    ) -> _Cached:
        try:
            answer = await fetcher.fetch(url)
            if answer.status != 200:
                raise DocumentUnreachable
        except DocumentUnreachable:
            return _Cached(last_good, self._clock() + FAILURE_CACHE)
        try:
            document = checked(url, answer, self._rules)
        except DocumentRefused:
            return _Cached(None, self._clock() + FAILURE_CACHE)
        return _Cached(document, self._clock() + cache_seconds(answer.cache_control))

    def _remember(self, url: str, cached: _Cached) -> None:
        if len(self._cache) >= MOST_CACHED and url not in self._cache:
            soonest = min(self._cache, key=lambda url: self._cache[url].until)
            del self._cache[soonest]
        self._cache[url] = cached


def pinned(url: str) -> Mapping[str, Any] | None:
    """Return the document of a well-known client."""
    redirects = PINNED.get(url)
    own = _CHATGPT.fullmatch(url)
    if own is not None:
        redirects = (f"https://chatgpt.com/connector/oauth/{own[1]}",)
    if redirects is None:
        return None
    return described(url, PINNED_NAMES[urlsplit(url).netloc], redirects)


def described(url: str, name: str, redirects: Sequence[str]) -> Mapping[str, Any]:
    """Return what is kept of a client's metadata."""
    return {"client_id": url, "client_name": name, "redirect_uris": list(redirects)}


def is_document_url(url: str) -> bool:
    """Whether it may be a client's id: https on its own port, a name and no address, a path without dot segments."""
    url_match = _URL.fullmatch(url)
    if url_match is None or len(url) > LONGEST_URL:
        return False
    segments = url_match[2].lower().replace("%2e", ".").split("/")
    return url_match[2] != "/" and not {".", ".."} & set(segments)


def checked(url: str, answer: Fetched, rules: RedirectRules) -> Mapping[str, Any]:
    """Return what we keep of a fetched document. Raises DocumentRefused."""
    if len(answer.body) > LARGEST:
        raise DocumentRefused("it is too large")
    if answer.media_type != "application/json" and not answer.media_type.endswith("+json"):
        raise DocumentRefused("it is not JSON")
    try:
        parsed: object = json.loads(answer.body)
    except (ValueError, RecursionError) as error:
        raise DocumentRefused("it is not JSON") from error
    if not isinstance(parsed, dict):
        raise DocumentRefused("it is no object")
    document = cast(dict[str, Any], parsed)
    if document.get("client_id") != url:
        raise DocumentRefused("it names another client")
    if any(member.startswith("client_secret") for member in document):
        raise DocumentRefused("a public document cannot hold a secret")
    if not _is_public(document):
        raise DocumentRefused("it asks for an authentication that is not offered")
    origin = "https://" + urlsplit(url).netloc
    redirects: object = document.get("redirect_uris")
    if not isinstance(redirects, list) or not 1 <= len(cast(list[object], redirects)) <= MOST_REDIRECTS:
        raise DocumentRefused("it has no redirects")
    admitted = [
        uri for uri in cast(list[object], redirects) if isinstance(uri, str) and rules.admits(uri, origin)
    ]
    if not admitted:
        raise DocumentRefused("it has no redirect that is accepted here")
    name: object = document.get("client_name")
    shown = cleaned(name)[:LONGEST_NAME] if isinstance(name, str) else ""
    return described(url, shown, admitted)


def _is_public(document: Mapping[str, Any]) -> bool:
    method: object = document.get("token_endpoint_auth_method", "none")
    others: object = document.get("token_endpoint_auth_methods_supported")
    return method == "none" or (isinstance(others, list) and "none" in cast(list[object], others))


def cache_seconds(cache_control: str) -> int:
    """Return how long a document holds, within 5 minutes and 24 hours."""
    max_age = _MAX_AGE.search(cache_control.lower())
    return min(max(int(max_age[1]) if max_age else 0, SHORTEST_CACHE), LONGEST_CACHE)


def cleaned(name: str) -> str:
    """Drop control, formatting, private and unassigned characters, among them those that turn text around."""
    kept = "".join(character for character in name if not unicodedata.category(character).startswith("C"))
    return " ".join(kept.split())


def vouched_for(
    url: str, name: str, redirects: Sequence[str], rules: RedirectRules, now: datetime
) -> PinnedClient:
    """Return a client that an operator pinned: any host is accepted, but redirects must be well formed.

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
    if len(name) > LONGEST_NAME:
        raise ValueError(f"a name has at most {LONGEST_NAME} characters")
    return PinnedClient(url, cleaned(name), list(redirects), now)
