"""Words that tell what a link, a page or a line of text is about, in eight languages.

Languages: English, German, French, Spanish, Italian, Dutch, Polish, Portuguese.
"""

# ruff: noqa: E501  # one line per idea keeps the languages side by side
import re


def _any(*words: str) -> re.Pattern[str]:
    return re.compile(r"(?<![^\W_])(?:" + "|".join(words) + r")(?![^\W_])", re.I)


INVENTORY = _any(
    "inventory", "vehicles?", "used[ -]?cars?", "new[ -]?cars?", "cars for sale", "stock", "pre-?owned", "trucks",
    "fahrzeuge", "gebrauchtwagen", "neuwagen", "bestand", "v[ée]hicules?", "occasions?", "voitures", "coches",
    "veh[íi]culos", "inventario", "auto usate", "veicoli", "usato", "occasions?", "voorraad", "samochody", "pojazdy",
    "ve[íi]culos", "carros", "seminovos",
)  # fmt: skip
SERVICE = _any(
    "services?", "repairs?", "maintenance", "service department", "werkstatt", "leistungen", "reparatur", "wartung",
    "entretien", "r[ée]paration", "atelier", "taller", "servicios", "reparaci[óo]n", "officina", "servizi",
    "riparazione", "werkplaats", "diensten", "onderhoud", "serwis", "us[łl]ugi", "warsztat", "servi[çc]os", "oficina",
    "detailing",
)  # fmt: skip
SCHEDULE = _any(
    "schedule", "book(?:ing)?", "appointments?", "book online", "termin(?:buchung)?", "terminvereinbarung",
    "rendez-vous", "prendre rdv", "cita", "reservar", "appuntamento", "prenota", "afspraak", "um[óo]w", "wizyta",
    "agendar", "agendamento", "marca[çc][ãa]o",
)  # fmt: skip
TEST_DRIVE = _any(
    "test[ -]?drive", "probefahrt", "essai", "prueba de conducci[óo]n", "prova su strada", "proefrit",
    "jazda pr[óo]bna", "test[ -]?drive",
)  # fmt: skip
CONTACT = _any(
    "contact(?: us)?", "kontakt", "contactez", "contacto", "contatti", "contatto", "contato", "contactos"
)
HOURS = _any(
    "hours", "opening(?: hours)?", "about(?: us)?", "directions", "[öo]ffnungszeiten", "[üu]ber uns", "horaires",
    "[àa] propos", "horarios?", "sobre nosotros", "orari", "chi siamo", "openingstijden", "over ons",
    "godziny otwarcia", "o nas", "hor[áa]rios?", "sobre n[óo]s", "locations?",
)  # fmt: skip
FINANCE = _any(
    "financ(?:e|ing)", "credit application", "payment calculator", "leasing", "finanzierung", "financement",
    "financiaci[óo]n", "finanziamento", "financiering", "finansowanie", "financiamento",
)  # fmt: skip
TRADE_IN = _any(
    "trade[ -]?in", "value your (?:trade|car)", "sell (?:us )?your car", "appraisal", "inzahlungnahme", "ankauf",
    "reprise", "tasaci[óo]n", "permuta", "valutazione", "inruil(?:en)?", "odkup", "wycena", "avalia[çc][ãa]o",
)  # fmt: skip
PRIVACY = _any(
    "privacy(?: policy)?", "datenschutz(?:erkl[äa]rung)?", "confidentialit[ée]", "privacidad", "privacidade",
    "riservatezza", "prywatno[śs]ci", "privacybeleid", "privacyverklaring",
)  # fmt: skip
IDENTITY = _any(
    "imprint", "impressum", "legal notice", "legal", "terms(?: of (?:use|service))?", "mentions l[ée]gales",
    "aviso legal", "note legali", "colofon", "algemene voorwaarden", "regulamin", "termos(?: de uso)?",
    "about us", "company",
)  # fmt: skip
SERVICE_WORDS = (
    r"oil change|lube|[öo]lwechsel|vidange|cambio de aceite|cambio olio|olie verversen|olieverversing|wymiana oleju|troca de [óo]leo",
    r"brakes?|bremsen?|freins?|frenos|freni|remmen|hamulce|freios|trav[õo]es",
    r"tires?|tyres?|reifen|pneus?|neum[áa]ticos|pneumatici|gomme|banden|opony",
    r"alignment|achsvermessung|g[ée]om[ée]trie|alineaci[óo]n|convergenza|uitlijnen|geometria|alinhamento",
    r"battery|batter(?:ie|ies)|bater[íi]as?|batteria|accu|akumulator",
    r"inspections?|hauptuntersuchung|contr[ôo]le technique|itv|revisione|apk|przegl[ąa]d|inspe[çc][ãa]o",
    r"transmission|getriebe|bo[îi]te de vitesses|caja de cambios|cambio automatico|versnellingsbak|skrzynia|c[âa]mbio",
    r"air conditioning|a/c|klima(?:service|anlage)?|climatisation|aire acondicionado|climatizzatore|airco|klimatyzacja|ar[ -]condicionado",
    r"diagnostics?|diagnose|diagnostic|diagn[óo]stico|diagnosi|diagnostyka",
    r"exhaust|auspuff|[ée]chappement|escape|marmitta|uitlaat|wydech|escapamento",
    r"suspension|fahrwerk|suspensi[óo]n|sospensioni|ophanging|zawieszenie|suspens[ãa]o",
    r"engine repair|motor(?:reparatur)?|moteur|motore|silnik",
    r"collision|body ?shop|karosserie|carrosserie|chapa y pintura|carrozzeria|blacharstwo|funilaria",
    r"windshield|windscreen|auto glass|glass repair|autoglas|pare-brise|parabrisas|parabrezza|voorruit|szyby|p[áa]ra-brisas",
    r"car wash|hand wash|autow[äa]sche|lavage|lavado|lavaggio|autowassen|mycie|lavagem",
    r"detailing|ceramic coating|polishing|interior cleaning|aufbereitung|polijsten|politur",
    r"tune[ -]?up|towing|abschlepp|remorquage|gr[úu]a|soccorso|holowanie|guincho",
)  # fmt: skip
SERVICES = tuple(re.compile(rf"(?<![^\W_])(?:{words})(?![^\W_])", re.I) for words in SERVICE_WORDS)
SPECIAL = _any(
    "car wash", "autow[äa]sche", "detailing", "auto glass", "autoglas", "mobile (?:mechanic|service|detailing|tyres?)",
    "car rental", "rental cars?", "autovermietung", "location de voitures", "alquiler de coches", "autonoleggio",
    "vehicle inspections?", "smog check",
)  # fmt: skip
ESTIMATE = _any(
    "(?:free )?(?:estimates?|quotes?)", "kostenvoranschlag", "angebot anfordern", "devis", "presupuesto", "preventivo",
    "offerte", "wycena", "or[çc]amento",
)  # fmt: skip
COVERAGE = _any(
    "(?:service|serving) area", "areas? (?:we )?serve[ds]?", "we (?:come|drive) to you", "within \\d+ (?:miles|km|kilometers)",
    "(?:all|most) makes", "makes (?:and models )?we service", "alle marken", "einzugsgebiet", "toutes marques",
    "todas las marcas", "tutte le marche", "alle merken", "wszystkie marki", "todas as marcas", "radius",
)  # fmt: skip
SERVICE_HOURS = _any(
    "service hours", "sales (?:and|&) service(?: hours)?", "service department hours", "werkstattzeiten",
    "service[ -]?zeiten", "horaires (?:de l')?atelier", "horario (?:del )?taller", "orari officina",
    "werkplaats openingstijden", "godziny serwisu",
)  # fmt: skip
CALL_FOR_PRICE = _any(
    "call for (?:price|pricing)", "price on request", "contact us for price", "request price", "per month", "/ ?mo(?:nth)?",
    "preis auf anfrage", "monatlich", "prix sur demande", "par mois", "precio a consultar", "al mes",
    "prezzo su richiesta", "prijs op aanvraag", "cena na zapytanie", "sob consulta",
)  # fmt: skip
MAP_HOSTS = ("google.com/maps", "maps.google.", "goo.gl/maps", "maps.app.goo.gl", "maps.apple.com", "openstreetmap.org",
             "bing.com/maps", "waze.com")  # fmt: skip
SCHEDULERS = (
    "xtime.com", "mykaarma.com", "tekion.com", "cdk.com", "dealer-fx.com", "autoloop.com", "shopmonkey.io", "shopmonkey.com",
    "tekmetric.com", "calendly.com", "squareup.com", "square.site", "acuityscheduling.com", "setmore.com",
    "autoops.com", "steercrm.com", "kukui.com", "schedulerplus.com", "simplybook.me", "planity.com", "werkstars.de",
    "fairgarage.de", "bookinglayer.com", "housecallpro.com", "urable.com",
)  # fmt: skip
MAKES = _any(
    "acura", "alfa romeo", "aston martin", "audi", "bentley", "bmw", "buick", "byd", "cadillac", "chevrolet", "chevy",
    "chrysler", "citro[ëe]n", "cupra", "dacia", "dodge", "ferrari", "fiat", "ford", "genesis", "gmc", "harley-davidson",
    "honda", "hyundai", "infiniti", "isuzu", "jaguar", "jeep", "kia", "lamborghini", "land rover", "lexus", "lincoln",
    "lotus", "lucid", "maserati", "mazda", "mclaren", "mercedes(?:-benz)?", "mg", "mini", "mitsubishi", "nissan",
    "opel", "peugeot", "polestar", "porsche", "ram", "renault", "rivian", "rolls-royce", "saab", "seat", "[šs]koda",
    "smart", "subaru", "suzuki", "tesla", "toyota", "vauxhall", "volkswagen", "volvo", "vw", "yamaha", "kawasaki", "ducati",
)  # fmt: skip
YEAR = re.compile(r"(?<!\d)(?:19[5-9]\d|20[0-4]\d)(?!\d)")
DAYS = (
    ("monday", "mon", "montag", "mo", "lundi", "lun", "lunes", "lunedì", "lunedi", "maandag", "ma", "poniedziałek", "pon", "segunda-feira", "segunda", "seg"),
    ("tuesday", "tue", "tues", "dienstag", "di", "mardi", "mar", "martes", "martedì", "martedi", "dinsdag", "wtorek", "wt", "terça-feira", "terça", "ter"),
    ("wednesday", "wed", "mittwoch", "mi", "mercredi", "mer", "miércoles", "mié", "mercoledì", "woensdag", "wo", "środa", "śr", "quarta-feira", "quarta", "qua"),
    ("thursday", "thu", "thur", "thurs", "donnerstag", "do", "jeudi", "jeu", "jueves", "jue", "giovedì", "gio", "donderdag", "czwartek", "czw", "quinta-feira", "quinta", "qui"),
    ("friday", "fri", "freitag", "fr", "vendredi", "ven", "viernes", "vie", "venerdì", "vrijdag", "vr", "piątek", "pt", "sexta-feira", "sexta", "sex"),
    ("saturday", "sat", "samstag", "sa", "samedi", "sam", "sábado", "sáb", "sabato", "sab", "zaterdag", "za", "sobota", "sob"),
    ("sunday", "sun", "sonntag", "so", "dimanche", "dim", "domingo", "dom", "domenica", "zondag", "zo", "niedziela", "ndz"),
)  # fmt: skip
