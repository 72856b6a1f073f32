"""Texts and drafts are taken along as Markdown and HTML, and nothing in them runs or hides on the way."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html as parsed_html

from storage.database import Database
from tests.web.conftest import Person
from tests.web.test_content import PRICE, draft
from tests.web.test_roles import colleague
from workflows.publishing.documents import html_fragment

ALLOWED = frozenset(
    [
        "a",
        "blockquote",
        "br",
        "code",
        "em",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "img",
        "li",
        "ol",
        "p",
        "pre",
        "s",
        "strong",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
ATTRIBUTES = frozenset({"href", "title", "src", "alt", "start", "class", "style"})
"""`style` only aligns the cells of a table, which is looked at below."""
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)><iframe src=//evil.example></iframe>",
    "[x](javascript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](&#1;javascript:alert(1))",
    "[x](JaVaScRiPt&colon;alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    "<javascript:alert(1)>",
    "[x]: vbscript:msgbox(1)\n\n[x]",
    '[x](https://a.example "\\" onmouseover=\\"alert(1)")',
    '```"><script>alert(1)</script>\nx\n```',
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "a&#x202e;b&#x200b;c",
    "| <b onclick=x> | b |\n|:-:|---|\n| 1 | 2 |",
)


def is_inert(fragment: str) -> bool:
    """Whether an independent parser finds only elements and links that a text may have."""
    root: Any = parsed_html.fragment_fromstring(fragment, create_parent="div")
    for element in root.iterdescendants():
        if element.tag not in ALLOWED or not set(element.attrib) <= ATTRIBUTES:
            return False
        for name in ("href", "src"):
            target = (element.get(name) or "").strip().lower()
            if ":" in target.partition("/")[0] and not target.startswith(("http", "mailto:", "tel:")):
                return False
        if not (element.get("style") or "text-align:").startswith("text-align:"):
            return False
    return not set(fragment) & set("\u202e\u200b\x00")


@pytest.mark.parametrize("markdown", HOSTILE)
def test_hostile_markdown_becomes_inert_html(markdown: str) -> None:
    assert is_inert(html_fragment(markdown))


@given(
    st.lists(st.sampled_from([*HOSTILE, "\n", "**", "`", "](", "<", ">", '"', "# "]), max_size=8).map("".join)
)
def test_no_mixture_of_hostile_pieces_becomes_more_than_text(markdown: str) -> None:
    fragment = html_fragment(markdown)
    assert not fragment.strip() or is_inert(fragment)


async def test_a_draft_is_exported_in_both_forms_and_says_that_it_is_one(
    measured: Person, database: Database
) -> None:
    body = (
        "Seven **years**.\n\n<script>alert(1)</script>\n\n- one\u202e\n- [ask](https://www.acme.example/ask)"
    )
    page = await draft(measured, database, "answer:some-prompt", body)
    shown = (await measured.http.get(page)).text
    address = page.removesuffix("/draft")
    assert f'href="{address}.md"' in shown
    assert f'href="{address}.html"' in shown
    markdown = await measured.http.get(f"{address}.md")
    assert markdown.headers["content-disposition"] == 'attachment; filename="how-long-do-vans-last.md"'
    assert markdown.headers["content-type"] == "text/markdown; charset=utf-8"
    assert markdown.text.startswith(
        '---\ntitle: "How long do vans last?"\ncategory: "draft"\nstatus: "draft"\n'
    )
    assert "Seven **years**." in markdown.text
    page_of_text = await measured.http.get(f"{address}.html")
    assert page_of_text.headers["content-disposition"].startswith("attachment; ")
    assert "sandbox" in page_of_text.headers["content-security-policy"]
    assert "<strong>Draft, not approved" in page_of_text.text
    assert "<p>Seven <strong>years</strong>.</p>" in page_of_text.text
    assert '<a href="https://www.acme.example/ask">ask</a>' in page_of_text.text
    assert "<script>" not in page_of_text.text
    assert "\u202e" not in markdown.text + page_of_text.text


async def test_an_approved_text_is_exported_without_the_note_of_a_draft(
    measured: Person, database: Database
) -> None:
    body = "# Seven\n\nyears"
    page = await draft(measured, database, "answer:some-prompt", body)
    fields = {"title": 'Years: "seven" <b>', "category": "faq", "url": "", "body": body}
    opened = (await measured.http.get(page)).text
    seen = opened.partition('name="seen" value="')[2].partition('"')[0]
    approved = await measured.submit(page, {**fields, "seen": seen, "decision": "approve"})
    address = approved.headers["location"].partition("?")[0]
    assert f'href="{address}.html"' in (await measured.http.get(address)).text
    markdown = (await measured.http.get(f"{address}.md")).text
    assert 'title: "Years: \\"seven\\" <b>"\ncategory: "faq"\nstatus: "approved"' in markdown
    page_of_text = (await measured.http.get(f"{address}.html")).text
    assert "<title>Years: &quot;seven&quot; &lt;b&gt;</title>" in page_of_text
    assert page_of_text.count("<h1>") == 1
    assert "not approved" not in page_of_text


async def test_a_viewer_exports_and_another_company_finds_nothing(
    measured: Person, meet: Callable[..., Person], database: Database
) -> None:
    address = (await draft(measured, database, "answer:some-prompt", "Seven years")).removesuffix("/draft")
    viewer, stranger = await colleague(measured, meet, "viewer"), meet()
    await stranger.sign_up()
    for ending in (".md", ".html"):
        assert (await viewer.http.get(f"{address}{ending}")).status_code == 200
        assert (await stranger.http.get(f"{address}{ending}")).status_code == 404
        assert (await measured.http.get(f"{address[:-4]}0000{ending}")).status_code == 404


async def test_an_exported_draft_lists_the_state_and_source_of_each_sentence(
    measured: Person, database: Database
) -> None:
    address = await draft(measured, database, "answer:some-prompt", "Vans <b>last</b> 7 years.", PRICE)
    await draft(measured, database, "file:robots.txt", "User-agent: *")
    exported = address.removesuffix("/draft")
    for ending in (".md", ".html"):
        text = (await measured.http.get(f"{exported}{ending}")).text
        sources = text.partition("Sources (not part of the text)")[2].replace("\\", "")
        assert "“Warranty” (item:some-item#2): “warranty of 7 years”" in sources
        assert "Unsupported. Not found in the cited facts: 99 euros" in sources
        assert "<b>" not in text.partition("Sources (not part")[2].replace("\\<b\\>", "")
