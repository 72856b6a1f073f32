"""Errors of credential checks and of requests to the authorization server."""

INVALID = "Invalid API key."
EXPIRED = "API key expired."
NOT_CHECKED = "Failed to validate API key."
MISSING = "Missing Authorization header."
RETRY_SECONDS = 5
"""Retry-After of every 503, in seconds."""


class CredentialRefused(Exception):
    """The credential is not valid; `message` is one of the sentences above."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class CredentialNotChecked(CredentialRefused):
    """The credential could not be checked; the client should keep it and try again."""

    def __init__(self) -> None:
        super().__init__(NOT_CHECKED)


class OAuthRefused(Exception):
    """An error response to the client: `code` is an error code of the OAuth standards.

    `description` never repeats anything from the request.
    """

    def __init__(self, code: str, description: str) -> None:
        super().__init__(description)
        self.code = code
        self.description = description


class NotRedirectable(Exception):
    """The client or redirect is not proven, so the error is shown to the person and never sent to the redirect."""


class ClientUnknown(Exception):
    """The client does not exist, or its credentials are wrong."""


class DocumentRefused(Exception):
    """A client's metadata document cannot be fetched or is not valid."""


class DocumentUnreachable(Exception):
    """A fetcher could not get a document."""


class TooBusy(Exception):
    """Too many passwords are waiting to be hashed."""
