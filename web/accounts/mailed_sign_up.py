"""Sign-up where mail can be sent: the account opens by a link in a mail, and the page says the same to everybody."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

from oauth.rate_limits import network_of
from storage.errors import DuplicateRow
from storage.repositories.users import User
from tools.calls.rate_limits import RateLimitWindow
from web.accounts.accounts import PLAN, SIGN_UPS_OF_AN_ADDRESS, check
from web.accounts.password_resets import count_links, make_link
from web.request import PageRequest
from web.services import PageServices
from workflows.mail.outbox import Outbox

LINK_LIFE = timedelta(days=1)


async def ask_for_account(
    request: PageRequest, outbox: Outbox, company: str, name: str, email: str
) -> Callable[[], Awaitable[None]]:
    """Take a sign-up and return what is to be done once the answer is sent.

    Nothing is looked up before that, so that neither words nor time tell whether the address has an account.
    Raises AccountRefusal or Throttled.
    """
    check(company=company, name=name, email=email)
    await request.count_attempt(
        count_links("sign-up", email),
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
        link = await make_link(services, writing, user, LINK_LIFE)
        await outbox.welcome(writing, user.email, link, user.id, now, company=user.company_name)


async def _make_owner(services: PageServices, company: str, name: str, email: str) -> User:
    """Make the company with its owner, who has no password yet; return whoever has the address."""
    try:
        async with services.database.operation() as operators:
            await operators.companies.create(company, email, PLAN, services.now(), may_share_name=True)
            owner = await operators.users.by_email(email)
            assert owner is not None
            await operators.users.rename(owner.id, name)
            return owner
    except DuplicateRow:
        present = await services.database.operators.users.by_email(email)
        if present is None:
            raise
        return present
