"""How the check of a credential fails, and how a request to the authorization server does."""

INVALID = "Invalid API key."
EXPIRED = "API key expired."
NOT_CHECKED = "Failed to validate API key."
MISSING = "Missing Authorization header."
RETRY_SECONDS = 5
"""When a client may ask again what could not be answered for a fault of ours: Retry-After of every 503."""


class CredentialRefused(Exception):
    """The presented credential opens nothing; `message` is one of the sentences above."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class CredentialNotChecked(CredentialRefused):
    """The credential may be good: what knows it did not answer. The client should keep it and try again."""

    def __init__(self) -> None:
        super().__init__(NOT_CHECKED)


class OAuthRefused(Exception):
    """A request that the client is told about: `code` is an error code of the OAuth standards.

    `description` is always ours: nothing of the request is repeated in it.
    """

    def __init__(self, code: str, description: str) -> None:
        super().__init__(description)
        self.code = code
        self.description = description


class NotRedirectable(Exception):
    """A request whose client or redirect is not proven, so that only the person in front of it may be told."""


class ClientUnknown(Exception):
    """No such client, or its credentials are wrong."""


class DocumentRefused(Exception):
    """A client's own metadata cannot be had, or does not do; the reason is ours."""


class DocumentUnreachable(Exception):
    """A fetcher could not bring a document; raised by whoever fetches for us."""


class TooBusy(Exception):
    """More passwords are waiting to be checked than can be checked in time."""
