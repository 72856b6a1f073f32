"""Outputs of the agents that find gaps, and the evidence they start from."""

from typing import ClassVar, Literal

from analytics.gaps import GapKind
from storage.documents import StoredDocument
from workflows.agents.outputs.output import AgentOutput


class KnownIssue(StoredDocument):
    """An issue that is open."""

    id: str
    check_id: str
    severity: str
    title: str


class VisibilityEvidence(AgentOutput):
    """What is known of a brand: latest score (0-100), open issues, and its site's report, failed checks and pages.

    `page_texts` are the URL and the text of each page.
    """

    agents: ClassVar = ("evidence_loader",)
    schema_version: Literal[1] = 1
    report_id: str | None
    url: str | None
    site_type: str | None
    failed: tuple[str, ...]
    score: float | None
    issues: tuple[KnownIssue, ...]
    page_texts: tuple[tuple[str, str], ...]


class PromptGap(StoredDocument):
    """One gap of one prompt; `rivals` are the names of tracked competitors, `quotes` what answers say of them."""

    kind: GapKind
    severity: str
    prompt_id: str
    text: str
    rivals: tuple[str, ...]
    quotes: tuple[str, ...] = ()


class FailedCheck(StoredDocument):
    """A check of a report that does not hold."""

    check_id: str
    title: str


class GapFindings(AgentOutput):
    """Every gap of the brand's prompts, and the checks that its site fails."""

    agents: ClassVar = ("gap_finder",)
    schema_version: Literal[1] = 1
    gaps: tuple[PromptGap, ...]
    failed: tuple[FailedCheck, ...]


class LossReason(StoredDocument):
    """Why a prompt is likely lost, as answers, citations or scans show it, with the answers and addresses that do."""

    kind: Literal["cited source", "content", "structured data", "price", "availability", "tone"]
    says: str
    answer_ids: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()


class LostQuestion(StoredDocument):
    """A prompt that competitors win, why, and the points that the score would gain, with a 95 % interval."""

    prompt_id: str
    text: str
    reasons: tuple[LossReason, ...]
    gain: float | None
    low: float | None
    high: float | None


class PlannedAction(StoredDocument):
    """What to do about one lost prompt."""

    prompt_id: str
    action: str
    effort: Literal["small", "medium", "large"]
    gain: float | None
    low: float | None
    high: float | None


class CompetitorGaps(AgentOutput):
    """The gaps on prompts that competitors win, why each is lost, and at most five actions, most gain first."""

    agents: ClassVar = ("gap_analyst",)
    schema_version: Literal[1] = 1
    gaps: tuple[PromptGap, ...]
    lost: tuple[LostQuestion, ...] = ()
    plan: tuple[PlannedAction, ...] = ()
