"""Finds in a sentence what speaks of places: names, ordinals, who leads, who follows, who is last."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from analytics.answers.discourse_marks import discourse_marks
from analytics.answers.glued_places import glued_places
from analytics.answers.instructions import asks_for_task
from analytics.answers.medals import medals
from analytics.answers.ordinals import LINK, NUMBERED, PLACE_NOUN, WORDS, number_of
from analytics.answers.place_signs import LAST, NAME, NEXT, PlaceSign

_SECOND: Final = 2
_FUNCTION_WORDS = (
    "in on at an with and for because since due thanks to as by from if but or then among behind after over"
    " ahead while so where overall"
    " though although despite given especially mainly is was would are were sind sont sono sao zijn"
    " und wegen weil dank fur mit vor hinter da aber sowie auf im bei ist"
    " y por porque gracias para con aunque pero ya seguid[oa] en es debido"
    " et pour grace car avec devant derriere mais a est en suivi[es]* notamment"
    " e per perche grazie con davanti ma da di seguit[oa]"
    " en vanwege omdat dankzij voor door met maar gevolgd wegens"
    " pela pelo pelos porque gracas com mas devido"
    " i ze dzieki bo za przed oraz ale do"
    " и из-за благодаря за потому так но с"
    " ve ise ile paylas[a-z]{1,10}"
)
_STANDS_ALONE = re.compile(
    rf"[ \"'*]{{0,4}}(?:[-,:.;()]|\Z|{NAME}|(?:{LINK}|{'|'.join(_FUNCTION_WORDS.split())})(?!\w))"
)
"""May follow an ordinal that has no noun; before another noun (`in its first year`) it gives no place."""
_FIGURES_OF_SPEECH = re.compile(
    r"(?:first|second|third)[- ](?:hand|party|class|time|rate|generation|thoughts?|glance)(?!\w)"
    r"|(?:segunda|deuxieme|seconde?|seconda|zweite[rn]?|tweede|druga|drugiej)[- ]?"
    r"(?:mano?|main|hands?|mao|reki)(?!\w)"
    r"|first and foremost|(?:opened|launched|founded|started|released|arrived|built|introduced|joined) (?:first|second|third)(?!\w)"
    r"|(?:segunda|quarta|quinta|sexta)(?:-feira|(?:,| e| a| ou) (?:terca|quarta|quinta|sexta|sabado))(?!\w)|(?:so )?na (?:quarta|quinta|sexta)(?=[.,;]|\Z)"
    r"|first (?:at|in|with|by|from|to|for)(?= ◆)|second(?:s)? (?:to none|only|to|nature|opinion)|(?:in the|at) first(?: place)?(?= )"
)
_PLACE = re.compile(
    rf"(?<!\w)(?:(?P<lead>(?:و?(?:المرتبه|المركز|المكان|المقام|الخيار|خياري|الترتيب)|miejsce"
    rf"|место) )?(?:{WORDS})(?P<noun>(?:[ -](?:{PLACE_NOUN})){{1,4}})?|{NUMBERED})(?!\w)"
)
_COUNTS_OTHER = re.compile(
    r" (?:complaint|reason|rule|problem|issue|tip|question|concern|priority|mistake|factor|feature|cause|criterion|grund|regel|motivo|razon|raison|ragione)s?(?!\w)"
    r"| (?:is|was|being|ist|es|est|jest|to|e) (?:that|the fact|dass|que|qu'|che|dat|ze)(?!\w)|,? (?:dass|что|ze) "
    r"| (?:a|en|da|di|zu) [a-z]{2,14}(?:er|ir|re|ar|are|ere|ire)(?!\w)"
)
"""Makes an ordinal one of a reason or a fact: `the second is that`."""
_ARABIC_NOUN = re.compile(
    r"(?<!\w)(?:[وف])?[بل]?ال(?!خيار|مرتبه|مركز|مكان|مقام|ترتيب)[\u0620-\u064a]{2,12} و?\Z"
)
"""A noun that an Arabic ordinal counts: `the first floor`."""
_ARABIC_ADVERB = re.compile(
    rf"(?<={NAME} )(?:(?P<o1>اولا)|(?P<o2>ثانيا)|(?P<o3>ثالثا))(?!\w)"
    rf"|(?<!\w)و?(?:(?P<s1>اولا)|(?P<s2>ثانيا)|(?P<s3>ثالثا))(?=:? (?:ب ?)?{NAME}(?:[,.;،]|\Z)| ب ?{NAME})"
)
"""`Secondly` parts an argument, unless it stands right behind the name or leads to it."""
_BARE_NUMBER = re.compile(
    r"(?<!\w)(?:(?P<full>op|auf(?: der| die)?)|at|in|en el|el|la|al|il|le|o|em|no|na|do) "
    r"(?P<n1>\d{1,2}|one|two|three|four|five|eins|zwei|drei|vier|funf|uno|dos|tres|due|tre|un|deux|trois"
    rf"|een(?! {NAME})|twee|drie|um|dois|jeden|dwa|trzy)(?!\w|[.,]\d)"
    r"(?P<verb> (?:zetten|gezet|zet|setzen|gesetzt|staat|komt|volgt|steht|kommt|folgt|eindigt|landet|liegt|sehe|wurde|zou)(?!\w))?"
)
"""A number without a word for a place: one behind `op` and `auf`, or where it counts on: `number one, ... at two`."""
_FIRST = "first|zuerst|primero|primeiro|d'abord|en premier|prima|per prima|eerst|innanzitutto|anzitutto|najpierw|сначала|once|ilk once|zuerst"
_CHOOSE = (
    "i'd (?:pick|choose|take|go with)|i would (?:pick|choose|take|go with)|wurde ich(?: \\w{1,20})? (?:nehmen|wahlen)|elegiria|escogeria|escolheria"
    "|recomendaria|je (?:choisirais|prendrais|recommanderais|conseillerais)|j'irais|consiglierei|choisirais|sceglierei|prenderei|zou ik(?: \\w{1,20})? kiezen|zou ik|wybralbym|wybralabym|wzialbym|wzialabym|я бы (?:выбрал|взял)а?|secerdim|tercih ederdim"
)
"""How somebody says whom they would choose, which makes "first" a place."""
_LEADS_TEXT = (
    r"on top|at the top|tops|topped|takes? the lead|leads(?! to)|leading|winner|wins|favou?rite|standout|leader|best"
    r"|top (?:pick|choice|spot|recommendation)|top (?:of )?(?:my|the|our) list|heads? (?:my|the|our) list|ahead of the pack|out in front|in the lead"
    r"|(?:ranks?|ranked|rates?|rated|scores?|scored) (?:the )?highest|highest[- ]rated|recommended first|takes? the crown|go-to(?: choice| pick)?|(?:our|my) pick|before (?:anything|anyone|everything) else|above all others|edges out|comes? out ahead|ahead of the (?:competition|rest|others)"
    r"|vorne?|an der spitze|an die spitze|ganz vorn|die nase vorn|spitzenreiter|(?:test|gesamt)?sieger(?:in)?|favorit|gewinnt"
    r"|fuhrt|am besten|beste[rs]?|ganz oben|macht das rennen|allen voran|zuerst (?:wurde ich|empfehle ich|nenne ich)|zuerst(?=[,;])|uberzeugt am meisten"
    r"|en tete|l'emporte|tient la corde|remporte|gagnante?|vainqueur|meilleure?|domine|tout en haut|en haut de (?:ma|la) liste|prefere[e]?"
    r"|a la cabeza|encabeza|lidera|gana|ganadora?|mejor|favorit[aeo]|empezaria por|en lo (?:mas )?alto|preferid[ao]"
    r"|in testa|in cima|al vertice|vince|guida|vincitore|vincitrice|migliore|preferit[ao]|partirei da|comincerei da"
    r"|na frente|no topo|vence|vencedora?|melhor|comecaria pel[oa]|a frente|campea[o]?"
    r"|bovenaan|aan kop|wint|winnaar|koploper|favoriet|beste"
    r"|na czele|na szczycie|wygrywa|zwyciez[a-z]{1,4}|lider(?:em|ka)?|prowadzi|najleps[a-z]{1,3}"
    r"|лидирует|возглавляет|побеждает|победител[а-я]{1,2}|лидер[а-я]{0,2}|лучш[а-я]{2}|во главе|первенств[а-я]|фаворит"
    r"|zirvede|basi cekiyor|onde|kazanan|liste(?:min|nin) (?:basinda|en ustunde|tepesinde)|favorim|ben olsam"
    rf"|(?:top (?:drie|tres|trois|tre|drei|3|three)|kolejnosc|siralama\w{{0,3}}|rangliste|reihenfolge|ranking|classement|classifica|clasificacion|volgorde|рейтинг|порядок)[^:◆]{{0,16}}: (?:{_FIRST})"
    rf"|(?:{_FIRST})(?: \w{{1,12}}){{0,3}}? (?:{_CHOOSE})|(?:{_CHOOSE})(?: \w{{1,12}}){{0,1}}? (?:{_FIRST})"
    r"|علي راس|في الصداره|الصداره|ي?تتصدر|يتصدر|المقدمه|الافضل|افضلها?(?= ◆)|افضل (?:خيار|اختيار)|(?:انصحك?|ارشح|اوصي) (?:اولا|في البدايه)|اولا (?:انصح|ارشح|اوصي)"
)
_OF_THINGS = (
    r" (?:way|time|thing|part|moment|day|month|season|deal|place to|weg|zeit|zeitpunkt|art|angebot|hora|momento|manera|forma|epoca|cosa"
    r"|modo|periodo|heure|facon|maniere|chose|jeito|tijd|manier|sposob|czas|способ|время|момент|yol|zaman|तरीका|समय)(?!\w)"
)
"""What is best, where it is nobody that is: `the best way to reach Acme`."""
_LEADS = re.compile(
    rf"(?<!\w)(?<!lo )(?:{_LEADS_TEXT})(?!\w)(?!{_OF_THINGS})"
    r"|首位|首选|首選|首推|首先(?:推荐|推薦|会选|會選|选|選)|最前面|最推荐|最推薦|最值得推荐|优先(?:推荐|考虑)|我(?:会|會)?先?(?:选|選)(?!择|擇)|居首|榜首|领跑|領先|领先"
    r"|(?:最も|一番|いちばん|まず(?:は|最初に)?|最初に|第一に|最優先で)(?:お(?:すすめ|勧め|薦め)|オススメ|推し|挙げ|検討した|候補)|トップ|イチ(?:オシ|推し)|一押し|最有力|本命"
    rf"|まず(?:は)?(?={NAME}[をが](?:選|推|お(?:すすめ|勧め)|挙げ|第一))"
    r"|선두|최고|최우선|가장 (?:많이 |먼저 |자주 |높이 )?(?:추천|꼽|언급|권)|가장 (?:좋은|나은|무난한) 선택"
    r"|सबसे (?:आगे|ऊपर|अच्छ[ाी]|बेहतर|बढ़िया|ज्यादा|अधिक)(?! (?:तरीका|समय|मौका))|मैं सबसे पहले|सबसे पहले(?= (?:मैं|मेरी)|[^।]{0,40}(?:सलाह|सुझा|सिफारिश))|शीर्ष"
)
"""Says without a number who comes first; it counts where the text goes on with the second."""
_SUPERLATIVE = re.compile(
    r"(?<!\w)(?:(?:the|my|your|our) (?:most|safest|cheapest|strongest|easiest|fastest"
    r"|simplest|largest|biggest|lowest|highest)|most (?:often|frequently|commonly|widely) (?:recommended|named|mentioned)"
    r"|am [a-z]{3,20}sten|(?:die|der|das) (?!erste|letzte)[a-z]{3,20}ste[nr]?"
    r"|(?:le|la|les) (?:plus|mieux|moins cher[a-z]{0,2})"
    r"|(?:mas|piu|mais) (?!(?:que|di|de|do|da|por|con|com|en|em)(?!\w))[a-z]{3,20}"
    r"|(?:het|de) (?!eerste|laatste)[a-z]{3,20}st(?:e|en)?|naj(?!pierw)[a-z]{3,16}|сам[а-я]{2,3}|наиболее|чаще всего|больше всего"
    r"|en (?:iyi|ucuz|cok|guvenilir|hizli|uygun|populer|guclu)(?:si|su|u|i)?"
    r"|ביותר|הכי|الاكثر|الافضل|الارخص|सबसे(?! पहले))(?!\w)|最(?!近|后|後|終|终|初|大限)|もっとも|一番|いちばん|가장|제일"
)
"""Says of somebody that nobody is more so; who is first, where the next sentence goes on with the second."""
_CHOSEN = re.compile(
    rf"(?<!\w)(?:{_CHOOSE}|i'd (?:opt for|lean towards?|bet on|buy|get)|i would (?:opt for|lean towards?|bet on|buy|get)|je (?:choisis|prends|vote pour)|j'opterais pour"
    r"|(?:yo )?(?:me quedaria con|optaria por|me decantaria por|iria con|me inclinaria por|apostaria por)|opterei per|andrei su|mi orienterei su|scelgo|prendo|punto su"
    r"|(?:eu )?(?:optaria por|iria d[eao]|ficaria com|pegaria|apostaria n[oa])|ik kies|ik koos|wybieram|postawilbym na|postawilabym na|stawiam na"
    r"|(?:я бы )?(?:взял|выбрал|остановился на|купил|предпоч[её]л)а?(?: бы)?|secerim|alirdim|tercihim"
    r"|go-to|my (?:pick|choice|recommendation|vote)|i (?:recommend|prefer|like)|i'd (?:pick|choose|recommend|go (?:with|for)|start with|suggest)|i would (?:pick|choose|recommend|go (?:with|for)|start with|suggest)|hard to beat|my default|(?:could|can) only (?:recommend|pick|choose) one|had to (?:recommend|pick|choose) one"
    r"|takes? the crown|top of the (?:pile|heap)"
    r"|empfehle ich|wurde ich|meine (?:wahl|empfehlung)|mi (?:eleccion|recomendacion|apuesta|opcion)(?: principal)?|(?:yo )?(?:elegiria|recomendaria|me quedo con)|opcion principal"
    r"|coup de coeur|mon choix|je (?:recommande|recommanderais|choisirais|prendrais|privilegierais)|la mia scelta|(?:consiglierei|consiglio|sceglierei|punterei su)"
    r"|(?:eu )?(?:recomendaria|escolheria|ficaria com|recomendo)|minha (?:escolha|recomendacao)|topkeuze|mijn (?:keuze|keus|aanrader)|(?:raad ik|zou ik)"
    r"|polecam|polecilbym|polecilabym|wybralbym|wybralabym|oneririm|tercih ederim|(?:benim )?(?:tercihim|onerim|tavsiyem)|tavsiye ederim|я бы (?:посоветовал|рекомендовал|выбрал)а?|рекомендую|советую)(?!\w)"
    r"|انصح|ارشح|اوصي|おすすめしたい|推したい|がおすすめ|をおすすめします|я бы начала?|начала? бы я|我推荐|我会推荐|추천합니다|추천하고|सलाह|सुझा|सिफारिश"
)
"""Says of somebody that they are chosen; who is first, where the next sentence goes on with the second."""
_FOLLOW_VERBS = (
    r"(?:closely |immediately |narrowly )?followed(?: \w{1,12})? by|(?:dicht |knapp )?gefolgt von"
    r"|(?:next|then) (?:comes|up is|in line is|would (?:be|come)|on (?:my|the|our) list (?:is|comes|would be))|after (?:that|it|them) comes"
    r"|behind (?:it|them) (?:is|are|sits|comes|follows)|(?:right|just|close|closely|not far|a step|one step|hot on its heels) behind(?: it| them| that)?(?:,? (?:is|comes|sits|i'd (?:put|place)))?"
    r"|(?:danach|dahinter) (?:kommt|folgt|kame|liegt|landet|steht|wurde|sehe|setze|nenne)(?: ich| (?:fur|bei) mich| (?:fur|bei) mir)?|(?:direkt|knapp|dicht|gleich) dahinter(?: \w{1,10})?"
    r"|als nachste[rs] (?:kommt|folgt|kame|ware)|an nachster stelle(?: \w{1,10})?"
    r"|suivi[es]* (?:de|par|d')(?: pres par)?|(?:juste )?derriere(?: lui| elle)?,?(?: (?:vient|on trouve|arrive|il y a|se place))?"
    r"|(?:vient|viendrait|arrive) ensuite|ensuite,? je (?:prendrais|mettrais|choisirais|placerais|recommande|conseille)|ensuite (?:vient|viendrait|arrive)|talonnee? (?:de pres )?par"
    r"|seguid[oa]s? (?:muy )?(?:de cerca )?(?:de|por)|seguid[oa]s?(?: (?:de|bem de) perto)? (?:pel[oa]|d[oa])|[ao] vice(?:-campe\w{1,4})?,?(?: (?:est|fica com|seria))?"
    r"|(?:justo )?detras,? (?:esta|viene|queda|va|aparece)|(?:a continuacion|despues|luego) (?:viene|vendria|va|iria|esta|aparece|pondria|elegiria|recomendaria)"
    r"|a seguire|seguit[oaie] (?:a ruota )?d[aei][a-z']{0,3}|subito (?:dopo|dietro)(?: (?:viene|c'e|arriva|troviamo|metterei))?|(?:poi|dopo) (?:viene|c'e|arriva|metterei|troviamo)"
    r"|logo (?:atras|depois|a seguir)(?: (?:vem|esta|aparece|viria))?|(?:a seguir|em seguida|depois) (?:vem|viria|aparece|esta)"
    r"|(?:op de voet )?gevolgd door|(?:vlak |direct |net |daar)?(?:daar)?achter (?:volgt|komt|staat)|(?:daarna|daarop) (?:komt|volgt)"
    r"|(?:zaraz |tuz )?za (?:nim|nia)(?: (?:plasuje sie|jest|znajduje sie))?|(?:nastepn|kolejn)[aey] (?:jest|to|w kolejnosci(?: jest)?)"
    r"|(?:сразу )?за (?:ним|ней|нею)(?: следует| идет| стоит)?|следом(?: за (?:ним|ней))?(?: следует| идет| стоит)?"
    r"|(?:затем|далее|потом) (?:идет|следует|стоит)|следующ(?:ий|ая|ее|им|ей)(?: -| идет| стоит)?"
    r"|(?:ihm |ihr |darauf |es )?folg(?:t|en)|(?:le|lo|la) siguen?(?: muy)?(?: de cerca)?|(?:lo |la )?segue|segue-se|volgt"
    r"|(?:hemen |onun )?(?:ardindan|arkasindan)|daha sonra|ondan sonra"
    r"|و?(?:ي|ت)ليه?ا?|و?تل(?:ت|ا)ها?|و?بعده(?:ا)?(?: مباشره)?(?: (?:ياتي|تاتي))?|ثم (?:ياتي|تاتي)|ו?אחרי[והםן]"
    r"|(?:इसके|उसके|इनके|जिसके) बाद(?: आता है)?"
)
"""Say themselves that somebody comes after another, where "then" may only go on with the text."""
_FOLLOW_SIGNS = (
    r"(?:再)?其次(?:是|为|就是|可以?考虑|可以选择|推荐|选)?|再?往后(?:是)?|再者(?:是)?|再来(?:是)?|再次(?:是|为|推荐)?|次选(?:是|为)?|备选(?:是|为)?|備選(?:是|為)?|次選(?:是|為)?"
    r"|接下来(?:是|推荐)?|次いで|続いて(?:は|[ぁ-ん一-龯]{1,10}の[はが])?|次に(?:は|[ぁ-ん一-龯]{1,10}の[はが])?"
    r"|(?:その)?次(?:点)?(?:は|が|の候補は|点として)|(?:それ|これ)に続くの[はが]"
    r"|그? ?다음(?:은|이|으로|으로는|에는|순위는)?|뒤이어|차선(?:책)?(?:은|으로|으로는)?"
)
"""The same where words are not parted."""
_THEN = (
    r"(?:then|after (?:that|it|which)|next)(?:,? (?:comes?|is|i'd|i would|by|[a-z]{1,12})){0,4}?"
    r"|danach(?: \w{1,10}){0,2}|dann(?: \w{1,10}){0,2}|puis|ensuite|vient ensuite|despues|luego|poi|quindi|seulement apres|(?<=[,;] )dan(?: pas)?|(?<=en )dan(?: pas)?|vlak daarna|daarna|vervolgens"
    r"|depois|em seguida|a continuacion|nastepnie|potem|затем|далее|потом|ardindan|sonra|onu|ثم|फिर"
)
_AFTER_NAME = (
    r"(?:after|behind|nach|hinter|apres|derriere|tras|despues de|detras de|dopo|dietro|depois d[aoe]|atras d[aoe]|achter|po|после)"
    rf"(?: (?:the|der|die|das|la|le|el|de|il|den|dem))? {NAME},?(?: (?:comes?|is|ranks|kommt|folgt|vient|arrive|viene|esta|va|c'e|vem|komt|volgt|jest|идет|следует))"
)
"""Says who follows the name in it: `after Acme comes`."""
_FOLLOWS = re.compile(
    rf"(?<!\w)(?:{_FOLLOW_VERBS}|{_THEN}|{_AFTER_NAME})"
    rf"(?:,? (?:the|a|an|der|die|das|el|la|le|il|o|de|d'|da|di|von|by|por|par|door|przez"
    rf"|het|chez|is|ist|est|jest|comes|kommt|vient|viene|komt|plasuje sie|znajduje sie"
    rf"|would (?:be|come)|vendria|estaria|iria|viendrait|verrebbe|viria|kame|ware)){{0,2}} ?[\"'“]?[بل]?(?={NAME})"
    rf"|(?:{_FOLLOW_SIGNS}|随后(?:是|为)|接着(?:是|为)|紧随其后的(?:是|为)|이어(?:서)?|그 뒤를) ?[,:]? ?(?={NAME})"
)
_FOLLOW_VERB = re.compile(rf"(?<!\w)(?:follows|{_FOLLOW_VERBS})(?!\w)|{_FOLLOW_SIGNS}")
_FOLLOWS_BEHIND = re.compile(
    rf"(?<={NAME})(?: (?:is |comes? |follows |lands |sits |finishes |ranks |trails )?(?:close(?:ly)? behind|right behind|just behind|(?:a|one) step behind|not far behind|next(?!-| (?:door|to|day|week|month|year|time|step|generation|model|level)))(?!\w)"
    rf"| follows(?= (?:at|with|in|on|just)(?!\w))| folgt(?= (?:mit|auf)(?!\w))"
    rf"| (?:kommt|folgt|liegt|landet) (?:direkt |dicht |knapp |gleich )?(?:dahinter|danach)(?!\w)"
    rf"| (?:arrive|vient|suit) (?:juste |tout )?(?:derriere|ensuite|de pres)(?!\w)| juste derriere(?!\w)| (?:viene|va|queda) (?:justo )?(?:despues|detras)(?!\w)"
    rf"| viene (?:subito )?dopo(?!\w)| (?:vem|viria|fica|ficaria|aparece) (?:logo )?(?:depois|atras|a seguir|em seguida)(?!\w)| logo atras(?!\w)| (?:la|lo|le) sigue(?: muy)?(?: de cerca)?(?!\w)"
    rf"| is the next best(?!\w)| (?:is )?(?:usually |often )?(?:mentioned|named|listed|recommended) next(?!\w)"
    rf"| (?:komt|volgt) (?:daarna|daarachter|daar vlak achter)(?!\w)| (?:идет|следует) (?:следом|за (?:ним|ней))(?!\w)"
    rf"| folgt(?: dicht(?:auf)?| knapp)?(?=[.,;]|\Z)|紧随其后|緊隨其後|次之|が(?:それに|これに)?続[きくいけ]|が次点|(?:이|가) (?:그 )?뒤를 (?:잇|이))"
)
_COMES_LAST = re.compile(
    r"(?<!\w)(?:last(?! (?:year|month|week|time))|in last place|br(?:inging|ings) up the rear|zum schluss|completa(?:n)? (?:el|la|il|o) (?:podio|lista|terna)|в последнюю очередь|closes (?:out )?(?:the|my|our) list"
    r"|rounds? out (?:the|my|our) (?:list|top (?:three|3|four|4|five|5)|podium|picks)|an letzter stelle"
    r"|(?:auf (?:dem|den) )?letzten? (?:platz|rang)|das schlusslicht|den abschluss|ferme (?:la marche|le podium|le classement)|complete le (?:podium|trio|classement)|pour finir"
    r"|c(?:ierran?|errando|erraria) (?:la|el) (?:lista|clasificacion|podio)|chiude (?:la|il) (?:lista|classifica|podio)|fecha (?:a|o) (?:lista|podio)"
    rf"|(?:chiude|cierra|fecha)(?= {NAME})"
    r"|sluit (?:◆ )?(?:de|het) (?:rij|lijst|top \d)|tot slot"
    r"|als letzte[rs]?|zuletzt|en dernier"
    r"|(?:en|a la) derniere (?:position|place)|all'ultimo posto|(?:en|na) (?:la )?ultima posic(?:ion|ao)"
    r"|en (?:el )?ultimo(?: (?:lugar|puesto))?"
    rf"|(?:and|y|et|e|i|und|и|en) (?:finally|enfin|finalmente|schliesslich|zuletzt|наконец)|(?:finally|enfin|finalmente|schliesslich|наконец),?(?= {NAME})"
    r"|en son(?:da)?(?: da)?|por ultimo|per ultim[oa]|infine|por fim|em ultimo(?: lugar)?|als laatste|na koncu"
    r"|zamyka (?:stawke|ranking|podium|liste)|(?:stawke|liste|ranking|podium) zamyka"
    r"|замыка[а-я]{2,3}(?: тройку| пятерку| список| рейтинг)?"
    r"|op de laatste plaats|na ostatnim miejscu|на последнем месте|son (?:sirada|olarak)|و?اخيرا|و?في النهايه"
    r"|(?:अंत|आखिर) में)(?!\w)|最后(?:是|为|才?考虑|才?选|推荐)?"
    r"|最後(?:は|に|が)?|마지막(?:은|으로는?)?"
)


def places(sentence: str) -> Iterator[PlaceSign]:
    """Yield the ordinals and numbered places of a folded sentence."""
    spoken = (
        *(figure.span() for figure in _FIGURES_OF_SPEECH.finditer(sentence)),
        *discourse_marks(sentence),
    )
    figures = {at for span in spoken for at in range(*span)}
    signs: list[PlaceSign] = []
    for match in _PLACE.finditer(sentence):
        explicit = any(match[name] is not None for name in ("lead", "noun", "n1", "n2", "n3"))
        place = number_of(match)
        if not place or match[0] == "top" or match.start() in figures:
            continue
        if _COUNTS_OTHER.match(sentence, match.end()) or _ARABIC_NOUN.search(
            sentence, max(0, match.start() - 16), match.start()
        ):
            continue
        if asks_for_task(sentence, match.end()):
            continue
        if explicit or _STANDS_ALONE.match(sentence, match.end()):
            signs.append(PlaceSign(*match.span(), place=place, explicit=explicit))
    adverbs = _ARABIC_ADVERB.finditer(sentence)
    signs += [PlaceSign(*match.span(), place=number_of(match) or 0) for match in adverbs]
    signs += medals(sentence)
    yield from signs
    yield from _bare_numbers(sentence, signs)
    if not sentence.isascii():
        yield from _apart(glued_places(sentence))


def _bare_numbers(sentence: str, numbered: Sequence[PlaceSign]) -> Iterator[PlaceSign]:
    """Yield the bare numbers of a folded sentence that are places, by themselves or since they count on."""
    counted = {sign.place: sign.end for sign in numbered if sign.explicit}
    for match in _BARE_NUMBER.finditer(sentence):
        place = number_of(match)
        if place is None or not (match["verb"] or _STANDS_ALONE.match(sentence, match.end())):
            continue
        if match["full"] or counted.get(place - 1, len(sentence)) < match.start():
            counted[place] = match.end()
            yield PlaceSign(match.start(), match.end("n1"), place=place)


def _apart(signs: Iterable[PlaceSign]) -> Iterator[PlaceSign]:
    """Yield the signs that do not begin within one before."""
    end = 0
    for sign in sorted(signs):
        if sign.at >= end:
            yield sign
            end = sign.end


def steps(sentence: str, numbered: Sequence[PlaceSign] = ()) -> Iterator[PlaceSign]:
    """Yield who leads, who follows and who is last in a folded sentence, as places without a number.

    Whom it praises most leads where it goes on with who follows, or with the second of its `numbered` places.
    """
    for match in _LEADS.finditer(sentence):
        yield PlaceSign(*match.span(), place=1, weak=True)
    second = next((sign.at for sign in numbered if sign.place == _SECOND), None)
    following = [
        PlaceSign(match.end() - 1, match.end(), place=NEXT)
        for match in _FOLLOWS.finditer(sentence)
        if not _is_step(match)
    ]
    following += [PlaceSign(*match.span(), place=NEXT) for match in _FOLLOWS_BEHIND.finditer(sentence)]
    if following or second is not None:
        until = following[0].at if following else second or 0
        praised = _SUPERLATIVE.search(sentence, 0, until) or _CHOSEN.search(sentence, 0, until)
        if praised is not None:
            yield PlaceSign(*praised.span(), place=1, weak=True)
        yield from following
    for match in _COMES_LAST.finditer(sentence):
        yield PlaceSign(*match.span(), place=LAST)


def _is_step(follows: re.Match[str]) -> bool:
    """Whether "then" goes on with what somebody should do: `then call Acme`."""
    blank = follows.string.find(" ", follows.start(), follows.end())
    return blank >= 0 and asks_for_task(follows.string, blank)


def goes_on(sentence: str) -> bool:
    """Whether a folded sentence may go on with who comes after somebody: by a place, or by who follows."""
    return (
        any(places(sentence))
        or _FOLLOW_VERB.search(sentence) is not None
        or _FOLLOWS_BEHIND.search(sentence) is not None
    )


def praises_most(sentence: str) -> bool:
    """Whether a folded sentence says of somebody that nobody is more so, or that they are chosen."""
    return _SUPERLATIVE.search(sentence) is not None or _CHOSEN.search(sentence) is not None
