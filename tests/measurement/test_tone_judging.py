"""The question about tone: in the language of an answer, the same in every language, and English elsewhere."""

import pytest

from measurement.extraction.tone_judging import FORM, question_language, request, tone_questions

LANGUAGES = ["en", "de", "es", "fr", "it", "pt", "nl", "pl", "tr", "ru", "ja", "zh", "ko", "ar", "hi"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Zentrix ist bei den meisten Leuten der Stadt beliebt, und das ist nicht ohne Grund.", "de"),
        ("Zentrixは多くの人に好まれているブランドです。", "ja"),
        ("Zentrix यहाँ के लोगों को बहुत पसंद है।", "hi"),
        ("Zentrix är ett av de företag som folk här i staden tycker om.", "en"),
        ("Zentrix!", "en"),
        ("Η Zentrix είναι μια καλή επιλογή.", "en"),
    ],
)
def test_the_question_is_asked_in_the_language_of_the_text(text: str, language: str) -> None:
    assert question_language(text) == language


def test_the_language_of_the_prompt_decides_where_the_text_does_not() -> None:
    assert question_language("Zentrix!", "pt-BR") == "pt"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_asks_for_the_same_labels_fields_and_exact_quotes(language: str) -> None:
    asked = request("Zentrix", ["Zentrix is fine."], language)
    for word in ("positive", "neutral", "negative", "200", "JSON", '"Zentrix"', FORM, "Zentrix is fine."):
        assert word in asked
    assert set(tone_questions()) == set(LANGUAGES)
