"""Replays: stored answers reprocessed with today's names or parsers, and stored numbers verified."""

from typing import Annotated, Any

import typer

from measurement.errors import WorkError
from measurement.extraction.reparse import ReparseOutcome, Reparser
from measurement.planning.clock import utc_now
from measurement.receipts.brand_verification import Verification, verify, verify_brand
from server.cli.session import AnyBrand, Session, command


@command(service=True)
async def replay(
    session: Session,
    brand: AnyBrand = None,
    verify_: Annotated[
        bool, typer.Option("--verify", help="Recompute the stored numbers and compare.")
    ] = False,
    receipt: Annotated[str | None, typer.Option(help="With --verify: only this receipt.")] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="With --verify: check digests and signatures only.")
    ] = False,
    status: Annotated[
        bool, typer.Option("--status", help="Show which versions read the answers, and progress.")
    ] = False,
    raw: Annotated[
        bool, typer.Option("--raw", help="First parse the raw responses with today's parsers.")
    ] = False,
) -> int:
    """Reprocess stored answers with today's names and matcher, or prove stored numbers with --verify."""
    if raw and (verify_ or status):
        raise typer.BadParameter(
            "it writes, and --verify and --status only read; give one of them", param_hint="--raw"
        )
    if verify_:
        return await verify_numbers(session, brand, receipt, quick=quick)
    if status:
        await print_status(session)
    else:
        await reprocess(session, brand, raw=raw)
    return 0


async def reprocess(session: Session, brand_name: str | None, *, raw: bool) -> None:
    """Reprocess stored answers; with `raw`, parse the raw responses first."""
    service, output = session.service, session.output
    reparser = Reparser(session.database, utc_now)
    done: list[dict[str, Any]] = []
    for brand in await session.brands(brand_name):
        row: dict[str, Any] = {"brandId": brand.id, "brand": brand.name}
        with output.progress(f"reading {brand.name}", "answers") as progress:
            if raw:

                def parsed(read: int, total: int, doing: str = f"parsing {brand.name}") -> None:
                    progress(read, total, doing)

                reparsed = await reparser.reparse(session.company.id, brand.id, parsed)
                row["answers"] = reparsed.answers
                row |= {str(end): reparsed.ends[end] for end in ReparseOutcome}
            count = 0

            def advanced(read: int) -> None:
                nonlocal count
                count = read
                progress(read)

            await service.publisher.bring_up_to_date(session.company.id, brand.id, advanced)
            progress(count, count)
        done.append(row if raw else {**row, "answersRead": count})
    output.show(done)


async def print_status(session: Session) -> None:
    """Print which versions each brand's numbers rest on, and how far reprocessing is."""
    workspace = session.workspace
    values: list[dict[str, Any]] = []
    for brand in await workspace.brands.all():
        current = await workspace.revisions.current(brand.key)
        building = await workspace.revisions.building(brand.key)
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
    session.output.show(values)


async def verify_numbers(
    session: Session, brand_name: str | None, receipt: str | None, *, quick: bool
) -> int:
    """Recompute stored results from their answers; return 0 only when all of them hold."""
    database, publisher, company_id = session.database, session.service.publisher, session.company.id
    verifications: list[Verification] = []
    if receipt:
        verifications.append(await verify(database, publisher, company_id, receipt, utc_now))
    else:
        for brand in await session.brands(brand_name):
            verifications += await verify_brand(
                database, publisher, company_id, brand.id, utc_now, quick=quick
            )
    if not verifications:
        raise WorkError("There is no number to verify yet.", "Measure first with: seenby probe")
    values = [
        {
            "receiptId": one.receipt_id,
            "score": one.score,
            "answers": one.answers,
            "holds": one.holds,
            "wrong": list(one.wrong),
            "readBy": list(one.read_by),
        }
        for one in verifications
    ]
    if session.output.as_json:
        session.output.show(values)
    else:
        rows = [(one.receipt_id, one.score, one.answers, verdict(one)) for one in verifications]
        session.output.table(("receipt id", "score", "answers", "verdict"), rows)
    return 0 if all(one.holds for one in verifications) else 1


def verdict(verification: Verification) -> str:
    """Return what the table shows: what differs, or that it holds, or which older version read the answers."""
    if not verification.holds:
        return ", ".join(verification.wrong)
    if verification.read_by:
        return f"unaltered; read by an older version: {', '.join(verification.read_by)}"
    return "holds"
