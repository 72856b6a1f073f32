"""PKCE, Proof Key for Code Exchange (RFC 7636): checks a code_verifier against its code_challenge, S256 only."""

import base64
import hashlib
import hmac
import re

METHOD = "S256"
_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
_VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")


def is_challenge(text: str) -> bool:
    """Whether the text is base64url of a SHA-256 digest (section 4.2)."""
    return _CHALLENGE.fullmatch(text) is not None


def is_verifier(text: str) -> bool:
    """Whether the text has a verifier's length and characters (section 4.1)."""
    return _VERIFIER.fullmatch(text) is not None


def challenge_of(verifier: str) -> str:
    """Return base64url(SHA-256(verifier)) without padding (section 4.2)."""
    digest = hashlib.sha256(verifier.encode("ascii")).digest()
    return base64.urlsafe_b64encode(digest).decode("ascii").rstrip("=")


def proves(verifier: str, challenge: str) -> bool:
    """Whether the verifier belongs to the challenge (section 4.6)."""
    return hmac.compare_digest(challenge_of(verifier), challenge)
