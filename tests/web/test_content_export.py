"""Texts and drafts are taken along as Markdown and HTML, and nothing in them runs or hides on the way."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html as parsed_html

from storage.database import Database
from storage.repositories.repository_items import ItemDraft
from tests.web.conftest import Person
from tests.web.test_content import draft
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
    page = await draft(measured, database, "answer:some-prompt", "Seven years")
    fields = {"title": 'Years: "seven" <b>', "category": "faq", "url": "", "body": "# Seven\n\nyears"}
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


async def test_sentences_of_a_draft_are_linked_to_the_lines_that_say_the_same(
    measured: Person, database: Database
) -> None:
    known = "# Vans\n\nEvery van has a warranty of 7 years. <b>Ask</b>.\n\nIt covers the engine."
    body = "Our vans come with a warranty of 7 years.\n\nThe warranty of 9 years covers vans.\n\nWelcome!"
    address = await draft(measured, database, "answer:some-prompt", body)
    company = await database.operators.companies.find(measured.company)
    assert company is not None
    async with database.transaction(company.id) as workspace:
        brand = await workspace.brands.find(measured.brand)
        assert brand is not None
        item = ItemDraft("Warranty *of vans*", known, "faq")
        await workspace.repository_items.save(brand.key, [item], datetime.now(UTC))
        [source], _ = await workspace.repository_items.page(brand.key, "faq", 1, 0)
        file = ItemDraft("Proposed robots.txt", known, "draft", key="file:robots.txt")
        await workspace.repository_items.save(brand.key, [file], datetime.now(UTC))
        drafts, _ = await workspace.repository_items.page(brand.key, "draft", 9, 0)
    page: Any = parsed_html.fragment_fromstring(
        (await measured.http.get(address)).text.partition("<body")[2].partition(">")[2], create_parent="div"
    )
    listed = page.xpath("//details[summary='Where its facts stand']/ol/li")
    first, second, third = (" ".join(element.text_content().split()) for element in listed)
    assert first.endswith("Warranty *of vans*, line 3: Every van has a warranty of 7 years.")
    assert page.xpath(f"//details/ol/li//a[@href='/brands/{measured.brand}/content/{source.id}']")
    assert second == "The warranty of 9 years covers vans. No line says this."
    assert third == "Welcome! No line says this."
    exported = address.removesuffix("/draft")
    for ending in (".md", ".html"):
        text = (await measured.http.get(f"{exported}{ending}")).text
        sources = text.partition("Where its facts stand")[2].replace("\\", "")
        assert f"“Warranty *of vans*” ({source.id}), line 3" in sources
        assert "<b>" not in sources.replace("\\<b\\>", "")
        assert "9 years" not in sources
    [robots] = [found for found in drafts if found.title == "Proposed robots.txt"]
    as_file = (await measured.http.get(f"/brands/{measured.brand}/content/{robots.id}.md")).text
    assert "Where its facts stand" not in as_file
