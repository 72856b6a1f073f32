"""How Polish, Russian and Turkish say that nothing is known of a name; the words are folded."""

from analytics.matching.absences.grammar import AbsenceGrammar

_PL_EVIDENCE = "(?:informacji|danych|wynikow|szczegolow|opinii|recenzji|wzmianek|wzmianki|zrodel|wpisow|dowodow|sladu|sladow|wiedzy|niczego|informacje|dane|wyniki)"
_PL_ADJECTIVE = "(?: (?:zadnych|wiarygodnych|publicznych|publicznie|dostepnych|szczegolowych|konkretnych|wystarczajacych|istotnych|dokladnych|rzetelnych|aktualnych|sprawdzonych|jakichkolwiek|zadnej|zadnego|wielu|potwierdzonych)){0,4}"
_PL_ABOUT = "(?:o|na temat|dotyczacych|odnosnie|w sprawie|dla|zwiazanych z|od)"
_PL_SOURCES = "(?:zrodel|zrodla|zrodlo|wynikow|wyniki|wynik|artykulow|artykuly|stron|strony|dokumentow|list|lista|tekstow|wyszukiwania)"
_PL_MENTION = "(?:wymienia|wymieniaja|wspomina o|wspominaja o|wspomina|wspominaja|zawiera|zawieraja|podaje|podaja|opisuje|opisuja|uwzglednia|uwzgledniaja|pokazuja|pokazuje|mowi o|mowia o)"

POLISH = AbsenceGrammar(
    language="pl",
    triggers=("nie ", "brak", "zadn", "nic ", "nieznan", "nigdy", "niewiele"),
    before=(
        rf"nie (?:znalazlem|znalazlam|znalezlismy|znaleziono|udalo mi sie znalezc|udalo sie znalezc|moge znalezc|mam|posiadam|ma|dysponuje|istnieja|ma dostepnych|widze|natrafilem na|bylem w stanie znalezc){_PL_ADJECTIVE} {_PL_EVIDENCE}{_PL_ADJECTIVE} {_PL_ABOUT}",
        r"nie (?:znalazlem|znalazlam|znalezlismy|znaleziono|udalo mi sie znalezc|udalo sie znalezc|moge znalezc|moge zweryfikowac|znam|kojarze|rozpoznaje|slyszalem o|slyszalam o|potrafie znalezc|jestem zaznajomiony z)",
        rf"(?:brak|zadnych|niewiele|malo|bez){_PL_ADJECTIVE} {_PL_EVIDENCE}{_PL_ADJECTIVE} {_PL_ABOUT}",
        r"(?:nic|niczego)(?: (?:konkretnego|pewnego|istotnego))?(?: (?:nie (?:wiem|znalazlem|znalazlam|wiadomo)))? (?:o|na temat)",
        rf"(?:zadne|zadna|zaden)(?: (?:ze|z|z tych|z moich))?(?: [a-z]{{1,15}}){{0,2}} ?{_PL_SOURCES}(?: [a-z]{{1,15}}){{0,4}} nie {_PL_MENTION}",
        rf"{_PL_SOURCES}(?: [a-z]{{1,15}}){{0,5}} nie {_PL_MENTION}",
        r"(?:nigdy nie slyszalem o|nigdy nie slyszalam o|nie jest mi znana|nie jest mi znany)",
        r"nie (?:ma|istnieje|znam|kojarze)(?: zadnej| zadnego)? (?:firmy|marki|sklepu|przedsiebiorstwa|produktu|firma|marka|sklep)(?: (?:o nazwie|pod nazwa|zwanej|zwanego))?",
    ),
    after=(
        r",? nie (?:pojawia|pojawiaja|wystepuje|figuruje|istnieje|widnieje|znalazlem|znalazlam|kojarze|znam|rozpoznaje|zostal[ao]?|jest|znajduje)(?: [a-z]{1,12}){0,2}? ?(?:sie|wymienion[aey]|wspomnian[aey]|znan[aey]|mi|znalezion[aey]|uwzgledniona|w (?:wynikach|zrodlach|zadnym)|na liscie|[.,]|$)",
        r",? (?:jest|pozostaje) (?:mi )?(?:nieznan[aey])",
        rf",? (?:brak|nie ma|nie mam|nie znalazlem|nie znalazlam|nie znaleziono){_PL_ADJECTIVE} {_PL_EVIDENCE}",
    ),
    nothing=(
        rf"(?:przykro mi,? |ale |niestety,? |i )?(?:(?:nie (?:znalazlem|znalazlam|znaleziono|ma|mam|udalo sie znalezc|udalo mi sie znalezc)|brak|zadnych){_PL_ADJECTIVE} {_PL_EVIDENCE}|nie (?:znaleziono|znalazlem|znalazlam|znam)(?:[.)]| (?:jej|jego|tej|go)|$)"
        rf"|nieznan[aey](?:[.)]|$)|(?:nic|niczego)(?: [a-z]{{1,12}}){{0,2}}? nie (?:znalazlem|znalazlam|znaleziono|wiem|wiadomo|(?:udalo|da) (?:mi |nam )?sie (?:znalezc|ustalic|dowiedziec|odnalezc|stwierdzic)|moge (?:znalezc|powiedziec)))"
    ),
    lead="o|na temat|co do|odnosnie|szukalem|szukalam|w sprawie|jesli chodzi o",
    fill="firmie|marce|firma|marka|firmy|marki|sklepie|sklep|sklepu|o nazwie|zadnej|zadnego|tej|tego|takiej|pod nazwa|producencie|uslugi|produktu|przedsiebiorstwo|przedsiebiorstwa|nazwa|firme|marke",
    listing="i|lub|ani|oraz|albo|czy",
    aside="z kolei|natomiast|niestety|jednak|o ile wiem|tymczasem",
    hedge="jesli|moze|byc moze|mozliwe|prosze|czy|ewentualnie|prawdopodobnie",
)

_RU_EVIDENCE = "(?:информаци[ияейю]+|данных|данные|сведени[йяе]+|результат[овы]*|упоминани[йяе]+|отзыв[овы]*|источник[иов]*|подробност[ией]+|записей|фактов|материалов|след[аов]*|ничего|знани[йя]+)"
_RU_ADJECTIVE = "(?: (?:никакой|никаких|какой-либо|каких-либо|достоверной|достоверных|надежной|надежных|публичной|доступной|общедоступной|конкретной|подробной|достаточной|актуальной|проверенной|открытой|релевантной|много|почти|в|открытых|источниках|нет)){0,5}"
_RU_ABOUT = "(?:о|об|обо|по|про|на|касательно|относительно|насчет|связанн[а-я]+ с|для|с упоминанием)"
_RU_SOURCES = "(?:источник[аови]*|результат[аыовх]*|поиска|стат[ьейяхи]+|страниц[аы]?|документ[аыов]*|спис[окаи]+|текст[аыов]*|сайт[аыов]*|материал[аыов]*)"
_RU_MENTION = "(?:упоминает|упоминают|называет|называют|содержит|содержат|указывает|указывают|перечисляет|перечисляют|включает|включают|приводит|приводят|говорит о|говорят о|описывает|описывают)"

RUSSIAN = AbsenceGrammar(
    language="ru",
    triggers=(
        "не ",
        "нет",
        "ничего",
        "ни ",
        "неизвестн",
        "отсутств",
        "мало ",
        "никак",
        "незнаком",
        "никогда",
    ),
    before=(
        rf"не (?:нашел|нашла|нашли|нашлось|удалось найти|смог найти|смогла найти|могу найти|обнаружил[аио]?|обнаружено|найдено|располагаю|имею|имеется|содержат|получилось найти|обладаю|встретил[аи]?){_RU_ADJECTIVE} {_RU_EVIDENCE}{_RU_ADJECTIVE} {_RU_ABOUT}",
        r"не (?:нашел|нашла|нашли|удалось найти|смог найти|смогла найти|могу найти|удается найти|обнаружил[аи]?|знаю|знаком[аы]? с|встречал[аи]?|слышал[аи]? о|слышал[аи]? об|слышал[аи]? про|могу подтвердить|узнаю|знакома?|нашлось)",
        rf"(?:у меня )?(?:нет|мало|отсутствует|отсутствуют|без){_RU_ADJECTIVE} {_RU_EVIDENCE}{_RU_ADJECTIVE} {_RU_ABOUT}",
        r"ничего(?: (?:конкретного|достоверного))?(?: (?:не (?:нашел|нашла|знаю|известно|найдено|нашлось|удалось найти)))? (?:о|об|про|по|на)",
        rf"(?:ни один|ни одна|ни в одном|ни одного)(?: из)?(?: [а-я]{{1,15}}){{0,2}} ?{_RU_SOURCES}?(?: [а-я]{{1,15}}){{0,4}} не {_RU_MENTION}",
        rf"{_RU_SOURCES}(?: [а-я]{{1,15}}){{0,5}} не {_RU_MENTION}",
        r"(?:никогда не слышал[аи]? (?:о|об|про)|мне не ?(?:известна|известен|известно|известны|знакома|знаком)(?: о)?)",
        r"(?:нет|не существует|не знаю)(?: никакой| такой)? (?:компании|бренда|марки|магазина|фирмы|организации)(?: (?:под названием|с названием|по имени))?",
    ),
    after=(
        r",? (?:в|на|среди)?(?: ?[а-я]{1,15}){0,3}? ?не (?:упоминается|упоминаются|упомянут[аоы]?|встречается|встречаются|найден[аоы]?|значится|фигурирует|указан[аоы]?|числится|известн[аоы]|известен|знаком[аоы]?|существует|удалось найти|представлен[аоы]?|нашлось|нашел|нашла|обнаружен[аоы]?|перечислен[аоы]?|появляется|входит в (?:список|результаты))",
        r",? мне (?:не (?:известн[аоы]|известен|знаком[аоы]?)|неизвестн[аоы]|неизвестен|незнаком[аоы]?|ни о чем не говорит)",
        r",? (?:отсутствует|отсутствуют) в",
        r",?(?: (?:мне|нам|в|на|из|сети|интернете|открытых|источниках|пока|к сожалению)){0,4} (?:найти|обнаружить|отыскать|узнать|установить|выяснить|подтвердить)(?: (?:мне|нам|пока|так и)){0,2} не (?:удалось|получилось|смог|смогла|смогли|вышло)",
        rf",? (?:информации|данных|сведений|информация|данные|результатов)?(?: [а-я]{{1,12}}){{0,2}}? ?(?:нет|отсутству[а-я]+|не (?:найдено|найдена|найдены|обнаружено))(?: {_RU_EVIDENCE}|[.,]|$)",
        r",? (?:неизвестн[аоы]|неизвестен)(?:[.,]|$)",
    ),
    nothing=(
        rf"(?:к сожалению,? |но |однако,? |и )?(?:(?:я |мне )?(?:не (?:нашел|нашла|найдено|удалось найти|обнаружено|располагаю|имею|нашлось)|нет|мало|у меня нет){_RU_ADJECTIVE} {_RU_EVIDENCE}|{_RU_EVIDENCE} (?:не (?:найдено|найдены|найдена|обнаружено|обнаружены)|нет|отсутству[а-я]+)|ничего не (?:нашел|нашла|найдено|известно|нашлось|знаю|удалось найти)"
        rf"|не (?:найден[аоы]?|упоминается|известн[аоы]|существует)(?:[.)]|$)|неизвестн[аоы](?:[.)]|$))"
    ),
    lead="о|об|про|по|насчет|что касается|относительно|искал|искала|касательно|по запросу|о компании|по поводу",
    fill="компании|компанию|бренде|бренда|бренд|марке|марка|марки|магазине|магазин|магазина|фирме|фирма|фирмы|компания|под названием|с названием|организации|таком|такой|такую|такая|производителе|сервисе|продукте|именно",
    listing="и|или|ни|либо|а также",
    aside="напротив|однако|к сожалению|же|в свою очередь|насколько я знаю",
    hedge="если|возможно|может|вероятно|пожалуйста|ли|уточните",
)

_TR_EVIDENCE = "(?:bilgi|bilgiye|bilgim|bilgiler|sonuc|sonuca|sonuclar|veri|veriye|kayit|kayda|kaynak|kaynaga|detay|yorum|ayrinti|icerik|referans|iz|bahis|sey)"
_TR_FOUND = "(?:bulamadim|bulamadik|bulunamadi|bulunmuyor|bulunmamaktadir|bulunmamakta|yok|yoktur|mevcut degil|rastlamadim|rastlanmadi|rastlayamadim|ulasamadim|ulasilamadi|sahip degilim|edinemedim|goremedim|cikmadi|gorunmuyor|saglamiyor|icermiyor|vermiyor|yer almiyor|yer almamaktadir|gecmiyor|gecmemektedir)"
_TR_ADJECTIVE = "(?: (?:hicbir|herhangi|bir|guvenilir|yeterli|kamuya|acik|net|dogrulanmis|spesifik|belirli|ayrintili|detayli|guncel|yeterince|fazla|somut|ne|yazik|ki|maalesef|internette|kaynaklarda|aramada|arama|sonuclarinda|da|de)){0,6}"
_TR_SUFFIX = r"(?:'[a-z]{1,5})?"

TURKISH = AbsenceGrammar(
    language="tr",
    triggers=(
        "yok",
        "bulam",
        "bulun",
        "degil",
        "miyor",
        "muyor",
        "hic ",
        "hicbir",
        "bilmiyor",
        "duymad",
        "rastla",
        "tani",
        "mamakta",
        "memekte",
        "bilinm",
        "edineme",
        "ulas",
    ),
    before=(r"(?:bilmedigim|tanimadigim|duymadigim)",),
    after=(
        rf"{_TR_SUFFIX}(?: (?:adli|adinda|isimli|adindaki|diye|markasi|firmasi|sirketi|magazasi|adiyla|ismiyle))?(?: (?:bir|bu))?(?: (?:marka|sirket|firma|magaza|isletme|urun|marka|kurulus|dukkan))?(?: (?:hakkinda|ile ilgili|konusunda|icin|uzerine|adina|dair|ait|iliskin|hakkindaki))"
        rf"(?: ne yazik ki| maalesef)?{_TR_ADJECTIVE}(?: {_TR_EVIDENCE})?(?: (?:ve|veya|ya da) {_TR_EVIDENCE})?{_TR_ADJECTIVE} {_TR_FOUND}",
        rf"{_TR_SUFFIX}(?: (?:adinda|adli|isimli|diye|adiyla))(?: bir)?(?: (?:marka|sirket|firma|magaza|isletme|urun|dukkan)[a-z]{{0,5}})?{_TR_ADJECTIVE} (?:{_TR_FOUND}|tanimiyorum|bilmiyorum|duymadim|tanimiyoruz)",
        rf"{_TR_SUFFIX}(?: (?:markasini|firmasini|sirketini|markasi|firmasi|sirketi|ismi|adi|hic|arama|sonuclarinda|sonuclarda|kaynaklarda|listede|kaynaklarin|hicbirinde|bu|benim|bana|ne yazik ki|maalesef|icin|bir|daha once|veri|tabanimda)){{0,5}} "
        r"(?:gecmiyor|gecmemektedir|yer almiyor|yer almamaktadir|bulunmuyor|bulunmamaktadir|bahsedilmiyor|bahsetmiyor|soz etmiyor|soz edilmiyor|anilmiyor|listelenmiyor|gorunmuyor|tanimiyorum|bilmiyorum|bulamadim|bulamadik|duymadim|icermiyor|listelemiyor|tanidik gelmiyor|bilinmiyor|mevcut degil|bulunamadi|cikmadi|anmiyor|belirtilmemis|gecmedi)",
        r",? (?:tanimadigim|bilmedigim|duymadigim) bir",
    ),
    nothing=(
        rf"(?:maalesef,? |ancak |ne yazik ki,? |ama )?(?:hakkinda |ilgili )?(?:{_TR_ADJECTIVE} ?{_TR_EVIDENCE} {_TR_FOUND}|{_TR_FOUND}(?:[.)]|$)|bilinmiyor(?:[.)]|$))"
    ),
    fill="adli|isimli|adinda|bir",
    listing="ve|veya|ya da|ile",
    aside="ise|ne yazik ki|maalesef|bildigim kadariyla",
    hedge="eger|belki|olabilir|muhtemelen|lutfen|mi|mu|ise|yoksa",
)
