"""The words of the house: one class for each name, decisions in a row, and features where a newcomer looks."""

import ast
import re
from collections import defaultdict
from pathlib import Path

from tests.test_packaging import PACKAGES, ROOT

CONTRIBUTING = ROOT / "CONTRIBUTING.md"
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))


def duplicate_classes(root: Path, packages: list[str]) -> dict[str, list[str]]:
    """The class names that several modules of the packages define, with those modules."""
    places: dict[str, list[str]] = defaultdict(list)
    for package in packages:
        for path in sorted((root / package).rglob("*.py")):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef):
                    places[node.name].append(path.relative_to(root).as_posix())
    return {name: modules for name, modules in places.items() if len(modules) > 1}


def test_every_class_name_stands_once_in_the_house() -> None:
    assert duplicate_classes(ROOT, PACKAGES) == {}


def test_a_class_name_that_is_added_a_second_time_is_listed(tmp_path: Path) -> None:
    for package in ("tools", "web"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "answers.py").write_text("class Answer:\n    pass\n", encoding="utf-8")
    assert duplicate_classes(tmp_path, ["tools", "web"]) == {"Answer": ["tools/answers.py", "web/answers.py"]}


def test_decisions_are_numbered_without_holes_with_status_and_date() -> None:
    assert [path.name[:4] for path in DECISIONS] == [f"{n:04d}" for n in range(1, len(DECISIONS) + 1)]
    for number, path in enumerate(DECISIONS, 1):
        text = path.read_text(encoding="utf-8")
        assert text.startswith(f"# {number}. "), path.name
        assert re.search(r"^Status: (accepted|superseded by \d+)\. Date: \d{4}-\d\d-\d\d\.$", text, re.M), (
            path.name
        )
        headings = re.findall(r"^## (.+)$", text, re.M)
        assert headings == ["Context", "Decision", "Consequences", "Alternatives", "References"], path.name


def test_every_file_of_the_table_of_features_exists() -> None:
    table = CONTRIBUTING.read_text(encoding="utf-8").partition("## Where is it?")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| `([^`]+)` \|$", table, re.M)
    assert len(rows) >= 15
    assert [(feature, path) for feature, path in rows if not (ROOT / path).is_file()] == []


def test_a_newcomer_is_led_to_pages_and_notifications() -> None:
    table = CONTRIBUTING.read_text(encoding="utf-8").partition("## Where is it?")[2].partition("\n## ")[0]
    features = set(re.findall(r"^\| ([^|]+) \| `", table, re.M))
    assert {"brand page", "answer page", "prompt page", "issues page", "mention alerts"} <= features
    assert sum("notification" in feature and "raised" in feature for feature in features) >= 2


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
