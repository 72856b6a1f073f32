"""Reports of engines themselves are read as exported and shown beside the panel."""

import zipfile
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

import pytest

from measurement.errors import InvalidFile
from measurement.imports.engine_reports import read_reports
from tests.measurement.conftest import Acme, ImportAnswers

BING_DAYS = '\ufeff"Date","Citations","Cited Pages"\r\n"2/28/2026","3","2"\r\n"3/2/2026","1,204","5"\r\n'
BING_PAGES = "Page,Citations\nhttps://acme.example/shoes/,900\nhttps://acme.example/shoes,4\nhttps://acme.example/a,300\n"
BING_QUERIES = (
    'Grounding Query,Intent,Topic,Citations,Citation Share\n"best, shoes",Commercial,Shoes,42,27.24%\n'
)
GOOGLE: Mapping[str, str] = {
    "Chart.csv": "Date,Impressions\n2026-03-01,22\n2026-03-02,23\n",
    "Pages.csv": "Top pages,Impressions\nhttps://acme.example/,41\nhttps://acme.example/a,4 000\n",
    "Countries.csv": "Country,Impressions\nUnited States,40\n",
    "Filters.csv": 'Filter,Value\nDate,"Mar 1, 2026-Mar 2, 2026"\n',
}


@pytest.fixture
def stored(tmp_path: Path) -> Callable[[str, str], Path]:
    def store(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return store


def zipped(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in GOOGLE.items():
            archive.writestr(name, text)
    return path


def test_the_views_of_bings_report_are_one_report(stored: Callable[[str, str], Path]) -> None:
    report = read_reports(
        [stored("days.csv", BING_DAYS), stored("pages.csv", BING_PAGES), stored("queries.csv", BING_QUERIES)]
    )
    assert (report.vendor, report.period) == ("bing", (date(2026, 2, 28), date(2026, 3, 2)))
    assert (sum(report.days.values()), report.queries) == (1207, {"best, shoes": 42})
    assert sorted(report.pages.values()) == [300, 904]


def test_the_archive_of_search_console_is_read(tmp_path: Path) -> None:
    report = read_reports([zipped(tmp_path / "export.zip")])
    assert (report.vendor, report.period) == ("google", (date(2026, 3, 1), date(2026, 3, 2)))
    assert sorted(report.pages.values()) == [41, 4000]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Query,Clicks\nshoes,4\n", "none of these columns"),
        ("Page,Citations\nhttps://acme.example/,many\n", "another form"),
        ("Date,Citations,Cited Pages\n31.10.2026,3,2\n", "another form"),
        ("", "none of these columns"),
    ],
)
def test_a_file_that_is_no_report_is_rejected(
    text: str, said: str, stored: Callable[[str, str], Path]
) -> None:
    with pytest.raises(InvalidFile, match=said):
        read_reports([stored("x.csv", text)])


def test_files_of_two_vendors_are_rejected(stored: Callable[[str, str], Path], tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match="two vendors"):
        read_reports([stored("pages.csv", BING_PAGES), zipped(tmp_path / "export.zip")])


def test_a_report_is_compared_with_the_answers_of_its_engine(
    acme: Acme, imports: ImportAnswers, stored: Callable[[str, str], Path]
) -> None:
    answer = {"prompt": "Which shoes?", "text": "Acme.", "captured_at": "2026-03-01T12:00:00Z"}
    pages = ("https://acme.example/a?utm_source=x", "https://other.example/")
    lines = [
        {**answer, "platform": "copilot", "source_id": str(number), "citations": list(pages[: number + 1])}
        for number in range(2)
    ]
    elsewhere = {**answer, "platform": "chatgpt", "citations": ["https://acme.example/shoes"]}
    imports([*lines, elsewhere])
    files = [str(stored("pages.csv", BING_PAGES)), str(stored("days.csv", BING_DAYS))]
    compared = acme.seenby.json("reports", "compare", *files, "--brand", "Acme")
    assert (compared["vendor"], compared["reported"], compared["measurable"]) == ("bing", 1204, 2)
    assert compared["platforms"] == ["copilot"]
    assert [(page["reported"], page["answers"]) for page in compared["pages"]] == [(904, 0), (300, 2)]
    assert compared["seen"] == pytest.approx(300 / 1204)
    failed = acme.seenby("reports", "compare", files[0], "--brand", "Acme")
    assert failed.code != 0
    assert "--from" in failed.err
