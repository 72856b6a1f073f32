"""Medals that prose gives, with the verb said once or every time."""

import pytest

from tests.analytics.three_makers import ranks


@pytest.mark.parametrize(
    "text",
    [
        "Kelvista takes gold, Brantho silver and Nuvelle bronze.",
        "Kelvista wins the gold medal, Brantho takes silver, and Nuvelle has to settle for bronze.",
        "In our test, Kelvista takes gold; Brantho earns silver and Nuvelle bronze.",
        "Gold for Kelvista, silver for Brantho, and bronze for Nuvelle.",
        "Gold goes to Kelvista, silver to Brantho, bronze to Nuvelle.",
        "Kelvista gets the gold, Brantho the silver and Nuvelle the bronze.",
        "Kelvista holt Gold, Brantho Silber und Nuvelle Bronze.",
        "Kelvista remporte l'or, Brantho l'argent et Nuvelle le bronze.",
        "Kelvista gana el oro, Brantho la plata y Nuvelle el bronce.",
        "Kelvista vince l'oro, Brantho l'argento e Nuvelle il bronzo.",
        "Kelvista leva o ouro, Brantho a prata e Nuvelle o bronze.",
        "Kelvista pakt goud, Brantho zilver en Nuvelle brons.",
        "Kelvista zdobywa złoto, Brantho srebro, a Nuvelle brąz.",
        "Kelvista берёт золото, Brantho — серебро, а Nuvelle — бронзу.",
        "Kelvista altın alır, Brantho gümüş, Nuvelle ise bronz.",
        "Kelvistaが金メダル、Branthoが銀メダル、Nuvelleが銅メダルです。",
        "Kelvista拿下金牌，Brantho银牌，Nuvelle铜牌。",
        "Kelvista가 금메달, Brantho가 은메달, Nuvelle가 동메달입니다.",
        "Kelvista تحصد الذهبية، وBrantho الفضية، وNuvelle البرونزية.",
        "Kelvista को स्वर्ण, Brantho को रजत और Nuvelle को कांस्य।",
    ],
)
def test_medals_are_places_though_only_the_first_has_a_verb(text: str) -> None:
    assert ranks(text) == {"Kelvista": 1, "Brantho": 2, "Nuvelle": 3}


@pytest.mark.parametrize(
    "text",
    [
        "Choose Kelvista Gold, Brantho Silver or Nuvelle Bronze, depending on your budget.",
        "Kelvista sells gold, Brantho silver and Nuvelle bronze.",
        "Kelvista gets gold members a discount, while Brantho has silver and bronze plans.",
        "Kelvista takes gold jewellery, Brantho silver and Nuvelle bronze.",
        "Kelvista buys old gold for cash, and Brantho melts silver.",
        "Kelvista kauft Gold, Brantho Silber.",
    ],
)
def test_plans_and_metals_are_no_medals(text: str) -> None:
    assert ranks(text) == {}
