"""Render the outcome of a run as one Markdown page: first actions, completed steps, and all findings."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from analytics.intervention import ExpectedGain
from measurement.planning.published_items import DRAFT, FOR_FILE, FOR_PROMPT
from measurement.statistics.expected_gains import expected_gains
from storage.documents import StoredEvidence
from storage.repositories.findings import FindingRow
from storage.repositories.runs.run_agents import RunAgent
from storage.repositories.runs.runs import Run
from storage.workspace import Workspace
from workflows.definitions import AGENT_KINDS, MEANINGS
from workflows.system_alerts import name_run

GAIN = "Expected gain:"
GAIN_UNKNOWN = f"{GAIN} unknown. Too few prompts with the same tag were measured on the same engine."
GAIN_NONE = f"{GAIN} none. The prompt already does as well as the best ones with the same tag."
UNSURE = "Few prompts compare, so it may be far less or more."
WIDEST = 50.0
"""Interval width, in points, above which the report notes the uncertainty."""
NOT_DONE = "Not done, since a step that it builds on was not."
MOST_ACTIONS = 5
MOST_UNKNOWN = 2
"""Maximum number of actions about prompts whose gain is unknown."""
MOST_LISTED = 20
MOST_EVIDENCE = 3
LONGEST_LINE, LONGEST_REASONS = 300, 900
_SEVERITIES = ("critical", "warning", "info")
PROPOSED = "Proposed "
"""Prefix of the title of a proposed file."""
_OPENED_BY = {"answer": "get_answer", "prompt": "get_prompt_results"}
_EFFORTS = ("small", "medium", "large")
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|!~])")
_WORTH = re.compile(r"Fixing it is worth \d+ points of the readiness score\.")
_SAFE_URL = re.compile(r"https?://[^\s<>\\]+")
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class MergedFindings:
    """The findings of a run compared with the previous run of its kind: new, still present, and gone."""

    new: tuple[FindingRow, ...]
    still: tuple[FindingRow, ...]
    gone: tuple[FindingRow, ...]
    has_earlier: bool


async def merge_findings(workspace: Workspace, run: Run, findings: Sequence[FindingRow]) -> MergedFindings:
    """Compare the findings of a run with those of the previous run of its kind and brand.

    A finding of an agent that did not complete this time does not count as gone.
    """
    earlier = await workspace.runs.before(run)
    if earlier is None:
        return MergedFindings(tuple(findings), (), (), has_earlier=False)
    known = {finding_key(finding): finding for finding in await workspace.findings.all(earlier)}
    agents = await workspace.run_agents.all(run.key)
    completed = {agent.agent for agent in agents if agent.status == "completed"}
    now = {finding_key(finding) for finding in findings}
    return MergedFindings(
        tuple(finding for finding in findings if finding_key(finding) not in known),
        tuple(finding for finding in findings if finding_key(finding) in known),
        tuple(finding for key, finding in known.items() if key not in now and finding.agent in completed),
        has_earlier=True,
    )


@dataclass(frozen=True, slots=True)
class RunReport:
    """The outcome of a run: its agents, its findings compared with earlier ones, and the expected gains.

    `title` is the display name of the workflow or agent. `found` is in the order of the agents. `gains` are by prompt
    id. `drafts` are the ids of drafts that wait for approval, by what they were written for.
    """

    run: Run
    title: str
    agents: Sequence[RunAgent]
    found: Sequence[FindingRow]
    merged: MergedFindings
    gains: Mapping[str, ExpectedGain]
    drafts: Mapping[str, str]

    @property
    def findings(self) -> tuple[FindingRow, ...]:
        """All findings of the run, new ones first."""
        return (*self.merged.new, *self.merged.still)

    @property
    def actions(self) -> list[FindingRow]:
        """The first actions: at most five findings."""
        return first_actions(self.findings, self.gains)

    @property
    def why_nothing(self) -> str:
        """The reason why there is no action, as a sentence. It mentions steps that were not done."""
        undone = sum(agent.status != "completed" for agent in self.agents)
        if self.run.status == "failed":
            return "Nothing was found, since the run failed."
        if undone:
            steps = f"{undone} of {len(self.agents)} steps were not done"
            return f"Nothing that could be looked at asks for an action, but {steps}: see below why."
        return "Nothing of what was found asks for an action."

    def gain_words(self, finding: FindingRow) -> str:
        """Return the expected gain of acting on a finding, or why it is unknown. May be empty for a check."""
        prompt = prompt_of(finding)
        if prompt is None:
            return readiness_gain(finding, self.found)
        gain = self.gains.get(prompt)
        return GAIN_UNKNOWN if gain is None else gain_text(gain)

    def draft_of(self, finding: FindingRow) -> str | None:
        """Return the id of the draft that addresses a finding, or None."""
        return next((self.drafts[key] for key in draft_keys(finding, self.found) if key in self.drafts), None)


async def read_report(workspace: Workspace, run: Run, now: datetime) -> RunReport:
    """Return the report of a run. For a live run, it has the findings so far and no gains."""
    findings = await workspace.findings.all(run.key)
    return RunReport(
        run,
        (await name_run(workspace, run)).name,
        await workspace.run_agents.all(run.key),
        findings,
        await merge_findings(workspace, run, findings),
        await gains_of_findings(workspace, run, [] if run.live else findings, now),
        await drafts_of_findings(workspace, run, [] if run.live else findings),
    )


async def drafts_of_findings(
    workspace: Workspace, run: Run, findings: Sequence[FindingRow]
) -> Mapping[str, str]:
    """Return the ids of the drafts that wait for approval, by what they were written for."""
    keys = sorted({key for finding in findings for key in draft_keys(finding, findings)})
    brand = await workspace.brands.find(run.brand_id) if keys else None
    return {} if brand is None else await workspace.repository_items.drafts_for(brand.key, DRAFT, keys)


def draft_keys(finding: FindingRow, findings: Iterable[FindingRow]) -> list[str]:
    """Return the keys of drafts that would address a finding: its prompt, or files of the site."""
    prompt = prompt_of(finding)
    if prompt is not None:
        return [f"{FOR_PROMPT}{prompt}"]
    return [
        f"{FOR_FILE}{other.title.removeprefix(PROPOSED)}"
        for other in findings
        if finding.check_id and other.check_id == finding.check_id and other.title.startswith(PROPOSED)
    ]


def readiness_gain(finding: FindingRow, findings: Iterable[FindingRow]) -> str:
    """Return the gain of fixing a check, as the scan's own finding describes it."""
    same = (other.detail or "" for other in findings if other.check_id and other.check_id == finding.check_id)
    return next((match[0] for detail in same if (match := _WORTH.search(detail))), "")


def finding_key(finding: FindingRow) -> tuple[str, str, str, str]:
    """Return the identity of a finding across runs: agent, check, title without numbers, and location."""
    place = next((item.url or item.id or "" for item in finding.evidence if item.type != "report"), "")
    return finding.agent, finding.check_id or "", re.sub(r"\d+", "0", finding.title), place


async def gains_of_findings(
    workspace: Workspace, run: Run, findings: Iterable[FindingRow], now: datetime
) -> Mapping[str, ExpectedGain]:
    """Return the expected gain of each finding about a prompt, by prompt id, the same as in list_actions."""
    prompts = {prompt for finding in findings if (prompt := prompt_of(finding)) is not None}
    brand = await workspace.brands.find(run.brand_id) if prompts else None
    if brand is None:
        return {}
    return await expected_gains(workspace, brand, prompts, now + timedelta(days=1))


def prompt_of(finding: FindingRow) -> str | None:
    """Return the prompt that a finding recommends an action for, or None."""
    return next((item.id for item in finding.evidence if item.type == "prompt" and finding.fix), None)


def gain_text(gain: ExpectedGain) -> str:
    """Describe the expected gain of an action."""
    low, high = gain.interval
    if round(gain.points, 1) <= 0:
        return GAIN_NONE
    doubt = f" {UNSURE}" if high - low > WIDEST else ""
    return f"{GAIN} {gain.points:.1f} points of visibility (95% interval {low:.1f} to {high:.1f}).{doubt}"


def shown_evidence(finding: FindingRow) -> list[StoredEvidence]:
    """Return a few pieces of evidence for an action, without duplicate excerpts."""
    shown: dict[tuple[str | None, ...], StoredEvidence] = {}
    for item in finding.evidence:
        has_excerpt = item.type == "answer" and item.excerpt
        shown.setdefault((item.type, item.excerpt) if has_excerpt else (item.type, item.id, item.url), item)
    return list(shown.values())[:MOST_EVIDENCE]


def first_actions(
    findings: Iterable[FindingRow], gains: Mapping[str, ExpectedGain] | None = None
) -> list[FindingRow]:
    """Return at most five findings that recommend an action, each action once.

    Sorted by severity, then by expected gain, then by effort.
    """
    known = gains or {}
    ranked = sorted(
        (finding for finding in findings if finding.fix),
        key=lambda finding: (
            _SEVERITIES.index(finding.severity),
            -_points(finding, known),
            _EFFORTS.index(finding.effort) if finding.effort in _EFFORTS else len(_EFFORTS),
        ),
    )
    prompts: set[str] = set()
    checks: set[str] = set()
    chosen: list[FindingRow] = []
    further: list[FindingRow] = []
    for finding in ranked:
        # One text covers everything that a prompt lacks. Expected gains differ by prompt. If they are unknown, list at
        # most two such prompts as long as other actions are available.
        prompt = prompt_of(finding)
        if prompt is None:
            key = finding.check_id or finding.fix or finding.id
            if key not in checks:
                checks.add(key)
                chosen.append(finding)
        elif prompt not in prompts:
            prompts.add(prompt)
            # A prompt that performs as well as the best ones has nothing to gain, so all other actions come first.
            gains_nothing = prompt in known and round(known[prompt].points, 1) <= 0
            is_telling = prompt in known or len(prompts - known.keys()) <= MOST_UNKNOWN
            (chosen if is_telling and not gains_nothing else further).append(finding)
    return [*chosen, *further][:MOST_ACTIONS]


def _points(finding: FindingRow, gains: Mapping[str, ExpectedGain]) -> float:
    gain = gains.get(prompt_of(finding) or "")
    return 0.0 if gain is None else gain.points


def render_report(report: RunReport) -> str:
    """Return the page. Markup in texts from sites and engines is escaped."""
    run, merged, findings = report.run, report.merged, report.findings
    lines = [f"# {plain(report.title)}: {plain(run.brand_name)}", ""]
    lines += [*_actions(report), "## What was done", ""]
    lines += [f"- {AGENT_KINDS[agent.agent].title}: {_ended(agent)}" for agent in report.agents]
    if merged.has_earlier:
        lines += ["", "## Since the run before", ""]
        lines.append(f"{len(merged.new)} new, {len(merged.still)} still there, {len(merged.gone)} gone.")
        lines += [f"- Gone: {plain(finding.title)}" for finding in merged.gone[:MOST_LISTED]]
    lines += ["", f"## All {len(findings)} findings" if findings else "## No findings", ""]
    lines += [f"- {finding.severity}: {plain(finding.title)}" for finding in findings[:MOST_LISTED]]
    if len(findings) > MOST_LISTED:
        lines.append(f"- and {len(findings) - MOST_LISTED} more")
    return "\n".join(lines) + "\n"


def _actions(report: RunReport) -> list[str]:
    if not report.actions:
        return [report.why_nothing, ""]
    lines = ["## Do this first", ""]
    for number, finding in enumerate(report.actions, 1):
        effort = f" Effort: {finding.effort}." if finding.effort else ""
        lines.append(f"{number}. **{plain(finding.title)}**: {plain(finding.fix or '')}{effort}")
        gain = report.gain_words(finding)
        if gain:
            lines.append(f"   - {gain}")
        if finding.reasons:
            lines.append(f"   - Why: {plain(' '.join(finding.reasons), LONGEST_REASONS)}")
        draft = report.draft_of(finding)
        if draft is not None:
            lines.append(f"   - A draft waits for your approval in Content: {draft}.")
        lines += [f"   - {line}" for item in shown_evidence(finding) if (line := evidence_line(item))]
    return [*lines, ""]


def evidence_line(item: StoredEvidence) -> str:
    """Return a line of evidence: a URL as a link, or an id with the tool that opens it."""
    where = ""
    if item.url:
        where = f"<{item.url}>" if _SAFE_URL.fullmatch(item.url) else plain(item.url)
    elif item.id:
        tool = _OPENED_BY.get(item.type)
        where = f"{item.id} ({tool})" if tool else item.id
    kind = plain(item.type.replace("_", " ")).capitalize()
    parts = [text for text in (f"{kind} {where}".strip(), plain(item.excerpt or "")) if text]
    return ": ".join(parts) if where or item.excerpt else ""


def _ended(agent: RunAgent) -> str:
    if agent.error_code:
        meaning = MEANINGS[agent.error_code]
        return f"{meaning.message} {meaning.hint}"
    if agent.status == "skipped":
        return NOT_DONE
    return plain(agent.summary) if agent.summary else agent.status


def plain(text: str, longest: int = LONGEST_LINE) -> str:
    """Return a text on one line with Markdown escaped, truncated to a length."""
    flat = _BLANKS.sub(" ", text).strip()
    cut = flat if len(flat) <= longest else f"{flat[: longest - 1]}…"
    return _MARKUP.sub(r"\\\1", cut)
