"""Given names, places and everyday words of six languages, by which a capitalised word is told to name somebody."""

# ruff: noqa: SIM905 - long lists of words are kept as lines of words
GIVEN_NAMES = frozenset(
    """
    aaron adam adele adrian agnes alan albert alessandra alessandro alex alexander alexandra alfred ali alice
    alicia alison ahmed amanda amelie amy ana andre andrea andreas andrew angela angelo anja anke ann anna
    anne annette antoine anthony anton antonia antonio armin arthur astrid barbara bart bas beatrice ben
    benjamin bernard bernd bettina birgit bob brian bruno camille carla carlo carlos carmen carolina caroline
    catherine cecile cedric celine charles charlotte chiara chris christian christiane christina christine
    christoph christophe claire clara claudia claudio clemens cora cornelia cristina daan dan daniel daniela
    daniele david davide dennis diana diego dieter dirk dominik donna dorothea edgar eduardo edward elena
    elisa elisabeth elizabeth ella elke ellen elsa emil emily emma emanuele enrico eric erik ernst esther eva
    evelyn fabian fabio fatima federica federico felix femke fernando florian francesca francesco francisco
    francois frank franz frederic fritz gabriel gabriele georg george gerard gerd gerhard gianni giorgio
    giovanni giulia giuseppe grace greg greta guido guillaume gunter hannah hans harald harry heike heinrich
    heinz helen helena helga helmut henri henrik henry herbert hugo ian ignacio ilse ines ingrid irene iris
    isabel isabelle ivan jack jacob jacques jakob james jan jana jane janet javier jean jeff jennifer jeroen
    jerome jessica jim joachim joan joanna joao jochen joe johan johann johanna johannes john jonas jonathan
    jorg jorge jose josef joseph joshua juan juana judith julia julian julie julien jurgen karen karin karl
    kate katharina katja katrin kevin kim klaas klaus kristin kurt lars laura laure laurent lea lena leo leon
    leonardo lieke linda lisa lorenzo louis louise lourdes luc luca lucas lucia lucie luigi luis luisa lukas
    lutz maarten manfred manuel manuela marc marcel marco marcus margaret maria marie mario marion mark markus
    marta martha martin martina mary mathias mathieu matteo matthew matthias max maximilian melanie michael
    michaela michel michele miguel mike monica monika moritz nadia nadine nancy natalie nathalie nicholas nick
    nicola nicolas nicole niels nina nora norbert olaf oliver olivia olivier oscar otto pablo paola paolo
    pascal patricia patrick paul paula pedro peter petra philip philipp philippe pierre piet pieter rachel
    raquel rafael rainer ralf ramon raul rebecca regina renate rene ricardo richard riccardo rita robert
    roberto roger roland rolf roman rosa rose ruth sabine sally salvatore samuel sandra sara sarah sean
    sebastian sergio silke silvia simon simone sofia sonja sophia sophie stefan stefania stefano stefanie
    stella stephan stephanie stephen steve steven susan susanne sven sylvia sylvie tanja teresa theo theodor
    theresa thierry thijs thomas thorsten tim tobias tom tony ulrich ulrike ursula uwe valentina valeria vera
    veronica victor victoria vincent virginie volker walter werner wilhelm willem william wim wolfgang xavier
    yvonne yves
    """.split()
)
PLACES = frozenset(
    """
    aachen albanien algarve alicante amberes amburgo amsterdam andalucia andalusien antwerpen argentina arnhem
    asia asien asturias athen athens augsburg australia australien austria autriche baleares barcelona
    barcellona basel basilea bath baviera baviere bayern belfast belgie belgien belgique belgium berlin
    berlino bern bilbao birmingham bochum bologna bolonia bonn bordeaux boston brandenburg brasil brasilien
    bratislava braunschweig brazil breda bremen bretagne brighton bristol brno bruselas brussel brussels
    brussel bruxelles bucarest budapest bulgarien burgundy cadiz california canada cardiff catalunya cataluna
    chemnitz chicago chile china cordoba croatia cuba dallas danemark danimarca danzig darmstadt denmark
    deutschland dijon dortmund dresden dublin duisburg dusseldorf edinburgh eindhoven england erfurt espana
    espagne europa europe firenze flandern florence florenz france francia franken frankfurt frankreich
    freiburg galicia geneva geneve genf genova gent germania germany glasgow gottingen granada graz greece
    grenoble groningen haarlem hagen halle hamburg hamburgo hannover heidelberg helsinki hessen hongkong
    houston iberia ibiza india indien innsbruck ireland irland israel istanbul italia italie italien italy
    japan jena kanada karlsruhe kassel katalonien kiel koblenz koln konstanz kopenhagen krakau kroatien leeds
    leiden leipzig lille limburg lisboa lisbon lissabon liverpool london londra londres luxembourg luxemburg
    lyon maastricht madrid magdeburg mailand mainz malaga mallorca manchester mannheim marseille mecklenburg
    mexico mexiko miami milan milano modena monaco montpellier montreal moskau munich munchen munster murcia
    nantes napoles napoli navarra neapel nederland netherlands niederlande niedersachsen nijmegen nice
    normandie norway norwegen nottingham nurnberg osterreich oldenburg oslo osnabruck oxford paderborn padova
    palermo pamplona paris parigi parma perugia pisa poland polen polonia portugal portogallo potsdam prag
    prague praga regensburg reims rennes rheinland rom roma rome rostock rotterdam rouen russia russland
    saarbrucken saarland sachsen salamanca salzburg sankt saragossa saxony schleswig schweden schweiz schwerin
    scotland sevilla sevilla shanghai sheffield sicilia siena singapore slovenia sofia spain spanien spanje
    stockholm strasbourg stuttgart suisse sweden switzerland sydney tarragona texas thuringen tilburg tirol
    tokyo torino toronto toscana toulouse tours trento trier trieste trondheim tubingen tunis turin turkey
    turkei ukraine ulm ungarn utrecht valencia valladolid varsavia vaud venecia venedig venezia venice verona
    vienna vienne viena vigo wales warschau warsaw weimar westfalen wien wiesbaden wolfsburg wuppertal
    wurzburg zaragoza zeeland zurich zwolle zypern
    """.split()
)
COMMON = frozenset(
    """
    a about above after all also an and any are around as ask at be because before below best both but by call
    choose come contact discover do does drop each either enjoy even every feel find first follow for free
    from get give good great have here how however i if in into is it its just keep learn let look make many
    maybe more most my need new next no not now of on once one only or our out over perhaps phone please read
    ready remember see send she he should simply since so some still stop such take tell than thank thanks
    that the their them then there therefore these they this those to too try under until up us use very visit
    want was we welcome well what when where whether which while who whoever why will with without write yes
    yet you your yours internet email e-mail google wifi wi-fi web online faq pdf diy ok english german french
    spanish italian dutch european american british christmas easter monday tuesday wednesday thursday friday
    saturday sunday january february march april may june july august september october november december ab
    aber alle alles als am an auch auf aus bei beim bis bitte da damit dann das dass dein deine dem den denn
    der des die dies diese dieser dieses doch durch ein eine einem einen einer eines er es etwas fur ganz
    gegen genau gern gerne hat herzlich hier ich ihr ihre ihrem ihren ihrer im in ist ja jede jeder jedes
    jetzt kann kein keine kommen mehr mein mit nach nicht noch nun nur ob oder ohne rufen schreiben sehr seit
    sich sie sind so sonst uber um und uns unser unsere unserem unseren unserer unter vom von vor wann warum
    was weil welche wenn wer wie wir wird wo zu zum zur montag dienstag mittwoch donnerstag freitag samstag
    sonntag januar februar marz mai juni juli oktober dezember a au aux avec avant apres bien bonjour ce ces
    cet cette chaque chez comme comment d dans de des du elle en est et horaires ici il ils je jusqu l la le
    les leur mais merci mon n ne nos notre nous ou par pas pour pourquoi plus prenez quand que quel quelle
    quelles quels qui sans se si son sont sur tous tout toute toutes tres un une venez vos votre vous lundi
    mardi mercredi jeudi vendredi samedi dimanche al antes aqui con como cuando cual de del desde donde el
    ella ellos en entre es esta este estos estas gracias hay la las le les lo los mas mi muy ni no nos
    nosotros nuestra nuestras nuestro nuestros o para pero por porque puede que quien se si sin sobre solo su
    sus tambien tu un una unas unos usted ustedes y ya don dona calle lunes martes miercoles jueves viernes
    sabado domingo agli ai al alla alle allo anche c che chi ci ciao come con cosa da dal dalla dalle dei del
    della delle di dopo dove e ecco ed gli grazie i il in io la le lei lo loro ma mi ne nel nella nelle noi
    non nostra nostre nostri nostro o ogni per perche piu prima qual quale quando questa queste questi questo
    qui se senza si siamo solo sono su sua sul sulla sulle suo tra tutti tutto un una uno vi via voi vostra
    vostro aan alle als bij daar dan dat de deze die dit door een elk elke en er had heb hebben het hier hij
    hoe ik in is ja je jij jouw kan kom maar maak meer met mijn mits na naar niet nog nu of om onder ons onze
    ook op over per sinds te ter tot u uit uw van vanaf veel voor vraag waar waarom wanneer want was wat we
    wel welke wie wij zijn zo zonder maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
    """.split()
)
PARTICLES = frozenset("de da di del della van von der den la le bin al dos du".split())
