"""CSRF protection: every form carries a signed token, and the browser must say that the request came from this host.

The header check follows Filippo Valsorda's "Cross-Site Request Forgery" (https://words.filippo.io/csrf/), which Go's
net/http.CrossOriginProtection implements, but is stricter: a request with neither header is rejected. The token binds
a form to one session, so a form opened before signing out cannot act for the next person in the same browser, and it
identifies one rendering of the form, which is how duplicate submissions are recognized.
"""

import secrets
from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.requests import Request

from oauth.signing import Digests
from web.errors import CsrfRejected
from web.security.forms import read_fields

TOKEN = "token"


class Forms:
    """Creates and verifies the token of each form.

    A token is bound to a purpose, which is the form's path or flow, and to a value
    of the browser: the digest of its session, or the browser's identifier before
    signing in. It is worthless in another browser, session or form. Each rendering
    of a form has its own token, which identifies a second submission of that form.
    """

    def __init__(self, digests: Digests) -> None:
        self._digests = digests

    def token(self, binding: str, purpose: str) -> str:
        """Return the token that a form must carry in its field `token`."""
        rendering = secrets.token_urlsafe(12)
        return f"{rendering}.{self._digests.digest(_bound(binding, purpose, rendering))}"

    async def read(
        self, request: Request, binding: str, purpose: str, *, holds_texts: bool = False
    ) -> Mapping[str, str]:
        """Return the fields of a form sent by our page. Raises CsrfRejected, InvalidForm or FormTooLong.

        Set `holds_texts` for a form into which whole texts are pasted; it may then be much longer.
        """
        _check_origin(request)
        fields = await read_fields(request, holds_texts=holds_texts)
        rendering, _, digest = fields.get(TOKEN, "").partition(".")
        if not self._digests.matches(_bound(binding, purpose, rendering), digest):
            raise CsrfRejected
        return fields


def _bound(binding: str, purpose: str, rendering: str) -> str:
    return f"{purpose}\n{binding}\n{rendering}"


def _check_origin(request: Request) -> None:
    """Raise CsrfRejected unless the browser reports that a page of this host sent the request.

    Sec-Fetch-Site decides when it is sent: no page can set it, and Origin is `null` under our own
    referrer policy. Otherwise the host of the Origin must equal the Host header, which was checked
    against the hosts we serve. A browser that sends neither header cannot be protected.
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        if site != "same-origin":
            raise CsrfRejected
        return
    origin = request.headers.get("origin", "")
    if not origin or urlsplit(origin).netloc != request.headers.get("host"):
        raise CsrfRejected
