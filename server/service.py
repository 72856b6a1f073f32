"""The components of the service, built from settings and closed together."""

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from prometheus_client import CollectorRegistry

from engines.registry import Registry
from measurement.asking.probe import Prober
from measurement.asking.supplier_tasks import SupplierCallbacks
from measurement.errors import WorkError
from measurement.imports.access_logs.address_lists import AddressLists
from measurement.planning.clock import utc_now
from measurement.planning.costs import Costs
from measurement.planning.engine_keys import EngineKeys
from measurement.publication.publish import Publisher
from measurement.publication.receipt_seal import ReceiptSigner
from oauth.authenticate import (
    AccessTokenAuthenticator,
    ApiKeyAuthenticator,
    Authenticator,
    EitherCredential,
    LastUses,
)
from oauth.scopes import Audiences
from oauth.sealing import Seal
from oauth.signing import (
    API_KEYS,
    OAUTH_TOKENS,
    SITE_TOKENS,
    SUPPLIER_CALLBACKS,
    Digests,
    SubKey,
    sub_key,
)
from readiness.browsing.browser import find_browser
from readiness.fetching.policy import (
    address_list_policy,
    cited_page_policy,
    content_policy,
    monitor_policy,
    proposal_policy,
    scan_policy,
)
from readiness.fetching.urls import EVERY_HOST
from readiness.scans.scanner import Scanner
from readiness.scans.site_ownership import SiteOwnership
from server.background_work import BackgroundWork
from server.database import open_database
from server.settings import MODEL_FOLDER, Settings
from server.telemetry.vitals import Pinged, Vitals
from storage.database import Database
from tools.calls.call import WorkspaceOpener
from tools.calls.dispatch import Dispatcher
from tools.calls.rate_limits import MemoryWindows, RateLimits, Windows
from tools.catalog import tool_table
from workflows.brand_sites import Sites
from workflows.engine.run_engine import RunEngine
from workflows.monitoring import MonitorService
from workflows.pricing import Pricing
from workflows.run_executor import Executor
from workflows.runs import RunService

if TYPE_CHECKING:
    from web.services import PageServices
    from workflows.mail.delivery import MailDelivery
    from workflows.mail.smtp import SmtpSettings
    from workflows.publishing.wordpress_publication import WordPressPublication
    from workflows.webhooks.service import WebhookService


@dataclass(frozen=True, slots=True)
class Service:
    """Everything that serves, works or answers, over one database."""

    settings: Settings
    database: Database
    engines: Registry
    publisher: Publisher
    dispatcher: Dispatcher
    last_uses: LastUses
    windows: Windows
    run_engine: RunEngine
    allow_hosts: frozenset[str] = frozenset()
    """`host:port` pairs that are visited whatever their address; none but where an operator names them."""

    @property
    def api_key_signing(self) -> SubKey:
        """The key that API keys are digested with."""
        return sub_key(self.settings.secret_key, API_KEYS)

    @property
    def key_authenticator(self) -> ApiKeyAuthenticator:
        """Who checks API keys."""
        former = self.settings.former_secret_key
        return ApiKeyAuthenticator(
            self.database,
            self.api_key_signing,
            self.last_uses,
            utc_now,
            sub_key(former, API_KEYS) if former else None,
        )

    @property
    def authenticator(self) -> Authenticator:
        """Who checks credentials: keys, and access tokens where OAuth is on."""
        keys = self.key_authenticator
        oauth = self.settings.oauth
        if oauth is None:
            return keys
        tokens = AccessTokenAuthenticator(
            self.database, oauth.digests(OAUTH_TOKENS), Audiences(oauth.base_url), self.last_uses, utc_now
        )
        return EitherCredential(keys, tokens)

    def site(self) -> "PageServices":
        """What pages for people are made of."""
        from engines.model_download import ModelDownload
        from readiness.scans.scan_service import ScanService
        from server.authorization import CompanyApps
        from server.demo.history import SampleMarket
        from web.services import build_page_services
        from workflows.content_import.site_texts import SiteTexts
        from workflows.mail.outbox import Outbox

        return build_page_services(
            database=self.database,
            dispatcher=self.dispatcher,
            engines=self.engines,
            windows=self.windows,
            secret=self.settings.secret_key,
            former_secret=self.settings.former_secret_key,
            api_key_signing=self.api_key_signing,
            api_keys=self.key_authenticator,
            base_url=self.settings.base_url,
            signup=self.settings.signup,
            signup_plan=self.settings.signup_plan,
            policies=self.settings.policies,
            sample_data=SampleMarket(self.database, self.publisher.signer),
            model=ModelDownload(self.settings.data_dir / MODEL_FOLDER),
            now=utc_now,
            scans=ScanService(self.database, self.scanner, self.ownership),
            outbox=Outbox(self.seal) if self.settings.smtp else None,
            webhooks=self.webhooks,
            wordpress=self.wordpress,
            site_texts=SiteTexts(
                replace(content_policy(self.settings.base_url), allow_hosts=self._exempt), utc_now
            ),
            connected_apps=CompanyApps(self.database, utc_now) if self.settings.oauth else None,
        )

    @property
    def redis(self) -> Pinged | None:
        """The Redis rate limit store, or None when Redis is not configured."""
        return cast(Pinged, self.windows) if self.settings.redis_url is not None else None

    def vitals(self, registry: CollectorRegistry) -> Vitals:
        """Return the monitor of this process's dependencies."""
        return Vitals(self.database, self.settings.data_dir, registry, utc_now, self.redis)

    @property
    def engine_keys(self) -> EngineKeys:
        """The engine API keys of the server and of companies."""
        return engine_keys(self.settings, self.database, self.engines)

    @property
    def costs(self) -> Costs:
        """The costs of engine requests."""
        return Costs(self.database, self.engines, self.settings.prices, utc_now)

    def prober(self, max_output_tokens: int | None = None) -> Prober:
        """Return the component that queries engines. `max_output_tokens` limits the length of answers."""
        return Prober(
            self.database,
            self.engines,
            self.engine_keys,
            self.publisher,
            utc_now,
            max_output_tokens,
            self.settings.prices,
            self.supplier_callbacks,
        )

    @property
    def supplier_callbacks(self) -> SupplierCallbacks | None:
        """The receiver of data providers' callbacks for finished tasks; None unless enabled in the settings."""
        if not self.settings.supplier_callbacks:
            return None
        settings = self.settings
        digests = Digests.of(settings.secret_key, SUPPLIER_CALLBACKS, settings.former_secret_key)
        return SupplierCallbacks(self.database, digests, settings.base_url, utc_now)

    def visiting(self, hosts: Iterable[str]) -> "Service":
        """Return a copy of this service that visits these `host:port` pairs even at private addresses."""
        return replace(self, allow_hosts=frozenset(host.lower() for host in hosts))

    @property
    def _exempt(self) -> frozenset[str]:
        """The `host:port` pairs that are visited even at private addresses."""
        return EVERY_HOST if self.settings.allow_private_sites else self.allow_hosts

    @property
    def sites(self) -> Sites:
        """The reader of brands' sites."""
        return Sites(replace(monitor_policy(self.settings.base_url), allow_hosts=self._exempt), utc_now)

    @property
    def scanner(self) -> Scanner:
        """The scanner that scans sites and stores reports."""
        base_url = self.settings.base_url
        policy = replace(scan_policy(base_url), allow_hosts=self._exempt)
        browser = find_browser() if self.settings.browser else None
        return Scanner(self.database, policy, base_url, utc_now, browser=browser)

    @property
    def ownership(self) -> SiteOwnership:
        """The check of whether a company controls a site."""
        former = self.settings.former_secret_key
        secrets = [self.settings.secret_key, *([former] if former else [])]
        keys = [sub_key(secret, SITE_TOKENS) for secret in secrets]
        policy = scan_policy(self.settings.base_url)
        return SiteOwnership(keys, replace(policy, allow_hosts=self._exempt))

    @property
    def address_lists(self) -> AddressLists:
        """The fetcher of crawlers' published IP addresses."""
        policy = replace(address_list_policy(self.settings.base_url), allow_hosts=self._exempt)
        return AddressLists(self.database, policy, utc_now)

    @property
    def monitors(self) -> MonitorService:
        """The service that runs monitors. Its `start_due` is a source of due work."""
        return MonitorService(self.database, self.run_engine, self.sites, utc_now)

    @property
    def executor(self) -> Executor:
        """The executor of agents."""
        from workflows.agents.agent import SiteAccess  # loaded only in processes that execute runs
        from workflows.agents.catalog import AGENTS
        from workflows.cited_pages.reader import CitedPages

        cited = replace(cited_page_policy(self.settings.base_url), allow_hosts=self._exempt)
        site_access = SiteAccess(self.scanner, self.sites, CitedPages(cited, utc_now))
        return Executor(self.database, AGENTS, self.engines, self.prober(), utc_now, site_access=site_access)

    @property
    def background_work(self) -> BackgroundWork:
        """The background work of this process."""
        return BackgroundWork(
            settings=self.settings,
            database=self.database,
            publisher=self.publisher,
            run_engine=self.run_engine,
            engine_keys=self.engine_keys,
            last_uses=self.last_uses,
            monitors=self.monitors,
            address_lists=self.address_lists,
            executor=lambda: self.executor,
            webhooks=lambda: self.webhooks,
            mail_delivery=self.mail_delivery,
        )

    @property
    def webhooks(self) -> "WebhookService":
        """The webhook service, which manages webhooks and delivers to them."""
        from workflows.webhooks.service import WebhookService  # loaded only in processes that send

        return WebhookService(self.database, self.seal, self.settings.base_url, utc_now, self._exempt)

    @property
    def wordpress(self) -> "WordPressPublication":
        """Who publishes texts to the sites of companies."""
        from workflows.publishing.wordpress_publication import WordPressPublication  # loaded by who publishes

        return WordPressPublication(self.seal, self.settings.base_url, utc_now, self._exempt)

    def mail_delivery(self, smtp: "SmtpSettings") -> "MailDelivery":
        """Who sends the mails that wait."""
        from workflows.mail.delivery import MailDelivery  # loaded by who sends mail

        return MailDelivery(self.database, smtp, self.seal, self.settings.base_url, utc_now)

    @property
    def seal(self) -> Seal:
        """Seals what must be read again under today's secret; opens under the one before it, too."""
        former = self.settings.former_secret_key
        return Seal(self.settings.secret_key, (former,) if former else ())


@asynccontextmanager
async def open_service(
    settings: Settings, *, migrate: bool = True, allow_hosts: frozenset[str] = frozenset()
) -> AsyncGenerator[Service]:
    """Build the parts, bring the schema up to date, and close everything at the end.

    `allow_hosts` holds `host:port` pairs that are visited whatever their addresses.
    """
    async with (
        open_database(settings, migrate=migrate) as database,
        Registry(settings.engines) as engines,
        open_engine(database) as run_engine,
        windows(settings) as counted,
    ):
        keys = engine_keys(settings, database, engines)
        private_hosts = EVERY_HOST if settings.allow_private_sites else allow_hosts
        proposing = replace(proposal_policy(settings.base_url), allow_hosts=private_hosts)
        yield Service(
            settings=settings,
            database=database,
            engines=engines,
            publisher=Publisher(
                database, engines.configured_platforms, utc_now, ReceiptSigner(settings.receipt_keys)
            ),
            dispatcher=Dispatcher(
                tool_table(),
                RateLimits(counted),
                WorkspaceOpener(database),
                run_desk=RunService(
                    run_engine, Pricing(keys), Costs(database, engines, settings.prices, utc_now)
                ),
                site_reader=Sites(proposing, utc_now),
                private_hosts=private_hosts,
                public_reports=database.operators.readiness,
                engines=keys,
            ),
            last_uses=LastUses(database),
            run_engine=run_engine,
            windows=counted,
            allow_hosts=allow_hosts,
        )


def engine_keys(settings: Settings, database: Database, engines: Registry) -> EngineKeys:
    """With whose key engines are asked."""
    former = settings.former_secret_key
    return EngineKeys(database, engines, Seal(settings.secret_key, (former,) if former else ()))


@asynccontextmanager
async def open_engine(database: Database) -> AsyncGenerator[RunEngine]:
    """Lend the queue of runs; it connects when it is first needed."""
    engine = RunEngine(database, utc_now)
    try:
        yield engine
    finally:
        await engine.close()


@asynccontextmanager
async def windows(settings: Settings) -> AsyncGenerator[Windows]:
    """Lend where calls are counted: memory of this process, or Redis for several."""
    if settings.redis_url is None:
        yield MemoryWindows()
        return
    try:
        from tools.calls.redis_windows import RedisWindows
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "redis":
            raise
        raise WorkError(
            "SEENBY_REDIS_URL is set, and the client for Redis is not installed",
            "Install the extra: pip install 'seenby[redis]'",
        ) from error

    shared = RedisWindows(settings.redis_url)
    try:
        yield shared
    finally:
        await shared.close()
