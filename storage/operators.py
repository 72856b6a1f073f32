"""The operator's door: what belongs to no single company, or must be read before one is known."""

from typing import TYPE_CHECKING

from storage.queries import QuerySession
from storage.repository import Bound

if TYPE_CHECKING:
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


class Operators:
    """Tenants, credentials and public reports across companies; tools see the public reports alone."""

    company_id = ""

    def __init__(self, session: QuerySession) -> None:
        self.session = session

    companies: Bound["CompanyRepository"] = Bound("storage.repositories.companies")
    api_keys: Bound["ApiKeyRepository"] = Bound("storage.repositories.api_keys")
    brands: Bound["AllBrandRepository"] = Bound("storage.repositories.brands")
    oauth_clients: Bound["OAuthClientRepository"] = Bound("storage.repositories.oauth_clients")
    pinned_clients: Bound["PinnedClientRepository"] = Bound("storage.repositories.pinned_clients")
    oauth_requests: Bound["OAuthRequestRepository"] = Bound("storage.repositories.oauth_requests")
    oauth_grants: Bound["OAuthGrantRepository"] = Bound("storage.repositories.oauth_grants")
    users: Bound["UserRepository"] = Bound("storage.repositories.users")
    sessions: Bound["SessionRepository"] = Bound("storage.repositories.sessions")
    shared_reports: Bound["SharedReportRepository"] = Bound("storage.repositories.shared_reports")
    site_pages: Bound["SitePageRepository"] = Bound("storage.repositories.site_pages")
    invitations: Bound["InvitationRepository"] = Bound("storage.repositories.invitations")
    runs: Bound["AllRunRepository"] = Bound("storage.repositories.runs.all_runs")
    monitors: Bound["AllMonitorRepository"] = Bound("storage.repositories.monitors")
    schedules: Bound["ScheduleRepository"] = Bound("storage.repositories.schedules")
    raw_answers: Bound["RawAnswerRepository"] = Bound("storage.repositories.answers.raw_answers")
    readiness: Bound["PublicReadinessRepository"] = Bound("storage.repositories.readiness")
    announcements: Bound["AnnouncementRepository"] = Bound("storage.repositories.announcements")
    mail_queue: Bound["MailQueueRepository"] = Bound("storage.repositories.mail_queue")
    webhook_queue: Bound["WebhookQueueRepository"] = Bound("storage.repositories.webhook_queue")
    work_pauses: Bound["WorkPauseRepository"] = Bound("storage.repositories.work_pauses")
    password_resets: Bound["PasswordResetRepository"] = Bound("storage.repositories.password_resets")
    bot_addresses: Bound["BotAddressRepository"] = Bound("storage.repositories.bot_addresses")
    crawler_visits: Bound["AllCrawlerVisitRepository"] = Bound("storage.repositories.crawler_visits")
