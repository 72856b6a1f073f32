"""What a browser saw after scripts ran: text, names, movement, and whether tasks can be done by names alone.

These weigh nothing, so that reports made with and without a browser compare.
"""

from collections.abc import Callable

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
from readiness.survey.rendered_page import RenderedPage, TaskAttempt
from readiness.survey.site import SiteVisit, SurveyedSite
from readiness.survey.site_kind import Kind

family = Family(Group.TECHNICAL)
ARIA = "https://www.w3.org/TR/wai-aria-1.2/#namecalculation"
WCAG = "https://www.w3.org/TR/WCAG22/#name-role-value"
NAMED = 6


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
    evidence = visit.show(f"{served.words} words as served, {page.words} in a browser")
    return _graded(share, rule, evidence)


@family.check(
    "tech.browser.names",
    0,
    "Controls have names in the accessibility tree",
    Rule(
        "{most} % of the controls have a name",
        "{some} % or more",
        "less",
        "no browser or no controls: not applicable",
        {"most": 95, "some": 75},
    ),
    sources=(WCAG, ARIA),
    fix="Give every control a name that the browser's accessibility tree shows: agents that act use that tree.",
)
@unless(no_browser)
def accessible_names(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """All opened pages together."""
    controls = sum(page.controls for page in site.browser.pages)
    if not controls:
        return not_applicable("no_controls")
    named = sum(page.named for page in site.browser.pages)
    worst = min(site.browser.pages, key=lambda page: page.named - page.controls)
    without = f"; without one: {', '.join(worst.nameless)}" if worst.nameless else ""
    evidence = _visit(site, worst).show(f"{named} of {controls} controls have a name{without}")
    share = 100 * named / controls
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
    evidence = _visit(site, page).show(f"layout shift {shift:.2f}")
    return (
        passed(evidence)
        if shift <= rule["good"]
        else warned(evidence)
        if shift <= rule["poor"]
        else failed(evidence)
    )


def _judged(
    site: SurveyedSite, rule: Rule, attempt: Callable[[RenderedPage], TaskAttempt | None]
) -> CheckOutcome:
    """The best attempt at one task over the opened pages, as a share of its fields."""
    tried = [(tried_page, page) for page in site.browser.pages if (tried_page := attempt(page)) is not None]
    if not tried:
        return not_applicable("nothing_to_try")
    best, page = max(tried, key=lambda pair: len(pair[0].filled) / max(1, pair[0].fields))
    evidence = _shown(_visit(site, page), best)
    share = 100 * len(best.filled) / max(1, best.fields)
    return _graded(share, rule, evidence)


def _shown(visit: SiteVisit, attempt: TaskAttempt) -> Evidence:
    reached = ", ".join(f'"{name}"' for name in attempt.filled[:NAMED])
    said = f"{len(attempt.filled)} of {attempt.fields} reached by name"
    said += f": {reached}" if reached else ""
    return visit.show(said + (f"; missed: {', '.join(attempt.missed[:NAMED])}" if attempt.missed else ""))


@family.check(
    "tech.browser.search",
    0,
    "The vehicle search can be filled by names",
    Rule(
        "{most} % of the search's fields are reached and filled by their accessible names",
        "{some} % or more",
        "less",
        "no browser or no search: not applicable",
        {"most": 95, "some": 50},
    ),
    sources=(WCAG, ARIA),
    fix="Label every field of the vehicle search with what it searches for: make, model, price.",
    kinds=frozenset((Kind.DEALER,)),
)
@unless(no_browser)
def search_by_names(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Nothing is sent: the network is cut before the first field is filled."""
    return _judged(site, rule, lambda page: page.search)


@family.check(
    "tech.browser.appointment",
    0,
    "The appointment form can be filled by names",
    Rule(
        "{most} % of the form's fields and its button are reached by their accessible names",
        "{some} % or more",
        "less",
        "no browser or no form on the page: not applicable",
        {"most": 95, "some": 50},
    ),
    sources=(WCAG, ARIA),
    fix="Label every field of the appointment form, no two of them alike, and give its button a text.",
)
@unless(no_browser)
def appointment_by_names(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Asked of the page for appointments, else of the contact page; nothing is sent."""
    return _judged(site, rule, lambda page: page.appointment)


@family.check(
    "tech.browser.telephone",
    0,
    "The telephone is reached by its name",
    Rule(
        "a link that leads to a telephone has an accessible name",
        fails="such links have none",
        otherwise="no browser or no such link: not applicable",
    ),
    sources=(WCAG, "https://www.rfc-editor.org/rfc/rfc3966"),
    fix="Write the number, or what it is for, into the link that dials it.",
)
@unless(no_browser)
def telephone_by_name(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """The number is never dialed."""
    tried = [(attempt, page) for page in site.browser.pages if (attempt := page.telephone) is not None]
    if not tried:
        return not_applicable("nothing_to_try")
    attempt, page = max(tried, key=lambda pair: len(pair[0].filled))
    evidence = _shown(_visit(site, page), attempt)
    return passed(evidence) if attempt.filled else failed(evidence)


BROWSER = family.checks
