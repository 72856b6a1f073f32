"""Tells which parts of a sentence claim something: questions, requests, advice and wishes claim nothing."""

import re

from analytics.grounding.flattening import flatten

Span = tuple[int, int]

WE = re.compile(
    r"\b(?:we|us|wir|uns|nous|nosotros|\w{2,20}(?:amos|emos|imos)|somos|noi|\w{2,20}iamo|wij|we|ons)\b"
    r"|\b(?:our|ours|unser\w{0,2}|notre|nos|nuestr[oa]s?|nostr[oaie]|ons|onze)\b"
)
OUR = re.compile(r"\b(?:our|unser\w{0,2}|notre|nos|nuestr[oa]s?|nostr[oaie]|ons|onze)\s")
_LEADING = re.compile(r"[\s#*>\"'“”«»¿¡(\[–—•-]*(?:\d{1,2}[.)]\s+)?")
_PRESUPPOSES = re.compile(
    r"\b(?:did you know|you know that|why (?:is|are|do|does|did|have|has) (?:we|our)|wussten sie|wusstest du"
    r"|warum (?:ist|sind|haben) (?:wir|unser)|saviez-vous|savez-vous que|sabia|sabe usted que|sabias|lo sapeva"
    r"|sapevate|sapeva che|lo sapevi|wist u|wist je|weet u dat)\b"
)
_CONDITION = re.compile(
    r"(?:if|when|whenever|before|after|once|while|unless|as soon as|should you|wenn|falls|sobald|bevor"
    r"|nachdem|sollten sie|wer|whoever|anyone who|those who|qui|quien|quienes|chi|wie"
    r"|si|s'il|quand|lorsque|avant|apres|des que|cuando|antes|despues|se|quando|prima|dopo|appena|als"
    r"|wanneer|voordat"
    r"|nadat|zodra|mocht|indien)\b"
)
_PLEASE = (
    r"(?:please |bitte |s'il vous plait,? |por favor,? |per favore,? |alstublieft,? |simply |just "
    r"|einfach |then |dann |always |never |do not |don't |ne |n'|no |non |also )?"
)
_WORD_AFTER = r"(?![\w'])"


def _words(text: str) -> str:
    return "|".join(sorted(frozenset(flatten(text).split())))


_REQUESTS = _words(
    """
    accept add adjust allow apply arrange ask avoid be bear book bring brush calculate call cancel check choose
    clean click collect come compare complete consider contact cook count cover create dare decide describe do
    download dress drink drive drop eat email enter explain feel fill find finish floss follow forget get give go
    have hear hesitate hold inspect install invite keep lay learn leave let list listen look lubricate maintain make
    mark measure meet mind mix note open order park pay phone pick plan plug pour press put read recharge register
    remember remove rent repeat replace reply request reserve rest rinse ring save schedule search see select send
    serve set share shop show sign skip sleep slice speak spend start stay stop store submit subscribe switch take
    talk tap tell test think throw treat turn type update use visit wait walk warm wash watch wear wipe wrap write
    llame llamenos lleve consulte visite visitenos pida traiga cancele evite compruebe escriba escribanos lea llegue
    mire elija revise recuerde guarde cambie cuide deje envie envienos haga lave limpie mantenga pregunte pongase
    prepare quede tenga tome utilice vea venga verifique vuelva solicite cuente contacte contactenos acuda anote
    aplique asegurese busque cepille cepillese compre confirme conserve considere descargue olvide pase rellene
    responda siga chiami chiamateci controlli scriva scriveteci verifichi venite porti prenoti ordini chieda
    consulti confronti scelga eviti cambi conservi faccia lavi legga mangi misuri metta paghi pensi prenda provi
    ricordi risparmi segua spazzoli telefoni usi utilizzi vada veda visiti contatti contattateci fissi invii passi
    parli ordinate controlla verifica lascia porta prenota chiama scegli ricorda vieni scrivi chiedi passa telefona usa
    evita confronta guarda pulisci cambia consulta prova leggi metti llama revisa comprueba trae pide ven
    recuerda compara limpia fai fate haz
    bel bekijk bewaar bestel betaal bezoek breng controleer denk doe eet gebruik geef ga haal houd
    kies kijk kom laat lees leg maak meld mail neem noteer overleg pak parkeer poets probeer reken regel reserveer
    schrijf spreek stel stuur vergeet vergelijk vermijd vertel verwissel vervang vraag vul wacht was weeg zet zoek
    zorg wees pomp smeer draai sluit snijd roer meng giet drink droog hang berg klik koop ruim
    scheid spoel stofzuig veeg verwijder voeg volg zaai snoei bescherm beperk bereid
    komm kommt ruf ruft bringt schreib schreibt frag fragt probier nimm achte achten beachte
    """
)
_REQUEST = re.compile(
    rf"{_PLEASE}(?:(?:{_REQUESTS}){_WORD_AFTER}|\w{{2,20}}n sie\b|(?!chez\b"
    rf"|assez\b)\w{{2,20}}ez(?:-\w+)*{_WORD_AFTER}"
    rf"|\w{{1,20}}(?:ate|ete|ite)(?:ci|l[aeio]|mi|gli)?{_WORD_AFTER}(?= )|s'adresser\b)"
    r"|(?:bitte|please)\b"
)
_ENJOYS = re.compile(
    rf"{_PLEASE}(?:enjoy|discover|experience|relax|taste|try|admire|savou?r|benefit|trust|rely|join"
    rf"|celebrate|explore"
    r"|(?:genießen|entdecken|erleben|probieren|entspannen|profitieren|erholen|bewundern|vertrauen|nutzen"
    r"|feiern|kosten) sie"
    r"|profitez|decouvrez|savourez|detendez|goutez|admirez|degustez|faites confiance|beneficiez|explorez"
    r"|disfrute|descubra|relajese|pruebe|saboree|aproveche|admire|confie|deguste"
    r"|si goda|goditi|godetevi|scopra|scopri|scoprite|assaggi|assaggiate|approfitti|approfittate|si rilassi"
    r"|ammirate"
    r"|geniet|ontdek|proef|ontspan|profiteer|ervaar|vertrouw)\b"
)
"""Requests that take for granted what there is to enjoy."""
_ADVICE = re.compile(
    r"\b(?:should|ought to|it (?:helps|pays)|it is (?:best|better|wise|important|useful|advisable|worth"
    r"|a good idea|sensible)"
    r"|it's (?:best|better|wise|important|useful|worth|a good idea)|(?:is|are) worth|the best (?:time|way)"
    r"|a good time"
    r"|(?:can|may|could|might) (?:mean|be a sign|point to)|often means|is (?:often )?a sign"
    r"|(?:kann|konnen) \w+ (?:\w+ ){0,4}(?:bedeuten|hinweisen)|deutet \w+ hin|ist (?:oft )?ein zeichen"
    r"|peut (?:indiquer|signaler|signifier)|est (?:souvent )?(?:un|le) signe|puede (?:indicar|significar|ser senal)"
    r"|puo (?:indicare|significare)|kan (?:\w+ ){0,4}(?:betekenen|wijzen)"
    r"|usually|often|in general|generally|as a rule|normally"
    r"|sollten?|empfiehlt sich|lohnt (?:es )?sich|ist (?:es )?(?:ratsam|sinnvoll|wichtig|besser)|man"
    r"|am besten|meist(?:ens)?|oft"
    r"|in der regel|normalerweise|hilft es|hilft"
    r"|mieux vaut|vaut mieux|il (?:est )?(?:conseille|utile|important|preferable|recommande)|il faut"
    r"|il convient|on|souvent"
    r"|en general|generalement|le mieux|pensez|devriez"
    r"|conviene|es (?:mejor|aconsejable|importante|util|recomendable)|hay que|se recomienda|deberia"
    r"|normalmente|a menudo"
    r"|generalmente|lo mejor"
    r"|e (?:meglio|consigliabile|importante|utile|bene)|bisogna|si consiglia|dovrebbe|spesso|di solito"
    r"|in genere"
    r"|is (?:het )?(?:verstandig|handig|beter|belangrijk|raadzaam|aan te raden)|men|vaak|meestal"
    r"|over het algemeen|kunt u het beste"
    r"|moet je|u het beste)\b"
)
_GENERIC = re.compile(
    r"(?:a|an|ein|eine|un|une|una|uno|een) (?:good|gut\w{1,2}|bon|bonne|buen|buena|buon|buono|buona|goed"
    r"|goede)\b"
)
"""What makes a good one is nobody's claim."""
_HERE = re.compile(
    r"\b(?:you|your|here|ihnen|ihr\w{0,2}|hier|vous|votre|vos|ici|usted|aqui|qui|lei|u|uw)\b"
    r"|\b(?:the|our|dem|der|die|das|le|la|les|el|los|las|il|lo|gli|de|het) \w+ (?:is|are|has|have)\b"
)
_COURTESY = re.compile(
    r"\b(?:(?:would|'d|will|'ll|shall)? ?(?:love|like|be happy|be glad|be delighted|be pleased) to"
    r"|(?:come|get) back to you|back in touch|look(?:ing)? forward|wieder bei ihnen|melden uns|at your disposal"
    r"|n'hesitez pas|a bientot|sin compromiso|non esiti|aarzel niet|tot ziens|bis bald|auf wiedersehen"
    r"|do our best|you drive|sie fahren|vous conduisez|usted conduce|conduces|guidi|u rijdt"
    r"|delivered with|geliefert mit|livre\w* avec|entrega\w* con|consegna\w* con|geleverd met"
    r"|no problem|with pleasure|good advice|happy to|glad to|pleased to)\b"
)
_CLAUSE_END = re.compile(
    r"[,;:]\s|\s[-–—]\s| (?:and|und|et|y|e|en|but|aber|mais|pero|ma|maar) (?=(?:we|wir|nous|noi|wij)\b)"
)


def claim_spans(flat: str, own_name: re.Pattern[str] | None) -> list[Span]:
    """Return `[start, end)` of the parts of a flat sentence that may claim something of the company or the world."""
    lead = _LEADING.match(flat)
    start = lead.end() if lead else 0
    text = flat[start:]
    if text.rstrip(" \n\"'”»)").endswith("?"):
        return [(start, len(flat))] if _PRESUPPOSES.search(text) else []
    parts = _parts(text)
    if len(parts) > 1 and _CONDITION.match(text):
        parts = parts[1:]
    spans: list[Span] = []
    requested = False
    for low, high in parts:
        part = text[low:high]
        refers = WE.search(part) is not None or (own_name is not None and own_name.search(part) is not None)
        asks = _REQUEST.match(part) is not None
        if _ENJOYS.match(part):
            spans.append((low, high))
        elif asks or (requested and not refers):
            requested = True
            ours = OUR.search(part)
            if ours is not None:
                spans.append((low + ours.end(), high))
        elif not refers and (_ADVICE.search(part) or _GENERIC.match(part)):
            requested = True
        else:
            spans.append((low, high))
    return [(start + low, start + high) for low, high in spans]


def without_courtesies(flat: str) -> str:
    """Return a flat sentence with blanks where it is only polite."""
    return _COURTESY.sub(lambda match: " " * len(match[0]), flat)


def _parts(text: str) -> list[Span]:
    """Return the parts of a sentence between commas, colons and dashes, blanks stripped from their beginnings."""
    parts: list[Span] = []
    low = 0
    for match in _CLAUSE_END.finditer(text):
        if match.start() > low:
            parts.append((low, match.start()))
        low = match.end()
    if low < len(text):
        parts.append((low, len(text)))
    return parts
