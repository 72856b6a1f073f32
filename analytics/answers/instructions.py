"""Tells a list of steps from a ranking: items that say what to do rank nobody."""

import re
from collections.abc import Sequence
from functools import cache

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
# The imperative after words that say where or when: `In Acme, open the settings`.
_WORD_AFTER_PLACE = re.compile(
    r"(?:in|on|at|under|inside|within|from|with|once|after|when|if|then|next|finally|now|im|in|auf|unter|dans|sur|en|desde|su|nel|da|em|no|op|w"
    r"|na)\s[^,\n]{1,60},\s{0,3}[*_]{0,3}([^\W\d_]+)|(?:then|next|finally|now|first|lastly|afterwards)\b,?\s{1,3}[*_]{0,3}([^\W\d_]+)",
    re.IGNORECASE,
)
_CHOOSING_TEXT = """
use try choose pick consider start go compare look take get buy put make keep order read find run follow
research note determine identify wait test bring cerca premi leggi visita reserva suche frage va vai vá entra
set wähle wählen vergleiche vergleichen nimm prüfe prüfen starte gehe elige elija compara ve choisissez comparez
allez scegli confronta escolha kies vergelijk bekijk neem ga wybierz porównaj выберите сравните
"""
"""Imperatives that may as well say whom somebody prefers (`Try Acme first`), or are words of another language."""
_LOOKING_TEXT = "look check see mira mire regardez guarda veja kijk sprawdź zobacz посмотрите"
_TASK = re.compile(
    r"(?<!\w)(?:acin|indirin|girin|tiklayin|kaydolun|olusturun|arayin|yukleyin|baglayin|giris yapin"
    r"|खोलें|जाएं|दबाएं|डालें|भरें|(?:डाउनलोड|कॉल|फोन|संपर्क|क्लिक|इंस्टॉल|लॉग इन) करें)(?!\w)"
    r"|(?:電話|連絡|確認|ログイン|登録|入力|クリック|タップ|ダウンロード|インストール|接続|連携)し(?:てください|ておき|ましょう)"
    r"|(?:전화|연락|확인|로그인|클릭|입력|설치|가입|연결)(?:하세요|하십시오|해 ?주세요|해 ?보세요)"
)
"""Imperatives that close a sentence, in folded text."""
_NEXT_WORD = re.compile(
    r"[,:]?(?: (?:then|please|just|dann|bitte|puis|luego|poi|depois|dan)){0,2} (?P<word>[^\W\d_]+)"
)
_MOST_STEPS = 0.5
_FEWEST = 2


def is_step(item: str) -> bool:
    """Whether an item of a list says what to do or asks: it opens or closes with an imperative, or is a question."""
    shown = item.strip(" *_#\t“”\"'")
    if shown.endswith(("?", "？", "؟")):
        return True
    words = (_WORD.match(shown), _WORD_AFTER_PLACE.match(shown))
    if any(word is not None and word[word.lastindex or 0].casefold() in _VERBS for word in words):
        return True
    return shown.startswith(_STARTS) or _ENDINGS.search(shown[-40:]) is not None


def are_steps(items: Sequence[str]) -> bool:
    """Whether at least half of the items, and two of them, say what to do."""
    steps = sum(map(is_step, items))
    return steps >= _FEWEST and steps >= _MOST_STEPS * len(items)


@cache
def _task_verbs() -> frozenset[str]:
    """The folded imperatives that tell to do something else than to prefer somebody."""
    verbs = (_VERBS - set(_CHOOSING_TEXT.split())) | set(_LOOKING_TEXT.split())
    return frozenset(fold(verb).text for verb in verbs)


def asks_for_task(sentence: str, at: int) -> bool:
    """Whether a folded sentence goes on, behind a word that ends at an offset, with what somebody should do."""
    following = _NEXT_WORD.match(sentence, at)
    return following is not None and following["word"] in _task_verbs()


def is_task(sentence: str) -> bool:
    """Whether a folded sentence tells somebody to do something, so that its order is that of steps."""
    return asks_for_task(f" {sentence.lstrip(' -*#')}", 0) or _TASK.search(sentence) is not None
