"""Annotations of charts: added by people, drawn as events, exported, removed, one company's only, inert."""

import re
from datetime import UTC, datetime, timedelta

from tests.web.conftest import Meet, Person
from tests.web.test_roles import colleague

TEXT = "Campaign <b>& 'more'</b>"


async def annotate(person: Person, text: str, days_ago: int = 5, **changed: str) -> int:
    """Add an annotation on the overview; return the status."""
    page = f"/brands/{person.brand}"
    day = (datetime.now(UTC) - timedelta(days=days_ago)).date().isoformat()
    answer = await person.submit(page, {"day": day, "text": text, **changed}, f"{page}/annotations")
    return answer.status_code


async def test_an_annotation_is_drawn_and_exported_until_it_is_removed(measured: Person, meet: Meet) -> None:
    own = f"/brands/{measured.brand}"
    assert await annotate(measured, TEXT) == 303
    assert await annotate(measured, "Older", days_ago=200) == 303
    viewer = await colleague(measured, meet, "viewer")
    for path in (own, f"{own}/competitors"):
        page = (await viewer.http.get(path)).text
        [mark, _] = re.findall(r'class="event" d="[^"]+"><title>([^<]+)</title>', page)
        assert mark.endswith("Campaign &lt;b&gt;&amp; &#39;more&#39;&lt;/b&gt;")
        assert "/annotations/" not in page
        assert "<b>&" not in page
    rows = (await viewer.http.get(f"{own}/annotations.json")).json()
    assert [(row["annotation"], row["author"]) for row in rows] == [("Older", "Ada"), (TEXT, "Ada")]
    page = (await measured.http.get(own)).text
    [remove] = re.findall(r'action="([^"]+/annotations/[^"?]+/remove)', page)
    assert (await measured.submit(own, {}, remove)).status_code == 303
    assert len((await viewer.http.get(f"{own}/annotations.json")).json()) == 1


async def test_an_annotation_that_is_wrong_is_explained_and_stays_typed(measured: Person) -> None:
    own = f"/brands/{measured.brand}"
    fields = {"day": "1999-12-31", "text": "Launch of <i>Nova</i>"}
    answer = await measured.submit(own, fields, f"{own}/annotations")
    assert answer.status_code == 422
    assert "Enter a date since 2000" in answer.text
    assert 'value="Launch of &lt;i&gt;Nova&lt;/i&gt;"' in answer.text
    for wrong in ("", " ", "x" * 201):
        assert await annotate(measured, wrong) == 422
    for wrong in ("", "tomorrow", "9999-01-01"):
        assert await annotate(measured, "Launch", day=wrong) == 422
    assert (await measured.http.get(f"{own}/annotations.json")).json() == []
