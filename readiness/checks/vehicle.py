"""The vehicle journey: can an agent find the cars on offer and read what matters about one."""

from analytics.text.prices import number
from readiness.checks.check import (
    CheckFinding,
    CheckOutcome,
    CheckStatus,
    Command,
    Family,
    Group,
    Rule,
    failed,
    passed,
    sampled,
    unknown,
    verdict,
    warned,
)
from readiness.fetching import urls
from readiness.fetching.errors import Reason
from readiness.reading import vocabulary
from readiness.reading.page import HtmlPage
from readiness.reading.prices import amounts
from readiness.reading.structured_data import texts
from readiness.reading.vehicle_text import driven, is_gone, own_offer, stated_availability
from readiness.reading.vehicles import (
    CERTAIN_TYPES,
    VEHICLE_TYPES,
    check_digit_holds,
    first,
    is_north_american,
    is_used,
    main_image,
    vehicle,
)
from readiness.survey.detail_pages import NEEDED, shared_forms, vehicle_points
from readiness.survey.evidence import counted
from readiness.survey.facts import region_of
from readiness.survey.site import Role, SiteVisit, SurveyedSite
from readiness.survey.site_links import form_of, words_of

journey = Family(Group.VEHICLE)
CAR = "https://schema.org/Car"
SHARES = "at least 80 % of the sampled pages"
PART = "at least 40 %"
LEAST_PRICE = 1_000
WITHOUT_VIN = frozenset(("GB", "IE", "NL", "DE"))
"""Countries whose dealers do not print the VIN."""
GONE = ("soldout", "discontinued")
"""Ends of schema.org's availabilities of vehicles that are gone."""
"""Beside words such as `call for price` a smaller amount, in any currency, is some fee."""


def _sample_rule(holds: str, otherwise: str = "", **limits: float) -> Rule:
    return Rule(f"{SHARES}: {holds}", PART, "fewer", otherwise, limits)


@journey.check(
    "veh.inventory.found",
    14,
    "Inventory is linked",
    Rule("home links to it with <a href> and it answers 200", "only the sitemap lists vehicles", "neither"),
    sources=(CAR,),
    fix="Link the inventory from the home page with a plain link.",
)
def inventory_found(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """The first link of home that speaks of vehicles."""
    if not site.home.ok:
        return unknown(site.home.blind)
    page = site.role(Role.INVENTORY)
    if page is not None and page.ok and _is_linked(site, page.url):
        return passed(site.home.show(page.url, selector="a[href]"), page.show())
    if page is not None and page.reason is not None:
        return unknown(page.reason)
    listed = [url for url in site.vehicle_urls if url in site.sitemap.locations]
    if listed and site.sitemap.files:
        return warned(
            site.sitemap.files[0][0].show(detail=f"{counted(len(listed), 'vehicle URL')} in the sitemap")
        )
    if page is not None and page.ok:
        return failed(site.home.show(detail=f"only a script or a form leads to {page.url}"))
    return failed(
        page.show() if page else site.home.show(detail="no link to an inventory", selector="a[href]")
    )


def _is_linked(site: SurveyedSite, url: str) -> bool:
    return site.home.page is not None and any(link.href == url for link in site.home.page.links)


@journey.check(
    "veh.inventory.listed_without_js",
    12,
    "Inventory lists vehicles without JavaScript",
    Rule(
        "{least} or more vehicle links or vehicle nodes in the HTML",
        "only inline JSON",
        "none, and a script or frame is to bring them, or nothing is",
        "scripts beside other text: unknown",
        {"least": 5},
    ),
    sources=(CAR,),
    fix="Render the list of vehicles on the server.",
)
def listed_without_js(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Counts distinct links to vehicle pages, list entries and vehicle nodes."""
    visit = site.role(Role.INVENTORY)
    if visit is None and site.only_shells and site.home.page is not None:
        words = counted(site.home.page.words, "word")
        return failed(
            site.home.show(detail=f"{words} in the HTML", selector=site.home.page.empty_root or None)
        )
    if visit is None or not visit.ok or visit.page is None:
        return unknown(visit.blind if visit else Reason.NOT_FETCHED)
    page = visit.page
    known = frozenset(site.vehicle_urls)
    # Home may show some of the cars as well, and they are none the less listed for it.
    forms = shared_forms(known)
    links = {
        link.href
        for link in page.links
        if link.href in known
        or vehicle_points(link.href, link.text) >= NEEDED
        or (form_of(link.href) in forms and not link.in_navigation)
    }
    nodes = len(page.nodes_of(CERTAIN_TYPES | {"ListItem"}))
    evidence = visit.show(detail=f"{counted(len(links), 'vehicle link')}, {counted(nodes, 'vehicle node')}")
    if max(len(links), nodes) >= rule["least"]:
        return passed(evidence)
    if page.inline_data:
        return warned(evidence)
    named = [(seen, name) for seen, seen_page in site.seen(Role.INVENTORY) for name in seen_page.interfaces]
    data = tuple(
        seen.show(detail=f"data of an inventory, named in the page and not called: {name}")
        for seen, name in named[:2]
    )
    framed = [frame for frame in page.frames if vocabulary.INVENTORY.search(words_of(frame))]
    brought = page.is_shell or framed or named
    if not links and not nodes and (brought or not page.has_script):
        return failed(evidence, *data)
    return CheckOutcome(CheckStatus.UNKNOWN, data, Reason.JAVASCRIPT_ONLY.value)


@journey.check(
    "veh.vdp.reachable",
    8,
    "Vehicle pages answer",
    _sample_rule("answer 200 and do not say, in text or markup, that the vehicle is sold"),
    command=Command.HEADERS,
    sources=(CAR,),
    fix="Keep the sitemap and the links free of vehicles that are gone.",
)
def vdp_reachable(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """A 404 counts against; a page that we could not see does not."""
    answered = [
        visit for visit in site.samples(Role.VEHICLE) if visit.status is not None and visit.reason is None
    ]
    if not answered:
        return _unsampled(site)
    # A shell answers 200 for a vehicle that is gone as well.
    seen = [visit for visit in answered if visit.page is None or not visit.page.is_shell]
    if not seen:
        return unknown(Reason.JAVASCRIPT_ONLY)
    pages = [(visit, visit.page or HtmlPage()) for visit in seen]
    return verdict(
        [CheckFinding(float(_is_live(visit, page)), visit.show(page.title)) for visit, page in pages]
    )


def _is_live(visit: SiteVisit, page: HtmlPage) -> bool:
    marked = first(vehicle(page).offer, "availability").rstrip("/").lower()
    return visit.status == 200 and not marked.endswith(GONE) and not is_gone(own_offer(page))


def _unsampled(site: SurveyedSite) -> CheckOutcome:
    samples = site.samples(Role.VEHICLE)
    return unknown(samples[0].blind if samples else Reason.NOT_FETCHED)


@journey.check(
    "veh.vdp.identity",
    10,
    "Year, make and model",
    _sample_rule("name year, make and model in h1, title or JSON-LD; two of the three count as a half"),
    sources=("https://schema.org/vehicleModelDate",),
    fix="Put year, make and model into the h1 and the markup of each vehicle page.",
)
def identity(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Two of the three count as a half."""

    def judge(visit: SiteVisit, page: HtmlPage) -> CheckFinding:
        offered = vehicle(page)
        parts = [offered.year, offered.make, offered.model]
        credit = 1.0 if all(parts) else 0.5 if sum(map(bool, parts)) == 2 else 0.0
        node = offered.node
        return CheckFinding(
            credit, visit.show(offered.title, selector="h1", pointer=node.pointer if node else None)
        )

    return sampled(site.samples(Role.VEHICLE), judge)


@journey.check(
    "veh.vdp.vin",
    12,
    "VIN",
    _sample_rule(
        "show a VIN of 17 characters; a wrong check digit of a North American maker counts as a half",
        "without a VIN: not applicable to a factory order, and in Britain, Ireland, the Netherlands and Germany, where "
        "dealers do not print it",
    ),
    sources=(
        "https://www.ecfr.gov/current/title-49/section-565.15",
        "https://schema.org/vehicleIdentificationNumber",
    ),
    fix="Show the full VIN on each vehicle page, as text and as vehicleIdentificationNumber.",
)
def vin(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Position 9 is tested where the first character is 1 to 5."""
    is_printed = region_of(site) not in WITHOUT_VIN

    def judge(visit: SiteVisit, page: HtmlPage) -> CheckFinding:
        offered = vehicle(page)
        if not offered.vin:
            ordered = (
                "preorder" in first(offered.offer, "availability").lower()
                or "factory order" in page.own_text.lower()
            )
            return CheckFinding(0.0 if is_printed and not ordered else None, visit.show(detail="no VIN"))
        sound = len(offered.vin) == 17 and not set(offered.vin) - set("ABCDEFGHJKLMNPRSTUVWXYZ0123456789")
        exact = sound and (not is_north_american(offered.vin) or check_digit_holds(offered.vin))
        evidence = visit.show(offered.vin, pointer=offered.vin_pointer or None)
        return CheckFinding(1.0 if exact else 0.5 if sound else 0.0, evidence)

    return sampled(site.samples(Role.VEHICLE), judge)


@journey.check(
    "veh.vdp.price",
    14,
    "Price",
    _sample_rule("show a price above zero with its currency; on request or monthly only counts as a half"),
    sources=("https://schema.org/price",),
    fix="Show the price with its currency, as text and in the Offer.",
)
def price(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Markup counts when it has price and priceCurrency."""

    def judge(visit: SiteVisit, page: HtmlPage) -> CheckFinding:
        offered = vehicle(page)
        marked, currency = first(offered.offer, "price"), first(offered.offer, "priceCurrency")
        if (number(marked) or 0) > 0 and currency:
            pointer = f"{offered.node.pointer}/offers/price" if offered.node else None
            return CheckFinding(1.0, visit.show(f"{marked} {currency}", pointer=pointer))
        text = own_offer(page)
        on_request = vocabulary.PRICE_ON_REQUEST.search(text)
        shown = [amount for amount in amounts(text) if not amount.rate]
        least = LEAST_PRICE if on_request else 0
        whole = next((amount for amount in shown if not amount.monthly and amount.value >= least), None)
        if whole is not None:
            return CheckFinding(1.0, visit.show(whole.written))
        partly = on_request or vocabulary.MONTHLY.search(text)
        written = partly[0] if partly else shown[0].written if shown else "no price"
        return CheckFinding(0.5 if shown or partly else 0.0, visit.show(written))

    return sampled(site.samples(Role.VEHICLE), judge)


@journey.check(
    "veh.vdp.mileage",
    8,
    "Mileage",
    _sample_rule("state value and unit for a used vehicle", "a new vehicle: not applicable"),
    sources=("https://schema.org/mileageFromOdometer",),
    fix="State the mileage of used vehicles with its unit.",
)
def mileage(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """A page that does not say new counts as used."""

    def judge(visit: SiteVisit, page: HtmlPage) -> CheckFinding:
        offered = vehicle(page)
        data = offered.node.properties if offered.node else {}
        marked = first(data, "mileageFromOdometer", "value")
        unit = first(data, "mileageFromOdometer", "unitCode") or first(
            data, "mileageFromOdometer", "unitText"
        )
        shown = driven(own_offer(page))
        if is_used(page, offered) is False:
            return CheckFinding(None, visit.show(detail="new"))
        if marked and unit:
            return CheckFinding(
                1.0,
                visit.show(f"{marked} {unit}", pointer=f"{offered.node.pointer}" if offered.node else None),
            )
        return CheckFinding(
            1.0 if shown else 0.0, visit.show(shown or None, detail=None if shown else "no mileage")
        )

    return sampled(site.samples(Role.VEHICLE), judge)


@journey.check(
    "veh.vdp.availability_condition",
    8,
    "Availability and condition",
    _sample_rule("state availability, and new, used or certified; one of the two counts as a half"),
    sources=("https://schema.org/availability", "https://schema.org/itemCondition"),
    fix="State on each vehicle page whether it can be had and whether it is new, used or certified.",
)
def availability_condition(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Text or markup."""

    def judge(visit: SiteVisit, page: HtmlPage) -> CheckFinding:
        offered = vehicle(page)
        available = first(offered.offer, "availability") or stated_availability(own_offer(page))
        used = is_used(page, offered)
        condition = "" if used is None else "used" if used else "new"
        text = f"availability: {available or '-'}; condition: {condition or '-'}"
        return CheckFinding((bool(available) + bool(condition)) / 2, visit.show(detail=text))

    return sampled(site.samples(Role.VEHICLE), judge)


@journey.check(
    "veh.vdp.images",
    6,
    "Pictures",
    Rule(
        "the pictures that were asked for answer 200 with an image",
        "one of them does",
        "none does, or the vehicle pages have no picture",
        "pictures on another site are not fetched: unknown",
    ),
    command=Command.HEADERS,
    sources=("https://schema.org/image",),
    fix="Give each vehicle page at least one picture that answers 200, with an alternative text.",
)
def images(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """The share of images with an alternative text is recorded, not scored."""
    pages = [(visit, visit.page) for visit in site.samples(Role.VEHICLE) if visit.ok and visit.page]
    if not pages:
        return _unsampled(site)
    all_images = [image for _, page in pages for image in page.images]
    described = sum(1 for image in all_images if image.alt)
    note = f"{described} of {counted(len(all_images), 'image')} with an alternative text"
    if not any(main_image(page, visit.final_url) for visit, page in pages):
        return failed(*(visit.show(detail="no picture") for visit, _ in pages))
    seen = [visit for visit in site.images if visit.status is not None]
    if not seen:
        foreign = not site.images and not any(
            urls.same_site(urls.host_of(main_image(page, visit.final_url)), site.host)
            for visit, page in pages
        )
        return unknown(Reason.OFF_SITE if foreign else site.images[0].blind if site.images else Reason.BUDGET)
    good = [visit for visit in seen if visit.status == 200 and visit.media_type.startswith("image/")]
    evidence = [visit.show(detail=note, header=f"content-type: {visit.media_type}") for visit in seen]
    return passed(*evidence) if len(good) == len(seen) else warned(*evidence) if good else failed(*evidence)


@journey.check(
    "veh.vdp.structured",
    8,
    "Vehicle markup",
    _sample_rule("mark up a Car, Vehicle or Product with an Offer that holds {most} of nine fields", most=5),
    sources=(CAR, "https://schema.org/Offer"),
    fix="Mark up each vehicle as Car with brand, model, year, VIN, mileage, image and an Offer.",
)
def structured(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Fields: name, brand, model, year, VIN, mileage, price, availability, image."""

    def judge(visit: SiteVisit, page: HtmlPage) -> CheckFinding:
        best: tuple[float, int, str, str] = (0.0, 0, "no vehicle markup", "")
        for node in page.nodes_of(VEHICLE_TYPES):
            data = node.properties
            held = [
                name for name in ("name", "brand", "model", "mileageFromOdometer", "image") if data.get(name)
            ]
            held += ["year"] if data.get("vehicleModelDate") or data.get("modelDate") else []
            held += ["VIN"] if data.get("vehicleIdentificationNumber") or data.get("vin") else []
            held += [name for name in ("price", "availability") if texts(data, "offers", name)]
            credit = 1.0 if data.get("offers") and len(held) >= rule["most"] else 0.0
            best = max(best, (credit, len(held), ", ".join(held), node.pointer))
        return CheckFinding(best[0], visit.show(detail=best[2], pointer=best[3] or None))

    return sampled(site.samples(Role.VEHICLE), judge)


VEHICLE = journey.checks
