"""Import of a brand's texts from pages of a site, which its sitemap lists or a person names, and from files."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from starlette.responses import Response

from storage.repositories.repository_items import LONGEST_BODY, ItemDraft, RepositoryItem
from tools.calls.rate_limits import RateLimitWindow
from web.content.content_page import LONGEST_NAME, LONGEST_URL
from web.errors import PageNotFound
from web.request import PageRequest
from workflows.content_import.site_texts import MOST_PAGES, NO_WORDS, NoPagesListed

UNREADABLE = "\ufffd"
LONGEST_TITLE = 200
HTML_ENDINGS = (".html", ".htm")


@dataclass(frozen=True, slots=True)
class TextFile:
    """One file: its name and what it holds."""

    name: str
    text: str

    @property
    def is_readable(self) -> bool:
        """Whether it is text in UTF-8 at all."""
        return UNREADABLE not in self.text and "\0" not in self.text

    @property
    def is_html(self) -> bool:
        """Whether its name says that it is a page."""
        return self.name.lower().endswith(HTML_ENDINGS)

    @property
    def title(self) -> str:
        """The first heading of a Markdown text that begins with one, else the file's name without its ending."""
        first, _, _ = self.text.removeprefix("\ufeff").lstrip().partition("\n")
        if first.startswith("# "):
            return _printable_title(first[2:])
        stem, _, ending = self.name.replace("\\", "/").rpartition("/")[2].rpartition(".")
        return _printable_title(stem or ending) or "Text"


def _printable_title(words: str) -> str:
    """Return words as a title: in one line, printable, not too long."""
    plain = "".join(letter for letter in " ".join(words.split()) if letter.isprintable())
    return plain[:LONGEST_TITLE].strip()


def _sent_files(typed: Mapping[str, str], field: str) -> Iterator[TextFile]:
    """Yield the files of a field that hold anything."""
    number, name = 1, field
    while name in typed:
        if typed[name].strip():
            yield TextFile(typed.get(f"{name}:filename", ""), typed[name])
        number += 1
        name = f"{field}.{number}"


IMPORTS_A_MINUTE = 6
MOST_ADDRESSES = 500
NOT_TEXT = "it is not text in UTF-8"
Names = Sequence[tuple[str, str]]


@dataclass(slots=True)
class ImportOutcome:
    """Outcome of an import: texts that were stored, those already in the set, and what was not read and why."""

    stored: list[ItemDraft] = field(default_factory=list[ItemDraft])
    known: list[ItemDraft] = field(default_factory=list[ItemDraft])
    unread: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    ids: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])


async def show_import(request: PageRequest) -> Response:
    """Show the forms."""
    request.require_member()
    return _render_import(request, await request.load_brand(), {})


async def import_texts(request: PageRequest) -> Response:
    """List the pages of a site into the form, or read what was chosen and store it; a person's text stays as it is."""
    request.require_member()
    profile = await request.load_brand()
    typed = await request.read_form(holds_texts=True)
    window = RateLimitWindow(f"content-import:{request.signed_in.company_id}", IMPORTS_A_MINUTE)
    await request.count_attempt(window)
    if "list" in typed or _names_site_alone(typed):
        return await _list_pages(request, profile, typed)
    faults = _find_faults(typed)
    if faults:
        return _render_import(request, profile, typed, faults)
    addresses = _addresses(typed)
    outcome = ImportOutcome()
    drafts = await _read_files(request, typed, outcome)
    drafts += await _read_pages(request, typed, addresses[:MOST_PAGES], outcome)
    await _store(request, profile, drafts, outcome, is_update="update" in typed)
    rest = "\n".join(addresses[MOST_PAGES:])
    return _render_import(request, profile, {**typed, "addresses": rest}, outcome=outcome)


async def _list_pages(request: PageRequest, profile: dict[str, Any], typed: Mapping[str, str]) -> Response:
    """Put the pages that a site lists into the field of addresses, behind those that stand there; nothing is read."""
    site = typed.get("site", "").strip()
    if not site or len(site) > LONGEST_URL:
        return _render_import(
            request, profile, typed, {"site": "Write the address of a site or of a sitemap."}
        )
    try:
        pages = await request.services.site_texts.list_pages(site)
    except NoPagesListed as refused:
        return _render_import(request, profile, typed, {"site": f"No page was found: {refused}."})
    listed = list(dict.fromkeys([*_addresses(typed), *pages]))
    return _render_import(request, profile, {**typed, "addresses": "\n".join(listed)}, listed=len(pages))


def _names_site_alone(typed: Mapping[str, str]) -> bool:
    """Return whether a site is named and nothing of it chosen yet, as by Enter in its field."""
    return (
        bool(typed.get("site", "").strip()) and not _addresses(typed) and not any(_sent_files(typed, "files"))
    )


def _addresses(typed: Mapping[str, str]) -> list[str]:
    """Return the addresses of the form, each once; one without a scheme is an https one."""
    lines = (line.strip() for line in typed.get("addresses", "").splitlines())
    whole = (line if "://" in line else f"https://{line}" for line in lines if line)
    return list(dict.fromkeys(whole))


def _find_faults(typed: Mapping[str, str]) -> dict[str, str]:
    """Say what is wrong with the form, by field."""
    faults: dict[str, str] = {}
    category, addresses = typed.get("category", "").strip(), _addresses(typed)
    if not category or len(category) > LONGEST_NAME or not category.isprintable():
        faults["category"] = f"From 1 to {LONGEST_NAME} printable characters, please."
    if not addresses and not any(_sent_files(typed, "files")):
        faults["addresses"] = "Write at least one address, or choose a file."
    elif len(addresses) > MOST_ADDRESSES:
        faults["addresses"] = f"At most {MOST_ADDRESSES} addresses, please."
    elif wrong := next((line for line in addresses if not _is_address(line)), None):
        faults["addresses"] = f"This is no address of a page: {wrong[:200]}"
    return faults


def _is_address(line: str) -> bool:
    is_web = line.startswith(("https://", "http://"))
    return is_web and len(line) <= LONGEST_URL and line.isprintable() and " " not in line


async def _read_files(
    request: PageRequest, typed: Mapping[str, str], outcome: ImportOutcome
) -> list[ItemDraft]:
    """Return the texts of the chosen files; what cannot be read is noted."""
    drafts: list[ItemDraft] = []
    for file in _sent_files(typed, "files"):
        title, body = await _read_file(request, file) if file.is_readable else ("", "")
        if body:
            drafts.append(ItemDraft(title, body[:LONGEST_BODY], typed["category"].strip()))
        else:
            name = _printable_title(file.name) or "a file"
            outcome.unread.append((name, NO_WORDS if file.is_readable else NOT_TEXT))
    return drafts


async def _read_file(request: PageRequest, file: TextFile) -> tuple[str, str]:
    if not file.is_html:
        return file.title, file.text.removeprefix("\ufeff").replace("\r\n", "\n").strip()
    page = await request.services.site_texts.read_html(file.text)
    return (_printable_title(page.title) or file.title, page.markdown) if page else ("", "")


async def _read_pages(
    request: PageRequest, typed: Mapping[str, str], addresses: Sequence[str], outcome: ImportOutcome
) -> list[ItemDraft]:
    """Return the texts of pages; what cannot be read is noted."""
    drafts: list[ItemDraft] = []
    for page in await request.services.site_texts.read(addresses) if addresses else ():
        if page.text is None:
            outcome.unread.append((page.url, page.unread))
            continue
        title = _printable_title(page.text.title) or _printable_title(page.url)
        drafts.append(ItemDraft(title, page.text.markdown, typed["category"].strip(), page.url))
    return drafts


async def _store(
    request: PageRequest,
    profile: Mapping[str, Any],
    drafts: Sequence[ItemDraft],
    outcome: ImportOutcome,
    *,
    is_update: bool,
) -> None:
    """Store texts that are not here yet, and, if asked, bring up to date those of the same page or file."""
    async with request.transaction() as writing:
        brand = await writing.brands.find(profile["id"])
        if brand is None:
            raise PageNotFound
        items = writing.repository_items
        names = [name for draft in drafts for name in (_name(draft), _name(_apart(draft)))]
        here = await items.named(brand.key, names)
        urls: dict[tuple[str, str], str | None] = {name: item.url for name, item in here.items()}
        wanted: list[ItemDraft] = []
        for draft in drafts:
            chosen = draft if urls.get(_name(draft), draft.url) == draft.url else _apart(draft)
            urls[_name(chosen)] = chosen.url
            is_kept = _is_kept(here.get(_name(chosen)), chosen, is_update=is_update)
            (outcome.known if is_kept else wanted).append(chosen)
        await items.save(brand.key, wanted, request.services.now())
        outcome.stored = list({_name(draft): draft for draft in wanted}.values())
        stored = await items.named(brand.key, [_name(draft) for draft in (*wanted, *outcome.known)])
        outcome.ids = {name: item.id for name, item in stored.items()}


def _is_kept(item: RepositoryItem | None, draft: ItemDraft, *, is_update: bool) -> bool:
    """Return whether a text stays as it is: the same, from elsewhere, or not to be brought up to date."""
    return item is not None and (not is_update or item.url != draft.url or item.body == draft.body)


def _name(draft: ItemDraft) -> tuple[str, str]:
    return draft.title, draft.category


def _apart(draft: ItemDraft) -> ItemDraft:
    """Return a page's text under a title that tells it from another page of the same title."""
    if draft.url is None:
        return draft
    path = _printable_title(urlsplit(draft.url).path)[: LONGEST_NAME // 2]
    return replace(draft, title=f"{draft.title[: LONGEST_NAME // 2 - 3]} ({path})")


def _render_import(
    request: PageRequest,
    profile: dict[str, Any],
    typed: Mapping[str, str],
    faults: Mapping[str, str] | None = None,
    *,
    listed: int = 0,
    outcome: ImportOutcome | None = None,
) -> Response:
    return request.render(
        "content/import.html",
        422 if faults else 200,
        brand=profile,
        typed=typed,
        faults=faults or {},
        listed=listed,
        outcome=outcome,
        waiting=len(_addresses(typed)),
        most_pages=MOST_PAGES,
    )
