"""Fetches clients' metadata documents with the guarded fetcher that scans use, under its strictest policy."""

from typing import Final

import anyio

from oauth.client_documents import Fetched
from oauth.errors import DocumentUnreachable
from readiness.fetching.dialing import Resolver, system_resolver
from readiness.fetching.errors import FetchFailed, UrlRefused
from readiness.fetching.fetcher import Fetcher
from readiness.fetching.policy import metadata_policy

AT_ONCE: Final = 4


class GuardedFetcher:
    """Asks public addresses only, over https, following no redirect, for JSON of at most 16 KB within 3 seconds."""

    def __init__(self, base_url: str, resolve: Resolver = system_resolver) -> None:
        self._policy = metadata_policy(base_url)
        self._resolve = resolve
        self._slots = anyio.Semaphore(AT_ONCE)

    async def fetch(self, url: str) -> Fetched:
        """Return the answer, a redirect as what it is. Raises DocumentUnreachable."""
        try:
            async with self._slots, Fetcher(self._policy, resolve=self._resolve) as fetcher:
                response = await fetcher.get(url)
        except (FetchFailed, UrlRefused) as error:
            raise DocumentUnreachable from error
        return Fetched(
            response.status, response.media_type, response.header("cache-control") or "", response.body
        )
