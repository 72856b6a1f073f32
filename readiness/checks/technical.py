"""Technical readiness: can a machine reach the site, may it, and does it understand what it gets."""

import statistics
from collections.abc import Iterator

from readiness import agents, business, urls, vocabulary
from readiness.checks.check import (
    Answer,
    Command,
    Family,
    Group,
    Rule,
    failed,
    not_applicable,
    passed,
    unknown,
    warned,
)
from readiness.errors import Reason
from readiness.evidence import Evidence
from readiness.page import Page
from readiness.robots import Verdict
from readiness.site import Role, Site, Visit
from readiness.structured_data import texts
from readiness.vehicles import amounts, first, number, vehicle

technical = Family(Group.TECHNICAL)

RFC9309 = "https://www.rfc-editor.org/rfc/rfc9309"
RFC9110 = "https://www.rfc-editor.org/rfc/rfc9110"
SITEMAPS = "https://www.sitemaps.org/protocol.html"
SCHEMA = "https://schema.org/AutomotiveBusiness"
JSON_LD = "https://www.w3.org/TR/json-ld11/"
ROBOTS_META = "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag"
CANONICAL = "https://www.rfc-editor.org/rfc/rfc6596"
WCAG = "https://www.w3.org/TR/WCAG22/#name-role-value"
SHINGLE = 5
NAME_WORD = 5
CORE = ("Googlebot", "Bingbot", "OAI-SearchBot")


@technical.check(
    "tech.http.reachable",
    8,
    "Home page answers",
    Rule(
        "200 with HTML within {hops} redirects on the same site",
        "more than {few} redirects, or another registrable domain",
        "4xx, 5xx, DNS, TLS or a second timeout: the scan ends without a report",
        limits={"hops": 5, "few": 2},
    ),
    command=Command.HEADERS,
    sources=(RFC9110,),
    fix="Let the home page answer 200 with HTML, reached in one redirect at most.",
    gate=True,
)
def reachable(site: Site, rule: Rule) -> Answer:
    """Redirects are counted to the page that answered."""
    home = site.home
    if not home.ok:
        return failed(home.show(), reason=home.blind.value) if home.status else unknown(home.blind)
    evidence = (*(_hop(home, number) for number in range(len(home.chain))), home.show())
    moved = not urls.same_site(site.url.host, site.host)
    return warned(*evidence) if len(home.chain) > rule["few"] or moved else passed(*evidence)


def _hop(visit: Visit, number: int) -> Evidence:
    hop = visit.chain[number]
    return Evidence(url=hop.url, status_code=hop.status, header=f"location: {hop.location}"[:300])


@technical.check(
    "tech.https",
    6,
    "HTTPS with a valid certificate",
    Rule(
        "valid certificate, and http leads to https",
        "no redirect from http",
        "no valid https, or https leads to http",
    ),
    command=Command.HEADERS,
    sources=(RFC9110,),
    fix="Serve the site over https with a valid certificate and redirect http to it.",
)
def https(site: Site, rule: Rule) -> Answer:
    """The http and the https home are fetched on their own; https to http is never followed."""
    secure, plain = site.secure_home, site.plain_home
    if (
        secure.reason is not None
        and secure.reason in (Reason.TLS, Reason.CONNECTION)
        and plain.reason is None
    ):
        return failed(plain.show(header=f"https: {secure.reason.value}"), reason=secure.reason.value)
    if secure.reason is not None:
        return unknown(secure.reason)
    if secure.stopped is Reason.DOWNGRADE:
        return failed(*(_hop(secure, number) for number in range(len(secure.chain))), reason="downgrade")
    shown = secure.certificate
    proof = secure.show(header=f"certificate: {shown.issuer}, until {shown.expires}" if shown else None)
    if plain.reason is not None:
        # Nothing listens on port 80, so nothing leaks over it either; any other silence we cannot read.
        return passed(proof) if plain.reason is Reason.CONNECTION else unknown(plain.reason)
    return (
        passed(proof, plain.show()) if plain.final_url.startswith("https:") else warned(proof, plain.show())
    )


@technical.check(
    "tech.robots.valid",
    5,
    "robots.txt can be read",
    Rule(
        "200 with text that parses, or 4xx (allows all)",
        "over {kib} KiB, a byte order mark, or unknown lines",
        "HTML is served, or 5xx (denies all)",
        limits={"kib": 500},
    ),
    sources=(RFC9309,),
    fix="Serve robots.txt as plain UTF-8 text that holds nothing but rules.",
)
def robots_valid(site: Site, rule: Rule) -> Answer:
    """Shows the media type and the first line that is unknown."""
    visit = site.robots_visit
    if visit.reason is not None or visit.status is None:
        return unknown(visit.blind)
    kind = f"content-type: {visit.header('content-type')}"
    if visit.status >= 500:
        return failed(visit.show(header=kind))
    if visit.status != 200:
        return passed(visit.show(header=kind))
    head = visit.start.lstrip()[:200]
    if "html" in visit.media_type or head.lower().startswith(("<!doctype", "<html", "<head", "<body")):
        return failed(visit.show(head, header=kind, line=1))
    strange = site.robots.unknown_lines
    if site.robots.oversized or visit.truncated or site.robots.has_bom or strange:
        line = strange[0] if strange else 1
        text = site.robots.lines[line - 1] if site.robots.lines else ""
        return warned(visit.show(text, header=kind, line=line))
    return passed(visit.show(head, header=kind))


def _policy_urls(site: Site) -> list[str]:
    first_of = [
        next((v.url for v in site.samples(role)), None) for role in (Role.VEHICLE, Role.SERVICE_DETAIL)
    ]
    listed = [site.vehicle_urls[:1], site.service_urls[:1]]
    chosen = [url or next(iter(urls_), None) for url, urls_ in zip(first_of, listed, strict=True)]
    return [site.home.final_url or site.home.url, *(url for url in chosen if url)]


def _denials(site: Site, bots: tuple[agents.Agent, ...]) -> dict[str, Verdict]:
    verdicts = [site.robots.verdict(url, bot.token) for bot in bots for url in _policy_urls(site)]
    denied: dict[str, Verdict] = {}
    for verdict in verdicts:
        if not verdict.allowed:
            denied.setdefault(verdict.bot, verdict)
    return denied


def _policy_evidence(site: Site, denied: dict[str, Verdict]) -> list[Evidence]:
    robots = site.robots_visit
    return [
        robots.show(
            f"{verdict.bot} is bound by group {verdict.group}: {verdict.text}", line=verdict.line or None
        )
        for verdict in denied.values()
    ]


def _policy_blind(site: Site) -> Answer | None:
    robots = site.robots_visit
    return (
        unknown(robots.blind)
        if robots.reason not in (None, Reason.MEDIA_TYPE) or robots.status is None
        else None
    )


@technical.check(
    "tech.bots.search_policy",
    12,
    "AI search bots are allowed",
    Rule(
        "robots.txt allows every search bot on home, one vehicle and one service page",
        "{one} bot is denied",
        "{two} or more are denied, or any of " + ", ".join(CORE),
        limits={"one": 1, "two": 2},
    ),
    sources=(RFC9309, agents.OPENAI, agents.GOOGLE),
    fix="Remove the Disallow lines that keep search bots out of home, vehicle and service pages.",
    gate=True,
)
def search_policy(site: Site, rule: Rule) -> Answer:
    """Evidence: bot, group and line."""
    blind = _policy_blind(site)
    if blind:
        return blind
    denied = _denials(site, agents.SEARCH_AGENTS)
    if not denied:
        return passed(site.robots_visit.show(f"{len(agents.SEARCH_AGENTS)} search bots are allowed"))
    evidence = _policy_evidence(site, denied)
    return failed(*evidence) if len(denied) >= rule["two"] or set(denied) & set(CORE) else warned(*evidence)


@technical.check(
    "tech.bots.user_policy",
    6,
    "Agents that fetch for a person are allowed",
    Rule("robots.txt allows every user-triggered agent", "any of them is denied"),
    sources=(RFC9309, agents.OPENAI, agents.ANTHROPIC),
    fix="Allow the agents that fetch a page because a person asked for it.",
)
def user_policy(site: Site, rule: Rule) -> Answer:
    """Some vendors say that robots.txt may not apply to these, so denying them warns."""
    blind = _policy_blind(site)
    if blind:
        return blind
    denied = _denials(site, agents.USER_AGENTS)
    if denied:
        return warned(*_policy_evidence(site, denied))
    return passed(site.robots_visit.show(f"{len(agents.USER_AGENTS)} user agents are allowed"))


@technical.check(
    "tech.bots.training_policy",
    0,
    "Choice about training bots",
    Rule("always: denying training is a legitimate choice, shown as information"),
    sources=(RFC9309,),
    fix="Nothing to fix: decide whether models may be trained on your pages.",
)
def training_policy(site: Site, rule: Rule) -> Answer:
    """Shows which training bots are denied."""
    blind = _policy_blind(site)
    if blind:
        return blind
    denied = _denials(site, agents.TRAINING_AGENTS)
    return passed(*(_policy_evidence(site, denied) or [site.robots_visit.show("no training bot is denied")]))


@technical.check(
    "tech.bots.live_access",
    8,
    "Server treats AI headers like others",
    Rule(
        "same status class as the controls and at least {same} % of their text",
        "403, 429, 503, a challenge page, or under {little} % of the text",
        otherwise="unknown when not authorised by who runs the site, or the control is refused "
        "too; never a failure: a header is not the bot",
        limits={"same": 70, "little": 30},
    ),
    command=Command.BOT,
    sources=(agents.OPENAI, agents.PERPLEXITY),
    fix="Look for a firewall or CDN rule that reacts to AI user agents.",
)
def live_access(site: Site, rule: Rule) -> Answer:
    """Compares each header with the visits before and after it."""
    if not site.probed:
        return unknown(Reason.PROBE_NOT_AUTHORISED)
    probes = [probe for probe in site.probes if probe.agent]
    controls = {probe.url: probe for probe in site.probes if not probe.agent}
    before = {visit.url: visit for visit in (site.home, *site.pages)}
    if not probes:
        return unknown(Reason.BUDGET)
    reacting: list[Evidence] = []
    calm: list[Evidence] = []
    for probe in probes:
        control, earlier = controls.get(probe.url), before.get(probe.url)
        if (
            control is None
            or earlier is None
            or control.reason
            or control.status != earlier.status
            or _challenged(control)
        ):
            return unknown(Reason.CONTROL_REFUSED)
        if probe.reason in (Reason.BUDGET, Reason.ROBOTS_DISALLOWED, Reason.TIMEOUT):
            continue
        text = f"{probe.agent}: {probe.status}, {probe.size} bytes; control: {control.status}, {control.size}"
        same = _overlap(probe.page, earlier.page) * 100
        reacts = probe.status != control.status or _challenged(probe) or same < rule["little"]
        (reacting if reacts or same < rule["same"] else calm).append(probe.show(text))
    if reacting:
        return warned(*reacting)
    return passed(*calm) if calm else unknown(probes[0].blind)


def _challenged(visit: Visit) -> bool:
    return visit.page is not None and visit.page.challenge


def _overlap(one: Page | None, other: Page | None) -> float:
    """Share of the other page's word shingles that the first page has too."""
    if one is None or other is None:
        return 0.0
    mine, theirs = _shingles(one.text), _shingles(other.text)
    return len(mine & theirs) / len(theirs) if theirs else 1.0


def _shingles(text: str) -> set[tuple[str, ...]]:
    words = text.lower().split()
    return {tuple(words[index : index + SHINGLE]) for index in range(max(1, len(words) - SHINGLE + 1))}


def _directives(visit: Visit) -> list[tuple[str, str]]:
    """Robots directives of a page as (place, words): meta elements and X-Robots-Tag headers."""
    found = [(f'meta[name="{name}"]', content) for name, content in (visit.page.robots if visit.page else ())]
    return found + [("x-robots-tag", value.lower()) for key, value in visit.headers if key == "x-robots-tag"]


def _directive(visit: Visit, *words: str) -> Evidence | None:
    for place, content in _directives(visit):
        given = {part.strip() for part in content.replace(":", ",").split(",")} | {content.replace(" ", "")}
        if any(word in given or word in content.replace(" ", "").split(",") for word in words):
            is_header = place == "x-robots-tag"
            return visit.show(
                content,
                header=f"{place}: {content}" if is_header else None,
                selector=None if is_header else place,
            )
    return None


@technical.check(
    "tech.meta.indexable",
    6,
    "Pages may be indexed",
    Rule(
        "no noindex on home, and on at most {share} % of the sampled pages",
        "nosnippet or max-snippet:0",
        "noindex on home or on over {share} % of the sampled pages",
        limits={"share": 40},
    ),
    sources=(ROBOTS_META,),
    fix="Remove noindex and nosnippet from the pages that agents should find.",
)
def indexable(site: Site, rule: Rule) -> Answer:
    """Meta elements and X-Robots-Tag headers alike."""
    if not site.home.ok:
        return unknown(site.home.blind)
    on_home = _directive(site.home, "noindex", "none")
    if on_home:
        return failed(on_home)
    samples = [
        visit for visit in site.pages if visit.ok and visit.role in (Role.VEHICLE, Role.SERVICE_DETAIL)
    ]
    kept_out = [found for visit in samples if (found := _directive(visit, "noindex", "none"))]
    if samples and len(kept_out) * 100 > rule["share"] * len(samples):
        return failed(*kept_out)
    muted = [
        found for visit in (site.home, *samples) if (found := _directive(visit, "nosnippet", "max-snippet:0"))
    ]
    return warned(*kept_out, *muted) if muted else passed(site.home.show("no noindex"), *kept_out)


@technical.check(
    "tech.canonical",
    4,
    "Canonical address",
    Rule("absolute, same site, answers 200", "missing or relative", "another site, or 4xx"),
    sources=(CANONICAL,),
    fix="Give every page one absolute rel=canonical on its own host that answers 200.",
)
def canonical(site: Site, rule: Rule) -> Answer:
    """Asked of home."""
    page = site.home.page
    if not site.home.ok or page is None:
        return unknown(site.home.blind)
    if not page.canonicals:
        return warned(site.home.show("no canonical link", selector='link[rel="canonical"]'))
    written = page.canonicals[0]
    evidence = site.home.show(written, selector='link[rel="canonical"]')
    target = urls.resolve(site.home.final_url, written)
    if target is None or not urls.same_site(urls.host_of(target), site.host):
        return failed(evidence)
    if site.canonical is not None:
        if site.canonical.reason is not None:
            return unknown(site.canonical.reason)
        if site.canonical.status != 200:
            return failed(evidence, site.canonical.show())
    return passed(evidence) if written.startswith(("http://", "https://")) else warned(evidence)


@technical.check(
    "tech.sitemap",
    7,
    "Sitemap",
    Rule(
        "valid, same-site URLs, lists vehicle or service pages, sampled ones answer 200",
        "no lastmod, blanks before the declaration, no vehicle or service page, or {few} or fewer dead URLs",
        "none, invalid XML, or more dead URLs",
        limits={"few": 2},
    ),
    command=Command.XML,
    sources=(SITEMAPS,),
    fix="Publish a valid sitemap of live vehicle and service pages with lastmod; name it in robots.txt.",
)
def sitemap(site: Site, rule: Rule) -> Answer:
    """Dead: a sampled URL of the sitemap that answers 404 or 410."""
    files = site.sitemap.files
    visit = files[0][0] if files else None
    if visit is None:
        return unknown(Reason.NOT_FETCHED)
    if visit.status is None or visit.reason is not None:
        return unknown(visit.blind)
    if visit.status != 200:
        return (
            failed(visit.show()) if visit.status in (404, 410, 301, 302, 307, 308) else unknown(visit.blind)
        )
    invalid = [file for file, read in files if file.ok and read.state == "invalid"]
    if invalid:
        return failed(*(file.show(file.start[:100]) for file in invalid))
    listed = set(site.sitemap.locations)
    foreign = [url for url in listed if not urls.same_site(urls.host_of(url), site.host)]
    sampled = [page for page in site.pages if page.url in listed or f"{page.url}/" in listed]
    dead = [page for page in sampled if page.status in (404, 410)]
    dated = sum(read.dated for _, read in files)
    useful = listed.intersection(site.vehicle_urls) or listed.intersection(site.service_urls)
    counts = visit.show(
        f"{len(listed)} URLs, {dated} with lastmod, {len(dead)} of {len(sampled)} sampled are dead"
    )
    if len(dead) > rule["few"]:
        return failed(counts, *(page.show() for page in dead))
    padded = any(read.state == "padded" for _, read in files)
    if not dated or dead or padded or foreign or not useful:
        return warned(counts, *(page.show() for page in dead))
    return passed(counts)


@technical.check(
    "tech.sd.valid",
    6,
    "JSON-LD is sound",
    Rule(
        "every JSON-LD block is strict JSON",
        "one can only be repaired",
        "one cannot be read",
        "no block: not applicable",
    ),
    sources=(JSON_LD, "https://www.rfc-editor.org/rfc/rfc8259"),
    fix="Serialise JSON-LD with a JSON library: no trailing commas, comments or raw line breaks in strings.",
)
def sd_valid(site: Site, rule: Rule) -> Answer:
    """Evidence: number of the block and what is wrong where."""
    seen = site.seen()
    if not seen:
        return unknown(site.home.blind)
    blocks = [(visit, block) for visit, page in seen for block in page.blocks]
    if not blocks:
        return not_applicable("no_json_ld")
    worst = {state: [pair for pair in blocks if pair[1].state == state] for state in ("broken", "repaired")}
    for state, verdict in (("broken", failed), ("repaired", warned)):
        if worst[state]:
            return verdict(
                *(v.show("; ".join(b.defects), selector=f"JSON-LD block {b.number}") for v, b in worst[state])
            )
    return passed(
        *(visit.show(block.excerpt, selector=f"JSON-LD block {block.number}") for visit, block in blocks[:2])
    )


@technical.check(
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
def sd_business(site: Site, rule: Rule) -> Answer:
    """The best node of all pages decides."""
    if not site.seen():
        return unknown(site.home.blind)
    best: tuple[int, Evidence] | None = None
    for visit, node in site.nodes(business.BUSINESS_TYPES | business.GENERAL_TYPES):
        missing = [name for name in ("name", "address", "telephone") if not node.properties.get(name)]
        special = bool(business.BUSINESS_TYPES.intersection(node.types))
        general = "LocalBusiness" in node.types
        worth = 2 if special and not missing else 1 if (special and len(missing) == 1) or general else 0
        text = f"{', '.join(node.types)}; missing: {', '.join(missing) or 'nothing'}"
        if best is None or worth > best[0]:
            best = (worth, visit.show(text, pointer=node.pointer))
    if best is None:
        return failed(site.home.show("no business in structured data"))
    return (failed, warned, passed)[best[0]](best[1])


@technical.check(
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
def sd_consistent(site: Site, rule: Rule) -> Answer:
    """Telephones compare as E.164, prices as numbers; a name agrees when a long word of it is on the page."""
    if not site.seen():
        return unknown(site.home.blind)
    compared = [*_telephones(site), *_prices(site), *_names(site)]
    contradicting = [evidence for agrees, evidence in compared if not agrees]
    if contradicting:
        return failed(*contradicting)
    return passed(*(evidence for _, evidence in compared)) if compared else not_applicable("one_side_only")


def _telephones(site: Site) -> Iterator[tuple[bool, Evidence]]:
    region = region_of(site)
    for visit, node in site.nodes(business.BUSINESS_TYPES | business.GENERAL_TYPES):
        marked = {business.e164(text, region) for text in texts(node.properties, "telephone")} - {""}
        shown = {e164 for _, e164 in phones(visit.page, region)} if visit.page else set[str]()
        if marked and shown:
            text = f"markup {', '.join(sorted(marked))}; page {', '.join(sorted(shown))}"
            yield bool(marked & shown), visit.show(text, pointer=f"{node.pointer}/telephone")


def _prices(site: Site) -> Iterator[tuple[bool, Evidence]]:
    for visit in site.samples(Role.VEHICLE):
        if not visit.ok or visit.page is None:
            continue
        found = vehicle(visit.page)
        price = first(found.offer, "price")
        shown = [amount for amount in amounts(visit.page.own_text) if not amount.monthly]
        if price and number(price) and shown and found.node:
            text = f"markup {price}; page {', '.join(amount.written for amount in shown[:3])}"
            agrees = any(amount.value == number(price) for amount in shown)
            yield agrees, visit.show(text, pointer=f"{found.node.pointer}/offers/price")


def _names(site: Site) -> Iterator[tuple[bool, Evidence]]:
    for visit, node in site.nodes(business.BUSINESS_TYPES):
        name = first(node.properties, "name")
        if name and visit.page and visit.role is Role.HOME:
            text = f"{visit.page.title} {visit.page.text}".casefold()
            words = [word for word in name.casefold().split() if len(word) >= NAME_WORD]
            agrees = name.casefold() in text or any(word in text for word in words)
            yield agrees, visit.show(name, pointer=f"{node.pointer}/name")


def region_of(site: Site) -> str:
    """Country whose numbering plan the site's local telephone numbers follow."""
    nodes = site.nodes(business.BUSINESS_TYPES | business.GENERAL_TYPES)
    stated = [text for _, node in nodes for text in texts(node.properties, "address", "addressCountry")]
    return business.country(site.host, site.home.page.lang if site.home.page else "", stated)


def phones(page: Page, region: str) -> list[tuple[str, str]]:
    """Telephone numbers of a page as (as written, E.164): `tel:` links first, then the visible text."""
    linked = [link.href[4:] for link in page.links if link.href.lower().startswith("tel:")]
    pairs = [(text, e164) for text in linked if (e164 := business.e164(text, region))]
    return pairs + list(business.visible_phones(page.text, region))


@technical.check(
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
def server_text(site: Site, rule: Rule) -> Answer:
    """Asked of home; key facts are a telephone number, an address, or a service or vehicle word."""
    page = site.home.page
    if not site.home.ok or page is None:
        return unknown(site.home.blind)
    facts = bool(phones(page, region_of(site))) or bool(
        vocabulary.SERVICE.search(page.text) or vocabulary.MAKES.search(page.text)
    )
    evidence = site.home.show(
        f"{page.words} words, {len(page.headings)} headings", selector=page.empty_root or None
    )
    if page.words >= rule["enough"] and page.headings and facts:
        return passed(evidence)
    return warned(evidence) if page.words >= rule["little"] or page.inline_data else failed(evidence)


@technical.check(
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
def crawlable(site: Site, rule: Rule) -> Answer:
    """Asked of home."""
    page = site.home.page
    if not site.home.ok or page is None:
        return unknown(site.home.blind)
    if not page.navigation_items:
        return not_applicable("no_navigation")
    share = 100 * page.navigation_links / page.navigation_items
    evidence = site.home.show(f"{page.navigation_links} of {page.navigation_items} items", selector="nav")
    return _graded(share, rule["most"], rule["some"], evidence)


def _graded(share: float, most: float, some: float, evidence: Evidence) -> Answer:
    return passed(evidence) if share >= most else warned(evidence) if share >= some else failed(evidence)


@technical.check(
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
def names(site: Site, rule: Rule) -> Answer:
    """Home and the key pages together."""
    seen = site.seen()
    if not seen:
        return unknown(site.home.blind)
    controls = [(visit, control) for visit, page in seen for control in page.controls]
    if not controls:
        return not_applicable("no_controls")
    nameless = [(visit, control) for visit, control in controls if not control.name]
    share = 100 * (len(controls) - len(nameless)) / len(controls)
    visit, control = nameless[0] if nameless else controls[0]
    text = f"{len(controls) - len(nameless)} of {len(controls)} have a name"
    return _graded(share, rule["most"], rule["some"], visit.show(text, selector=control.place))


@technical.check(
    "tech.perf.ttfb",
    3,
    "Server answers quickly",
    Rule(
        "median time to the first byte of {least} or more pages at most {fast} ms",
        "at most {slow} ms",
        "slower",
        "fewer pages: unknown; one vantage point",
        {"least": 3, "fast": 800, "slow": 1800},
    ),
    command=Command.TIMING,
    sources=("https://web.dev/articles/ttfb",),
    fix="Cache pages near their readers and look at the server's own time.",
)
def ttfb(site: Site, rule: Rule) -> Answer:
    """Time from the start of the request, connection included, to the headers."""
    visits = [visit for visit, _ in site.seen()]
    if len(visits) < rule["least"]:
        return unknown(next((visit.reason for visit in site.pages if visit.reason), Reason.NOT_FETCHED))
    median = statistics.median(visit.seconds * 1000 for visit in visits)
    evidence = site.home.show(f"median {median:.0f} ms of {len(visits)} pages")
    return (
        passed(evidence)
        if median <= rule["fast"]
        else warned(evidence)
        if median <= rule["slow"]
        else failed(evidence)
    )


@technical.check(
    "tech.perf.size",
    2,
    "HTML is not heavy",
    Rule(
        "largest page at most {light} KB",
        "at most {heavy} KB",
        "larger",
        limits={"light": 500, "heavy": 2000},
    ),
    command=Command.TIMING,
    sources=("https://developers.google.com/search/docs/crawling-indexing/googlebot",),
    fix="Move inline data, styles and images out of the HTML.",
)
def size(site: Site, rule: Rule) -> Answer:
    """Decoded bytes, 1 KB is 1,000 of them."""
    visits = [visit for visit, _ in site.seen()]
    if not visits:
        return unknown(site.home.blind)
    largest = max(visits, key=lambda visit: visit.size)
    kilobytes = largest.size / 1000
    evidence = largest.show(f"{largest.size} bytes")
    if kilobytes > rule["heavy"] or largest.truncated:
        return failed(evidence)
    return passed(evidence) if kilobytes <= rule["light"] else warned(evidence)


@technical.check(
    "tech.errors.soft404",
    1,
    "Unknown addresses say so",
    Rule("404 or 410 for a random path", "200 or a redirect", otherwise="anything else: unknown"),
    command=Command.HEADERS,
    sources=(RFC9110,),
    fix="Answer 404 for pages that do not exist.",
)
def soft404(site: Site, rule: Rule) -> Answer:
    """The path is random, so it is quoted without its last part."""
    control = site.control
    if control is None or control.status is None:
        return unknown(control.blind if control else Reason.NOT_FETCHED)
    if control.status in (404, 410):
        return passed(control.show())
    return warned(control.show()) if control.status < 400 else unknown(Reason.HTTP_ERROR)


@technical.check(
    "tech.lang.title",
    0,
    "Language, title and description",
    Rule("all three are there", "one or two are", "none is"),
    sources=("https://html.spec.whatwg.org/multipage/dom.html#attr-lang",),
    fix="Set lang on html, a title, and a meta description.",
)
def lang_title(site: Site, rule: Rule) -> Answer:
    """Asked of home."""
    page = site.home.page
    if not site.home.ok or page is None:
        return unknown(site.home.blind)
    there = [bool(page.lang), bool(page.title), bool(page.description)]
    evidence = site.home.show(
        f"lang {page.lang or '-'}; title {page.title or '-'}; description {page.description or '-'}"
    )
    return passed(evidence) if all(there) else warned(evidence) if any(there) else failed(evidence)


TECHNICAL = technical.checks
