"""Links by e-mail that work once: password reset, and sign-up where mail can be sent."""

import hashlib
import secrets
from collections.abc import Awaitable, Callable
from datetime import timedelta

from oauth.throttle import network_of
from storage.errors import DuplicateRow
from storage.repositories.accounts import PasswordReset, User, folded
from storage.workspace import Workspace
from tools.calls.rate_limits import RateLimitWindow
from web.accounts.accounts import (
    SIGN_UPS_OF_AN_ADDRESS,
    AccountRefusal,
    check,
    create_company,
    email_fault,
    password_fault,
)
from web.request import PageRequest
from web.services import PageServices
from workflows.mail.outbox import Outbox

LINK_LIFE = timedelta(hours=1)
LINKS_OF_AN_ACCOUNT = 2
LINKS_OF_AN_ADDRESS = 10
"""Links that are asked for in a minute."""


def _count_links(kind: str, email: str) -> RateLimitWindow:
    """Return where the links of a kind are counted that are asked for with an address, be there an account or not."""
    account = hashlib.sha256(folded(email).encode()).hexdigest()[:32]
    return RateLimitWindow(f"{kind}:account:{account}", LINKS_OF_AN_ACCOUNT)


async def ask_for_link(request: PageRequest, outbox: Outbox, email: str) -> Callable[[], Awaitable[None]]:
    """Accept a link request and return the work to do after the response.

    Nothing is looked up before that, so that neither text nor timing reveals whether the address has an account.
    Raises AccountRefusal or Throttled.
    """
    if fault := email_fault(email):
        raise AccountRefusal({"email": fault})
    await request.count_attempt(
        _count_links("reset", email),
        RateLimitWindow(f"reset:address:{network_of(request.address)}", LINKS_OF_AN_ADDRESS),
    )
    services = request.services

    async def mail_link() -> None:
        await _mail_link(services, outbox, email)

    return mail_link


async def _mail_link(services: PageServices, outbox: Outbox, email: str) -> None:
    """Queue a link to the address if it has an account."""
    user = await services.database.operators.users.by_email(email)
    if user is None:
        return
    async with services.database.transaction(user.company_id) as writing:
        link = await make_link(services, writing, user, LINK_LIFE)
        await outbox.reset_password(writing, user.email, link, user.id, services.now())


async def make_link(services: PageServices, writing: Workspace, user: User, life: timedelta) -> str:
    """Return a link that lets its holder choose a password once, within its lifetime."""
    raw, now = secrets.token_urlsafe(32), services.now()
    await writing.password_resets.add(services.reset_tokens.digest(raw), user.id, now + life, now)
    return f"{services.base_url}/auth/reset?key={raw}"


async def find_reset(request: PageRequest, raw: str) -> PasswordReset | None:
    """Return the open link behind a token."""
    services = request.services
    reset = await services.database.operators.password_resets.by_digests(
        services.reset_tokens.candidates(raw)
    )
    return reset if reset is not None and reset.expires_at > services.now() else None


async def change_password(request: PageRequest, reset: PasswordReset, password: str) -> User:
    """Take the link and store the password; sessions and connected apps end.

    Raises AccountRefusal, Throttled or TooBusy.
    """
    if fault := password_fault(password):
        raise AccountRefusal({"password": fault})
    await request.count_attempt(RateLimitWindow(f"password:{reset.user_id}", LINKS_OF_AN_ADDRESS))
    services = request.services
    hashed = await services.passwords.hash(password)
    async with services.database.operation() as operators:
        if not await operators.password_resets.use(reset.digest):
            raise AccountRefusal({"password": "This link was used just now."})
        await operators.users.set_password(reset.user_id, hashed)
        await operators.sessions.end_all(reset.user_id)
        await operators.oauth_grants.revoke_user(reset.user_id, "password changed", services.now())
        user = await operators.users.by_id(reset.user_id)
    assert user is not None
    return user


SIGN_UP_LINK_LIFE = timedelta(days=1)


async def ask_for_account(
    request: PageRequest, outbox: Outbox, company: str, name: str, email: str
) -> Callable[[], Awaitable[None]]:
    """Take a sign-up and return what is to be done once the answer is sent.

    Nothing is looked up before that, so that neither text nor timing reveals whether the address has an account.
    Raises AccountRefusal or Throttled.
    """
    check(company=company, name=name, email=email)
    await request.count_attempt(
        _count_links("sign-up", email),
        RateLimitWindow(f"sign-up:{network_of(request.address)}", SIGN_UPS_OF_AN_ADDRESS),
    )
    services = request.services

    async def make_account() -> None:
        await _make_account(services, outbox, company, name, email)

    return make_account


async def _make_account(services: PageServices, outbox: Outbox, company: str, name: str, email: str) -> None:
    """Mail what the address is to know: the link to a first password, or that it has an account."""
    user = await _make_owner(services, company, name, email)
    now = services.now()
    async with services.database.transaction(user.company_id) as writing:
        if user.password_hash is not None:
            await outbox.tell_of_account(writing, user.email, user.id, now)
            return
        link = await make_link(services, writing, user, SIGN_UP_LINK_LIFE)
        await outbox.welcome(writing, user.email, link, user.id, now, company=user.company_name)


async def _make_owner(services: PageServices, company: str, name: str, email: str) -> User:
    """Make the company with its owner, who has no password yet; return the user with the address."""
    try:
        async with services.database.operation() as operators:
            return await create_company(services, operators, company, name, email)
    except DuplicateRow:
        present = await services.database.operators.users.by_email(email)
        if present is None:
            raise
        return present
