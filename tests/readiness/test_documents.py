import json

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readiness.fetching.errors import FetchFailed, Reason
from readiness.reading.documents import decode, read_sitemap
from readiness.reading.isolation import run_in_worker
from readiness.reading.page_reader import read_page
from readiness.reading.structured_data import read_block

URL = "https://www.example.com/a/"


@pytest.mark.parametrize(
    "html", [b"<div>" * 100_000, b"<p " + b" ".join(b"a%d=1" % i for i in range(100_000)) + b">"]
)
async def test_markup_made_to_be_slow_is_stopped_while_the_loop_goes_on(html: bytes) -> None:
    beats = 0

    async def beat() -> None:
        nonlocal beats
        while True:
            await anyio.sleep(0.05)
            beats += 1

    async with anyio.create_task_group() as group:
        group.start_soon(beat)
        with pytest.raises(FetchFailed) as caught:
            await run_in_worker(0.6, read_page, html, "text/html", URL)
        assert caught.value.reason is Reason.UNPARSABLE
        group.cancel_scope.cancel()
    assert beats >= 5
    assert (await run_in_worker(5, read_page, b"<title>next</title>", "text/html", URL)).title == "next"


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        ("é".encode(), "text/html", "é"),
        ("é".encode("latin-1"), "text/html; charset=ISO-8859-1", "é"),
        (
            b'<meta charset="windows-1251">' + "я".encode("cp1251"),
            "text/html",
            '<meta charset="windows-1251">я',
        ),
        (b"\xff\xfea\x00", "text/html; charset=utf-8", "a"),
        (b"\x80\x99", "text/html", "€™"),
        ("é".encode(), "text/html; charset=no-such-thing", "é"),
        (b"\xef\xbb\xbfx", "", "x"),
    ],
)
def test_bytes_become_text_by_mark_header_meta_and_guess(body: bytes, content_type: str, text: str) -> None:
    assert decode(body, content_type) == text


@given(st.binary(max_size=300), st.text(max_size=30))
def test_no_bytes_make_the_page_reader_raise(body: bytes, content_type: str) -> None:
    assert read_page(body, content_type, URL).words >= 0


@given(st.binary(max_size=300))
def test_no_bytes_make_the_sitemap_reader_raise(body: bytes) -> None:
    assert read_sitemap(body).state in ("valid", "padded", "invalid")


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ('{"@type": "AutoDealer", "name": "x"}', "strict"),
        ('{"@type": "AutoDealer", "name": "x",}', "repaired"),
        ('/* hi */ {"@type": "AutoDealer", "url": "https://example.com/"} // end', "repaired"),
        ('{"@type": "AutoDealer", "name": "a\nb"}', "repaired"),
        ('{"@type": "AutoDealer", "name": "x", "name": "y"}', "repaired"),
        ('{"@type": "AutoDealer", "latitude": NaN}', "repaired"),
        ("{'@type': 'AutoDealer'}", "broken"),
        ('{"@type": "AutoDealer"', "broken"),
        ("[" * 100_000, "broken"),
        ("", "broken"),
    ],
)
def test_json_ld_is_strict_repairable_or_broken(text: str, state: str) -> None:
    block, nodes = read_block(text, 0)
    assert block.state == state
    assert [node.types for node in nodes] == ([("AutoDealer",)] if state != "broken" else [])
    assert bool(block.defects) == (state != "strict")


@given(st.text(max_size=200))
def test_no_text_makes_the_json_ld_reader_raise(text: str) -> None:
    assert read_block(text, 0)[0].state in ("strict", "repaired", "broken")


def test_nodes_come_out_of_graphs_lists_and_references_with_their_pointers() -> None:
    graph = {
        "@context": "http://schema.org",
        "@graph": [
            {"@type": "https://schema.org/AutoDealer", "@id": "#d", "http://schema.org/name": "D"},
            {"@type": ["Car", "Product"], "offers": {"@type": "Offer", "seller": {"@id": "#d"}}},
        ],
    }
    _, nodes = read_block(json.dumps(graph), 3)
    assert [(node.types, node.pointer) for node in nodes] == [
        (("AutoDealer",), "/jsonld/3/@graph/0"),
        (("Car", "Product"), "/jsonld/3/@graph/1"),
        (("Offer",), "/jsonld/3/@graph/1/offers"),
    ]
    assert nodes[0].properties["name"] == "D"
    assert nodes[2].properties["seller"]["@type"] == "https://schema.org/AutoDealer"


def test_what_scripts_and_hidden_parts_hold_is_not_text() -> None:
    html = "<body><script>secret()</script><style>x{}</style><noscript>no</noscript><p hidden>gone</p><b>one</b>two</body>"
    assert read_page(html.encode(), "", URL).text == "one two"


def test_microdata_is_read_with_its_nested_items() -> None:
    html = (
        '<div itemscope itemtype="https://schema.org/Car"><b itemprop="name">Civic</b>'
        '<div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="price" content="5"></div></div>'
    )
    car, offer = read_page(html.encode(), "", URL).nodes
    assert (car.types, car.properties) == (
        ("Car",),
        {"name": "Civic", "offers": {"@type": "Offer", "price": "5"}},
    )
    assert (offer.types, offer.pointer) == (("Offer",), "/microdata/1")


@pytest.mark.parametrize(
    ("control", "name"),
    [
        ('<label for="a">Name</label><input id="a">', "Name"),
        ("<label>Mail <input></label>", "Mail"),
        ('<input aria-label="Find">', "Find"),
        ('<input title="Zip">', "Zip"),
        ('<input placeholder="Your name">', "Your name"),
        ('<button> <img src="/x.png" alt="Search"> </button>', "Search"),
        ("<button> </button>", ""),
        ("<button>Go</button>", "Go"),
        ('<button><img alt="Send"></button>', "Send"),
        ("<button></button>", ""),
        ('<input type="submit">', "Submit"),
    ],
)
def test_controls_are_called_what_the_markup_calls_them(control: str, name: str) -> None:
    assert [control.name for control in read_page(control.encode(), "", URL).controls] == [name]


ENTITY_BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE z [<!ENTITY a "aaaaaaaaaa">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(9))
    + b"]><urlset><url><loc>&j;</loc></url></urlset>"
)


@pytest.mark.parametrize(
    ("body", "state", "locations"),
    [
        (b"<urlset><url><loc>https://a.example/</loc></url></urlset>", "valid", ("https://a.example/",)),
        (b' \n<?xml version="1.0"?><urlset><url><loc>x</loc></url></urlset>', "padded", ("x",)),
        (b"<urlset><url><loc>https://a.example/?x=1&y=2</loc></url></urlset>", "invalid", ()),
        (b"<html></html>", "invalid", ()),
        (b"", "invalid", ()),
        (b"\x1f\x8bbroken", "invalid", ()),
    ],
)
def test_sitemaps_are_read_strictly(body: bytes, state: str, locations: tuple[str, ...]) -> None:
    sitemap = read_sitemap(body)
    assert (sitemap.state, sitemap.locations) == (state, locations)


@pytest.mark.parametrize(
    ("written", "is_date"),
    [
        ("2026", True),
        ("2026-02", True),
        ("2026-02-28", True),
        (" 2026-02-28T09:30Z\n", True),
        ("2026-02-28T09:30:15.25+01:00", True),
        ("2026-02-30", False),
        ("2026-13", False),
        ("28.02.2026", False),
        ("2026-02-28 09:30", False),
        ("2026-02-28T09:30", False),
        ("2026-02-28T24:00Z", False),
        ("today", False),
        ("", False),
        ("\u0662026-02-28", False),
    ],
)
def test_only_what_is_a_date_dates_an_entry_of_a_sitemap(written: str, is_date: bool) -> None:
    body = f"<urlset><url><loc>x</loc><lastmod>{written}</lastmod></url></urlset>"
    read = read_sitemap(body.encode())
    assert (read.dated, read.misdated, read.misdate) == (is_date, not is_date, "" if is_date else written)


def test_an_entity_bomb_expands_to_nothing() -> None:
    assert read_sitemap(ENTITY_BOMB).locations == ()


def test_a_sitemap_may_be_a_list_of_lines_and_nothing_else() -> None:
    lines = b"https://www.example.com/\r\nhttps://www.example.com/service\n"
    read = read_sitemap(lines)
    assert (read.state, read.locations) == (
        "valid",
        ("https://www.example.com/", "https://www.example.com/service"),
    )
    assert read.dated == 0
    assert read_sitemap(lines + b"and some words").state == "invalid"
