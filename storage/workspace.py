"""The one door to a company's rows: repositories that are bound to the company when they are made."""

from collections.abc import Callable
from typing import Generic, TypeVar

from storage.repositories.actions import ActionRepository
from storage.repositories.agents import AgentRepository
from storage.repositories.answers.answers import AnswerRepository
from storage.repositories.answers.citations import CitationRepository
from storage.repositories.answers.evidence import EvidenceRepository
from storage.repositories.answers.judgements import JudgementRepository
from storage.repositories.answers.listed_mentions import ListedMentionRepository
from storage.repositories.answers.period_readings import PeriodReadingRepository
from storage.repositories.answers.prompt_answers import PromptAnswerRepository
from storage.repositories.answers.readings import ReadingRepository
from storage.repositories.answers.reparsed_answers import ReparsedAnswerRepository
from storage.repositories.api_keys import CompanyKeyRepository
from storage.repositories.archive import ArchiveRepository
from storage.repositories.archive_keys import ArchiveKeyRepository
from storage.repositories.asks import AskRepository
from storage.repositories.audits import AuditRepository
from storage.repositories.batches import BatchRepository
from storage.repositories.brands import BrandRepository
from storage.repositories.channels import ChannelRepository
from storage.repositories.connected_apps import ConnectedAppRepository
from storage.repositories.credits import CreditRepository
from storage.repositories.findings import FindingRepository
from storage.repositories.health import ChannelHealthRepository
from storage.repositories.idempotency_keys import IdempotencyKeyRepository
from storage.repositories.invitations import CompanyInvitationRepository
from storage.repositories.issues import IssueRepository
from storage.repositories.monitors import MonitorRepository
from storage.repositories.notifications import NotificationRepository
from storage.repositories.prompt_results import PromptResultRepository
from storage.repositories.prompt_sets import PromptSetRepository
from storage.repositories.provider_credentials import ProviderCredentialRepository
from storage.repositories.readiness import ReadinessRepository
from storage.repositories.repository_items import RepositoryItemRepository
from storage.repositories.results import ResultRepository
from storage.repositories.revisions import RevisionRepository
from storage.repositories.runs.run_agents import RunAgentRepository
from storage.repositories.runs.runs import RunRepository
from storage.repositories.runs.written_texts import WrittenTextRepository
from storage.repositories.simulations import SimulationRepository
from storage.repositories.source_counts import SourceCountRepository
from storage.repositories.spending import SpendingRepository
from storage.repositories.stored_results import StoredResultRepository
from storage.repositories.suggestions import SuggestionRepository
from storage.repositories.users import ColleagueRepository
from storage.statements.queries import QuerySession

BoundRepository = TypeVar("BoundRepository")


class Bound(Generic[BoundRepository]):
    """A repository of the workspace, made when it is first used and bound to the workspace's company."""

    def __init__(self, kind: Callable[[QuerySession, str], BoundRepository]) -> None:
        self._kind = kind

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, workspace: "Workspace", owner: type) -> BoundRepository:
        repository = self._kind(workspace.session, workspace.company_id)
        workspace.__dict__[self._name] = repository  # found there before this from now on
        return repository


class Workspace:
    """Everything of one company, and nothing of another."""

    def __init__(self, session: QuerySession, company_id: str) -> None:
        self.session = session
        self.company_id = company_id

    brands = Bound(BrandRepository)
    repository_items = Bound(RepositoryItemRepository)
    prompt_sets = Bound(PromptSetRepository)
    prompt_results = Bound(PromptResultRepository)
    prompt_answers = Bound(PromptAnswerRepository)
    batches = Bound(BatchRepository)
    simulations = Bound(SimulationRepository)
    asks = Bound(AskRepository)
    channels = Bound(ChannelRepository)
    answers = Bound(AnswerRepository)
    citations = Bound(CitationRepository)
    reparsed = Bound(ReparsedAnswerRepository)
    evidence = Bound(EvidenceRepository)
    stored_results = Bound(StoredResultRepository)
    revisions = Bound(RevisionRepository)
    readings = Bound(ReadingRepository)
    period_readings = Bound(PeriodReadingRepository)
    listed_mentions = Bound(ListedMentionRepository)
    results = Bound(ResultRepository)
    issues = Bound(IssueRepository)
    judgements = Bound(JudgementRepository)
    audits = Bound(AuditRepository)
    monitors = Bound(MonitorRepository)
    notifications = Bound(NotificationRepository)
    connected_apps = Bound(ConnectedAppRepository)
    api_keys = Bound(CompanyKeyRepository)
    colleagues = Bound(ColleagueRepository)
    invitations = Bound(CompanyInvitationRepository)
    provider_credentials = Bound(ProviderCredentialRepository)
    runs = Bound(RunRepository)
    run_agents = Bound(RunAgentRepository)
    written_texts = Bound(WrittenTextRepository)
    findings = Bound(FindingRepository)
    idempotency_keys = Bound(IdempotencyKeyRepository)
    agents = Bound(AgentRepository)
    credits = Bound(CreditRepository)
    readiness = Bound(ReadinessRepository)
    spending = Bound(SpendingRepository)
    suggestions = Bound(SuggestionRepository)
    archive = Bound(ArchiveRepository)
    archive_keys = Bound(ArchiveKeyRepository)
    health = Bound(ChannelHealthRepository)
    actions = Bound(ActionRepository)
    source_counts = Bound(SourceCountRepository)
