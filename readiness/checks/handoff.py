"""The handoff journey: can an agent hand its person over: call, write, come, book, ask for money."""

import re
from collections.abc import Sequence

from analytics.text.opening_hours import Hours
from analytics.text.phones import e164
from readiness.checks.check import (
    CheckOutcome,
    Family,
    Group,
    Rule,
    failed,
    nothing_seen,
    passed,
    unknown,
    unless,
    warned,
)
from readiness.checks.service import booking, is_booking_form, is_login
from readiness.fetching import urls
from readiness.reading import business, vocabulary
from readiness.reading.addresses import written_addresses
from readiness.reading.hours import (
    SCHEMA_DAYS,
    Department,
    StatedHours,
    hours_statements,
    structured_hours,
)
from readiness.reading.page import HtmlForm, HtmlPage, Link, Node
from readiness.reading.structured_data import texts, values
from readiness.survey.evidence import Evidence, counted
from readiness.survey.facts import phones, region_of
from readiness.survey.page_roles import says_in_head
from readiness.survey.site import Role, SiteVisit, SurveyedSite
from readiness.survey.site_kind import Kind
from readiness.survey.site_links import is_map, may_visit, spaced

journey = Family(Group.HANDOFF)
SELLERS = frozenset((Kind.DEALER, Kind.UNDETERMINED))
POSTAL = "https://schema.org/PostalAddress"
WEEK = 5
BUTTONS = frozenset(("submit", "button", "search", "reset"))
REACHING = frozenset(("email", "tel", "textarea"))
WORKSHOPS = frozenset(("AutoRepair", "AutoBodyShop", "TireShop", "AutoWash", "MotorcycleRepair"))


def _unseen(site: SurveyedSite, *roles: Role) -> CheckOutcome | None:
    """Unknown when a key page that might hold the answer is there and could not be seen."""
    hidden = [page for role in roles if (page := site.role(role)) is not None and page.reason is not None]
    return unknown(hidden[0].blind) if hidden else None


def _searched(site: SurveyedSite, words: str) -> list[Evidence]:
    return [visit.show(detail=words) for visit, _ in site.seen(Role.CONTACT, Role.HOURS)]


@journey.check(
    "ho.phone",
    18,
    "Telephone",
    Rule("a possible number behind a tel: link", "only as text", "none"),
    sources=("https://www.rfc-editor.org/rfc/rfc3966",),
    fix='Link the telephone number with its country code: <a href="tel:+...">.',
)
@unless(nothing_seen)
def phone(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Numbers are read with the numbering plan of the site's country."""
    region = region_of(site)
    for visit, page in site.seen():
        linked = [link.href for link in page.links if link.href.lower().startswith("tel:")]
        good = [href for href in linked if e164(href[4:], region)]
        if good:
            return passed(visit.show(good[0], selector='a[href^="tel:"]'))
    for visit, page in site.seen():
        numbers = phones(page, region)
        if numbers:
            return warned(visit.show(numbers[0][0]))
    return _unseen(site, Role.CONTACT) or failed(*_searched(site, "no telephone number"))


@journey.check(
    "ho.address",
    14,
    "Address",
    Rule("street, town and postal code, visible or as PostalAddress", "only a part of it", "none"),
    sources=(POSTAL,),
    fix="Show the full address and mark it up as PostalAddress.",
    not_mobile=True,
)
@unless(nothing_seen)
def address(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Not asked of a mobile business that states its area."""
    partly: list[Evidence] = []
    region = region_of(site)
    for visit, page in site.seen():
        for node in page.nodes_of(frozenset(("PostalAddress",))):
            held = [
                name
                for name in ("streetAddress", "addressLocality", "postalCode")
                if node.properties.get(name)
            ]
            shown = visit.show(", ".join(texts(node.properties, *held[:1])), pointer=node.pointer)
            if len(held) == 3:
                return passed(shown)
            partly += [shown] if held else []
        for written in written_addresses(page.lines, region)[:1]:
            if written.is_whole:
                return passed(visit.show(written.text))
            partly.append(visit.show(written.text))
    if partly:
        return warned(*partly)
    return _unseen(site, Role.CONTACT, Role.HOURS) or failed(*_searched(site, "no address"))


@journey.check(
    "ho.hours",
    16,
    "Opening hours",
    Rule(
        "valid openingHoursSpecification, or hours of {days} or more days in the text",
        "hours of fewer days",
        "none, or markup and text contradict each other",
        limits={"days": WEEK},
    ),
    sources=("https://schema.org/openingHoursSpecification",),
    fix="State the hours of every day, in text and markup, from the same data.",
)
@unless(nothing_seen)
def hours(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Contradiction: a day whose marked-up hours no visible statement about the same department gives."""
    visible = [(visit, stated) for visit, page in site.seen() for stated in hours_statements(page.text)]
    marked = [
        (visit, node, stated)
        for visit, node in site.nodes(business.BUSINESS_TYPES | {"LocalBusiness"})
        if (stated := structured_hours(node.properties)).days
    ]
    for visit, node, structured in marked:
        others = [stated for _, other, stated in marked if other is not node]
        candidates = [
            (other, shown)
            for other, shown in visible
            if _is_about(shown, node) and not any(_agrees(shown.hours, stated) for stated in others)
        ]
        day = _contradicted(structured, [shown for _, shown in candidates])
        if day is not None:
            other = next(other for other, shown in candidates if day in shown.hours.days)
            words = f"{SCHEMA_DAYS[day]} differs"
            return failed(visit.show(detail=words, pointer=node.pointer), other.show(detail=words))
    if marked:
        visit, node, stated = marked[0]
        return passed(
            visit.show(
                detail=f"hours for {counted(len(stated.days), 'day')}",
                pointer=f"{node.pointer}/openingHoursSpecification",
            )
        )
    if visible:
        visit, best = max(visible, key=lambda pair: len(pair[1].hours.days))
        evidence = visit.show(detail=f"hours for {counted(len(best.hours.days), 'day')}")
        return passed(evidence) if len(best.hours.days) >= rule["days"] else warned(evidence)
    return _unseen(site, Role.HOURS, Role.CONTACT) or failed(*_searched(site, "no opening hours"))


def _is_about(shown: StatedHours, node: Node) -> bool:
    """Whether a visible statement speaks of what a node marks up: a seller's node does not cover the workshop."""
    serves = bool(WORKSHOPS.intersection(node.types))
    own = Department.SERVICE if serves else Department.SALES
    return shown.department is own or (shown.department is None and "/department" not in node.pointer)


def _agrees(shown: Hours, marked: Hours) -> bool:
    """Whether visible hours are those of this marked-up place: every day that both name has the same times."""
    both = marked.days.keys() & shown.days.keys()
    return bool(both) and all(marked.days[day] == shown.days[day] for day in both)


def _contradicted(marked: Hours, shown: Sequence[StatedHours]) -> int | None:
    """The first day whose marked-up hours differ from every visible statement that gives that day, or None."""
    for day, spans in sorted(marked.days.items()):
        stated = [statement.hours.days[day] for statement in shown if day in statement.hours.days]
        if stated and spans not in stated:
            return day
    return None


def _is_contact_form(form: HtmlForm) -> bool:
    """Whether a form sends words to a person: it asks how to answer or what to say, and is no login and no review."""
    fields = [control for control in form.controls if control.kind not in BUTTONS]
    if not form.submits or len(fields) < 2 or not all(control.field or control.name for control in fields):
        return False
    said = f"{form.action} {form.place} {form.text} {' '.join(control.field for control in fields)}"
    answers = any(
        control.kind in REACHING or vocabulary.REACHING.search(f"{control.name} {spaced(control.field)}")
        for control in fields
    )
    return answers and not is_login(form) and not vocabulary.REVIEW.search(spaced(said))


@journey.check(
    "ho.contact_form",
    12,
    "Written contact",
    Rule("a form with named fields that can be sent, or a mailto: link", fails="none"),
    sources=("https://html.spec.whatwg.org/multipage/forms.html",),
    fix="Offer a contact form with named fields, or an e-mail address as a mailto: link.",
)
@unless(nothing_seen)
def contact_form(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """A captcha is recorded, not punished."""
    for visit, page in site.seen():
        for form in page.forms:
            if _is_contact_form(form) or is_booking_form(form, visit):
                return passed(
                    visit.show(form.text, selector=form.place), reason="captcha" if form.captcha else None
                )
        mails = [link.href for link in page.links if link.href.lower().startswith("mailto:")]
        if mails:
            return passed(visit.show(mails[0], selector='a[href^="mailto:"]'))
    return _unseen(site, Role.CONTACT) or failed(*_searched(site, "no form, no mailto link"))


def _links(site: SurveyedSite) -> list[tuple[SiteVisit, Link]]:
    return [(visit, link) for visit, page in site.seen() for link in page.links if link.href]


@journey.check(
    "ho.appointment",
    12,
    "Appointments",
    Rule("dealer: a link to a test drive or a booking; others: a way to book", fails="none"),
    sources=("https://schema.org/ReserveAction",),
    fix="Link a page for test drives or appointments.",
)
@unless(nothing_seen)
def appointment(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """A link to a page that does not answer counts for nothing."""
    ways = booking(site)
    if ways:
        return passed(ways[0][0])
    page = site.role(Role.SCHEDULE)
    if page is not None and page.ok:
        return passed(site.home.show(page.url, selector="a[href]"), page.show())
    drives = [(visit, link) for visit, link in _links(site) if vocabulary.TEST_DRIVE.search(link.text)]
    if drives:
        return passed(drives[0][0].show(drives[0][1].href, selector="a[href]"))
    offered = [visit for visit, page in site.seen(Role.PAGE)[1:] if says_in_head(page, vocabulary.TEST_DRIVE)]
    if offered:
        return passed(offered[0].show(offered[0].url))
    return _unseen(site, Role.SCHEDULE) or failed(*_searched(site, "no link to an appointment"))


@journey.check(
    "ho.directions",
    8,
    "Directions",
    Rule("a link to a map, hasMap or geo", fails="none"),
    sources=("https://schema.org/geo", "https://schema.org/hasMap"),
    fix="Link a map, or mark up geo coordinates.",
)
@unless(nothing_seen)
def directions(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """An embedded map counts too."""
    for visit, node in site.nodes(business.BUSINESS_TYPES | business.GENERAL_TYPES):
        for name in ("geo", "hasMap"):
            if values(node.properties, name):
                return passed(visit.show(name, pointer=f"{node.pointer}/{name}"))
    for visit, page in site.seen():
        shown = [url for url in (*(link.href for link in page.links), *page.frames) if is_map(url)]
        if shown:
            return passed(visit.show(shown[0], selector="a[href], iframe"))
    return _unseen(site, Role.CONTACT, Role.HOURS) or failed(*_searched(site, "no map"))


def _linked(site: SurveyedSite, role: Role, words: str) -> CheckOutcome:
    page = site.role(role)
    if page is None:
        pattern = vocabulary.FINANCE if role is Role.FINANCE else vocabulary.TRADE_IN
        off_site = [
            (visit, link)
            for visit, link in _links(site)
            if pattern.search(link.text) and _is_foreign(link, site)
        ]
        if off_site:
            return passed(off_site[0][0].show(off_site[0][1].href, selector="a[href]"))
        shared = _with_another_role(site, pattern)
        if shared is not None:
            return passed(*shared)
        return failed(site.home.show(detail=words, selector="a[href]"))
    if page.reason is not None:
        return unknown(page.reason)
    if not page.ok:
        return failed(page.show())
    return passed(site.home.show(page.url, selector="a[href]"), page.show(_disclosure(page.page)))


def _with_another_role(site: SurveyedSite, pattern: re.Pattern[str]) -> tuple[Evidence, Evidence] | None:
    """A link of home to a page that was visited for something else as well: `Finance & trade-in` leads to one page."""
    visited = {urls.page_key(visit.url): visit for visit in site.pages if visit.ok}
    for link in site.home.page.links if site.home.page else ():
        page = visited.get(urls.page_key(link.href)) if pattern.search(link.text) else None
        if page is not None:
            return site.home.show(link.href, selector="a[href]"), page.show()
    return None


def _is_foreign(link: Link, site: SurveyedSite) -> bool:
    return link.href.startswith("http") and not urls.same_site(urls.host_of(link.href), site.host)


def _disclosure(page: HtmlPage | None) -> str | None:
    if page is None:
        return None
    start = page.own_text.lower().find("apr")
    return page.own_text[max(0, start - 60) : start + 200] if start >= 0 else page.title


@journey.check(
    "ho.finance",
    8,
    "Finance",
    Rule("a finance page or application is linked and answers", fails="none"),
    sources=("https://schema.org/FinancialProduct",),
    fix="Link a page about financing from home.",
    kinds=SELLERS,
)
@unless(nothing_seen)
def finance(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Disclosure text is shown, not scored; an off-site application is recorded, not fetched."""
    return _linked(site, Role.FINANCE, "no link to finance")


@journey.check(
    "ho.trade_in",
    6,
    "Trade-in",
    Rule("a valuation page is linked and answers", fails="none"),
    sources=("https://schema.org/itemOffered",),
    fix="Link a page where a trade-in can be valued.",
    kinds=SELLERS,
)
@unless(nothing_seen)
def trade_in(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """The same rule as for finance."""
    return _linked(site, Role.TRADE_IN, "no link to a trade-in")


@journey.check(
    "ho.privacy_identity",
    6,
    "Privacy and identity",
    Rule(
        "privacy policy and legal identity (imprint, legal notice, company or terms) are linked",
        "one of the two",
        "neither",
    ),
    sources=("https://eur-lex.europa.eu/eli/reg/2016/679/oj",),
    fix="Link the privacy policy and an imprint, terms or about page from every page.",
)
@unless(nothing_seen)
def privacy_identity(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """A link that does not answer does not count."""
    page = site.role(Role.PRIVACY)
    if page is not None and page.reason is not None:
        return unknown(page.reason)
    links: list[Evidence] = (
        [site.home.show(page.url, selector="a[href]")] if page is not None and page.ok else []
    )
    legal = [
        (visit, link)
        for visit, link in _links(site)
        if vocabulary.IDENTITY.search(link.text) and (may_visit(link.href, site) or _is_foreign(link, site))
    ]
    links += [legal[0][0].show(legal[0][1].href, selector="a[href]")] if legal else []
    if len(links) == 2:
        return passed(*links)
    return warned(*links) if links else failed(site.home.show(detail="neither is linked", selector="a[href]"))


HANDOFF = journey.checks
