"""Files of a supplier's own bodies, read by the parsers that read what it is asked for."""

import gzip
import hashlib
import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import cast

from pydantic import ValidationError

from engines.engine import EngineAnswer, Exchange, Mode, Question
from engines.errors import EngineError
from engines.suppliers import brightdata, cloro, dataforseo_answers, serpapi
from engines.suppliers.sighting import Sighting, utc_time
from engines.transport import body
from engines.transport.body import JsonObject
from measurement.errors import InvalidFile, first_fault
from measurement.extraction.captured_lines import CapturedAnswer, SeenAnswer

LARGEST = 256 * 1024 * 1024
"""Bytes of a file, unpacked."""
GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class SupplierFormat:
    """How the bodies of one supplier are read."""

    bodies: Callable[[JsonObject], list[JsonObject]]
    read: Callable[[JsonObject, JsonObject], Sighting]
    parse: Callable[[Question, list[Exchange]], EngineAnswer]


def format_of(module: ModuleType) -> SupplierFormat:
    """Return the reading functions of a supplier's module."""
    return SupplierFormat(module.bodies, module.read, module.parse)


FORMATS: Mapping[str, SupplierFormat] = {
    name: format_of(module)
    for name, module in (
        ("dataforseo", dataforseo_answers),
        ("cloro", cloro),
        ("brightdata", brightdata),
        ("serpapi", serpapi),
    )
}


def reader_of(supplier: str) -> Callable[[Path, datetime], Iterator[tuple[int, CapturedAnswer | str]]]:
    """Return what reads a supplier's files as `lines_of` reads those of captured answers."""

    def read(path: Path, now: datetime) -> Iterator[tuple[int, CapturedAnswer | str]]:
        for number, element in enumerate(elements_of(path), start=1):
            for outcome in answers_in(element, supplier):
                if isinstance(outcome, CapturedAnswer) and outcome.captured_at > now:
                    yield number, "the body says that it was observed in the future"
                else:
                    yield number, outcome

    return read


def elements_of(path: Path) -> Iterator[object]:
    """Yield the bodies of a file: one JSON document, a list of them, or one on each line; gzip or plain.

    Raises InvalidFile for what cannot be read at all.
    """
    try:
        with path.open("rb") as file:
            packed = file.read(2) == GZIP
        with gzip.open(path) if packed else path.open("rb") as content:
            raw = content.read(LARGEST + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidFile(str(path), None, "it cannot be read") from error
    if len(raw) > LARGEST:
        raise InvalidFile(path.name, None, "it is larger than 256 MiB")
    try:
        document: object = json.loads(raw)
    except (ValueError, RecursionError):
        yield from documents_in(raw, path.name)
        return
    yield from cast("list[object]", document) if isinstance(document, list) else [document]


def documents_in(raw: bytes, name: str) -> Iterator[object]:
    """Yield the documents of a file that has one on each line. Raises InvalidFile where a line is none."""
    for number, line in enumerate(raw.splitlines(), start=1):
        if line.strip():
            try:
                yield json.loads(line)
            except (ValueError, RecursionError) as error:
                raise InvalidFile(name, number, "it is no JSON") from error


def answers_in(element: object, supplier: str) -> Iterator[CapturedAnswer | str]:
    """Yield what one body says, or why it says nothing; a body may hold several tasks.

    A body may stand in `{"request": ..., "body": ..., "observed_at": ...}` where it does not repeat its question.
    """
    reading = FORMATS[supplier]
    if not isinstance(element, dict):
        yield "it is not an object"
        return
    document = cast(JsonObject, element)
    if body.is_deep(document):
        yield f"it is nested deeper than {body.DEEPEST} levels"
        return
    try:
        inner = body.child(document, "body")
        request = (body.child(document, "request") or {}) if inner else {}
        observed = utc_time(body.string(document, "observed_at")) if inner else None
        parts = reading.bodies(inner or document)
    except EngineError as error:
        yield reason_of(error)
        return
    for part in parts:
        yield seen_answer(part, request, observed, supplier, reading)


def seen_answer(
    part: JsonObject, request: JsonObject, observed: datetime | None, supplier: str, reading: SupplierFormat
) -> CapturedAnswer | str:
    """Return the answer of one body, or the reason why it holds none."""
    try:
        sighting = reading.read(part, request)
        moment = sighting.observed_at or observed
        if not sighting.prompt:
            return "the body does not repeat its question; put the request beside it"
        if moment is None:
            return "the body does not say when it was observed; put observed_at beside it"
        exchange = exchange_of(part, request, supplier, moment.astimezone(UTC))
        question = Question(sighting.prompt, Mode.READINESS, exchange.raw_sha256)
        answer = reading.parse(question, [exchange])
        return SeenAnswer(
            platform=sighting.platform,
            prompt=sighting.prompt,
            text=answer.text,
            captured_at=moment,
            mode="readiness",
            status=answer.status,
            absent_reason=sighting.absent_reason,
            model=sighting.model,
            country=sighting.locale_sent.get("country"),
            language=sighting.locale_sent.get("language"),
            city=sighting.locale_sent.get("city"),
            source_id=sighting.task_id,
            answer=answer,
        )
    except EngineError as error:
        return reason_of(error)
    except ValidationError as error:
        return first_fault(error)
    except ValueError:
        return "the question is empty"


def exchange_of(part: JsonObject, request: JsonObject, supplier: str, moment: datetime) -> Exchange:
    """Return a body as an exchange that today's parsers and later ones read."""
    raw = body.encode(part)
    return Exchange(
        sent_at=moment,
        url=f"import:{supplier}",
        request_body=body.encode(request),
        status=200,
        headers={},
        body=raw,
        received_at=moment,
        raw_sha256=hashlib.sha256(raw).hexdigest(),
    )


def reason_of(error: EngineError) -> str:
    """Say why a body holds no answer; our words, and of shapes what is missing."""
    return f"{error.code.value}: {error.message}" + (f" ({error.detail})" if error.detail else "")
