"""Reaching a search, a form and a telephone as an agent does that hears names and roles, and sees nothing.

Fields are found by role and accessible name and by nothing else. They are filled with fixed words, their content is
read back, and no button is ever pressed.
"""

import re
from typing import Any, TypedDict

from playwright.async_api import Error as BrowserError
from playwright.async_api import Locator, Page

from readiness.survey.rendered_page import TaskAttempt

MOST_FIELDS = 30
LONGEST_NAME = 100
WAIT_MS = 800
SEARCH = re.compile(
    r"search|find|make|brand|model|keyword|price|mileage|stock|suche|finden|marke|modell|fahrzeug|preis|recherche|chercher"
    r"|marque|mod[èe]le|prix|zoek|merk|prijs|busca|marca|modelo|precio|cerca|modello|prezzo|szukaj|pesquis",
    re.I,
)
FIELDS = r"""
(root) => [...root.querySelectorAll('input,select,textarea,[role=textbox],[role=searchbox],[role=combobox]')]
  .filter(e => !['hidden', 'submit', 'button', 'image', 'reset', 'file'].includes(e.type) && !e.disabled && !e.readOnly
    && e.getClientRects().length && getComputedStyle(e).visibility === 'visible').slice(0, 30)
  .map(e => ({kind: (e.type || e.getAttribute('role') || '').toLowerCase(),
    place: e.tagName.toLowerCase() + (e.name ? `[name=${String(e.name).slice(0, 40)}]`
      : e.id ? `#${String(e.id).slice(0, 40)}` : '')}))
"""
ROLES = {
    "search": "searchbox",
    "select-one": "combobox",
    "select-multiple": "listbox",
    "checkbox": "checkbox",
    "radio": "radio",
    "number": "spinbutton",
    "combobox": "combobox",
    "searchbox": "searchbox",
    "range": "slider",
}
TEXTS = {"email": "person@example.com", "tel": "+12025550143", "number": "1", "date": "2030-01-15"} | {
    "time": "10:00",
    "datetime-local": "2030-01-15T10:00",
    "month": "2030-01",
    "week": "2030-W03",
    "url": "https://example.com/",
}
UNNAMED_BUTTON = "a button without a name"


class Field(TypedDict):
    """One visible field: the kind of input and its place, for reports."""

    kind: str
    place: str


async def fill_search(page: Page) -> TaskAttempt | None:
    """Fill the fields of the vehicle search that their names lead to; None where the page has no search."""
    roots = page.locator(
        "search, [role=search], form:has(input[type=search]), form[action*='search' i], form:has(select)"
    )
    count = min(await roots.count(), 5)
    best: TaskAttempt | None = None
    for index in range(count):
        attempt = await _fill(roots.nth(index), SEARCH)
        if attempt is not None and (best is None or len(attempt.filled) > len(best.filled)):
            best = attempt
    return best


async def fill_appointment(page: Page) -> TaskAttempt | None:
    """Fill the form with most fields and find its button by name; None where the page has no form to write into."""
    forms = page.locator("form")
    sizes = [len(await _fields(forms.nth(index))) for index in range(min(await forms.count(), 10))]
    if not sizes or max(sizes) < 2:
        return None
    form = forms.nth(sizes.index(max(sizes)))
    attempt = await _fill(form, None)
    if attempt is None:
        return None
    button = form.get_by_role("button", name=re.compile(r"\S"))
    if await button.count():
        name = (
            await button.first.inner_text() or await button.first.get_attribute("value") or "button"
        ).strip()
        return TaskAttempt(attempt.fields + 1, (*attempt.filled, name[:LONGEST_NAME]), attempt.missed)
    return TaskAttempt(attempt.fields + 1, attempt.filled, (*attempt.missed, UNNAMED_BUTTON))


async def find_telephone(page: Page) -> TaskAttempt | None:
    """Find a link by role and name that leads to a telephone; None where no page of the browser's shows one."""
    links = page.locator("a[href^='tel:' i]")
    total = min(await links.count(), MOST_FIELDS)
    if not total:
        return None
    for index in range(total):
        name = await _link_name(page, links.nth(index))
        if name:
            return TaskAttempt(total, (name,))
    return TaskAttempt(total, (), ("a[href^=tel:] without a name",))


async def _link_name(page: Page, link: Locator) -> str:
    """Return the accessible name of a link, or an empty string where nothing is called so."""
    snapshot = (await link.aria_snapshot(timeout=WAIT_MS)).splitlines()
    named = re.match(r'- link "(.{1,200})"', snapshot[0]) if snapshot else None
    return named[1][:LONGEST_NAME] if named else ""


async def _fields(root: Locator) -> list[Field]:
    fields: list[Field] = await root.evaluate(FIELDS, timeout=WAIT_MS)
    return fields


async def _fill(root: Locator, wanted: re.Pattern[str] | None) -> TaskAttempt | None:
    """Fill every field inside `root` by role and name; with `wanted`, those alone whose names say it."""
    fields = await _fields(root)
    if not fields:
        return None
    filled, missed, names = list[str](), list[str](), await _names(root)
    for field in fields:
        role = ROLES.get(field["kind"], "textbox")
        name = next(iter(names.get(role, [])), "")
        if names.get(role):
            names[role].pop(0)
        if not name:
            missed.append(f"{field['place']}: no name")
        elif wanted is not None and not wanted.search(name):
            missed.append(f"{field['place']}: its name does not say what is searched for")
        elif await _fill_field(root, role, name, field["kind"]):
            filled.append(name)
        else:
            missed.append(f"{field['place']}: not filled by its name")
    return TaskAttempt(len(fields), tuple(filled[:MOST_FIELDS]), tuple(missed[:MOST_FIELDS]))


async def _names(root: Locator) -> dict[str, list[str]]:
    """Return the names of the fields in the accessibility tree by role, in order; a nameless one counts as empty."""
    names: dict[str, list[str]] = {}
    for line in (await root.aria_snapshot(timeout=WAIT_MS * 2)).splitlines():
        matched = re.match(r'- \'?([a-z]{3,20})(?: "((?:[^"\\]|\\.){0,300})")?', line.strip())
        if matched and matched[1] in {*ROLES.values(), "textbox"}:
            names.setdefault(matched[1], []).append((matched[2] or "").strip())
    return names


async def _fill_field(root: Locator, role: Any, name: str, kind: str) -> bool:
    target = root.get_by_role(role, name=name, exact=True)
    try:
        if kind != "radio" and await target.count() != 1:
            return False
        if role in ("checkbox", "radio"):
            await target.first.check(timeout=WAIT_MS)
            return await target.first.is_checked()
        if kind.startswith("select"):
            await target.select_option(index=0, timeout=WAIT_MS)
            return True
        await target.fill(TEXTS.get(kind, "Example"), timeout=WAIT_MS)
        return bool(await target.input_value(timeout=WAIT_MS))
    except BrowserError:
        return False
