"""Accounts: sign-up, sign-in, passwords, and joining a company by invitation."""

import hashlib
import logging
import secrets
from dataclasses import dataclass
from datetime import timedelta

from oauth.passwords import LENGTHS, acceptable
from oauth.throttle import network_of
from storage.errors import DuplicateRow
from storage.ids import new_id
from storage.operators import Operators
from storage.plans import UNLIMITED
from storage.repositories.accounts import Invitation, User, folded
from tools.calls.rate_limits import RateLimitWindow
from web.request import PageRequest
from web.security.sessions import SignedIn
from web.services import PageServices

START = "/start"
"""First page for a new owner."""
TRIES_A_MINUTE = 5
TRIES_OF_AN_ADDRESS = 20
SIGN_UPS_OF_AN_ADDRESS = 5
LINK_LIFE = timedelta(days=7)
LONGEST_NAME = 100
LONGEST_EMAIL = 254
ROLES = ("owner", "member", "viewer")
LAST_OWNER = (
    "You are the only owner, and a company keeps at least one: make a colleague an owner under People first, "
    "or delete the workspace under Data."
)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AccountRefusal(Exception):
    """Invalid input in an account form. `faults` has one message per field."""

    faults: dict[str, str]


async def sign_in(request: PageRequest, email: str, password: str) -> User | None:
    """Return the user, or None for an unknown address or a wrong password alike, after the same work.

    A browser that the user signed in from before has its own attempt count and its own place in
    the queue, so that attackers who try an address cannot lock out its owner. Raises Throttled or
    TooBusy.
    """
    services = request.services
    # An unknown browser's attempt is counted before any lookup, because rejecting it has to be cheap.
    user = await services.database.operators.users.by_email(email) if request.browser.people else None
    known = user is not None and user.id in request.browser.people
    await request.count_attempt(*_attempt_windows(request, email, known))
    user = user or await services.database.operators.users.by_email(email)
    stored = user.password_hash if user else None
    if not await services.passwords.verify(stored, password, urgent=known) or user is None:
        return None
    if stored is not None and services.passwords.outdated(stored):
        fresh = await services.passwords.hash(password)
        async with services.database.operation() as operators:
            await operators.users.set_password(user.id, fresh)
    return user


def _attempt_windows(request: PageRequest, email: str, known: bool) -> list[RateLimitWindow]:
    if known:
        return [RateLimitWindow(f"sign-in:browser:{request.browser.id}", TRIES_A_MINUTE)]
    account = hashlib.sha256(folded(email).encode()).hexdigest()[:32]
    return [
        RateLimitWindow(f"sign-in:account:{account}", TRIES_A_MINUTE),
        RateLimitWindow(f"sign-in:address:{network_of(request.address)}", TRIES_OF_AN_ADDRESS),
    ]


async def sign_up(request: PageRequest, company: str, name: str, email: str, password: str) -> User | None:
    """Create a company and its owner. Returns None when the address has an account, after the same work.

    Raises AccountRefusal, Throttled or TooBusy.
    """
    check(company=company, name=name, email=email, password=password)
    await request.count_attempt(
        RateLimitWindow(f"sign-up:{network_of(request.address)}", SIGN_UPS_OF_AN_ADDRESS)
    )
    hashed = await request.services.passwords.hash(password)
    try:
        async with request.services.database.operation() as operators:
            owner = await create_company(request.services, operators, company, name, email)
            await operators.users.set_password(owner.id, hashed)
            return owner
    except DuplicateRow:
        return None


async def create_company(
    services: PageServices, operators: Operators, company: str, name: str, email: str
) -> User:
    """Create a company that signs up, and return its owner. Raises DuplicateRow for a known address.

    Plans are the operator's choice: without one, the server's first company has no limits.
    """
    plan = services.signup_plan or ("free" if await operators.users.exist() else UNLIMITED)
    await operators.companies.create(company, email, plan, services.now(), may_share_name=True)
    owner = await operators.users.by_email(email)
    assert owner is not None
    await operators.users.rename(owner.id, name)
    return owner


def check(**typed: str) -> None:
    """Validate every typed field. Raises AccountRefusal with all faults."""
    checks = {"company": name_fault, "name": name_fault, "email": email_fault, "password": password_fault}
    faults = {field: fault for field, value in typed.items() if (fault := checks[field](value))}
    if faults:
        raise AccountRefusal(faults)


def name_fault(name: str) -> str | None:
    """Return an error message for an invalid name, or None."""
    if not name.strip():
        return "Fill in this field."
    if len(name) > LONGEST_NAME or not name.isprintable():
        return f"At most {LONGEST_NAME} printable characters, please."
    return None


def email_fault(email: str) -> str | None:
    """Return an error message for an invalid email address, or None. Deliverability is not checked."""
    local, at, host = email.strip().rpartition("@")
    plain = email.isprintable() and " " not in email.strip() and len(email) <= LONGEST_EMAIL
    return None if at and local and "." in host.strip(".") and plain else "This is not an e-mail address."


def password_fault(password: str) -> str | None:
    """Return an error message for an unacceptable new password, or None."""
    if acceptable(password):
        return None
    if len(password) in LENGTHS:
        return "This password is too easy to guess. Four unrelated words make a strong one."
    return f"A password has from {LENGTHS[0]} to {LENGTHS[-1]} characters."


async def change_password(request: PageRequest, present: str, wanted: str) -> User:
    """Change the password and end all of the user's sessions. Raises AccountRefusal, Throttled or TooBusy."""
    if fault := password_fault(wanted):
        raise AccountRefusal({"password": fault})
    user = await _confirm_password(request, "present", present)
    await set_password(request.services, user.id, wanted)
    return user


async def leave_company(request: PageRequest, password: str) -> None:
    """Delete the user's own account with its sessions and connected apps. Content that the user created stays.

    Raises AccountRefusal (also for the last owner), Throttled or TooBusy.
    """
    user = await _confirm_password(request, "leaving", password)
    async with request.services.database.transaction(user.company_id) as workspace:
        is_gone = await workspace.colleagues.remove(user.id)
    if not is_gone:
        raise AccountRefusal({"leaving": LAST_OWNER})


async def _confirm_password(request: PageRequest, field: str, password: str) -> User:
    """Return the user after checking the current password. Raises AccountRefusal, Throttled or TooBusy."""
    services, person = request.services, request.signed_in
    await request.count_attempt(RateLimitWindow(f"password:{person.user_id}", TRIES_A_MINUTE))
    user = await services.database.operators.users.by_id(person.user_id)
    stored = user.password_hash if user else None
    if not await services.passwords.verify(stored, password, urgent=True) or user is None:
        raise AccountRefusal({field: "This is not your current password."})
    return user


async def set_password(services: PageServices, user_id: str, password: str) -> None:
    """Store a new password. Existing sessions and connected apps end."""
    hashed = await services.passwords.hash(password)
    async with services.database.operation() as operators:
        await operators.users.set_password(user_id, hashed)
        await operators.sessions.end_all(user_id)
        await operators.oauth_grants.revoke_user(user_id, "password changed", services.now())


async def invite(
    services: PageServices,
    company_id: str,
    email: str,
    role: str,
    invited_by: str | None,
    inviter: SignedIn | None = None,
) -> str:
    """Return an invitation link to join the company, or, when the operator sends it, to choose a new password.

    The link is also emailed when an inviter is given and email is configured.

    Raises AccountRefusal. The link works once, within a week, and is not stored. The inviter does not learn whether
    the address has an account elsewhere; in that case the link does not let anyone join.
    """
    if fault := email_fault(email):
        raise AccountRefusal({"email": fault})
    present = await services.database.operators.users.by_email(email)
    if present is not None and present.company_id == company_id and invited_by is not None:
        raise AccountRefusal({"email": "This address is a colleague's already."})
    if present is not None and present.company_id != company_id and invited_by is None:
        raise AccountRefusal({"email": "This address has an account already."})  # the operator may know
    raw, now = secrets.token_urlsafe(32), services.now()
    invitation = Invitation(
        id=new_id(),
        company_id=company_id,
        company_name="",
        email=folded(email),
        role=role if role in ROLES else "member",
        invited_by=invited_by,
        expires_at=now + LINK_LIFE,
        created_at=now,
    )
    async with services.database.transaction(company_id) as workspace:
        await workspace.invitations.add(invitation, services.invitation_tokens.digest(raw))
        link = f"{services.base_url}/auth/invitation?key={raw}"
        if inviter is not None and services.outbox is not None:
            await services.outbox.invite(
                workspace,
                invitation.email,
                link,
                now,
                company=inviter.company_name,
                invited_by=inviter.name,
                role=invitation.role,
            )
    return link


async def find_invitation(services: PageServices, raw: str) -> Invitation | None:
    """Return the open invitation for a link's token, or None."""
    invitation = await services.database.operators.invitations.by_digests(
        services.invitation_tokens.candidates(raw)
    )
    return invitation if invitation is not None and invitation.expires_at > services.now() else None


async def join(request: PageRequest, invitation: Invitation, name: str, password: str) -> User | None:
    """Accept an invitation: create the user, or set a new password for an existing one.

    Returns None when the address has an account that the invitation is not for. Raises AccountRefusal.
    """
    check(name=name, password=password)
    await request.count_attempt(
        RateLimitWindow(f"sign-up:{network_of(request.address)}", SIGN_UPS_OF_AN_ADDRESS)
    )
    hashed = await request.services.passwords.hash(password)
    async with request.services.database.operation() as operators:
        if not await operators.invitations.use(invitation.id):
            raise AccountRefusal({"name": "This invitation was used just now."})
        present = await operators.users.by_email(invitation.email)
        if present is None:
            await operators.users.add(
                invitation.company_id, invitation.email, name, invitation.role, hashed, request.services.now()
            )
        elif invitation.invited_by is None and present.company_id == invitation.company_id:
            await operators.users.set_password(present.id, hashed)
            await operators.users.rename(present.id, name)
            await operators.sessions.end_all(present.id)
            await operators.oauth_grants.revoke_user(present.id, "password changed", request.services.now())
        else:
            return None
        user = await operators.users.by_email(invitation.email)
    assert user is not None
    return user
