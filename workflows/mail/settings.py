"""Where mail is handed in, as the settings say it."""

from dataclasses import dataclass, field
from typing import Literal

Security = Literal["starttls", "tls", "none"]


@dataclass(frozen=True, slots=True)
class SmtpSettings:
    """Where mail is handed in, and as whom; `sender` is the address in From."""

    host: str
    port: int
    sender: str
    security: Security = "starttls"
    username: str | None = None
    password: str | None = field(default=None, repr=False)
