"""Words that claim nothing by themselves, by language: grammar, courtesies, and verbs that only carry what follows."""

from collections.abc import Mapping

from analytics.grounding.flattening import flatten

_PLAIN = {
    "en": """
    a able about above accept accepting accepts accordingly across addition additionally address advance advice
    advise after afternoon afterwards again aim ain all along already also although altogether am among amount
    amounts an and answer answers any anyone anything anytime anywhere apologise apologize applies apply appointment
    appreciate approximately april are area areas aren around arrange as ask asked asking at august available away
    back based basis be because become been before beforehand begin behind being belong below beneath beside besides
    between big both bring brings brought business but by call calls came can cannot card case cent cents chance
    charge charged charges chat choose chosen client clients close closed closes closing come comes company
    completely comprise comprises concern concerns consist consists contact conversation cost costing costs could
    couldn count counts cover covered covers currently customer customers day days deal dealing deals dear december
    decide depend depends detail details did didn discuss do does doesn doing dollar dollars don done down drop
    drop-in during e-mail each easily easy either else email end enjoy enough entire etc euro euros even evening
    ever every everybody everyone everything exact exactly example exist exists expense expenses extra fall feature
    features february fee feedback feel fees few field fields fill find finding fine first fit fits focus focuses
    follow following follows for form forward free friday fridays from fully further gave get get-together gets
    getting give given gives giving glad gladly go goes going gone good got great guest guests had hadn half hand
    handle handles happen happens happily happy has hasn have haven having he hear hearing held hello help helpful
    helping helps her here hi him his hold holds hope hour hours house how however i idea if in include included
    includes including information inquire inquiries inquiry instead interested into introduce involve involves is
    isn issue it its itself january july june just keep kept kilometers kilometre kilometres kind kindly know known
    last lasting lasts later least leave leaves let lets letting lie lies like line list listen little ll located
    long longer look looking looks made mail make makes making many march matter maximum may maybe me mean means
    meet meeting message meters metre metres midday might mind minimum minute minutes moment monday mondays month
    months more moreover morning most much must my name near nearly need needed needs next nice night no noon nor
    not note nothing notice november now number numbers october of off offer offering offers often ok okay old older
    on once one ones only onto open opening opens or order originally originate originates other others otherwise
    our ours out over own page paid part patient patients pay pays people per percent perhaps person phone piece
    pieces place plan please pleased pleasure plus pm point points possible pound pounds prefer prefers price priced
    prices process promptly provide provided provides put quarter question questions quick quickly quite rather re
    reach read ready really reason receive received reckon regardless regards regret reply request require required
    requires reserve respond right road roughly run runs s said sale same saturday saturdays say says seconds see
    seem seen send sent september serve served serves service services set sets shall she shop shops short should
    shouldn show shown shows sign signs simple simply since sit site sits situated situation small so some somebody
    someone something soon sorry speak spend stand stands start starts stay step steps still stop store straight
    street such sum sunday sundays sure t take taken takes taking talk talking team telephone tell term terms than
    thank thanks that the their them then there thereafter thereby therefore these they thing things think this
    those though through throughout thursday thursdays till time times to today together told too topic total touch
    toward towards try tuesday tuesdays turn two type under understand unless until up upon ups us use used useful
    using usual usually various ve very via visit visitor visitors wait waiting want wants was wasn way ways we web
    website wednesday wednesdays week weekday weekdays weekend weekends weeks welcome well went were weren what
    whatever when whenever where wherever whether which whichever while who whoever whole whom whose why will
    willing wish with within without won word words work working worth would wouldn write year years yes yet you
    young younger your yours yourself yourselves
    """,
    "de": """
    ab abend abends aber achten adresse alle allem allen aller alles als also alter am an anbei anbieten anbietet
    andere anderen anderer anderes anders anfrage anfragen angebot anliegen anmelden anruf anschließend ansprechen
    antwort antworten april auch auf august aus außerdem bald bedanken bedauern begrußen begrußt bei beide beiden
    beim bekommen bekommt benotigen benotigt berat beraten berechnen berechnet bereich bereit bereits besonders
    besser bestehen besteht besuch besuchen besucher betragt betreuen bezahlen bezahlt bieten bietet bin binnen bis
    bist bitte bleiben bleibt bloß brauchen braucht bringen bringt bzw da dabei dafur daher damit danach dank danke
    dann daran darauf daraufhin daraus darf das dass dauern dauert dazu dein deine dem den denen denn der deren des
    deshalb dessen dezember dich die dienstag dienstags dies diese diesem diesen dieser dieses dir doch donnerstag
    donnerstags dort dreiviertelstunde du durch durfen e-mail ebenfalls ebenso eignet ein eine einem einen einer
    eines einfach einige einmal einzeln email empfangen enthalt enthalten entscheiden entschuldigen entschuldigung
    er erfahren erhalt erhalten erreichbar erreichen erst erste ersten erster erwarten erwartet es etwa etwaige
    etwas euch euer euro eventuell falls februar feiert finden findet firma folgen folgende folgenden folgt frage
    fragen frei freitag freitags freue freuen freundlich freundlichen freut fruh fruher fuhren fuhrt fur ganz ganze
    ganzen gast gaste gasten geben gebiet geeignet gegeben gegebenenfalls gegen gehen gehoren gehort geht gelten
    gemeinsam genau genauer genommen geoffnet gerade gern gerne gesamte gesamten geschaft geschlossen gesprach
    gestern getan gewunscht ggf gibt gilt groß gut gute guten guter gutes hab habe haben halb halbe halben hand hat
    hatte hatten haus hause heißt helfen herzlich herzlichen heute heutzutage hier hilft hin hinaus hinweis hinweise
    hinzu hoch holen holt horen ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im immer in inbegriffen indem
    information informationen informieren infos inklusive innerhalb ins insgesamt interesse internet ist ja jahr
    jahre jahren jahres januar je jede jedem jeden jeder jederzeit jedes jedoch jemand jetzt juli jung junge jungen
    jungere juni kam kamen kann kein keine keinem keinen keiner kennen kilo kilogramm kilometer klein kommen kommt
    konnen konnte konnten kontakt kontaktieren kosten kostenfrei kostenlos kostet kummern kummert kunde kunden
    kundin kundinnen kurz lang lange langer lasse lassen lasst laufen lauft lediglich leicht leid leider leisten
    leistung leistungen lernen letzte letzten lieber liegen liegt machen macht mai mail man manche mandant mandanten
    marz mehr mein meine meinem meinen meiner melden meldet meter metern mich mindestens minute minuten mir mit
    mitbringen miteinander mitnehmen mittags mitteilen mittwoch mittwochs mochte mochten moglich moglichkeit monat
    monate monaten montag montags morgen morgens muss mussen mut nach nachdem nachmittag nachmittags nachricht
    nachste nachsten nacht nahe nahere name namlich naturlich neben nehmen nicht nichts nie nimmt noch november nun
    nur nutzen nutzt ob obwohl oder offen offnen offnet ohne oktober ort patient patienten patientin patientinnen
    per person personen platz preis preise preises pro prozent punkt rat rechnen rechtzeitig richtig ruckmeldung
    rufen ruft rund sache sagen sagt samstag samstags samt schauen schicken schnell schon schonen schreiben schreibt
    schwerpunkt schwerpunkte sehen sehr sein seine seinem seinen seiner seit seite selbst selbstverstandlich senden
    september setzen sich sie sind so sobald sofern sofort sogar solche sollen sollte sollten somit sondern
    sonnabend sonntag sonntags sonst sorgen sorgt sowie sowohl spater spesen sprechen stammen stammt statt
    stattfinden stehen steht stelle stellen stellt straße stuck stunde stunden tag tage tagen tages teil telefon
    telefonisch termin termine terminvereinbarung tun uber uberall ubrigens uhr um umfasst umgehend und uns unser
    unsere unserem unseren unserer unseres unter unternehmen unverbindlich usw verbinden vereinbaren vereinbart
    verfugen verfugt verfugung verstehen viel viele vielen vieler vielleicht viertelstunde vom von vor vorab voraus
    vorbei vorbeikommen vorhanden vorher wahlen wahrend war waren warten wartet warum was webseite website weg wegen
    weil weiter weitere weiteren weiterer weiterhelfen welche welchem welchen welcher welches wem wen wenig wenige
    wenn wer werden werktags wert wie wieder will willkommen wir wird wirklich wissen wo woche wochen wochenende
    wochentags wunsch wunschen wunscht wunschtermin zahlen zahlt zeigen zeit zeitpunkt ziehen zu zudem zufolge
    zuhoren zum zunachst zur zuruck zusammen zusatzlich zuvor zuzuglich zwar zwei zwischen
    """,
    "fr": """
    a accepte acceptee accompagne accompagner accompagnons accueil accueille accueillie accueillir accueillis
    accueillons adresse afin ai aide aider aimable ainsi alors an annee annees ans aout appel appeler appelez
    apporter apportez apres assez assure assurons attendez attendre au aucun aucune aujourd aussi autant autre
    autres aux auxquels avance avant avec avez avoir avons avril ayez beaucoup besoin besoins bien bientot bienvenue
    bon bonjour bonne bonnes bons bref c ca car cas ce ceci cela celle celles celui cent centimes centimetres ces
    cet cette ceux chacun chaque chez choisir choisissez choix client cliente clientes clients combien comme comment
    comprend comprendre compris comprise compte compter comptez conseil conseiller conseils consulter contact
    contacter contactez cout coute coutent couter couts d dans de debut decembre demain demande demander demandez
    demi demi-heure demie depend depuis des desole desoles desormais detail details deux devez devoir devra dimanche
    dire dispose disposent disposez disposition disposons distance dit doit doivent domaine domaines donc donne
    donner donnez dont droit du dure duree durent durer e ecoute ecrire ecrivez effet elle elles email en encore
    enfin ensemble ensuite entendu entre entreprise environ es est et etaient etait etant ete etes etre eu euro
    euros eux eventuel excuses exemple facile facilement faire fait faites faut ferme fermee fermer fermes fevrier
    fin fois font forme fournir frais grace grand grande gratuit gratuite gratuitement gros h hesitez heure heures
    heureux hui ici il ils inclus incluse inclut indique information informations inscrire interesse internet j
    janvier je jeudi jour journee jours juillet juin jusqu jusque kilo kilometre kilometres l la laisser laissez le
    lendemain lequel les leur leurs lien lieu ligne livre lors lorsque lui lundi m ma mai mail maintenant mais
    malgre malheureusement mardi mars matin me meme memes merci mercredi mes message mesure met metre metres mettez
    mettons mettre mieux mille minute minutes moi moins mois moitie moment mon montant moyennant n ne necessaire ni
    nom nombre non nos notamment notre nous novembre nuit numero obtient occupe occupent occuper octobre offre
    offrir offrons on ont ou ouvert ouverte ouverts ouvre ouvrir ouvrons page paie paient par parce parfois parle
    parler part partie partir pas passer passez patient patients paye payer payez pendant penser pensez personne
    personnes petit petite petits peu peut peuvent peux piece pieces place plaisir plait plupart plus plusieurs
    plutot point possible pour pourcent pouvez pouvoir pouvons premier premiere prend prendre prenez pres presque
    pret prets prevoir prevoyez pris prix proche propose proposent proposer proposons propre proviennent provient
    puis puisque qu quand quart que quel quelle quelles quelque quelques quels question questions qui quoi rapide
    rapidement rappeler ravi ravie ravis recevez recevoir recevons regler regret regrettons rendez rendez-vous
    renseignement renseignements repond repondre reponse reponses reste rester rien rue s sa samedi sans savoir se
    selon semaine semaines septembre sera serait serons seront servi service services servie ses si signaler simple
    simplement site situe situee soir soit sommes son sont souhait souhaiter souhaitez sous suffit suis suivant
    suivante sujet supplement sur t ta tard tarif tarifs tel tele telephone telephoner temps tenez tenir tenons tes
    tient toi ton tot toujours tous tout toute toutes tres trop trouve trouver trouverez trouvez un une unique utile
    utiliser va vais valable veille vendredi venez venir verifier vers veuillez via viennent vient vieux visiteur
    visiteurs voici voila voir vos votre voulez vouloir vous voyez vraiment web y
    """,
    "es": """
    a abierta abierto abiertos abre abren abril abrimos abrio acepta aceptamos aceptan acerca adelante ademas admite
    admiten agosto agradecemos agradecer ahi ahora al algo alguien algun alguna algunas alguno algunos alli
    alrededor ambito ambos ano anos ante antelacion antes anticipacion apenas aprox aproximadamente aqui area areas
    asi atendemos atender atenderle atiende aun aunque aviso ayuda ayudamos ayudar ayudarle ayudarles bastante bien
    bienvenida bienvenido bienvenidos buen buena buenas bueno buenos cada casi caso cerca cerrada cerrado cerramos
    cierra cierran cita cliente clientes coche comentario comentarios como comprobar con conmigo conocer consejo
    consulta consultar consulte contacta contactar contacte contacto contamos contar contestar contrario correo cosa
    cosas coste costes costo cual cuales cualquier cuando cuanta cuanto cuantos cuatro cuenta cuentan cuente cuesta
    cuestan cuyo da dan dar dato de debe deben decir deja dejar del demas dentro depende desde desea desee despues
    detalle dia dias dice diciembre diez dinero direccion disculpas disculpe dispone disponemos disponible
    disponibles domingo domingos donde dos duda dudas dura duran durante e ejemplo el ella ellas ello ellos email
    empresa en encantado encantados encontrar encontrara encuentra encuentre enero entonces entre enviar envie era
    es esa esas escriba escribanos escribenos escribir ese eso esos espera esperamos esperando esperar esta estaba
    estamos estan estar estara estaran estaremos estas este estes esto estos estoy etc euro euros facil facilmente
    febrero fecha fin final forma fue fuera fueron gastos gracias gran grande grandes gratis gratuita gratuito
    gustaria gusto ha haber habla hablar hable habra hace hacemos hacen hacer hacia haga hagalo han has hasta hay
    hecho hemos hola hora horario horas hoy huesped huespedes igual incluida incluido incluidos incluso incluye
    incluyen informacion informar informarle interesa ir jueves julio junio junto kilometros la lamentamos las le
    lejos les libre llamada llamar llamarnos llame llamenos llegada llegar lleva llevar lleve lo los luego lugar
    lunes manana manera mano martes marzo mas mayo mayor me media medio mejor menor menores menos mensaje mes meses
    metros mi mientras miercoles mil minimo minuto minutos misma mismo mismos mitad modo momento mucha muchas mucho
    muchos muy nada nadie necesario necesita necesitan necesitar ni ningun ninguna no noche noches nombre normal nos
    nosotros nota noviembre nuestra nuestras nuestro nuestros numero nunca o objeto octubre ocupa ofrece ofrecemos
    ofrecen opinion os otra otras otro otros paciente pacientes paga pagan pagar pagina pago para parte partir pasar
    pase pedido pedir pensar pequena pequeno pequenos permite pero persona personas pida placer plazo poca poco
    pocos podemos poder podra podran podria poner ponerse pongase por porque pos posibilidad posible precio precios
    pregunta preguntar preguntas pregunte primer primera primero procede proceden pronto propio proporciona proviene
    provienen puede pueden puedes puerta puertas pues que queda quede queja quien quienes quiera quiere quieren
    quincena quisiera quizas rapidamente rapido realizamos realizar reciba recibe recibimos recibir recibira
    recibirle recibirlo recuerde requiere reservar reserve resolver respecto responder respuesta respuestas rogamos
    sabado sabados saber saludo saludos se sea sean segun seguro semana semanas senor senora sentimos septiembre ser
    sera seran servicio servicios si siempre siendo sin sino sirve sirven sitio situa situada situado sobre sol
    solicitar solicite solo somos son soy su sus tal tambien tampoco tan tanto tarda tarde tardes te telefono temas
    tenemos tener tenga tengo tiempo tienda tiene tienen toda todas todavia todo todos tomar total trabaja
    trabajamos trabajan trabajar traer traiga tras tres tu tus un una unas uno unos usar use usted ustedes util
    utilizar va valor van varias varios vayan vea veces ven venga venir ver vez viernes visita visitante visitantes
    visitar visite visitenos vuestra vuestro web y ya yo
    """,
    "it": """
    a abbia abbiamo accanto accetta accettano accettiamo accoglierla accogliervi ad adesso agli agosto ai aiutarla
    aiutarlo aiutarti aiutarvi al alcun alcuna alcune alcuni all alla alle allo allora altra altre altri altro anche
    ancora andare anni anno anticipo aperta aperti aperto appena approssimativamente appuntamento apre apriamo
    aprile aprono arriva arrivare aspetta aspettare aspettiamo assistenza attorno attraverso avere avete avra avremo
    azienda basta bastano bene benvenuti benvenuto bisogna bisogno buon buona buone buongiorno buoni c calcolare
    calcolate calcoli cara caro caso certo che chi chiama chiamare chiamata chiamate chiamateci chiami chiamo chieda
    chiedere chiedete chili chilo chilometri chiusa chiusi chiuso ci ciao ciascun ciascuna cio cioe circa cliente
    clienti colloquio come comprende comprendono compresa compresi compreso comune comunque con conoscere consigli
    consigliare consigliarla consigliarvi consiglio contatta contattarci contattare contattarla contattateci
    contatti contatto conto contro cosa cosi costa costano costi costo cui cura d da dai dal dall dalla dalle dallo
    dare data davanti davvero de degli dei del dell della delle dello deve devono di dice dicembre dietro dire
    dispiace dispone disponiamo disponibile disponibili disposizione diversi domanda domande domani domenica dopo
    dove dovere dovra dubbi dubbio due dunque dura durano durante e ecco ed ella email entro era erano esempio
    essere etc euro fa faccia facciamo facile facilmente far fara fare fatto febbraio felici fine fino fissare
    fornire fra fuori gennaio gentile gia giorni giorno giovedi giugno giusto gli gradita grande grandi gratis
    gratuita gratuito grazie ha hai hanno ho i ieri il in inclusa incluse incluso indicare indirizzo infatti info
    informazione informazioni iniziare insieme interesse invece inviare io l la le lei lettera li lieti lieto litri
    lo loro luglio lui lunedi lungo luogo ma magari maggio mai mail male mandare martedi marzo massimo mattina
    mattino me mediante meglio meno mentre mercoledi mese mesi messaggio metri metro metta mette mettere mettiamo
    mezz mezza mezzo mezzora mi mia mie miei mila minimo minuti minuto mio modo molta molte molti moltissimo molto
    momento ne neanche necessario negli nei nel nell nella nelle nello nemmeno neppure nessun nessuna nessuno niente
    no noi nome non nostra nostre nostri nostro notte novembre nulla numero nuovi o occupa occupano occupiamo od
    offre offriamo offrire oggi ogni ognuno oltre opinione oppure ora orari orario ordinare ore ospite ospiti
    ottenere ottengo ottobre paga pagano pagare pagina parla parlare parte partire passare passate passi paziente
    pazienti pensare per perche percio pero persino persona persone pezzo piacere piccola piccoli piccolo piu poca
    poche pochi poco poi porta portare portate porti possa possiamo possibile possono posto potere potete potra
    potrete preferire prego prenda prendere prendete prenotare prenoti presso presto prezzi prezzo prima primo
    principale problema problemi pronti pronto proprio provengono proviene puo pur pure qua qual qualche qualcosa
    qualcuno quale quali qualsiasi quando quanta quanti quanto quarti quarto quasi quattro quella quelle quelli
    quello quest questa queste questi questo qui quindi quota rapida rapidamente regolarmente riceve ricevera
    ricevere riceverla riceviamo richiede richiedere richiedono richiesta ricordi riguardo rimane rispetto risponde
    rispondere rispondiamo risposta risposte rivolgersi s sa sabato salve sapere sara sarai saranno saremo scegli
    scegliere scelga scriva scrivere scrivete scriveteci scrivi scusa scuse se secondo sede sei sembra semplice
    semplicemente sempre senz senza sera serve servirla servirvi servita servito servizi servizio servono settembre
    settimana settimane settore settori si sia siamo siano siete signor signora sito situata situato so sola solito
    sono sopra sotto spesa spese spesso spiacenti sta stai stanno stare stata stato stessa stesso stiamo su sua
    subito successivo sue sufficiente sui sul sull sulla sulle suo suoi tale tali tanto tardi te telefona telefonare
    telefonateci telefono tempo tenere ti torna tra tramite tre troppo trova trovarci trovare trovate trovera
    troverete trovi tu tua tue tuo tuoi tutta tuttavia tutte tutti tutto ultimo un una uno usare utile utili
    utilizzare va vada valido vari vario veda vede vedere venerdi venga vengono venire venite veniteci vera
    veramente vero verso vi via vicina vicino viene visita visitare visitateci visitatore visitatori voglia vogliamo
    volentieri volere volete volta volte vorremmo vostra vostre vostri vostro vuoi vuole web
    """,
    "nl": """
    aan aanbod aangenaam aanvraag aanvragen accepteert accepteren achter adres advies adviseren af afkomstig
    afspraak afstand akkoord al alle alleen allemaal alles als altijd ander andere anderhalf anders antwoord
    antwoorden april augustus avond avonds bedankje bedankt bedraagt bedrag bedragen bedrijf beetje begin beginnen
    begrijpen beide bel bellen belt ben beneden bent bereik bereikbaar bereiken beschikbaar beschikken beschikking
    beschikt bestaan bestaat besteden betaalt betalen beter bevinden bevindt bezoek bezoeken bezoeker bezoekers
    bieden biedt bij bijna bijvoorbeeld binnen binnenkort blij blijft blijven boven breng brengen brengt buiten
    circa contact daar daarbij daarna daarnaast daarom daarvoor dag dagelijks dagen dan dank dankbaar dankzij dat de
    december deel deze dezelfde dicht dichtbij die dingen dinsdag direct dit doe doen doet donderdag door dragen
    duren dus duurt e-mail een eens eenvoudig eerst eerste eigen einde elk elke email en enkele er ergens etc euro
    even excuses extra februari feedback fijn fijne formulier ga gaan gaat gast gasten gebied gebieden gebruik
    gebruiken gebruikt gedaan geeft geen gegeven gelden geldig geldt geleden gelegen gelieve gemakkelijk genoeg
    geopend geplaatst geregeld gesloten gesprek geven gevestigd gevraagd geweest gewenst gewoon ging goed goede
    graag gratis groot grote haal had hadden halen half hallo hand handig hartelijk heb hebben hebt heeft heel heen
    helaas hele helemaal helpen helpt hen het hier hieronder hij hoe hoeft hoeveel hoeven hoor horen houden hun
    ieder iedere iedereen iemand iets ik in inbegrepen inclusief indien informatie ingesloten inzage ja jaar jammer
    januari jaren je jij jong jou jouw juist juli jullie juni kan kant keer kennen keren kies kiest kiezen kijk
    kijken kijkje kilo kilometer klaar klacht klant klanten klein kleine koffie kom komen komt kon kopje korte kost
    kosteloos kosten kostenloos krijg krijgen krijgt kunnen kunt kwartier laat laatste lang lange langer langs
    langskomen laten later leren letten leveren licht liever liggen ligt lijkt loopt los luisteren maak maakt maal
    maand maandag maanden maar maart mag mail maken makkelijk man maximaal mee meebrengen meenemen meer meest
    meestal mei melden meldt men mens mensen met meteen meter meters middag middags mij mijn min minder minimaal
    minuten minuut misschien mits moet moeten mogelijk mogelijkheid mogen moment morgen na naam naar naast nabij
    nacht nachten namelijk neem neemt nemen net netjes niemand niet niets nodig noemen nog nooit november nr nu
    nummer ochtend of oktober om omdat omgeving ondanks onder onderdeel ongeveer ons onszelf ontvang ontvangen
    ontvangt onze ook op opdat open openen opent opnieuw oud oude over overal overdag overige overleg overleggen
    paar pagina pak pakken pas passen past patient patienten per personen persoon plaats plaatsvinden plan plezier
    precies prettig prijs prijzen prima procent raad reactie reageren reden regelen rekenen reserveren rondom ruim s
    samen schrijf schrijft schrijven september simpel sinds site slechts snel sommige soms spijt spreekt spreken
    staan staat stap start starten steeds stel stellen straks stuk sturen stuur stuurt te tegen tel telefonisch
    telefoon telt tenzij ter terecht terug terwijl tevens tijd tijdens tijdig tijdstip toch toe tot totaal tussen
    twee u uit uiteraard uitgebreid uitleg uitleggen uren uur uw vaak vakgebied vallen valt van vanaf vandaag
    vandaar vast veel verder verdere verstaan vertel vertellen vertelt vervolgens verwachten via vind vinden vindt
    vol volgen volgende volgens volledig voor vooraf vooral vooruit voorzien vorige vraag vraagt vragen vriendelijk
    vriendelijke vrij vrijblijvend vrijdag waar waaraan waarbij waarde waarin waarom wacht wachten wanneer waren was
    wat we website week weekend weekends weer weet weg weinig weken wel welk welke welkom wellicht wens wensen wenst
    werd werkdag werkdagen werken werkt weten wie wij wil willen wilt winkel woensdag worden wordt zaak zaken
    zaterdag zaterdagen ze zeer zeg zeggen zegt zelf zich zichzelf zie zien ziet zij zijn zin zit zitten zo zoals
    zodat zodra zoek zoeken zondag zondagen zonder zorg zorgen zorgt zou zouden zullen zult
    """,
}
_BEGINNINGS = {
    "en": """
    accomplish* achiev* actual* advis* afford* agree* alternativ* announc* anticipat* appear* approach* arriv* ask*
    assist* attach* await* basic* becaus* becom* benefit* besid* carr* cater* certain* clear* collect* com* combin*
    complet* confirm* consider* continu* convenient* decid* dedicat* describ* detail* determin* devot* differ*
    distanc* drop* entitl* equip* especial* estimat* eventual* exceed* explain* explan* finish* form* fulfil*
    general* get* giv* handl* happen* immediat* individual* inform* intend* introduc* keep* leav* let* like* limit*
    maximal* mention* name* normal* notic* obtain* occur* oper* option* otherwis* particular* pay* perform* pick*
    possibl* precis* prepar* present* previous* proceed* prompt* proper* purpos* put* quot* rang* relat* remain*
    remind* requir* respectiv* say* see* separat* serv* short* similar* situation* specif* straight* suggest* suit*
    suppl* tak* tell* thing* total* understand* undertak* unfortunat* use* usual* whil* wish*
    """,
    "de": """
    abhol* absprach* absprech* anbiet* angab* angeh* angib* anmeld* anruf* ansprech* ausfuhr* ausgeb* auskunft*
    beantrag* beantwort* bedeut* bedien* befind* beginn* beide* beilieg* beispiel* bekomm* beleg* benotig* bequem*
    berechn* berucksichtig* beschreib* besonder* besprech* besuch* betont* betrag* betreff* bezahl* bezieh* biet*
    bleib* brauch* dauer* denk* direkt* durchfuhr* durchgefuhr* einfach* eingeh* eingeschloss* einplan* einschließ*
    einsetz* entfern* enthalt* entscheid* entsprech* erfolg* ergib* erhalt* erklar* erledig* ermoglich* erreich*
    erstell* erwart* fall* find* folg* frag* freu* fuhl* geeignet* geh* gehor* gelt* gern* gesamt* geschieh* hab*
    hand* heiß* helf* herzlich* hinterlass* hochst* inbegriff* informier* jeweil* kenn* klar* klick* komm* kummer*
    kurz* lass* lauf* leg* leist* les* lieg* losung* mac* mach* maximal* meld* mindest* mitbring* mitteil* moglich*
    nachfrag* nahe* nehm* notwend* nutz* offen* passend* person* plan* platz* rechn* reich* richt* sag* schau*
    schick* schließ* schreib* send* setz* sitz* sorg* sprech* statt* steh* stell* such* teil* telefon* trag* treff*
    unkompliziert* unterschied* unterstutz* verabred* verbleib* verbring* vereinbar* verfug* verlang* vermeid*
    versteh* verwend* vorbei* vorgeh* vorles* wahl* wart* weis* weiterhelf* wend* werd* wiss* wunsch* zah* zahl*
    zeig* zieh* zuruck* zustand*
    """,
    "fr": """
    accompagn* achev* adress* ajout* amen* annon* appel* apport* arriv* assur* attend* avis* chacun* comport* compt*
    concern* conna* conseil* consist* consult* contact* contien* continu* conven* correspond* cout* coût* decid*
    demand* deplac* desir* detail* dev* disponib* dispos* distanc* dit* donn* dur* effectu* egal* ensuit* environ*
    eventuel* expliqu* fair* fonction* fourni* heur* immediat* impliqu* inclu* indiqu* inform* inscri* lai* laiss*
    limit* lors* maxim* met* mett* minim* mis* moment* necess* obten* occup* offr* organis* pai* parl* particul*
    pass* pens* permet* peu* possib* pourr* preci* pren* prepar* present* preven* prevo* prochain* propos* propre*
    quel* question* rapid* recev* recu* regl* remett* rencontr* rendez* renseign* repond* repons* rest* retrouv*
    reuni* reçu* sent* serv* signal* simpl* situ* souhait* suffi* suiv* tien* transmett* trouv* utilis* val* ven*
    vien* voi* voul*
    """,
    "es": """
    aclar* acompan* acord* acud* adecu* aport* aproxim* atend* averigu* avis* ayud* bast* busc* cab* calcul* cobr*
    compart* complet* comunic* conoc* consist* consult* cont* contact* conven* correspond* cuest* dej* depend* dese*
    desplaz* detall* dig* directament* dispon* dispuest* distanc* dur* efectu* eleg* elij* encarg* encontr*
    encuentr* entend* escog* escuch* esper* estim* explic* facilit* figur* funcion* gast* haci* hag* hall* hech*
    indic* inform* inmediat* lei* llam* llev* maxim* menc* mostr* muestr* necesit* obten* ocup* ofrec* oportun*
    organiz* pag* particip* ped* pens* permit* pid* pon* posib* prefer* pregunt* prepar* present* prev* proporcion*
    pued* que* qued* quer* quier* realiz* recib* recog* record* recuerd* requ* resolv* respond* resuelv* sal* sent*
    serv* sient* sirv* situ* solicit* soluc* suel* supon* tard* ten* tien* tom* trat* ubic* usa* utiliz* val* ven*
    vien* visit* viv*
    """,
    "it": """
    acced* accompagn* accord* aggiung* aiut* appart* arriv* ascolt* aspett* assist* attend* avvert* avvis* bast*
    calcol* capit* cerc* chiam* chied* compil* complet* compon* comport* compr* comunic* conclud* concord* confront*
    conosc* consegu* consider* consigl* consist* consult* contatt* conten* contien* contin* corrispond* cost* dat*
    dedic* defin* desider* dett* dipend* dispon* distanz* dur* effettu* elenc* entr* esegu* esist* esser* fac* fat*
    fiss* forn* funzion* giung* illustr* immediat* impieg* inclu* incontr* indic* inform* intend* invi* lasc* leg*
    legg* limit* mand* massim* mett* minim* mostr* necess* occup* offr* organ* ottener* ottien* pag* par* parl*
    part* pass* pens* permett* ponian* pos* poss* preferis* prend* prepar* present* prev* prevede* propon* provved*
    raccogl* raggiung* realizz* reca* ricev* richied* richiest* ricord* riguard* riman* rimand* risolv* rispond*
    rispost* ritir* rivolg* sapp* scegl* scriv* segnal* segu* sent* serv* situ* spieg* sta* stabil* success* suffic*
    svolg* telefon* tenut* termin* trascorr* trov* usa* utilizz* val* ved* ven* verr* vien* vorr*
    """,
    "nl": """
    aanbied* aangeb* aangev* aanmeld* aanwezig* afhank* afsprek* afstand* antwoord* begeleid* begin* behor* bekijk*
    bekom* bel* benod* bepaal* berek* bericht* beslis* besprek* bestaa* betaal* betek* betref* bevest* bied*
    bijbehor* blijf* blijv* breng* denk* doorgev* duid* duur* eenvoud* eventu* gebeur* gebruik* geef* geld* gelegen*
    geschikt* gevolg* houd* informeer* inschrijv* instell* invull* kies* kijk* klikk* kom* kunn* laat* langskom*
    luist* maa* maak* maxim* meedenk* meld* minim* moet* mogelijk* neem* nodig* omvat* ontmoet* ontvang* opgev*
    ophal* opnem* overleg* persoonlijk* plaats* pleg* praat* precies* regel* reken* richt* samenstell* schikk*
    schrijf* spreek* staa* stell* stuur* telefon* toestur* toon* tref* uitgevoer* uitker* uitleg* uitvoer* verblijf*
    verloop* vermeld* verschil* verstrek* vertel* verwacht* verwijz* voer* voldoe* volg* voorbereid* voorkom* vraag*
    wacht* weet* wens* werk* wet* wijz* word* zet* zie* zien* zit* zoek* zorg*
    """,
}
_BY_LANGUAGE: Mapping[str, frozenset[str]] = {
    language: frozenset(flatten(words).split()) for language, words in _PLAIN.items()
}


_BEGINNINGS_BY_LANGUAGE: Mapping[str, frozenset[str]] = {
    language: frozenset(word[:-1] for word in flatten(words).split() if word.endswith("*"))
    for language, words in _BEGINNINGS.items()
}
_MOST_ENDING = 7
ENDINGS = frozenset(
    (
        "",
        *[
            "s",
            "es",
            "e",
            "en",
            "er",
            "ern",
            "em",
            "n",
            "t",
            "te",
            "ten",
            "tet",
            "st",
            "est",
            "et",
            "d",
            "ed",
            "ing",
            "r",
            "a",
            "o",
            "i",
            "as",
            "os",
            "an",
            "on",
            "ar",
            "ir",
            "ado",
            "ada",
            "ido",
            "ida",
            "ados",
            "adas",
            "idos",
            "idas",
            "are",
            "ere",
            "ire",
            "ato",
            "ata",
            "ati",
            "ate",
            "ito",
            "ita",
            "iti",
            "ite",
            "ano",
            "ono",
            "iamo",
            "ez",
            "ons",
            "ent",
            "is",
            "it",
            "ait",
            "ee",
            "ees",
            "y",
            "ies",
            "ion",
            "io",
            "ia",
            "ie",
            "ung",
            "ungen",
            "ers",
            "mos",
            "amos",
            "emos",
            "imos",
            "ando",
            "endo",
            "era",
            "eran",
            "ene",
            "enes",
            "uto",
            "uta",
            "no",
            "re",
            "to",
            "ta",
            "va",
            "vano",
            "ndo",
            "mo",
            "ert",
        ],
    )
)
"""What words of the six languages end in when only their form changes."""


def is_plain(word: str, language: str) -> bool:
    """Tell whether a flat word claims nothing by itself in a language."""
    if word in _BY_LANGUAGE[language]:
        return True
    beginnings = _BEGINNINGS_BY_LANGUAGE[language]
    return any(
        word[:length] in beginnings and (length > _SHORT or word[length:] in ENDINGS)
        for length in range(max(_SHORT, len(word) - _MOST_ENDING), len(word) + 1)
    )


_SHORT = 3
