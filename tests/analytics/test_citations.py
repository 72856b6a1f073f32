import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.answers.citations import (
    Citation,
    CitationKind,
    OwnerClass,
    Ownership,
    markdown_links,
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
        ("http://acme.com:80", "http://acme.com/"),
        ("http://acme.com:443/", "http://acme.com:443/"),
        ("https://acme.com/?utm_source=openai&x=1&UTM_Medium=y&gclid=2", "https://acme.com/?x=1"),
        ("https://acme.com/?fbclid=1&msclkid=2&srsltid=3", "https://acme.com/"),
        ("https://acme.com/a%20b?q=%C3%A9&empty", "https://acme.com/a%20b?q=%C3%A9&empty"),
        ("http://münchen-auto.de/ä", "http://xn--mnchen-auto-thb.de/ä"),
        (
            "https://www.google.com/url?sa=t&q=https%3A%2F%2Facme.com%2Fx%3Futm_id%3D1%26y%3D2",
            "https://acme.com/x?y=2",
        ),
        ("https://google.co.uk/url?url=https://acme.com/", "https://acme.com/"),
        ("https://google.com/url?q=not-a-url", "https://google.com/url?q=not-a-url"),
        ("https://notgoogle.com/url?q=https://acme.com/", "https://notgoogle.com/url?q=https://acme.com/"),
        ("https://user:word@acme.com/", "https://acme.com/"),
        ("https://acme.com@evil.com/", "https://evil.com/"),
        ("http://[2001:DB8::1]:8080/", "http://[2001:db8::1]:8080/"),
        ("acme.com/x", "https://acme.com/x"),
        (" mailto:info@acme.com ", "mailto:info@acme.com"),
        ("http://[broken", "http://[broken"),
        ("http://acme.com:port/", "http://acme.com:port/"),
        ("", ""),
    ],
)
def test_a_url_is_normalised_to_exactly_this(url: str, normalized: str) -> None:
    assert normalize_url(url) == normalized


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
            "<https://bravo.co.uk/>, [mail](mailto:a@acme.com), `[no](https://no.example)`, [ref][1], https://bare.example",
            "",
            "[1]: https://ref.example/ü",
        ]
    )
    assert [link.url for link in markdown_links(text)] == [
        "https://acme.com/a_(b)?utm_source=openai",
        "https://bravo.co.uk/",
        "https://ref.example/ü",
    ]
    read = OWNERSHIP.read((), text)
    assert OWNERSHIP.cited_owners(read) == {"acme", "bravo"}


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
    assert citation.normalized == REDIRECT


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
