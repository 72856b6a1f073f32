"""Lists whose items are written with tags and references of HTML."""

import pytest

from tests.analytics.three_makers import NAMES, ranks

TAIL = "best cotton basics that you will get on the whole high street today"


@pytest.mark.parametrize(
    "item",
    [
        "{}. <b>{}</b> &ndash; {}<br>", "{}. {} &ndash; {}<br>", "{}. <strong>{}</strong> &mdash; {}<br/>", "{}. {} &#8211; {}",
        "{}.&nbsp;<strong>{}</strong>&nbsp;&ndash;&nbsp;{}<br />", "{}. <strong>{}</strong> has the {}<br>", "{}. <b>{}</b>: {}",
    ],
)  # fmt: skip
def test_a_numbered_html_item_is_about_its_first_or_bold_name(item: str) -> None:
    text = "\n".join(item.format(number, name, TAIL) for number, name in enumerate(NAMES, 1))
    assert ranks(text) == {"Kelvista": 1, "Brantho": 2, "Nuvelle": 3}


@pytest.mark.parametrize(
    "text",
    [
        "<ol><li>Kelvista</li><li>Brantho</li><li>Nuvelle</li></ol>",
        '<p>Here they are:</p>\n<ol class="a">\n<li><strong>Kelvista</strong> – best of all of them for your money</li>\n'
        "<li><b>Brantho</b> &ndash; good</li>\n<li>Nuvelle: fine</li>\n</ol>",
        "<OL>\n  <LI><p>Kelvista</p></LI>\n  <LI>Brantho\n  <LI>Nuvelle\n</OL>",
    ],
)
def test_an_ordered_list_of_html_ranks(text: str) -> None:
    assert ranks(text) == {"Kelvista": 1, "Brantho": 2, "Nuvelle": 3}


def test_an_unordered_list_of_html_and_steps_rank_nobody() -> None:
    assert ranks("<ul><li>Kelvista</li><li>Brantho</li></ul>") == {}
    assert ranks("<ol><li>Open Kelvista</li><li>Call Brantho</li></ol>") == {}
    assert ranks("<p>The &lt;ol&gt; tag: Kelvista, Brantho</p>") == {}
