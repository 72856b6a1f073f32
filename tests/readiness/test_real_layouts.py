# World and Sites are typed in conftest.py, which a test module cannot import.
"""What themes, static exports and one-page sites write, read as a visitor reads it: each case broke the scanner once."""

import pytest

from readiness.scans.scan import Options
from readiness.survey.site_kind import Kind
from tests.readiness.conftest import Pages, Sites, World, statuses_of

pytestmark = pytest.mark.asyncio(loop_scope="session")
HOST = "layouts.example.com"


async def statuses(world: World, pages: Pages, kind: Kind | None = Kind.DEALER) -> dict[str, str]:
    return statuses_of(await world.scan(HOST, pages, Options(declared=kind)))


@pytest.mark.parametrize(
    "link",
    ["/", "index.html", "/index.php", "./INDEX.HTM", "http://layouts.example.com/default.aspx", "/index.html#top"],
)  # fmt: skip
async def test_a_logo_that_leads_home_is_no_page_of_its_own(world: World, sites: Sites, link: str) -> None:
    words = "Used cars Financing Trade-in Service Contact Privacy Policy"
    home = sites.page("Cars", f'<h1>Cars</h1><a href="{link}">{words}</a><p>Cars and vehicles.</p>')
    pages: Pages = {
        "/": home,
        "/index.html": home,
        "/index.php": home,
        "/INDEX.HTM": home,
        "/default.aspx": home,
    }
    found = await statuses(world, pages)
    assert {found[check] for check in ("veh.inventory.found", "ho.finance", "ho.trade_in")} == {"fail"}
