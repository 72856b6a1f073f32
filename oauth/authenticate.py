"""The question every surface asks about a request: whose is it?"""

import re
from typing import Protocol

from oauth.errors import INVALID, CredentialRefused
from oauth.principal import Principal


class Authenticator(Protocol):
    """Reads an Authorization header."""

    async def authenticate(self, authorization: str | None) -> Principal | None:
        """Name the holder of the credential; None only when there is no header.

        Raises CredentialRefused for a header that proves nothing.
        """
        ...


def presented(authorization: str, form: re.Pattern[str]) -> str:
    """Return the credential of a Bearer header. Raises CredentialRefused unless it has this form."""
    scheme, _, raw = authorization.partition(" ")
    if scheme.lower() != "bearer" or form.fullmatch(raw.strip()) is None:
        raise CredentialRefused(INVALID)
    return raw.strip()
