"""The name of a workspace, which its owners change."""

from collections.abc import Callable

from storage.database import Database
from tests.web.conftest import Meet, Person
from tests.web.test_roles import colleague
from tools.calls.wire import SYNTHETIC_COMPANY

PAGE, RENAME = "/settings/profile", "/settings/workspace"


async def test_an_owner_renames_the_workspace_for_everybody_in_it(
    ada: Person, meet: Meet, database: Database
) -> None:
    member = await colleague(ada, meet, "member")
    renamed = await ada.submit(PAGE, {"workspace": "  Würth & Töchter "}, RENAME)
    assert renamed.headers["location"] == f"{PAGE}?changed=workspace", renamed.text
    assert "The workspace is called Würth & Töchter now." in await ada.text(f"{PAGE}?changed=workspace")
    assert "Würth & Töchter" in await member.text(PAGE)
    found = await database.operators.companies.find("würth & töchter")
    assert found is not None
    assert await database.operators.companies.find(ada.company) is None


async def test_members_and_viewers_do_not_rename_it(
    ada: Person, meet: Meet, token_for: Callable[[Person, str], str], database: Database
) -> None:
    for role in ("member", "viewer"):
        person = await colleague(ada, meet, role)
        assert 'action="/settings/workspace"' not in (await person.http.get(PAGE)).text
        sent = {"token": token_for(person, RENAME), "workspace": "Theirs"}
        assert (await person.http.post(RENAME, data=sent)).status_code == 403
    assert await database.operators.companies.find(ada.company) is not None


async def test_what_is_no_name_is_said_at_the_field_and_stays_typed(ada: Person) -> None:
    for name, words in (
        ("  ", "Fill in this field"),
        ("A" * 101, "At most 100"),
        (SYNTHETIC_COMPANY, "sample data"),
    ):
        refused = await ada.submit(PAGE, {"workspace": name}, RENAME)
        assert (refused.status_code, words in refused.text) == (422, True)
        assert f'value="{name.strip()}"' in refused.text
    assert ada.company in await ada.text(PAGE)


async def test_two_workspaces_may_have_one_name_and_both_are_found(
    ada: Person, meet: Meet, database: Database
) -> None:
    bob = meet()
    await bob.sign_up()
    first = await database.operators.companies.find(ada.company)
    second = await database.operators.companies.find(bob.company)
    assert first is not None
    assert second is not None
    assert (await bob.submit(PAGE, {"workspace": ada.company.upper()}, RENAME)).status_code == 303
    named = await database.operators.companies.find(ada.company)
    assert (named, await database.operators.companies.find(bob.company)) == (first, None)
    shared = await database.operators.companies.find(second.id)
    assert shared is not None
    assert shared.name == ada.company.upper()
