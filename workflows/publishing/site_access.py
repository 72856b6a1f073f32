"""The WordPress site of a company: its address checked, its application password sealed and never shown again."""

import json
from datetime import datetime
from typing import Final

from measurement.errors import WorkError
from oauth.sealing import Seal
from readiness.fetching import urls
from readiness.fetching.errors import UrlRefused
from storage.ids import new_id
from storage.workspace import Workspace
from workflows.publishing.wordpress import WordPressAccess

WORDPRESS: Final = "wordpress"
"""What a sealed site is bound to, beside company and row."""
LONGEST_NAME: Final = 100
LONGEST_PASSWORD: Final = 200


class InvalidWordPressSite(WorkError):
    """A site that cannot be stored; the words say why."""


async def store_site(
    writing: Workspace,
    seal: Seal,
    access: WordPressAccess,
    added_by: str | None,
    now: datetime,
    allow_hosts: frozenset[str],
) -> None:
    """Store the site of a company in the caller's transaction, in the place of another. Raises InvalidWordPressSite.

    A site of the same address stays the same site: what was sent there is known further on.
    """
    url = parse_site(access.url, allow_hosts)
    for value, longest, name in (
        (access.username, LONGEST_NAME, "the user name"),
        (access.password, LONGEST_PASSWORD, "the application password"),
    ):
        if not value or len(value) > longest or not value.isprintable():
            raise InvalidWordPressSite(f"{name} needs 1 to {longest} printable characters")
    if ":" in access.username:
        raise InvalidWordPressSite("the user name holds a colon, which Basic authentication does not allow")
    present = await writing.wordpress.site()
    site_id = present.id if present is not None and present.url == url else new_id()
    sealed = seal.seal(
        json.dumps([url, access.username, access.password]), writing.company_id, WORDPRESS, site_id
    )
    await writing.wordpress.put(site_id, url, access.username, sealed, added_by, now)


def open_access(seal: Seal, sealed: str, company_id: str, site_id: str) -> WordPressAccess:
    """Return what a sealed site holds. Raises CannotOpen."""
    return WordPressAccess(*json.loads(seal.open(sealed, company_id, WORDPRESS, site_id)))


def parse_site(text: str, allow_hosts: frozenset[str]) -> str:
    """Return a site's address without a slash at its end. Raises InvalidWordPressSite.

    Names are looked up, and their addresses judged, whenever something is sent: not here.
    """
    try:
        parsed = urls.parse(text, allow_hosts=allow_hosts)
    except UrlRefused as refused:
        raise InvalidWordPressSite(f"the address is not allowed: {refused}") from refused
    if parsed.scheme != "https" and f"{parsed.host}:{parsed.port}" not in allow_hosts:
        raise InvalidWordPressSite("the address is not allowed: passwords are only sent over https://")
    if parsed.query:
        raise InvalidWordPressSite("the address is not allowed: it contains a question mark")
    path = parsed.path.removesuffix("/").removesuffix("/wp-admin").removesuffix("/wp-json")
    return f"{parsed.origin}{path}"
