"""Reports of engines themselves about citations of a site: Bing Webmaster Tools and Google Search Console.

Neither vendor documents the columns of its export. Those below are the ones of exports that site owners have published
in 2026, and a file with other columns is rejected. Bing's AI Performance report has one CSV for each view:
`AIPerformanceOverviewStats` (Date, Citations, Cited Pages), `AIPageStatsReport` (Page, Citations) and
`AISearchQueriesReport` (Grounding Query, Intent, Topic, Citations, Citation Share; Query and Citations in its first
months). Search Console's generative AI report is a ZIP with Chart.csv or Dates.csv (Date, Impressions), Pages.csv (Top
pages, Impressions), Countries.csv, Devices.csv and Filters.csv. What they count is documented: Bing counts the answers
that visibly cite a page, Google the answers in which a URL appears anywhere, which need not be seen.
"""

import csv
import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Literal

from analytics.answers.citations import normalize_url
from measurement.errors import InvalidFile

Vendor = Literal["bing", "google"]
View = Literal["days", "pages", "queries"]
COLUMNS: Mapping[tuple[str, ...], tuple[Vendor, View]] = {
    ("Date", "Citations", "Cited Pages"): ("bing", "days"),
    ("Date", "Citations"): ("bing", "days"),
    ("Page", "Citations"): ("bing", "pages"),
    ("Grounding Query", "Intent", "Topic", "Citations", "Citation Share"): ("bing", "queries"),
    ("Grounding Query", "Citations"): ("bing", "queries"),
    ("Date", "Impressions"): ("google", "days"),
    ("Top pages", "Impressions"): ("google", "pages"),
}
COUNTED = ("Citations", "Impressions")
LARGEST = 64 * 1024 * 1024
"""Size limit of an unpacked file, in bytes."""
WHOLE = re.compile(r"\d{1,3}(?:[.,'\s]?\d{3})*")
AMERICAN = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})(?: .*)?")


@dataclass(frozen=True, slots=True)
class EngineReport:
    """Counts of one vendor: citations (Bing) or impressions (Google), by day, page and search query."""

    vendor: Vendor
    days: Mapping[date, int] = field(default_factory=dict[date, int])
    pages: Mapping[str, int] = field(default_factory=dict[str, int])
    """By the normal form of the page's URL."""
    queries: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def period(self) -> tuple[date, date] | None:
        """The first and the last day; None if no file has days."""
        return (min(self.days), max(self.days)) if self.days else None


def read_reports(paths: Iterable[Path]) -> EngineReport:
    """Read the files of one report, CSV or ZIP. Raises InvalidFile for another file or for files of two vendors."""
    vendors: set[Vendor] = set()
    counts: dict[View, Counter[str]] = {"days": Counter(), "pages": Counter(), "queries": Counter()}
    for path in paths:
        known = [table for name, text in tables_of(path) if (table := _table(name, text)) is not None]
        if not known:
            raise InvalidFile(
                path.name, None, f"it has none of these columns: {'; '.join(map(', '.join, COLUMNS))}"
            )
        for vendor, view, counted in known:
            vendors.add(vendor)
            counts[view].update(counted)
    if len(vendors) != 1:
        raise InvalidFile(
            ", ".join(path.name for path in paths), None, "the files are of two vendors; give one's"
        )
    return EngineReport(
        vendors.pop(),
        {date.fromisoformat(day): count for day, count in sorted(counts["days"].items())},
        counts["pages"],
        counts["queries"],
    )


def tables_of(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and text of a CSV file, or of each in a ZIP. Raises InvalidFile."""
    try:
        if not zipfile.is_zipfile(path):
            yield path.name, _decoded(path.name, path.read_bytes())
            return
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                if member.filename.lower().endswith(".csv") and member.file_size <= LARGEST:
                    yield member.filename, _decoded(member.filename, archive.read(member))
    except (OSError, zipfile.BadZipFile, RuntimeError) as error:
        raise InvalidFile(path.name, None, "it cannot be read") from error


def _decoded(name: str, raw: bytes) -> str:
    try:
        return raw[:LARGEST].decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidFile(name, None, "it is not UTF-8") from error


def _table(name: str, text: str) -> tuple[Vendor, View, Counter[str]] | None:
    """Return what a CSV counts; None for one with other columns. Raises InvalidFile for a value of another form."""
    rows = csv.reader(io.StringIO(text, newline=""))
    try:
        header = tuple(cell.strip() for cell in next(rows, list[str]()))
        if header not in COLUMNS:
            return None
        vendor, view = COLUMNS[header]
        at = next(index for index, column in enumerate(header) if column in COUNTED)
        counted: Counter[str] = Counter()
        for row in rows:
            if row:
                counted[_key(view, row)] += _count(row[at])
    except (csv.Error, ValueError, IndexError) as error:
        raise InvalidFile(name, rows.line_num, "it has a date or count of another form") from error
    return vendor, view, counted


def _key(view: View, row: Sequence[str]) -> str:
    if view == "pages":
        return normalize_url(row[0].strip())
    return _day(row[0].strip()).isoformat() if view == "days" else row[0].strip()


def _day(text: str) -> date:
    """Parse a date, ISO 8601 or as Bing writes it: month, day and year. Raises ValueError."""
    american = AMERICAN.fullmatch(text)
    if american is None:
        return date.fromisoformat(text[:10])
    month, day, year = map(int, american.groups())
    return date(year, month, day)


def _count(text: str) -> int:
    """Parse a whole number with any thousands separator. Raises ValueError."""
    if WHOLE.fullmatch(text.strip()) is None:
        raise ValueError("not a whole number")
    return int(re.sub(r"\D", "", text))
