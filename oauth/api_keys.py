"""API keys: made, recognised by their keyed digest, and remembered when they were last used."""

import logging
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from oauth.authenticate import presented
from oauth.errors import EXPIRED, INVALID, NOT_CHECKED, CredentialRefused
from oauth.principal import Principal, Scope
from oauth.signing import Digests, SubKey, keyed_digest
from storage.database import Database
from storage.errors import StorageError
from storage.ids import new_id
from storage.repositories.api_keys import ApiKey

FORM = re.compile(r"sk_live_[0-9a-f]{32}")
PREFIX_LENGTH = 8
DEFAULT_RATE_LIMIT = 60
RATE_LIMITS = range(1, 601)
EVERYTHING = frozenset({Scope.READ, Scope.WRITE})

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class NewApiKey:
    """A key that was just made; `raw` exists only here."""

    raw: str
    stored: ApiKey


def make_api_key(
    key: SubKey,
    company_id: str,
    now: datetime,
    *,
    description: str | None = None,
    expires_at: datetime | None = None,
    rate_limit: int | None = None,
) -> NewApiKey:
    """Make a key of 128 random bits. Raises ValueError for a rate limit outside 1-600 or an expiry in the past."""
    if rate_limit is not None and rate_limit not in RATE_LIMITS:
        raise ValueError(f"the rate limit must be from {RATE_LIMITS[0]} to {RATE_LIMITS[-1]} calls a minute")
    if expires_at is not None and expires_at <= now:
        raise ValueError("the expiry must lie in the future")
    raw = "sk_live_" + secrets.token_hex(16)
    stored = ApiKey(
        id=new_id(),
        company_id=company_id,
        digest=keyed_digest(key, raw),
        prefix=raw[:PREFIX_LENGTH],
        last4=raw[-4:],
        description=description,
        status="active",
        scopes={} if rate_limit is None else {"rateLimit": rate_limit},
        expires_at=expires_at,
        last_used_at=None,
        created_at=now,
    )
    return NewApiKey(raw, stored)


class LastUses:
    """Collects when credentials were used and writes it behind the answers, so that no request waits for it."""

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
        """Write what was collected; what could not be written is tried again with the next flush."""
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
    """Recognises API keys in Authorization headers. Every check asks the database: revoking holds at once."""

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
        return self._principal(await self._stored(presented(authorization, FORM)))

    async def _stored(self, raw: str) -> ApiKey:
        try:
            found = await self._api_keys.by_digests(self._digests.candidates(raw))
        except StorageError as error:
            log.exception("checking an API key")
            raise CredentialRefused(NOT_CHECKED) from error
        if found is None or found.status != "active":
            raise CredentialRefused(INVALID)
        return found

    def _principal(self, found: ApiKey) -> Principal:
        now = self._now()
        if found.expires_at is not None and found.expires_at <= now:
            raise CredentialRefused(EXPIRED)
        self._last_uses.note(found.id, now)
        limit = found.scopes.get("rateLimit", DEFAULT_RATE_LIMIT)
        return Principal(found.company_id, f"key:{found.id}", EVERYTHING, limit)
