"""A company's rows (tenancy): repositories that are bound to the company when they are made."""

from enum import StrEnum

from storage.repositories.accounts import (
    ColleagueRepository,
    CompanyInvitationRepository,
    CompanyPasswordResetRepository,
)
from storage.repositories.actions import ActionRepository
from storage.repositories.agents import AgentRepository
from storage.repositories.alert_rules import AlertRuleRepository
from storage.repositories.annotations import AnnotationRepository
from storage.repositories.answers.answer_pages import AnswerPageRepository
from storage.repositories.answers.answers import AnswerRepository
from storage.repositories.answers.citations import CitationRepository
from storage.repositories.answers.evidence import EvidenceRepository
from storage.repositories.answers.judgements import JudgementRepository
from storage.repositories.answers.listed_mentions import ListedMentionRepository
from storage.repositories.answers.mentions import MentionHistoryRepository, MentioningAnswerRepository
from storage.repositories.answers.observed_answers import ObservedAnswerRepository
from storage.repositories.answers.period_readings import PeriodReadingRepository
from storage.repositories.answers.prompt_answers import PromptAnswerRepository
from storage.repositories.answers.readings import ReadingRepository
from storage.repositories.answers.reparsed_answers import ReparsedAnswerRepository
from storage.repositories.api_keys import CompanyKeyRepository, ProviderCredentialRepository
from storage.repositories.archive import ArchiveKeyRepository, ArchiveRepository
from storage.repositories.asks import AskRepository
from storage.repositories.audits import AuditRepository
from storage.repositories.batches import BatchRepository
from storage.repositories.brand_deletion import BrandDeletionRepository
from storage.repositories.brands import BrandRepository
from storage.repositories.channel_days import ChannelDayRepository
from storage.repositories.companies import CompanyDeletionRepository
from storage.repositories.competitor_points import CompetitorPointRepository
from storage.repositories.country_results import CountryResultRepository
from storage.repositories.crawler_visits import CrawlerVisitRepository
from storage.repositories.credits import CreditRepository
from storage.repositories.custom_workflows import CustomWorkflowRepository
from storage.repositories.daily_counts import DailyCountRepository
from storage.repositories.findings import FindingRepository
from storage.repositories.health import ChannelHealthRepository
from storage.repositories.issues import IssueRepository
from storage.repositories.mails import MailRepository
from storage.repositories.monitors import MonitorRepository
from storage.repositories.notification_choices import NotificationChoiceRepository
from storage.repositories.notifications import NotificationRepository
from storage.repositories.oauth_grants import ConnectedAppRepository
from storage.repositories.prompt_results import PromptResultRepository
from storage.repositories.prompt_sets import PromptSetRepository, QuestionVersionRepository
from storage.repositories.prompts import PromptRepository
from storage.repositories.readiness import ReadinessRepository
from storage.repositories.repository_items import RepositoryItemRepository
from storage.repositories.results import ResultRepository
from storage.repositories.revisions import RevisionRepository
from storage.repositories.running_totals import RunningTotalRepository
from storage.repositories.runs.run_agents import RunAgentRepository, WrittenTextRepository
from storage.repositories.runs.runs import IdempotencyKeyRepository, RunRepository
from storage.repositories.seals import SealRepository
from storage.repositories.shared_reports import CompanySharedReportRepository, CompanySitePageRepository
from storage.repositories.simulations import ChannelRepository, SimulationRepository
from storage.repositories.source_counts import SourceCountRepository
from storage.repositories.spending import SpendingRepository
from storage.repositories.stored_results import StoredResultRepository
from storage.repositories.suggestions import SuggestionRepository
from storage.repositories.totals_verification import TotalsVerificationRepository
from storage.repositories.trend_points import TrendPointRepository
from storage.repositories.webhooks import WebhookRepository
from storage.repositories.wordpress import WordPressRepository
from storage.repository import Attached, Session


class CompanyRole(StrEnum):
    """What a person may do in their company: a viewer reads, members and owners change it too."""

    OWNER = "owner"
    MEMBER = "member"
    VIEWER = "viewer"


class Workspace(Session):
    """Everything of one company, and nothing of another."""

    brands = Attached(BrandRepository)
    brand_deletion = Attached(BrandDeletionRepository)
    company_deletion = Attached(CompanyDeletionRepository)
    repository_items = Attached(RepositoryItemRepository)
    prompt_sets = Attached(PromptSetRepository)
    prompts = Attached(PromptRepository)
    prompt_results = Attached(PromptResultRepository)
    question_versions = Attached(QuestionVersionRepository)
    prompt_answers = Attached(PromptAnswerRepository)
    batches = Attached(BatchRepository)
    simulations = Attached(SimulationRepository)
    asks = Attached(AskRepository)
    channels = Attached(ChannelRepository)
    answers = Attached(AnswerRepository)
    citations = Attached(CitationRepository)
    reparsed = Attached(ReparsedAnswerRepository)
    answer_pages = Attached(AnswerPageRepository)
    evidence = Attached(EvidenceRepository)
    country_results = Attached(CountryResultRepository)
    seals = Attached(SealRepository)
    stored_results = Attached(StoredResultRepository)
    revisions = Attached(RevisionRepository)
    readings = Attached(ReadingRepository)
    observed_answers = Attached(ObservedAnswerRepository)
    mentioning_answers = Attached(MentioningAnswerRepository)
    mention_history = Attached(MentionHistoryRepository)
    period_readings = Attached(PeriodReadingRepository)
    listed_mentions = Attached(ListedMentionRepository)
    results = Attached(ResultRepository)
    trend_points = Attached(TrendPointRepository)
    competitor_points = Attached(CompetitorPointRepository)
    daily_counts = Attached(DailyCountRepository)
    running_totals = Attached(RunningTotalRepository)
    channel_days = Attached(ChannelDayRepository)
    totals_verification = Attached(TotalsVerificationRepository)
    issues = Attached(IssueRepository)
    judgements = Attached(JudgementRepository)
    audits = Attached(AuditRepository)
    alert_rules = Attached(AlertRuleRepository)
    annotations = Attached(AnnotationRepository)
    monitors = Attached(MonitorRepository)
    notifications = Attached(NotificationRepository)
    notification_choices = Attached(NotificationChoiceRepository)
    password_resets = Attached(CompanyPasswordResetRepository)
    webhooks = Attached(WebhookRepository)
    wordpress = Attached(WordPressRepository)
    mails = Attached(MailRepository)
    connected_apps = Attached(ConnectedAppRepository)
    api_keys = Attached(CompanyKeyRepository)
    colleagues = Attached(ColleagueRepository)
    shared_reports = Attached(CompanySharedReportRepository)
    site_pages = Attached(CompanySitePageRepository)
    invitations = Attached(CompanyInvitationRepository)
    provider_credentials = Attached(ProviderCredentialRepository)
    runs = Attached(RunRepository)
    run_agents = Attached(RunAgentRepository)
    written_texts = Attached(WrittenTextRepository)
    findings = Attached(FindingRepository)
    idempotency_keys = Attached(IdempotencyKeyRepository)
    agents = Attached(AgentRepository)
    custom_workflows = Attached(CustomWorkflowRepository)
    credits = Attached(CreditRepository)
    readiness = Attached(ReadinessRepository)
    spending = Attached(SpendingRepository)
    suggestions = Attached(SuggestionRepository)
    archive = Attached(ArchiveRepository)
    archive_keys = Attached(ArchiveKeyRepository)
    health = Attached(ChannelHealthRepository)
    actions = Attached(ActionRepository)
    source_counts = Attached(SourceCountRepository)
    crawler_visits = Attached(CrawlerVisitRepository)
