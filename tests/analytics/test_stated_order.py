"""Orders that a label states, and choices that somebody would make before a second."""

import pytest

from tests.analytics.three_makers import ranks


@pytest.mark.parametrize(
    "text",
    [
        "Ranking: Kelvista ahead of Brantho and Nuvelle.",
        "Ranking: Kelvista vor Brantho und Nuvelle.",
        "Mein Ranking: Kelvista knapp vor Brantho und Nuvelle.",
        "Rangliste: Kelvista vor Brantho und Nuvelle",
        "Classement : Kelvista devant Brantho et Nuvelle.",
        "Clasificación: Kelvista por delante de Brantho y Nuvelle.",
        "Classifica: Kelvista davanti a Brantho e Nuvelle.",
        "Ranking: Kelvista à frente de Brantho e Nuvelle.",
        "Ranglijst: Kelvista voor Brantho en Nuvelle.",
        "Ranking: Kelvista przed Brantho i Nuvelle.",
        "Рейтинг: Kelvista, Brantho и Nuvelle.",
        "Sıralama: Kelvista, Brantho ve Nuvelle.",
        "ランキング：Kelvista、Brantho、Nuvelle",
        "排名：Kelvista、Brantho、Nuvelle",
        "순위: Kelvista, Brantho, Nuvelle",
        "الترتيب: Kelvista ثم Brantho ثم Nuvelle.",
        "रैंकिंग: Kelvista, Brantho और Nuvelle",
    ],
)
def test_names_behind_the_label_of_a_ranking_are_in_order(text: str) -> None:
    assert ranks(text) == {"Kelvista": 1, "Brantho": 2, "Nuvelle": 3}


@pytest.mark.parametrize(
    "text",
    [
        "The ranking: how Kelvista, Brantho and Nuvelle pay their sellers.",
        "Ranking factors: Kelvista, Brantho and Nuvelle weigh links.",
        "Rank tracking tools: Kelvista, Brantho and Nuvelle.",
        "Kelvista öffnet vor Brantho und Nuvelle.",
    ],
)
def test_names_behind_a_question_or_a_tool_of_rankings_are_in_no_order(text: str) -> None:
    assert ranks(text) == {}


@pytest.mark.parametrize(
    "text",
    [
        "If I had to choose, I'd go with Kelvista; Brantho is a solid runner-up, and Nuvelle comes third.",
        "If I were buying today I'd opt for Kelvista. Right behind it is Brantho, and Nuvelle comes third.",
        "Wenn ich wählen müsste, würde ich Kelvista nehmen; danach kommt Brantho, und Nuvelle landet auf Platz drei.",
        "Si je devais choisir, je prendrais Kelvista ; juste derrière vient Brantho, et Nuvelle arrive en troisième position.",
        "Si tuviera que elegir, me quedaría con Kelvista; después viene Brantho, y Nuvelle queda en tercer lugar.",
        "Se dovessi scegliere, prenderei Kelvista; subito dopo viene Brantho, mentre Nuvelle si piazza al terzo posto.",
        "Se dovessi scegliere, opterei per Kelvista; subito dopo viene Brantho, e Nuvelle è al terzo posto.",
        "Se tivesse de escolher, optaria por Kelvista; logo a seguir vem Brantho, e Nuvelle fica em terceiro lugar.",
        "Als ik moest kiezen, zou ik Kelvista nemen; daarna komt Brantho, en Nuvelle staat op de derde plaats.",
        "Gdybym miał wybierać, wziąłbym Kelvista; zaraz za nim Brantho, a Nuvelle jest na trzecim miejscu.",
        "Если бы пришлось выбирать, я бы взял Kelvista; следом идёт Brantho, а Nuvelle — на третьем месте.",
    ],
)
def test_whom_somebody_would_choose_is_first_before_a_second(text: str) -> None:
    assert ranks(text) == {"Kelvista": 1, "Brantho": 2, "Nuvelle": 3}


def test_a_choice_without_a_second_ranks_nobody() -> None:
    assert ranks("If I had to choose, I'd go with Kelvista; Brantho is cheaper.") == {}
    assert ranks("Prenderei un caffè da Kelvista; Brantho apre dopo.") == {}


@pytest.mark.parametrize(
    "text",
    [
        "My first choice would be Kelvista, followed by Brantho and, finally, Nuvelle in third place.",
        "Kelvista is first, Brantho is second and, in third and last place, Nuvelle.",
        "Meine erste Wahl wäre Kelvista, gefolgt von Brantho und, zum Schluss, Nuvelle auf dem dritten Platz.",
        "Mon premier choix serait Kelvista, suivi de Brantho et, pour finir, Nuvelle à la troisième place.",
        "Mi primera opción sería Kelvista, seguida de Brantho y, por último, Nuvelle en tercer lugar.",
        "La mia prima scelta sarebbe Kelvista, seguita da Brantho e, infine, Nuvelle al terzo posto.",
        "Minha primeira escolha seria Kelvista, seguida de Brantho e, por fim, Nuvelle em terceiro lugar.",
        "Mijn eerste keuze is Kelvista, gevolgd door Brantho en, tot slot, Nuvelle op de derde plaats.",
    ],
)
def test_being_last_and_having_a_number_is_one_place(text: str) -> None:
    assert ranks(text) == {"Kelvista": 1, "Brantho": 2, "Nuvelle": 3}
