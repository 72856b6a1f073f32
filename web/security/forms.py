"""Forms: what they carry against forgery, how they are read, and where they may lead afterwards."""

import secrets
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import Request

from oauth.signing import Digests
from web.errors import ForgedForm, InvalidForm

TOKEN = "token"
LONGEST_BODY = 65_536
MOST_FIELDS = 40
ENCODING = "application/x-www-form-urlencoded"


class Forms:
    """Makes and checks the token of each form.

    A token is bound to a purpose, which is the path or the flow that the form belongs to, and to
    what the browser holds: the digest of its session, or the browser's identifier while nobody is
    signed in. So it is worth nothing in another browser, session or form. Each rendering of a form has
    a token of its own, by which a second sending of the same form is known.
    """

    def __init__(self, digests: Digests) -> None:
        self._digests = digests

    def token(self, binding: str, purpose: str) -> str:
        """Return the token that a form must carry in its field `token`."""
        rendering = secrets.token_urlsafe(12)
        return f"{rendering}.{self._digests.digest(bound(binding, purpose, rendering))}"

    async def read(self, request: Request, binding: str, purpose: str) -> Mapping[str, str]:
        """Return the fields of a form that a page of ours sent. Raises ForgedForm or InvalidForm."""
        check_origin(request)
        fields = await read_fields(request)
        rendering, _, digest = fields.get(TOKEN, "").partition(".")
        if not self._digests.matches(bound(binding, purpose, rendering), digest):
            raise ForgedForm
        return fields


def bound(binding: str, purpose: str, rendering: str) -> str:
    """Return what the token of a form stands for."""
    return f"{purpose}\n{binding}\n{rendering}"


def check_origin(request: Request) -> None:
    """Raise ForgedForm unless the browser says that a page of this host sent the request.

    Sec-Fetch-Site decides where it is sent: no page can set it, and Origin is `null` under our own
    referrer policy. Else the Origin's host must be the one asked, which was checked against the
    hosts we serve. A browser without either header is none that could be protected.
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        if site != "same-origin":
            raise ForgedForm
        return
    origin = request.headers.get("origin", "")
    if not origin or urlsplit(origin).netloc != request.headers.get("host"):
        raise ForgedForm


async def read_fields(request: Request) -> Mapping[str, str]:
    """Return the fields of a URL-encoded body, the last of each name. Raises InvalidForm."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != ENCODING:
        raise InvalidForm
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LONGEST_BODY:
            raise InvalidForm
    try:
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            encoding="utf-8",
            errors="strict",
            max_num_fields=MOST_FIELDS,
        )
    except (ValueError, UnicodeError) as error:
        raise InvalidForm from error
    return dict(pairs)


def safe_next(path: str | None) -> str:
    """Return where to go after signing in: a path of ours, or the start page.

    Browsers read a backslash as a slash and drop control characters, so neither may stand in it.
    """
    if (
        path is None
        or not path.startswith("/")
        or path.startswith("//")
        or "\\" in path
        or any(ord(character) <= 32 or ord(character) == 127 for character in path)
        or len(path) > 2000
    ):
        return "/"
    return path
