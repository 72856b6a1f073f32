"""Words that say the same, in six languages, so that a paraphrase or a translation is told from something new."""

# ruff: noqa: E501 - one meaning a line, with a column for each language
from collections.abc import Mapping
from functools import lru_cache

from analytics.grounding.flattening import flatten
from analytics.grounding.numerals import LANGUAGES
from analytics.grounding.plain_words import ENDINGS

# One row is one meaning; its columns are the languages in the order of LANGUAGES. A star stands for any ending.
_ROWS = """
found: set found founded founder founders founding establish* set-up start* launch* created creat* born began begun origin* opened foundation | grund* gegrund* eroffn* entstand* entstehung startete anfang* begann geboren | fond* cre* naqu* ne nee naissance ouvert ouvrit lance* commenc* debut* | fund* creo creada creado nacio nacid* abrio inaugur* empez* comenz* | fond* nat* nasc* nacque aperto aprì apri avvi* inizi* creat* | opgericht oprichter* oprichtster oprichting richtte start* begon begonnen gestart ontstaan* ontstond
since: since existence existed exist exists | seit besteht bestehen existiert | depuis existe existence | desde existe | dal esiste | sinds bestaat bestond
lead: run runs ran running lead leads led manag* head heads headed director* directs directed boss chair* principal charge helm | leit* gefuhrt fuhrt fuhren fuhrung geleitet leiter* geschaftsfuhr* chef* spitze | dirig* direct* gere gerant* tete mene gestion responsable | dirig* direct* gestion* gerent* lider* lleva frente regent* | guid* dirig* dirett* dirett* gest* gestisc* conduc* titolar* responsabil* | leid* geleid runt directeur* bestuur* eigenares manag* hoofd
man: men man male males gentlemen | herren herr manner mann* mannlich* | homme* messieurs | hombre* caballero* senores | uomo uomini signori maschi* | heren heer mannen man*
woman: women woman female females ladies | damen dame frauen frau* weiblich* | femme* dames | mujer* senoras | donna donne signore femminil* | dames dame vrouwen vrouw*
own: own owns owned owner* belong* proprietor* | inhaber* besitz* gehort eigentum* | proprietaire* possed* appartien* detien* | duen* propietari* pertenec* posee* | proprietar* titolar* possied* appartien* | eigenaar* eigenares bezit* eigendom
join: join* came arrived | dabei beitrat* trat stieß gestoßen kam hinzu eingestiegen | rejoi* arriv* integr* | incorpor* uni* lleg* entr* | entrat* unit* arriv* | kwam aansloot aangesloten toegetreden
takeover: took taken take-over takeover acquir* bought inherit* successor* succeed* | ubernahm* ubernommen ubernimmt nachfolg* kaufte gekauft geerbt | repr* rachet* suite acquis* succed* herit* | asum* adquir* compr* sucedi* hered* relevo | rilev* acquis* acquist* subentr* ered* | overgenomen nam neemt overname kocht gekocht opvolg* geerfd
train: train* course* educat* taught teach* class* lesson* | schul* ausbild* ausgebildet kurs* unterricht* | form* cours enseign* | form* curso* ensen* | form* cors* insegn* | opleid* cursus* les* opgeleid
move: move* moved relocat* premises | umgezogen umzug zog zogen | demenag* install* transfer* | trasla* mud* | trasfer* trasloc* | verhuis* verhuizing
renovate: renovat* refurbish* moderni* rebuilt | renovier* saniert* modernisier* umgebaut umbau* | renov* rehab* modernis* | renov* reform* moderniz* | rinnov* ristruttur* ammodern* | gerenoveerd renov* verbouw* moderniseer*
repair: repair* fix fixed fixes mend* repairs servic* maintain* maintenance overhaul* mechanic* | reparat* reparier* repariert instandsetz* wart* wartung mechanik* | repar* entreti* entretien revis* mecanic* | repar* arregl* manten* mecanic* | ripar* aggiust* manuten* meccanic* | repareer* repareren reparatie* herstel* onderhoud* onderhouden monteur*
check: check* checked inspect* examin* exam exams test* tested control* diagnos* review* checkup* check-up* | pruf* gepruft uberpruf* kontroll* untersuch* test* getestet inspektion* check* vorsorge* | control* verif* inspect* examen* test* diagnos* bilan | revis* control* compr* inspecc* examen* diagnos* prueba* probad* | controll* verific* ispezion* revision* visit* esam* diagnos* tagliand* | control* controleer* keur* keuring gekeurd check* inspect* onderzoek* getest test* beurt
trial: trial* try tried test* demo* | test* probe* testen ausprobier* kostprobe* | essai* essay* test* | prueba* probar pruebe prueb* probam* probar* demo* | prova* provar* demo* test* | proef* probeer* proberen test* proefrit
sell: sell* sold sale sales seller* dealer* dealership* retail* purchas* buy* bought unsold | unverkauft* verkauft verkauf* verkauft handler* handel* autohaus kauf* angebot* | vend* vent* achat* achet* marchand* concession* invendu* | vend* vent* compr* concesion* | vend* invendut* acquist* concession* compr* | onverkocht* verkoop* verkopen verkocht handel* dealer* koop* kopen
rent: rent* hire* lend* loan* lease leases leased leasing | miet* vermiet* verleih* leih* geliehen leas* | lou* location* pret* | alquil* prest* | noleg* nolegg* affitt* prest* | huur* verhuur* huren leen* lenen geleend* uitlenen verhuurt
deliver: deliver* post posts posted posting mail* ship* shipped shipping shipment* bring brought send* sent courier* dispatch* | liefer* gelieferter geliefert* versand* versend* zustell* lieferung bring* | livr* exped* envoi* envoy* apport* | entreg* repart* envi* domicilio llev* | consegn* spedi* recapit* port* domicilio | lever* geleverd bezorg* verzend* verstuur* brengen
order: order* pre-order* book* booked booking* reserv* | bestell* vorbestell* bestellung* reservier* buch* gebucht | command* reserv* | pedid* encarg* reserv* pid* | ordin* prenot* | bestel* besteld reserv* boek* geboekt
cancel: cancel* call-off | storn* stornier* absag* kundig* abgesagt gekundigt | annul* resil* | cancel* anul* | annull* disd* cancell* | annuleer* annuler* geannuleerd afzegg* opzegg* opgezegd
appointment: appointment* slot* visit* session* sitting* consultation* | termin* sprechstunde* sitzung* | rendez* creneau* seance* | cita* sesion* visita* | appuntament* sedut* visita* | afspraak* sessie* behandeling* afspraken consult*
consult: consult* advise* advic* advis* counsel* talk* session* meeting* conversation* | berat* beraten beratung* gesprach* erstgesprach* erstberatung* | conseil* consult* entretien* | asesor* consult* consej* aconsej* | consul* consigli* colloqui* | advi* advies* adviseer* gesprek* consult* raad*
treat: treat* therap* care cares caring | behand* behandel* therap* versorg* betreu* | trait* soin* soign* therap* | trat* terap* atend* cuida* | tratt* cur* terap* | behandel* therap* verzorg* zorg
child: child* kid* younger young junior* boy* girl* pediatric* toddler* | kind* jung* nachwuchs* minderjahrig* | enfant* jeune* petits mineur* | nin* infant* pequen* hij* joven* | bambin* bimb* ragazz* figli* minor* piccoli | kind* kinder* jong* jeugd* minderjarig* peuter* kleuter*
adult: adult* grown-up* | erwachsen* | adulte* | adult* | adult* | volwassen*
family: famil* | famil* | famill* | famil* | famigli* famil* | famil* gezin*
father: father* dad | vater* | pere* | padre* | padre* papa | vader*
mother: mother* mum | mutter* | mere* | madre* | madre* mamma | moeder*
sibling: brother* sister* sibling* | bruder* schwester* geschwister* | frere* soeur* sœur* | herman* | fratell* sorell* | broer* zus zussen
parent: father* mother* son sons daughter* parent* | vater* mutter* sohn* tochter* eltern* | pere* mere* fils fille parent* | padre* madre* hijo* hija* | padre* madre* figli* genitor* | vader* moeder* zoon dochter* ouder*
son: son sons | sohn* | fils | hijo* | figlio | zoon
daughter: daughter* | tochter* | fille* | hija* | figlia | dochter*
staff: staff employ* people team* worker* colleague* crew personnel member* | mitarbeit* team* menschen beschaftigt* angestellt* kolleg* personal belegschaft kopf* leute | equipe* salarie* employ* personn* collabor* collegue* personnel | equipo* emplead* personas personal plantilla trabajador* | dipendent* collaborator* squadra* person* team* personale addett* | medewerk* team* mensen collega* personeel werknemer*
bake: bak* oven baked bread* loaf loaves | back* gebacken ofen backstube* brot* laib* geback* | cui* pain* four fours enfourn* boulang* | hornea* cocc* cuec* pan panes horno* hogaza* panad* | sforn* forn* cott* cuoc* pane pani panific* | bak* gebakken oven* brood* broden
cake: cake* pastr* tart* pie pies | torte* kuchen* geback* | gateau* tarte* patisser* | tarta* pastel* | tort* dolc* | taart* gebak*
flour: flour* | mehl* | farine* | harina* | farin* | meel bloem
car: car cars vehicle* automobile* auto autos make makes hatchback* saloon* sedan* suv suvs | auto* wagen fahrzeug* pkw kfz kleinwagen limousine* kombi* suv | voiture* vehicule* auto* citadine* berline* suv | coche* vehiculo* automov* auto* turismo* berlina* suv | auto* macchin* veicol* vettur* utilitari* berlin* suv | auto* wagen* voertuig* bolide personenauto* hatchback* suv
used: used second-hand secondhand pre-owned preowned | gebraucht* gebrauchtwagen | occasion* usage* seconde-main | usad* segunda ocasion | usat* seconda | tweedehands* occasion* gebruikt*
new: new | neu neue neuen neuer neues neuem neuwagen | neuf neufs neuve neuves | nuev* estren* | nuov* | nieuw*
bike: bike* bicycl* cycle* cycling | fahrrad* fahrrader rad rader velo* bike* | velo* bicyclet* cycl* | bici* | bici* | fiets* rijwiel*
electric: electric* e-bike* ebike* ev evs | elektr* e-bike* strom* | electri* vae | electr* | elettr* | elektr* e-bike*
battery: batter* | batter* akku* | batter* accu* | bater* | batter* | accu* batter*
warranty: warrant* guarant* covered | garant* gewahr* abgedeckt | garant* couvert* | garant* cubiert* | garanz* garant* copert* | garant* gedekt
room: room* bedroom* accommodation* | zimmer* raum raume raumen unterkunft | chambre* piece* | habitac* cuarto* alojam* | camer* stanz* alloggi* | kamer* vertrek*
double: double* | doppel* | double* | doble* | doppi* matrimonial* | tweepersoons* dubbel*
seat: seat* place* sit capacity | platz* platze sitz* sitzplatz* | place* assise* couvert* | plaza* asiento* sitio* | post* coperti sedut* | plaats* plek* zitplaats*
aircon: air-condition* air-condit* conditioning conditioned air climate | klimatis* klimaanlage* | climatis* | climatiz* aire acondicion* | climatizz* condizionat* aria | airco* airconditioning
pool: pool* swim* bathe bathes bathing bather* | pool* schwimm* baden badet badest gebadet | piscin* baigner baigne baignent baignez baignade* baigneu* | piscin* banarse banan banamos banen banista* | piscin* bagnarsi bagnant* | zwembad* zwem* baden
beach: beach* shore* | strand* | plage* | playa* | spiaggi* | strand*
sea: sea ocean | meer* see | mer ocean | mar | mare | zee
parking: park* car-park car cars | park* stellplatz* tiefgarage* auto wagen | parking* stationn* gar* garer parc voiture* | aparc* parking* estacion* garaje* coche* | parchegg* posteggi* auto macchina | auto wagen parkeer* parkeren parking*
breakfast: breakfast* | fruhstuck* | petit-dej* dejeuner* | desayun* | colazion* | ontbijt*
dog: dog* | hund* vierbein* | chien* | perr* | can* | hond*
cat: cat cats | katze* | chat chats | gat* | gatt* | kat katten poes*
pet: pet pets animal* | haustier* tier* | animal* animaux | mascota* animal* | animal* | huisdier* dier*
allow: allow* welcome* accept* permit* admit* | willkommen erlaubt zugelassen durfen darf gestattet akzeptier* | accept* admis* bienvenu* autoris* | acept* admit* permit* bienvenid* | accett* ammess* benvenut* consentit* permess* | toegestaan welkom toegelaten mogen mag
children-free: under younger below | unter | moins | menores menor | sotto minori | onder jonger
visitor: guest* customer* client* patient* visitor* user* | gast* kund* mandant* patient* besucher* nutzer* | client* patient* hote* visiteur* utilisat* | client* huesped* pacient* visitant* usuari* | client* ospit* pazient* visitat* utent* | klant* gast* patient* bezoeker* gebruiker*
dentist: dent* tooth* teeth* | zahn* | dent* | dent* diente* | dent* dentist* | tand* gebit*
toothache: toothache* tooth-ache pain* ache* hurt* | zahnschmerz* schmerz* weh | mal douleur* rage | dolor* duel* | dolor* mal | kiespijn tandpijn pijn
clean: clean* hygien* polish* | reinig* saub* putz* hygien* | nettoy* detart* propre* hygien* | limpi* higien* | pul* igien* detartras* | schoon* reinig* hygien*
xray: x-ray* xray* radiograph* rays | rontgen* | radio* rayons | radiograf* | radiograf* lastr* | rontgen*
emergency: emergenc* urgent* | notfall* notfalle* akut* dringend* | urgen* | urgen* emergen* | urgen* emergenz* | spoed* nood*
law: law lawyer* legal attorney* solicitor* barrister* | recht* anwalt* rechtsanwalt* jurist* kanzlei* | droit* avocat* jurid* cabinet* | derecho* abogad* jurid* bufete* despacho* legal* | diritt* avvocat* legal* studio | recht* advocat* jurid* kantoor*
employment-law: employment labour labor | arbeitsrecht* | travail | laboral* | lavoro | arbeidsrecht*
tenancy: tenan* rental rent landlord* | mietrecht* mieter* vermieter* | bail baux locatif* | arrendam* alquiler* | locazion* affitt* | huurrecht*
focus: focus* specialis* specializ* speciality expertise field* area* | schwerpunkt* spezialis* fachgebiet* gebiet* bereich* thema themen | specialis* domaine* | especiali* area* campo* ambito* | specializ* settor* ambit* | gespecialiseerd* specialis* gebied* vakgebied*
dismissal: dismiss* terminat* fired notice | kundig* gekundigt entlass* | licenci* | despid* | licenziam* | ontslag* ontslagen
video: video* | video* | video* visio* | video* videollam* | video* | video*
online: online internet web digital* | online internet digital* | ligne internet | linea online internet | online internet linea | online internet digitaal
software: software program* app apps application* tool* platform* | software programm* app apps anwendung* plattform* | logiciel* programme* appli* plateforme* | programa* software aplicac* plataforma* | software program* applicaz* piattaform* | software programma* app apps applicatie* platform*
account: account* bookkeep* | buchhalt* konto buchfuhrung* | compta* compte* | contab* cuenta* | contab* | boekhoud* account*
user: user* | nutzer* benutzer* anwender* | utilisat* | usuari* | utent* | gebruiker*
data: data information file* | daten* | donnee* | dato* | dati dato | gegevens data
backup: backup* back-up* backs-up backed-up backing-up cop* | sicher* backup* datensicherung* kopie* | sauvegard* copie* | copia* seguridad respaldo* | backup copi* salvatagg* | back-up* backup* kopie* reservekopie*
server: server* host* hosted | server* gehostet gespeichert | serveur* heberg* | servidor* aloja* | server ospitat* | server* gehost
store: stor* save* saved keep* kept remain* stay* | speicher* gespeichert aufbewahr* lager* bleib* verbleib* | stock* conserv* gard* rest* | guard* almacen* conserv* qued* perman* | salv* conserv* custod* memorizz* rest* riman* | opgeslagen opslaan opslag bewaar* bewaard blijf* blijv*
europe: european eu europe | europa* eu europaisch* | europe* ue | europe* ue europa | europe* ue europa | europ* eu
card: card* credit | karte* kreditkarte* | carte* | tarjeta* | cart* | kaart* creditcard*
month: monthly month* | monatlich* monat* | mensuel* mois | mensual* mes meses | mensil* mese mesi | maandelijks* maand*
year: yearly annual* year* | jahrlich* jahr* | annuel* an ans annee* | anual* ano anos | annual* anno anni | jaarlijks* jaar* jaren
daily: daily day days | taglich* tag* | quotidien* jour* | diari* dia dias | giornalier* giorno giorni quotidian* | dagelijks* dag dagen
nightly: night* nightly overnight evening* | nacht* nachtlich* nachts | nuit* | noche* nocturn* | notte notti notturn* | nacht* nachten
oil: oil* | ol olwechsel ole | huile* vidange* | aceite* | olio oli | olie*
filter: filter* | filter* | filtre* | filtro* | filtr* | filter*
change: chang* replac* swap* | wechsel* gewechselt austausch* tausch* ersetz* | chang* rempl* | cambi* sustitu* | cambi* sostitu* | vervang* wissel* verwissel*
ready: ready finish* complet* done | fertig* abholbereit* | pret* fini* termin* | listo* lista* termin* | pront* finit* complet* | klaar gereed afgerond
full: full* complet* | voll* komplett* | complet* entier* | complet* enter* | complet* inter* | volledig* compleet grote
quote: quote* estimate* quotation* offer* | kostenvoranschlag* angebot* voranschlag* | devis* | presupuesto* | preventiv* | offerte* prijsopgave*
free: free* charge complimentary | kostenlos* gratis* kostenfrei* frei umsonst | gratuit* frais offert* | gratis gratuit* coste cargo | gratis gratuit* omaggio | gratis kosteloos* kostenloos*
condition: condition* term* | bedingung* | condition* | condicion* | condizion* | voorwaard*
tax: tax* vat | steuer* mwst | tax* tva impot* | impuest* iva fiscal* | tass* iva impost* fiscal* | belasting* btw
extra: extra* surcharge* supplement* additional* | aufpreis* zuschlag* extra* zusatz* | supplement* extra* | suplement* extra* adicional* recargo* | suppl* extra* sovrapprezz* | toeslag* extra* meerprijs*
invoice: invoice* bill* | rechnung* | factur* | factur* | fattur* | factu*
wifi: wifi wi-fi wlan internet | wlan wifi wi-fi internet | wifi wi-fi internet | wifi wi-fi internet | wifi wi-fi internet | wifi wi-fi internet
ingredient: ingredient* additiv* | zutat* zusatzstoff* | ingredient* additif* | ingredient* aditiv* | ingredient* additiv* | ingredient* toevoeg*
region: region* local* area | region* ort* umgebung umland heimisch* | region* loc* | region* comarca* local* zona | region* zona local* territori* | regio* streek* omgeving lokaal lokale
lunch: lunch* midday | mittag* mittags | midi dejeuner* | almuerz* mediodia comida | pranz* mezzogiorno | lunch* middageten
cook: cook* chef* kitchen* | koch* kuche* | cuisin* chef | cocin* | cuoc* cucin* chef | kok koks kook* keuken* chef-kok
install: install* fit fits fitted fitting mount* | einbau* eingebaut* bauen baut montier* montage montiert* installier* installation* aufbau* | install* mont* pos* | instal* mont* coloc* | install* mont* | inbouw* ingebouwd installeer* installatie* monteer* gemonteerd plaats*
measure: measur* | mess* gemessen vermess* | mesur* | medi* mide* | misur* | meet meten gemeten meting*
mill: mill mills milled ground stoneground stone | gemahlen* mahl* muhle* stein* | moulu* moulin* meule* pierre | molid* molin* piedra | macinat* mulin* pietra | gemalen molen* steen*
mature: matur* rest* ferment* prove* proof* | reif* gereift ruht ruhe* gar* | repos* ferment* matur* | ferment* repos* madur* | liev* matur* ripos* | rijp* rijzen rijst gerezen
sourdough: sourdough* | sauerteig* | levain* | madre | madre lievito | zuurdesem* desem*
weigh: weigh* weight* kilo* | wieg* gewicht* kilo* | pes* poids kilo* | pes* kilo* | pes* chil* | weeg* weegt gewicht* kilo*
reception: recept* desk | rezeption* empfang* | recept* accueil | recepc* | recept* reception | recept* balie
arrive: arriv* check-in checks-in checked-in checking-in | ankunft* anreise* ankomm* | arriv* | llegad* lleg* | arriv* | aankomst* aankom*
leave: depart* check-out checks-out checked-out checking-out leave* | abreise* abfahrt* | depart* | salid* | partenz* | vertrek*
exclude: exclud* except* except not-included | ausgenommen ausgeschloss* ausnahme* | exclu* sauf hors | exclu* excep* salvo | esclus* eccett* tranne | uitgesloten uitgezonderd behalve
open: open* hours | offn* geoffnet* offnungszeit* | ouv* horaire* | abr* abiert* horario* | apr* apert* orari* | open* geopend* opent*
hygienist: hygienist* | prophylaxe* | hygienist* | higienist* | igienist* | mondhygien*
receptionist: receptionist* desk | empfang* rezeption* | receptionn* accueil | recepcion* | receptionist* segretari* | receptionist*
meal: meal* lunch* dinner* food kitchen cuisine menu* dish* plate plates supper* eat | essen mahlzeit* mittagessen* abendessen* kuche speise* gericht* | repas* dejeuner* diner* cuisin* menu* plat* | comid* almuerz* cena* cocin* menu* plato* | past* pranz* cen* cucin* menu* piatt* | maaltijd* lunch* diner* eten keuken* menu* gerecht*
drink: drink* beverage* | getrank* | boisson* | bebid* | bevand* | drank* drankje*
coffee: coffee* espresso | kaffee* espresso | cafe* | cafe* | caffe* | koffie*
cup: cup cups mug | tasse* | tasse* | taza* | tazz* | kop kopje*
wait: wait* | wart* | attend* attente | esper* | attend* aspett* attes* | wacht*
station: station* railway train trains | bahnhof* | gare* | estacion* tren | stazion* | station*
airport: airport* | flughafen* | aeroport* | aeropuerto* | aeroport* | luchthaven*
minutes-walk: walk* foot | fuß* gehminut* laufen | pied* march* | pie andando | pied* cammin* | lopen loop* voet
window: window* | fenster* | fenetre* | ventana* | finestr* | raam ramen
tyre: tyre* tire tires wheel* | reifen* rad rader | pneu* roue* | neumatic* rueda* | gomm* pneumatic* ruot* | band* wiel*
brake: brake* | bremse* | frein* | fren* | fren* | rem remmen
support: support* helpdesk help | support* hilfe* hotline* | assistance* support* aide* | soporte* asisten* ayuda* | assisten* support* | support* ondersteun* helpdesk*
contract: contract* agreement* | vertrag* vertrage* | contrat* | contrato* | contratt* | contract* overeenkomst*
document: document* papers paperwork letter* | unterlage* dokument* brief* papiere | document* papiers courrier* lettre* | document* papeles carta* | document* lettere carte | document* papier* brieven
inside: inside indoor* | innen drinnen | interieur* dedans | interior* dentro | intern* dentro | binnen*
outside: outside outdoor* terrace* garden* | außen draußen terrasse* garten* | exterieur* dehors terrasse* jardin* | exterior* fuera terraza* jardin* | estern* fuori terrazz* giardin* | buiten* terras* tuin*
language: language* spoken speak* spoke | sprache* sprechen spricht gesprochen | langue* parl* | idioma* habla* lengua* | lingu* parl* | taal talen spreek* spreken
plan: plan plans tariff* subscription* package* | tarif* paket* abo abonnement* plan plane | forfait* formule* abonnement* plan plans | plan planes tarifa* suscripc* | piano piani tariff* abbonament* pacchett* | abonnement* pakket* tarief* plan plannen
discount: discount* deduct* subtract* | rabatt* abzug* abgezogen abzieh* ziehen zieht verrechn* angerechn* anrechn* | remise* dedui* deduct* | descuent* descont* | scont* detra* | kort* aftrek* afgetrokken trek trekken trekt verreken*
price: price* cost* fee fees rate charge* | preis* kost* gebuhr* honorar* | prix tarif* cout* honoraire* revient reviennent | precio* coste* tarifa* cuesta* honorario* | prezz* cost* tariff* onorari* | prijs* prijzen kost* tarief*
company: company business firm practice surgery clinic office studio house agency shop shops store workshop garage premises site | firma betrieb unternehmen praxis kanzlei haus laden buro geschaft agentur werkstatt werkstatten | entreprise societe maison cabinet etablissement bureau agence enseigne magasin* boutique* atelier* | empresa negocio casa clinica consulta oficina establecimiento estudio local tienda* taller* | azienda ditta impresa casa studio ambulatorio ufficio attivita locale agenzia negozi* officin* bottega | bedrijf zaak praktijk kantoor huis onderneming bureau firma winkel* werkplaats*
hotel: hotel* inn guesthouse* | hotel* pension* gasthaus* | hotel* auberge* | hotel* hostal* | hotel* albergo* pension* | hotel* pension*
bakery: baker* bakery bakeries | backerei* backer* | boulanger* | panad* horno | panific* forn* panett* | bakker*
customer-private: private* individual* | privat* | particulier* priv* | particular* privad* | privat* | particulier* prive*
fleet: fleet* | flotte* fuhrpark* | flotte* | flota* | flott* | vloot wagenpark*
driver: driver* drive drives driving | fahrer* fahren fahrt* | conduc* chauffeur* | conduct* conduc* | conducent* guid* autist* | bestuurder* rijd* rijden rijdt
kind: kind kinds make makes brand* model* sort* type* | art arten marke* modell* typ typen | marque* modele* type* sorte* | marca* model* tipo* clase* | marc* modell* tip* | merk* model* soort* type*
speak-with: talk* conversation* chat | gesprach* reden sprech* | parl* entretien* | habl* convers* | parl* colloqui* | praat* praten gesprek*
certificate: certificat* | zertifik* bescheinigung* | certificat* attestation* | certificad* | certificat* attestat* | certifica* verklaring*
before: before prior advance ahead early earlier beforehand upfront | vorher voraus vor fruher vorab rechtzeitig | avant avance prealable | antes antelacion anticip* previ* | prima anticip* preavviso | vooraf tevoren vooruit eerder voor
same-day: same | selben gleichen derselbe | meme | mismo misma | stess* | zelfde dezelfde
twice: twice | zweimal | deux | dos | due | tweemaal
unlimited: unlimited | unbegrenzt* unbeschrankt* | illimite* | ilimitad* | illimitat* | onbeperkt*
organic: organic* bio eco | bio* biologisch* oko* | bio biolog* | ecolog* biolog* organic* | biolog* bio | biologisch* bio
accessible: accessib* wheelchair* step-free barrier-free | barrierefrei* rollstuhl* stufenlos* kinderwagen* | accessible* accessibilite fauteuil* roulant* pmr | accesib* silla ruedas | accessib* rotell* carrozzin* | toegankelijk* rolstoel* drempelvrij*
vaccination: vaccin* jab jabs inoculat* | impf* geimpft | vaccin* | vacun* | vaccin* | inent* vaccin* geent
deposit: deposit* | kaution* hinterleg* pfand* | caution* consign* depot* depos* | fianza* deposit* | cauzion* caparr* deposit* | borg waarborg* statiegeld*
accompany: accompan* chaperon* escort* | begleit* | accompagn* compagnie | acompan* compania | accompagn* compagnia | begeleid* vergezel* gezelschap
insurance: insur* | versicher* | assur* mutuelle* | segur* asegur* | assicur* | verzeker*
"""
_Words = tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]
_SHORTEST_BEGINNING, _SHORT = 2, 3


def read_rows(rows: str) -> Mapping[str, _Words]:
    """Return by language the meanings of whole words and of beginnings of words; a row is `meaning: column | ...`."""
    read: dict[str, _Words] = {language: ({}, {}) for language in LANGUAGES}
    for row in rows.strip().splitlines():
        meaning, _, columns = row.partition(":")
        for language, column in zip(LANGUAGES, columns.split("|"), strict=True):
            for word in flatten(column).split():
                words = read[language][1 if word.endswith("*") else 0]
                key = word.rstrip("*")
                words[key] = words.get(key, frozenset()) | {meaning}
    return read


_BY_LANGUAGE = read_rows(_ROWS)


@lru_cache(maxsize=20_000)
def meanings(word: str, language: str) -> frozenset[str]:
    """Return the meanings of a flat word in a language; none for a word that stands only for itself."""
    whole, beginnings = _BY_LANGUAGE[language]
    read = whole.get(word, frozenset[str]())
    for length in range(_SHORTEST_BEGINNING, min(len(word), 16) + 1):
        # Three letters begin many words: canto is no dog, garantie no parking.
        if length > _SHORT or word[length:] in ENDINGS:
            read |= beginnings.get(word[:length], frozenset[str]())
    return read
