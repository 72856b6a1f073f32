"""How German and Dutch say that nothing is known of a name; the words are folded, so without umlauts."""

from analytics.matching.absences.grammar import AbsenceGrammar

_DE_EVIDENCE = (
    "(?:informationen|information|infos?|angaben|daten|ergebnisse?|treffer|hinweise?|details|eintrage?|bewertungen|erwahnung(?:en)?"
    "|quellen?|belege?|nachweise?|spur(?:en)?|anhaltspunkte?|suchergebnisse|berichte?|erkenntnisse|kenntnisse?|resultate|fundstellen?|rezensionen)"
)
_DE_NO = "(?:keine|keinerlei|kein|keinen|kaum|nur wenige|nur wenig|nicht genugend|zu wenig)"
_DE_ADJECTIVE = (
    "(?: (?:weiteren|weitere|konkreten|konkrete|verlasslichen|verlassliche|offentlich|zuganglichen|zugangliche|verfugbaren|verfugbare|genauen|genaue"
    "|zuverlassigen|zuverlassige|offentlichen|aktuellen|aktuelle|spezifischen|spezifische|naheren|nahere|relevanten|relevante|passenden|passende"
    "|eindeutigen|belastbaren|ausreichenden|gesicherten|unabhangigen|brauchbaren|einzigen|direkten|oder)){0,4}"
)
_DE_ABOUT = (
    "(?:uber|zu|zum|zur|fur|von|vom|bezuglich|hinsichtlich|betreffend|im zusammenhang mit|mit bezug auf)"
)
_DE_SOURCES = "(?:quellen?|ergebnissen?|suchergebnissen?|treffern?|artikeln?|seiten|texten?|dokumenten?|listen|berichten?|trefferliste|suche|datenbank|trainingsdaten|links|fundstellen)"
_DE_MENTION = "(?:nennt|nennen|erwahnt|erwahnen|listet|listen|fuhrt|fuhren|enthalt|enthalten|beinhaltet|beinhalten|beschreibt|behandelt|zeigt|zeigen|verweist auf|verweisen auf|erwahnte|nannte|kennt|auffuhrt)"
_DE_VERB = "(?:gefunden|finden|vor|verfugbar|vorhanden|bekannt|vorliegen|auf|verifizieren|bestatigen|ausfindig|ermitteln|entdecken)"

_DE_KNOWN = "(?! (?:[a-z]{1,15} ){0,2}(?:kosten|gebuhren|mangel|problem|probleme|beschwerden?|nachteile?|fehler|kritik|bessere[a-z]{0,2}))"
"""What is not found is something of a known name."""

GERMAN = AbsenceGrammar(
    language="de",
    triggers=("kein", "nicht", "nie", "unbekannt", "nirgends", "wenig", "kaum", "fehl", "ohne "),
    before=(
        rf"{_DE_NO}{_DE_ADJECTIVE} {_DE_EVIDENCE}(?: (?:und|oder|,) {_DE_EVIDENCE})?(?: {_DE_VERB})? {_DE_ABOUT}",
        r"nichts(?: (?:konkretes|verlassliches|naheres|genaues|relevantes|spezifisches|weiteres|brauchbares))?(?: (?:gefunden|bekannt|herausgefunden))? (?:uber|zu|zum|zur)",
        rf"kein(?:e|er|es)?(?: (?:der|dieser|meiner|von den|einzige|einziger|der von mir))?(?: [a-z]{{1,15}}){{0,3}} ?{_DE_SOURCES}(?: [a-z]{{1,15}}){{0,4}} {_DE_MENTION}",
        r"(?:noch )?nie(?: etwas)? von",
        r"nicht(?: naher)? mit(?= )",
        r"(?:ohne(?: jede| eine)? (?:erwahnung|nennung)|keinen? (?:unternehmen|marke|firma|anbieter|handler)) (?:von|namens|mit dem namen)",
        r"kein(?:e|en)? (?:unternehmen|marke|firma|anbieter|handler|geschaft|laden|shop|produkt|dienst)(?: (?:namens|mit dem namen|unter dem namen|mit namen))",
    ),
    after=(
        r" (?:ist|sind|war|sagt)(?: [a-z]{1,12}){0,3} (?:nicht (?:bekannt|gelistet|verzeichnet|aufgefuhrt|auffindbar|erwahnt|enthalten|vertreten|dabei|zu finden|vertraut|gelaufig)|unbekannt|kein begriff|nichts(?: |[.,]|$))",
        r" (?:wird|werden|wurde)(?: [a-z]{1,12}){0,3} (?:nicht|nirgends|nirgendwo|in keine[rnm]?(?: der| meiner| dieser)?(?: [a-z]{1,15}){0,3})(?: [a-z]{1,15}){0,3} (?:erwahnt|genannt|gelistet|aufgefuhrt|gefunden|aufgelistet|beschrieben|behandelt|gefuhrt)",
        r" (?:taucht|tauchen|kommt|kommen|erscheint|steht|findet sich)(?: [a-z]{1,12}){0,3} (?:nicht|nirgends|nirgendwo|in keine[rnm]?)(?: [a-z]{1,15}){0,4}(?: (?:auf|vor))?(?: |[.,]|$)",
        rf" (?:konnte|konnten|kann|habe|haben)(?: (?:ich|wir|man|leider|hier|jedoch|aber)){{0,3}}(?: (?:in|bei|unter|auf)(?: [a-z]{{1,15}}){{1,4}})?(?: (?:leider|jedoch))? (?:nicht|nichts|nirgends|in keine[rnm]?|keine?n?){_DE_KNOWN}(?: [a-z]{{1,15}}){{0,5}} (?:gefunden|finden|verifizieren|bestatigen|ausfindig|ermitteln|entdecken|identifizieren)",
        r" (?:habe|haben|hatte|hatten)(?: (?:ich|wir|bisher|bislang|leider|zuvor)){0,3} (?:noch )?(?:nie|niemals|nichts|nie etwas)(?: [a-z]{1,12}){0,2} (?:gehort|gelesen|mitbekommen|vernommen)",
        r" (?:liess|liessen|lasst|lassen) sich(?: [a-z]{1,15}){0,4} (?:nicht|nichts|nirgends|keine?[rnm]?)(?: [a-z]{1,15}){0,4} (?:verifizieren|finden|bestatigen|ermitteln|belegen|nachweisen|identifizieren|auffinden|zuordnen|uberprufen)",
        r" (?:kenne|kennen|erkenne)(?: (?:ich|wir|leider)){0,2} (?:leider )?nicht",
        r" (?:leider |mir )?nicht(?: [a-z]{1,12}){0,2}(?:[.,]| (?:gefunden|finden|bekannt)|$)(?<!nicht so)",
        r"(?: leider| hier)? (?:nirgends|nirgendwo|in keine[rnm]?)(?: [a-z]{1,15}){0,4} (?:gefunden|finden|entdecken|entdeckt|auffindbar|zuordnen|einordnen|verzeichnet)",
        rf"(?: [a-z]{{1,12}}){{0,2}} (?:liegen|liegt|finden|findet|gibt|habe|existieren|lassen|stehen|besitze)(?: (?:es|ich|wir|mir|uns|sich|leider|derzeit|aktuell|hier|in|den|der|meinen|daten|quellen|ergebnissen|zu|zur|verfugung)){{0,6}} (?:{_DE_NO}{_DE_ADJECTIVE} {_DE_EVIDENCE}|nichts)",
        r" (?:existiert|gibt es)(?: [a-z]{1,12}){0,2} nicht",
        r" fehlt in",
        r" (?:sagt mir|ist mir)(?: leider)? (?:nichts|nicht|kein begriff|unbekannt)",
    ),
    nothing=(
        rf"(?:leider |aber |jedoch )?(?:(?:wurden |ich (?:habe|konnte) |es (?:gibt|wurden|liegen)(?: mir)? |habe ich |konnte ich |liegen mir |wurde )(?:leider )?)?"
        rf"(?:{_DE_NO}{_DE_ADJECTIVE} {_DE_EVIDENCE}(?: (?:dazu|daruber|hierzu))?(?: {_DE_VERB}|[.)]|$| (?:werden|konnen))|nichts(?: [a-z]{{1,15}}){{0,2}} (?:gefunden|finden|bekannt|vor)|nicht (?:gefunden|bekannt|auffindbar|gelistet|erwahnt)"
        rf"|unbekannt(?:[.)]|$)|(?:kenne|sagt mir|ist mir)(?: ich)?(?: leider)? (?:nicht|nichts))"
    ),
    lead="zu|zum|zur|uber|bezuglich|hinsichtlich|was|nach|betreffend|gesucht nach|von",
    fill=(
        "der|die|das|dem|den|des|ein|eine|einem|einer|einen|firma|unternehmen|marke|namens|handler|anbieter|geschaft|shop|laden|dienst|produkt"
        "|genannt|sogenannten?|mit dem namen|hersteller|agentur|hotel|restaurant|konkret|speziell|namentlich|irgendeine[rmn]?"
    ),
    listing="und|oder|noch|sowie|bzw",
    aside="hingegen|dagegen|jedoch|allerdings|leider|wiederum|meines wissens",
    hedge="falls|wenn|vielleicht|moglicherweise|konnte|konnten|eventuell|unklar|bitte|ob|sollte|vermutlich",
)

_NL_EVIDENCE = "(?:informatie|info|gegevens|resultaten|data|details|vermelding(?:en)?|reviews|recensies|beoordelingen|bronnen|bron|spoor|sporen|aanwijzing(?:en)?|zoekresultaten|bewijs|verwijzing(?:en)?|kennis)"
_NL_ADJECTIVE = "(?: (?:betrouwbare|specifieke|publiek|openbare|beschikbare|concrete|verdere|duidelijke|relevante|recente|enkele|directe|nadere|officiele|bruikbare|voldoende|openbaar)){0,4}"
_NL_NO = "(?:geen|nauwelijks|weinig|onvoldoende)"
_NL_ABOUT = "(?:over|van|voor|met betrekking tot|omtrent|betreffende|bij|inzake)"
_NL_SOURCES = "(?:bronnen|bron|resultaten|zoekresultaten|artikelen|artikel|pagina's|lijsten|documenten|teksten|gegevens)"
_NL_MENTION = "(?:noemt|noemen|vermeldt|vermelden|bevat|bevatten|toont|tonen|beschrijft|beschrijven|verwijst naar|verwijzen naar|lijst)"

DUTCH = AbsenceGrammar(
    language="nl",
    triggers=("geen", "niet", "niets", "nooit", "onbekend", "nergens", "weinig", "nauwelijks"),
    before=(
        rf"{_NL_NO}{_NL_ADJECTIVE} {_NL_EVIDENCE}(?: (?:kunnen )?(?:vinden|gevonden|beschikbaar|bekend|terugvinden))? {_NL_ABOUT}",
        r"niets(?: (?:concreets|specifieks|betrouwbaars))?(?: (?:vinden|gevonden|bekend|kunnen vinden|terugvinden))? (?:over|bij|van)",
        rf"geen(?: (?:enkele|van de|van deze|der|van mijn|een van de))?(?: [a-z]{{1,15}}){{0,2}} ?{_NL_SOURCES}(?: [a-z]{{1,15}}){{0,4}} {_NL_MENTION}",
        r"(?:nog )?nooit(?: gehoord)? van",
        r"niet (?:bekend|vertrouwd) met",
        r"geen (?:bedrijf|merk|winkel|firma|aanbieder|zaak|product)(?: (?:genaamd|met de naam|met die naam))",
        r"(?:kan|kon|heb|hebben)(?: ik| we)?(?: helaas)? geen",
    ),
    after=(
        r" (?:is|zijn|zegt)(?: [a-z]{1,12}){0,3} (?:niet (?:bekend|vermeld|gevonden|terug te vinden|opgenomen|te vinden|genoemd|vertrouwd)|onbekend|niets(?: |[.,]|$))",
        r" (?:wordt|worden|werd)(?: [a-z]{1,12}){0,3} (?:niet|nergens|in geen(?: enkele)?(?: van de)?)(?: [a-z]{1,15}){0,4} (?:genoemd|vermeld|gevonden|besproken|gelijst|opgenomen|beschreven)",
        r" (?:komt|komen|staat|staan|verschijnt|duikt)(?: [a-z]{1,12}){0,2} (?:niet|nergens|in geen)(?: [a-z]{1,15}){0,4}(?: (?:voor|op|vermeld))?(?: |[.,]|$)",
        r" (?:kon|kan|heb|konden|hebben)(?: (?:ik|we|wij|helaas)){0,2}(?: (?:in|bij|op)(?: [a-z]{1,15}){1,3})? (?:niet|niets|nergens|geen)(?: [a-z]{1,15}){0,4} (?:vinden|gevonden|terugvinden|verifieren|bevestigen)",
        r" (?:ken|herken|kennen)(?: (?:ik|we|wij)){0,1} (?:helaas )?niet",
        r" niet(?:[.,]|$| (?:gevonden|vinden|terugvinden))",
        r"(?: helaas| hier)? (?:nergens|in geen(?: enkele)?)(?: [a-z]{1,15}){0,4} (?:gevonden|vinden|terugvinden|traceren|tegengekomen|thuisbrengen|plaatsen|vermeld)",
        rf" (?:heb|is|zijn|bestaat|bestaan|vond|vind)(?: (?:ik|er|helaas|mij|over|we)){{0,3}} {_NL_NO}{_NL_ADJECTIVE} {_NL_EVIDENCE}",
        r" (?:zegt me|zegt mij) niets",
        r" bestaat(?: [a-z]{1,12}){0,2} niet",
    ),
    nothing=(
        rf"(?:helaas |maar )?(?:(?:ik (?:heb|kon|vond) |er (?:is|zijn|werden) |kon ik |heb ik )(?:helaas )?(?:over (?:dit|deze) [a-z]{{1,12}} )?)?"
        rf"(?:{_NL_NO}{_NL_ADJECTIVE} {_NL_EVIDENCE}(?: (?:gevonden|vinden|beschikbaar|bekend|hierover)|[.)]|$)|niets (?:gevonden|vinden|over)|niet (?:gevonden|bekend|vermeld|vinden)|onbekend(?:[.)]|$))"
    ),
    lead="over|wat betreft|wat|naar|aangaande|met betrekking tot|gezocht naar",
    fill="enig|enige|enkel|welk|de|het|een|deze|dit|dat|bedrijf|merk|winkel|firma|genaamd|zaak|aanbieder|product|dienst|met de naam|dealer|die",
    listing="en|of|noch|en/of",
    aside="daarentegen|echter|helaas|voor zover ik weet|op zijn beurt",
    hedge="als|misschien|mogelijk|wellicht|indien|kan|zou|onduidelijk|of|graag",
)
