"""Import of a data provider's own response bodies, read by the same parsers as its live responses."""

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

from engines.engine import EngineAnswer, Exchange, Question
from engines.errors import EngineError
from engines.suppliers import brightdata, cloro, dataforseo_answers, serpapi
from engines.suppliers.sighting import Sighting, utc_time
from engines.transport import body
from engines.transport.body import JsonObject
from measurement.errors import InvalidFile, first_fault
from measurement.extraction.captured_lines import CapturedAnswer, SeenAnswer

LARGEST = 256 * 1024 * 1024
"""Size limit of an unpacked file, in bytes."""
GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class SupplierFormat:
    """Functions that read the response bodies of one data provider."""

    bodies: Callable[[JsonObject], list[JsonObject]]
    read: Callable[[JsonObject, JsonObject], Sighting]
    parse: Callable[[Question, list[Exchange]], EngineAnswer]


def format_of(module: ModuleType) -> SupplierFormat:
    """Return the reading functions of a data provider's module."""
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
    """Return a reader for a data provider's files, with the interface that `lines_of` has for captured answers."""

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

    Raises InvalidFile when the file cannot be read at all.
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
    """Yield the documents of a file with one document per line. Raises InvalidFile for an invalid line."""
    for number, line in enumerate(raw.splitlines(), start=1):
        if line.strip():
            try:
                yield json.loads(line)
            except (ValueError, RecursionError) as error:
                raise InvalidFile(name, number, "it is no JSON") from error


def answers_in(element: object, supplier: str) -> Iterator[CapturedAnswer | str]:
    """Yield the answers of one body, or why it has none; a body may hold several tasks.

    A body that does not repeat its question may be wrapped in `{"request": ..., "body": ..., "observed_at":
    ...}`.
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
        question = Question(sighting.prompt, sighting.mode, exchange.raw_sha256)
        answer = reading.parse(question, [exchange])
        return SeenAnswer(
            platform=sighting.platform,
            prompt=sighting.prompt,
            text=answer.text,
            captured_at=moment,
            mode=sighting.mode.value,
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
    """Return a body as an exchange that current and future parsers can read."""
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
    """Return why a body holds no answer, in our own words; for an unexpected shape, also what is missing."""
    return f"{error.code.value}: {error.message}" + (f" ({error.detail})" if error.detail else "")
