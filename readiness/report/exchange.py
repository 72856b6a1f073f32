"""Reports in the formats that build servers read: JUnit XML and SARIF 2.1.0."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from readiness.checks.check import CheckStatus
from readiness.report.document import CheckResult, EvidenceItem, Report

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {CheckStatus.FAIL: "error", CheckStatus.WARN: "warning"}


@dataclass(frozen=True, slots=True)
class SiteResult:
    """One URL that was to be scanned: its report, or in `error` why there is none."""

    url: str
    report: Report | None = None
    error: str = ""

    def meets(self, least: int) -> bool:
        """Whether there is an overall score, and it is at least this."""
        score = self.report.overall.score if self.report else None
        return score is not None and score >= least


def junit(results: Iterable[SiteResult], least: int | None) -> str:
    """Return one test suite for each site: a failed check is a failure, an unseen or inapplicable one is skipped.

    A warning passes and is in the test's output. With `least`, the overall score is a test of its own.
    """
    root = ElementTree.Element("testsuites", name="seenby scan")
    for result in results:
        suite = ElementTree.SubElement(root, "testsuite", name=result.url)
        if result.report is None:
            case = ElementTree.SubElement(suite, "testcase", classname="scan", name="Scan")
            ElementTree.SubElement(case, "error", message=result.error)
        else:
            suite.set("timestamp", f"{result.report.scannedAt:%Y-%m-%dT%H:%M:%S}")
            for check in _checks(result.report):
                _test_case(suite, check)
            if least is not None:
                _score_case(suite, result, least)
        for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
            suite.set(name, str(len(suite.findall(f".//{tag}"))))
        suite.set("skipped", str(len(suite.findall(".//skipped"))))
    ElementTree.indent(root)
    return ElementTree.tostring(root, "unicode", xml_declaration=True) + "\n"


def _test_case(suite: ElementTree.Element, check: CheckResult) -> None:
    case = ElementTree.SubElement(suite, "testcase", classname=f"{check.group}.{check.id}", name=check.title)
    seen = "\n".join(map(_line, check.evidence))
    if check.status is CheckStatus.FAIL:
        ElementTree.SubElement(case, "failure", message=check.fix).text = seen
    elif check.status is CheckStatus.WARN:
        ElementTree.SubElement(case, "system-out").text = f"Warning: {check.fix}\n{seen}"
    elif check.status is not CheckStatus.PASS:
        ElementTree.SubElement(case, "skipped", message=(check.reason or check.status).replace("_", " "))


def _score_case(suite: ElementTree.Element, result: SiteResult, least: int) -> None:
    case = ElementTree.SubElement(suite, "testcase", classname="score", name=f"Overall score of {least}")
    if result.report and not result.meets(least):
        overall = result.report.overall
        shown = f"The overall score is {overall.score}." if overall.score is not None else "No overall score."
        ElementTree.SubElement(case, "failure", message=shown)


def _line(item: EvidenceItem) -> str:
    place = item.jsonPointer or item.selector or (f"line {item.line}" if item.line else "")
    words = (item.url, place, item.detail or "", item.excerpt or item.header or "")
    return ": ".join(word for word in words if word)


def sarif(results: Iterable[SiteResult]) -> dict[str, Any]:
    """Return a run for each site with a result for each warning and failure; without a report, the run has failed."""
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(result) for result in results]}


def _run(result: SiteResult) -> dict[str, Any]:
    faults = [check for check in _checks(result.report) if check.status in LEVELS] if result.report else []
    invocation: dict[str, Any] = {"executionSuccessful": result.report is not None}
    if result.report is None:
        notification = {"level": "error", "message": {"text": f"{result.url}: {result.error}"}}
        invocation["toolExecutionNotifications"] = [notification]
    return {
        "tool": {"driver": {"name": "seenby", "rules": [_rule(check) for check in faults]}},
        "automationDetails": {"id": f"readiness/{result.url}"},
        "invocations": [invocation],
        "results": [
            {
                "ruleId": check.id,
                "level": LEVELS[check.status],
                "message": {"text": check.fix},
                "locations": [_location(item) for item in check.evidence],
            }
            for check in faults
        ],
    }


def _rule(check: CheckResult) -> Mapping[str, Any]:
    return {
        "id": check.id,
        "shortDescription": {"text": check.title},
        "fullDescription": {"text": check.rule},
        "helpUri": check.sources[0],
        "properties": {"weight": check.weight},
    }


def _location(item: EvidenceItem) -> Mapping[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": item.url}}
    quoted = item.excerpt or item.header
    if item.line or quoted:
        physical["region"] = {
            "startLine": item.line or 1,
            **({"snippet": {"text": quoted}} if quoted else {}),
        }
    location: dict[str, Any] = {"physicalLocation": physical}
    if item.detail:
        location["message"] = {"text": item.detail}
    if place := item.jsonPointer or item.selector:
        location["logicalLocations"] = [{"fullyQualifiedName": place}]
    return location


def _checks(report: Report) -> Iterator[CheckResult]:
    """The checks of the scored groups that weigh something."""
    return (check for _, group in report.groups() for check in group.checks if check.weight)
