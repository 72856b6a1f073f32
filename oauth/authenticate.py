"""Authentication of requests: API keys and access tokens in Authorization headers, and when they were last used."""

import logging
import re
from collections.abc import Callable
from datetime import datetime
from typing import Final, Protocol

from oauth import scopes
from oauth.api_keys import DEFAULT_RATE_LIMIT, EVERYTHING, READ_ONLY
from oauth.errors import EXPIRED, INVALID, CredentialNotChecked, CredentialRefused
from oauth.principal import Principal, Scope
from oauth.scopes import Audiences
from oauth.signing import Digests, SubKey
from storage.database import Database
from storage.errors import StorageError
from storage.workspace import CompanyRole

API_KEY: Final = re.compile(r"sk_live_[0-9a-f]{32}")
ACCESS_TOKEN: Final = re.compile(r"at_[A-Za-z0-9_-]{43}")

log = logging.getLogger(__name__)


class Authenticator(Protocol):
    """Reads an Authorization header."""

    async def authenticate(self, authorization: str | None) -> Principal | None:
        """Return the holder of the credential; None only without a header. Raises CredentialRefused."""
        ...


def presented(authorization: str, form: re.Pattern[str]) -> str:
    """Return the credential of a Bearer header. Raises CredentialRefused unless it has this form."""
    scheme, _, raw = authorization.partition(" ")
    if scheme.lower() != "bearer" or form.fullmatch(raw.strip()) is None:
        raise CredentialRefused(INVALID)
    return raw.strip()


class LastUses:
    """Collects when credentials were last used and writes it in the background, so no request waits for it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._keys: dict[str, datetime] = {}
        self._grants: dict[str, datetime] = {}

    def note(self, key_id: str, moment: datetime) -> None:
        """Remember a use of an API key."""
        self._keys[key_id] = moment

    def note_grant(self, grant_id: str, moment: datetime) -> None:
        """Remember a use of an access token."""
        self._grants[grant_id] = moment

    async def flush(self) -> None:
        """Write the collected uses; a failed write is retried with the next flush."""
        keys, self._keys = self._keys, {}
        grants, self._grants = self._grants, {}
        if not keys and not grants:
            return
        try:
            async with self._database.operation() as operators:
                await operators.api_keys.used(keys)
                await operators.oauth_grants.used(grants)
        except (
            BaseException
        ) as error:  # also when it is cancelled: the last flush of a process writes the rest
            self._keys = keys | self._keys
            self._grants = grants | self._grants
            if not isinstance(error, StorageError):
                raise
            log.warning("the last use of %d credentials could not be written yet", len(keys) + len(grants))


class ApiKeyAuthenticator:
    """Authenticates API keys in Authorization headers.

    Every check reads the key, so that a revoked one is rejected by the next call of every process.
    """

    def __init__(
        self,
        database: Database,
        key: SubKey,
        last_uses: LastUses,
        now: Callable[[], datetime],
        former: SubKey | None = None,
    ) -> None:
        self._api_keys = database.operators.api_keys
        self._digests = Digests(key, former)
        self._last_uses = last_uses
        self._now = now

    async def authenticate(self, authorization: str | None) -> Principal | None:
        """Name the holder of the key; None only without a header. Raises CredentialRefused."""
        if authorization is None:
            return None
        digests = self._digests.candidates(presented(authorization, API_KEY))
        try:
            api_key = await self._api_keys.access(digests)
        except StorageError as error:
            log.exception("checking an API key")
            raise CredentialNotChecked from error
        if api_key is None or api_key.status != "active":
            raise CredentialRefused(INVALID)
        now = self._now()
        if api_key.expires_at is not None and api_key.expires_at <= now:
            raise CredentialRefused(EXPIRED)
        self._last_uses.note(api_key.id, now)
        limit = api_key.scopes.get("rateLimit", DEFAULT_RATE_LIMIT)
        subject = f"key:{api_key.id}"
        if api_key.scopes.get(READ_ONLY):
            only_read = frozenset({Scope.READ})
            return Principal(api_key.company_id, subject, only_read, limit, CompanyRole.VIEWER)
        return Principal(api_key.company_id, subject, EVERYTHING, limit)


class AccessTokenAuthenticator:
    """Authenticates access tokens in Authorization headers.

    Every check reads the token with its grant and user, so that a revoked one or a changed role takes effect at once.
    """

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
        digests = self._digests.candidates(presented(authorization, ACCESS_TOKEN))
        try:
            access = await self._grants.access(digests)
        except StorageError as error:
            log.exception("checking an access token")
            raise CredentialNotChecked from error
        now = self._now()
        if access is None or access.revoked_at is not None or access.resource not in self._audiences:
            raise CredentialRefused(INVALID)
        if min(access.expires_at, access.grant_expires_at) <= now:
            raise CredentialRefused(INVALID)
        self._last_uses.note_grant(access.grant_id, now)
        # The role counts as it is today, not as it was when the person consented.
        granted = scopes.grantable_scopes(scopes.parse_scopes(access.scopes), access.role)
        subject, role = f"grant:{access.grant_id}", CompanyRole(access.role)
        return Principal(access.company_id, subject, granted, role=role)


class EitherCredential:
    """API keys and access tokens in the same header, distinguished by their prefix."""

    def __init__(self, keys: Authenticator, tokens: Authenticator) -> None:
        self._keys = keys
        self._tokens = tokens

    async def authenticate(self, authorization: str | None) -> Principal | None:
        """Name the holder; None only without a header. Raises CredentialRefused."""
        raw = (authorization or "").partition(" ")[2].strip()
        chosen = self._tokens if raw.startswith("at_") else self._keys
        return await chosen.authenticate(authorization)
