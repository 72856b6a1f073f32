"""What the HTML holds as served: text, links and named controls, before any script runs."""

from readiness.checks.check import (
    CheckOutcome,
    Family,
    Group,
    Rule,
    failed,
    not_applicable,
    nothing_seen,
    passed,
    unknown,
    unless,
    warned,
)
from readiness.reading import vocabulary
from readiness.survey.evidence import Evidence, counted
from readiness.survey.facts import phones, region_of
from readiness.survey.site import SurveyedSite

family = Family(Group.TECHNICAL)
WCAG = "https://www.w3.org/TR/WCAG22/#name-role-value"


@family.check(
    "tech.render.server_text",
    8,
    "Text without JavaScript",
    Rule(
        "{enough} words, a heading and key facts in the HTML as served",
        "{little} words or more, or data only in inline JSON",
        "under {little} words",
        limits={"enough": 150, "little": 50},
    ),
    sources=("https://developers.google.com/search/docs/crawling-indexing/javascript/javascript-seo-basics",),
    fix="Render the text of your pages on the server; most agents run no JavaScript.",
)
def server_text(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Asked of home; key facts are a telephone number, an address, or a service or vehicle word."""
    page = site.home.page
    if not site.home.ok or page is None:
        return unknown(site.home.blind)
    facts = bool(phones(page, region_of(site))) or bool(
        vocabulary.SERVICE.search(page.text) or vocabulary.MAKES.search(page.text)
    )
    evidence = site.home.show(
        detail=f"{counted(page.words, 'word')}, {counted(len(page.headings), 'heading')}",
        selector=page.empty_root or None,
    )
    if page.words >= rule["enough"] and page.headings and facts:
        return passed(evidence)
    return warned(evidence) if page.words >= rule["little"] or page.inline_data else failed(evidence)


@family.check(
    "tech.links.crawlable",
    3,
    "Navigation is made of links",
    Rule(
        "{most} % of the navigation is <a href>",
        "{some} % or more",
        "less",
        "no navigation: not applicable",
        {"most": 90, "some": 60},
    ),
    sources=("https://developers.google.com/search/docs/crawling-indexing/links-crawlable",),
    fix="Make every item of the navigation an <a> with an href.",
)
def crawlable(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Asked of home."""
    page = site.home.page
    if not site.home.ok or page is None:
        return unknown(site.home.blind)
    if not page.navigation_items:
        return not_applicable("no_navigation")
    share = 100 * page.navigation_links / page.navigation_items
    evidence = site.home.show(
        detail=f"{page.navigation_links} of {counted(page.navigation_items, 'item')}", selector="nav"
    )
    return _graded(share, rule["most"], rule["some"], evidence)


def _graded(share: float, most: float, warn_share: float, evidence: Evidence) -> CheckOutcome:
    return (
        passed(evidence) if share >= most else warned(evidence) if share >= warn_share else failed(evidence)
    )


@family.check(
    "tech.a11y.names",
    3,
    "Inputs and buttons have names",
    Rule(
        "{most} % have a name",
        "{some} % or more",
        "less",
        "no inputs or buttons: not applicable",
        {"most": 95, "some": 75},
    ),
    sources=(WCAG, "https://www.w3.org/TR/accname-1.2/"),
    fix="Give every input a label and every button a text.",
)
@unless(nothing_seen)
def names(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """The pages that a browser opened, in its accessibility tree; without one, home and the key pages as served."""
    opened = [page for page in site.browser.pages if page.controls]
    if opened:
        count, named = sum(page.controls for page in opened), sum(page.named for page in opened)
        worst = min(opened, key=lambda page: page.named - page.controls)
        visits = (visit for visit in (site.home, *site.pages) if worst.url in (visit.final_url, visit.url))
        shown = next(visits, site.home).show(
            detail=f"{named} of {counted(count, 'control')} named in the browser",
            selector=", ".join(worst.nameless) or None,
        )
        return _graded(100 * named / count, rule["most"], rule["some"], shown)
    seen = site.seen()
    controls = [(visit, control) for visit, page in seen for control in page.controls]
    if not controls:
        return not_applicable("no_controls")
    nameless = [(visit, control) for visit, control in controls if not control.name]
    share = 100 * (len(controls) - len(nameless)) / len(controls)
    visit, control = nameless[0] if nameless else controls[0]
    text = f"{len(controls) - len(nameless)} of {counted(len(controls), 'control')} with a name"
    return _graded(share, rule["most"], rule["some"], visit.show(detail=text, selector=control.place))


RENDERING = family.checks
