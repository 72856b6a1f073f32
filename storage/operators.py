"""Repositories of the operator: what belongs to no single company, or is read before one is known."""

from storage.repositories.accounts import (
    InvitationRepository,
    PasswordResetRepository,
    SessionRepository,
    UserRepository,
)
from storage.repositories.answers.reparsed_answers import RawAnswerRepository
from storage.repositories.api_keys import ApiKeyRepository
from storage.repositories.brands import AllBrandRepository
from storage.repositories.companies import CompanyRepository
from storage.repositories.crawler_visits import AllCrawlerVisitRepository, BotAddressRepository
from storage.repositories.health import NightlyWorkRepository, WorkPauseRepository
from storage.repositories.mails import MailQueueRepository
from storage.repositories.monitors import AllMonitorRepository
from storage.repositories.notifications import AnnouncementRepository
from storage.repositories.oauth_clients import (
    OAuthClientRepository,
    OAuthRequestRepository,
    PinnedClientRepository,
)
from storage.repositories.oauth_grants import OAuthGrantRepository
from storage.repositories.readiness import PublicReadinessRepository
from storage.repositories.schedules import AllRunRepository, ScheduleRepository
from storage.repositories.shared_reports import SharedReportRepository, SitePageRepository
from storage.repositories.webhooks import WebhookQueueRepository
from storage.repository import Attached, Session


class Operators(Session):
    """Tenants, credentials and public reports across companies; tools see the public reports alone."""

    companies = Attached(CompanyRepository)
    api_keys = Attached(ApiKeyRepository)
    brands = Attached(AllBrandRepository)
    oauth_clients = Attached(OAuthClientRepository)
    pinned_clients = Attached(PinnedClientRepository)
    oauth_requests = Attached(OAuthRequestRepository)
    oauth_grants = Attached(OAuthGrantRepository)
    users = Attached(UserRepository)
    sessions = Attached(SessionRepository)
    shared_reports = Attached(SharedReportRepository)
    site_pages = Attached(SitePageRepository)
    invitations = Attached(InvitationRepository)
    runs = Attached(AllRunRepository)
    monitors = Attached(AllMonitorRepository)
    schedules = Attached(ScheduleRepository)
    raw_answers = Attached(RawAnswerRepository)
    readiness = Attached(PublicReadinessRepository)
    announcements = Attached(AnnouncementRepository)
    mail_queue = Attached(MailQueueRepository)
    webhook_queue = Attached(WebhookQueueRepository)
    nightly_work = Attached(NightlyWorkRepository)
    work_pauses = Attached(WorkPauseRepository)
    password_resets = Attached(PasswordResetRepository)
    bot_addresses = Attached(BotAddressRepository)
    crawler_visits = Attached(AllCrawlerVisitRepository)
