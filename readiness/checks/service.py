"""The service journey: can an agent learn what is repaired or done here, what it costs, and book it."""

import re
from urllib.parse import urlsplit

from analytics.text.opening_hours import visible_hours
from readiness.checks.check import CheckOutcome, Family, Group, Rule, failed, passed, unknown, unless, warned
from readiness.reading import business, vocabulary
from readiness.reading.addresses import written_addresses
from readiness.reading.hours import Department, hours_statements, structured_hours
from readiness.reading.page import HtmlForm, HtmlPage
from readiness.reading.service_prices import service_prices
from readiness.reading.structured_data import values
from readiness.reading.vehicles import first
from readiness.survey.evidence import Evidence, counted
from readiness.survey.facts import phones, region_of
from readiness.survey.page_roles import is_named_after, says_in_head, scheduler_on
from readiness.survey.site import Role, SiteVisit, SurveyedSite
from readiness.survey.site_links import leads_to_section

journey = Family(Group.SERVICE)
AUTO_REPAIR = "https://schema.org/AutoRepair"
PAGES = (Role.SERVICE, Role.SERVICE_DETAIL, Role.SCHEDULE)
SERVING = frozenset(("AutoRepair", "Service", "AutoBodyShop", "TireShop", "AutoWash"))
DESCRIBED = SERVING | {"AutomotiveBusiness", "AutoDealer"}


def _service_pages(site: SurveyedSite) -> list[tuple[SiteVisit, HtmlPage]]:
    return [(visit, page) for visit, page in site.seen(*PAGES) if visit.role is not Role.HOME]


def _blind(site: SurveyedSite) -> CheckOutcome | None:
    if site.seen(*PAGES):
        return None
    return unknown(site.home.blind)


def _hidden(site: SurveyedSite) -> CheckOutcome | None:
    unseen = [visit for visit in site.pages if visit.role in (Role.SERVICE, Role.SERVICE_DETAIL)]
    if unseen and all(visit.reason is not None for visit in unseen):
        return unknown(unseen[0].blind)
    return None


@journey.check(
    "svc.menu.found",
    20,
    "Services are named",
    Rule(
        "a linked service page, and {least} or more named services",
        "only one of the two",
        "neither",
        limits={"least": 3},
    ),
    sources=(AUTO_REPAIR,),
    fix="Link a page from home that names every service you do.",
)
@unless(_blind)
def menu_found(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Words from lists in eight languages, on home and the pages about services."""
    page = site.role(Role.SERVICE) or site.role(Role.SCHEDULE)
    if page is not None and page.reason is not None:
        return unknown(page.reason)
    linked = page is not None and page.ok and site.home.page is not None
    linked = (
        linked
        and page is not None
        and any(link.href == page.url for _, seen in site.seen() for link in seen.links)
    ) or leads_to_section(site, vocabulary.SERVICE)
    best = max(site.seen(*PAGES), key=lambda pair: len(vocabulary.services_named(pair[1].text)))
    words = vocabulary.services_named(best[1].text)
    evidence = best[0].show(", ".join(words) or None, detail=None if words else "no named service")
    if linked and len(words) >= rule["least"]:
        return passed(evidence, site.home.show(page.url if page else site.home.url, selector="a[href]"))
    return warned(evidence) if linked or len(words) >= rule["least"] else failed(evidence)


@journey.check(
    "svc.detail",
    12,
    "Services are described",
    Rule(
        "a service page with {words} words of its own, or {entries} described list entries",
        "half as many words",
        "less",
        limits={"words": 60, "entries": 3},
    ),
    sources=("https://schema.org/Service",),
    fix="Describe each service in a few sentences: what is done, for whom, how long it takes.",
)
@unless(_blind, _hidden)
def detail(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Words outside navigation, header, footer and aside; an entry is one of a list, or a heading with its text."""
    pages = _service_pages(site)
    if not pages or leads_to_section(site, vocabulary.SERVICE):
        pages = [(visit, page) for visit, page in site.seen(*PAGES)]
    visit, page = max(
        pages,
        key=lambda pair: (
            pair[1].own_words >= rule["words"] or pair[1].list_entries >= rule["entries"],
            pair[1].own_words,
        ),
    )
    entries = counted(page.list_entries, "described list item")
    evidence = visit.show(detail=f"{counted(page.own_words, 'word')} of its own, {entries}")
    if page.own_words >= rule["words"] or page.list_entries >= rule["entries"]:
        return passed(evidence)
    return warned(evidence) if page.own_words * 2 >= rule["words"] else failed(evidence)


@journey.check(
    "svc.price",
    16,
    "Prices of services",
    Rule('a price, a range or "from" on one service', "only how to get an estimate", "neither"),
    sources=("https://schema.org/priceSpecification",),
    fix="Publish at least starting prices; where that is impossible, say how to get an estimate.",
)
@unless(_blind, _hidden)
def price(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Amounts in rows, lists, tables and headings that name a service; on a list of prices whatever they name."""
    seen = site.seen(*PAGES)
    for visit, page in seen:
        is_list = visit.role is not Role.HOME and says_in_head(page, vocabulary.PRICE_LIST)
        shown = next(service_prices(page, lists_prices=is_list), None)
        marked = [
            node
            for node in page.nodes_of(frozenset(("Offer", "PriceSpecification")))
            if first(node.properties, "price")
        ]
        if shown and not page.nodes_of(frozenset(("Car", "Vehicle"))):
            return passed(visit.show(shown.written))
        if marked and visit.role is not Role.HOME:
            return passed(
                visit.show(first(marked[0].properties, "price"), pointer=f"{marked[0].pointer}/price")
            )
    for visit, page in seen:
        estimate = vocabulary.ESTIMATE.search(page.text)
        if estimate:
            return warned(visit.show(estimate[0]))
    return failed(*(visit.show(detail="no price") for visit, _ in reversed(seen)))


def scheduler(visit: SiteVisit, page: HtmlPage) -> str:
    """A link, frame or script of a known scheduler, else a frame for booking on the page to book, else nothing."""
    frames = page.frames if visit.role is Role.SCHEDULE else ()
    return scheduler_on(page) or next(
        (url for url in frames if vocabulary.SCHEDULE_FRAME.search(re.sub(r"[/_.-]", " ", url[:300]))), ""
    )


def is_login(form: HtmlForm) -> bool:
    """Whether a form asks for a password."""
    return any(control.kind == "password" for control in form.controls)


def is_booking_form(form: HtmlForm, visit: SiteVisit) -> bool:
    """A form that can be sent, on the page to book, or that speaks of booking, as a heading of its service page may."""
    path = urlsplit(form.action).path  # a host's name says nothing of what a form is for
    speaks = vocabulary.SCHEDULE.search(f"{form.text} {path} {form.place} {form.tool_name}")
    headings = visit.page.headings if visit.page and visit.role in (Role.SERVICE, Role.SERVICE_DETAIL) else ()
    headed = any(vocabulary.SCHEDULE.search(text) for _, text in headings)
    is_for_time = visit.role is Role.SCHEDULE or headed or bool(speaks)
    return form.submits and len(form.controls) >= 3 and is_for_time and not is_login(form)


def _actions(page: HtmlPage) -> list[tuple[str, str]]:
    actions: list[tuple[str, str]] = []
    for node in page.nodes_of(frozenset(("ReserveAction", "ScheduleAction"))):
        target = first(node.properties, "target", "urlTemplate") or first(node.properties, "target")
        if target:
            actions.append((node.pointer, target))
    return actions


def _booking_pages(site: SurveyedSite) -> list[tuple[SiteVisit, HtmlPage]]:
    """The pages on which an appointment may be booked; one for test drives alone is none of the workshop's."""
    return [
        (visit, page)
        for visit, page in site.seen(*PAGES, Role.CONTACT)
        if not is_named_after(page, vocabulary.TEST_DRIVE)
    ]


def booking(site: SurveyedSite) -> list[tuple[Evidence, str]]:
    """Every way to book that was seen, with its kind: form, scheduler or action."""
    ways: list[tuple[Evidence, str]] = []
    for visit, page in _booking_pages(site):
        ways += [
            (visit.show(form.action, selector=form.place), "form")
            for form in page.forms
            if is_booking_form(form, visit)
        ]
        known = scheduler(visit, page)
        ways += [(visit.show(known, selector="a[href], iframe, script"), "scheduler")] if known else []
        ways += [(visit.show(target, pointer=pointer), "action") for pointer, target in _actions(page)]
    return ways


@journey.check(
    "svc.booking",
    20,
    "Appointments can be booked",
    Rule(
        "a form, a known scheduler or a ReserveAction behind a working link",
        "by telephone only",
        "not at all",
    ),
    sources=("https://schema.org/ReserveAction",),
    fix="Link a page where an appointment can be booked, with a form or a scheduler.",
)
@unless(_blind)
def can_book(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Nothing is sent and no scheduler is called."""
    ways = booking(site)
    if ways:
        return passed(*(evidence for evidence, _ in ways))
    page = site.role(Role.SCHEDULE)
    if page is not None and page.reason is not None:
        return unknown(page.reason)
    region = region_of(site)
    numbers = [(visit, pair) for visit, seen in site.seen() for pair in phones(seen, region)]
    if numbers:
        return warned(numbers[0][0].show(numbers[0][1][0]))
    return failed(*(visit.show(detail="no way to book") for visit, _ in site.seen(*PAGES)))


@journey.check(
    "svc.booking.machine",
    8,
    "Booking can be operated by a machine",
    Rule(
        "a labelled form in the HTML, a ReserveAction with a URL template, or a WebMCP form",
        "only an iframe or a script, or fields without a label",
        "none",
    ),
    sources=("https://schema.org/EntryPoint", "https://webmachinelearning.github.io/webmcp/"),
    fix="Serve the booking form as HTML with a label for every field.",
)
@unless(_blind)
def machine_booking(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Every visible field needs a name."""
    partly: list[Evidence] = []
    for visit, page in _booking_pages(site):
        for form in page.forms:
            if form.tool_name or (
                is_booking_form(form, visit) and all(control.name for control in form.controls)
            ):
                return passed(visit.show(form.text, selector=form.place))
            if is_booking_form(form, visit):
                partly.append(visit.show(form.text, selector=form.place))
        for pointer, target in _actions(page):
            if "{" in target:
                return passed(visit.show(target, pointer=pointer))
            partly.append(visit.show(target, pointer=pointer))
        known = scheduler(visit, page)
        partly += [visit.show(known)] if known else []
    if partly:
        return warned(*partly)
    schedule = site.role(Role.SCHEDULE)
    if schedule is not None and schedule.reason is not None:
        return unknown(schedule.reason)
    if schedule is not None and schedule.page is not None and (schedule.page.scripts or schedule.page.frames):
        written = (*schedule.page.scripts, *schedule.page.frames)[0]
        return warned(schedule.show(detail=f"no form in the HTML, only {written}"))
    return failed(*(visit.show(detail="no form to book") for visit, _ in site.seen(*PAGES)))


@journey.check(
    "svc.coverage",
    8,
    "What and where is served",
    Rule("makes served, an area, a radius or an address", fails="none of them"),
    sources=("https://schema.org/areaServed",),
    fix="State which makes you serve and where.",
)
@unless(_blind)
def coverage(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Text or markup; an address says where."""
    for visit, node in site.nodes(business.BUSINESS_TYPES | {"Service", "LocalBusiness"}):
        for name in ("areaServed", "serviceArea", "brand", "address"):
            if node.properties.get(name):
                return passed(visit.show(name, pointer=f"{node.pointer}/{name}"))
    region = region_of(site)
    for visit, page in site.seen():
        area, streets = vocabulary.COVERAGE.search(page.text), written_addresses(page.lines, region)
        if area or streets:
            return passed(visit.show(area[0] if area else streets[0].text))
    return failed(*(visit.show(detail="no area, make or address") for visit, _ in site.seen()))


@journey.check(
    "svc.hours_service",
    8,
    "Hours of the service department",
    Rule("service hours, or one statement for the whole business", fails="none"),
    sources=("https://schema.org/openingHoursSpecification",),
    fix="State the hours of the service department, or that one set of hours holds for all.",
)
@unless(_blind)
def hours_service(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """A shop that only serves has one set of hours, and so has a dealer who states no other hours for selling."""
    for visit, page in site.seen():
        spoken = vocabulary.SERVICE_HOURS.search(page.text)
        near = page.text[spoken.start() : spoken.start() + 400] if spoken else ""
        if visible_hours(near).days:
            return passed(visit.show(near[: hours_statements(near)[0].end]))
        own = [stated for stated in hours_statements(page.text) if stated.department is Department.SERVICE]
        if own:
            return passed(visit.show(page.text[own[0].start : own[0].end]))
    departments = {stated.department for _, page in site.seen() for stated in hours_statements(page.text)}
    is_split = site.role(Role.INVENTORY) is not None and Department.SALES in departments
    for visit, node in site.nodes(
        frozenset(("AutoRepair", "AutoBodyShop", "TireShop", "AutoWash", "AutomotiveBusiness"))
    ):
        if structured_hours(node.properties).days:
            return passed(visit.show(detail="opening hours", pointer=node.pointer))
    for visit, page in site.seen(*PAGES, Role.HOURS, Role.CONTACT):
        hours = visible_hours(page.text)
        if hours.days and (not is_split or visit.role in PAGES):
            return passed(visit.show(detail=f"hours for {counted(len(hours.days), 'day')}"))
    return failed(*(visit.show(detail="no service hours") for visit, _ in site.seen()))


@journey.check(
    "svc.structured",
    8,
    "Service markup",
    Rule(
        "a service type with hasOfferCatalog, makesOffer or department, or named Service nodes",
        "a service type without offers",
        "none",
    ),
    sources=(AUTO_REPAIR, "https://schema.org/hasOfferCatalog"),
    fix="Mark up the services as an OfferCatalog of the business.",
)
@unless(_blind)
def structured(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """acceptsReservations does not count: it is for places that serve food."""
    bare: list[Evidence] = []
    for visit, node in site.nodes(DESCRIBED):
        offered = [
            name for name in ("hasOfferCatalog", "makesOffer", "department") if values(node.properties, name)
        ]
        is_service = "Service" in node.types and first(node.properties, "name")
        if offered or is_service:
            text = ", ".join(offered) or first(node.properties, "name")
            return passed(visit.show(text, pointer=node.pointer))
        if SERVING.intersection(node.types):
            bare.append(visit.show(", ".join(node.types), pointer=node.pointer))
    return (
        warned(*bare)
        if bare
        else failed(*(visit.show(detail="no service markup") for visit, _ in site.seen(*PAGES)))
    )


SERVICE = journey.checks
