"""The one door to a company's rows: repositories that are bound to the company when they are made."""

from enum import StrEnum
from typing import TYPE_CHECKING

from storage.queries import QuerySession
from storage.repository import Bound

if TYPE_CHECKING:
    from storage.repositories.actions import ActionRepository
    from storage.repositories.agents import AgentRepository
    from storage.repositories.answers.answer_pages import AnswerPageRepository
    from storage.repositories.answers.answers import AnswerRepository
    from storage.repositories.answers.citations import CitationRepository
    from storage.repositories.answers.evidence import EvidenceRepository
    from storage.repositories.answers.judgements import JudgementRepository
    from storage.repositories.answers.listed_mentions import ListedMentionRepository
    from storage.repositories.answers.mention_history import MentionHistoryRepository
    from storage.repositories.answers.mentioning_answers import MentioningAnswerRepository
    from storage.repositories.answers.observed_answers import ObservedAnswerRepository
    from storage.repositories.answers.period_readings import PeriodReadingRepository
    from storage.repositories.answers.prompt_answers import PromptAnswerRepository
    from storage.repositories.answers.readings import ReadingRepository
    from storage.repositories.answers.reparsed_answers import ReparsedAnswerRepository
    from storage.repositories.api_keys import CompanyKeyRepository
    from storage.repositories.archive import ArchiveRepository
    from storage.repositories.archive_keys import ArchiveKeyRepository
    from storage.repositories.asks import AskRepository
    from storage.repositories.audits import AuditRepository
    from storage.repositories.batch_cells import BatchCellRepository
    from storage.repositories.batches import BatchRepository
    from storage.repositories.brand_deletion import BrandDeletionRepository
    from storage.repositories.brands import BrandRepository
    from storage.repositories.channels import ChannelRepository
    from storage.repositories.company_deletion import CompanyDeletionRepository
    from storage.repositories.connected_apps import ConnectedAppRepository
    from storage.repositories.country_results import CountryResultRepository
    from storage.repositories.crawler_visits import CrawlerVisitRepository
    from storage.repositories.credits import CreditRepository
    from storage.repositories.custom_workflows import CustomWorkflowRepository
    from storage.repositories.daily_counts import DailyCountRepository
    from storage.repositories.findings import FindingRepository
    from storage.repositories.health import ChannelHealthRepository
    from storage.repositories.idempotency_keys import IdempotencyKeyRepository
    from storage.repositories.invitations import CompanyInvitationRepository
    from storage.repositories.issues import IssueRepository
    from storage.repositories.mails import MailRepository
    from storage.repositories.monitors import MonitorRepository
    from storage.repositories.notification_choices import NotificationChoiceRepository
    from storage.repositories.notifications import NotificationRepository
    from storage.repositories.password_resets import CompanyPasswordResetRepository
    from storage.repositories.prompt_results import PromptResultRepository
    from storage.repositories.prompt_sets import PromptSetRepository
    from storage.repositories.prompts import PromptRepository
    from storage.repositories.provider_credentials import ProviderCredentialRepository
    from storage.repositories.question_versions import QuestionVersionRepository
    from storage.repositories.readiness import ReadinessRepository
    from storage.repositories.repository_items import RepositoryItemRepository
    from storage.repositories.results import ResultRepository
    from storage.repositories.revisions import RevisionRepository
    from storage.repositories.runs.run_agents import RunAgentRepository
    from storage.repositories.runs.runs import RunRepository
    from storage.repositories.runs.written_texts import WrittenTextRepository
    from storage.repositories.seals import SealRepository
    from storage.repositories.shared_reports import CompanySharedReportRepository
    from storage.repositories.simulations import SimulationRepository
    from storage.repositories.site_pages import CompanySitePageRepository
    from storage.repositories.source_counts import SourceCountRepository
    from storage.repositories.spending import SpendingRepository
    from storage.repositories.stored_results import StoredResultRepository
    from storage.repositories.suggestions import SuggestionRepository
    from storage.repositories.trend_points import TrendPointRepository
    from storage.repositories.users import ColleagueRepository
    from storage.repositories.webhooks import WebhookRepository
    from storage.repositories.wordpress import WordPressRepository


class CompanyRole(StrEnum):
    """What a person may do in their company: a viewer reads, members and owners change it too."""

    OWNER = "owner"
    MEMBER = "member"
    VIEWER = "viewer"


class Workspace:
    """Everything of one company, and nothing of another."""

    def __init__(self, session: QuerySession, company_id: str) -> None:
        self.session = session
        self.company_id = company_id

    brands: Bound["BrandRepository"] = Bound("storage.repositories.brands")
    brand_deletion: Bound["BrandDeletionRepository"] = Bound("storage.repositories.brand_deletion")
    company_deletion: Bound["CompanyDeletionRepository"] = Bound("storage.repositories.company_deletion")
    repository_items: Bound["RepositoryItemRepository"] = Bound("storage.repositories.repository_items")
    prompt_sets: Bound["PromptSetRepository"] = Bound("storage.repositories.prompt_sets")
    prompts: Bound["PromptRepository"] = Bound("storage.repositories.prompts")
    prompt_results: Bound["PromptResultRepository"] = Bound("storage.repositories.prompt_results")
    question_versions: Bound["QuestionVersionRepository"] = Bound("storage.repositories.question_versions")
    prompt_answers: Bound["PromptAnswerRepository"] = Bound("storage.repositories.answers.prompt_answers")
    batches: Bound["BatchRepository"] = Bound("storage.repositories.batches")
    simulations: Bound["SimulationRepository"] = Bound("storage.repositories.simulations")
    asks: Bound["AskRepository"] = Bound("storage.repositories.asks")
    channels: Bound["ChannelRepository"] = Bound("storage.repositories.channels")
    answers: Bound["AnswerRepository"] = Bound("storage.repositories.answers.answers")
    citations: Bound["CitationRepository"] = Bound("storage.repositories.answers.citations")
    reparsed: Bound["ReparsedAnswerRepository"] = Bound("storage.repositories.answers.reparsed_answers")
    answer_pages: Bound["AnswerPageRepository"] = Bound("storage.repositories.answers.answer_pages")
    evidence: Bound["EvidenceRepository"] = Bound("storage.repositories.answers.evidence")
    country_results: Bound["CountryResultRepository"] = Bound("storage.repositories.country_results")
    seals: Bound["SealRepository"] = Bound("storage.repositories.seals")
    stored_results: Bound["StoredResultRepository"] = Bound("storage.repositories.stored_results")
    revisions: Bound["RevisionRepository"] = Bound("storage.repositories.revisions")
    readings: Bound["ReadingRepository"] = Bound("storage.repositories.answers.readings")
    observed_answers: Bound["ObservedAnswerRepository"] = Bound(
        "storage.repositories.answers.observed_answers"
    )
    mentioning_answers: Bound["MentioningAnswerRepository"] = Bound(
        "storage.repositories.answers.mentioning_answers"
    )
    mention_history: Bound["MentionHistoryRepository"] = Bound("storage.repositories.answers.mention_history")
    period_readings: Bound["PeriodReadingRepository"] = Bound("storage.repositories.answers.period_readings")
    listed_mentions: Bound["ListedMentionRepository"] = Bound("storage.repositories.answers.listed_mentions")
    results: Bound["ResultRepository"] = Bound("storage.repositories.results")
    trend_points: Bound["TrendPointRepository"] = Bound("storage.repositories.trend_points")
    batch_cells: Bound["BatchCellRepository"] = Bound("storage.repositories.batch_cells")
    daily_counts: Bound["DailyCountRepository"] = Bound("storage.repositories.daily_counts")
    issues: Bound["IssueRepository"] = Bound("storage.repositories.issues")
    judgements: Bound["JudgementRepository"] = Bound("storage.repositories.answers.judgements")
    audits: Bound["AuditRepository"] = Bound("storage.repositories.audits")
    monitors: Bound["MonitorRepository"] = Bound("storage.repositories.monitors")
    notifications: Bound["NotificationRepository"] = Bound("storage.repositories.notifications")
    notification_choices: Bound["NotificationChoiceRepository"] = Bound(
        "storage.repositories.notification_choices"
    )
    password_resets: Bound["CompanyPasswordResetRepository"] = Bound("storage.repositories.password_resets")
    webhooks: Bound["WebhookRepository"] = Bound("storage.repositories.webhooks")
    wordpress: Bound["WordPressRepository"] = Bound("storage.repositories.wordpress")
    mails: Bound["MailRepository"] = Bound("storage.repositories.mails")
    connected_apps: Bound["ConnectedAppRepository"] = Bound("storage.repositories.connected_apps")
    api_keys: Bound["CompanyKeyRepository"] = Bound("storage.repositories.api_keys")
    colleagues: Bound["ColleagueRepository"] = Bound("storage.repositories.users")
    shared_reports: Bound["CompanySharedReportRepository"] = Bound("storage.repositories.shared_reports")
    site_pages: Bound["CompanySitePageRepository"] = Bound("storage.repositories.site_pages")
    invitations: Bound["CompanyInvitationRepository"] = Bound("storage.repositories.invitations")
    provider_credentials: Bound["ProviderCredentialRepository"] = Bound(
        "storage.repositories.provider_credentials"
    )
    runs: Bound["RunRepository"] = Bound("storage.repositories.runs.runs")
    run_agents: Bound["RunAgentRepository"] = Bound("storage.repositories.runs.run_agents")
    written_texts: Bound["WrittenTextRepository"] = Bound("storage.repositories.runs.written_texts")
    findings: Bound["FindingRepository"] = Bound("storage.repositories.findings")
    idempotency_keys: Bound["IdempotencyKeyRepository"] = Bound("storage.repositories.idempotency_keys")
    agents: Bound["AgentRepository"] = Bound("storage.repositories.agents")
    custom_workflows: Bound["CustomWorkflowRepository"] = Bound("storage.repositories.custom_workflows")
    credits: Bound["CreditRepository"] = Bound("storage.repositories.credits")
    readiness: Bound["ReadinessRepository"] = Bound("storage.repositories.readiness")
    spending: Bound["SpendingRepository"] = Bound("storage.repositories.spending")
    suggestions: Bound["SuggestionRepository"] = Bound("storage.repositories.suggestions")
    archive: Bound["ArchiveRepository"] = Bound("storage.repositories.archive")
    archive_keys: Bound["ArchiveKeyRepository"] = Bound("storage.repositories.archive_keys")
    health: Bound["ChannelHealthRepository"] = Bound("storage.repositories.health")
    actions: Bound["ActionRepository"] = Bound("storage.repositories.actions")
    source_counts: Bound["SourceCountRepository"] = Bound("storage.repositories.source_counts")
    crawler_visits: Bound["CrawlerVisitRepository"] = Bound("storage.repositories.crawler_visits")
