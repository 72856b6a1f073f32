"""Finds sentences that say of a company what none of its facts has words for: what it is, does or offers."""

import re

from analytics.grounding import lexicon
from analytics.grounding.flattening import FEWEST_LETTERS, STEM, flatten, stems
from analytics.grounding.known_names import COMMON
from analytics.text.language import FUNCTION_WORDS

FEWEST_UNKNOWN = 2
FEWEST_OFFERED = 1
"""Unknown words that are enough in a sentence that offers something: one is the thing that is offered."""
_WORD = re.compile(r"[^\W\d_]+")
_WE = re.compile(
    r"\b(?:we|our|ours|us|wir|uns|unser\w{0,2}|nous|notre|nos|nuestr[oa]s?|nosotros|\w{2,20}(?:amos|emos|imos)|somos"
    r"|nostr[oaie]|noi|\w{2,20}iamo|wij|we|ons|onze)\b"
)
_READER = re.compile(
    r"\?|\A\W{0,3}(?:if|when|wenn|falls|si|quand|cuando|se|quando|als|wanneer)\b"
    r"|\b(?:you|your|ihr\w{0,2}|ihnen|vous|votre|vos|usted\w{0,2}|u|uw|man)\b|\b(?:sie)\b"
)
"""Without a word for the company such a sentence advises whoever reads it."""
_COMPANY = re.compile(
    r"\b(?:(?:every|all|each|the)\b[^.!?]{0,40}\b(?:mechanics?|technicians?|bakers?|chefs?|staff|employees?"
    r"|teams?|advisers?"
    r"|advisors?|experts?|workshops?|shops?|stores?|garages?|business|company|hotel|dealership|bakery|ingredients"
    r"|materials|energy|rooms|products)"
    r"|(?:die|der|das|alle[rs]?|jede[rs]?|sein\w{0,2}) [^.!?]{0,40}?(?:mechaniker\w{0,3}|techniker\w{0,3}"
    r"|backer\w{0,3}"
    r"|mitarbeiter\w{0,5}|team|werkstatt|werkstatten|laden|geschaft|firma|betrieb|unternehmen|backerei|hotel|zutaten"
    r"|familie|strom|energie|produkte)"
    r"|(?:les?|la|l'|toute?s?|chaque|tous) ?[^.!?]{0,40}?(?:mecanicien\w{0,3}|technicien\w{0,3}|equipe|atelier"
    r"|magasin|boutique"
    r"|entreprise|hotel|ingredients|pieces|produits|energie)"
    r"|(?:el|la|los|las|tod[oa]s?|cada) [^.!?]{0,40}?(?:mecanicos?|tecnicos?|equipo|taller|tienda|empresa|hotel"
    r"|personal"
    r"|ingredientes|energia|productos|habitaciones)"
    r"|(?:il|lo|la|i|gli|le|l'|tutt[ieo]|ogni) ?[^.!?]{0,40}?(?:meccanic[oi]|tecnic[oi]|squadra|officina"
    r"|negozio|azienda"
    r"|personale|hotel|ingredienti|ricambi|prodotti|energia)"
    r"|(?:de|het|elke|iedere|alle) [^.!?]{0,40}?(?:monteurs?|medewerkers?|team|winkel|zaak|werkplaats|bedrijf|familie"
    r"|onderdelen|producten|stroom|energie))\b"
)
_CUSTOMERS = re.compile(
    r"\b(?:customers?|clients?|guests?|drivers|riders|visitors|reviewers?|kund(?:en|innen)|gast[e]?n?|besucher\w{0,5}"
    r"|clientes?|cyclistes|visiteurs|huespedes|visitantes|clienti|ospiti|visitatori|klanten|gasten|bezoekers)\b"
)
_OFFERS = re.compile(
    r"\b(?:offers?|sells?|rents?|lends?|delivers?|provides?|specialis\w{1,4}|specializ\w{1,4}|trains?|repairs?"
    r"|guarantees?"
    r"|(?:an)?bieten|bietet|verkauf\w{1,3}|vermiet\w{1,3}|verleih\w{1,3}|liefer\w{1,3}|reparier\w{1,3}"
    r"|garantier\w{1,3}"
    r"|proposons|propose|vendons|vend|louons|loue|livrons|livre|fournissons|garantissons|reparons"
    r"|ofrecemos|ofrece|vendemos|vende|alquilamos|alquila|entregamos|reparamos|garantizamos|organizamos"
    r"|offriamo|offre|vendiamo|noleggiamo|noleggia|consegniamo|ripariamo|garantiamo|organizziamo"
    r"|bieden|biedt|verkopen|verkoopt|verhuren|verhuurt|leveren|levert|repareren|repareert|garanderen)\b"
)
_POLITE = frozenset(
    word[:STEM]
    for word in flatten(
        """
        thank thanks telling told sorry regret apologize apologies feedback hear hearing danke dank bedauern leid
        hinweis
        entschuldigen merci regrettons excuser gracias sentimos disculpas grazie scuse dispiace bedankt spijt excuses
        happy glad help helps look looks looking forward welcome visit questions contact call write team bring
        show find drop stop appointment advise advice answer answers wait need needs want know let tell works
        workshop shop store company business open opens close closes closed
        cost costs price prices last lasts take takes
        include includes included located start starts begin time times year years month months week weeks hour minute
        minutes euro euros percent sold three four five nine twelve today also just easy simply always come
        people person free have with that this those these from more than about every whatever whichever either both
        freuen freut gern gerne helfen hilft beraten berat fragen frage termin finden findet besuchen besuch erreichen
        kommen kommt steht stehen verfugung bitte willkommen kosten kostet dauert jahre jahr monat woche stunden tage
        geoffnet geschlossen offen uhr konnen kann durfen haben hat sind werden wird gerade auch immer nutzen bekommen
        erhalten bleibt bleiben mochten melden ruft schreiben zeigen platz gaste hunde sehen schauen laden geschaft
        macht machen seit heute gratis kostenlos kostenfrei wert ganzen genau
        accueil accueille trouver trouvez contact contacter plaisir ravis heureux aider aide conseil conseille question
        questions rendez passez passer voir appelez ecrivez sommes ouvert ouverts ferme cout coute prix dure heures
        jours mois annees depuis aussi toujours occupe occupent information bienvenue venez pouvez atelier magasin
        encantados encantado ayudar recibir recibirle esperar esperamos consultar consulte dudas duda contacto visita
        placer gusto llame llamenos escriba puede pueden abierto abre cierra cuesta precio dura horas dias meses anos
        desde tambien siempre encontrar encuentra incluido incluye dejar pagar nada coste tener tiene estar estamos
        lieti lieto aiutare aiutarla aspettare aspettiamo domande domanda contatto contattare trovare trova trovate
        visita piacere chiami chiamate scriva aperto aperti chiuso chiusi costa prezzo dura giorni mesi anni anche
        sempre siamo saremo incluso compreso nulla venire passare circa
        graag helpen helpt vragen vraag langs contact bezoek welkom verder vinden vindt afspraak adviseren bellen kunt
        kunnen terecht open gesloten kost kosten prijs duurt jaar maand weken dagen uren sinds ook altijd krijgt
        krijgen zijn hebben heeft winkel mensen niets half
        """
    ).split()
    if len(word) >= FEWEST_LETTERS
)
_NO_FACT = _POLITE | frozenset(
    flatten(word)[:STEM]
    for words in (COMMON, *FUNCTION_WORDS.values())
    for word in words
    if len(word) >= FEWEST_LETTERS
)


class KnownStems:
    """Beginnings of the words that facts are written in, and of what the company calls itself."""

    def __init__(self, material: str, own_names: str) -> None:
        self._own = stems(flatten(own_names))
        self._known = stems(flatten(material)) | self._own

    def find_unsupported(self, flat: str, claimed: str) -> tuple[int, int] | None:
        """Return `[start, end)` of what a flat sentence says of the company in words that no fact has, or None.

        `claimed` is the sentence with blanks where numbers, hours and the like are already judged. A sentence stands
        when at most half of the words that could be a fact are unknown, or fewer than two.
        """
        is_ours = self._is_ours(flat)
        if not is_ours and not _is_of_company(flat):
            return None
        words = _fact_words(claimed)
        unknown = [match for match in words if match[0][:STEM] not in self._known]
        fewest = FEWEST_OFFERED if is_ours and _OFFERS.search(flat) else FEWEST_UNKNOWN
        unknown = [match for match in unknown if not _OFFERS.fullmatch(match[0])]
        if len(unknown) < fewest or 2 * len(unknown) <= len(words):
            return None
        return unknown[0].start(), unknown[-1].end()

    def says_something(self, flat: str) -> bool:
        """Tell whether a flat sentence says anything of the company beyond courtesies."""
        return bool(_fact_words(flat)) and (self._is_ours(flat) or _is_of_company(flat))

    def _is_ours(self, flat: str) -> bool:
        return _WE.search(flat) is not None or bool(stems(flat) & self._own)


def _is_of_company(flat: str) -> bool:
    about = _COMPANY.search(flat) or _CUSTOMERS.search(flat)
    return about is not None and _READER.search(flat) is None


def _fact_words(flat: str) -> list[re.Match[str]]:
    """Return the words of a flat text that could be a fact."""
    return [
        match
        for match in _WORD.finditer(lexicon.OPENING.sub(lambda match: " " * len(match[0]), flat))
        if len(match[0]) >= FEWEST_LETTERS and match[0][:STEM] not in _NO_FACT
    ]
