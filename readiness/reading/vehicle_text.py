"""What the words of a vehicle page say: mileage, condition, availability, and whether the vehicle is gone.

A word counts by its neighbors: `certified technicians` is no certified car, `financing available` no car
that can be had, `warranty 60,000 miles` no mileage.
"""

# ruff: noqa: E501  # one line per language keeps the lists comparable
import re
from collections.abc import Iterator

from readiness.reading.page import HtmlPage
from readiness.reading.prices import MILEAGE_LABEL

LOOK_BACK = 60
OTHERS = re.compile(
    r"(?<!\w)(?:(?:similar|related|other|more|comparable|recommended|featured|recently viewed) (?:vehicles?|cars?|inventory|listings?|offers?|models?)"
    r"|you (?:may|might)(?: also)? (?:also )?(?:like|be interested)|recommended for you|recently viewed|customers also"
    r"|[äa]hnliche (?:fahrzeuge|angebote|autos)|weitere (?:fahrzeuge|angebote|autos)|das k[öo]nnte|zuletzt angesehen"
    r"|v[ée]hicules? similaires?|autres v[ée]hicules|voitures similaires|vous aimerez|annonces similaires"
    r"|(?:veh[íi]culos|coches|carros|ve[íi]culos) (?:similares|relacionados|semelhantes)|tambi[ée]n te puede|otros (?:coches|veh[íi]culos)"
    r"|(?:veicoli|auto) simili|potrebbe interessar\w{1,4}|altre auto|vergelijkbare|andere auto|misschien ook"
    r"|podobne|inne (?:samochody|oferty)|zobacz te[żz])(?!\w)",
    re.I,
)
UNIT = r"(?:miles?|mi|kms?|kilomet(?:er|re)s?|kilometrów|chilometri|kil[óo]metros|quil[ôo]metros)"
FIGURE = re.compile(
    rf"(?<![\w.,$€£-])(?:\d{{1,3}}(?:[.,\u202f ]?\d{{3}}){{0,3}}|\d{{1,3}}(?:[.,]\d)?\s?(?:k|t|tsd\.?|tys\.?))\s?{UNIT}(?!\w|/h|/l|/s|\s?/\s?h)",
    re.I,
)
LABELLED = re.compile(
    rf"(?<!\w)(?:{MILEAGE_LABEL})\s{{0,2}}[(\[]?(?:in\s)?{UNIT}[)\]]?\s{{0,2}}:?\s{{0,2}}\d[\d.,\u202f ]{{0,12}}",
    re.I,
)
UNIT_LABELLED = re.compile(
    r"(?<!\w)(?<!unlimited )(?<!annual )(?<!next )(?:mileage|miles|kilomet(?:er|re)s?(?:stand)?|km[- ]stand|kilom[ée]trage|kilometraje|kil[óo]metros|chilometr(?:i|aggio)"
    r"|quil[ôo]metros|quilometragem|odometer(?: reading)?|laufleistung|tachostand|(?<!per )(?<!pro )(?<!/)km(?=\s?:))(?:\s{0,2}[:|]\s{0,2}(?:\d{1,3}(?:[.,\u202f ]\d{3}){1,2}|\d{1,6})|\s(?:\d{1,3}[.,\u202f ]\d{3}|\d{5,6}))(?![\d%€$£]|[.,]\d|\s?(?:years?|months?|mpg|jahre?n?|ans?|a[ñn]os?|anni|jaar)\b)",
    re.I,
)
LABEL = re.compile(rf"(?<!\w)(?:{MILEAGE_LABEL})\W{{0,4}}$", re.I)
OTHER_DISTANCE = (
    r"warrant(?:y|ies)|guarantee[ds]?|cover(?:age|ed)?|garantie|gew[äa]hrleistung|garant[íi]a|garanzia|gwarancj[aąię]|garantia"
    r"|range|reichweite|autonom(?:ie|[íi]a|ia)|rijbereik|actieradius|zasi[ęe]g|every|alle|tous les|cada|ogni|elke|co|each|next service(?: due)?"
    r"|within|up to|umkreis|delivery|lieferung|livraison|radius|rayon|only|away|distance|entfernung|interval|inspektion"
)
GAP = (
    r"(?:[\s:/,()+-]|\d{1,3}(?!\d)|years?|months?|yrs?|mos?|jahre?n?|monate?n?|ans?|mois|a[ñn]os?|meses|anni|mesi|jaar|maanden|lat"
    r"|miesi[ęe]cy|or|and|of|up|to|for|im|von|bis|zu|oder|und|ou|à|jusqu['’]à|de|des|hasta|fino|al?|tot|do|o|y|e|lub|the|first|next|about|approx\w{0,8}"
    r"|ca\.?|ist|is|in|at|after|nach|wltp|epa|est\w{0,7}|limited|powertrain|basic){0,8}"
)
NOT_DRIVEN = re.compile(rf"(?<!\w)(?:{OTHER_DISTANCE})(?!\w){GAP}$", re.I)
TERM = re.compile(
    r"(?<!\w)(?:years?|months?|yrs?|jahre?n?|monate?n?|ans|mois|a[ñn]os|meses|anni|mesi|jaar|maanden|lat|miesi[ęe]cy)\s?(?:or|/|,|and|oder|ou|o|of|lub|bzw\.?)\s?(?:bis\s)?$",
    re.I,
)
PROMISED = re.compile(
    r"\s?(?:(?:limited|powertrain|basic|manufacturer\w{0,2}|factory|bumper-to-bumper|of|de|di)\s){0,3}"
    r"(?:warranty|guarantee|coverage|garantie|gewährleistung|garant[íi]a|garanzia|gwarancji|away|from|entfernt|range|radius|reichweite|autonomie)(?!\w)(?P<rest>[^\n]{0,14})",
    re.I,
)
VEHICLE = (
    r"(?:cars?|vehicles?|suvs?|trucks?|sedans?|vans?|coupes?|motorcycles?|(?:19|20)\d\d|pkw|fahrzeuge?|autos?|wagen|v[ée]hicules?|voitures?"
    r"|coches?|veh[íi]culos?|veicol[oi]|samoch[óo]d|pojazd|carros?|ve[íi]culos?)"
)
CLAUSE_START = r"(?:^|[.,;:|•·!?()/–—-]\s?|\s-\s)"
CLAUSE_END = r"(?=\s?(?:$|[.,;:|•·!?()/–—]))"
CONDITION_LABEL = r"(?:condition|status|type|zustand|fahrzeugart|fahrzeugzustand|[ée]tat|estado|condizione|condizioni|staat|stan|condi[çc][ãa]o)\W{1,3}"
USED_WORD = r"(?:ocasi[óo]n|used|pre-?owned|certified(?:\spre-?owned)?|gebraucht|occasion|usad[oa]|seminuev[oa]|usat[oa]|tweedehands|gebruikt|u[żz]ywan[yae]|seminov[oa])"
NEW_WORD = r"(?:brand[ -]new|new|neu|neuf|neuve|nuev[oa]|nuov[oa]|nieuwe?|now[yae]|nov[oa])"
USED = re.compile(
    rf"(?<!\w){CONDITION_LABEL}{USED_WORD}(?!\w)"
    rf"|(?<!\w)(?:certified[ -])?pre-?owned(?!\w)|(?<!\w)certified(?:\s(?:used\s)?{VEHICLE}(?!\w)|{CLAUSE_END})"
    r"|(?<!\w)(?<!be )(?<!is )(?<!are )(?<!was )(?<!were )(?<!been )(?<!being )(?<!we )(?<!have )(?<!also )used(?!\w)"
    r"(?!\s(?:to|by|for|as|in|when|while|during|on|at|only|with|throughout|and (?:trusted|tested))\s(?!\d))"
    r"|(?<!\w)(?:gebraucht(?:wagen|fahrzeuge?)|vorf[üu]hrwagen|jahreswagen|tageszulassung|kurzzulassung|dienstwagen|gebraucht)(?!\w)"
    rf"|(?<!\w)(?:nearly[ -]new|ex-?demo(?:nstrator)?|km ?0)(?!\w)|{CLAUSE_START}demonstrator{CLAUSE_END}"
    r"|(?<!\w)(?:d['’]occasion|v[ée]hicules? d['’]occasion|occasion)(?!\w)|(?<!\w)(?:usad[oa]|seminuev[oa]|(?:de )?segunda mano|(?:coche|veh[íi]culo) de ocasi[óo]n|kilómetro 0)(?!\w)"
    r"|(?<!\w)(?:usat[oa]|d['’]occasione)(?!\w)|(?<!\w)(?:tweedehands|gebruikte?|occasions?)(?!\w)|(?<!\w)u[żz]ywan[yae](?!\w)|(?<!\w)seminov[oa](?!\w)",
    re.I,
)
NEW = re.compile(
    rf"(?<!\w){CONDITION_LABEL}{NEW_WORD}(?!\w)"
    rf"|(?<!\w)(?:brand[ -])?new\s(?:{VEHICLE})(?!\w)|(?<!\w)brand[ -]new{CLAUSE_END}|{CLAUSE_START}{NEW_WORD}{CLAUSE_END}|^new\s(?!york|jersey|hampshire|mexico)"
    r"|(?<!\w)(?:neuwagen|neufahrzeug|fabrikneu)(?!\w)|(?<!\w)(?:v[ée]hicule neuf|voiture neuve)(?!\w)|(?<!\w)(?:(?:coche|veh[íi]culo) nuevo)(?!\w)"
    r"|(?<!\w)(?:auto nuova|veicolo nuovo)(?!\w)|(?<!\w)nieuwe auto(?!\w)|(?<!\w)nowy samoch[óo]d(?!\w)|(?<!\w)(?:carro novo|ve[íi]culo novo)(?!\w)|(?<!\w)0 ?km(?!\w)",
    re.I,
)
OF_ANOTHER = re.compile(
    r"(?<!\w)(?:an?|the|your|our|my|his|her|their|any|one|next|une?|l[ae]s?|votre|notre|mon|ma|ein(?:e[nmrs]?)?|d(?:er|en|em|ie|as)|unser\w{0,2}"
    r"|ihr\w{0,2}|un[ao]?|el|los|nuestros?|tu|su|mi|il|een|de|het|je|uw|onze)\s(?:next\s|other\s)?$",
    re.I,
)
"""Before words for a new car: one of another owner, as in a review, and not the one on offer."""
AVAILABLE = re.compile(
    r"(?<!\w)(?:in stock|available|in transit|on order|sale pending|only \d{1,2} left(?!-)|(?:lieferzeit|verf[üu]gbarkeit|lieferbarkeit)\W{1,2}(?:ab )?sofort|on the lot|reserved|coming soon|auf lager|(?:sofort |kurzfristig )?(?:verf[üu]gbar|lieferbar)"
    r"|vorr[äa]tig|lagernd|am lager|(?:ab )?sofort (?:zum mitnehmen|abholbar)|(?:in (?:the )?(?:store|showroom)|on (?:site|display)) now|ready to drive away|visible sur parc|en exposition|sul piazzale|na placu|entrega inmediata|livraison imm[ée]diate|bestellbar|reserviert|en stock|disponibles?|disponib(?:ile|ili)|in pronta consegna|pronta consegna|en existencias"
    r"|visionabil[ei]|visibil[ei] (?:in sede|presso|sul|nel)|te bezichtigen|do obejrzenia|zu besichtigen|ready to view|op voorraad|uit voorraad|(?:direct |snel )?leverbaar|beschikbaar|dost[ęe]pn[yae]|od r[ęe]ki|dispon[íi]vel|em estoque)(?!\w)",
    re.I,
)
OTHER_OFFER = re.compile(
    r"(?<!\w)(?:financ\w{0,10}|finanzierung|leasing|lease|loans?|credit|payments?|warrant(?:y|ies)|garan\w{0,6}|insurance|versicherung|inzahlungnahme"
    r"|trade-?ins?|delivery|lieferung|livraison|services?|parts|ersatzteile|test[ -]drives?|probefahrt\w{0,3}|options?|colou?rs?|farben|upgrades?|plans?"
    r"|appointments?|termine?|photos?|reports?|carfax|brochure|finansowanie|rates?|discounts?|rebates?|support|accessories|zubeh[öo]r|staff|team|not|nicht"
    r"|non?|pas|niet|nie|n[ãa]o|un)(?:\s(?:is|are|now|also|always|ist|sind|auch|est|sont|es|son|[èe]|sono|jest|on|the|spot)){0,2}[\s-]$",
    re.I,
)
ON_DEMAND = re.compile(
    r"\s(?:(?:up)?on request|for (?:download|pickup|an? |all )|at (?:extra|additional)|options?|colou?rs?|auf anfrage|sur demande|bajo pedido|su richiesta)",
    re.I,
)
GONE = re.compile(
    r"(?<!\w)(?:this (?:vehicle|car|truck|listing|unit)(?:'s| is| was| has been| has)? (?:(?:already|now|just|since|been) ){0,3}sold(?! (?:new|as|with|by|originally|in|through))"
    r"|(?:is |are )?no longer (?:available|for sale)|(?<!every )(?<!each )(?<!any )vehicle sold(?=\s?(?:$|[.,;:!|]))|sold out"
    r"|(?:bereits|leider|schon) verkauft|nicht mehr verf[üu]gbar|d[ée]j[àa] vendue?|n['’]est plus disponible|v[ée]hicule vendu"
    r"|(?<!m[áa]s )(?<!mejor )vendido|ya no est[áa] disponible|(?<!pi[ùu] )venduto|non [èe] pi[ùu] disponibile|(?<!best )(?<!meest )verkocht|niet meer beschikbaar"
    r"|sprzedan[yae]|ju[żz] niedost[ęe]pn[yae]|n[ãa]o est[áa] mais dispon[íi]vel)(?!\w)",
    re.I,
)
CONDITIONAL = re.compile(
    r"(?<!\w)(?:if|when(?:ever)?|once|should|in case|unless|may|might|could|before|until|falls|wenn|sollten?|sobald|si (?:ce|cette|le|la|el|este|ya|un)"
    r"|cuando|lorsque|quand|au cas|se (?:il|la|questo|questa|l['’])|qualora|als (?:de|deze|het|dit)|indien|mocht|je[śs]li|gdy|caso|quando|se o|se este)(?!\w)",
    re.I,
)
SENTENCE_END = re.compile(r"[.!?;|•](?=\s|$)")


def own_offer(page: HtmlPage) -> str:
    """The page's own text up to the heading under which it shows other vehicles."""
    text = page.own_text
    for level, heading in page.headings:
        start = text.rfind(heading) if level != "h1" and heading and OTHERS.search(heading) else -1
        text = text[:start] if start > 0 else text
    return text


def driven(text: str) -> str:
    """The mileage as a text states it, with its unit; empty where figures mean a warranty, a range or a distance.

    A label such as `Mileage` or `Kilometerstand` names the unit of the figure behind it.
    """
    labelled = LABELLED.search(text) or UNIT_LABELLED.search(text)
    if labelled:
        return labelled[0].strip()
    return next((match[0] for match in FIGURE.finditer(text) if _is_driven(text, match)), "")


def _is_driven(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - LOOK_BACK) : match.start()]
    if LABEL.search(before):
        return True
    promised = PROMISED.match(text, match.end(), match.end() + 80)
    if promised and not re.search(r"\d", promised["rest"]):
        return False
    return not (NOT_DRIVEN.search(before) or TERM.search(before))


def stated_condition(title: str, text: str) -> bool | None:
    """Whether a vehicle is used; None when nothing says so. The title decides, then the first statement."""
    for words in (title, text):
        used, new = USED.search(words), _new(words)
        if used and (new is None or used.start() <= new.start()):
            return True
        if new:
            return False
    return None


def _new(text: str) -> re.Match[str] | None:
    found = NEW.finditer(text)
    return next((new for new in found if not OF_ANOTHER.search(text[: new.start()][-LOOK_BACK:])), None)


def stated_availability(text: str) -> str:
    """The words that say whether the vehicle can be had, or an empty string."""
    for match in AVAILABLE.finditer(text):
        before = text[max(0, match.start() - LOOK_BACK) : match.start()]
        if not OTHER_OFFER.search(before) and not ON_DEMAND.match(text, match.end()):
            return match[0]
    return ""


def is_gone(text: str) -> bool:
    """Whether a text says that its vehicle is sold; a sentence about what would be if it were does not."""
    return any(not CONDITIONAL.search(clause) for clause in _clauses_before(text))


def _clauses_before(text: str) -> Iterator[str]:
    for match in GONE.finditer(text):
        before = text[max(0, match.start() - 2 * LOOK_BACK) : match.start()]
        ends = [end.end() for end in SENTENCE_END.finditer(before)]
        yield before[ends[-1] if ends else 0 :]
