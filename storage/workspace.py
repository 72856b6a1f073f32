"""The one door to a company's rows: repositories that are bound to the company when they are made."""

from storage.queries import Session
from storage.repositories.agents import Agents
from storage.repositories.answers import Answers
from storage.repositories.api_keys import CompanyKeys
from storage.repositories.archive import Archive
from storage.repositories.archive_keys import ArchiveKeys
from storage.repositories.asks import Asks
from storage.repositories.batches import Batches
from storage.repositories.brands import Brands
from storage.repositories.channels import Channels
from storage.repositories.citations import Citations
from storage.repositories.connected_apps import ConnectedApps
from storage.repositories.credits import Credits
from storage.repositories.findings import Findings
from storage.repositories.health import Healths
from storage.repositories.idempotency_keys import IdempotencyKeys
from storage.repositories.invitations import CompanyInvitations
from storage.repositories.issues import Issues
from storage.repositories.judgements import Judgements
from storage.repositories.listed_mentions import ListedMentions
from storage.repositories.monitors import Monitors
from storage.repositories.notifications import Notifications
from storage.repositories.prompt_answers import PromptAnswers
from storage.repositories.prompt_sets import PromptSets
from storage.repositories.provider_credentials import ProviderCredentials
from storage.repositories.readiness import Readiness
from storage.repositories.readings import Readings
from storage.repositories.reparsed_answers import ReparsedAnswers
from storage.repositories.repository_items import RepositoryItems
from storage.repositories.results import Results
from storage.repositories.revisions import Revisions
from storage.repositories.run_agents import RunAgents
from storage.repositories.runs import Runs
from storage.repositories.simulations import Simulations
from storage.repositories.spending import Spending
from storage.repositories.suggestions import Suggestions
from storage.repositories.users import Colleagues


class Workspace:
    """Everything of one company, and nothing of another."""

    def __init__(self, session: Session, company_id: str) -> None:
        self.company_id = company_id
        self.brands = Brands(session, company_id)
        self.repository_items = RepositoryItems(session, company_id)
        self.prompt_sets = PromptSets(session, company_id)
        self.prompt_answers = PromptAnswers(session, company_id)
        self.batches = Batches(session, company_id)
        self.simulations = Simulations(session, company_id)
        self.asks = Asks(session, company_id)
        self.channels = Channels(session, company_id)
        self.answers = Answers(session, company_id)
        self.citations = Citations(session, company_id)
        self.reparsed = ReparsedAnswers(session, company_id)
        self.revisions = Revisions(session, company_id)
        self.readings = Readings(session, company_id)
        self.listed_mentions = ListedMentions(session, company_id)
        self.results = Results(session, company_id)
        self.issues = Issues(session, company_id)
        self.judgements = Judgements(session, company_id)
        self.monitors = Monitors(session, company_id)
        self.notifications = Notifications(session, company_id)
        self.connected_apps = ConnectedApps(session, company_id)
        self.api_keys = CompanyKeys(session, company_id)
        self.colleagues = Colleagues(session, company_id)
        self.invitations = CompanyInvitations(session, company_id)
        self.provider_credentials = ProviderCredentials(session, company_id)
        self.runs = Runs(session, company_id)
        self.run_agents = RunAgents(session, company_id)
        self.findings = Findings(session, company_id)
        self.idempotency_keys = IdempotencyKeys(session, company_id)
        self.agents = Agents(session, company_id)
        self.credits = Credits(session, company_id)
        self.readiness = Readiness(session, company_id)
        self.spending = Spending(session, company_id)
        self.suggestions = Suggestions(session, company_id)
        self.archive = Archive(session, company_id)
        self.archive_keys = ArchiveKeys(session, company_id)
        self.health = Healths(session, company_id)
