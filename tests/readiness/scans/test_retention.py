from datetime import timedelta

import pytest

from readiness.fetching.errors import ScanWithoutReport
from readiness.scans.scan_service import delete_old_reports
from tests.readiness.conftest import Sites, World
from tests.readiness.scans.conftest import OpenConsole

pytestmark = pytest.mark.asyncio(loop_scope="session")
BOTH = pytest.mark.parametrize("url", ["sqlite", "postgres"], indirect=True)
SHOP, OTHER, MOVED = "a.example.com", "b.example.com", "c.example.com"


@BOTH
async def test_reports_live_400_days_and_the_latest_of_a_url_for_ever(
    url: str, world: World, sites: Sites, opened: OpenConsole
) -> None:
    async with opened(url, world) as console:
        page = {"/": sites.page("Tires", "<h1>Tire shop</h1>")}
        for host in (SHOP, OTHER, MOVED):
            await console.serve(host, page, sites)
        start = console.now
        first, alone = await console.scan(f"https://{SHOP}/"), await console.scan(f"https://{OTHER}/")
        hidden = await console.scan(f"https://{OTHER}/", public=False)
        await console.serve(
            MOVED,
            lambda scheme, path, headers: sites.answer("", 301, headers={"Location": f"https://{OTHER}/"}),
            sites,
        )
        moved = await console.scan(f"https://{MOVED}/")
        await console.serve(SHOP, lambda scheme, path, headers: sites.answer("no", 404), sites)
        with pytest.raises(ScanWithoutReport):
            await console.scan(f"https://{SHOP}/")
        await console.serve(SHOP, page, sites)
        await console.serve(MOVED, page, sites)
        console.now = start + timedelta(days=1)
        second, own = await console.scan(f"https://{SHOP}/"), await console.scan(f"https://{MOVED}/")

        async def kept() -> set[str]:
            find = console.database.operators.readiness.find
            made = {"first": first, "second": second, "alone": alone, "moved": moved, "own": own}
            public = {name for name, report in made.items() if await find(report.reportId) is not None}
            private = await console.database.workspace(console.company).readiness.report(hidden.reportId)
            return public | ({"hidden"} if private else set[str]())

        everything = {"first", "second", "alone", "hidden", "moved", "own"}
        assert await delete_old_reports(console.database, start + timedelta(days=400)) == 0
        assert await kept() == everything
        # `moved` is the latest that OTHER leads to, and so stays though its own address has a newer one.
        assert await delete_old_reports(console.database, start + timedelta(days=400, seconds=1)) == 3
        assert await kept() == {"second", "moved", "own"}
        assert await delete_old_reports(console.database, start + timedelta(days=4000)) == 0
        assert [(await console.report(f"https://{host}/"))["reportId"] for host in (SHOP, OTHER, MOVED)] == [
            second.reportId,
            moved.reportId,
            own.reportId,
        ]
        assert [scan.state for scan in await console.scans()] == ["completed"] * 3


async def test_one_companys_private_report_replaces_nobody_elses(
    url: str, world: World, sites: Sites, opened: OpenConsole
) -> None:
    async with opened(url, world) as console:
        await console.serve(SHOP, {"/": sites.page("Tires", "<h1>Tire shop</h1>")}, sites)
        public, mine = await console.scan(f"https://{SHOP}/"), console.company
        async with console.database.operation() as operators:
            other = await operators.companies.create("Other", "other@example.com", "free", console.now)
        first = await console.scan(f"https://{SHOP}/", public=False)
        console.now += timedelta(days=1)
        console.company = other.id
        theirs = await console.scan(f"https://{SHOP}/", public=False)
        await delete_old_reports(console.database, console.now + timedelta(days=4000))
        assert await console.database.operators.readiness.find(public.reportId) is not None
        assert await console.database.workspace(mine).readiness.report(first.reportId) is not None
        assert await console.database.workspace(other.id).readiness.report(theirs.reportId) is not None
