"""Who is signed in: a signed random identifier in a cookie, its keyed digest in the database, both short-lived."""

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from itsdangerous import BadSignature, Signer
from starlette.requests import Request
from starlette.responses import Response

from oauth.principal import Principal, Scope
from oauth.signing import Digests
from storage.database import Database
from storage.plans import UNLIMITED
from storage.repositories.accounts import SessionRow, User
from storage.workspace import CompanyRole
from web.security.background_tasks import BackgroundTasks
from web.security.browsers import Cookie

IDLE = timedelta(hours=2)
LONGEST = timedelta(hours=12)
NOTED_EVERY = timedelta(minutes=1)
"""How exact the last use is kept: a write for each page would be one too many."""
CALLS_A_MINUTE = 600


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A person with a good session. `session` is its digest, which forms are bound to."""

    session: str
    user_id: str
    company_id: str
    company_name: str
    plan: str
    email: str
    name: str
    role: CompanyRole

    @property
    def owner(self) -> bool:
        """Whether the person may change what the whole company depends on."""
        return self.role is CompanyRole.OWNER

    @property
    def limited(self) -> bool:
        """Whether the company has a plan; credits mean something then."""
        return self.plan != UNLIMITED

    @property
    def viewer(self) -> bool:
        """Whether the person reads and changes nothing of the company's."""
        return self.role is CompanyRole.VIEWER

    @property
    def principal(self) -> Principal:
        """The person as dispatch knows callers: viewers read, members change too."""
        scope = Scope.READ if self.viewer else Scope.WRITE
        return Principal(
            self.company_id, f"user:{self.user_id}", frozenset({scope}), CALLS_A_MINUTE, self.role
        )


class SessionService:
    """Starts, recognises and ends sessions."""

    def __init__(
        self,
        database: Database,
        digests: Digests,
        now: Callable[[], datetime],
        deferred: BackgroundTasks,
        *,
        secure: bool,
    ) -> None:
        self._database = database
        self._digests = digests
        self._signer = Signer(digests.signing, salt="seenby-session", digest_method=hashlib.sha256)
        self._now = now
        self._deferred = deferred
        self._noting: set[str] = set()
        self._cookie = Cookie("seenby-session", secure, LONGEST)

    async def signed_in(self, request: Request) -> SignedIn | None:
        """Name the person behind a request, or None. The database is asked every time: an ended session is ended."""
        digests = self._candidates(request)
        if digests is None:
            return None
        session = await self._database.operators.sessions.find(digests)
        now = self._now()
        if session is None or now - session.seen_at >= IDLE or now - session.created_at >= LONGEST:
            return None
        user = await self._database.operators.users.by_id(session.user_id)
        if user is None:
            return None
        if now - session.seen_at >= NOTED_EVERY:
            self._begin_noting(session.digest, now)
        return _signed_in_as(user, session.digest)

    def _begin_noting(self, digest: str, now: datetime) -> None:
        """Note the last use beside the page, which may be read while nothing can be written."""
        if digest not in self._noting:
            self._noting.add(digest)
            self._deferred.begin(partial(self._note_use, digest, now))

    async def _note_use(self, digest: str, now: datetime) -> None:
        """Keep when a session was last used; what fails is noted with a later page."""
        try:
            async with self._database.operation() as operators:
                await operators.sessions.seen(digest, now)
        finally:
            self._noting.discard(digest)

    async def start(self, request: Request, response: Response, user: User) -> None:
        """Sign a person in under a new identifier; the one that the browser came with is worth nothing after."""
        raw, now = secrets.token_urlsafe(32), self._now()
        before = self._candidates(request)
        digest = self._digests.digest(raw)
        async with self._database.operation() as operators:
            await operators.sessions.sweep(now - IDLE, now - LONGEST)
            if before is not None:
                await operators.sessions.end(before)
            await operators.sessions.add(SessionRow(digest, user.company_id, user.id, now, now))
        self._cookie.write(response, self._signer.sign(raw).decode())

    def pretend(self, response: Response) -> None:
        """Give the browser a cookie like every other that belongs to no session."""
        self._cookie.write(response, self._signer.sign(secrets.token_urlsafe(32)).decode())

    async def end(self, request: Request, response: Response) -> None:
        """Sign out of this browser."""
        digests = self._candidates(request)
        if digests is not None:
            async with self._database.operation() as operators:
                await operators.sessions.end(digests)
        self._cookie.erase(response)

    def _candidates(self, request: Request) -> tuple[str, str] | None:
        signed = self._cookie.read(request)
        if signed is None:
            return None
        try:
            raw = self._signer.unsign(signed.encode()).decode()
        except (BadSignature, UnicodeError):
            return None
        return self._digests.candidates(raw)


def _signed_in_as(user: User, digest: str) -> SignedIn:
    """Return what pages know of a person; the password's hash is not part of it."""
    return SignedIn(
        session=digest,
        user_id=user.id,
        company_id=user.company_id,
        company_name=user.company_name,
        plan=user.plan,
        email=user.email,
        name=user.name,
        role=CompanyRole(user.role),
    )
