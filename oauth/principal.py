"""Who is calling, and what they may do."""

from dataclasses import dataclass
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
    that of the person behind it: an API key is an owner's.
    """

    company_id: str
    subject: str
    scopes: frozenset[Scope]
    rate_limit: int = 60
    role: CompanyRole = CompanyRole.OWNER

    @property
    def is_person(self) -> bool:
        """Whether a person on the pages calls, whom the limit of an API client's writes is not for."""
        return self.subject.startswith("user:")

    def may(self, scope: Scope) -> bool:
        """Whether the scope was granted; write includes read."""
        return scope in self.scopes or (scope is Scope.READ and Scope.WRITE in self.scopes)


@dataclass(frozen=True, slots=True)
class Caller:
    """A principal, None for an anonymous call, and the client address of the call."""

    principal: Principal | None
    address: str
