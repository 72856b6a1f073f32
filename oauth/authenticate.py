"""The question every surface asks about a request: whose is it?"""

from typing import Protocol

from oauth.principal import Principal


class Authenticator(Protocol):
    """Reads an Authorization header."""

    async def authenticate(self, authorization: str | None) -> Principal | None:
        """Name the holder of the credential; None only when there is no header.

        Raises CredentialRefused for a header that proves nothing.
        """
        ...
