"""How Spanish, French, Italian and Portuguese say that nothing is known of a name; the words are folded."""

from analytics.matching.absences.grammar import AbsenceGrammar

_ES_EVIDENCE = "(?:informacion|informaciones|datos?|resultados?|detalles|resenas?|referencias?|menciones|mencion|registros?|fuentes?|evidencias?|opiniones|constancia|conocimiento|pruebas|rastros?|huellas?|senal(?:es)?|nada)"
_ES_ADJECTIVE = "(?: (?:fiable|fiables|publica|publicas|disponible|disponibles|suficiente|suficientes|relevante|relevantes|concreta|concretos?|especifica|especificos?|verificable|confiable|ningun|ninguna|alguna|detallada|mas|oficial|clara|directa|que|hable|relacionada|actualizada|previa)){0,4}"
_ES_ABOUT = "(?:sobre|acerca de|respecto a|respecto de|en relacion con|relacionad[oa]s? con|para|de|del|a|con|referente a)"
_ES_SOURCES = (
    "(?:fuentes?|resultados?|busquedas?|articulos?|paginas?|documentos?|listas?|textos?|webs?|sitios?|datos)"
)
_ES_MENTION = "(?:menciona|mencionan|cita|citan|nombra|nombran|lista|listan|incluye|incluyen|recoge|recogen|contiene|contienen|muestra|muestran|hace referencia|hacen referencia|habla de|hablan de|hace mencion|hacen mencion|aparece|figura|arrojan|refieren)"
_ES_VERB = (
    "(?:(?:he|hemos|se ha|se han|pude|pudimos|puedo|podido|logre|consegui|consigo|he podido|hemos podido|he logrado)(?: (?:podido|logrado))? ?)?"
    "(?:encontrado|encontrar|hallado|hallar|localizado|localizar|verificar|verificado|identificar|encontre|encontramos|encuentro|halle|se encontro|se encontraron|se encuentra|se encuentran"
    "|tengo|tenemos|dispongo de|cuento con|hay|existe|existen|obtuve|aparece|aparecen|conozco|conocemos|reconozco|consta|poseo|recuerdo|he visto|he oido hablar|estoy familiarizad[oa] con|tengo constancia)"
)

SPANISH = AbsenceGrammar(
    language="es",
    triggers=("no ", "ningun", "nada", "sin ", "desconoz", "nunca", "tampoco", "desconocid", "ni "),
    before=(
        rf"(?<!\w)no {_ES_VERB}(?: (?:a|ninguna|ningun|mucha|muchos|apenas|absolutamente|demasiada)){{0,2}}{_ES_ADJECTIVE} {_ES_EVIDENCE}{_ES_ADJECTIVE} {_ES_ABOUT}",
        r"(?<!\w)no (?:he|hemos|pude|pudimos|puedo|logre|consegui|he podido)(?: (?:podido|logrado))? (?:encontrado|encontrar|hallado|localizado|localizar|verificar|identificar|confirmar)(?: a)?",
        r"(?<!\w)no (?:encontre|encontramos|encuentro|conozco|conocemos|reconozco|localice|he oido hablar de|estoy familiarizad[oa] con|tengo constancia de|me consta)(?: a)?",
        rf"(?:ninguna?|sin|poca|escasa|falta de|apenas hay){_ES_ADJECTIVE} {_ES_EVIDENCE}{_ES_ADJECTIVE} {_ES_ABOUT}",
        r"nada(?: (?:concreto|relevante|especifico|fiable))? (?:sobre|acerca de|respecto a)",
        rf"(?:ninguna?|ninguno)(?: de (?:las|los|estas|estos|mis))?(?: [a-z]{{1,15}}){{0,2}} ?{_ES_SOURCES}(?: [a-z]{{1,15}}){{0,4}} {_ES_MENTION}(?: a)?",
        rf"{_ES_SOURCES}(?: [a-z]{{1,15}}){{0,5}} (?:no|tampoco) {_ES_MENTION}(?: (?:ninguna|nada|a|de|informacion|sobre)){{0,4}}",
        r"(?<!\w)no (?:me consta|consta|tengo (?:constancia|conocimiento|noticia) de|hay constancia de|creo|parece) que (?:exista|existiera|haya|hubiera|haya existido)(?: (?:ninguna?|una?|alguna?))?",
        r"(?:desconozco|desconocemos|nunca he oido hablar de|jamas he oido hablar de|ni rastro de|no me suena)(?: a)?",
        r"(?<!\w)no (?:existe|hay|conozco)(?: ninguna?| una?)? (?:empresa|marca|tienda|compania|negocio|producto|servicio|concesionario)(?: (?:llamad[oa]|con el nombre(?: de)?|que se llame|denominad[oa]))",
    ),
    after=(
        r",? (?:no|tampoco|nunca)(?: (?:se|me|nos|lo|la))?(?: (?:ha sido|han sido|esta|parece|es|resulta))? (?:aparece|aparecen|figura|figuran|suena|consta|existe|existir|menciona|mencionan|mencionad[oa]s?|encuentra|encuentran|encontrad[oa]s?|listad[oa]|registrad[oa]|citad[oa]|conocid[oa] por mi|reconocid[oa]|dice nada|incluid[oa]"
        r"|familiar|una? (?:empresa|marca|nombre|tienda|compania)(?: [a-z]{1,15}){0,3} (?:conozca|reconozca|conocid[oa]|aparezca|familiar)|entre l[oa]s|en l[oa]s (?:resultados|fuentes)|la conozco|lo conozco|encontre|he encontrado|pude encontrar)",
        r",? (?:me es|es|resulta|sigue siendo) (?:desconocid[oa]|totalmente desconocid[oa])",
        r",? no (?:la|lo) (?:conozco|he encontrado|encontre|reconozco)",
        rf",? no (?:hay|tengo|dispongo de|existe|encontre|he encontrado|se encontro|se encontraron|se ha encontrado)(?: ninguna| ningun)?{_ES_ADJECTIVE} {_ES_EVIDENCE}",
        r",? (?:carece de|no tiene) (?:presencia|resultados|informacion)",
    ),
    nothing=(
        rf"(?:lo siento,? |pero |lamentablemente,? |aunque |y )?(?:(?:no {_ES_VERB}|sin|ninguna?|no hubo|no se hallaron)(?: (?:ninguna?|nada de))?{_ES_ADJECTIVE} {_ES_EVIDENCE}(?! (?:mejor|mal[oa]|en contra))"
        rf"|no (?:la|lo) (?:conozco|encontre|he encontrado|reconozco)|no (?:encontrad[oa]|mencionad[oa]|aparece|figura|me suena)|desconocid[oa](?:[.)]|$))"
    ),
    lead="sobre|acerca de|respecto a|en cuanto a|de|busque|he buscado|buscado|buscando|con respecto a|por",
    fill="cualquier|alguna|algun|el|la|los|las|un|una|empresa|marca|tienda|compania|negocio|llamad[oa]|producto|servicio|denominad[oa]|concesionario|que se llame|dicha|esa|esta|firma|proveedor|ninguna?|a|de|nombre",
    listing="y|o|ni|u",
    aside="en cambio|sin embargo|por el contrario|por su parte|lamentablemente|por desgracia|que yo sepa",
    hedge="si|quiza|quizas|tal vez|posible|posiblemente|podria|puede que|por favor|podrias|acaso",
)

_FR_EVIDENCE = "(?:informations?|infos?|renseignements?|indications?|donnees?|resultats?|details?|avis|mentions?|sources?|references?|traces?|elements?|precisions|preuves?|rien|temoignages?|articles?|connaissances?)"
_FR_ADJECTIVE = "(?: (?:fiables?|publiques?|disponibles?|suffisantes?|pertinentes?|precises?|precis|specifiques?|concretes?|verifiables?|particulieres?|particulier|credibles?|detaillees?|recentes?|accessibles?|n'est|n'a|ete|trouvees?|publiquement|existante?s?|trouve|officielles?|claires?|directes?|sont|ne)){0,6}"
_FR_ABOUT = "(?:sur|concernant|a propos|au sujet|relatives?|relatifs?|pour|quant a|portant sur|liees? a)(?: de| d'| du| des| a| au)?"
_FR_SOURCES = "(?:sources?|resultats?|articles?|pages?|documents?|listes?|textes?|sites?|recherches?|donnees|references)"
_FR_MENTION = "(?:mentionne|mentionnent|cite|citent|repertorie|repertorient|evoque|evoquent|liste|listent|contient|contiennent|inclut|incluent|nomme|nomment|parle de|parlent de|fait mention de|font mention de|fait reference a|font reference a|reference|referencent|signale|signalent|presente|presentent|figure|donne|donnent)"
_FR_VERB = "(?:trouve|trouver|pu trouver|pas pu trouver|dispose|disposons|connais|connaissons|reconnais|possede|ai|a|avons|existe|vois|localise|identifie|repere|recense)"

FRENCH = AbsenceGrammar(
    language="fr",
    triggers=("pas", "aucun", "rien", "jamais", "inconnu", "introuvable", "ne ", "n'", "peu d", "sans "),
    before=(
        rf"(?:n'ai|ne|n'a|n'avons|n'y a|n'existe|n'ai pu)(?: [a-z']{{1,12}}){{0,3}}? (?:pas|aucune?|guere|plus|rien|que peu)(?: (?:pu|trouve|trouver|reussi a trouver|en mesure de trouver|acces a|dispose|obtenu|d'acces a)){{0,3}}(?: (?:de |d'|des |d' )?(?:aucune? )?{_FR_EVIDENCE})?{_FR_ADJECTIVE} {_FR_ABOUT}",
        rf"(?:aucune?|peu de|peu d'|pas de|pas d'|absence de|absence d'|sans) ?{_FR_EVIDENCE}{_FR_ADJECTIVE} {_FR_ABOUT}",
        r"(?:je|nous|j') ?(?:n'ai|ne|n'avons)(?: [a-z']{1,12}){0,2} (?:pas|jamais)(?: (?:pu|reussi a))? (?:trouve|trouver|identifie|identifier|localise|localiser|verifier|confirmer|entendu parler de|entendu parler d'|retrouve)(?: de| d')?",
        r"(?:je|nous) ne (?:connais|connaissons|trouve|trouvons|reconnais|retrouve) (?:pas|guere)",
        r"(?:n'ai |n'a |ne )?rien (?:trouve|trouver|vu|lu|pu trouver)?(?: de (?:precis|concret|fiable|pertinent))? ?(?:sur|concernant|a propos de|a propos d'|au sujet de)",
        rf"aucune?(?: des| de ces| de mes| des autres)? {_FR_SOURCES}(?: [a-z']{{1,15}}){{0,4}} (?:ne |n')?{_FR_MENTION}(?: pas)?",
        rf"{_FR_SOURCES}(?: [a-z']{{1,15}}){{0,5}} (?:ne |n')(?:[a-z]{{1,4}} )?{_FR_MENTION} (?:pas|jamais|aucune?|nulle part)(?: (?:a|de|d'|information sur|mention de))?",
        r"(?:aucune?|nulle|pas de|pas la moindre|pas la|la moindre) ?(?:traces?|mentions?|references?|informations?|existence|presence|indices?)(?: (?:en ligne|sur internet|disponible|fiable))? (?:de|du|a|au)(?: la| l')?",
        r"(?:pas|aucune connaissance|n'ai pas connaissance) (?:qu'il existe|qu'existe|de l'existence d[e'])(?: ?une?)?",
        r"(?:jamais entendu parler de|jamais entendu parler d'|pas familier avec|pas familiere avec|pas connaissance de|pas connaissance d')",
        r"(?:aucune?|pas d'|pas de) ?(?:entreprise|marque|magasin|societe|boutique|produit|service|concessionnaire)(?: (?:nommee?|appelee?|du nom de|portant le nom(?: de)?|du nom d'))",
    ),
    after=(
        r",? (?:n'apparait|n'apparaissent|ne figure|ne figurent|n'est|ne sont|n'a|n'existe|ne semble|n'y figure|ne ressort|ne me dit|ne m'est|ne fait|n'evoque|n'etait)(?: [a-z']{1,12}){0,2}? (?:pas|rien|nulle part|dans aucune?|aucune?|jamais|guere)"
        r"(?: (?:etre|ete|non plus|mentionnee?s?|repertoriee?s?|connue?s?|referencee?s?|citee?s?|presente?s?|dans|parmi|partie|familiere?|trouvee?|listee?s?|une? (?:marque|entreprise|nom|societe)(?: [a-z']{1,12}){0,3} (?:connue?|connais|reconnais)|de (?:mes|ces|nos)|un nom|sur la liste)|[.,]|$)",
        r",? (?:m'est|est|reste|demeure|nous est) (?:totalement |tout a fait )?(?:inconnue?|introuvable|absente? (?:de|des|du))",
        r",? n'existe pas",
        r",? je (?:ne (?:la|le|les )?|n')(?: ?[a-z']{1,10}){0,2} ?(?:connais|trouve|reconnais) pas",
        r",? (?:je n'ai|il n'y a|je ne)(?: [a-z']{1,12}){0,2} (?:pas|aucune?|rien)(?: (?:trouve|de|d'))?",
    ),
    nothing=(
        rf"(?:desole,? |mais |malheureusement,? |et )?(?:(?:je n'ai |il n'y a |je ne )?(?:pas |trouve )?(?:aucune?|pas de|pas d'|peu d'|rien) ?(?:{_FR_EVIDENCE}|trouve)|(?:n'ai |ne |n'a )(?:rien|pas) (?:trouve|pu trouver|connais|reconnais)"
        rf"|(?:non|pas) (?:trouvee?|mentionnee?|repertoriee?|reference)|inconnue?(?:[.)]|$)|introuvable|je ne (?:la |le )?connais pas)"
    ),
    lead="sur|concernant|quant a|a propos de|au sujet de|recherche|cherche|pour ce qui est de|s'agissant de|en ce qui concerne|de",
    fill="le|la|les|l'|un|une|de|du|des|d'|l'entreprise|la marque|marque|entreprise|societe|nommee?|appelee?|ce|cette|magasin|boutique|produit|service|du nom de|qu'est|qu'",
    listing="et|ou|ni",
    aside="en revanche|par contre|quant a elle|quant a lui|cependant|malheureusement|a ma connaissance|pour sa part",
    hedge="si|s'il|peut-etre|possible|possiblement|pourrait|pourriez|eventuellement|veuillez|merci de",
)

_IT_EVIDENCE = "(?:informazioni|informazione|info|dati|dato|elementi|elemento|indicazioni|indicazione|risultati|risultato|dettagli|recensioni|menzioni|menzione|fonti|riferimenti|riferimento|notizie|nulla|niente|tracce|traccia|prove|conoscenza|conoscenze)"
_IT_ADJECTIVE = "(?: (?:affidabili|pubbliche|pubblicamente|disponibili|sufficienti|rilevanti|specifiche|specifici|concrete|verificabili|dettagliate|attendibili|alcuna|alcun|alcune|nessuna|ulteriori|utili|certe|aggiornate|chiare|di)){0,4}"
_IT_ABOUT = "(?:su|sul|sulla|sullo|sui|sulle|sull'|riguardo a|riguardo|riguardante|riguardanti|relative a|relativi a|in merito a|circa|per|a proposito di|di|del|della|dell')"
_IT_SOURCES = (
    "(?:fonti|fonte|risultati|ricerche|ricerca|articoli|pagine|documenti|liste|elenchi|testi|siti|dati)"
)
_IT_MENTION = "(?:menziona|menzionano|cita|citano|elenca|elencano|nomina|nominano|include|includono|contiene|contengono|riporta|riportano|parla di|parlano di|fa riferimento a|fanno riferimento a|mostra|mostrano|presenta)"

ITALIAN = AbsenceGrammar(
    language="it",
    triggers=("non ", "nessun", "alcun", "nulla", "niente", "mai ", "sconosciut", "senza ", "poche"),
    before=(
        rf"(?<!\w)non (?:ho|abbiamo|si|sono|riesco|sono riuscit[oa]|e|e stato|dispongo|ci|vi|possiedo|esistono|trovo|e stata)(?: [a-z']{{1,12}}){{0,3}}?{_IT_ADJECTIVE} {_IT_EVIDENCE}{_IT_ADJECTIVE} {_IT_ABOUT}",
        r"(?<!\w)non (?:ho|abbiamo|riesco a|sono riuscit[oa] a|sono in grado di|ho potuto|ho mai)(?: (?:trovato|trovare|individuato|individuare|localizzato|verificare|identificare|confermare|sentito parlare di|sentito nominare))",
        r"(?<!\w)non (?:conosco|conosciamo|riconosco|trovo|conoscevo)",
        rf"(?:nessuna|nessun|alcun[ao]?|poche|senza|mancanza di|assenza di){_IT_ADJECTIVE} {_IT_EVIDENCE}{_IT_ADJECTIVE} {_IT_ABOUT}",
        r"(?:nulla|niente)(?: di (?:concreto|specifico|affidabile|rilevante))?(?: (?:trovato|noto))? (?:su|sul|sulla|sull'|riguardo a|riguardo|in merito a)",
        rf"nessun[ao]?(?: (?:delle|dei|di queste|tra le|fra le))?(?: [a-z]{{1,15}}){{0,2}} ?{_IT_SOURCES}(?: [a-z]{{1,15}}){{0,4}} {_IT_MENTION}",
        rf"{_IT_SOURCES}(?: [a-z]{{1,15}}){{0,5}} non {_IT_MENTION}(?: (?:nulla su|informazioni su))?",
        r"(?<!\w)non (?:mi )?(?:risulta|consta)(?: (?:che esista|che ci sia|l'esistenza di|esistere))?(?: (?:nessun'?a?|alcun'?a?|una?))?",
        r"(?:mai sentito parlare di|mai sentito nominare|non ho familiarita con|non ho presente)",
        r"(?:nessun'?a?|non esiste(?: una?)?|alcun'?a?) ?(?:azienda|marca|marchio|negozio|societa|prodotto|servizio|concessionari[ao])(?: (?:chiamat[oa]|di nome|con il nome|denominat[oa]))",
    ),
    after=(
        r",? non (?:compare|compaiono|appare|appaiono|risulta|risultano|figura|figurano|e|sembra|mi|viene|vengono|esiste|si trova|rientra|e stata|e stato)(?: [a-z]{1,12}){0,2}? ?(?:in nessun[ao]?|nelle|nei|tra|fra|menzionat[oae]|elencat[oa]|presente|citat[oa]|not[oa] a|nominat[oa]|risulta|dice nulla|dice niente|esistere|trovat[oa]|nota|noto|conosciut[oa]|familiare|registrat[oa]|list[a-z]+|una? (?:marca|marchio|azienda|nome)(?: [a-z]{1,12}){0,2} (?:conosco|riconosco|conosca|not[oa])|[.,]|$)",
        r",? (?:mi e|e|risulta|resta) (?:del tutto |a me )?(?:sconosciut[oa]|ignot[oa])",
        r",? non (?:la|lo|l'ho) (?:conosco|trovo|trovat[oa]|riconosco)",
        rf",? non (?:ho|ci sono|si trovano|ho trovato|esistono|sono state trovate|risultano)(?: [a-z]{{1,12}}){{0,2}}?{_IT_ADJECTIVE} {_IT_EVIDENCE}",
    ),
    nothing=(
        rf"(?:mi dispiace,? |ma |purtroppo,? |e )?(?:(?:non (?:ho trovato|ci sono|sono state trovate|sono disponibili|ho|risultano|si trovano)|nessun[ao]?|senza){_IT_ADJECTIVE} {_IT_EVIDENCE}(?! (?:di meglio|di male|contro))"
        rf"|non (?:trovat[oa]|menzionat[oa]|presente|noto|nota|l'ho trovat[oa]|la conosco|lo conosco)|sconosciut[oa](?:[.)]|$))"
    ),
    lead="su|sul|sulla|riguardo a|quanto a|per quanto riguarda|cercato|cercando|in merito a|circa|di",
    fill="qualsiasi|alcun'?a?|nessun'?a?|il|lo|la|i|gli|le|l'|un|una|uno|azienda|marca|marchio|negozio|societa|chiamat[oa]|di nome|l'azienda|questa|prodotto|servizio|ditta|di|denominat[oa]",
    listing="e|o|ne|ed|od",
    aside="invece|al contrario|purtroppo|tuttavia|per quanto ne so|dal canto suo",
    hedge="se|forse|potrebbe|possibile|possibilmente|magari|potresti|eventualmente",
)

_PT_EVIDENCE = "(?:informacoes|informacao|dados?|indicacoes|indicacao|resultados?|detalhes|avaliacoes|referencias?|mencoes|mencao|registros?|registos?|fontes?|evidencias?|conhecimento|rastros?|vestigios?|sinal|sinais|nada|noticias|opinioes)"
_PT_ADJECTIVE = "(?: (?:confiave[li]s?|publicas?|publicamente|disponive[li]s?|suficientes?|relevantes?|especificas?|concretas?|verificaveis|detalhadas?|fiaveis|nenhuma?|alguma|mais|oficiais|claras?|diretas?|muitas?|precisas|sequer)){0,4}"
_PT_ABOUT = "(?:sobre|a respeito d[aeo]|acerca d[aeo]|relacionad[oa]s? (?:a|com|ao)|referentes? (?:a|ao)|quanto a|para|de|da|do|com|em relacao a)"
_PT_SOURCES = (
    "(?:fontes?|resultados?|pesquisas?|buscas?|artigos?|paginas?|documentos?|listas?|textos?|sites?|dados)"
)
_PT_MENTION = "(?:menciona|mencionam|cita|citam|lista|listam|nomeia|nomeiam|inclui|incluem|contem|traz|trazem|mostra|mostram|faz referencia|fazem referencia|fala|falam|refere|referem|apresenta|apresentam|aponta|apontam)"

PORTUGUESE = AbsenceGrammar(
    language="pt",
    triggers=("nao", "nenhum", "nada", "sem ", "desconhe", "nunca", "tampouco", "pouca"),
    before=(
        rf"nao (?:encontrei|encontramos|foram|foi|ha|existem|existe|tenho|temos|disponho de|localizei|consegui|conseguimos|achei|pude|possuo|obtive|consta|constam|se encontra)(?: [a-z]{{1,12}}){{0,3}}?{_PT_ADJECTIVE} {_PT_EVIDENCE}{_PT_ADJECTIVE} {_PT_ABOUT}",
        r"nao (?:consegui|conseguimos|pude|foi possivel|fui capaz de) (?:encontrar|localizar|verificar|identificar|achar|confirmar)",
        r"nao (?:encontrei|encontramos|conheco|conhecemos|reconheco|localizei|achei|tenho conhecimento d[aeo]|estou familiarizad[oa] com)",
        rf"(?:nenhuma?|sem|pouca|poucas|falta de|ausencia de){_PT_ADJECTIVE} {_PT_EVIDENCE}{_PT_ADJECTIVE}(?: (?:foi encontrada|foram encontrad[oa]s|esta disponivel))? {_PT_ABOUT}",
        r"nada(?: de (?:concreto|relevante|especifico))?(?: (?:encontrado|encontrei))? (?:sobre|a respeito d[aeo]|acerca d[aeo])",
        rf"nenhuma?(?: d[aeo]s| dentre as)?(?: [a-z]{{1,15}}){{0,2}} ?{_PT_SOURCES}(?: [a-z]{{1,15}}){{0,4}} {_PT_MENTION}(?: (?:a|ao|de|da|do|sobre)){{0,1}}",
        rf"{_PT_SOURCES}(?: [a-z]{{1,15}}){{0,5}} nao {_PT_MENTION}(?: (?:nada|informacoes|a|ao|sobre|de|da|do)){{0,3}}",
        r"nao (?:me consta|consta|tenho (?:conhecimento|noticia) de|ha registro de|creio|parece) que (?:exista|haja|existisse|tenha existido)(?: (?:nenhuma?|uma?|alguma?))?",
        r"(?:desconheco|desconhecemos|nunca ouvi falar d[aeo]|jamais ouvi falar d[aeo])",
        r"(?:nenhuma?|nao (?:existe|ha|conheco)(?: nenhuma?| uma?)?) (?:empresa|marca|loja|companhia|negocio|produto|servico|concessionaria)(?: (?:chamad[oa]|com o nome(?: de)?|denominad[oa]|de nome))",
    ),
    after=(
        r",? (?:nao|tampouco|nunca)(?: (?:se|me|foi|foram|esta|e|parece|consta|aparece|figura|e uma?))? ?(?:aparece|aparecem|figura|consta|constam|existe|existir|mencionad[oa]s?|encontrad[oa]s?|listad[oa]|registrad[oa]|citad[oa]|conhecid[oa] por mim|diz nada|familiar|soa familiar|nos resultados|nas fontes|em nenhuma?|entre [oa]s|incluid[oa]|(?:marca|empresa|nome)(?: [a-z]{1,12}){0,2} (?:conheca|reconheca|conheco|reconheco)|encontrei|localizei)",
        r",? nao (?:a|o) (?:conheco|encontrei|reconheco)",
        r",? (?:me e|e|continua|e-me) (?:totalmente )?desconhecid[oa](?: para mim|[.,]|$)",
        rf",? nao (?:ha|tenho|encontrei|existem|foram encontrad[oa]s|foi encontrad[oa]|disponho de)(?: [a-z]{{1,12}})?{_PT_ADJECTIVE} {_PT_EVIDENCE}",
    ),
    nothing=(
        rf"(?:desculpe,? |mas |infelizmente,? |e )?(?:(?:nao (?:encontrei|ha|foram encontrad[oa]s|foi encontrad[oa]|tenho|existem|localizei|consegui encontrar|achei)|nenhuma?|sem){_PT_ADJECTIVE} {_PT_EVIDENCE}(?! (?:melhor|de mal|contra))"
        rf"|nao (?:encontrad[oa]|mencionad[oa]|consta|aparece|a conheco|o conheco|a encontrei)|desconhecid[oa](?:[.)]|$))"
    ),
    lead="sobre|quanto a|quanto ao|a respeito d[aeo]|em relacao a|pesquisei|procurei|procurei por|busquei|busquei por|pesquisei por|acerca d[aeo]",
    fill="qualquer|alguma?|nenhuma?|a|o|as|os|um|uma|empresa|marca|loja|companhia|chamad[oa]|produto|servico|negocio|essa|esta|denominad[oa]|d[aeo]|com o nome|ao",
    listing="e|ou|nem",
    aside="por outro lado|por sua vez|porem|no entanto|infelizmente|ja|que eu saiba|pelo contrario",
    hedge="se|talvez|possivel|possivelmente|pode ser|poderia|caso|por favor|porventura",
)
