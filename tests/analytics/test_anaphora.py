"""What is said of "this company" behind a name is said of the name."""

import pytest

from analytics.answers.answer_reading import Reader
from analytics.matching.aliases import Alias, Entity
from analytics.matching.mentions import MentionStatus

READER = Reader([Entity("Kaldira", (Alias("Kaldira"),))], "Kaldira")


def status(language: str, remark: str) -> MentionStatus:
    return READER.read(f"- **Kaldira**: {remark}", (), language).mentions[0].mention.status


@pytest.mark.parametrize(
    ("language", "remark"),
    [
        ("en", "There is no public information on this one."),
        ("en", "On this one I have no data."),
        ("de", "Hierzu wurden keine Treffer gefunden."),
        ("de", "Zu diesem Anbieter liegen keine Informationen vor."),
        ("nl", "Hierover heb ik geen informatie gevonden."),
        ("nl", "Over dit bedrijf is geen informatie beschikbaar."),
        ("fr", "À ce sujet, je ne dispose d'aucune donnée."),
        ("es", "Sobre esta empresa no tengo datos."),
        ("it", "Al riguardo non ho trovato informazioni."),
        ("it", "Su questa azienda non ci sono dati."),
        ("pt", "A esse respeito não tenho dados."),
        ("pt", "Sobre esta empresa não há informações."),
        ("pl", "Na ten temat nie mam żadnych danych."),
        ("pl", "O tej firmie nie znalazłem informacji."),
        ("ru", "Об этой компании данных нет."),
        ("tr", "Bu konuda bilgi bulunamadı."),
        ("tr", "Bu şirket hakkında bilgim yok."),
        ("ja", "こちらについては情報が見つかりませんでした。"),
        ("zh", "关于这家公司，没有找到相关信息。"),
        ("ko", "이 회사에 대한 정보는 없습니다."),
        ("ar", "لا تتوفر معلومات عن هذه الشركة."),
        ("he", "לא מצאתי מידע על החברה הזאת."),
        ("hi", "इस कंपनी के बारे में कोई जानकारी नहीं मिली।"),
    ],
)
def test_nothing_known_of_this_company_is_an_absence_of_the_name_before_it(
    language: str, remark: str
) -> None:
    assert status(language, remark) is MentionStatus.ABSENCE


@pytest.mark.parametrize(
    ("language", "remark"),
    [
        ("en", "This brand does not appear in any source I know."),
        ("de", "Dieses Unternehmen ist mir nicht bekannt."),
        ("es", "No conozco esta empresa."),
        ("ja", "この会社については情報がありません。"),
    ],
)
def test_a_remark_in_the_line_below_a_name_that_is_alone_in_its_own_is_about_the_name(
    language: str, remark: str
) -> None:
    read = READER.read(f"**Kaldira**\n{remark}", (), language)
    assert [mention.mention.status for mention in read.mentions] == [MentionStatus.ABSENCE]


@pytest.mark.parametrize(
    ("language", "remark"),
    [
        ("en", "There are no complaints about this company."),
        ("en", "No other store beats this one."),
        ("de", "Dazu kommen keine versteckten Kosten."),
        ("de", "Hier gibt es keine Angaben zu Preisen, aber der Service ist gut."),
        ("nl", "Hier krijg je geen verborgen kosten."),
        ("ru", "В этом магазине скрытых платежей нет."),
    ],
)
def test_what_this_company_lacks_is_no_absence(language: str, remark: str) -> None:
    assert status(language, remark) is MentionStatus.COUNTED
