"""Repositories of the operator: what belongs to no single company, or is read before one is known."""

from storage.repositories.announcements import AnnouncementRepository
from storage.repositories.answers.raw_answers import RawAnswerRepository
from storage.repositories.api_keys import ApiKeyRepository
from storage.repositories.bot_addresses import BotAddressRepository
from storage.repositories.brands import AllBrandRepository
from storage.repositories.companies import CompanyRepository
from storage.repositories.crawler_visits import AllCrawlerVisitRepository
from storage.repositories.invitations import InvitationRepository
from storage.repositories.mail_queue import MailQueueRepository
from storage.repositories.monitors import AllMonitorRepository
from storage.repositories.oauth_clients import OAuthClientRepository
from storage.repositories.oauth_grants import OAuthGrantRepository
from storage.repositories.oauth_requests import OAuthRequestRepository
from storage.repositories.password_resets import PasswordResetRepository
from storage.repositories.pinned_clients import PinnedClientRepository
from storage.repositories.readiness import PublicReadinessRepository
from storage.repositories.runs.all_runs import AllRunRepository
from storage.repositories.schedules import ScheduleRepository
from storage.repositories.sessions import SessionRepository
from storage.repositories.shared_reports import SharedReportRepository
from storage.repositories.site_pages import SitePageRepository
from storage.repositories.users import UserRepository
from storage.repositories.webhook_queue import WebhookQueueRepository
from storage.repositories.work_pauses import WorkPauseRepository
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
    work_pauses = Attached(WorkPauseRepository)
    password_resets = Attached(PasswordResetRepository)
    bot_addresses = Attached(BotAddressRepository)
    crawler_visits = Attached(AllCrawlerVisitRepository)
