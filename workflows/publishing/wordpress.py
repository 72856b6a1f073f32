"""WordPress's REST interface, as far as posts need it: who am I, find a post, create it, update it.

https://developer.wordpress.org/rest-api/reference/posts/ and .../using-the-rest-api/authentication/ describe it.
Nothing that a site says is shown to anybody: what came of a call is one of our words.
"""

import base64
import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast
from urllib.parse import quote

from readiness.fetching.errors import FetchFailed, UrlRefused
from readiness.fetching.fetcher import Fetcher
from readiness.fetching.response import Response
from storage.repositories.repository_items import RepositoryItem
from workflows.publishing.documents import html_fragment, visible

ROUTE: Final = "/wp-json/wp/v2"
FIELDS: Final = "_fields=id,slug,status"
LONGEST_REPLY: Final = 65_536
UNCERTAIN: Final = frozenset({"timeout", "connection", "protocol", "site_error", "invalid_reply"})
"""Outcomes after which the site may nevertheless have done what it was asked."""
FIRST_HEADING: Final = re.compile(r"\s{0,40}#[ \t][^\n]*\n?")


@dataclass(frozen=True, slots=True)
class WordPressAccess:
    """Where a site is and who publishes there; `password` is an application password."""

    url: str
    username: str
    password: str


@dataclass(frozen=True, slots=True)
class FoundPost:
    """A post as the site names it; `status` is draft, publish, trash or another of WordPress's."""

    id: int
    slug: str
    status: str


class WordPressFailed(Exception):
    """A call that brought nothing usable: `outcome` in one of our words, and the HTTP status where there was one."""

    def __init__(self, outcome: str, reply: int | None = None) -> None:
        super().__init__(outcome)
        self.outcome = outcome
        self.reply = reply


class WordPressClient:
    """Calls one site with one application password; redirects are not followed, so it reaches no other host."""

    def __init__(self, fetcher: Fetcher, access: WordPressAccess) -> None:
        self._fetcher = fetcher
        self._base = access.url.rstrip("/") + ROUTE
        pair = f"{access.username}:{access.password}".encode()
        self._headers = (
            ("Authorization", f"Basic {base64.b64encode(pair).decode()}"),
            ("Accept", "application/json"),
        )

    async def check(self) -> None:
        """Fetch the authenticated user. Raises WordPressFailed, also for a user who may not edit posts."""
        reply = await self._get("/users/me?context=edit&_fields=id,capabilities")
        document = read_object(reply)
        capabilities: object = document.get("capabilities")
        if not isinstance(capabilities, dict) or not cast(dict[str, object], capabilities).get("edit_posts"):
            raise WordPressFailed("not_allowed", reply.status)

    async def find(self, post_id: int) -> FoundPost | None:
        """Return the post of this id in any state, or None."""
        try:
            return read_post(await self._get(f"/posts/{post_id}?context=edit&{FIELDS}"))
        except WordPressFailed as failed:
            if failed.outcome == "post_is_gone":
                return None
            raise

    async def find_by_slug(self, slug: str) -> FoundPost | None:
        """Return the oldest post of exactly this slug among drafts and published ones."""
        reply = await self._get(
            f"/posts?context=edit&status=any&orderby=id&order=asc&slug={quote(slug)}&{FIELDS}"
        )
        listed: object = read_json(reply)
        if not isinstance(listed, list):
            raise WordPressFailed("invalid_reply", reply.status)
        posts = [post_of(entry, reply) for entry in cast(list[object], listed)]
        return next((post for post in posts if post.slug == slug), None)

    async def create(self, item: RepositoryItem, slug: str, status: str) -> FoundPost:
        """Make a post."""
        return await self._post("/posts", {**post_fields(item), "slug": slug, "status": status})

    async def update(self, post_id: int, item: RepositoryItem) -> FoundPost:
        """Give a post title and text; its state and its address are the site's affair."""
        return await self._post(f"/posts/{post_id}", post_fields(item))

    async def _get(self, path: str) -> Response:
        return await self._call(path, None)

    async def _post(self, path: str, fields: Mapping[str, str]) -> FoundPost:
        return read_post(await self._call(f"{path}?{FIELDS}", json.dumps(fields).encode()))

    async def _call(self, path: str, content: bytes | None) -> Response:
        url = self._base + path
        try:
            if content is None:
                reply = await self._fetcher.get(url, headers=self._headers, body=LONGEST_REPLY)
            else:
                headers = (*self._headers, ("Content-Type", "application/json; charset=utf-8"))
                reply = await self._fetcher.post(url, content, headers=headers, body=LONGEST_REPLY)
        except FetchFailed as failed:
            raise WordPressFailed(str(failed.reason)) from failed
        except UrlRefused as refused:
            raise WordPressFailed("refused_url") from refused
        if reply.status not in (200, 201):
            raise WordPressFailed(outcome_of_reply(reply), reply.status)
        return reply


def post_fields(item: RepositoryItem) -> dict[str, str]:
    """Return title and text as WordPress takes them.

    WordPress interprets a title as HTML, shows it above the text, and executes square brackets (shortcodes)
    unless they are written as entities.
    """
    body = item.body.lstrip("\n")
    heading = FIRST_HEADING.match(body)
    content = html_fragment(body[heading.end() :] if heading else body)
    return {
        "title": html.escape(visible(item.title), quote=False),
        "content": content.replace("[", "&#91;").replace("]", "&#93;"),
    }


def outcome_of_reply(reply: Response) -> str:
    """Return our word for an answer that is no success."""
    code = error_code(reply)
    if 300 <= reply.status < 400:
        return "redirected"
    if reply.status == 404:
        return "post_is_gone" if code == "rest_post_invalid_id" else "no_wordpress"
    if reply.status == 429 or reply.status >= 500:
        return "site_error"
    words = {400: "invalid_parameters", 401: "credentials_refused", 403: "not_allowed"}
    return words.get(reply.status, "unexpected_reply") if code or reply.status == 401 else "no_wordpress"


def error_code(reply: Response) -> str:
    """Return WordPress's code of an error; empty for an answer that is none of WordPress's."""
    try:
        code: object = read_object(reply).get("code")
    except WordPressFailed:
        return ""
    return code if isinstance(code, str) else ""


def read_json(reply: Response) -> Any:
    """Return an answer's JSON. Raises WordPressFailed."""
    try:
        return json.loads(reply.body)
    except (ValueError, RecursionError) as error:
        raise WordPressFailed("invalid_reply", reply.status) from error


def read_object(reply: Response) -> dict[str, Any]:
    """Return an answer that must be a JSON object. Raises WordPressFailed."""
    document = read_json(reply)
    if not isinstance(document, dict):
        raise WordPressFailed("invalid_reply", reply.status)
    return cast(dict[str, Any], document)


def read_post(reply: Response) -> FoundPost:
    """Return the post that an answer names. Raises WordPressFailed."""
    return post_of(read_object(reply), reply)


def post_of(entry: object, reply: Response) -> FoundPost:
    """Return a post out of its JSON object. Raises WordPressFailed."""
    fields = cast(dict[str, object], entry) if isinstance(entry, dict) else {}
    post_id, slug, status = fields.get("id"), fields.get("slug"), fields.get("status")
    if type(post_id) is not int or not 0 < post_id < 2**31:
        raise WordPressFailed("invalid_reply", reply.status)
    if not isinstance(slug, str) or not isinstance(status, str):
        raise WordPressFailed("invalid_reply", reply.status)
    return FoundPost(post_id, slug, status)
