"""Captured answers in files (JSON Lines or CSV, each line checked separately) and the parser `import/2`."""

import csv
import hashlib
import io
import json
from collections.abc import Generator, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Literal, Self

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    InstanceOf,
    ValidationError,
    field_validator,
    model_validator,
)

from engines.engine import EngineAnswer, LocaleField, Mode
from engines.errors import EngineError
from engines.settings import CHANNEL_PLATFORM
from engines.suppliers.placeholders import absent_by
from measurement.errors import NUL_REASON, InvalidFile, first_fault, has_nul
from measurement.extraction.answer_drafts import clip_text, draft_of_answer
from measurement.planning.locales import city_name, country_code, language_tag
from storage.repositories.answers.answers import AnswerDraft
from storage.repositories.answers.citations import StoredCitation
from storage.repositories.brands import Brand

LONGEST_LINE = 1 << 20
TOO_LONG = "the line is longer than 1 MiB"
PARSER = "import/2"
UNKNOWN_MODEL = "unknown"
"""Model of a captured answer whose model is unknown."""


def absent_by_sentence(text: str) -> Literal["blocked", "not_loaded"] | None:
    """Return why an answer is missing if the text is only a hidden sentence of Google's page, else None."""
    try:
        return "blocked" if absent_by(text) else None
    except EngineError:
        return "not_loaded"


class CapturedCitation(BaseModel):
    """One source of a captured answer; offsets are code points of the text."""

    model_config = ConfigDict(extra="forbid")

    url: Annotated[str, Field(min_length=1, max_length=8192)]
    title: str | None = None
    kind: Literal["cited", "retrieved"] = "cited"
    start: int | None = None
    end: int | None = None
    site: Annotated[str, Field(max_length=253)] | None = None
    """The host behind an address that only redirects, where the capturing system knows it."""


class CapturedAnswer(BaseModel):
    """One line of an import. An absent `citations` means not known, an empty one that nothing was cited.

    `citations_known` false means that the list of citations may be incomplete. `truncated` means that the engine
    stopped early, `clipped` that the capturing system kept only the beginning.
    """

    model_config = ConfigDict(extra="forbid")

    platform: str
    prompt: Annotated[str, Field(min_length=1, max_length=2000)]
    text: str
    captured_at: AwareDatetime
    mode: Literal["visibility", "readiness"] | None = None
    citations: list[CapturedCitation | str] | None = None
    citations_known: bool = True
    truncated: bool = False
    clipped: bool = False
    status: Literal["answered", "refused", "empty", "not_grounded", "not_shown"] | None = None
    absent_reason: Literal["none", "blocked", "no_results"] | None = None
    """Why nothing was shown, for a `not_shown` answer."""
    seen: dict[str, Any] | None = None
    """Facts that are known only because the screen was observed."""
    model: str | None = None
    country: Annotated[str, AfterValidator(country_code)] | None = None
    language: Annotated[str, AfterValidator(language_tag)] | None = None
    city: Annotated[str, AfterValidator(city_name)] | None = None
    not_supported: list[LocaleField] = Field(default_factory=list[LocaleField])
    repeat: Annotated[int, Field(ge=0)] = 0
    source_id: str | None = None
    record: dict[str, Any] | None = None

    @field_validator("platform")
    @classmethod
    def _lower_case(cls, value: str) -> str:
        folded = value.strip().casefold()
        if CHANNEL_PLATFORM.fullmatch(folded) is None:
            raise ValueError(f"must match {CHANNEL_PLATFORM.pattern}")
        return folded

    @model_validator(mode="after")
    def _no_placeholder(self) -> Self:
        """Never store a hidden sentence of Google's page as an answer, whatever system captured it.

        Its status becomes `not_shown`. Raises ValueError for the sentence of an answer that did not load.
        """
        said = absent_by_sentence(self.text)
        if said == "not_loaded":
            raise ValueError("the text is the sentence of an answer that did not load; leave the line out")
        if said is not None:
            self.text, self.status, self.absent_reason = "", "not_shown", said
        return self

    @property
    def channel_mode(self) -> str:
        """The mode that was given, else the one that the citations imply."""
        return self.mode or (Mode.VISIBILITY if self.citations is None else Mode.READINESS)

    def ask_key(self, brand: Brand, occurrence: int = 1) -> str:
        """Return the key that identifies a captured answer of a brand; a second one with this key is a duplicate.

        `occurrence` counts equal lines of one file: an engine that gives an answer twice has given two answers.
        """
        distinguishing = {
            "repeat": self.repeat,
            "city": self.city,
            "language": self.language,
            "model": self.model,
            "status": self.status,
            "occurrence": occurrence - 1,
        }
        parts = (
            brand.id,
            self.platform,
            self.channel_mode,
            self.prompt,
            self.text,
            self.captured_at.astimezone(UTC).isoformat(),
            self.source_id,
            *((self.country,) if self.country else ()),
            *((name, value) for name, value in distinguishing.items() if value),
        )
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


class SeenAnswer(CapturedAnswer):
    """One answer of a supplier's body, as the parser of that supplier reads it."""

    answer: InstanceOf[EngineAnswer]


REQUIRED = tuple(name for name, field in CapturedAnswer.model_fields.items() if field.is_required())
COLUMNS = tuple(name for name in CapturedAnswer.model_fields if name not in ("record", "seen"))


def lines_of(path: Path, now: datetime) -> Iterator[tuple[int, CapturedAnswer | str]]:
    """Read a file line by line, and yield a captured answer or the reason why a line is invalid.

    A name that ends in `.csv` is read as CSV, any other as JSON Lines. Raises InvalidFile when the file
    cannot be read at all.
    """
    read = csv_lines if path.suffix.lower() == ".csv" else json_lines
    try:
        with path.open("rb") as file:
            for number, outcome in read(file, path.name):
                if isinstance(outcome, CapturedAnswer) and outcome.captured_at > now:
                    yield number, "captured_at: lies in the future"
                else:
                    yield number, outcome
    except OSError as error:
        raise InvalidFile(str(path), None, f"it cannot be read ({error.strerror})") from error


def json_lines(file: BinaryIO, name: str) -> Generator[tuple[int, CapturedAnswer | str]]:
    """Read JSON Lines; a line that is too long is skipped without being held in memory."""
    for number, line in enumerate(bounded_lines(file), start=1):
        if line.strip():
            yield number, parsed(line)


def bounded_lines(file: BinaryIO) -> Generator[bytes]:
    """Yield each line, or the beginning of a line that is too long."""
    while line := file.readline(LONGEST_LINE + 1):
        rest = line
        while len(rest) > LONGEST_LINE and not rest.endswith(b"\n"):
            rest = file.readline(LONGEST_LINE + 1)
        yield line


def parsed(line: bytes) -> CapturedAnswer | str:
    """Parse one line of JSON; the reason for an invalid line names the field, never its value."""
    if len(line) > LONGEST_LINE:
        return TOO_LONG
    if has_nul(line):
        return NUL_REASON
    try:
        return CapturedAnswer.model_validate_json(line)
    except ValidationError as error:
        return first_fault(error)


def csv_lines(file: BinaryIO, name: str) -> Generator[tuple[int, CapturedAnswer | str]]:
    """Read CSV rows below a header line (RFC 4180, UTF-8); the number is the row's last line.

    An empty cell means not set, except in `text`. Raises InvalidFile when the columns are not those of an
    answer or the file is not UTF-8.
    """
    csv.field_size_limit(LONGEST_LINE)
    rows = csv.reader(io.TextIOWrapper(file, encoding="utf-8-sig", newline=""), strict=True)
    try:
        header = [column.strip() for column in next(rows, list[str]())]
        check_columns(header, name)
        for row in rows:
            if row:
                yield rows.line_num, row_of(header, row)
    except UnicodeDecodeError as error:
        raise InvalidFile(name, rows.line_num + 1, "it is not UTF-8") from error
    except csv.Error as error:
        reason = TOO_LONG if "field larger" in str(error) else f"it is not CSV ({error})"
        raise InvalidFile(name, rows.line_num, reason) from error


def check_columns(header: Iterable[str], name: str) -> None:
    """Raise InvalidFile unless all columns are known, none is repeated, and no required one is missing."""
    columns = list(header)
    faults = [f"{column}: unknown column" for column in columns if column not in COLUMNS]
    faults += [
        f"{column}: the column is there twice" for column in sorted(set(columns)) if columns.count(column) > 1
    ]
    faults += [f"{column}: the column is missing" for column in REQUIRED if column not in columns]
    if faults:
        raise InvalidFile(name, 1, "; ".join(faults))


def row_of(header: list[str], row: list[str]) -> CapturedAnswer | str:
    """Parse one row; the reason for an invalid row names the column, never its value."""
    if len(row) != len(header):
        return f"it has {len(row)} cells where there are {len(header)} columns"
    if any("\0" in cell for cell in row):
        return NUL_REASON
    cells: dict[str, Any] = {
        column: cell for column, cell in zip(header, row, strict=True) if cell or column == "text"
    }
    if "citations" in cells:
        cited = citations_of(cells["citations"])
        if cited is None:
            return "citations: give addresses separated by spaces or lines, or a list in JSON"
        cells["citations"] = cited
    try:
        return CapturedAnswer.model_validate_json(json.dumps(cells))
    except ValidationError as error:
        return first_fault(error)


def citations_of(cell: str) -> list[Any] | None:
    """Return the sources in a cell: a JSON list, or addresses separated by whitespace. None if it is neither."""
    if not cell.lstrip().startswith("["):
        return cell.split()
    try:
        elements: object = json.loads(cell)
    except ValueError:
        return None
    return list(elements) if isinstance(elements, list) else None  # pyright: ignore[reportUnknownArgumentType] # checked by the model


def draft_of(line: CapturedAnswer) -> AnswerDraft:
    """Return a captured answer as it is stored.

    The raw exchange is the line itself or, for an answer from a data provider, the provider's response body.
    """
    if isinstance(line, SeenAnswer):
        mode = Mode(line.channel_mode)
        return draft_of_answer(
            line.answer,
            mode,
            citations_known=mode is Mode.READINESS,
            language=line.language,
            city=line.city,
            now=line.captured_at.astimezone(UTC),
            source_id=line.source_id,
        )
    text, clipped = clip_text(line.text)
    grounded = line.channel_mode == Mode.READINESS
    status = line.status or ("answered" if line.text.strip() else "empty")
    raw = line.model_dump_json(exclude_none=True)
    return AnswerDraft(
        status=status,
        valid=status == "answered" and not line.truncated,
        text=text,
        retrieval="searched" if grounded and status != "not_grounded" else "not_requested",
        citations_known=line.citations is not None and line.citations_known,
        citations=tuple(stored_citation(source, text) for source in line.citations or ()),
        truncated=line.truncated,
        clipped=clipped or line.clipped,
        language=line.language,
        city=line.city,
        not_supported=tuple(line.not_supported),
        requested_model=line.model or UNKNOWN_MODEL,
        served_model=line.model,
        latency_ms=0,
        attempts=0,
        usage={},
        parser=PARSER,
        raw_sha256=hashlib.sha256(raw.encode()).hexdigest(),
        exchanges=[{"line": raw}],
        captured_at=line.captured_at.astimezone(UTC),
        source_id=line.source_id,
        absent_reason=line.absent_reason,
        seen=line.seen,
    )


def stored_citation(source: CapturedCitation | str, text: str) -> StoredCitation:
    """Return a captured source, without offsets that lie outside the text."""
    if isinstance(source, str):
        return StoredCitation(source, None, "cited", None, None, None)
    start, end = source.start, source.end
    if start is None or end is None or not 0 <= start < end <= len(text):
        start = end = None
    return StoredCitation(source.url, source.title, source.kind, start, end, None, source.site)
