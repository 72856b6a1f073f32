"""Services that all pages share, and the keys of cookies and forms."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol, TypeAlias

from engines.model_download import ModelDownload
from engines.registry import Registry
from measurement.planning.engine_keys import EngineKeys
from oauth.authenticate import ApiKeyAuthenticator, Authenticator, LastUses
from oauth.passwords import Passwords
from oauth.sealing import Seal
from oauth.signing import (
    BROWSERS,
    FORMS,
    INVITATIONS,
    PASSWORD_RESETS,
    SESSIONS,
    SHARED_REPORTS,
    Digests,
    SubKey,
)
from readiness.fetching.policy import content_policy
from readiness.scans.scan_service import ScanService
from storage.database import Database
from storage.repositories.brands import Brand
from storage.workspace import CompanyRole
from tools.calls.dispatch import Dispatcher
from tools.calls.rate_limits import Windows
from web.run_feed import RunFeed
from web.security.background_tasks import BackgroundTasks
from web.security.browsers import Browsers, Cookie, theme_cookie
from web.security.csrf import Forms
from web.security.sessions import SessionService
from web.templates import PageRenderer
from workflows.content_import.site_texts import SiteTexts
from workflows.mail.outbox import Outbox
from workflows.pricing import Pricing
from workflows.publishing.wordpress_publication import WordPressPublication
from workflows.webhooks.service import WebhookService

Signup: TypeAlias = Literal["open", "unverified", "closed"]
"""Who may create an account: anyone with a confirmed email address, anyone, or no one."""


@dataclass(frozen=True, slots=True)
class ConnectedApp:
    """An authorized OAuth client. `scopes` use the interface's names."""

    id: str
    name: str
    host: str
    scopes: Sequence[str]
    since: datetime
    last_used_at: datetime | None


class ConnectedApps(Protocol):
    """Lists and revokes authorized OAuth clients."""

    async def of_company(self, company_id: str) -> Sequence[ConnectedApp]:
        """Return the clients of a company, newest first."""
        ...

    async def revoke(self, company_id: str, app_id: str, role: CompanyRole = CompanyRole.OWNER) -> bool:
        """Revoke a client at once. Returns False for an unknown id. Raises WriteRefused for a viewer."""
        ...


class NoConnectedApps:
    """Connected apps of a service without OAuth: always empty."""

    async def of_company(self, company_id: str) -> Sequence[ConnectedApp]:
        """Return an empty list."""
        return ()

    async def revoke(self, company_id: str, app_id: str, role: CompanyRole = CompanyRole.OWNER) -> bool:
        """Return False."""
        return False


class SampleData(Protocol):
    """A made-up brand with made-up answers, labeled as such."""

    async def add_brand(self, company_id: str) -> Brand:
        """Create the brand in a company. Raises ChangeRefused at a plan's limit."""
        ...

    async def add_answers(self, company_id: str, brand: Brand) -> None:
        """Add the answers, which takes some seconds; a run of the brand is the last that is stored."""
        ...


@dataclass(frozen=True, slots=True)
class PageServices:
    """The services behind pages. `base_url` has no trailing slash."""

    database: Database
    dispatcher: Dispatcher
    engines: Registry
    passwords: Passwords
    windows: Windows
    seal: Seal
    api_key_signing: SubKey
    api_keys: Authenticator
    invitation_tokens: Digests
    shared_report_tokens: Digests
    base_url: str
    signup: Signup
    signup_plan: str
    now: Callable[[], datetime]
    sessions: SessionService
    browsers: Browsers
    theme: Cookie
    forms: Forms
    renderer: PageRenderer
    connected_apps: ConnectedApps
    oauth: bool
    scans: ScanService
    run_feed: RunFeed
    reset_tokens: Digests
    webhooks: WebhookService
    wordpress: WordPressPublication
    site_texts: SiteTexts
    deferred: BackgroundTasks
    model: ModelDownload
    sample_data: SampleData
    policies: Mapping[str, str] = field(default_factory=dict[str, str])
    """The operator's pages in Markdown: privacy, terms and support, as far as there are any."""
    outbox: Outbox | None = None
    """The queue of outgoing email, or None when email is not configured and pages offer an alternative."""

    @property
    def pricing(self) -> Pricing:
        """The current prices of agents for a company."""
        return Pricing(self.engine_keys)

    @property
    def engine_keys(self) -> EngineKeys:
        """The keys of the server and of companies."""
        return EngineKeys(self.database, self.engines, self.seal)

    async def sign_up_is_open(self) -> bool:
        """Return whether a visitor may create an account now.

        Without email an address cannot be verified, and a sign-up would reveal whether the address has an account.
        The first user may always sign up, because there is no one to find yet. Later users join by invitation.
        """
        if self.signup != "open" or self.outbox is not None:
            return self.signup != "closed"
        return not await self.database.operators.users.exist()


def build_page_services(
    *,
    database: Database,
    dispatcher: Dispatcher,
    engines: Registry,
    windows: Windows,
    secret: bytes,
    api_key_signing: SubKey,
    base_url: str,
    signup: Signup,
    model: ModelDownload,
    sample_data: SampleData,
    signup_plan: str = "",
    policies: Mapping[str, str] | None = None,
    now: Callable[[], datetime],
    scans: ScanService,
    connected_apps: ConnectedApps | None = None,
    api_keys: Authenticator | None = None,
    former_secret: bytes | None = None,
    outbox: Outbox | None = None,
    webhooks: WebhookService | None = None,
    wordpress: WordPressPublication | None = None,
    site_texts: SiteTexts | None = None,
) -> PageServices:
    """Build the services that only pages use. Cookies are secure exactly when the public URL uses https.

    Values signed or sealed with `former_secret` stay valid. New ones use `secret`.
    """
    secure = base_url.startswith("https:")
    seal = Seal(secret, (former_secret,) if former_secret else ())

    def digests(label: str) -> Digests:
        return Digests.of(secret, label, former_secret)

    deferred = BackgroundTasks()
    return PageServices(
        database=database,
        dispatcher=dispatcher,
        engines=engines,
        passwords=Passwords(),
        windows=windows,
        seal=seal,
        api_key_signing=api_key_signing,
        api_keys=api_keys or ApiKeyAuthenticator(database, api_key_signing, LastUses(database), now),
        invitation_tokens=digests(INVITATIONS),
        shared_report_tokens=digests(SHARED_REPORTS),
        base_url=base_url,
        signup=signup,
        signup_plan=signup_plan,
        now=now,
        sessions=SessionService(database, digests(SESSIONS), now, deferred, secure=secure),
        browsers=Browsers(digests(BROWSERS), secure=secure),
        theme=theme_cookie(secure=secure),
        forms=Forms(digests(FORMS)),
        renderer=PageRenderer(now, policies or {}),
        connected_apps=connected_apps or NoConnectedApps(),
        oauth=connected_apps is not None,
        scans=scans,
        run_feed=RunFeed(dispatcher, database),
        reset_tokens=digests(PASSWORD_RESETS),
        webhooks=webhooks or WebhookService(database, seal, base_url, now),
        wordpress=wordpress or WordPressPublication(seal, base_url, now),
        site_texts=site_texts or SiteTexts(content_policy(base_url), now),
        deferred=deferred,
        model=model,
        sample_data=sample_data,
        policies=policies or {},
        outbox=outbox,
    )
