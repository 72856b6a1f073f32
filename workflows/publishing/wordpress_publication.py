"""Publishes texts to a company's WordPress site. Publishing is idempotent: each text becomes one post."""

import logging
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from measurement.planning.clock import Clock
from measurement.planning.published_items import DRAFT
from oauth.sealing import CannotOpen, Seal
from readiness.fetching.dialing import Resolver, system_resolver
from readiness.fetching.fetcher import Fetcher
from readiness.fetching.policy import publishing_policy
from storage.database import Database
from storage.repositories.repository_items import RepositoryItem
from storage.repositories.wordpress import WordPressPost, WordPressSite
from workflows.drafts.decisions import is_undecided
from workflows.publishing.documents import file_stem
from workflows.publishing.site_access import open_access, store_site
from workflows.publishing.wordpress import (
    UNCERTAIN,
    FoundPost,
    WordPressAccess,
    WordPressClient,
    WordPressFailed,
)

events = logging.getLogger("seenby.events")

STATUSES: Final = ("draft", "publish")
LEASE: Final = timedelta(minutes=3)
"""How long a text is its sender's: longer than all calls of one sending."""
SETTLING: Final = timedelta(seconds=60)
"""How long a text is not sent again while an earlier request may still be processed by the site."""
SUCCESSES: Final = frozenset({"created", "updated"})


@dataclass(frozen=True, slots=True)
class PublishResult:
    """The outcome of one request, the HTTP status if there was a response, and the post."""

    outcome: str
    reply: int | None = None
    post_id: int | None = None
    uncertain: bool = False
    """Whether a post may have been created without a confirmation."""

    @property
    def succeeded(self) -> bool:
        """Whether the site holds the text now."""
        return self.outcome in SUCCESSES


class WordPressPublication:
    """Stores, tests and uses the WordPress sites of companies; `allow_hosts` is empty but in development."""

    def __init__(
        self,
        seal: Seal,
        base_url: str,
        now: Clock,
        allow_hosts: frozenset[str] = frozenset(),
        resolve: Resolver = system_resolver,
        request_seconds: float | None = None,
    ) -> None:
        self._seal = seal
        self._now = now
        self._allow_hosts = allow_hosts
        policy = replace(publishing_policy(base_url), allow_hosts=allow_hosts)
        if request_seconds is not None:
            policy = replace(policy, request_seconds=request_seconds)
        self._policy = policy
        self._resolve = resolve

    async def store(
        self, database: Database, company_id: str, access: WordPressAccess, added_by: str | None
    ) -> None:
        """Store the site of a company. Raises InvalidWordPressSite."""
        async with database.transaction(company_id) as writing:
            await store_site(writing, self._seal, access, added_by, self._now(), self._allow_hosts)

    async def test(self, database: Database, company_id: str) -> PublishResult | None:
        """Ask the site who we are there, and remember the answer; None without a site."""
        site = await database.workspace(company_id).wordpress.site()
        if site is None:
            return None
        try:
            async with self._open_fetcher() as fetcher:
                await WordPressClient(fetcher, self._access(site, company_id)).check()
            result = PublishResult("works")
        except WordPressFailed as failed:
            result = PublishResult(failed.outcome, failed.reply)
        state = "ok" if result.outcome == "works" else "refused"
        async with database.transaction(company_id) as writing:
            await writing.wordpress.tested(site.id, state, self._now())
        return result

    async def publish(
        self, database: Database, company_id: str, item: RepositoryItem, status: str = "draft"
    ) -> PublishResult:
        """Bring a text to the company's site: a new post of a status, or its present post brought up to date.

        A draft becomes a draft in WordPress, once every sentence is decided. Nothing is raised for what the site does.
        """
        workspace = database.workspace(company_id)
        site = await workspace.wordpress.site()
        if site is None:
            return PublishResult("no_site")
        if status not in STATUSES or (status != "draft" and item.category == DRAFT):
            return PublishResult("not_approved")
        if await is_undecided(workspace, item):
            return PublishResult("not_approved")
        now = self._now()
        slug = f"{file_stem(item)}-{item.id.replace('-', '')[-12:]}"
        async with database.transaction(company_id) as writing:
            claimed = await writing.wordpress.claim(site.id, item.id, slug, now, now + LEASE)
        if not claimed:
            return PublishResult("under_way")
        post = await workspace.wordpress.post(item.id)
        if post is None:
            return PublishResult("no_site")  # removed meanwhile
        result = await self._send(database, company_id, site, post, item, status)
        async with database.transaction(company_id) as writing:
            wait = SETTLING if result.uncertain else timedelta(0)
            await writing.wordpress.settle(
                site.id,
                item.id,
                result.outcome,
                result.reply,
                result.post_id if result.succeeded else None,
                self._now(),
                self._now() + wait,
            )
        events.info(
            "wordpress",
            extra={
                "company_id": company_id,
                "item_id": item.id,
                "outcome": result.outcome,
                "reply": result.reply,
            },
        )
        return result

    async def _send(
        self,
        database: Database,
        company_id: str,
        site: WordPressSite,
        post: WordPressPost,
        item: RepositoryItem,
        status: str,
    ) -> PublishResult:
        try:
            async with self._open_fetcher() as fetcher:
                client = WordPressClient(fetcher, self._access(site, company_id))
                there = await client.find(post.post_id) if post.post_id is not None else None
                there = there or await client.find_by_slug(post.slug)
                if there is None:
                    return await create_once(client, item, post.slug, status)
                if there.status == "trash":
                    return PublishResult("in_the_trash", None, there.id)
                updated = await client.update(there.id, item)
                return PublishResult("updated", 200, updated.id)
        except WordPressFailed as failed:
            return PublishResult(failed.outcome, failed.reply)

    def _access(self, site: WordPressSite, company_id: str) -> WordPressAccess:
        try:
            return open_access(self._seal, site.sealed, company_id, site.id)
        except CannotOpen as error:
            raise WordPressFailed("sealed_under_another_key") from error

    def _open_fetcher(self) -> Fetcher:
        return Fetcher(self._policy, resolve=self._resolve)


async def create_once(client: WordPressClient, item: RepositoryItem, slug: str, status: str) -> PublishResult:
    """Create the post; without a clear response, check whether it was created anyway.

    Raises WordPressFailed when the site rejected it.
    """
    try:
        made: FoundPost | None = await client.create(item, slug, status)
    except WordPressFailed as failed:
        if failed.outcome not in UNCERTAIN:
            raise
        try:
            made = await client.find_by_slug(slug)
        except WordPressFailed:
            made = None
        if made is None:
            return PublishResult(failed.outcome, failed.reply, uncertain=True)
    return PublishResult("created", 201, made.id)
