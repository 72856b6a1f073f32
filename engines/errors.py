"""The single engine exception: a code to act on, our message, and the provider's message kept separately."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from engines.engine import Exchange

DETAIL_LIMIT = 300


class EngineErrorCode(StrEnum):
    """Why there is no answer."""

    PROVIDER_NOT_CONFIGURED = "provider_not_configured"
    UNSUPPORTED_MODE = "unsupported_mode"
    PROVIDER_AUTH = "provider_auth"
    PROVIDER_QUOTA = "provider_quota"
    RATE_LIMITED = "rate_limited"
    PROVIDER_UNAVAILABLE = "provider_unavailable"
    TIMEOUT = "timeout"
    PROVIDER_ERROR = "provider_error"
    INVALID_RESPONSE = "invalid_response"
    NOT_LOADED = "not_loaded"
    """An answer was on the page but did not load, so its content is unknown."""
    UNSUPPORTED_QUESTION = "unsupported_question"
    UNSUPPORTED_LOCALE = "unsupported_locale"
    CANCELLED = "cancelled"
    """Never raised by engines, which propagate cancellation; for callers that record a cancelled request."""

    @property
    def retryable(self) -> bool:
        """Whether an immediate retry may help. A timeout may have been billed and is not retried."""
        return self in (EngineErrorCode.RATE_LIMITED, EngineErrorCode.PROVIDER_UNAVAILABLE)


class EngineError(Exception):
    """A request that ended without an answer. `str()` is our own message and safe to display.

    `detail` quotes the provider, redacted and at most 300 characters: for logs and the workspace owner, never
    for a language model. `possibly_billed` means that the provider may charge for a response that was never
    received.
    """

    def __init__(
        self,
        code: EngineErrorCode,
        message: str,
        *,
        detail: str | None = None,
        retry_at: datetime | None = None,
        possibly_billed: bool = False,
        attempts: int = 0,
        exchanges: Sequence[Exchange] = (),
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.detail = detail[:DETAIL_LIMIT] if detail is not None else None
        self.retry_at = retry_at
        self.possibly_billed = possibly_billed
        self.attempts = attempts
        self.exchanges = tuple(exchanges)

    def __repr__(self) -> str:
        return f"EngineError({self.code.value!r}, {self.message!r})"


class UnknownPlatform(LookupError):
    """No engine has this name; `nearest` holds the most similar ones, best first."""

    def __init__(self, name: str, nearest: Sequence[str]) -> None:
        self.name = name
        self.nearest = tuple(nearest)
        hint = f" Did you mean {' or '.join(repr(near) for near in self.nearest)}?" if self.nearest else ""
        super().__init__(f"There is no engine {name[:64]!r}.{hint}")


class InvalidEngineSettings(ValueError):
    """The engine configuration is invalid; every fault is named by variable and field, without its value."""

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(self.faults))


class InvalidPrices(ValueError):
    """The price table is invalid; every fault is named by table and field."""

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(self.faults))
