import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.answers.citations import (
    Citation,
    CitationKind,
    OwnerClass,
    Ownership,
    links_of_text,
    normalize_url,
)
from analytics.matching.aliases import Alias, Entity
from analytics.text.suffixes import registrable_domain, suffix_list_date

BRAND = Entity(
    "acme", (Alias("Acme"),), ("https://www.acme.com", "foo.dealeron.com", "facebook.com/acmeauto")
)
RIVAL = Entity("bravo", (Alias("Bravo"),), ("bravo.co.uk", "acme.com/bravo", "127.0.0.1", "intranet"))
OWNERSHIP = Ownership([BRAND, RIVAL], "acme")


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://www.acme.com/x?utm_source=openai", "acme.com"),
        ("https://dealer.github.io/a", "dealer.github.io"),
        ("https://shop.acme.co.uk/", "acme.co.uk"),
        ("http://münchen-auto.de/", "xn--mnchen-auto-thb.de"),
        ("https://acme.co.uk.evil.com/", "evil.com"),
        ("https://foo.dealeron.com/", "dealeron.com"),
        ("https://ACME.com./", "acme.com"),
        ("http://127.0.0.1:8000/", None),
        ("http://[::1]/", None),
        ("http://localhost/", None),
        ("https://github.io/", None),
    ],
)
def test_a_url_has_exactly_this_registrable_domain(url: str, domain: str | None) -> None:
    assert OWNERSHIP.classify(Citation(url)).domain == domain


@pytest.mark.parametrize(
    ("url", "normalized"),
    [
        ("HTTPS://ACME.com.:443/A?b=1#c", "https://acme.com/A?b=1"),
        ("http://acme.com:80", "https://acme.com/"),
        ("http://acme.com:443/", "https://acme.com/"),
        ("https://acme.com/a%20b?q=%C3%A9&empty", "https://acme.com/a%20b?empty=&q=%C3%A9"),
        ("http://münchen-auto.de/ä", "https://xn--mnchen-auto-thb.de/%C3%A4"),
        ("https://user:word@acme.com/", "https://acme.com/"),
        ("https://acme.com@evil.com/", "https://evil.com/"),
        ("http://[2001:DB8::1]:8080/", "https://[2001:db8::1]:8080/"),
        ("http://www.acme.com:8080/x/", "https://acme.com:8080/x"),
        ("acme.com/x", "https://acme.com/x"),
        ("https://www.com/", "https://www.com/"),
        ("https://www.github.io/", "https://www.github.io/"),
        ("http://www.localhost/", "https://www.localhost/"),
        ("https://acme.com\u3002/", "https://acme.com/"),
        ("https://acme.com.\xad/", "https://acme.com/"),
        (" mailto:info@acme.com ", "mailto:info@acme.com"),
        ("http://[broken", "http://[broken"),
        ("http://acme.com:port/", "http://acme.com:port/"),
        ("", ""),
    ],
)
def test_a_url_is_normalized_to_exactly_this(url: str, normalized: str) -> None:
    assert normalize_url(url) == normalized


PAGE = "https://acme.com/caf%C3%A9/~team?a=1&b=2"


@pytest.mark.parametrize(
    "url",
    [
        "http://acme.com/caf%C3%A9/~team?a=1&b=2",
        "https://www.acme.com/caf%C3%A9/~team?a=1&b=2",
        "https://acme.com/caf%C3%A9/~team/?a=1&b=2",
        "https://acme.com/caf%c3%a9/~team?a=1&b=2",
        "https://acme.com/café/~team?a=1&b=2",
        "https://acme.com/caf%C3%A9/%7Eteam?a=1&b=2",
        "https://acme.com/./x/../caf%C3%A9/~team?a=1&b=2",
        "https://acme.com/caf%C3%A9/~team?b=2&a=1",
        "https://acme.com/caf%C3%A9/~team?a=1&b=2#:~:text=team",
        *(
            f"{PAGE}&{parameter}"
            for parameter in (
                "utm_source=openai", "UTM_Medium=y", "gclid=2", "fbclid=1", "msclkid=2", "srsltid=3", "gbraid=1",
                "wbraid=1", "gad_source=1", "gad_campaignid=1", "dclid=1", "yclid=1", "mc_cid=1", "mc_eid=1",
                "_hsenc=1", "_hsmi=1", "igshid=1", "igsh=1", "_ga=2.1", "_gl=1*1", "mkt_tok=1", "ttclid=1",
                "twclid=1", "li_fat_id=1", "ref=chatgpt", "ref=chatgpt.com", "ref=Perplexity", "source=chatgpt.com",
            )
        ),
    ],
)  # fmt: skip
def test_a_page_under_several_addresses_is_one_page(url: str) -> None:
    assert normalize_url(url) == PAGE


@pytest.mark.parametrize(
    "different",
    [
        "https://acme.com/Caf%C3%A9/~team?a=1&b=2",
        "https://acme.com/caf%C3%A9%2F~team?a=1&b=2",
        "https://shop.acme.com/caf%C3%A9/~team?a=1&b=2",
        f"{PAGE}&ref=42",
        f"{PAGE}&source=catalog",
        f"{PAGE}&page=2",
    ],
)
def test_another_page_stays_another_page(different: str) -> None:
    assert normalize_url(different) != PAGE


AMP = "https://www.google.com/amp/s/amp.acme.com/tools/"


@pytest.mark.parametrize(
    ("redirect", "target"),
    [
        (
            "https://www.google.com/url?sa=t&q=https%3A%2F%2Facme.com%2Fx%3Futm_id%3D1%26y%3D2",
            "https://acme.com/x?y=2",
        ),
        ("https://google.co.uk/url?url=https://acme.com/", "https://acme.com/"),
        ("https://www.google.com/url?q=&url=https://acme.com/", "https://acme.com/"),
        (AMP, "https://amp.acme.com/tools"),
        ("https://www.google.de/amp/acme.com/tools", "https://acme.com/tools"),
        ("https://acme-com.cdn.ampproject.org/c/s/acme.com/tools?a=1", "https://acme.com/tools?a=1"),
        ("https://cdn.ampproject.org/v/s/www.acme.com/?amp_js_v=0.1&usqp=mq331", "https://acme.com/"),
        ("https://www-acme-com.translate.goog/t/?_x_tr_sl=de&_x_tr_tl=en&p=1", "https://acme.com/t?p=1"),
        ("https://my--acme-co-uk.translate.goog/", "https://my-acme.co.uk/"),
        ("https://translate.google.com/translate?hl=en&sl=de&u=https://acme.com/t", "https://acme.com/t"),
        (
            "https://www.bing.com/ck/a?!&&p=00ff&ptn=3&ver=2&u=a1aHR0cHM6Ly93d3cuYWNtZS5jb20vdG9vbHM_YT0x&ntb=1",
            "https://acme.com/tools?a=1",
        ),
        ("https://duckduckgo.com/l/?uddg=https%3A%2F%2Facme.com%2Fa%2520b&rut=1", "https://acme.com/a%20b"),
        ("https://duckduckgo.com/l/?kh=-1&uddg=https%3A%2F%2Facme.com%2F", "https://acme.com/"),
        (
            "https://r.search.yahoo.com/_ylt=A;_ylu=Y/RV=2/RE=17/RO=10/RU=https%3a%2f%2fwww.acme.com%2fx%3fa%3d1/RK=2/RS=q-",
            "https://acme.com/x?a=1",
        ),
        (
            "https://www.youtube.com/redirect?event=d&redir_token=Q&q=https%3A%2F%2Facme.com",
            "https://acme.com/",
        ),
        ("https://www.linkedin.com/safety/go?url=https%3A%2F%2Facme.com%2Fx&trk=y", "https://acme.com/x"),
        ("https://www.linkedin.com/safety/go/?url=https%3A%2F%2Facme.com%2Fx", "https://acme.com/x"),
        ("https://l.facebook.com/l.php?u=https%3A%2F%2Facme.com%2F&h=AT1", "https://acme.com/"),
        ("https://web.archive.org/web/20240101000000/https://acme.com/x?a=1", "https://acme.com/x?a=1"),
        ("https://web.archive.org/web/2024id_/http://www.acme.com/", "https://acme.com/"),
        ("https://web.archive.org/web/*/acme.com/x", "https://acme.com/x"),
        ("https://archive.ph/20240101/https://acme.com/x", "https://acme.com/x"),
        (
            "https://www.google.com/url?q=https%3A%2F%2Fwww.google.com%2Famp%2Fs%2Facme.com%2Fx",
            "https://acme.com/x",
        ),
    ],
)
def test_a_redirect_that_shows_its_target_counts_for_the_target(redirect: str, target: str) -> None:
    assert normalize_url(redirect) == target
    owned = OWNERSHIP.classify(Citation(redirect))
    assert owned.url == redirect
    if target.startswith("https://acme.com"):
        assert (owned.owner, owned.domain) == (OwnerClass.OWNED, "acme.com")


@pytest.mark.parametrize(
    "page",
    [
        "https://google.com/url?q=not-a-url",
        "https://notgoogle.com/url?q=https%3A%2F%2Facme.com%2F",
        "https://google.com/search?q=https%3A%2F%2Facme.com%2F",
        "https://bing.com/ck/a?u=a1%21%21",
        "https://bing.com/search?u=a1aHR0cHM6Ly93d3cuYWNtZS5jb20vdG9vbHM_YT0x",
        "https://youtube.com/watch?q=https%3A%2F%2Facme.com%2F",
        "https://linkedin.com/company/acme",
        "https://web.archive.org/about",
        "https://archive.ph/AbCdE",
        "https://example.org/?uddg=https%3A%2F%2Facme.com%2F",
        "https://translate.goog/",
    ],
)
def test_a_page_that_is_no_redirect_stays_itself(page: str) -> None:
    assert normalize_url(page) == page


@given(st.one_of(st.text(), st.text().map("https://acme.com/".__add__), st.text().map("http://".__add__)))
def test_normalising_never_fails_and_is_done_once(url: str) -> None:
    once = normalize_url(url)
    assert normalize_url(once) == once
    OWNERSHIP.classify(Citation(url))


@pytest.mark.parametrize(
    ("url", "owner", "entity"),
    [
        ("https://acme.com/x", OwnerClass.OWNED, "acme"),
        ("https://shop.acme.com/", OwnerClass.OWNED, "acme"),
        ("https://acme.co.uk/", OwnerClass.THIRD_PARTY, None),
        ("https://notacme.com/", OwnerClass.THIRD_PARTY, None),
        ("https://acme.com.evil.com/", OwnerClass.THIRD_PARTY, None),
        ("https://foo.dealeron.com/x", OwnerClass.OWNED, "acme"),
        ("https://a.foo.dealeron.com/x", OwnerClass.OWNED, "acme"),
        ("https://bar.dealeron.com/", OwnerClass.THIRD_PARTY, None),
        ("https://dealeron.com/", OwnerClass.THIRD_PARTY, None),
        ("https://www.facebook.com/AcmeAuto/posts?x=1", OwnerClass.OWNED, "acme"),
        ("https://facebook.com/acmeauto", OwnerClass.OWNED, "acme"),
        ("https://facebook.com/acmeautomobile", OwnerClass.THIRD_PARTY, None),
        ("https://news.bravo.co.uk/", OwnerClass.COMPETITOR, "bravo"),
        ("https://acme.com/bravo/x", OwnerClass.OWNED, "acme"),
        ("http://127.0.0.1:8000/", OwnerClass.COMPETITOR, "bravo"),
        ("http://intranet/", OwnerClass.COMPETITOR, "bravo"),
        ("http://x.intranet/", OwnerClass.THIRD_PARTY, None),
        ("not a url", OwnerClass.THIRD_PARTY, None),
    ],
)
def test_a_page_belongs_to_the_first_class_that_fits(url: str, owner: OwnerClass, entity: str | None) -> None:
    citation = OWNERSHIP.classify(Citation(url))
    assert (citation.owner, citation.entity_id) == (owner, entity)
    assert citation.url == url


def test_citations_of_one_kind_and_page_are_one() -> None:
    citations = [
        Citation("https://acme.com/?utm_source=openai", CitationKind.CITED, "first"),
        Citation("https://ACME.com/"),
        Citation("https://acme.com/", CitationKind.RETRIEVED),
    ]
    read = OWNERSHIP.read(citations, "[other](https://bravo.co.uk)")
    assert [(citation.kind, citation.title) for citation in read] == [
        (CitationKind.CITED, "first"),
        (CitationKind.RETRIEVED, None),
    ]


def test_links_of_the_text_are_cited_when_the_engine_reports_none() -> None:
    text = "\n".join(
        [
            '[Acme](https://acme.com/a_(b)?utm_source=openai "Acme"), ![logo](https://img.example/x.png),',
            "<https://bravo.co.uk/>, [mail](mailto:a@acme.com), `[no](https://no.example)`, [ref][1].",
            "",
            "[1]: https://ref.example/ü",
        ]
    )
    assert [link.url for link in links_of_text(text)] == [
        "https://acme.com/a_(b)?utm_source=openai",
        "https://bravo.co.uk/",
        "https://ref.example/ü",
    ]
    read = OWNERSHIP.read((), text)
    assert OWNERSHIP.cited_owners(read) == {"acme", "bravo"}


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("See https://acme.com/tools, or https://bravo.co.uk.", ["https://acme.com/tools", "https://bravo.co.uk"]),
        ("(https://acme.com/a_(b)) and **https://acme.com/c**", ["https://acme.com/a_(b)", "https://acme.com/c"]),
        ("Quelle: http://acme.com/preise?a=1&b=2!", ["http://acme.com/preise?a=1&b=2"]),
        ("来源：https://acme.com/价格。其他", ["https://acme.com/价格"]),
        ("Go to www.acme.com/tools.", ["https://www.acme.com/tools"]),
        ("| Site |\n|---|\n| https://acme.com/x |", ["https://acme.com/x"]),
        ("1. Acme\n   - https://acme.com/x", ["https://acme.com/x"]),
        ('See <a href="https://acme.com/x?a=1&amp;b=2" target="_blank">Acme</a>.', ["https://acme.com/x?a=1&b=2"]),
        ("<p>See <a class=x href='https://acme.com/x'>Acme</a> or https://bravo.co.uk/y.</p>",
         ["https://acme.com/x", "https://bravo.co.uk/y"]),
        ("<a href=\"https://acme.com/x\">https://acme.com/x</a>", ["https://acme.com/x"]),
        ("[https://acme.com/x](https://acme.com/x)", ["https://acme.com/x"]),
        ("https://acme.com/a and [Bravo](https://bravo.co.uk/)", ["https://acme.com/a", "https://bravo.co.uk/"]),
        ("\ue200url\ue202Acme\ue202https://acme.com/x\ue201 \ue200cite\ue202turn0search0\ue201", ["https://acme.com/x"]),
        ("`https://no.example/`\n\n```\nhttps://no.example/\n```", []),
        ("Booking.com beats acme.com, write to a@acme.com", []),
        ('<img src="https://no.example/x.png"> <a href="/x">here</a> <a href="mailto:a@acme.com">mail</a>', []),
        ("https:// and http", []),
    ],
)  # fmt: skip
def test_bare_urls_and_html_anchors_are_read_as_markdown_links_are(text: str, urls: list[str]) -> None:
    assert [link.url for link in links_of_text(text)] == urls


@given(st.text(alphabet="<>a href=\"'https://www.acme.com[]()*_`|\n"))
def test_reading_links_never_fails(text: str) -> None:
    links_of_text(text)


def test_a_retrieved_page_is_not_cited() -> None:
    read = OWNERSHIP.read([Citation("https://acme.com/", CitationKind.RETRIEVED)], "")
    assert OWNERSHIP.cited_owners(read) == frozenset()


def test_the_suffix_list_tells_its_day() -> None:
    year, month, day = suffix_list_date().split("-")
    assert (len(year), len(month), len(day)) == (4, 2, 2)
    assert registrable_domain("acme.com") == "acme.com"


REDIRECT = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQ-7"


@pytest.mark.parametrize(
    ("title", "site", "owner", "domain"),
    [
        ("acme.com", None, OwnerClass.OWNED, "acme.com"),
        ("www.ACME.com", None, OwnerClass.OWNED, "acme.com"),
        ("shop.acme.com", None, OwnerClass.OWNED, "acme.com"),
        ("Acme: the best tools", "acme.com", OwnerClass.OWNED, "acme.com"),
        ("bravo.co.uk", None, OwnerClass.COMPETITOR, "bravo.co.uk"),
        ("press.example.org", "bravo.co.uk", OwnerClass.COMPETITOR, "bravo.co.uk"),
        ("example.org", None, OwnerClass.THIRD_PARTY, "example.org"),
    ],
)
def test_a_redirect_belongs_to_the_site_that_metadata_or_title_name(
    title: str, site: str | None, owner: OwnerClass, domain: str
) -> None:
    citation = OWNERSHIP.classify(Citation(REDIRECT, CitationKind.CITED, title, site))
    assert (citation.owner, citation.domain, citation.resolved) == (owner, domain, True)
    assert citation.url == citation.normalized == REDIRECT


@pytest.mark.parametrize(
    "title",
    [
        None,
        "",
        "Acme: the best tools",
        "acme",
        "acme.com/tools",
        "facebook.com",
        "dealeron.com",
        "me@acme.com",
    ],
)
def test_a_redirect_whose_owner_nobody_can_tell_is_unresolved(title: str | None) -> None:
    citation = OWNERSHIP.classify(Citation(REDIRECT, CitationKind.CITED, title))
    assert (citation.resolved, citation.owner, citation.domain) == (False, OwnerClass.THIRD_PARTY, None) or (
        title in ("facebook.com", "dealeron.com") and not citation.resolved
    )


def test_a_title_says_nothing_about_an_address_that_can_be_read() -> None:
    citation = OWNERSHIP.classify(Citation("https://example.org/a", CitationKind.CITED, "acme.com"))
    assert (citation.owner, citation.resolved) == (OwnerClass.THIRD_PARTY, True)
