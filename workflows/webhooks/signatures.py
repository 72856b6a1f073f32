"""Secrets and signatures as Standard Webhooks has them (version 1.0.0, symmetric signatures)."""

import base64
import binascii
import hashlib
import hmac
import secrets
from datetime import datetime
from typing import Final

PREFIX: Final = "whsec_"
SECRET_BYTES: Final = 32


def make_secret() -> str:
    """Return a new signing secret: `whsec_` and 32 random bytes in base64."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def sign(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """Return the value of `webhook-signature`: HMAC-SHA256 of identifier, Unix seconds and body.

    Raises ValueError for a secret that `make_secret` did not make.
    """
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except binascii.Error as error:
        raise ValueError("this is no signing secret of a webhook") from error
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def signed_headers(secret: str, message_id: str, now: datetime, body: bytes) -> tuple[tuple[str, str], ...]:
    """Return the three headers that let a receiver trust a message and notice one that it had before."""
    timestamp = int(now.timestamp())
    return (
        ("webhook-id", message_id),
        ("webhook-timestamp", str(timestamp)),
        ("webhook-signature", sign(secret, message_id, timestamp, body)),
    )
