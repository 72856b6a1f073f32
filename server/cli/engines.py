"""Engines: which models their providers have, and real answers that prove our reading."""

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engines.engine import Device, EngineAnswer, Mode, Question
from engines.errors import EngineError, UnknownPlatform
from engines.parsers import parser_of
from engines.recordings import facts_of, proof_of, read_recording, recording_of
from measurement.errors import ProviderNotConfigured, UnknownName, WorkError
from measurement.planning.clock import utc_now
from measurement.planning.engine_models import ModelReport, report_models
from measurement.planning.locales import city_name, country_code, language_tag, timezone_name
from server.cli.lookup import find_company
from server.cli.options import Company, Json
from server.cli.output import Output
from server.cli.session import with_service
from storage.ids import new_id

if TYPE_CHECKING:
    from server.service import Service

CHOOSE_ANOTHER = 3
"""Exit code when a model that is asked for goes away."""

app = typer.Typer(no_args_is_help=True, help="Engines: their models, and answers that prove our reading.")


@app.command("models")
def models(
    every: Annotated[bool, typer.Option("--all", help="List every model, not only those asked for.")] = False,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Read each provider's list of models: until when those that are asked for are served.

    Nothing is switched. Exits with 3 when one of them goes away within 60 days or is gone.
    """
    with_service(as_json, list_models, company, every)


async def list_models(service: "Service", output: Output, company: str | None, every: bool) -> int:
    """Print how the models stand."""
    company_id = (await find_company(service.database, company)).id
    reports = await report_models(service.engine_keys, company_id, utc_now().date())
    standing = {"models": [fields_of(report) for report in reports]}
    output.data(standing, lambda: show_models(output, reports, every))
    return CHOOSE_ANOTHER if any(report.needs_choice for report in reports) else 0


def fields_of(report: ModelReport) -> dict[str, Any]:
    """Return one report as JSON."""
    return {
        "platform": report.platform,
        "model": report.model,
        "standing": report.standing,
        "retiresOn": report.retires_on,
        "replacement": report.replacement,
        "fault": report.fault,
        "parser": proof_of(report.platform),
        "listed": [
            {"id": model.id, "retiresOn": model.retires_on, "replacement": model.replacement}
            for model in report.listed
        ],
    }


def show_models(output: Output, reports: list[ModelReport], every: bool) -> None:
    """Print the reports as a table, or every listed model."""
    if every:
        rows = [
            (
                report.platform,
                model.id,
                "asked for" if model.answers_to(report.model) else "",
                model.retires_on,
            )
            for report in reports
            for model in report.listed
        ]
        output.table(("platform", "model", "", "retires"), rows)
        return
    columns = ("platform", "model", "standing", "retires", "instead", "parser")
    output.table(
        columns,
        [
            (
                report.platform,
                report.model,
                report.fault or report.standing.replace("_", " "),
                report.retires_on,
                report.replacement,
                proof_of(report.platform),
            )
            for report in reports
        ],
    )


@app.command("record")
def record(
    platform: Annotated[str, typer.Argument(help="Engine, such as chatgpt or google_ai_mode@cloro.")],
    question: Annotated[str, typer.Option(help="What is asked, as a buyer would.")],
    out: Annotated[Path | None, typer.Option(help="File to write; named as the platform without it.")] = None,
    mode: Annotated[
        str, typer.Option(help="visibility (from memory) or readiness (with web search).")
    ] = "readiness",
    country: Annotated[str | None, typer.Option(help="From where, such as DE.")] = None,
    language: Annotated[str | None, typer.Option(help="In which language, such as de.")] = None,
    city: Annotated[str | None, typer.Option(help="City in the country.")] = None,
    region: Annotated[str | None, typer.Option(help="Region or state, such as Bavaria.")] = None,
    timezone: Annotated[str | None, typer.Option(help="Time zone, such as Europe/Berlin.")] = None,
    device: Annotated[str | None, typer.Option(help="desktop or mobile.")] = None,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Take one real, paid call and write its redacted answer, which proves a parser when it is contributed."""
    try:
        asked = Question(
            question,
            Mode(mode),
            hashlib.sha256(new_id().encode()).hexdigest(),
            country=country_code(country) if country else None,
            language=language_tag(language) if language else None,
            city=city_name(city) if city else None,
            region=city_name(region) if region else None,
            timezone=timezone_name(timezone) if timezone else None,
            device=device_of(device),
        )
    except ValueError as fault:
        raise WorkError(f"this cannot be asked: {fault}", "Change it, or leave it out.") from fault
    with_service(as_json, record_answer, company, platform, asked, out)


def device_of(name: str | None) -> Device | None:
    """Return a device. Raises ValueError for what is none."""
    if name is None or name in ("desktop", "mobile"):
        return name
    raise ValueError("the device must be desktop or mobile")


async def record_answer(
    service: "Service",
    output: Output,
    company: str | None,
    platform: str,
    question: Question,
    out: Path | None,
) -> int:
    """Ask, and write what came back."""
    company_id = (await find_company(service.database, company)).id
    try:
        engine = service.engines.get(platform)
    except UnknownPlatform:
        raise UnknownName("platform", platform, service.engines.platforms) from None
    if not await service.engine_keys.configured(company_id, engine.platform):
        raise ProviderNotConfigured(engine.platform)
    credential = await service.engine_keys.find(company_id, engine.platform)
    path = writable(out or Path(f"{engine.platform}.json"))
    output.say(f"Asking {engine.platform}, once; its provider charges for it ...")
    try:
        answer = await engine.ask(question, credential)
    except EngineError as error:
        raise WorkError(
            f"{engine.platform}: {error.message}" + (f" ({error.detail})" if error.detail else ""),
            "Nothing was written.",
        ) from error
    recording = proven_recording(engine.platform, question, answer)
    path.write_text(json.dumps(recording, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    value = {
        "file": str(path),
        "platform": engine.platform,
        "parser": answer.parser,
        "facts": facts_of(answer),
    }
    output.data(value, lambda: say_written(path, answer))
    return 0


def writable(path: Path) -> Path:
    """Return a file that can be written, known before anything is paid. Raises WorkError for another."""
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise WorkError(f"{path} cannot be written", "Name a file in a folder that is there: --out.")
    return path


def proven_recording(platform: str, question: Question, answer: EngineAnswer) -> dict[str, object]:
    """Return the recording of an answer. Raises WorkError when it does not say what the answer said."""
    try:
        recording = recording_of(platform, question, answer)
    except ValueError as fault:
        raise WorkError(f"the answer cannot be recorded: {fault}", "Nothing was written.") from fault
    parse = parser_of(answer.parser)
    asked, exchanges = read_recording(recording)
    if parse is None or facts_of(parse(asked, exchanges)) != recording["facts"]:
        raise WorkError("without who asked, the answer reads differently", "Nothing was written.")
    return recording


def say_written(path: Path, answer: EngineAnswer) -> None:
    """Say what to do with the file."""
    typer.echo(f"{path}: {answer.status}, {len(answer.text)} characters, {len(answer.citations)} sources")
    typer.echo("Read it before you hand it on. In engines/recorded/ it proves the parser.")
