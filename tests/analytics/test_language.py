"""Which language a text is in: by its script where that is one language's, by its function words otherwise."""

import pytest

from analytics.text.language import detect


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The shop Большая Лавка and the bakery Вкусная Булка are the best in the city and they are open on Sunday as well.", "en"),
        ("Лучший магазин самокатов в городе – Acme, за ним идут Zentrix и Bolt.", "ru"),
        ("Der Laden 大阪屋 und die Werkstatt 京都堂 sind die besten in der Stadt.", "de"),
        ("市内で一番おすすめの店はAcmeです。次はZentrixです。", "ja"),
        ("أفضل متجر في المدينة هو Acme ثم Zentrix.", "ar"),
    ],
)  # fmt: skip
def test_names_in_another_script_make_no_text_one_of_its_language(text: str, language: str) -> None:
    assert detect(text) == language
