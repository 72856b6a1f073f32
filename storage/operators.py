"""The operator's door: what belongs to no single company, or must be read before one is known."""

from storage.repositories.answers.raw_answers import RawAnswerRepository
from storage.repositories.api_keys import ApiKeyRepository
from storage.repositories.brands import AllBrandRepository
from storage.repositories.companies import CompanyRepository
from storage.repositories.invitations import InvitationRepository
from storage.repositories.monitors import AllMonitorRepository
from storage.repositories.oauth_clients import OAuthClientRepository
from storage.repositories.oauth_grants import OAuthGrantRepository
from storage.repositories.oauth_requests import OAuthRequestRepository
from storage.repositories.pinned_clients import PinnedClientRepository
from storage.repositories.readiness import PublicReadinessRepository
from storage.repositories.runs.all_runs import AllRunRepository
from storage.repositories.schedules import ScheduleRepository
from storage.repositories.sessions import SessionRepository
from storage.repositories.users import UserRepository
from storage.statements.queries import QuerySession


class Operators:
    """Tenants, credentials and public reports across companies; tools see the public reports alone."""

    def __init__(self, session: QuerySession) -> None:
        self.companies = CompanyRepository(session, "")
        self.api_keys = ApiKeyRepository(session, "")
        self.brands = AllBrandRepository(session, "")
        self.oauth_clients = OAuthClientRepository(session, "")
        self.pinned_clients = PinnedClientRepository(session, "")
        self.oauth_requests = OAuthRequestRepository(session, "")
        self.oauth_grants = OAuthGrantRepository(session, "")
        self.users = UserRepository(session, "")
        self.sessions = SessionRepository(session, "")
        self.invitations = InvitationRepository(session, "")
        self.runs = AllRunRepository(session, "")
        self.monitors = AllMonitorRepository(session, "")
        self.schedules = ScheduleRepository(session, "")
        self.raw_answers = RawAnswerRepository(session, "")
        self.readiness = PublicReadinessRepository(session, "")
