"""Takes secrets out of what a provider sent back before anybody keeps it."""

import json
from collections.abc import Iterable

SHORTEST_SECRET = 12
"""Characters; what a body shares with a shorter key (`ollama`, `none`) is a word, not a leak."""
HINT_LENGTH = 8
REDACTED = "[redacted]"


class Redaction:
    """The secrets of one ask: its credential and its configured header values."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._secrets = sorted({secret for secret in secrets if secret}, key=len, reverse=True)

    def words(self, text: str) -> str:
        """Error text without the secrets and without their first 8 characters."""
        for secret in self._secrets:
            text = text.replace(secret, REDACTED).replace(secret[:HINT_LENGTH], REDACTED)
        return text

    def body(self, body: bytes) -> bytes:
        """A body without the secrets, in the plain and in the JSON-escaped spelling."""
        for secret in self._secrets:
            if len(secret) >= SHORTEST_SECRET:
                escaped = json.dumps(secret)[1:-1]
                for spelling in (secret, escaped, escaped.replace("/", "\\/")):
                    body = body.replace(spelling.encode(), REDACTED.encode())
        return body
