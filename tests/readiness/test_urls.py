import contextlib
import ipaddress
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readiness.fetching import urls
from readiness.fetching.addresses import is_public
from readiness.fetching.errors import UrlRefused

HOSTILE = [
    "http://127.0.0.1/", "http://2130706433/", "http://0x7f000001/", "http://0x7f.0.0.1/", "http://0177.0.0.1/",
    "http://127.1/", "http://0/", "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/",
    "http://[64:ff9b::7f00:1]/", "http://[64:ff9b:1::7f00:1]/", "http://[2002:7f00:1::]/", "http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/",
    "http://[2001:db8::5efe:7f00:1]/", "http://[::7f00:1]/", "http://[::ffff:0:7f00:1]/", "http://[fe80::1]/", "http://[fec0::1]/",
    "http://[5f00::1]/", "http://[fd00:ec2::254]/", "http://169.254.169.254/latest/meta-data/", "http://168.63.129.16/",
    "http://100.64.0.1/", "http://10.0.0.1/", "http://192.0.0.8/", "http://224.0.0.1/", "http://user:pass@example.com/",
    "http://example.com\\@127.0.0.1/", "http://１２７.０.０.１/", "http://localhost/", "http://intranet/", "http://printer.local/",
    "http://a.home.arpa/", "http://x.onion/", "http://vault.internal/", "http://example.com:22/", "http://example.com:8080/",
    "ftp://example.com/", "file:///etc/passwd", "javascript:alert(1)", "http://exa mple.com/", "http://example.com/\r\nX: y",
    "http://%31%32%37.0.0.1/", "http://127.0.0.1./", "http://-bad.example.com/", "http://" + "a" * 64 + ".com/", "http:///x", "",
    "https://example.com/" + "a" * 2048,
]  # fmt: skip


@pytest.mark.parametrize("url", HOSTILE)
def test_a_hostile_url_is_refused_before_any_lookup(url: str) -> None:
    with pytest.raises(UrlRefused):
        urls.parse(url)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True), ("2606:4700::1111", True), ("64:ff9b::808:808", False), ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False), ("2002:808:808::1", True), ("fec0::1", False), ("5f00::1", False), ("224.0.0.1", False),
        ("192.0.0.8", False), ("::ffff:8.8.8.8", True), ("::ffff:10.0.0.1", False), ("168.63.129.16", False),
        ("fd00:ec2::254", False), ("0.0.0.0", False), ("255.255.255.255", False), ("::", False), ("fe80::1%eth0", False),
        ("not an address", False), ("2001:db8::1", False), ("203.0.113.5", False), ("ff02::1", False),
    ],
)  # fmt: skip
def test_only_unicast_addresses_of_the_public_internet_pass(address: str, public: bool) -> None:
    assert is_public(address) is public


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_that_is_not_global_passes_in_no_ipv6_disguise(
    address: ipaddress.IPv4Address,
) -> None:
    number = int(address)
    disguises = [0xFFFF << 32, 0x64FF9B << 96, 0xFFFF0000 << 32, 0]
    if not address.is_global:
        assert not any(is_public(ipaddress.IPv6Address(prefix | number)) for prefix in disguises)
        assert not is_public(ipaddress.IPv6Address(0x2002 << 112 | number << 80))


def test_our_own_public_address_is_refused() -> None:
    assert is_public("8.8.8.8")
    assert not is_public("8.8.8.8", frozenset(("8.8.8.8",)))
    assert not is_public("::ffff:8.8.8.8", frozenset(("8.8.8.8",)))


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        (" HTTPS://WWW.Example.COM.:443/a/../b/ ", "https://www.example.com/b"),
        ("http://example.com", "http://example.com/"),
        ("http://example.com:80/?utm_source=x&b=1&GCLID=2&_ga=3#top", "http://example.com/?b=1"),
        ("https://bücher.example/%7ea%2fb/%c3%a9", "https://xn--bcher-kva.example/~a%2Fb/%C3%A9"),
        ("https://faß.example/", "https://xn--fa-hia.example/"),
        ("https://example.com/a/./b/..", "https://example.com/a"),
        ("https://example.com/?", "https://example.com/"),
        ("https://[2606:4700::0:1111]/", "https://[2606:4700::1111]/"),
        ("https://example.com/ä?q=ö", "https://example.com/%C3%A4?q=%C3%B6"),
    ],
)
def test_urls_come_into_normal_form(written: str, normal: str) -> None:
    assert str(urls.parse(written)) == normal


def test_a_private_site_is_visited_only_where_every_host_is_allowed() -> None:
    assert str(urls.parse("http://127.0.0.1:8080/", allow_hosts=urls.EVERY_HOST)) == "http://127.0.0.1:8080/"
    with pytest.raises(UrlRefused):
        urls.parse("http://127.0.0.1:8080/")


def test_the_key_leaves_out_the_scheme_and_keeps_www_apart() -> None:
    assert urls.parse("http://example.com/x").key == urls.parse("https://example.com/x/").key
    assert urls.parse("http://www.example.com/").key != urls.parse("http://example.com/").key


@given(st.text(string.printable, max_size=60))
def test_normalising_twice_changes_nothing_and_nothing_else_is_raised(path: str) -> None:
    try:
        once = urls.parse(f"https://example.com/{path}")
    except UrlRefused:
        return
    assert urls.parse(str(once)) == once


@given(st.text(max_size=80))
def test_no_text_makes_the_url_parser_raise_anything_but_a_refusal(text: str) -> None:
    with contextlib.suppress(UrlRefused):
        assert str(urls.parse(text)).isascii()


@given(st.text(max_size=80))
def test_no_reference_of_a_page_makes_resolving_raise(text: str) -> None:
    found = urls.resolve("https://example.com/a/", text)
    assert found is None or found.startswith(("http://", "https://"))


def test_an_exception_holds_for_exactly_one_host_and_port() -> None:
    allowed = frozenset(("127.0.0.1:8123",))
    assert str(urls.parse("http://127.0.0.1:8123/", allow_hosts=allowed)) == "http://127.0.0.1:8123/"
    for url in ("http://127.0.0.1/", "http://127.0.0.1:8124/", "http://127.0.0.2:8123/"):
        with pytest.raises(UrlRefused):
            urls.parse(url, allow_hosts=allowed)


def test_the_same_site_is_the_same_registrable_domain() -> None:
    assert urls.same_site("www.dealer.co.uk", "shop.dealer.co.uk")
    assert not urls.same_site("one.co.uk", "two.co.uk")
    assert not urls.same_site("one.github.io", "two.github.io")
    assert not urls.same_site("10.0.0.1", "10.0.0.2")


def test_one_page_has_one_identity_however_it_is_linked() -> None:
    alike = (
        "https://example.com/a",
        "http://www.example.com/a/",
        "https://example.com/a/index.html",
        "https://example.com/a?utm_source=x",
    )
    assert len({urls.page_key(url) for url in alike}) == 1  # fmt: skip
    assert urls.page_key("https://example.com/a/index.html?id=1") != urls.page_key("https://example.com/a")


@pytest.mark.parametrize(
    "written", ["our stock.html", " /our stock.html ", "our%20stock.html", "/our\n stock.html"]
)
def test_a_blank_in_an_address_is_escaped(written: str) -> None:
    assert urls.resolve("https://example.com/", written) == "https://example.com/our%20stock.html"
