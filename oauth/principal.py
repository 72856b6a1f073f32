"""Who is calling, and what they may do."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from enum import StrEnum

from storage.workspace import CompanyRole


class Scope(StrEnum):
    """A right that a credential can carry."""

    READ = "service.read"
    WRITE = "service.write"


@dataclass(frozen=True, slots=True)
class Principal:
    """The holder of a good credential, bound to one company's workspace.

    `subject` is the identity that calls are counted against: `key:<id>`,
    `grant:<id>`, `user:<id>` or `local`. `rate_limit` is in calls a minute. `role` is
    that of the person behind it: an API key is an owner's. `seen` is the version of the database at which the
    credential held, for a call that begins now; None for a principal of several calls.
    """

    company_id: str
    subject: str
    scopes: frozenset[Scope]
    rate_limit: int = 60
    role: CompanyRole = CompanyRole.OWNER
    seen: Hashable = field(default=None, compare=False, repr=False)

    def may(self, scope: Scope) -> bool:
        """Whether the scope was granted; write includes read."""
        return scope in self.scopes or (scope is Scope.READ and Scope.WRITE in self.scopes)


@dataclass(frozen=True, slots=True)
class Caller:
    """A principal, None for an anonymous call, and the client address of the call."""

    principal: Principal | None
    address: str
