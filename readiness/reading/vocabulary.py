"""Words that show what a link, a page or a line of text is about, in eight languages.

Languages: English, German, French, Spanish, Italian, Dutch, Polish, Portuguese.
"""

# ruff: noqa: E501  # one line per idea keeps the languages side by side
import re
from functools import lru_cache


def _any(*words: str) -> re.Pattern[str]:
    return re.compile(r"(?<![^\W_])(?:" + "|".join(words) + r")(?![^\W_])", re.I)


INVENTORY = _any(
    "inventory", "vehicles?", "used[ -]?cars?", "new[ -]?cars?", "cars for sale", "stock", "pre-?owned", "trucks",
    "fahrzeuge", "gebrauchtwagen", "neuwagen", "bestand", "v[ée]hicules?", "occasions?", "voitures", "coches",
    "veh[íi]culos", "inventario", "auto usate", "(?:le )?nostre (?:auto|vetture)", "veicoli", "usato", "occasions?", "voorraad", "samochody", "pojazdy",
    "ve[íi]culos", "carros", "seminovos", "fahrzeug(?:suche|angebote?|bestand|markt|b[öo]rse|pool|liste|[üu]bersicht)", "wagen(?:bestand|park)", "jahreswagen", "sofort verf[üu]gbar(?:e \\w{2,12})?",
    "vorf[üu]hrwagen", "autos", "auto's", "listings", "(?:our|all|browse|shop|view|find|search) (?:\\w{1,20} )?cars?", "parco auto", "autovoorraad",
    "parc (?:auto(?:mobile)?|occasions?)", "cars", "suvs", "vans", "bikes", "motorcycles", "lagerwagen", "lagerfahrzeuge", "motorr[äa]der", "motos",
    "ocasi[óo]n", "segunda mano", "auto (?:usate|nuove)", "moto usate", "gebraucht(?:e(?! (?:reifen|r[äa]der|felgen|\\w{0,6}teile))|autos?)", "vorf[üu]hrer", "tageszulassungen", "occasionen", "tweedehandswagens", "(?:auto )?km ?0", "aanbod", "stock ?list", "vehicle stock", "nasze (?:auta|samochody)", "auta",
    "(?:cars|vehicles|models) (?:in stock|available)", "available (?:now|cars|vehicles)", "approved used", "lagerbestand", "automarkt", "nos (?:voitures|autos)", "annonces", "coches en venta", "nuestros (?:coches|veh[íi]culos)",
    "parco (?:usato|macchine|veicoli)", "(?:auto )?in pronta consegna", "auto in vendita", "onze (?:auto['’]?s|occasions)", "auta na sprzeda[żz]", "og[łl]oszenia", "komis", "estoque", "viaturas",
)  # fmt: skip
SERVICE = _any(
    "services?", "repairs?", "maintenance", "service department", "werkstatt", "leistungen", "reparatur", "wartung",
    "entretien", "r[ée]paration", "atelier", "taller", "servicios", "reparaci[óo]n", "officina", "servizi",
    "riparazione", "werkplaats", "diensten", "onderhoud", "serwis", "us[łl]ugi", "warsztat", "servi[çc]os", "oficina",
    "detailing", "servicing", "prestations?", "werkst[äa]tten?", "dienstleistungen", "naprawy", "workshop", "after-?sales", "(?:auto|kfz|fach|meister|vertrags)werkstatt", "auto-?service",
    "was wir (?:machen|tun)", "what we do", "nos m[ée]tiers", "qu[ée] hacemos", "cosa facciamo", "wat (?:wij|we) doen", "co robimy", "aftercare", "naprawiamy", "was wir reparieren", "what we (?:fix|repair)", "ce que nous r[ée]parons", "qu[ée] reparamos", "cosa ripariamo", "wat (?:wij|we) (?:repareren|herstellen)",
    "reparaturen", "r[ée]parations", "ateliers", "m[ée]canique", "apr[èe]s-vente", "reparaciones", "talleres", "mantenimiento", "postventa",
    "riparazioni", "manutenzione", "assistenza", "reparaties?", "(?:auto)?onderhoud", "mechanika", "mec[áa]nica", "herstelling(?:en)?", "garagediensten",
    "leistungsspektrum", "(?:reifen|kfz)[ -]?service", "ce que nous faisons", "nos interventions", "qu[ée] ofrecemos", "cosa offriamo", "lavorazioni", "interventi", "werkzaamheden", "zakres (?:us[łl]ug|prac)", "co oferujemy", "o que fazemos",
)  # fmt: skip
PRICE_LIST = _any(
    "prices?", "price list", "preise?", "preis(?:liste|tabelle|[üu]bersicht|verzeichnis)", "tarifs?", "tarifas", "precios", "prezzi", "listino(?: prezzi)?", "prijzen", "tarieven",
    "cennik", "pre[çc]os", "(?:what it|(?:our|the)) costs?", "costs", "what you(?:['’]ll)? pay", "(?:was|wos) (?:kostet|kost['’]?s?)", "kosten", "combien", "cu[áa]nto (?:cuesta|vale)", "quanto (?:costa|viene)", "wat kost (?:het|dat)", "ile (?:to )?kosztuje", "quanto custa", "coupons?", "service (?:specials|coupons|offers)", "forfaits",
)  # fmt: skip
USED_INVENTORY = _any(
    "used", "pre-?owned", "gebraucht(?:e|autos?|wagen|fahrzeuge)?", "occasions?", "segunda mano", "ocasi[óo]n", "usat[oie]", "tweedehands", "u[żz]ywane",
    "seminovos",
)  # fmt: skip
NEW_INVENTORY = _any(
    "new", "neu(?:wagen|fahrzeuge)?", "neufs?", "neuves?", "nuev[oa]s?", "nuov[oaei]", "nieuwe?",
    "now[ey]", "nov[oa]s?", "km ?0",
)  # fmt: skip
NO_SERVICE = _any(
    "terms(?: and conditions)? of (?:service|use)", "terms (?:&|and) conditions", "customer service", "service (?:terms|agreement|contracts?)",
    "conditions (?:g[ée]n[ée]rales )?de service", "t[ée]rminos de(?:l)? servicio", "termini di servizio", "servicevoorwaarden", "termos de servi[çc]o",
    "nutzungsbedingungen", "regulamin(?: us[łl]ug)?", "tos", "terms",
)  # fmt: skip
SCHEDULE = _any(
    "schedul(?:e|er|ing)", "book(?:ings?)?", "appointments?", "book online", "(?<!lungo )(?<!breve )(?<!medio )\\w{0,14}termin(?:e|buchung|formular|anfrage|vereinbarung|kalender|planer)?",
    "rendez-vous", "rdv", "r[ée]server", "citas?", "reservar", "reservas?", "appuntament[oi]", "prenota(?:re|zion[ei]|ti)?", "\\w{0,14}afspra(?:ak|ken)", "um[óo]w", "wizyt[aęy]",
    "rezerwacj[aię]", "zarezerwuj", "r[ée]servations?", "reserv(?:eren|ering)", "plan (?:(?:je|uw|een|direct|nu|online) ){1,2}(?:bezoek|beurt|onderhoud|apk)",
    "agendar", "agendamento", "marca[çc][ãa]o",
)  # fmt: skip
TEST_DRIVE = _any(
    "test[ -]?drive", "(?:book|arrange|schedule) (?:a|your) (?:viewing|visit|demo)", "video viewing", "besichtigung(?:stermin)?", "bezichtiging", "probefahrt", "essai(?! routier)", "prueba de conducci[óo]n", "prova su strada", "proefrit",
    "jazda pr[óo]bna", "test[ -]?drive",
    "probefahrten?", "probe fahren", "essayer", "essais(?! routiers)", "prueba de manejo", "prueba (?:el|tu|este) coche", "prova l['’]auto", "proefritten", "jazd[ay] (?:pr[óo]bn|testow)\\w{1,2}",
)  # fmt: skip
CONTACT = _any(
    "contact(?: us)?", "kontakt(?:formular)?", "contactez", "contacto", "contatti", "contatto", "contato",
    "contactos", "get in touch", "write to us", "contacter", "[ée]crivez-nous", "cont[áa]ct(?:anos|enos)",
    "contattaci", "scrivici", "contactformulier", "skontaktuj", "napisz do nas", "enquir(?:e|y|ies)",
    "(?:reach|message|call|talk to|speak to) us", "kontaktieren(?: sie uns)?", "schreiben sie uns",
    "nous [ée]crire", "escr[íi]b[ea]nos", "ll[áa]m[ea]nos", "contattateci", "scriveteci", "fale conosco",
)  # fmt: skip
REACHING = _any(
    "e-?mail", "mail", "(?:tele)?phone", "t[ée]l(?:[ée]phone|[ée]fono)?", "telefo(?:n|on|no|ne)", "mobile", "message", "nachricht", "mensaje", "messaggio",
    "bericht", "wiadomo[śs][ćc]", "mensagem", "enquiry", "question", "comments?",
)  # fmt: skip
"""Fields in which a visitor says something, or how to be answered."""
REVIEW = _any(
    "(?:leave|write|post|submit|add) an? (?:review|reply|comment)", "your (?:review|rating)", "rating", "comments post", "bewertung (?:schreiben|abgeben)",
    "votre avis", "deja tu (?:opini[óo]n|comentario)", "lascia una recensione", "schrijf een review", "dodaj opini[ęe]",
)  # fmt: skip
"""What a form for reviews and comments says."""
FINDING = (
    "how to find us", "so (?:erreichen|finden) sie (?:uns|zu uns|her)", "ihr weg zu uns", "wegbeschreibung", "lageplan", "nous situer", "o[ùu] nous (?:trouver|situer)", "venir nous voir",
    "ven a vernos", "vis[íi]tanos", "d[óo]nde encontrarnos", "dove (?:trovarci|ci troviamo)", "vieni a trovarci", "(?:zo|hoe) vindt (?:u|je) ons", "gdzie (?:jeste[śs]my|nas znale[źz][ćc])",
)  # fmt: skip
"""How a link says that it leads to the place of a business."""
FALSE_FRIENDS = {"fr": _any("locations?")}
"""Words of a language that mean something else in a link about a place: in French it is a rental."""
HOURS = _any(
    "hours", "opening(?: hours)?", "about(?: us)?", "directions", "[öo]ffnungszeiten", "[üu]ber uns", "horaires",
    "[àa] propos", "horarios?", "sobre nosotros", "orari", "chi siamo", "openingstijden", "over ons",
    "godziny otwarcia", "o nas", "find us", "anfahrt", "hor[áa]rios?", "sobre n[óo]s", "locations?", "visit(?: us)?", "branches", "our (?:stores|dealerships|showrooms)",
    "(?:our|your|find (?:a|us|our|your)) (?:store|dealership|showroom|location|branch|garage)", "standorte?", "filialen?", "niederlassungen", "so finden sie uns", "nous trouver", "plan d['’]acc[èe]s", "nos (?:agences|concessions|garages|centres)",
    "store (?:info(?:rmation)?|details)", "where (?:we are|to find us)",
    "getting here", "how to get here", "wo wir sind", "wir [üu]ber uns", "come (?:arrivare|trovarci)", "bereikbaarheid", "routebeschrijving", "dojazd", "comment venir", "d[óo]nde estamos", "c[óo]mo llegar", "instalaciones", "ubicaci[óo]n", "dove siamo", "come raggiungerci", "(?:le nostre )?sedi", "vestigingen", "waar (?:zitten|vindt u) (?:wij|ons)",
    "jak dojecha[ćc]", "lokalizacj[aei]", "oddzia[łl]y", *FINDING,
)  # fmt: skip
PLACE_AND_TIME = _any(
    "(?:opening )?hours", "opening", "directions", "locations?", "[öo]ffnungszeiten", "anfahrt", "standorte?", "filialen?", "horaires", "horarios?", "orari", "sedi",
    "openingstijden", "vestigingen", "godziny otwarcia", "lokalizacj[aei]", "hor[áa]rios?",
    "(?:our|find a|your) (?:stores?|dealerships?|showrooms?|locations?|branch(?:es)?|garages?|workshops?)", "unsere (?:betriebe|werkst[äa]tten|autoh[äa]user)", "find us",
    "nos (?:agences|concessions|garages|centres|ateliers)", "nous trouver", "plan d['’]acc[èe]s", "nuestr[oa]s (?:talleres|centros|tiendas|concesionarios)", "d[óo]nde estamos",
    "c[óo]mo llegar", "(?:le nostre|i nostri) (?:sedi|officine|centri|punti vendita)", "dove siamo", "onze (?:vestigingen|garages|filialen)", "nasze (?:serwisy|salony|oddzia[łl]y|warsztaty)",
    "jak dojecha[ćc]", *FINDING,
)  # fmt: skip
FINANCE = _any(
    "financ(?:e|ed|ing|ial services)", "loan application", "apply for a loan", "finanz\\w{0,24}", "credit ?(?:app(?:lication)?|approval)s?", "apply for credit", "get (?:pre-?)?approved", "pre-?approval",
    "(?:payment|loan) calculator", "autokredit", "ratenrechner", "leasing", "finanzierung", "financement",
    "financiaci[óo]n", "financiar", "finanziament[oi]", "financiering", "financieren", "finanzieren", "finanziare", "finansuj", "finansowanie", "financiamentos?", "(?:car|auto|vehicle) loans?", "hire purchase", "pcp",
    "lease", "(?:auto|sofort|fahrzeug)?finanzierung(?:en|srechner)?", "kreditrechner", "financer", "cr[ée]dit(?: auto)?", "loa", "lld", "simulador", "rateale", "noleggio a lungo termine",
    "(?:auto)?lening", "(?:private|financial|operational) lease", "lenen", "kredyt\\w{0,2}", "raty", "na raty", "(?:pagamento )?a rate", "rateizza\\w{0,8}", "ways to pay", "(?:in|auf) raten", "ratenzahlung", "ratenkauf", "a plazos", "gespreid betalen",
    "payment plans?", "(?:monthly|estimate(?: (?:my|your))?|shop by|budget) payments?", "(?:affordability|budget|finance) calculator", "credit cent(?:er|re)", "(?:get |be )?pre-?qualif(?:y|ied)", "buy now,? pay later",
    "darlehen", "(?:ballon|vario|null[- ]?prozent|0[- ]?%)[ -]?finanzierung", "monatsraten?", "mensualit[ée]s?", "paiement (?:en \\d{1,2} fois|fractionn[ée])", "financez", "simul(?:er|ez|ation) (?:de |mon |votre |un )?(?:cr[ée]dit|financement)",
    "financia(?:mos)?(?: (?:tu|su|el))?", "cr[ée]ditos?", "pr[ée]stamos?", "pago aplazado", "en cuotas", "renting", "prestit[oi]", "finanzia(?:mo|ti)?", "afbetaling", "krediet", "(?:betalen )?in termijnen", "po[żz]yczk\\w{1,2}", "raty 0 ?%", "finansowani\\w{1,2}",
)  # fmt: skip
TRADE_IN = _any(
    "trade[ -]?ins?", "^trades?$", "(?:mon|votre) [ée]change", "v[ée]hicules? d['’][ée]change", "[ée]changer? (?:mon|votre|ma)", "trade (?:center|appraisal|evaluation|valuation)", "value (?:your|my) (?:trade|car|vehicle)", "trade value", "sell (?:or trade )?(?:us )?(?:your|my) (?:car|vehicle)",
    "trade (?:your|my) (?:car|vehicle)", "part[ -]?exchange", "(?:car|trade|vehicle) (?:valuation|appraisal)", "appraisal",
    "what(?:['’]s| is) my car worth", "we(?:['’]ll)? buy (?:your )?cars?", "inzahlungnahme", "(?:(?:auto|fahrzeug|pkw|gebrauchtwagen)[ -]?)?ankauf",
    "(?:auto|fahrzeug|wagen) (?:verkaufen|bewerten|abgeben|anbieten|eintauschen)", "fahrzeugbewertung", "wir kaufen", "reprise", "vend(?:re|ez) (?:ma|mon|sa|son|votre) (?:voiture|v[ée]hicule|auto)", "rachet(?:er|ons|ez)",
    "vend(?:e|er|enos) (?:tu|mi|su) (?:coche|veh[íi]culo|auto)", "vendi la tua auto", "auto verkopen", "skup(?: aut| samochod[óo]w)?", "tasamos", "tasaci[óo]n", "permut[ae]s?", "valutazione", "inruil(?:en|waarde)?", "odkup", "wycena", "eintausch\\w{0,12}", "avalia[çc][ãa]o",
    "(?:sell|value|trade) (?:us )?(?:your|my) (?:bike|motorcycle|truck|van|ev|rv)", "sell your (?:car|vehicle)", "part[ -]?ex", "vehicle value", "(?:instant|cash) offer",
    "(?:auto|fahrzeug|wagen|pkw)(?:ankauf|bewertung|verkaufen)", "in zahlung", "estim(?:er|ez|ation)(?: (?:ma|votre))?", "rachat", "repren(?:dre|ons)",
    "tas(?:a|ar) (?:tu|mi|su) coche", "valor(?:a|ar|amos) (?:tu|mi|su)", "compramos (?:tu|su)", "valut(?:a|iamo|are) (?:la tua|il tuo|la vostra|il vostro|l['’])", "valutiamo",
    "sell (?:us |to us )?yours", "sell (?:to )?us", "vendi(?:ci)? (?:la tua|il tuo)", "verkoop (?:je|uw|jouw) (?:auto|wagen)", "compriamo", "acquistiamo", "ritir(?:o|iamo)", "inruilauto", "(?:wij|we) kopen", "verkoop uw", "taxatie", "sprzedaj", "w rozliczeniu", "zamiana",
    "(?:get|claim) (?:a|an|your) (?:instant |cash |free )?offer", "we want your (?:car|vehicle)", "swap (?:your|my) (?:car|vehicle)", "free (?:car |vehicle )?valuation", "upgrade your (?:car|vehicle)",
    "altwagen\\w{0,8}", "ankaufs?(?:service|station|anfrage)", "(?:auto|wagen|fahrzeug) loswerden", "on rach[èe]te", "[ée]changez? (?:votre|ma)", "c[ée]dez", "entrega (?:tu|su) (?:coche|veh[íi]culo|usado)", "como parte de pago", "valoraci[óo]n(?: de (?:tu|su))?",
    "supervalutazione", "rottamazione", "usato in permuta", "(?:auto[ -]?)?inkoop", "auto inleveren", "(?:auto)?overname(?: van)? (?:uw|je|jouw) (?:wagen|auto|voertuig)", "overname wagen", "autoovername", "wij nemen (?:uw|je|jouw) (?:wagen|auto) over", "zamie[ńn]", "retomas?", "avaliamos (?:o seu|a sua)", "compramos (?:o seu|a sua|carros|viaturas)", "odkupi(?:my|mu)",
)  # fmt: skip
WARRANTY = _any(
    "warrant(?:y|ies)",
    "guarantees?",
    "[\\w-]{0,30}garantie[ns]?",
    "gew[äa]hrleistung",
    "garant[íi]as?",
    "garanzi[ae]",
    "gwarancj\\w{1,3}",
    "garantias?",
)
"""What a page about warranties calls itself: it names what is covered, not what is repaired."""
PRIVACY = _any(
    "privacy(?: policy)?", "datenschutz(?:erkl[äa]rung)?", "confidentialit[ée]", "privacidad", "privacidade",
    "riservatezza", "prywatno[śs]ci", "rodo", "privacybeleid", "privacyverklaring", "privacystatement", "datenschutzhinweise?", "donn[ée]es personnelles",
    "protection des donn[ée]es", "rgpd", "gdpr", "protecci[óo]n de datos", "protezione dei dati", "gegevensbescherming",
)  # fmt: skip
IDENTITY = _any(
    "imprint", "impressum", "legal notice", "legal", "terms(?: of (?:use|service))?", "mentions l[ée]gales",
    "aviso legal", "note legali", "colofon", "algemene voorwaarden", "regulamin", "termos(?: de uso)?",
    "about us", "qui sommes[ -]nous", "quem somos", "qui[ée]nes somos", "chi siamo", "company", "agb", "informations l[ée]gales", "cgv", "cgu", "conditions g[ée]n[ée]rales", "informaci[óo]n legal", "condiciones (?:generales|de uso)",
    "informazioni legali", "dati societari", "termini e condizioni", "(?:leverings)?voorwaarden", "dane firmy",
    "conditions d['’ ]?(?:utilisation|usage)", "conditions (?:of (?:use|sale)|de vente)", "terms of sale", "nutzungsbedingungen", "gesch[äa]ftsbedingungen",
    "condizioni (?:generali|d['’]uso|di vendita)", "condiciones de venta", "t[ée]rminos y condiciones", "termos e condi[çc][õo]es", "gebruiksvoorwaarden",
    "[üu]ber uns", "wir [üu]ber uns", "o nas", "over ons", "sobre nosotros", "sobre n[óo]s", "[àa] propos", "azienda", "empresa", "entreprise", "unternehmen", "terms (?:and|&) conditions", "bedrijfsgegevens", "warunki",
)  # fmt: skip
SERVICE_WORDS = (
    r"oil changes?|oil service|lube|(?:motor)?[öo]l(?:wechsel|service)\w{0,10}|vidanges?|cambios? de aceite|cambio olio|olie (?:verversen|wissel\w{0,3})|olieverversing|wymian[ay] oleju|troca de [óo]leo",
    r"brakes?|braking|brems\w{0,16}|freins?|freinage|frenos?|freni|remmen|remblokken|hamulc\w{1,3}|freios|trav[õo]es",
    r"tires?|tyres?|reifen\w{0,14}|r[äa]derwechsel|radwechsel|pneus?|pneumatiques?|neum[áa]ticos?|pneumatic[oi]|gomme|cambio gomme|banden\w{0,10}|opon\w{0,3}",
    r"(?:flats?|punctures?|tires?|tyres?) repairs?|reifenreparatur\w{0,2}|banden?reparatie|(?:r[ée]paration (?:de )?)?crevaisons?|pinchazos?|foratur[ae]|wulkanizacj\w{1,2}",
    r"(?:tires?|tyres?) rotations?|(?:wheel )?balancing|(?:aus)?wuchten|[ée]quilibrage|equilibrad[oa]|equilibratura|balanceren|wywa[żz]ani[ea]",
    r"(?:tires?|tyres?|wheels?) (?:storage|hotel)|(?:reifen|r[äa]der)?einlagerung|(?:reifen|r[äa]der)hotel|gardiennage|banden(?:opslag|hotel)|przechowaln\w{1,3}",
    r"(?:wheel )?alignments?|achsvermessung\w{0,4}|spureinstellung|g[ée]om[ée]trie|parall[ée]lisme|alineaci[óo]n|convergenza|uitlijn\w{0,4}|geometri[ai]|alinhamento",
    r"battery|batter(?:ie\w{0,10}|ies)|bater[íi]as?|batteria|(?:start|auto)?accu(?:['’]?s)?|accu(?:wissel|vervanging|test|check|service)\w{0,3}|akumulator\w{0,3}",
    r"inspections?|inspektion\w{0,6}|tagliand[oi]|przegl[ąa]d\w{0,3}|inspe[çc][ãa]o|revisi[óo]n|revisiones|r[ée]visions?|revis[ãa]o",
    r"mots?|mot tests?|state inspections?|smog(?: (?:checks?|tests?))?|emissions? tests?|hauptuntersuchung\w{0,3}|t[üu]v|pickerl|§ ?57a|mfk|hu ?[/+&] ?au|hu|abgasuntersuchung|contr[ôo]les? techniques?|itv|revision[ei]|apk(?:[ -]keuring)?|badani[ea] techniczne",
    r"transmissions?|gearbox(?:es)?|getriebe\w{0,14}|bo[îi]tes? de vitesses|cajas? de cambios|cambio automatico|versnellingsbak\w{0,4}|skrzyni\w{1,3}|c[âa]mbio",
    r"air[ -]?con(?:ditioning)?|a/c|ac (?:service|repairs?|recharge|regas)|klima\w{0,14}|climatisation|aire acondicionado|climatizzator[ei]|ricarica clima|airco\w{0,8}|klimatyzacj\w{1,2}|ar[ -]condicionado",
    r"diagnos(?:tics?|is)|diagnose\w{0,8}|fehlerdiagnose|fehlerspeicher\w{0,10}|diagnostics?|diagn[óo]sticos?|diagnosi|diagnostyk\w{1,2}",
    r"starters?|starter motors?|alternators?|(?:auto|car|vehicle) electrics?|anlasser\w{0,8}|lichtmaschinen?|auto-?elektri[kc]\w{0,4}|d[ée]marreurs?|alternateurs?|alternador(?:es)?|motor(?:es)? de arranque|motorin[oi] d['’]avviamento|alternator[ei]|startmotor(?:en)?|dynamo['’]?s?|rozrusznik\w{0,3}|elektryk\w{0,2} samochodow\w{1,2}",
    r"tow ?bars?|anh[äa]ngerkupplung\w{0,3}|attelages?|enganches? de remolque|ganci[o]? (?:di )?traino|trekha(?:ak|ken)|haki? holownicz\w",
    r"(?:lpg|gpl|glp|cng) ?(?:conversions?|umbau|umr[üu]stung|systems?)?|autogas\w{0,10}|gas conversions?|impiant[oi] (?:a )?(?:gpl|metano)|standheizung(?:en)?",
    r"exhausts?|mufflers?|auspuff\w{0,10}|[ée]chappements?|escapes?|marmitt[ae]|uitla(?:at|ten)|wydech\w{0,3}|escapamento",
    r"suspensions?|shocks|sto(?:ß|ss)d[äa]mpfer\w{0,8}|fahrwerk\w{0,10}|amortisseurs?|suspensi[óo]n|amortiguadores|sospensioni|ammortizzatori|ophanging|schokdempers|zawieszeni[ea]|suspens[ãa]o",
    r"engine (?:repairs?|diagnostics?)|motor(?:reparatur\w{0,2}|instandsetzung)?|zahnriemen\w{0,10}|steuerkette|timing belts?|cambelts?|moteur|courroie(?: de distribution)?|correa de distribuci[óo]n|motore|distribuzione|distributieriem|silnik\w{0,3}|rozrz[ąa]d\w{0,2}",
    r"collision|body ?(?:shop|work|repairs?)|unfall\w{0,14}|karosserie\w{0,12}|spengler\w{0,4}|carrosserie|chapa(?: y pintura)?|carrozzeria|schadeherstel|blacharstwo|funilaria",
    r"(?:paintless )?dent repairs?|smart ?repair|dellen\w{0,12}|d[ée]bosselage|sacabollos|uitdeuken",
    r"paint(?:work|ing|ers)?|lackier\w{0,6}|peinture|verniciatura|spuiterij|lakiernictwo",
    r"chip repairs?|steinschlagreparatur\w{0,2}|r[ée]parations? d['’]impacts?|reparaci[óo]n de impactos?|sterreparatie|napraw\w{1,2} odprysk\w{0,3}",
    r"(?:side|rear|door|quarter)(?: (?:and|&) (?:side|rear|door|quarter))? (?:glass|windows?|screens?)|(?:seiten|heck)scheiben?|vitres? lat[ée]rales?|lunas? (?:lateral(?:es)?|traseras?)|lunott[oi]|(?:zij|achter)ruit\w{0,2}",
    r"adas|(?:camera|kamera)-?(?:calibrations?|kalibrierung\w{0,2})|calibrage|calibra(?:do|ci[óo]n)|calibrazione|kalibratie|kalibracj\w{1,2}",
    r"wind(?:shields?|screens?)|auto glass|glass repairs?|autoglas\w{0,8}|glas(?:reparatur|schaden|austausch)\w{0,3}|scheiben\w{0,12}|steinschlag\w{0,10}|pare-brise|parabrisas|parabrezza|voorruit\w{0,4}|szyb[ya]|p[áa]ra-brisas",
    r"(?:car|hand) wash(?:es)?|autow[äa]sche|lavages?|lavados?|lavaggi[oi]?|autowassen|wasstraat|mycie|lavagem",
    r"detailing|(?:full|express|mini|auto|car) details?|valet(?:ing)?|(?:fahrzeug)?aufbereitung\w{0,4}|poetsen|pr[ée]paration esth[ée]tique",
    r"(?:interior|upholstery|seat) (?:clean(?:ing)?|detail(?:s|ing)?|shampoo\w{0,3})|steam clean(?:ing)?|innenreinigung|nettoyage int[ée]rieur|limpieza (?:de )?(?:interior|tapicer[íi]a)\w{0,2}|interieurreiniging|pulizia interni|czyszczenie tapicerki",
    r"ceramic coatings?|paint protection(?: film)?|ppf|keramik(?:versiegelung|beschichtung)|c[ée]ramique|cer[áa]mico|ceramico|powłoka ceramiczna",
    r"(?:machine )?polish(?:es|ing)?|paint correction|wax(?:es|ing)?|polijsten|politur\w{0,4}|lustrage|pulido|lucidatura|polerowanie",
    r"tune[ -]?ups?|towing|breakdown|recovery|abschlepp\w{0,8}|pannen\w{0,6}|d[ée]pannage|remorquage|gr[úu]a|soccorso(?: stradale)?|pechhulp|holowanie|pomoc drogowa|guincho",
    r"(?:full|interim|logbook|major|minor) service|scheduled maintenance|fluid (?:checks?|flush(?:es)?)|coolant|filters?|wartung\w{0,10}|jahresservice|entretien|mantenimiento|manutenzione|onderhoudsbeurt\w{0,3}|kleine beurt|grote beurt",
)  # fmt: skip
SERVICES = tuple(re.compile(rf"(?<![^\W_])(?:{words})(?![^\W_])", re.I) for words in SERVICE_WORDS)


@lru_cache(maxsize=32)  # several checks ask the same pages of one site
def services_named(text: str) -> tuple[str, ...]:
    """Return the words for each service that a text names, at most one a service, in the order of the list."""
    return tuple(match[0] for pattern in SERVICES if (match := pattern.search(text)))


WORKSHOP = _any(
    "(?:auto|car|truck|brake|muffler|tire|tyre|collision)s? (?:repairs?|service|servicing|center|centre|shop)", "body ?shop", "mechanics?", "mots?", "garage services?",
    "(?:auto|kfz|kraftfahrzeug|meister|karosserie)?-?werkst[aä]tt(?:e|en)?", "(?:kfz|karosserie|lackier)\\w{0,12}(?:betrieb|service)", "reifen(?:service|handel|dienst)",
    "garage (?:auto(?:mobile)?|m[ée]canique)", "garagiste", "centre auto", "carrosserie", "r[ée]paration auto\\w{0,6}", "taller(?: mec[áa]nico)?", "mec[áa]nico",
    "officina", "autofficina", "gommista", "carrozzeria", "autogarage", "garagebedrijf", "autobedrijf en garage", "bandencentrum", "autoherstel",
    "mechanik(?: samochodowy)?", "warsztat(?: samochodowy)?", "auto[ -]?serwis", "serwis samochodowy", "wulkanizacja", "oficina mec[âa]nica",
)  # fmt: skip
"""What a business that repairs cars calls itself."""
DEALER = _any(
    "autoh(?:aus|[äa]user)", "autobedrijf", "autohande?l\\w{0,5}", "autosalon", "(?:car|auto|truck|van|motorcycle|vehicle)s? (?:dealer(?:ship)?s?|sales)",
    "dealership", "(?:used|new|pre-?owned) (?:cars|vehicles|trucks)", "gebrauchtwagen", "concessionn?aires?", "concesionarios?", "concession[àa]ri[ao]",
    "dealer samochodowy", "komis samochodowy", "stand de autom[óo]veis", "occasions",
)  # fmt: skip
"""What a business that sells cars calls itself."""
SPECIALIST = _any(
    "specialists?",
    "spezialist(?:en)?",
    "sp[ée]cialistes?",
    "especialistas?",
    "specialist[aie]",
    "specjali[śs]\\w{1,3}",
)
"""Behind a make, what a workshop calls itself: `Independent Subaru Specialists`."""
MOBILE = _any(
    "mobile (?:\\w{2,12} )?(?:mechanics?|services?|detail(?:ing|ers?)|ty?i?res?|tyre fitting|valet(?:ing)?|repairs?|glass)", "(?:we|that) (?:come|drive|travel)s? to you",
    "com(?:es?|ing) to your? (?:home|door|drive(?:way)?|office|place|location)", "mobiler? (?:service|werkstatt|mechaniker|aufbereitung|reifenservice)",
    "kommen zu ihnen", "[àa] domicile", "a domicilio", "aan huis", "op locatie", "z dojazdem", "u klienta", "ao domic[íi]lio",
)  # fmt: skip
"""How a business says that it comes to its customers."""
SPECIAL = _any(
    "car wash", "autow[äa]sche", "detailing", "auto glass", "autoglas", "mobile (?:\\w{2,12} )?(?:mechanics?|services?|detail(?:ing|ers?)|ty?i?res?|valet(?:ing)?)",
    "car rental", "rental cars?", "autovermietung", "location de voitures", "alquiler de coches", "autonoleggio",
    "vehicle inspections?", "smog check",
)  # fmt: skip
ESTIMATE = _any(
    "(?:free )?(?:estimates?|quotes?|quotations?)", "kostenvoranschl[äa]ge?", "angebot (?:anfordern|einholen)", "(?:schriftliches|unverbindliches) angebot", "devis",
    "presupuestos?", "preventiv[oi]", "offertes?", "prijsopgave", "prijsindicatie", "wycen[aęy]", "kosztorys", "or[çc]amentos?",
)  # fmt: skip
COVERAGE = _any(
    "(?:service|serving) area", "areas? (?:we )?serve[ds]?", "we (?:come|drive) to you", "within \\d+ (?:miles|km|kilometers)",
    "(?:all|most) makes", "makes (?:and models )?we service", "alle marken", "einzugsgebiet", "toutes marques",
    "todas las marcas", "tutte le marche", "alle merken", "wszystkie marki", "todas as marcas", "radius",
)  # fmt: skip
SERVICE_HOURS = _any(
    "service hours", "sales (?:and|&) service(?: hours)?", "service department hours", "werkstattzeiten",
    "werkst[äa]ttenzeiten", "service[ -]?zeiten", "horaires (?:de l')?atelier", "horario (?:del )?taller", "orari officina",
    "werkplaats openingstijden", "godziny serwisu",
)  # fmt: skip
FUEL = _any(
    "gas(?:oline)?", "petrol", "diesel", "unleaded", "fuels?", "benzin", "kraftstoffe?", "essence", "gazole", "carburants?",
    "gasolina", "gas[óo]leo", "benzina", "gasolio", "brandstof", "benzine", "paliw\\w{1,3}", "per (?:gallon|lit(?:er|re))",
)  # fmt: skip
PRICE_ON_REQUEST = _any(
    "(?:call|ring|phone|ask|email|text|inquire|enquire|contact (?:us|dealer)) (?:us )?for (?:(?:a|our|the|best|internet|today['’]s|latest|your) ){0,2}(?:price|pricing|quote)",
    "price (?:up)?on (?:request|application|enquiry)", "poa", "p\\.o\\.a\\.?", "(?:request|get|unlock|reveal) (?:(?:a|our|the|best|your|e-?) ?){0,2}(?:price|quote)",
    "preis(?::| ist)? auf anfrage", "preis (?:bitte )?anfragen", "prix(?: ?:| est)? (?:sur demande|(?:nous )?consulter)", "prix sur devis", "precio(?: ?:)? (?:a consultar|bajo consulta)", "consultar? (?:el )?precio",
    "prezzo(?: ?:)? (?:su richiesta|da concordare)", "trattativa (?:riservata|in sede)", "prijs(?: ?:)? op aanvraag", "cena(?: ?:)? (?:na zapytanie|na telefon|do uzgodnienia|do negocjacji)", "zapytaj o cen[ęe]",
    "o cen[ęe] (?:prosz[ęe] |mo[żz]na |najlepiej )?(?:pyta[ćj]\\w{0,4}|zapyta[ćj]\\w{0,4})", "(?:fragen|rufen) sie (?:uns )?(?:bitte )?nach dem preis", "preis (?:nach|in) (?:absprache|vereinbarung|r[üu]cksprache)",
    "appelez(?:-nous)? pour (?:le|conna[îi]tre le) prix", "prix [àa] d[ée]battre", "(?:pregunt[ae](?:nos)?|consult[ae](?:nos)?) (?:por )?el precio", "chied(?:i|ere|eteci|ici) (?:il )?prezzo", "prijs in overleg", "vraag (?:ons )?(?:naar )?de prijs",
    "sob consulta",
)  # fmt: skip
MONTHLY = _any(
    "per month", "/ ?mo(?:nth)?", "monatlich", "par mois", "al mes", "al mese", "per maand", "miesi[ęe]cznie"
)
SCHEDULE_FRAME = re.compile(rf"{SCHEDULE.pattern}|agenda|calend[ae]|kalend[ae]r|resa\b|planning", re.I)
"""What the address of a frame on a page for booking says where the frame is a book of appointments."""
MAP_HOSTS = ("maps.google.", "goo.gl/maps", "maps.app.goo.gl", "maps.apple.com", "openstreetmap.org",
             "bing.com/maps", "waze.com", "what3words.com", "w3w.co", "mappy.com", "viamichelin.", "wego.here.com",
             "share.here.com", "targeo.pl", "mapy.cz", "mapy.com")  # fmt: skip
GOOGLE_MAP = re.compile(r"(?<![a-z0-9-])google(?:\.[a-z]{2,3}){1,2}/maps", re.I)
"""A map of Google's under any country's name."""
SCHEDULERS = (
    "xtime.com", "xtime.app", "mykaarma.com", "tekion.com", "cdk.com", "dealer-fx.com", "autoloop.com", "shopmonkey.io", "shopmonkey.com",
    "tekmetric.com", "shopmonkey.cloud", "shop-ware.com", "autovitals.com", "vagaro.com", "schedulicity.com", "fresha.com", "getjobber.com", "zenbooker.com", "cal.com", "calendly.com", "squareup.com", "square.site", "acuityscheduling.com", "setmore.com",
    "autoops.com", "steercrm.com", "kukui.com", "schedulerplus.com", "simplybook.me", "planity.com", "werkstars.de",
    "fairgarage.de", "timify.com", "etermin.net", "terminland.de", "bookmygarage.com", "garagehive.co.uk", "vroomly.com", "idgarages.com",
    "clicrdv.com", "booksy.com", "reservio.com", "bookinglayer.com", "housecallpro.com", "urable.com",
)  # fmt: skip
MAKES = _any(
    "acura", "alfa romeo", "aston martin", "audi", "bentley", "bmw", "buick", "byd", "cadillac", "chevrolet", "chevy",
    "chrysler", "citro[ëe]n", "cupra", "dacia", "dodge", "ferrari", "fiat", "ford", "genesis", "gmc", "harley-davidson",
    "honda", "hyundai", "infiniti", "isuzu", "jaguar", "jeep", "kia", "lamborghini", "land rover", "lexus", "lincoln",
    "lotus", "lucid", "maserati", "mazda", "mclaren", "mercedes(?:-benz)?", "mg", "mini", "mitsubishi", "nissan",
    "opel", "peugeot", "polestar", "porsche", "ram", "renault", "rivian", "rolls-royce", "saab", "seat", "[šs]koda",
    "smart", "subaru", "suzuki", "tesla", "toyota", "vauxhall", "volkswagen", "volvo", "vw", "yamaha", "kawasaki", "ducati",
    "royal enfield", "triumph", "ktm", "aprilia", "moto guzzi", "husqvarna", "hymer", "knaus", "b[üu]rstner", "westfalia", "p[öo]ssl", "weinsberg", "dethleffs", "adria", "carado", "carthago", "chausson", "benimar",
    "elddis", "winnebago", "jayco", "airstream", "freightliner", "kenworth", "peterbilt", "scania", "iveco", "daf", "western star", "piaggio", "vespa",
)  # fmt: skip
YEAR = re.compile(r"(?<!\d)(?<!\d{4}[-–])(?:19[5-9]\d|20[0-4]\d)(?!\d)(?!\s?[-–]\s?(?:19|20)\d\d(?!\d))")
"""A year; `2016-2021` are those that a part fits."""
AUTOMOTIVE = re.compile(
    r"\b(?:auto(?:s|haus|mobil\w{0,4}|motive|bedrijf)?|cars?|vehicles?|motors?|garage|t[iy]res?|kfz|fahrzeuge?|werkstatt"
    r"|voitures?|coches?|taller|officina)\b",
    re.I,
)
"""Words for vehicle businesses, in the supported languages."""
