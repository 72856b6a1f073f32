"""The operator's door: what belongs to no single company, or must be read before one is known."""

from storage.queries import Session
from storage.repositories.api_keys import ApiKeys
from storage.repositories.companies import Companies
from storage.repositories.invitations import Invitations
from storage.repositories.monitors import AllMonitors
from storage.repositories.oauth_clients import OAuthClients
from storage.repositories.oauth_grants import OAuthGrants
from storage.repositories.oauth_requests import OAuthRequests
from storage.repositories.readiness import PublicReadiness
from storage.repositories.runs import AllRuns
from storage.repositories.schedules import Schedules
from storage.repositories.sessions import Sessions
from storage.repositories.users import Users


class Operators:
    """Tenants, credentials and public reports across companies; tools see the public reports alone."""

    def __init__(self, session: Session) -> None:
        self.companies = Companies(session, "")
        self.api_keys = ApiKeys(session, "")
        self.oauth_clients = OAuthClients(session, "")
        self.oauth_requests = OAuthRequests(session, "")
        self.oauth_grants = OAuthGrants(session, "")
        self.users = Users(session, "")
        self.sessions = Sessions(session, "")
        self.invitations = Invitations(session, "")
        self.runs = AllRuns(session, "")
        self.monitors = AllMonitors(session, "")
        self.schedules = Schedules(session, "")
        self.readiness = PublicReadiness(session, "")
