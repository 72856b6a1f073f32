"""Queries DeepSeek through its variant of the Messages API, with the web tool of its chat.

Source: DeepSeek API documentation, web tools and user metadata marker; types of the vendor's own harness,
`web-search-deepseek`. Both are documents: no real response body has been seen.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime

from engines import anthropic
from engines.engine import EngineAnswer, Exchange, LocaleField, Mode, Question
from engines.suppliers.locations import NAMES, place_name
from engines.transport.http import Adapter, HttpConfig, Request

PARSER = "deepseek-messages/1"
SEARCH_TOOL = "deepseek_web_search"
PATH = "/v1/messages"
LOCALE: Mapping[Mode, frozenset[LocaleField]] = {
    Mode.READINESS: frozenset({"country", "city", "region", "language"})
}
"""For searches only; requests without a search carry no location, as with every other engine."""
LANGUAGES: Mapping[str, str] = {
    "cs": "Čeština pondělí úterý středa čtvrtek pátek sobota neděle",
    "da": "Dansk mandag tirsdag onsdag torsdag fredag lørdag søndag",
    "de": "Deutsch Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    "en": "English Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "es": "Español lunes martes miércoles jueves viernes sábado domingo",
    "fi": "Suomi maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai",
    "fr": "Français lundi mardi mercredi jeudi vendredi samedi dimanche",
    "it": "Italiano lunedì martedì mercoledì giovedì venerdì sabato domenica",
    "ja": "日本語 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日",
    "ko": "한국어 월요일 화요일 수요일 목요일 금요일 토요일 일요일",
    "nb": "Norsk mandag tirsdag onsdag torsdag fredag lørdag søndag",
    "nl": "Nederlands maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    "no": "Norsk mandag tirsdag onsdag torsdag fredag lørdag søndag",
    "pl": "Polski poniedziałek wtorek środa czwartek piątek sobota niedziela",
    "pt": "Português segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
    "ro": "Română luni marți miercuri joi vineri sâmbătă duminică",
    "ru": "Русский понедельник вторник среда четверг пятница суббота воскресенье",
    "sv": "Svenska måndag tisdag onsdag torsdag fredag lördag söndag",
    "tr": "Türkçe Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi Pazar",
    "uk": "Українська понеділок вівторок середа четвер пʼятниця субота неділя",
    "zh": "中文 星期一 星期二 星期三 星期四 星期五 星期六 星期日",
}
"""A language's own name and its weekdays from Monday on, in the format of the location message."""


def today() -> date:
    """Return the current day in UTC."""
    return datetime.now(UTC).date()


def adapter(search_tool: str = SEARCH_TOOL, day: Callable[[], date] = today) -> Adapter:
    """Return the adapter for one web tool: that of DeepSeek's chat, or a dated one such as `web_search_20250305`.

    A location is sent together with the current `day`.
    """

    def build(question: Question, config: HttpConfig) -> Request:
        return Request(PATH, request_body(question, config.model, search_tool, day()))

    return Adapter(build=build, parse=parse, key_header="x-api-key", key_prefix="", locale=LOCALE)


def request_body(question: Question, model: str, search_tool: str, day: date) -> dict[str, object]:
    """Return the request body. No search can be forced: the model decides, and without one it is `not_grounded`."""
    is_placed = question.mode is Mode.READINESS and (question.country or question.language)
    sent: dict[str, object] = {
        "model": model,
        "max_tokens": question.max_output_tokens,
        "messages": [
            *([{"role": "latest_reminder", "content": reminder(question, day)}] if is_placed else []),
            {"role": "user", "content": question.text},
        ],
    }
    if question.temperature is not None:
        sent["temperature"] = question.temperature
    if question.mode is Mode.READINESS:
        name = SEARCH_TOOL if search_tool == SEARCH_TOOL else "web_search"
        sent["tools"] = [{"type": search_tool, "name": name}]
        # With thinking enabled, the tool becomes deep research, a different product from the chat's search.
        sent["thinking"] = {"type": "disabled"}
    return sent


def reminder(question: Question, day: date) -> str:
    """Return the user's date, weekday, location, platform and language in the format of DeepSeek's own chat.

    A language without a listed name is sent as its tag. A language that was not set is not sent, because the
    model would answer in it; the weekday is then in English.
    """
    tag = question.language or ""
    listed = LANGUAGES.get(tag.partition("-")[0])
    name = listed.partition(" ")[0] if listed else tag
    _, *weekdays = (listed or LANGUAGES["en"]).split(" ")
    country = NAMES.get(question.country, question.country) if question.country else ""
    place = place_name(question) or country
    return f"{day.isoformat()},{weekdays[day.weekday()]},{place},Web,{name}"


def parse(question: Question, exchanges: Sequence[Exchange]) -> EngineAnswer:
    """Return the answer in a message. Raises EngineError for a failure inside it or an unknown shape."""
    return replace(anthropic.parse(question, exchanges), parser=PARSER)
