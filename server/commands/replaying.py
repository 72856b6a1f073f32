"""Stored answers read anew: by today's names, by today's parsers, or to prove the numbers."""

import time
from typing import Any

from server.commands.output import Output, rate
from server.commands.subjects import brands_of, find_company
from server.service import Service, utc_now
from workflows.errors import WorkError
from workflows.reparsing import End, Reparser
from workflows.verifying import Verification, verify, verify_brand


async def replay(service: Service, output: Output, company_name: str | None, brand_name: str | None) -> None:
    """Read stored answers with today's names and matcher."""
    company = await find_company(service, company_name)
    brands = await brands_of(service, company.id, brand_name)
    done: list[dict[str, Any]] = []
    with output.progress() as bar:
        for brand in brands:
            task = bar.add_task(f"reading {brand.name}", total=None, rate="")
            started, count = time.monotonic(), 0

            def advanced(read: int, task: Any = task, started: float = started) -> None:
                nonlocal count
                count = read
                bar.update(task, completed=read, rate=rate(read, time.monotonic() - started, "answers"))

            await service.publisher.bring_up_to_date(company.id, brand.id, advanced)
            bar.update(task, completed=count, total=count)
            done.append({"brandId": brand.id, "brand": brand.name, "answersRead": count})
    rows = [(one["brand"], one["answersRead"]) for one in done]
    output.data(done, lambda: output.table(("brand", "answers read anew"), rows))


async def replay_raw(
    service: Service, output: Output, company_name: str | None, brand_name: str | None
) -> None:
    """Read stored raw exchanges with today's parsers, then what they say with today's names."""
    company = await find_company(service, company_name)
    reparser = Reparser(service.database, utc_now)
    done: list[dict[str, Any]] = []
    with output.progress() as bar:
        for brand in await brands_of(service, company.id, brand_name):
            task = bar.add_task(f"parsing {brand.name}", total=None, rate="")
            started = time.monotonic()

            def parsed(
                read: int, total: int, task: Any = task, name: str = brand.name, started: float = started
            ) -> None:
                speed = rate(read, time.monotonic() - started, "answers")
                bar.update(task, description=f"parsing {name}", completed=read, total=total, rate=speed)

            def analysed(read: int, task: Any = task, name: str = brand.name) -> None:
                bar.update(task, description=f"reading {name}", completed=read, rate="")

            found = await reparser.reparse(company.id, brand.id, parsed)
            await service.publisher.bring_up_to_date(company.id, brand.id, analysed)
            ends = {str(end): found.ends[end] for end in End}
            done.append({"brandId": brand.id, "brand": brand.name, "answers": found.answers, **ends})
    rows = [tuple(one.values())[1:] for one in done]
    columns = ("brand", "answers", "unchanged", "changed", "raw swept", "unreadable")
    output.data(done, lambda: output.table(columns, rows))


async def replay_status(service: Service, output: Output, company_name: str | None) -> None:
    """Print on which reading each brand's numbers stand, and how far a new one is."""
    company = await find_company(service, company_name)
    workspace = service.database.workspace(company.id)
    values: list[dict[str, Any]] = []
    for brand in await workspace.brands.all():
        current, building = (
            await workspace.revisions.current(brand.key),
            await workspace.revisions.building(brand.key),
        )
        answers = await workspace.answers.count(brand.key)
        left = await workspace.answers.unread_count(brand.key, building.key) if building else 0
        values.append(
            {
                "brandId": brand.id,
                "brand": brand.name,
                "matcher": current.versions["matcher"] if current else None,
                "aliasSet": current.versions["aliasSet"] if current else None,
                "rereading": building is not None,
                "answersRead": answers - left,
                "answers": answers,
            }
        )
    rows = [tuple(value.values())[1:] for value in values]
    columns = ("brand", "matcher", "alias set", "reading anew", "answers read", "of")
    output.data(values, lambda: output.table(columns, rows))


async def verify_numbers(
    service: Service, output: Output, company_name: str | None, brand_name: str | None, receipt: str | None
) -> int:
    """Calculate stored numbers again from stored text; return 0 only when all of them hold."""
    company = await find_company(service, company_name)
    found: list[Verification] = []
    if receipt:
        found.append(await verify(service.database, service.publisher, company.id, receipt, utc_now))
    else:
        for brand in await brands_of(service, company.id, brand_name):
            found += await verify_brand(service.database, service.publisher, company.id, brand.id, utc_now)
    if not found:
        raise WorkError("there is no number to verify yet", "Measure first: seenby probe")
    rows = [
        (one.receipt_id, one.score, one.answers, "holds" if one.holds else ", ".join(one.wrong))
        for one in found
    ]
    values = [
        {
            "receiptId": one.receipt_id,
            "score": one.score,
            "answers": one.answers,
            "holds": one.holds,
            "wrong": list(one.wrong),
        }
        for one in found
    ]
    output.data(values, lambda: output.table(("receipt", "score", "answers", "verdict"), rows))
    return 0 if all(one.holds for one in found) else 1
