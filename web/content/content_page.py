"""Content pages of a brand: list, search, read, edit Markdown with a preview, and download."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.responses import Response

from measurement.planning.published_items import DRAFT
from storage.repositories.repository_items import LONGEST_BODY, ItemDraft
from web.content.wordpress import load_sending
from web.errors import PageNotFound
from web.layout.text_blocks import TextPart, lay_out
from web.request import PageRequest
from web.table_export import list_response
from web.templates import HEADERS
from web.view_filters import count_pages, parse_page_number
from workflows.drafts.decisions import load_review
from workflows.publishing.documents import export_item

PAGE_SIZE = 25
LONGEST_NAME = 200
LONGEST_QUERY = 200
LONGEST_URL = 2000
FILE_COLUMNS = ("title", "category", "url", "characters", "created_at", "changed_at", "page")


@dataclass(frozen=True, slots=True)
class ContentFilters:
    """Which texts a page lists: those that hold `words`, or those of a category; empty chooses nothing."""

    address: str
    words: str
    category: str

    @classmethod
    def of(cls, brand_id: str, query: Mapping[str, str]) -> "ContentFilters":
        """Read the filters of an address; a search covers every category."""
        words = query.get("q", "").strip()[:LONGEST_QUERY]
        return cls(
            f"/brands/{brand_id}/content", words, "" if words else query.get("category", "")[:LONGEST_NAME]
        )

    def as_file(self, ending: str) -> str:
        """Return the address of the same list as a file, csv or json."""
        query = urlencode(
            {name: value for name, value in (("q", self.words), ("category", self.category)) if value}
        )
        return f"{self.address}.{ending}?{query}" if query else f"{self.address}.{ending}"

    async def load(
        self, call: Callable[..., Awaitable[dict[str, Any] | None]], brand_id: str, limit: int, offset: int
    ) -> dict[str, Any] | None:
        """Return these texts from an offset on, as the tools that are called give them."""
        window = {"brandId": brand_id, "limit": limit, "offset": offset}
        if self.words:
            return await call("search_repository_items", query=self.words, **window)
        chosen = {"category": self.category} if self.category else {}
        return await call("get_repository_items", **window, **chosen)


async def show_contents(request: PageRequest) -> Response:
    """List the items of a brand, last changed first, or those that hold the words of a search, best first."""
    profile, query = await request.load_brand(), request.http.query_params
    filters = ContentFilters.of(profile["id"], query)
    number = parse_page_number(query.get("page"))
    listed = await filters.load(request.call_tool, profile["id"], PAGE_SIZE, (number - 1) * PAGE_SIZE)
    if listed is None:
        raise PageNotFound
    return request.render(
        "content/contents.html",
        brand=profile,
        address=filters.address,
        filters=filters,
        items=listed["items"],
        total=listed["total"],
        words=filters.words,
        category=filters.category,
        number=number,
        pages=count_pages(listed["total"], PAGE_SIZE),
        drafts=await _count_drafts(request, profile),
        decided=query.get("decided") == "discarded",
    )


async def export_contents(request: PageRequest) -> Response:
    """Give the texts of the view as CSV or JSON: what each is and where it opens, without its body."""
    profile = await request.load_brand()
    filters = ContentFilters.of(profile["id"], request.http.query_params)

    async def load(limit: int, offset: int) -> dict[str, Any] | None:
        return await filters.load(request.call_for_file, profile["id"], limit, offset)

    def row_of(item: dict[str, Any]) -> tuple[object, ...]:
        return (
            item["title"],
            item["category"],
            item["url"],
            item["bodyLength"],
            item["createdAt"],
            item["updatedAt"],
            f"{request.services.base_url}{filters.address}/{item['id']}",
        )

    return await list_response(request.http.url.path, "content", FILE_COLUMNS, load, "items", row_of)


async def _count_drafts(request: PageRequest, profile: Mapping[str, Any]) -> int:
    """Return how many drafts wait to be decided."""
    drafts = await request.call_tool(
        "get_repository_items", brandId=profile["id"], category=DRAFT, limit=1, offset=0
    )
    return drafts["total"] if drafts else 0


async def show_item(request: PageRequest) -> Response:
    """Show one item, a part of a long one at a time."""
    profile = await request.load_brand()
    start = request.http.query_params.get("offset", "0")
    listed = await request.call_tool(
        "get_repository_items",
        brandId=profile["id"],
        itemId=request.http.path_params["item_id"],
        bodyOffset=int(start) if start.isdecimal() and len(start) < 8 else 0,
    )
    if listed is None or not listed["items"]:
        raise PageNotFound
    shown = listed["items"][0]
    if shown["category"] == DRAFT:
        return request.redirect(f"/brands/{profile['id']}/content/{shown['id']}/draft")
    return request.render(
        "content/item.html",
        brand=profile,
        shown=shown,
        blocks=lay_out([TextPart(shown["body"])]),
        decided=request.http.query_params.get("decided") == "approved",
        **await load_sending(request, shown["id"]),
    )


async def show_new_item(request: PageRequest) -> Response:
    """Show the form of a new item, or of one that is to be changed."""
    request.require_member()
    profile = await request.load_brand()
    item_id = request.http.query_params.get("item")
    if item_id is None:
        return _render_form(request, profile, {})
    workspace = request.workspace
    brand = await workspace.brands.find(profile["id"])
    item = await workspace.repository_items.find(brand.key, item_id) if brand else None
    if brand is None or item is None:
        raise PageNotFound
    if await load_review(workspace, brand, item) is not None:
        return request.redirect(f"/brands/{profile['id']}/content/{item.id}/draft")
    typed = {
        "item": item.id,
        "title": item.title,
        "category": item.category,
        "url": item.url or "",
        "body": item.body,
    }
    return _render_form(request, profile, typed)


async def save_item(request: PageRequest) -> Response:
    """Store an item, or show how it will look.

    An item that is changed keeps its place under a new title; a new one of the title and category of another
    brings that one up to date.
    """
    profile = await request.load_brand()
    typed = await request.read_form(holds_texts=True)
    faults = find_faults(typed)
    if faults:
        return _render_form(request, profile, typed, faults)
    if "preview" in typed:
        return _render_form(request, profile, typed, preview=True)
    draft = ItemDraft(
        title=typed["title"].strip(),
        body=typed["body"].replace("\r\n", "\n"),
        category=typed["category"].strip(),
        url=typed.get("url", "").strip() or None,
    )
    async with request.transaction() as workspace:
        brand = await workspace.brands.find(profile["id"])
        if brand is None:
            raise PageNotFound
        items, now = workspace.repository_items, request.services.now()
        item_id = typed.get("item")
        if not item_id:
            await items.save(brand.key, [draft], now)
            is_stored = True
        elif (item := await items.find(brand.key, item_id)) is None:
            raise PageNotFound
        elif await load_review(workspace, brand, item) is not None:
            return request.redirect(f"/brands/{profile['id']}/content/{item.id}/draft")
        else:
            is_stored = await items.change(brand.key, item_id, draft, now)
    if not is_stored:
        return _render_form(
            request, profile, typed, {"title": "Another text of this category has this title."}
        )
    return request.redirect(f"/brands/{profile['id']}/content?saved=1")


def find_faults(typed: Mapping[str, str]) -> dict[str, str]:
    """Say what is wrong with a typed item, by field."""
    faults: dict[str, str] = {}
    for name in ("title", "category"):
        value = typed.get(name, "").strip()
        if not value or len(value) > LONGEST_NAME or not value.isprintable():
            faults[name] = f"From 1 to {LONGEST_NAME} printable characters, please."
    length = len(typed.get("body", "").replace("\r\n", "\n"))
    if not typed.get("body", "").strip():
        faults["body"] = "Write the text, please."
    elif length > LONGEST_BODY:
        faults["body"] = (
            f"It has {length:,} characters, and at most {LONGEST_BODY:,} fit in one text: make two of it."
        )
    url = typed.get("url", "").strip()
    if url and (
        not url.startswith(("https://", "http://")) or len(url) > LONGEST_URL or not url.isprintable()
    ):
        faults["url"] = "A whole address, please, beginning with https://."
    return faults


def _render_form(
    request: PageRequest,
    profile: dict[str, Any],
    typed: Mapping[str, str],
    faults: Mapping[str, str] | None = None,
    *,
    preview: bool = False,
) -> Response:
    """Show the form with what was typed, and below it how it will look."""
    return request.render(
        "content/edit_item.html",
        422 if faults else 200,
        brand=profile,
        typed=typed,
        faults=faults or {},
        blocks=lay_out([TextPart(typed["body"])]) if preview else None,
    )


ENDINGS = {".md": "markdown", ".html": "html"}


async def export_text(request: PageRequest) -> Response:
    """Return a text in the format that the address ends with; a viewer may, as of everything that can be read."""
    profile = await request.load_brand()
    path = request.http.url.path
    form = next(form for ending, form in ENDINGS.items() if path.endswith(ending))
    workspace = request.workspace
    brand = await workspace.brands.find(profile["id"])
    item = (
        await workspace.repository_items.find(brand.key, request.http.path_params["item_id"])
        if brand
        else None
    )
    if brand is None or item is None:
        raise PageNotFound
    document = await export_item(workspace, brand, item, form)
    # It is stored, never opened here: neither as a page of this site nor as anything that a browser guesses.
    headers = {**HEADERS, "Content-Disposition": f'attachment; filename="{document.name}"'}
    headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return Response(
        document.content.encode(), media_type=f"{document.media_type}; charset=utf-8", headers=headers
    )
