"""Structured data of the whole site: is it sound, does it name the business, does the page agree with it."""

from collections.abc import Iterator

from analytics.text.phones import e164
from analytics.text.prices import number
from readiness.checks.check import (
    CheckOutcome,
    Family,
    Group,
    Rule,
    failed,
    not_applicable,
    nothing_seen,
    passed,
    unless,
    warned,
)
from readiness.reading import business
from readiness.reading.prices import amounts
from readiness.reading.structured_data import texts
from readiness.reading.vehicle_text import own_offer
from readiness.reading.vehicles import first, vehicle
from readiness.survey.evidence import Evidence
from readiness.survey.facts import phones, region_of
from readiness.survey.site import Role, SurveyedSite

family = Family(Group.TECHNICAL)
SCHEMA = "https://schema.org/AutomotiveBusiness"
JSON_LD = "https://www.w3.org/TR/json-ld11/"
NAME_WORD = 5


@family.check(
    "tech.sd.valid",
    6,
    "JSON-LD is sound",
    Rule(
        "every JSON-LD block is strict JSON in schema.org's vocabulary",
        "one can only be repaired, or has a type, property or kind of value that schema.org does not know",
        "one cannot be read",
        "no block: not applicable",
    ),
    sources=(JSON_LD, "https://www.rfc-editor.org/rfc/rfc8259", "https://schema.org/docs/full.html"),
    fix="Serialize JSON-LD with a JSON library, and use only types and properties that schema.org publishes.",
)
@unless(nothing_seen)
def sd_valid(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Evidence: number of the block and what is wrong where."""
    seen = site.seen()
    blocks = [(visit, block) for visit, page in seen for block in page.blocks]
    if not blocks:
        return not_applicable("no_json_ld")
    worst = {state: [pair for pair in blocks if pair[1].state == state] for state in ("broken", "repaired")}
    for state, verdict in (("broken", failed), ("repaired", warned)):
        if worst[state]:
            return verdict(
                *(
                    visit.show(
                        block.faulty or block.excerpt,
                        detail="; ".join(block.defects),
                        pointer=f"/jsonld/{block.number}",
                    )
                    for visit, block in worst[state]
                )
            )
    strange = [
        visit.show(fault.excerpt, detail=fault.detail, pointer=fault.pointer)
        for visit, block in blocks
        for fault in block.strange
    ]
    if strange:
        return warned(*strange)
    return passed(
        *(visit.show(block.excerpt, pointer=f"/jsonld/{block.number}") for visit, block in blocks[:2])
    )


@family.check(
    "tech.sd.business",
    8,
    "Business is marked up",
    Rule(
        "an automotive business type with name, address and telephone",
        "LocalBusiness, or one of the three missing",
        "none",
    ),
    sources=(SCHEMA, "https://schema.org/AutoDealer", "https://schema.org/AutoRepair"),
    fix="Mark up the business as AutoDealer, AutoRepair or the like, with name, address and telephone.",
)
@unless(nothing_seen)
def sd_business(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """The best node of all pages decides."""
    best: tuple[int, Evidence] | None = None
    for visit, node in site.nodes(business.BUSINESS_TYPES | business.GENERAL_TYPES):
        missing = [name for name in ("name", "address", "telephone") if not node.properties.get(name)]
        special = bool(business.BUSINESS_TYPES.intersection(node.types))
        general = "LocalBusiness" in node.types
        worth = 2 if special and not missing else 1 if (special and len(missing) == 1) or general else 0
        lacks = f"missing: {', '.join(missing) or 'nothing'}"
        if best is None or worth > best[0]:
            best = (worth, visit.show(", ".join(node.types), detail=lacks, pointer=node.pointer))
    if best is None:
        return failed(site.home.show(detail="no business in structured data"))
    return (failed, warned, passed)[best[0]](best[1])


@family.check(
    "tech.sd.consistent",
    4,
    "Markup says what the page says",
    Rule(
        "marked-up telephone, price and name agree with the visible text",
        fails="one of them contradicts the visible text",
        otherwise="one side only: not applicable",
    ),
    sources=("https://developers.google.com/search/docs/appearance/structured-data/sd-policies",),
    fix="Generate markup and page from the same data.",
)
@unless(nothing_seen)
def sd_consistent(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Telephones compare as E.164, prices as numbers; a name agrees when a long word of it is on the page."""
    compared = [*_telephones(site), *_prices(site), *_names(site)]
    contradicting = [evidence for agrees, evidence in compared if not agrees]
    if contradicting:
        return failed(*contradicting)
    return passed(*(evidence for _, evidence in compared)) if compared else not_applicable("one_side_only")


def _telephones(site: SurveyedSite) -> Iterator[tuple[bool, Evidence]]:
    """A business's marked-up number is on some page, or every number that is there belongs to a department."""
    region = region_of(site)
    shown = {e164 for _, page in site.seen() for _, e164 in phones(page, region)}
    marked = [
        (visit, node, numbers)
        for visit, node in site.nodes(business.BUSINESS_TYPES | business.GENERAL_TYPES)
        if (numbers := {e164(text, region) for text in texts(node.properties, "telephone")} - {""})
    ]
    everywhere = {number for _, _, numbers in marked for number in numbers}
    for visit, node, numbers in marked:
        is_department = "/department" in node.pointer
        agrees = bool(numbers & shown)
        if shown and (agrees or (not is_department and shown - everywhere)):
            written = ", ".join(texts(node.properties, "telephone"))
            pages = f"the pages show {', '.join(sorted(shown)[:5])}"
            yield agrees, visit.show(written, detail=pages, pointer=f"{node.pointer}/telephone")


def _prices(site: SurveyedSite) -> Iterator[tuple[bool, Evidence]]:
    for visit in site.samples(Role.VEHICLE):
        if not visit.ok or visit.page is None:
            continue
        offered = vehicle(visit.page)
        price = first(offered.offer, "price")
        shown = [amount for amount in amounts(own_offer(visit.page)) if not amount.monthly]
        if price and number(price) and shown and offered.node:
            visible = f"the page shows {', '.join(amount.written for amount in shown[:3])}"
            agrees = any(amount.value == number(price) for amount in shown)
            yield agrees, visit.show(price, detail=visible, pointer=f"{offered.node.pointer}/offers/price")


def _names(site: SurveyedSite) -> Iterator[tuple[bool, Evidence]]:
    for visit, node in site.nodes(business.BUSINESS_TYPES):
        name = first(node.properties, "name")
        # Departments are called Sales or Werkstatt, which no visitor reads as a name.
        if name and visit.page and visit.role is Role.HOME and "/department" not in node.pointer:
            text = f"{visit.page.title} {visit.page.text}".casefold()
            words = [word for word in name.casefold().split() if len(word) >= NAME_WORD]
            agrees = name.casefold() in text or any(word in text for word in words)
            yield agrees, visit.show(name, pointer=f"{node.pointer}/name")


MARKUP = family.checks
