"""Replays: stored answers read anew by today's names or parsers, and stored numbers calculated again."""

import time
from typing import Annotated, Any

import typer

from measurement.errors import WorkError
from measurement.extraction.reparse import ReparseOutcome, Reparser
from measurement.planning.clock import utc_now
from measurement.receipts.brand_verification import Verification, verify, verify_brand
from server.cli.lookup import find_brands, find_company
from server.cli.options import AnyBrand, Company, Json
from server.cli.output import Output, format_rate
from server.cli.session import CommandSession, with_database, with_service
from server.service import Service


def replay(
    company: Company = None,
    brand: AnyBrand = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Calculate the numbers again and compare.")
    ] = False,
    receipt: Annotated[str | None, typer.Option(help="With --verify: this receipt only.")] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="With --verify: check digests and signatures, read no answer.")
    ] = False,
    status: Annotated[
        bool,
        typer.Option("--status", help="Say on which reading the numbers stand, and how far a new one is."),
    ] = False,
    raw: Annotated[
        bool, typer.Option("--raw", help="First read what engines sent with today's parsers.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Read stored answers with today's names and matcher, or prove stored numbers with --verify."""
    if raw and (verify or status):
        raise typer.BadParameter(
            "it writes, and --verify and --status only read; give one of them", param_hint="--raw"
        )
    if raw:
        with_service(as_json, replay_raw, company, brand)
    if verify:
        with_service(as_json, verify_numbers, company, brand, receipt, quick)
    if status:
        with_database(as_json, replay_status, company)
    with_service(as_json, reread_answers, company, brand)


async def reread_answers(
    service: Service, output: Output, company_name: str | None, brand_name: str | None
) -> None:
    """Read stored answers with today's names and matcher."""
    company = await find_company(service.database, company_name)
    brands = await find_brands(service.database, company.id, brand_name)
    done: list[dict[str, Any]] = []
    with output.progress() as bar:
        for brand in brands:
            task = bar.add_task(f"reading {brand.name}", total=None, rate="")
            started, count = time.monotonic(), 0

            def advanced(read: int, task: Any = task, started: float = started) -> None:
                nonlocal count
                count = read
                bar.update(
                    task, completed=read, rate=format_rate(read, time.monotonic() - started, "answers")
                )

            await service.publisher.bring_up_to_date(company.id, brand.id, advanced)
            bar.update(task, completed=count, total=count)
            done.append({"brandId": brand.id, "brand": brand.name, "answersRead": count})
    rows = [(row["brand"], row["answersRead"]) for row in done]
    output.data(done, lambda: output.table(("brand", "answers read anew"), rows))


async def replay_raw(
    service: Service, output: Output, company_name: str | None, brand_name: str | None
) -> None:
    """Read stored raw exchanges with today's parsers, then what they say with today's names."""
    company = await find_company(service.database, company_name)
    reparser = Reparser(service.database, utc_now)
    done: list[dict[str, Any]] = []
    with output.progress() as bar:
        for brand in await find_brands(service.database, company.id, brand_name):
            task = bar.add_task(f"parsing {brand.name}", total=None, rate="")
            started = time.monotonic()

            def parsed(
                read: int, total: int, task: Any = task, name: str = brand.name, started: float = started
            ) -> None:
                speed = format_rate(read, time.monotonic() - started, "answers")
                bar.update(task, description=f"parsing {name}", completed=read, total=total, rate=speed)

            def analysed(read: int, task: Any = task, name: str = brand.name) -> None:
                bar.update(task, description=f"reading {name}", completed=read, rate="")

            reparsed = await reparser.reparse(company.id, brand.id, parsed)
            await service.publisher.bring_up_to_date(company.id, brand.id, analysed)
            ends = {str(end): reparsed.ends[end] for end in ReparseOutcome}
            done.append({"brandId": brand.id, "brand": brand.name, "answers": reparsed.answers, **ends})
    rows = [tuple(row.values())[1:] for row in done]
    columns = ("brand", "answers", "unchanged", "changed", "raw swept", "unreadable")
    output.data(done, lambda: output.table(columns, rows))


async def replay_status(session: CommandSession, output: Output, company_name: str | None) -> None:
    """Print on which reading each brand's numbers stand, and how far a new one is."""
    company = await find_company(session.database, company_name)
    workspace = session.database.workspace(company.id)
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
    service: Service,
    output: Output,
    company_name: str | None,
    brand_name: str | None,
    receipt: str | None,
    quick: bool,
) -> int:
    """Calculate stored results again from their answers; return 0 only when all of them hold."""
    company = await find_company(service.database, company_name)
    verifications: list[Verification] = []
    if receipt:
        verifications.append(await verify(service.database, service.publisher, company.id, receipt, utc_now))
    else:
        for brand in await find_brands(service.database, company.id, brand_name):
            verifications += await verify_brand(
                service.database, service.publisher, company.id, brand.id, utc_now, quick=quick
            )
    if not verifications:
        raise WorkError("there is no number to verify yet", "Measure first: seenby probe")
    rows = [
        (
            verification.receipt_id,
            verification.score,
            verification.answers,
            verdict(verification),
        )
        for verification in verifications
    ]
    values = [
        {
            "receiptId": verification.receipt_id,
            "score": verification.score,
            "answers": verification.answers,
            "holds": verification.holds,
            "wrong": list(verification.wrong),
            "readBy": list(verification.read_by),
        }
        for verification in verifications
    ]
    output.data(values, lambda: output.table(("receipt", "score", "answers", "verdict"), rows))
    return 0 if all(verification.holds for verification in verifications) else 1


def verdict(verification: Verification) -> str:
    """Return what the table says: what differs, or that it holds, or which older version read the answers."""
    if not verification.holds:
        return ", ".join(verification.wrong)
    if verification.read_by:
        return f"unaltered; read by an older version: {', '.join(verification.read_by)}"
    return "holds"
