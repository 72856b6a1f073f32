"""Redirect URIs as texts: nothing that is not exactly what was registered is led to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oauth.redirects import RedirectRules, chosen, host_of, is_loopback, is_registered, origin_of

OPEN = RedirectRules()
LISTED = RedirectRules(frozenset({"claude.ai"}), frozenset({"cursor", "javascript"}))


@pytest.mark.parametrize(
    ("uri", "admitted"),
    [
        ("https://claude.ai/cb", True),
        ("https://CLAUDE.ai/cb", True),
        ("https://claude.ai:443/cb", True),
        ("https://claude.ai:8443/cb", False),
        ("https://claude.ai.evil.example/cb", False),
        ("https://evil.example/claude.ai", False),
        ("http://127.0.0.1:33418/cb", True),
        ("http://[::1]/cb", True),
        ("http://localhost", True),
        ("http://localhost.evil.example/cb", False),
        ("http://127.1/cb", False),
        ("http://claude.ai/cb", False),
        ("cursor://anysphere.cursor-mcp/oauth", True),
        ("vscode://x/cb", False),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("https:claude.ai/cb", False),
        ("https:///cb", False),
        ("//claude.ai/cb", False),
        ("/cb", False),
        ("https://claude.ai/cb\n", False),
        ("https://claude.ai/c\u202eb", False),
        ("http://127.0.0.1:0/cb", False),
        ("http://127.0.0.1:65536/cb", False),
        ("", False),
    ],
)
def test_a_redirect_may_be_registered_where_the_operator_allows_it(uri: str, admitted: bool) -> None:
    assert LISTED.admits(uri) is admitted


def test_any_https_host_will_do_where_none_is_listed() -> None:
    assert OPEN.admits("https://anything.example:8443/cb")
    assert not OPEN.admits("cursor://x/cb")


def test_a_document_s_own_origin_needs_no_listing() -> None:
    assert LISTED.admits("https://app.example/cb", "https://app.example")
    assert not LISTED.admits("https://app.example/cb", "https://other.example")


def test_without_a_named_redirect_the_only_registered_one_is_meant() -> None:
    assert chosen(None, ["https://a.example/cb"]) == "https://a.example/cb"
    assert chosen(None, ["https://a.example/cb", "https://b.example/cb"]) is None


def test_host_and_origin_shown_for_a_redirect() -> None:
    assert (host_of("https://A.example:8443/cb"), host_of("cursor://x/cb")) == ("A.example:8443", "cursor:")
    assert (origin_of("https://A.example/cb?x=1"), origin_of("cursor://x/cb")) == (
        "https://a.example",
        "cursor:",
    )


@given(st.text(max_size=40))
def test_no_text_makes_the_rules_fail_and_none_but_the_same_is_registered(text: str) -> None:
    LISTED.admits(text)
    registered = "https://a.example/cb"
    assert is_registered(text, [registered]) is (text == registered)


@given(st.text(alphabet="/@:.#?\\%ab1", max_size=20))
def test_only_the_port_of_a_loopback_redirect_may_differ(tail: str) -> None:
    asked = f"http://127.0.0.1{tail}"
    if is_registered(asked, ["http://127.0.0.1/a"]):
        port = tail.removesuffix("/a")
        assert port == "" or (port[0] == ":" and port[1:].isdecimal())
        assert is_loopback(asked)
