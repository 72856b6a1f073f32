"""Numbered lists that are not rankings: steps, lists in no particular order, and honorable mentions."""

import re
from collections.abc import Sequence
from typing import Final

from analytics.text.folding import fold

_VERBS_TEXT = """
open visit call ask contact check download go compare use try buy choose read sign log search find get
install book order request consult look email bring tap click select enter confirm create add set verify
review consider start make take send submit pay schedule pick determine identify navigate type press
scan cancel switch connect register join follow wait research note gather export import map move drag
upload paste copy save wait turn unplug plug hold swipe scroll write request measure mix rinse
apply remove insert replace restart reset update link sync invite assign share enable disable activate
let leave keep put bring run test öffnen öffne tippen tippe wählen wähle rufen rufe vergleichen
vergleiche prüfen prüfe klicken klicke gehen gehe melden melde kontaktieren kontaktiere besuchen besuche
laden lade fragen frage suchen suche geben gib bestätigen bestätige starten starte abre abra haz haga
toca toque selecciona seleccione elige elija ve vaya llama llame compara visita visite consulta consulte
contacta contacte descarga descargue pide pida revisa revise busca busque confirma confirme verifica
verifique inicia inicie entra entre escribe escriba pulsa pulse introduce crea reserva pregunta prepara
ouvrez cliquez choisissez allez appelez comparez visitez vérifiez contactez téléchargez demandez
cherchez sélectionnez confirmez saisissez connectez appuyez réservez lisez consultez accédez entrez
ouvrir choisir apri tocca scegli vai chiama confronta controlla seleziona contatta scarica clicca cerca
inserisci conferma accedi prenota chiedi leggi imposta premi escolha vá ligue baixe clique acesse peça
procure selecione insira contate bel kies ga klik tik vergelijk bezoek controleer neem vraag pomp breng
maak zoek vul bevestig selecteer lees meld otwórz wybierz kliknij zadzwoń porównaj sprawdź odwiedź
pobierz zaloguj wejdź naciśnij potwierdź poproś znajdź skontaktuj umów przejdź wpisz dodaj zapytaj
откройте нажмите выберите перейдите позвоните сравните проверьте посетите скачайте войдите подтвердите
найдите свяжитесь зайдите введите зарегистрируйтесь спросите закажите обратитесь افتح اضغط اختر اذهب
ادخل انقر حدد اتصل قم قارن راجع تحقق ابحث سجل حمل زر اطلب تواصل
"""
_VERBS = frozenset(_VERBS_TEXT.split())
_STARTS_TEXT = """
打开 点击 选择 进入 输入 确认 下载 登录 联系 访问 查看 比较 拨打 搜索 填写 提交 检查
注册 前往 询问 開啟 點擊
"""
_STARTS = tuple(_STARTS_TEXT.split())
_ENDINGS = re.compile(
    r"(?:ください|てください|します|する|開く|押す|選ぶ|タップ|クリック|選択|入力|確認|比較する"
    r"|세요|십시오|합니다|하기|누르기|열기|찾기|클릭|선택|확인|하세요"
    r"|करें|खोलें|जाएं|चुनें|दबाएं|डालें|लें|दें|देखें|पूछें"
    r"|[ıiuü]n[ıiuü]z|layın|leyin|edin|açın|seçin|arayın|girin|yapın|tıklayın|gidin|sorun|indirin)\W{0,3}\Z"
)
_WORD = re.compile(r"[^\W\d_]+")
# An imperative after words of place or time: `In Acme, open the settings`.
_WORD_AFTER_PLACE = re.compile(
    r"(?:in|on|at|under|inside|within|from|with|once|after|when|if|then|next|finally|now|im|in|auf|unter|dans|sur|en|desde|su|nel|da|em|no|op|w"
    r"|na)\s[^,\n]{1,60},\s{0,3}[*_]{0,3}([^\W\d_]+)|(?:then|next|finally|now|first|lastly|afterwards)\b,?\s{1,3}[*_]{0,3}([^\W\d_]+)",
    re.IGNORECASE,
)
_MOST_STEPS = 0.5
_FEWEST = 2
_BEFORE: Final = 300
_AFTER: Final = 200
"""Characters before the first item and after the last item in which a statement about the order is searched for."""
_FREE_ORDER = re.compile(
    r"no (?:particular|specific|special|set) order|in any order|random order|alphabetical|not (?:a ranking"
    r"|ranked|listed in order|in (?:any )?(?:ranked )?order)|unranked"
    r"|order (?:does not|doesn't) (?:matter|imply)"
    r"|(?:ohne|keine|keiner) (?:\w{1,12} )?(?:reihenfolge|rangfolge|wertung)|(?:beliebiger"
    r"|zufalliger) reihenfolge|reihenfolge (?:ist )?(?:zufallig|willkurlich)|alphabetisch"
    r"|sans (?:aucun )?(?:ordre|classement)|aucun ordre|dans le desordre|ordre (?:alphabetique|aleatoire)"
    r"|ordre n'a pas"
    r"|sin (?:ningun |un )?orden|ningun orden|orden (?:alfabetico|aleatorio)"
    r"|senza (?:un )?ordine|nessun ordine|ordine (?:sparso|alfabetico|casuale)"
    r"|sem (?:uma )?ordem|nenhuma ordem|ordem (?:alfabetica|aleatoria)"
    r"|willekeurige volgorde|geen (?:\w{1,12} )?(?:volgorde|rangorde)|alfabetisch"
    r"|kolejnosci? (?:przypadkow|alfabetyczn|losow|dowoln)|(?:przypadkowej|alfabetycznej|losowej"
    r"|dowolnej) kolejnosci|bez (?:\w{1,16} )?kolejnosci"
    r"|(?:произвольном|случайном|алфавитном) порядке|(?:belirli|ozel) bir sira|rastgele sira|alfabetik"
    r"|順不同|五十音順|アルファベット順"
    r"|不分先后|不分先後|无特定顺序|按字母|순서는? ?(?:무관|상관)|가나다순|무순|(?:بدون|دون) ترتيب|ابجدي|विशेष क्रम"
)
_STEMS_TEXT = """
order rank alpha folge wertung ordre classement orden ordine ordem volgorde rangorde kolejn поряд sıra
順 先后 先後 顺序 字母 순 ترتيب أبجد क्रम
"""
_STEMS = tuple(_STEMS_TEXT.split())
"""Every match of `_FREE_ORDER` contains one of these."""
_BESIDE_THE_RANKING = re.compile(
    r"(?:honou?rable|notable|special) mentions?|also (?:worth|good|great|consider|recommended|notable)"
    r"|other (?:\w{1,12} )?(?:options|alternatives|picks|mentions|names)"
    r"|(?:further|more) (?:options|alternatives)|runners[- ]up|worth (?:a look|mentioning|considering)|bonus"
    r"|weitere (?:empfehlungen|alternativen|anbieter|optionen)|ebenfalls|auch (?:gut|interessant"
    r"|erwahnenswert)|(?:lobende|ehrenvolle) erwahnung|erwahnenswert"
    r"|mentions? (?:honorables?|speciales?)|autres (?:options|alternatives)|a considerer aussi|menci(?:on"
    r"|ones) (?:honorificas?|especial(?:es)?|de honor)"
    r"|otras (?:opciones|alternativas)|menzion[ei] (?:onorevol[ei]|d'onore|special[ei])|altre (?:opzioni"
    r"|alternative)|menc(?:ao|oes) (?:honrosas?|especia(?:l|is))"
    r"|outras (?:opcoes|alternativas)|eervolle vermelding|andere (?:opties|alternatieven|optionen)"
    r"|wyroznieni[ae]|inne (?:opcje|alternatywy)|warto(?: tez)? rozwazyc"
    r"|другие (?:варианты|альтернативы)|mansiyon|diger (?:secenekler|alternatifler)|次点|その他"
    r"|番外|其他|기타|그 외|خيارات اخري"
)
"""Heads a list of names that rank below the main list."""


def is_step(item: str) -> bool:
    """Return whether an item is an instruction or a question: it opens or closes with an imperative, or asks."""
    shown = item.strip(" *_#\t“”\"'")
    if shown.endswith(("?", "？", "؟")):
        return True
    words = (_WORD.match(shown), _WORD_AFTER_PLACE.match(shown))
    if any(word is not None and word[word.lastindex or 0].casefold() in _VERBS for word in words):
        return True
    return shown.startswith(_STARTS) or _ENDINGS.search(shown[-40:]) is not None


def are_steps(items: Sequence[str]) -> bool:
    """Return whether at least half of the items, and at least two, are instructions."""
    steps = sum(map(is_step, items))
    return steps >= _FEWEST and steps >= _MOST_STEPS * len(items)


def is_beside_the_ranking(text: str, first: int) -> bool:
    """Return whether the line above the first item says that the list names entities outside the preceding ranking."""
    above = (
        text[max(0, first - _BEFORE) : first]
        .rstrip(" \t*_#")
        .rstrip("0123456789.)")
        .rstrip()
        .rpartition("\n")[2]
    )
    return _BESIDE_THE_RANKING.search(fold(above).text) is not None


def is_in_free_order(text: str, after: int, first: int, last: int) -> bool:
    """Return whether the lines before or after a list say that it is not a ranking.

    `after` is the end of the previous list, or 0; `first` is the start of the first item; `last` is the end
    of the last item's last line.
    """
    if _says_free_order(text[max(after, first - _BEFORE) : first]):
        return True
    behind = text[last : last + _AFTER]
    if not _says_free_order(behind):
        return False
    for line in behind.split("\n"):
        shown = fold(line).text.strip()
        if _FREE_ORDER.search(shown) and not shown.endswith((":", "：")):
            return True
    return False


def _says_free_order(part: str) -> bool:
    lower = part.lower()
    return any(stem in lower for stem in _STEMS) and _FREE_ORDER.search(fold(part).text) is not None
