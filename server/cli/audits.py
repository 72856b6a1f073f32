"""Matching audits: draw a sample, label its answers, report precision and recall."""

from typing import Annotated

import typer

from measurement.planning.clock import utc_now
from server.cli.session import OneBrand, Session, command

app = typer.Typer(no_args_is_help=True, help="Matching audits: a person checks a sample of answers.")


@command(app, "sample")
async def sample(
    session: Session,
    brand: OneBrand,
    size: Annotated[int, typer.Option(help="Answers to draw; half of them name the brand.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed draws the same sample.")] = 1,
) -> None:
    """Draw a sample of a brand's answers to label: at most two answers per prompt."""
    from measurement.statistics.matching_audits import draw_sample  # loads the statistics

    owner = await session.brand(brand)
    rows = await draw_sample(session.database, session.company.id, owner, size, seed, utc_now())
    values = [{"answerId": row.answer_id, "prompt": row.prompt, "text": row.text} for row in rows]
    session.output.show(values, columns="answerId prompt")
    session.output.say("Label each with: seenby audit label. The matcher's result is not shown before.")


@command(app, "label")
async def label(
    session: Session,
    brand: OneBrand,
    answer: Annotated[str, typer.Option(help="Id of an answer of the newest sample.")],
    named: Annotated[bool, typer.Option("--named/--not-named", help="Whether the answer names the brand.")],
    tone: Annotated[str | None, typer.Option(help="positive, neutral or negative.")] = None,
) -> None:
    """Label one answer of the newest sample: whether it names the brand, and in which tone."""
    from measurement.statistics.matching_audits import add_label

    if tone not in (None, "positive", "neutral", "negative"):
        raise typer.BadParameter("a tone is positive, neutral or negative")
    owner = await session.brand(brand)
    await add_label(session.database, session.company.id, owner, answer, named, tone, utc_now())
    session.output.show({"answerId": answer, "named": named, "tone": tone}, "labeled")


@command(app, "report")
async def report(session: Session, brand: OneBrand) -> None:
    """Print precision, recall and tone agreement of the newest sample, with the raw and the corrected rate.

    Tone agreement compares the engine that judges tone with your labels.
    """
    from measurement.statistics.matching_audits import summarize

    summary = await summarize(session.workspace, await session.brand(brand))
    result = summary.report
    corrected = result.corrected
    session.output.show(
        {
            "auditId": summary.audit.id,
            "sampled": summary.sampled,
            "labeled": summary.labeled,
            "precision": result.precision and result.precision.share,
            "precisionInterval": result.precision and result.precision.interval,
            "recall": result.recall,
            "toneAgreement": result.tone and result.tone.share,
            "rawRate": summary.rate,
            "rawInterval": summary.intervals.all_questions,
            "correctedRate": corrected and corrected.rate,
            "correctedInterval": corrected and corrected.interval,
        }
    )
