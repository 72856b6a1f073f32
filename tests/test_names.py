"""Names and wording: unique classes in a package, short test names, numbered decisions, and plain product English."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

from tests.test_packaging import PACKAGES, ROOT

DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
LONGEST_TEST_NAME = 70
GUIDE = ROOT / "web" / "help" / "guide"
REWORDED = (
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *(
        GUIDE / f"{name}.md"
        for name in ("README", "quick-start", "marketers", "concepts", "analysts", "readiness")
    ),
)
"""Documents that are written in plain product English already; the others follow."""
ODD_WORDS = re.compile(
    r"\b(told|anew|whoever|somebody|nobody|mend(s|ed|ing)?|put away|laid out|taken? along|of (ours|yours)|rivals?|desk"
    r"|line of business|go on reading|by itself|refus(e|es|ed|al|als)|sightings?|what stands|stands? (in|on|for|behind))\b",
    re.IGNORECASE,
)


def duplicate_classes(package: Path) -> dict[str, list[str]]:
    """The class names that several modules of one package define, with those modules."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted(package.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(path.relative_to(package).as_posix())
    return {name: modules for name, modules in places.items() if len(modules) > 1}


@pytest.mark.parametrize("package", PACKAGES)
def test_class_names_are_unique_within_a_package(package: str) -> None:
    assert duplicate_classes(ROOT / package) == {}


def test_a_second_class_of_the_same_name_is_found(tmp_path: Path) -> None:
    for module in ("answers.py", "pages.py"):
        (tmp_path / module).write_text("class Answer:\n    pass\n", encoding="utf-8")
    assert duplicate_classes(tmp_path) == {"Answer": ["answers.py", "pages.py"]}


def test_names_of_tests_are_short_enough_to_read() -> None:
    long = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and len(node.name) > LONGEST_TEST_NAME
    ]
    assert long == []


def test_decisions_are_numbered_without_gaps_with_status_and_date() -> None:
    assert [path.name[:4] for path in DECISIONS] == [f"{n:04d}" for n in range(1, len(DECISIONS) + 1)]
    for number, path in enumerate(DECISIONS, 1):
        text = path.read_text(encoding="utf-8")
        assert text.startswith(f"# {number}. "), path.name
        assert re.search(r"^Status: (accepted|superseded by \d+)\. Date: \d{4}-\d\d-\d\d\.$", text, re.M), (
            path.name
        )
        headings = re.findall(r"^## (.+)$", text, re.M)
        assert headings == ["Context", "Decision", "Consequences", "Alternatives", "References"], path.name


def test_decisions_name_files_and_decisions_that_exist() -> None:
    missing: list[tuple[str, str]] = []
    for path in DECISIONS:
        text = path.read_text(encoding="utf-8")
        places = [ROOT / name for name in re.findall(r"`([\w-]+/[\w./-]+\.py)`", text)]
        places += [path.parent / name for name in re.findall(r"\]\((\d{4}-[\w-]+\.md)\)", text)]
        missing += [(path.name, str(place)) for place in places if not place.is_file()]
        for number, name in re.findall(r"\[(\d+)\]\((\d{4})-[\w-]+\.md\)", text):
            assert int(number) == int(name), path.name
    assert missing == []


@pytest.mark.parametrize("document", REWORDED, ids=lambda path: path.name)
def test_documents_are_written_in_plain_product_english(document: Path) -> None:
    text = re.sub(r"```.*?```|`[^`]*`", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert [match[0] for match in ODD_WORDS.finditer(text)] == []
