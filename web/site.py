"""What all pages share: the service's parts behind them, and the keys of their cookies and forms."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from engines.registry import Registry
from oauth.passwords import Passwords
from oauth.sealing import Seal
from oauth.signing import SubKey
from storage.database import Database
from tools.dispatch import Dispatcher
from tools.rate_limits import Windows
from web.browsers import Browsers
from web.forms import Forms
from web.look import Look
from web.sessions import Sessions
from workflows.scan_desk import ScanDesk


@dataclass(frozen=True, slots=True)
class ConnectedApp:
    """One client that a person let in; `scopes` in the interface's names."""

    id: str
    name: str
    host: str
    scopes: Sequence[str]
    since: datetime
    last_used_at: datetime | None


class ConnectedApps(Protocol):
    """Where clients that were let in are found and shut out again."""

    async def of_company(self, company_id: str) -> Sequence[ConnectedApp]:
        """Return the clients of a company, newest first."""
        ...

    async def revoke(self, company_id: str, app_id: str) -> bool:
        """Shut a client out at once; False when there is none of this id."""
        ...


class NoConnectedApps:
    """A service without OAuth lets no client in."""

    async def of_company(self, company_id: str) -> Sequence[ConnectedApp]:
        """Return none."""
        return ()

    async def revoke(self, company_id: str, app_id: str) -> bool:
        """Find none."""
        return False


@dataclass(frozen=True, slots=True)
class Site:
    """The parts; `base_url` has no trailing slash, `secret` is the server's and never shown."""

    database: Database
    dispatcher: Dispatcher
    engines: Registry
    passwords: Passwords
    windows: Windows
    seal: Seal
    api_key_signing: SubKey
    secret: bytes = field(repr=False)
    base_url: str
    signup_open: bool
    now: Callable[[], datetime]
    sessions: Sessions
    browsers: Browsers
    forms: Forms
    look: Look
    connected_apps: ConnectedApps
    oauth: bool
    scans: ScanDesk


def open_site(
    *,
    database: Database,
    dispatcher: Dispatcher,
    engines: Registry,
    windows: Windows,
    secret: bytes,
    api_key_signing: SubKey,
    base_url: str,
    signup_open: bool,
    now: Callable[[], datetime],
    scans: ScanDesk,
    connected_apps: ConnectedApps | None = None,
) -> Site:
    """Build the parts that only pages have. Cookies are secure exactly when the public address is https."""
    secure = base_url.startswith("https:")
    return Site(
        database=database,
        dispatcher=dispatcher,
        engines=engines,
        passwords=Passwords(),
        windows=windows,
        seal=Seal(secret),
        api_key_signing=api_key_signing,
        secret=secret,
        base_url=base_url,
        signup_open=signup_open,
        now=now,
        sessions=Sessions(database, secret, now, secure=secure),
        browsers=Browsers(secret, secure=secure),
        forms=Forms(secret),
        look=Look(now),
        connected_apps=connected_apps or NoConnectedApps(),
        oauth=connected_apps is not None,
        scans=scans,
    )
