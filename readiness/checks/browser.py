"""What a browser saw after scripts ran: text and movement. These weigh nothing: not every server has a browser."""

from readiness.checks.check import (
    CheckOutcome,
    Family,
    Group,
    Rule,
    failed,
    not_applicable,
    passed,
    unknown,
    unless,
    warned,
)
from readiness.survey.evidence import Evidence
from readiness.survey.rendered_page import RenderedPage
from readiness.survey.site import SiteVisit, SurveyedSite

family = Family(Group.TECHNICAL)


def no_browser(site: SurveyedSite) -> CheckOutcome | None:
    """Not applicable without a browser; unknown where it saw nothing."""
    if site.browser.is_absent:
        return not_applicable("no_browser")
    return unknown(site.browser.reason) if site.browser.reason else None


def _visit(site: SurveyedSite, page: RenderedPage) -> SiteVisit:
    visits = (site.home, *site.pages)
    return next((visit for visit in visits if page.url in (visit.final_url, visit.url)), site.home)


def _graded(share: float, rule: Rule, evidence: Evidence) -> CheckOutcome:
    """Hold a share in per cent against what the rule calls most and some."""
    if share >= rule["most"]:
        return passed(evidence)
    return warned(evidence) if share >= rule["some"] else failed(evidence)


@family.check(
    "tech.browser.text",
    0,
    "Text that scripts add",
    Rule(
        "{most} % of the words that a browser shows are in the HTML as served",
        "{some} % or more",
        "less",
        "no browser: not applicable",
        {"most": 70, "some": 30},
    ),
    sources=("https://developers.google.com/search/docs/crawling-indexing/javascript/javascript-seo-basics",),
    fix="Render on the server what scripts write into the page: most agents see the HTML as served and nothing else.",
)
@unless(no_browser)
def rendered_text(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Asked of the page of which scripts write the largest part."""
    compared = [(page, _visit(site, page)) for page in site.browser.pages if page.words]
    pairs = [(page, visit, visit.page) for page, visit in compared if visit.page is not None]
    if not pairs:
        return not_applicable("no_text")
    page, visit, served = min(pairs, key=lambda pair: pair[2].words / pair[0].words)
    share = 100 * served.words / page.words
    evidence = visit.show(detail=f"{served.words} words as served, {page.words} in a browser")
    return _graded(share, rule, evidence)


@family.check(
    "tech.browser.layout_shift",
    0,
    "The page keeps still while it loads",
    Rule(
        "layout shift of {good} or less on every opened page",
        "{poor} or less",
        "more",
        "no browser: not applicable",
        {"good": 0.1, "poor": 0.25},
    ),
    sources=("https://web.dev/articles/cls",),
    fix="Reserve the space of pictures, banners and frames: who clicks where a button was a moment ago hits another.",
)
@unless(no_browser)
def layout_shift(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Asked of the page that moves most; measured once, while it loads."""
    measured = [(page.shift, page) for page in site.browser.pages if page.shift is not None]
    if not measured:
        return not_applicable("not_measured")
    shift, page = max(measured, key=lambda pair: pair[0])
    evidence = _visit(site, page).show(detail=f"layout shift {shift:.2f}")
    return (
        passed(evidence)
        if shift <= rule["good"]
        else warned(evidence)
        if shift <= rule["poor"]
        else failed(evidence)
    )


BROWSER = family.checks
