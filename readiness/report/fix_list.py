"""The fixes of a report, as Markdown and as rows, for the people who implement them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from readiness.checks.check import CheckStatus, Group
from readiness.report.document import CheckResult, GroupReport, LineChange, Report, code_span
from readiness.report.score import Mark, group_score, overall_score
from readiness.survey.site_kind import Kind

COLUMNS = ("check", "title", "status", "gain", "fix", "rule", "seen_at", "seen", "repeat", "sources",
           "site_line", "changed_line")  # fmt: skip
MENDABLE = (CheckStatus.WARN, CheckStatus.FAIL)


@dataclass(frozen=True, slots=True)
class Fix:
    """One check to fix; `gain` in points of the overall score, of its group's where there is no overall one."""

    check: CheckResult
    gain: int


def list_fixes(report: Report) -> list[Fix]:
    """Return every check of the report that warned or failed, what raises the score most first."""
    groups: dict[Group, GroupReport] = dict(zip(GROUPS, _groups(report), strict=True))
    fixes = [
        Fix(check, _gain(report, groups, group, check))
        for group, result in groups.items()
        for check in result.checks
        if check.status in MENDABLE
    ]
    return sorted(fixes, key=lambda fix: -fix.gain)


GROUPS: tuple[Group, ...] = (Group.TECHNICAL, Group.VEHICLE, Group.SERVICE, Group.HANDOFF)


def _groups(report: Report) -> Iterable[GroupReport]:
    return (group for _, group in report.groups())


def _gain(report: Report, groups: dict[Group, GroupReport], group: Group, mended: CheckResult) -> int:
    scores = {name: group_score(_marks(result, mended)) for name, result in groups.items()}
    after = overall_score(
        Kind(report.siteType.value),
        scores[Group.TECHNICAL],
        {name: score for name, score in scores.items() if name is not Group.TECHNICAL},
    ).score
    before = report.overall.score
    if before is None or after is None:
        before, after = groups[group].score, scores[group].score
    return max(0, after - before) if before is not None and after is not None else 0


def _marks(group: GroupReport, mended: CheckResult) -> list[Mark]:
    return [
        Mark(
            check.id,
            check.weight,
            CheckStatus.PASS if check.id == mended.id else check.status,
            gate=check.id == group.capReason,
        )
        for check in group.checks
    ]


def fix_rows(report: Report) -> list[tuple[object, ...]]:
    """Return one row of COLUMNS for each fix."""
    return [
        (
            fix.check.id,
            fix.check.title,
            fix.check.status.value,
            fix.gain,
            fix.check.fix,
            fix.check.rule,
            fix.check.evidence[0].url if fix.check.evidence else "",
            seen_text(fix.check),
            fix.check.reproduce,
            " ".join(fix.check.sources),
            *_first_change(fix.check),
        )
        for fix in list_fixes(report)
    ]


def _first_change(check: CheckResult) -> tuple[str, str]:
    change = next(iter(check.changes), None)
    return (change.excerpt or "", change.changedExcerpt) if change else ("", "")


def done_when(check: CheckResult) -> str:
    """Return the passing condition from the check's published rule."""
    matched = PASSES.fullmatch(check.rule)
    return matched[1] if matched else check.rule


PASSES = re.compile(r"pass: (.*?)(?:; (?:warn|fail|else): .*)?", re.S)


def seen_text(check: CheckResult) -> str:
    """Return what the first piece of evidence shows. This is text from the site; escape it before display."""
    item = check.evidence[0] if check.evidence else None
    return item.seen if item else ""


def fixes_as_markdown(report: Report) -> str:
    """Return one issue per fix for an issue tracker. Text from the site appears only in code spans."""
    day = f"{report.scannedAt:%Y-%m-%d}"
    lines = [f"# Readiness fixes for {report.host} ({day})", ""]
    fixes = list_fixes(report)
    for fix in fixes:
        check = fix.check
        lines += [f"## {check.title} (`{check.id}`{f', +{fix.gain}' if fix.gain else ''})", "", check.fix, ""]
        lines += [f"- [ ] Done when: {done_when(check)}"]
        lines += [f"- Seen: {_seen_at(item.url, item.seen)}" for item in check.evidence]
        for change in check.changes:
            lines += _change_lines(change)
        lines += ["- Repeat:", "", *(f"      {line}" for line in check.reproduce.splitlines()), ""]
    return "\n".join([*lines, *([] if fixes else [report.nothing_to_fix, ""])])


def _change_lines(change: LineChange) -> list[str]:
    """Return the location and both versions as indented code blocks, which text from a site cannot close."""
    where = f"- {change.place}, {code_span(change.url)}" + (f", line {change.line}:" if change.line else ":")
    before = ["", *(f"      {line}" for line in change.excerpt.splitlines())] if change.excerpt else []
    after = [f"      {line}" for line in change.changedExcerpt.splitlines()]
    became = "  Take it out." if not after else "  to" if before else "  Add:"
    left_out = ["", *(f"  Left out: {field}." for field in change.leftOut)] if change.leftOut else []
    return [where, *before, "", became, *(["", *after] if after else []), *left_out, ""]


def _seen_at(url: str, text: str | None) -> str:
    return f"{code_span(url)} {code_span(text or '')}".strip()
