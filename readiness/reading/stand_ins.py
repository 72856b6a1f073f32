"""Pages served in place of a site's own: firewall challenges, and maintenance or placeholder notes."""

# ruff: noqa: E501  # words of one vendor or language stay in one line
import re
from collections.abc import Sequence

from readiness.reading.page import HtmlPage, StandIn

CHALLENGE_WORDS, NOTE_WORDS = 150, 90
"""Words from which on a page is no challenge and no mere note."""
SENDING_WORDS = 40
"""Words from which on a page does more than to send the form of a challenge."""
CHALLENGE_LINKS, NOTE_LINKS = 8, 4
"""Links from which on a page has a navigation, and is a site's own."""
TYPED = frozenset(("input", "text", "email", "tel", "textarea", "select", "date", "number"))

# Words and parts of challenges alone: the same vendors put scripts of theirs into every page that they let through.
CHALLENGE = re.compile(
    # Cloudflare, in the languages of its pages
    r"just a moment|checking your browser|verify (?:that )?you(?:'| a)re (?:not a (?:ro)?bot|(?:a )?human)|attention required|cf-chl-"
    r"|challenge-platform/(?:h/\w/)?orchestrate|enable javascript and cookies to continue|access denied|you have been blocked"
    r"|nur einen moment|bestätigen sie, dass sie ein mensch sind|(?:prüfung|überprüfung) (?:ihres browsers|dass sie ein mensch)|ihr browser wird überprüft"
    r"|confirmez que vous êtes (?:un )?humain|vérifiez que vous êtes (?:un )?humain|vérification de votre navigateur"
    r"|(?:verifique que usted es|verifica que eres) (?:un ser )?humano|comprobando (?:tu|su) navegador"
    r"|verifica (?:che sei|di essere) (?:un (?:essere )?)?umano|control(?:eer|eren) of u een mens bent"
    r"|potwierdź, że jesteś człowiekiem|sprawdzanie (?:twojej )?przeglądarki|confirme que você é humano"
    # Akamai, Imperva, DataDome, PerimeterX, AWS WAF, Kasada
    r"|sec-if-cpt-container|_sec/cp_challenge|unusual traffic|incapsula incident|request unsuccessful|pardon our interruption"
    r"|captcha-delivery\.com|px-captcha|press (?:and|&(?:amp;)?) hold|gokuprops|awswaf\.com/[^\"']{1,80}/(?:challenge|captcha)\.js|\bkpsdk\b"
    # Sucuri, SiteGround, F5, Wordfence, Barracuda, Anubis, Vercel, DDoS-Guard
    r"|website firewall|sucuri_cloudproxy_js|sgcaptcha|sgchallenge|checking the site connection security|the requested url was rejected"
    r"|your access to this (?:site|service) has been limited|access to this (?:web)?(?:site|page) has been (?:blocked|denied|limited)"
    r"|making sure you(?:'|’|&#39;)re not a bot|security checkpoint|ddos protection by|ddos-guard|establishing a secure connection"
    # Imunify360, Tiger Protect
    r"|(?:request|connection|visit|browser) is being (?:verified|checked)|wsidchk"
    # words of many
    r"|are you (?:a )?(?:human|robot)|(?:made us think|suspect) (?:that )?you (?:were|are|might be) a (?:ro)?bot|human verification"
    r"|complete the (?:security check|captcha)|(?:browser|security) (?:check|verification) (?:in progress|required)",
    re.I,
)
CHALLENGE_HEADERS = {
    "cf-mitigated": ("challenge",),
    "x-amzn-waf-action": ("challenge", "captcha"),
    "sg-captcha": ("challenge",),
    "x-vercel-mitigated": ("challenge", "deny"),
}
"""Headers in which a firewall says itself that this answer is its own."""
# Asked of titles and headings alone: a sound page may well say that new models are coming soon.
NOTE = re.compile(
    r"under maintenance|(?:scheduled|planned|ongoing) maintenance|maintenance (?:mode|in progress|work)|^(?:site )?maintenance$|down for maintenance|be (?:right )?back (?:soon|shortly)"
    r"|under construction|^(?:we(?:'|’)re |we are )?(?:coming|launching) soon\W*$|account (?:has been )?suspended|website (?:expired|suspended|is offline)"
    r"|error establishing a database connection|domain (?:name )?is (?:for sale|parked)|is for sale$|buy this domain|apache2? (?:\w+ )?default page|^it works\W*$"
    r"|welcome to nginx|^index of /|(?:default|placeholder) (?:web ?)?page"
    r"|wartungs(?:arbeiten|modus)|^wartung$|(?:website|seite|homepage) (?:wird|befindet sich) (?:gerade|derzeit|zurzeit|im|in)\b|im aufbau|in kürze wieder"
    r"|en (?:cours de )?maintenance|maintenance en cours|en construction|bientôt (?:en ligne|disponible)|de retour bientôt"
    r"|en mantenimiento|en construcción|próximamente|in manutenzione|in costruzione|sito in allestimento|in onderhoud|in aanbouw|binnenkort online"
    r"|przerwa techniczna|prace (?:konserwacyjne|techniczne)|strona w (?:budowie|przebudowie)|em manutenção|em construção|em breve",
    re.I,
)


def stand_in(page: HtmlPage, source: str) -> StandIn | None:
    """Return what a page is in place of a site's own, or None; `source` is the beginning of its markup.

    A navigation, or a form that a person would fill in, makes it the site's own: its words may ask for a captcha.
    """
    links = sum(1 for link in page.links if link.href.startswith("http"))
    if any(sum(control.kind in TYPED for control in form.controls) > 1 for form in page.forms):
        return None
    if page.words < CHALLENGE_WORDS and links < CHALLENGE_LINKS and CHALLENGE.search(source):
        return StandIn.CHALLENGE
    if _sends_itself(page):
        return StandIn.CHALLENGE
    titles = (page.title, *(text for _, text in page.headings))
    is_note = any(NOTE.search(title.strip()) for title in titles) or _is_blank(page)
    return StandIn.PLACEHOLDER if is_note and page.words < NOTE_WORDS and links < NOTE_LINKS else None


def _sends_itself(page: HtmlPage) -> bool:
    """Whether hardly anything is there but a form without a field to fill in and a script, which sends it."""
    is_bare = page.has_script and page.words < SENDING_WORDS and not page.links and not page.empty_root
    return is_bare and bool(page.forms) and not any(form.controls for form in page.forms)


def _is_blank(page: HtmlPage) -> bool:
    """Whether nothing at all is there to be seen, and no script to bring it."""
    return not (page.words or page.images or page.frames or page.has_script or page.links or page.nodes)


def says_challenge(headers: Sequence[tuple[str, str]]) -> bool:
    """Whether the headers of an answer, names in lower case, say that it is a firewall's challenge."""
    return any(value.strip().lower() in CHALLENGE_HEADERS.get(name, ()) for name, value in headers)
