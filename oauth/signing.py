"""Keys of one purpose each, derived from the server's secret, and the digests kept in place of secrets."""

import hashlib
import hmac
from dataclasses import dataclass, field
from typing import NewType

SubKey = NewType("SubKey", bytes)

API_KEYS = "seenby/api-key/v1"
SITE_TOKENS = "seenby/site-token/v1"
OAUTH_TOKENS = "seenby/oauth-token/v1"
OAUTH_CLIENT_SECRETS = "seenby/oauth-client-secret/v1"
OAUTH_REQUESTS = "seenby/oauth-request/v1"
CONSENT = "seenby/consent/v1"
SESSIONS = "seenby/session/v1"
BROWSERS = "seenby/browser/v1"
FORMS = "seenby/form/v1"
INVITATIONS = "seenby/invitation/v1"
PASSWORD_RESETS = "seenby/password-reset/v1"
SHARED_REPORTS = "seenby/shared-report/v1"
SUPPLIER_CALLBACKS = "seenby/supplier-callback/v1"
LOG_LINES = "seenby/log-line/v1"


def sub_key(secret: bytes, label: str) -> SubKey:
    """Derive the key of one purpose: HMAC-SHA256 of its label under the secret."""
    return SubKey(hmac.new(secret, label.encode(), hashlib.sha256).digest())


def keyed_digest(key: SubKey, text: str) -> str:
    """Return the HMAC-SHA256 of a text in hexadecimal; a stolen table of digests opens nothing without the key."""
    return hmac.digest(key, text.encode(), "sha256").hex()


@dataclass(frozen=True, slots=True)
class Digests:
    """Digests of one purpose: written under today's key, looked up under the former one too."""

    current: SubKey = field(repr=False)
    former: SubKey | None = field(default=None, repr=False)

    @classmethod
    def of(cls, secret: bytes, label: str, former: bytes | None = None) -> "Digests":
        """Derive the keys of a purpose from today's secret and the one before it."""
        return cls(sub_key(secret, label), sub_key(former, label) if former else None)

    @property
    def signing(self) -> list[bytes]:
        """The keys as itsdangerous takes them: all of them open, the last one signs."""
        return [self.former, self.current] if self.former else [self.current]

    def digest(self, text: str) -> str:
        """Return the digest to store."""
        return keyed_digest(self.current, text)

    def candidates(self, text: str) -> tuple[str, str]:
        """Return the digests under which the text may have been stored."""
        current = self.digest(text)
        return current, keyed_digest(self.former, text) if self.former else current

    def matches(self, text: str, stored: str) -> bool:
        """Compare in constant time."""
        stored_digest = stored.encode()
        current, former = self.candidates(text)
        return hmac.compare_digest(current.encode(), stored_digest) | hmac.compare_digest(
            former.encode(), stored_digest
        )
