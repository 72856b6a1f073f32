"""The definition of a check: one question about a site, with its weight, rule in words, and outcome."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import wraps
from typing import TYPE_CHECKING, TypeAlias

from readiness.fetching.errors import Reason
from readiness.survey.evidence import Evidence
from readiness.survey.site_kind import Kind

if TYPE_CHECKING:  # reports import checks by name; only code that reads sites loads these modules
    from readiness.reading.page import HtmlPage
    from readiness.survey.site import SiteVisit, SurveyedSite
    from readiness.survey.site_type import SiteType

SAMPLE_PASS, SAMPLE_WARN = 0.8, 0.4
SHOWN = 5


class CheckStatus(StrEnum):
    """How a check was answered; only the first three count."""

    PASS = "pass"
    WARN = "warn"
    FAIL = "fail"
    NOT_APPLICABLE = "not_applicable"
    UNKNOWN = "unknown"


CREDIT = {CheckStatus.PASS: 1.0, CheckStatus.WARN: 0.5, CheckStatus.FAIL: 0.0}


class Group(StrEnum):
    """What a check counts for: technical readiness, a journey, or nothing yet."""

    TECHNICAL = "technical"
    EMERGING = "emerging"
    VEHICLE = "vehicle"
    SERVICE = "service"
    HANDOFF = "handoff"


class Command(StrEnum):
    """Which shell command repeats a check; the templates are in `readiness.report.build`."""

    GET = "G"
    HEADERS = "H"
    BOT = "B"
    TIMING = "T"
    XML = "X"


@dataclass(frozen=True, slots=True)
class Sample:
    """How many sampled pages were seen, and how many of them held."""

    n: int
    hits: int


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """A status with what it rests on: no evidence, no pass, no warning and no failure."""

    status: CheckStatus
    evidence: tuple[Evidence, ...] = ()
    reason: str | None = None
    sample: Sample | None = None

    def __post_init__(self) -> None:
        if self.status in CREDIT and not self.evidence:
            raise ValueError(f"A {self.status} needs evidence.")


def passed(*evidence: Evidence, reason: str | None = None) -> CheckOutcome:
    """It holds."""
    return CheckOutcome(CheckStatus.PASS, evidence[:SHOWN], reason)


def warned(*evidence: Evidence, reason: str | None = None) -> CheckOutcome:
    """It holds in part."""
    return CheckOutcome(CheckStatus.WARN, evidence[:SHOWN], reason)


def failed(*evidence: Evidence, reason: str | None = None) -> CheckOutcome:
    """It does not hold; the evidence is what was read in vain."""
    return CheckOutcome(CheckStatus.FAIL, evidence[:SHOWN], reason)


def unknown(reason: Reason) -> CheckOutcome:
    """We could not see."""
    return CheckOutcome(CheckStatus.UNKNOWN, reason=reason.value)


def not_applicable(reason: str) -> CheckOutcome:
    """The question does not arise on this site; `reason` is a fixed word."""
    return CheckOutcome(CheckStatus.NOT_APPLICABLE, reason=reason)


@dataclass(frozen=True)
class Rule:
    """The published words of a check, made from the thresholds that its answer reads."""

    passes: str
    warns: str = ""
    fails: str = ""
    otherwise: str = ""
    limits: Mapping[str, float] = field(default_factory=dict[str, float])

    def __getitem__(self, name: str) -> float:
        return self.limits[name]

    @property
    def words(self) -> str:
        """One line: what passes, warns, fails and what is left out."""
        shown = {name: f"{value:g}" for name, value in self.limits.items()}
        parts = (("pass", self.passes), ("warn", self.warns), ("fail", self.fails), ("else", self.otherwise))
        return "; ".join(f"{label}: {text.format(**shown)}" for label, text in parts if text)


Question: TypeAlias = Callable[["SurveyedSite", Rule], CheckOutcome]
Earlier: TypeAlias = Callable[["SurveyedSite"], CheckOutcome | None]


@dataclass(frozen=True)
class Check:
    """One question about a site; `kinds` are the site types it is asked of, None for all."""

    id: str
    group: Group
    weight: int
    title: str
    rule: Rule
    command: Command
    sources: tuple[str, ...]
    fix: str
    answer: Question
    kinds: frozenset[Kind] | None = None
    gate: bool = False
    not_mobile: bool = False

    def applies(self, site_type: "SiteType") -> bool:
        """Whether the question is asked of this kind of site, its group aside."""
        if self.not_mobile and site_type.mobile:
            return False
        if self.kinds is None:
            return True
        if site_type.value is Kind.UNDETERMINED:
            # Asked only where there is evidence for one of the kinds.
            return Kind.UNDETERMINED in self.kinds and any(
                site_type.points.get(kind, 0) for kind in self.kinds
            )
        return site_type.value in self.kinds


class Family:
    """The checks of one group, in the order they are declared."""

    def __init__(self, group: Group) -> None:
        self._group = group
        self._checks: list[Check] = []

    def check(
        self,
        identifier: str,
        weight: int,
        title: str,
        rule: Rule,
        *,
        fix: str,
        sources: Sequence[str] = (),
        command: Command = Command.GET,
        kinds: frozenset[Kind] | None = None,
        gate: bool = False,
        not_mobile: bool = False,
    ) -> Callable[[Question], Question]:
        """Declare the decorated function as the answer of one check."""

        def declare(answer: Question) -> Question:
            self._checks.append(
                Check(
                    identifier,
                    self._group,
                    weight,
                    title,
                    rule,
                    command,
                    tuple(sources),
                    fix,
                    answer,
                    kinds,
                    gate,
                    not_mobile,
                )
            )
            return answer

        return declare

    @property
    def checks(self) -> tuple[Check, ...]:
        """What was declared."""
        return tuple(self._checks)


def unless(*earlier: Earlier) -> Callable[[Question], Question]:
    """Ask the decorated question only where none of these answers already."""

    def guard(question: Question) -> Question:
        @wraps(question)
        def asked(site: "SurveyedSite", rule: Rule) -> CheckOutcome:
            answers = (known for question_before in earlier if (known := question_before(site)) is not None)
            return next(answers, None) or question(site, rule)

        return asked

    return guard


def nothing_seen(site: "SurveyedSite") -> CheckOutcome | None:
    """Unknown when neither home nor any other page could be seen."""
    return None if site.seen() else unknown(site.home.blind)


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """One sampled page: credit 1, 0.5 or 0, or None where the question does not arise on it."""

    credit: float | None
    evidence: Evidence


def sampled(
    visits: Sequence["SiteVisit"], judge: Callable[["SiteVisit", "HtmlPage"], CheckFinding]
) -> CheckOutcome:
    """One verdict over sampled pages: pass at 80 % of them holding, warn at 40 % holding at least in part."""
    seen = [(visit, visit.page) for visit in visits if visit.ok and visit.page is not None]
    if not seen:
        return unknown(visits[0].blind if visits else Reason.NOT_FETCHED)
    return verdict([judge(visit, page) for visit, page in seen])


def verdict(findings: Sequence[CheckFinding]) -> CheckOutcome:
    """The verdict over what was found on each sampled page."""
    asked = [finding for finding in findings if finding.credit is not None]
    if not asked:
        return not_applicable("no_such_page")
    hits = sum(1 for finding in asked if finding.credit == 1)
    partly = sum(1 for finding in asked if finding.credit)
    share = hits / len(asked)
    status = (
        CheckStatus.PASS
        if share >= SAMPLE_PASS
        else CheckStatus.WARN
        if max(share, partly / len(asked)) >= SAMPLE_WARN
        else CheckStatus.FAIL
    )
    # The pages that decide come first: those that hold for a pass, the others for anything less.
    ordered = sorted(asked, key=lambda finding: (finding.credit == 1) != (status is CheckStatus.PASS))
    return CheckOutcome(
        status,
        tuple(finding.evidence for finding in ordered[:SHOWN]),
        "single_page" if len(asked) == 1 else None,
        Sample(len(asked), hits),
    )
