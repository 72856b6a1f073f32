"""Secrets that must be read again: sealed with AES-256-GCM, and bound to the row that they belong to."""

import base64
import binascii
import hashlib
import secrets
from collections.abc import Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

INFO = b"seenby/engine-credentials/1"
VERSION = "v1"
NONCE_BYTES = 12


class CannotOpen(Exception):
    """The record was sealed under a key that is gone, for another row, or was changed."""


class Seal:
    """Seals under the present secret; opens under it and the previous ones.

    A record is `v1.<key id>.<nonce>.<ciphertext>`. The associated data name company, platform and
    row, so a record copied to another of them does not open (NIST SP 800-38D, section 4).
    """

    def __init__(self, secret: bytes, previous: Sequence[bytes] = ()) -> None:
        self._present = key_id(secret)
        self._keys = {key_id(key_secret): data_key(key_secret) for key_secret in (*previous, secret)}

    def seal(self, text: str, company_id: str, platform: str, row_id: str) -> str:
        """Return the record of a secret text."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        sealed = self._keys[self._present].encrypt(nonce, text.encode(), bound(company_id, platform, row_id))
        return ".".join((VERSION, self._present, encoded(nonce), encoded(sealed)))

    def open(self, record: str, company_id: str, platform: str, row_id: str) -> str:
        """Return the text of a record. Raises CannotOpen."""
        version, _, rest = record.partition(".")
        parts = rest.split(".")
        if version != VERSION or len(parts) != 3 or parts[0] not in self._keys:
            raise CannotOpen
        try:
            nonce, sealed = (base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in parts[1:])
            text = self._keys[parts[0]].decrypt(nonce, sealed, bound(company_id, platform, row_id))
        except (InvalidTag, ValueError, binascii.Error) as error:
            raise CannotOpen from error
        return text.decode()


def data_key(secret: bytes) -> AESGCM:
    """Derive the key of this purpose (RFC 5869)."""
    return AESGCM(HKDF(algorithm=SHA256(), length=32, salt=None, info=INFO).derive(secret))


def key_id(secret: bytes) -> str:
    """Return a short name of a secret, which says nothing about it."""
    return hashlib.sha256(INFO + b"/id/" + secret).hexdigest()[:8]


def bound(*parts: str) -> bytes:
    """Return what a record is bound to."""
    return "|".join(parts).encode()


def encoded(raw: bytes) -> str:
    """Return base64url without padding."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
