"""Recognises OAuth access tokens, and sends each credential to whoever knows its kind."""

import logging
import re
from collections.abc import Callable
from datetime import datetime
from typing import Final

from oauth import scopes
from oauth.api_keys import LastUses
from oauth.audience import Audiences
from oauth.authenticate import Authenticator, presented
from oauth.errors import INVALID, NOT_CHECKED, CredentialRefused
from oauth.principal import Principal
from oauth.signing import Digests
from storage.database import Database
from storage.errors import StorageError
from storage.repositories.oauth_grants import Access

log = logging.getLogger(__name__)

FORM: Final = re.compile(r"at_[A-Za-z0-9_-]{43}")


class AccessTokenAuthenticator:
    """Names the holder of an access token. Every check asks the database: revoking holds at once."""

    def __init__(
        self,
        database: Database,
        digests: Digests,
        audiences: Audiences,
        last_uses: LastUses,
        now: Callable[[], datetime],
    ) -> None:
        self._grants = database.operators.oauth_grants
        self._digests = digests
        self._audiences = audiences
        self._last_uses = last_uses
        self._now = now

    async def authenticate(self, authorization: str | None) -> Principal | None:
        """Name the holder; None only without a header. Raises CredentialRefused."""
        if authorization is None:
            return None
        raw = presented(authorization, FORM)
        try:
            found = await self._grants.access(self._digests.candidates(raw))
        except StorageError as error:
            log.exception("checking an access token")
            raise CredentialRefused(NOT_CHECKED) from error
        return self._principal(found)

    def _principal(self, found: Access | None) -> Principal:
        now = self._now()
        if found is None or found.revoked_at is not None or found.resource not in self._audiences:
            raise CredentialRefused(INVALID)
        if min(found.expires_at, found.grant_expires_at) <= now:
            raise CredentialRefused(INVALID)
        self._last_uses.note_grant(found.grant_id, now)
        return Principal(found.company_id, f"grant:{found.grant_id}", scopes.read(found.scopes))


class EitherCredential:
    """API keys and access tokens in the same header, told apart by how they begin."""

    def __init__(self, keys: Authenticator, tokens: Authenticator) -> None:
        self._keys = keys
        self._tokens = tokens

    async def authenticate(self, authorization: str | None) -> Principal | None:
        """Name the holder; None only without a header. Raises CredentialRefused."""
        raw = (authorization or "").partition(" ")[2].strip()
        chosen = self._tokens if raw.startswith("at_") else self._keys
        return await chosen.authenticate(authorization)
