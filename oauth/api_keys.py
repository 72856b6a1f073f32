"""API keys: new ones are generated, and stored only as a keyed hash (digest). `oauth.authenticate` recognizes them."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from oauth.principal import Scope
from oauth.signing import SubKey, keyed_digest
from storage.ids import new_id
from storage.repositories.api_keys import ApiKey

PREFIX_LENGTH = 8
DEFAULT_RATE_LIMIT = 60
RATE_LIMITS = range(1, 601)
EVERYTHING = frozenset({Scope.READ, Scope.WRITE})
READ_ONLY = "readOnly"
"""The field of a stored key's scopes that limits it to reading."""


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
    read_only: bool = False,
) -> NewApiKey:
    """Make a key of 128 random bits. Raises ValueError for a rate limit outside 1-600 or an expiry in the past."""
    if rate_limit is not None and rate_limit not in RATE_LIMITS:
        raise ValueError(f"the rate limit must be from {RATE_LIMITS[0]} to {RATE_LIMITS[-1]} calls a minute")
    if expires_at is not None and expires_at <= now:
        raise ValueError("the expiry must lie in the future")
    scopes: dict[str, Any] = {} if rate_limit is None else {"rateLimit": rate_limit}
    if read_only:
        scopes[READ_ONLY] = True
    raw = "sk_live_" + secrets.token_hex(16)
    stored = ApiKey(
        id=new_id(),
        company_id=company_id,
        digest=keyed_digest(key, raw),
        prefix=raw[:PREFIX_LENGTH],
        last4=raw[-4:],
        description=description,
        status="active",
        scopes=scopes,
        expires_at=expires_at,
        last_used_at=None,
        created_at=now,
    )
    return NewApiKey(raw, stored)
