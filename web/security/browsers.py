"""Browsers: each is known again by a signed cookie, with the people who signed in from it before."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, cast

from itsdangerous import BadSignature, URLSafeSerializer
from starlette.requests import Request
from starlette.responses import Response

from oauth.signing import Digests
from web.security.cookies import Cookie

MOST_PEOPLE = 5
LIFE = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class Browser:
    """One browser and the identifiers of its people, latest first. It proves nothing beyond having been here."""

    id: str
    people: tuple[str, ...] = ()

    def with_person(self, user_id: str) -> "Browser":
        """Return the browser with one more person who signed in from it."""
        others = tuple(person for person in self.people if person != user_id)
        return Browser(self.id, (user_id, *others)[:MOST_PEOPLE])


class Browsers:
    """Recognises browsers."""

    def __init__(self, keys: Digests, *, secure: bool) -> None:
        self._serializer = URLSafeSerializer(
            keys.signing, salt="seenby-browser", signer_kwargs={"digest_method": hashlib.sha256}
        )
        self._cookie = Cookie("seenby-browser", secure, LIFE)

    def known(self, request: Request) -> Browser | None:
        """Return the browser of a request, or None for one that was never here."""
        try:
            value: Any = self._serializer.loads(self._cookie.read(request) or "")
        except BadSignature:
            return None
        if not isinstance(value, list) or not value:
            return None
        first, *people = (str(part) for part in cast(list[object], value))
        return Browser(first, tuple(people))

    def new(self) -> Browser:
        """Return a browser that was never here."""
        return Browser(secrets.token_urlsafe(16))

    def remember(self, response: Response, browser: Browser) -> None:
        """Let the browser be known again for a year."""
        self._cookie.write(response, str(self._serializer.dumps([browser.id, *browser.people])))
