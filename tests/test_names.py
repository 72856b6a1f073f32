"""Names and wording: unique classes in a package, short test names, numbered decisions, and plain product English."""

import ast
import io
import re
import tokenize
from collections import defaultdict
from pathlib import Path

import pytest

from tests.test_packaging import PACKAGES, ROOT

DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
LONGEST_TEST_NAME = 70
GUIDE = ROOT / "web" / "help" / "guide"
DOCUMENTS = (
    *(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG", "SECURITY")),
    *sorted(GUIDE.glob("*.md")),
)
SAMPLE_SITE = ROOT / "server" / "demo" / "sample_site"
PAGES = [
    path
    for package in PACKAGES
    for ending in ("*.html", "*.js")
    for path in sorted((ROOT / package).rglob(ending))
    if not path.is_relative_to(SAMPLE_SITE)
]
ODD_WORDS = re.compile(
    r"\b(told|anew|whoever|somebody|nobody|mend(s|ed|ing)?|put away|laid out|taken? along|of (ours|yours)|rivals?|desk"
    r"|line of business|go on reading|by itself|refus(e|es|ed|al|als)|sightings?|what stands|stands? (in|on|for|behind)"
    r"|a look at)\b",
    re.IGNORECASE,
)
SCREEN_WORDS = re.compile(
    r"\b(questions?|everybody|anybody|asked again|all such|as it was received|read wrongly|said to be absent"
    r"|left out|put beside|names? us|what (came of it|is counted|was counted|is meant by)|ticked|prober|lacking"
    r"|gravest|which brand do you want)\b",
    re.IGNORECASE,
)
"""Words that people do not read on screens and in mails: one vocabulary, of prompts, competitors and mentions."""
SCREEN_WORDS_ALLOWED = {
    "web/automation/monitors.html": {"questions"},  # what a monitor answers
    "web/content/import.html": {"questions"},  # frequently asked questions
    "web/readiness/bot.html": {"questions"},  # to the operator
    "oauth/templates/consent.html": {"question"},
}
"""Screens on which such a word has its ordinary meaning."""
SPACED_PERCENT = re.compile(r'(?:[\d}"]|^)\s%(?![\w}])')
"""A percent sign after a space that follows a number, a placeholder or the start of a string."""
ODD_WORDS_ALLOWED = {
    "readiness/checks/bots.py": {"refused"},  # a published rule: other words need a new model version
    "web/charts/time_chart.py": {"rival"},  # CSS classes
}
"""Words that stay, by file: each is a stored or matched value, not a sentence of ours."""


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


def odd_words(text: str) -> list[str]:
    """Return the odd words of a text outside of code, placeholders and quoted stored values."""
    prose = re.sub(r"```.*?```|`[^`]*`|'\w+'|\{[^{}]*\}", "", text, flags=re.DOTALL)
    return [match[0].lower() for match in ODD_WORDS.finditer(prose)]


def script_texts(script: str) -> list[str]:
    """Return the comments of a script and its string literals of several words."""
    strings = re.findall(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`', script)
    literals = [re.sub(r"\$\{[^{}]*\}", "", double or template) for double, template in strings]
    comments = re.findall(r"/\*.*?\*/|(?<!:)//[^\n]*", script, re.DOTALL)
    return [*(text for text in literals if " " in text), *comments]


def template_texts(template: str) -> list[str]:
    """Return what a template shows: its text, labels and titles, literals in expressions, and its scripts."""
    scripts = re.findall(r"<script[^>]*>(.*?)</script>", template, re.DOTALL)
    markup = re.sub(r"<(script|style)\b.*?</\1>", "", template, flags=re.DOTALL)
    expressions = re.findall(r"\{\{.*?\}\}|\{%.*?%\}", markup, re.DOTALL)
    literals = [text for found in expressions for text in re.findall(r'"([^"]*)"', found) if " " in text]
    plain = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "", markup, flags=re.DOTALL)
    attributes = re.findall(r'(?:aria-label|title|alt|placeholder|content|data-label)="([^"]*)"', plain)
    visible = re.sub(r"<[^>]*>", " ", plain)
    return [visible, *attributes, *literals, *(text for script in scripts for text in script_texts(script))]


def python_texts(source: str) -> list[tuple[int, str]]:
    """Return the docstrings, comments and string literals of several words of a module, with their lines."""
    texts = [
        (token.start[0], token.string)
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    ]
    return texts + [
        (node.lineno, node.value)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
    ]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_documents_are_written_in_plain_product_english(document: Path) -> None:
    assert odd_words(document.read_text(encoding="utf-8")) == []


def test_pages_and_scripts_are_written_in_plain_product_english() -> None:
    found: list[str] = []
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        texts = template_texts(text) if path.suffix == ".html" else script_texts(text)
        found += [f"{path.relative_to(ROOT)}: {word}" for part in texts for word in odd_words(part)]
    assert found == []


def displayed_strings(source: str) -> list[str]:
    """Return the string literals of several words of a module that are not docstrings."""
    tree = ast.parse(source)
    blocks = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    described = {
        id(statement.value) for block in blocks for statement in block.body if isinstance(statement, ast.Expr)
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and " " in node.value
        and id(node) not in described
    ]


def strings_of_screens_and_mails() -> dict[str, list[str]]:
    """Return the string literals that pages and mails may show, by module."""
    modules = [*sorted((ROOT / "web").rglob("*.py")), *sorted((ROOT / "workflows" / "mail").rglob("*.py"))]
    return {
        path.relative_to(ROOT).as_posix(): displayed_strings(path.read_text(encoding="utf-8"))
        for path in modules
    }


def test_screens_and_mails_have_one_vocabulary() -> None:
    texts = {
        path.relative_to(ROOT).as_posix(): template_texts(text)
        if path.suffix == ".html"
        else script_texts(text)
        for path in PAGES
        for text in [path.read_text(encoding="utf-8")]
    } | strings_of_screens_and_mails()
    found = [
        f"{name}: {match[0]}: {' '.join(text[max(0, match.start() - 40) : match.end() + 40].split())}"
        for name, shown in texts.items()
        for text in shown
        for match in SCREEN_WORDS.finditer(text)
        if match[0].lower() not in SCREEN_WORDS_ALLOWED.get(name, set())
    ]
    assert found == []


def test_percent_signs_follow_their_number_without_a_space() -> None:
    texts = {str(path): [path.read_text(encoding="utf-8")] for path in (*PAGES, *DOCUMENTS)}
    texts |= strings_of_screens_and_mails()
    found = {
        name: match[0]
        for name, shown in texts.items()
        for match in map(SPACED_PERCENT.search, shown)
        if match
    }
    assert found == {}


@pytest.mark.parametrize("text", ["62 %.", "62\N{NO-BREAK SPACE}%", "{{ share }} %", " % of them", '+ " %"'])
def test_a_space_before_a_percent_sign_is_found(text: str) -> None:
    assert SPACED_PERCENT.search(text)
    assert not SPACED_PERCENT.search(text.replace(" %", "%").replace("\N{NO-BREAK SPACE}", ""))


def test_other_vocabulary_is_found_in_displayed_text_only() -> None:
    module = '"""One question."""\nASKED = "as question"\nNAME = "question"\n\ndef show():\n    "Whose question?"\n'
    assert [text for text in displayed_strings(module) if SCREEN_WORDS.search(text)] == ["as question"]


@pytest.mark.parametrize("package", PACKAGES)
def test_modules_are_written_in_plain_product_english(package: str) -> None:
    found: list[str] = []
    for path in sorted((ROOT / package).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        allowed = ODD_WORDS_ALLOWED.get(name, set())
        for line, text in python_texts(path.read_text(encoding="utf-8")):
            found += [f"{name}:{line}: {word}" for word in odd_words(text) if word not in allowed]
    assert found == []


def test_allowed_odd_words_are_still_there() -> None:
    for name, words in ODD_WORDS_ALLOWED.items():
        texts = python_texts((ROOT / name).read_text(encoding="utf-8"))
        assert words <= {word for _, text in texts for word in odd_words(text)}, name


def test_odd_words_are_found_in_sentences_only() -> None:
    module = '"""Told here."""\nSTATE = "refused"\nROW = "state IN (\'refused\')"  # anew\nSAID = f"for {told} nobody"\n'
    assert [(line, odd_words(text)) for line, text in sorted(python_texts(module)) if odd_words(text)] == [
        (1, ["told"]),
        (3, ["anew"]),
        (4, ["nobody"]),
    ]
    page = '<p class="rival" title="A rival">{{ rival.name }} {{ "by itself" if told }}</p><script>// anew\n</script>'
    assert [word for text in template_texts(page) for word in odd_words(text)] == [
        "rival",
        "by itself",
        "anew",
    ]
