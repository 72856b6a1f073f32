import pytest

from analytics.matching.alias_proposals import proposed_aliases


@pytest.mark.parametrize(
    ("name", "website", "expected"),
    [
        ("AZ Coatings LLC", "", ["AZ Coatings"]),
        ("Tarmund GmbH", "https://www.tarmund.example", ["Tarmund"]),
        ("Tarmund GmbH & Co. KG", "", ["Tarmund"]),
        ("The Norvelo Group", "", ["Norvelo Group", "Norvelo"]),
        ("Norvelo Sp. z o.o.", "", ["Norvelo"]),
        ("Norvelo, Inc.", "", ["Norvelo"]),
        ("Wise", "https://wise.com/gb", ["wise.com"]),
        ("Wise", "https://shop.other.com", []),
        ("Acme", "", []),
        ("Müller", "", []),
    ],
)
def test_the_shorter_names_of_a_company_are_proposed(name: str, website: str, expected: list[str]) -> None:
    assert proposed_aliases(name, website) == expected
