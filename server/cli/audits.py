"""Audits of matching: draw a sample, label its answers, report what the labels say."""

from typing import Annotated, Any

import typer

from measurement.planning.clock import utc_now
from server.cli.lookup import find_company
from server.cli.options import Company, Json, OneBrand
from server.cli.output import Output
from server.cli.session import CommandSession, with_database

app = typer.Typer(no_args_is_help=True, help="Audits of matching: a person checks a sample of answers.")


@app.command("sample")
def sample(
    brand: OneBrand,
    size: Annotated[int, typer.Option(help="Answers to draw, half of them read as naming the brand.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed draws the same answers of the same ones.")] = 1,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Draw a sample of a brand's answers for a person to label: at most two answers of one question."""
    with_database(as_json, draw_audit, company, brand, size, seed)


async def draw_audit(
    session: CommandSession, output: Output, company_name: str | None, brand_name: str, size: int, seed: int
) -> None:
    """Store a sample and print its answers."""
    from measurement.planning.brand_identity import find_brand
    from measurement.statistics.matching_audits import draw_sample  # loads the statistics

    company = await find_company(session.database, company_name)
    brand = await find_brand(session.database.workspace(company.id), brand_name)
    rows = await draw_sample(session.database, company.id, brand, size, seed, utc_now())
    values = [{"answerId": row.answer_id, "prompt": row.prompt, "text": row.text} for row in rows]
    output.data(
        values, lambda: output.table(("answer", "question"), [(row.answer_id, row.prompt) for row in rows])
    )
    output.say("label each with seenby audit label; what the matcher read is not shown before")


@app.command("label")
def label(
    brand: OneBrand,
    answer: Annotated[str, typer.Option(help="Id of an answer of the newest sample.")],
    named: Annotated[bool, typer.Option("--named/--not-named", help="Whether the answer names the brand.")],
    tone: Annotated[str | None, typer.Option(help="positive, neutral or negative.")] = None,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Say of one answer of the newest sample whether it names the brand, and in which tone."""
    if tone not in (None, "positive", "neutral", "negative"):
        raise typer.BadParameter("a tone is positive, neutral or negative")
    with_database(as_json, label_answer, company, brand, answer, named, tone)


async def label_answer(
    session: CommandSession,
    output: Output,
    company_name: str | None,
    brand_name: str,
    answer_id: str,
    named: bool,
    tone: str | None,
) -> None:
    """Store one label."""
    from measurement.planning.brand_identity import find_brand
    from measurement.statistics.matching_audits import add_label

    company = await find_company(session.database, company_name)
    brand = await find_brand(session.database.workspace(company.id), brand_name)
    await add_label(session.database, company.id, brand, answer_id, named, tone, utc_now())
    output.data({"answerId": answer_id, "named": named, "tone": tone}, lambda: output.say("labeled"))


@app.command("report")
def report(brand: OneBrand, company: Company = None, as_json: Json = False) -> None:
    """Print precision, recall and tone agreement of the newest sample, and the corrected rate beside the raw one.

    Lexicon and judge are compared over all answers of the brand that an engine judged, in the sample or not.
    """
    with_database(as_json, report_audit, company, brand)


async def report_audit(
    session: CommandSession, output: Output, company_name: str | None, brand_name: str
) -> None:
    """Print the report of a brand's newest audit."""
    from measurement.planning.brand_identity import find_brand
    from measurement.statistics.matching_audits import AuditSummary, summarize

    company = await find_company(session.database, company_name)
    workspace = session.database.workspace(company.id)
    summary: AuditSummary = await summarize(workspace, await find_brand(workspace, brand_name))
    result = summary.report
    corrected, judges = result.corrected, summary.judges
    values: dict[str, Any] = {
        "auditId": summary.audit.id,
        "sampled": summary.sampled,
        "labeled": summary.labeled,
        "precision": None if result.precision is None else result.precision.share,
        "precisionInterval": None if result.precision is None else result.precision.interval,
        "recall": result.recall,
        "toneAgreement": None if result.tone is None else result.tone.share,
        "lexiconAndJudgeAnswers": 0 if judges is None else judges.answers,
        "lexiconAndJudgeAgreement": None if judges is None else judges.share.share,
        "lexiconAndJudgeInterval": None if judges is None else judges.share.interval,
        "lexiconAndJudgeKappa": None if judges is None else judges.kappa,
        "rawRate": summary.rate,
        "rawInterval": summary.intervals.all_questions,
        "correctedRate": None if corrected is None else corrected.rate,
        "correctedInterval": None if corrected is None else corrected.interval,
    }
    output.data(
        values,
        lambda: output.table(("what", "value"), [(name, str(value)) for name, value in values.items()]),
    )
