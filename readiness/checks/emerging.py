"""Emerging signals: new files and protocols for agents such as llms.txt, shown apart and worth nothing in the score.

`readiness.reading.agent_documents` declares the documents.
"""

import json
import re
from collections.abc import Iterable

from readiness.checks.check import (
    CheckOutcome,
    CheckStatus,
    Command,
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
from readiness.fetching import urls
from readiness.fetching.errors import Reason
from readiness.reading.agent_documents import (
    AGENT_DOCUMENTS,
    JSON_TYPES,
    LLMS_TEXT,
    RETIRED_PLUGIN,
    AgentDocument,
    Reader,
    linked_urls,
    payment_agent_fault,
    payment_agents,
)
from readiness.reading.structured_data import MOST_ITEMS, Json, object_of, objects_of, texts
from readiness.survey.evidence import Evidence
from readiness.survey.site import STANDING_IN, SiteVisit, SurveyedSite

emerging = Family(Group.EMERGING)
FIX = "Nothing to fix: a new proposal. Consider it when your platform supports it."


LARGEST_DOCUMENT = 262_144
"""Characters of a document that are read; a longer one is not judged."""


def _optional(
    site: SurveyedSite, paths: Iterable[str], media_types: tuple[str, ...], find_fault: Reader
) -> CheckOutcome:
    """A file that may be absent, at the first of its paths that has it; only a scan of every signal asks for most.

    One of another media type is some page's soft 404 and does not count.
    """
    visits = _visits(site, paths)
    outcomes = [_document(visit, media_types, find_fault) for visit in visits]
    if not outcomes:
        return not_applicable("on_demand") if site.emerging else unknown(site.home.blind)
    return next((outcome for outcome in outcomes if outcome.evidence), outcomes[0])


def _document(visit: SiteVisit, media_types: tuple[str, ...], find_fault: Reader) -> CheckOutcome:
    if visit.status is None or visit.reason is Reason.CHALLENGED:
        return unknown(visit.blind)
    if visit.status in (404, 410, 401, 403) or visit.status in range(300, 400):
        return not_applicable("absent")
    if visit.status != 200:
        return unknown(visit.blind)
    if not visit.media_type.endswith(media_types) or visit.start.lstrip()[:1] == "<":
        return not_applicable("other_media_type")
    if visit.stopped is Reason.MEDIA_TYPE or visit.truncated or len(visit.start) >= LARGEST_DOCUMENT:
        return unknown(visit.stopped or Reason.TOO_LARGE)
    kind = f"content-type: {visit.media_type}"
    fault = find_fault(visit.start, visit.url)
    first_line = visit.start.strip().partition("\n")[0]
    shown = visit.show(first_line, header=kind, detail=fault or None)
    return failed(shown) if fault else passed(shown)


def _visits(site: SurveyedSite, paths: Iterable[str]) -> list[SiteVisit]:
    return [visit for path in paths for visit in site.emerging if urls.resolve(visit.url, path) == visit.url]


def _declare(document: AgentDocument) -> None:
    rule = Rule(
        f"present, with {document.needs}",
        fails="present and broken: the evidence names the first fault",
        otherwise="absent, or a page in its place: not applicable",
    )

    @emerging.check(document.check_id, 0, document.title, rule, sources=(document.source,), fix=FIX)
    def check(site: SurveyedSite, rule: Rule) -> CheckOutcome:  # pyright: ignore[reportUnusedFunction] - declared
        outcome = _optional(site, document.paths, document.media_types, document.find_fault)
        return _followed(site, outcome) if document.paths == (LLMS_TEXT,) else outcome


def _followed(site: SurveyedSite, outcome: CheckOutcome) -> CheckOutcome:
    """The outcome of llms.txt, which fails where a page that it links to is gone."""
    [*files] = _visits(site, (LLMS_TEXT,))
    if outcome.status is not CheckStatus.PASS or not files:
        return outcome
    links = linked_urls(files[0].start, files[0].url)
    visits = (site.home, *site.pages, *site.locations, *site.emerging)
    gone = [visit for visit in visits if visit.url in links and visit.status in (404, 410)]
    return failed(*(visit.show(detail="linked from llms.txt") for visit in gone)) if gone else outcome


for known_document in AGENT_DOCUMENTS:
    _declare(known_document)


@emerging.check(
    "exp.content_signals",
    0,
    "Content signals in robots.txt",
    Rule(
        "a Content-Signal line with known names",
        fails="a line that cannot be read",
        otherwise="absent: not applicable",
    ),
    sources=("https://contentsignals.org/",),
    fix=FIX,
)
def content_signals(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Known names: search, ai-input, ai-train."""
    visit = site.robots_visit
    if visit.status is None or visit.reason is Reason.CHALLENGED:
        return unknown(visit.blind)
    lines = [
        (number, line)
        for number, line in enumerate(site.robots.lines, 1)
        if line.lower().startswith("content-signal:")
    ]
    if not lines or visit.status != 200:
        return not_applicable("absent")
    number, line = lines[0]
    pairs = [pair.partition("=") for pair in line.partition(":")[2].lower().split(",")]
    sound = all(
        name.strip().split(" ")[-1] in ("search", "ai-input", "ai-train") and value.strip() in ("yes", "no")
        for name, _, value in pairs
    )
    return (passed if sound else failed)(visit.show(line, line=number))


@emerging.check(
    "exp.markdown",
    0,
    "Home as Markdown",
    Rule("text/markdown is served to who asks for it", otherwise="anything else: not applicable"),
    sources=("https://www.rfc-editor.org/rfc/rfc7763",),
    fix=FIX,
)
def markdown(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Asked with an Accept header."""
    home = site.home.final_url or site.home.url
    visit = next((visit for visit in site.emerging if _same(visit.url, home)), None)
    if visit is None and site.emerging:
        return not_applicable("on_demand")
    if visit is None or visit.status is None:
        return unknown(visit.blind if visit else site.home.blind)
    if visit.status == 200 and visit.media_type == "text/markdown":
        return passed(
            visit.show(visit.start.strip().partition("\n")[0], header="content-type: text/markdown")
        )
    return not_applicable("absent")


def _same(url: str, other: str) -> bool:
    return url.rstrip("/") == other.rstrip("/")


@emerging.check(
    "exp.webmcp",
    0,
    "WebMCP tools",
    Rule(
        "a form with a tool name, or a tool that a script registered in the browser",
        "only a script that mentions the interface",
        otherwise="absent: not applicable",
    ),
    sources=("https://webmachinelearning.github.io/webmcp/",),
    fix=FIX,
)
@unless(nothing_seen)
def webmcp(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """No tool found on a site is called."""
    seen = site.seen()
    forms = [(visit, form) for visit, page in seen for form in page.forms if form.tool_name]
    if forms:
        return passed(*(visit.show(form.tool_name, selector=form.place) for visit, form in forms))
    registered = [tool for page in site.browser.pages for tool in page.tools]
    if registered:
        return passed(site.home.show(", ".join(registered[:10]), detail="registered by a script"))
    scripts = [visit for visit, page in seen if page.webmcp_script]
    return (
        warned(*(visit.show(detail="a script mentions it") for visit in scripts))
        if scripts
        else not_applicable("absent")
    )


@emerging.check(
    "exp.nlweb",
    0,
    "NLWeb",
    Rule("a link to /ask, which is not called", otherwise="absent: not applicable"),
    sources=("https://github.com/nlweb-ai/NLWeb",),
    fix=FIX,
)
@unless(nothing_seen)
def nlweb(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Only a link counts."""
    seen = site.seen()
    asks = [
        (visit, link)
        for visit, page in seen
        for link in page.links
        if link.href.startswith("http") and urls.resolve(link.href, "/ask") == link.href
    ]
    return passed(asks[0][0].show(asks[0][1].href, selector="a")) if asks else not_applicable("absent")


@emerging.check(
    "exp.mpp",
    0,
    "Machine payments",
    Rule(
        "every paid operation of the OpenAPI description says how and how much",
        fails="one does not",
        otherwise="no description, or no paid operation: not applicable",
    ),
    sources=("https://mpp.dev/",),
    fix=FIX,
)
def machine_payments(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Payment terms (`x-payment-info`) in /openapi.json; nothing is paid and no operation is called."""
    described = _optional(site, ("/openapi.json",), JSON_TYPES, lambda text, url: "")
    if not described.evidence:
        return described
    [visit] = _visits(site, ("/openapi.json",))
    terms = paid_operations(visit.start)
    if not terms:
        return not_applicable("absent")
    fault = next((fault for offer in terms if (fault := payment_fault(offer))), "")
    said = fault or f"{len(terms)} paid operations"
    shown = visit.show(json.dumps(terms[0]), pointer="/paths", detail=said)
    return failed(shown) if fault else passed(shown)


@emerging.check(
    "exp.ap2",
    0,
    "Agent payments (AP2)",
    Rule(
        "an agent card or a UCP profile declares AP2, with its roles or its version",
        fails="one of them is missing",
        otherwise="no declaration: not applicable",
    ),
    sources=("https://ap2-protocol.org/a2a-extension",),
    fix=FIX,
)
def payment_agent(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Read from the two documents that other checks judge; nothing is paid."""
    visits = _visits(site, ("/.well-known/agent-card.json", "/.well-known/ucp"))
    if not any(visit.status for visit in visits):
        return not_applicable("on_demand") if site.emerging and not visits else unknown(site.home.blind)
    for visit in visits:
        for declaration in (payment_agents(visit.start) or []) if visit.status == 200 else []:
            fault = payment_agent_fault(declaration)
            shown = visit.show(json.dumps(declaration), detail=fault or None)
            return failed(shown) if fault else passed(shown)
    return not_applicable("absent")


@emerging.check(
    "exp.link_headers",
    0,
    "Link headers",
    Rule(
        "every link of home's Link header can be read and has a relation",
        fails="one cannot be read",
        otherwise="absent: not applicable",
    ),
    command=Command.HEADERS,
    sources=("https://www.rfc-editor.org/rfc/rfc8288",),
    fix=FIX,
)
def link_headers(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """The relations are shown, so that a reader sees whether one is for agents (service-desc, api-catalog)."""
    home = site.home
    if home.status is None or home.reason in STANDING_IN:
        return unknown(home.blind)
    written = ", ".join(value for name, value in home.headers if name == "link")
    if not written:
        return not_applicable("absent")
    relations = read_relations(written)
    if relations is None:
        return failed(home.show(header=f"link: {written}"))
    return passed(home.show(", ".join(dict.fromkeys(relations)), header=f"link: {written}"))


LINK = re.compile(
    r"""(?<!\s)\s*+<[^<>]*+>\s*+((?:;\s*+[\w!#$&+.^`|~*-]++\s*+(?:=\s*+(?:"(?:[^"\\]|\\.)*+"|[^\s";,]++))?+\s*+)*+)(?:,|$)"""
)
RELATION = re.compile(r"""(?:^|;)\s*rel\s*=\s*(?:"([^"]*)"|([^\s";,]+))""", re.I)


def read_relations(written: str) -> list[str] | None:
    """The relations of a Link header's links (RFC 8288, section 3); None where one link cannot be read."""
    relations: list[str] = []
    position = 0
    while position < len(written):
        link = LINK.match(written, position)
        relation = RELATION.search(link[1]) if link else None
        if link is None or relation is None or not (relation[1] or relation[2] or "").strip():
            return None
        relations += (relation[1] or relation[2]).split()
        position = link.end()
    return relations


@emerging.check(
    "exp.hreflang",
    0,
    "Language versions",
    Rule(
        "every hreflang is a language or x-default, and its address is absolute",
        "none of them names home itself",
        "a code or an address that cannot be used",
        "absent: not applicable",
    ),
    sources=("https://developers.google.com/search/docs/specialty/international/localized-versions",),
    fix="List every language version with a valid code and an absolute address, the page itself among them.",
)
def hreflang(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Asked of home; `<link rel="alternate" hreflang="...">`."""
    page = site.home.page
    if not site.home.ok or page is None:
        return unknown(site.home.blind)
    if not page.alternates:
        return not_applicable("absent")
    for code, address in page.alternates:
        if not LANGUAGE.fullmatch(code) or not address.startswith(("http://", "https://")):
            return failed(site.home.show(f"{code}: {address}", selector="link[hreflang]"))
    shown = site.home.show(", ".join(code for code, _ in page.alternates), selector="link[hreflang]")
    own = any(_same(address, site.home.final_url) for _, address in page.alternates)
    return passed(shown) if own else warned(shown)


LANGUAGE = re.compile(r"x-default|[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?", re.I)
"""A language with optional script and region (BCP 47, as far as search engines read it)."""


@emerging.check(
    "exp.offers_current",
    0,
    "Offers are current",
    Rule(
        "no offer of the pages seen ended before the visit",
        fails="an offer ended before the visit",
        otherwise="no offer with an end: not applicable",
    ),
    sources=("https://schema.org/priceValidUntil", "https://schema.org/availabilityEnds"),
    fix="Take ended offers off the page, or move their priceValidUntil, availabilityEnds or validThrough.",
)
@unless(nothing_seen)
def offers_current(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Days are compared, so that the time zone of a site does not decide."""
    current: list[Evidence] = []
    ended: list[Evidence] = []
    for visit, node in site.nodes(OFFERS):
        for name in ENDS:
            for written in texts(node.properties, name):
                if DAY.match(written):
                    evidence = visit.show(f"{name}: {written}", pointer=f"{node.pointer}/{name}")
                    (ended if written[:10] < visit.fetched_at[:10] else current).append(evidence)
    if ended:
        return failed(*ended)
    return passed(*current) if current else not_applicable("absent")


OFFERS = frozenset(("Offer", "AggregateOffer", "Demand"))
ENDS = ("priceValidUntil", "availabilityEnds", "validThrough")
DAY = re.compile(r"\d{4}-\d\d-\d\d")


@emerging.check(
    "exp.stale_plugin",
    0,
    "Retired plugin manifest",
    Rule("", "ai-plugin.json is still there", otherwise="absent: not applicable"),
    sources=("https://platform.openai.com/docs/plugins/introduction",),
    fix="Remove ai-plugin.json: nothing reads it any more.",
)
def stale_plugin(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Present is a warning, sound or not."""
    outcome = _optional(site, (RETIRED_PLUGIN,), JSON_TYPES, lambda text, url: "")
    return warned(*outcome.evidence) if outcome.evidence else outcome


EMERGING = emerging.checks

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


def paid_operations(text: str) -> list[Json]:
    """The payment terms (`x-payment-info`) of an OpenAPI document's operations; none in what is no such document."""
    try:
        document: object = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return []
    operations = (
        object_of(object_of(item).get(method))
        for item in list(object_of(object_of(document).get("paths")).values())[:MOST_ITEMS]
        for method in METHODS
    )
    return [
        object_of(operation["x-payment-info"]) for operation in operations if "x-payment-info" in operation
    ]


def payment_fault(terms: Json) -> str:
    """What the terms of one paid operation lack: how it is paid, and how much."""
    offers = objects_of(terms.get("offers")) or [terms]
    how = (bool(offer.get("method") or offer.get("protocols")) for offer in offers)
    much = (offer.get("amount") is not None or bool(offer.get("price")) for offer in offers)
    return ("" if all(how) else "no method or protocols") or ("" if all(much) else "no amount or price")
