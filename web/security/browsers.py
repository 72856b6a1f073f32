"""Cookies, and the signed cookie that recognizes a browser a person signed in from before."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, cast

from itsdangerous import BadSignature, URLSafeSerializer
from starlette.requests import Request
from starlette.responses import Response

from oauth.signing import Digests


@dataclass(frozen=True, slots=True)
class Cookie:
    """One cookie that pages set.

    Over https the name gets the prefix `__Host-`, which browsers accept only for a secure,
    host-only cookie of the whole site (RFC 6265bis, section 4.1.3.2).
    """

    name: str
    secure: bool
    life: timedelta

    @property
    def full_name(self) -> str:
        """The name on the wire."""
        return f"__Host-{self.name}" if self.secure else self.name

    def read(self, request: Request) -> str | None:
        """Return the cookie's value as the browser sent it."""
        return request.cookies.get(self.full_name)

    def write(self, response: Response, value: str) -> None:
        """Give the cookie to the browser."""
        response.set_cookie(
            self.full_name,
            value,
            max_age=int(self.life.total_seconds()),
            path="/",
            secure=self.secure,
            httponly=True,
            samesite="lax",
        )

    def erase(self, response: Response) -> None:
        """Take the cookie back."""
        response.delete_cookie(self.full_name, path="/", secure=self.secure, httponly=True, samesite="lax")


MOST_PEOPLE = 5
LIFE = timedelta(days=365)
THEMES = {"": "Same as the system", "light": "Light", "dark": "Dark"}


def theme_cookie(*, secure: bool) -> Cookie:
    """Return the cookie that keeps the theme that was chosen in this browser."""
    return Cookie("seenby-theme", secure, LIFE)


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
