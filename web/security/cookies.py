"""The cookies that pages set: host-only, out of reach of scripts and of other sites' posts."""

from dataclasses import dataclass
from datetime import timedelta

from starlette.requests import Request
from starlette.responses import Response


@dataclass(frozen=True, slots=True)
class Cookie:
    """One cookie of ours.

    Over https the name gets the prefix `__Host-`, which browsers accept only for a secure,
    host-only cookie of the whole site (RFC 6265bis, section 4.1.3.2).
    """

    name: str
    secure: bool
    life: timedelta

    @property
    def full_name(self) -> str:
        """The name on the wire."""
        return f"__Host-{self.name}" if self.secure else self.name

    def read(self, request: Request) -> str | None:
        """Return the cookie's value as the browser sent it."""
        return request.cookies.get(self.full_name)

    def write(self, response: Response, value: str) -> None:
        """Give the cookie to the browser."""
        response.set_cookie(
            self.full_name,
            value,
            max_age=int(self.life.total_seconds()),
            path="/",
            secure=self.secure,
            httponly=True,
            samesite="lax",
        )

    def erase(self, response: Response) -> None:
        """Take the cookie back."""
        response.delete_cookie(self.full_name, path="/", secure=self.secure, httponly=True, samesite="lax")
