"""The WordPress site of one company, and the post created from each of its texts."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, bindparam, delete, func, insert, select, update

from storage.queries import Query
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.companies import users
from storage.tables.publishing import wordpress_posts, wordpress_sites


@dataclass(frozen=True, slots=True)
class WordPressSite:
    """The site that texts are published to. `sealed` holds the URL, user name and application password.

    `state` is `untested`, `ok` or `refused`; `added_by` is a person's name.
    """

    id: str
    url: str
    username: str
    sealed: str
    state: str
    added_by: str | None
    tested_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class WordPressPost:
    """The post created from one text: `post_id` once the site has returned it; `slug` finds it before that."""

    item_id: str
    slug: str
    post_id: int | None
    outcome: str | None
    reply: int | None
    sent_at: datetime | None


SITE = Query(
    select(*row_columns(WordPressSite, wordpress_sites, added_by=users.c.name))
    .outerjoin(users, users.c.id == wordpress_sites.c.added_by)
    .where(wordpress_sites.c.company_id == bindparam("company_id")),
    WordPressSite,
    brief=True,
)
POST = Query(
    select(*row_columns(WordPressPost, wordpress_posts))
    .join(wordpress_sites, wordpress_sites.c.id == wordpress_posts.c.site_id)
    .where(
        wordpress_posts.c.company_id == bindparam("company_id"),
        wordpress_sites.c.company_id == bindparam("company_id"),
        wordpress_posts.c.item_id == bindparam("item_id"),
    ),
    WordPressPost,
    brief=True,
)


UNDELIVERED = Query(
    select(func.count())
    .select_from(wordpress_posts)
    .where(
        wordpress_posts.c.company_id == bindparam("company_id"),
        wordpress_posts.c.outcome.is_(None)
        | ((wordpress_posts.c.outcome != "created") & (wordpress_posts.c.outcome != "updated")),
    ),
    int,
)


class WordPressRepository(Repository):
    """The site of one company and the posts created there from its texts."""

    async def site(self) -> WordPressSite | None:
        """Return the company's site."""
        return await self._first(SITE)

    async def put(
        self, site_id: str, url: str, username: str, sealed: str, added_by: str | None, now: datetime
    ) -> None:
        """Store a site as untested; the same id keeps its posts, a site with another id is deleted with its posts."""
        values = {"url": url, "username": username, "sealed": sealed, "state": "untested"}
        values |= {"added_by": added_by, "tested_at": None}
        if (await self._write(update(wordpress_sites).where(self._site(site_id)).values(**values))).rowcount:
            return
        await self.remove()
        row = {"id": site_id, "company_id": self.company_id, "created_at": now, **values}
        await self._write(insert(wordpress_sites), row)

    async def tested(self, site_id: str, state: str, now: datetime) -> None:
        """Record the result of a test."""
        changed = update(wordpress_sites).where(self._site(site_id)).values(state=state, tested_at=now)
        await self._write(changed)

    async def remove(self) -> bool:
        """Delete the site and the records of its posts; False if there is none."""
        ours = wordpress_sites.c.company_id == self.company_id
        return (await self._write(delete(wordpress_sites).where(ours))).rowcount == 1

    async def post(self, item_id: str) -> WordPressPost | None:
        """Return the post created from a text at the current site."""
        return await self._first(POST, item_id=item_id)

    async def undelivered(self) -> int:
        """Count the texts whose last publication failed or did not finish."""
        return await self._first(UNDELIVERED) or 0

    async def claim(self, site_id: str, item_id: str, slug: str, now: datetime, until: datetime) -> bool:
        """Claim a text for publication; False while another sender has it. The first slug of a text is kept."""
        row = {"company_id": self.company_id, "site_id": site_id, "item_id": item_id, "slug": slug}
        await self._write(self._insert_or_ignore(wordpress_posts), {**row, "claimed_until": now})
        free = self._post(site_id, item_id) & (wordpress_posts.c.claimed_until <= now)
        taken = update(wordpress_posts).where(free).values(claimed_until=until)
        return (await self._write(taken)).rowcount == 1

    async def settle(
        self,
        site_id: str,
        item_id: str,
        outcome: str,
        reply: int | None,
        post_id: int | None,
        now: datetime,
        free_at: datetime,
    ) -> None:
        """Record a publication's outcome; the next may start at `free_at`. Without a post id, the old one is kept."""
        values: dict[str, object] = {"outcome": outcome, "reply": reply, "claimed_until": free_at}
        if post_id is not None:
            values |= {"post_id": post_id, "sent_at": now}
        await self._write(update(wordpress_posts).where(self._post(site_id, item_id)).values(**values))

    async def forget_post(self, site_id: str, item_id: str) -> None:
        """Delete the record of a post that no longer exists."""
        await self._write(update(wordpress_posts).where(self._post(site_id, item_id)).values(post_id=None))

    def _site(self, site_id: str) -> ColumnElement[bool]:
        return (wordpress_sites.c.id == site_id) & (wordpress_sites.c.company_id == self.company_id)

    def _post(self, site_id: str, item_id: str) -> ColumnElement[bool]:
        return (
            (wordpress_posts.c.company_id == self.company_id)
            & (wordpress_posts.c.site_id == site_id)
            & (wordpress_posts.c.item_id == item_id)
        )
