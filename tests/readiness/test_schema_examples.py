"""schema.org's own examples, read as a scan reads pages; the file is not ours and is looked for in the user's cache."""

import re
from pathlib import Path

import pytest

from readiness.reading.page_reader import read_page

FILE = Path.home() / ".cache" / "seenby-tests" / "schemaorg-all-examples.txt"
WANTED = frozenset(
    ("AutoDealer", "AutoRepair", "Vehicle", "Car", "MotorcycleDealer", "Offer", "AggregateOffer")
)
SECTION = re.compile(r"^(TYPES|PRE-MARKUP|MICRODATA|RDFA|JSON):", re.MULTILINE)
JSON_TYPE = re.compile(r'"@type"\s*:\s*"(?:https?://schema\.org/)?(\w+)"')
ITEM_TYPE = re.compile(r'itemtype\s*=\s*"https?://schema\.org/(\w+)"')


def sections() -> list[tuple[str, str, str]]:
    """Every JSON-LD and microdata example as (identifier, section, text)."""
    if not FILE.exists():
        pytest.skip(f"schema.org publishes schemaorg-all-examples.txt with each release; it is not at {FILE}")
    parts = SECTION.split(FILE.read_text(encoding="utf-8"))[1:]
    examples: list[tuple[str, str, str]] = []
    example = ""
    for kind, text in zip(parts[::2], parts[1::2], strict=True):
        if kind == "TYPES":
            example = text.split()[0]
        elif kind in ("JSON", "MICRODATA"):
            examples.append((example, kind, text))
    return examples


def test_the_vehicles_and_offers_of_schema_org_are_recognised() -> None:
    """In release 30 no example is of an AutoDealer or AutoRepair; the synthetic sites of the other tests are."""
    seen: set[str] = set()
    examples = 0
    for example, kind, text in sections():
        named = set((JSON_TYPE if kind == "JSON" else ITEM_TYPE).findall(text)) & WANTED
        if not named:
            continue
        bare = kind == "JSON" and "<script" not in text
        html = f'<script type="application/ld+json">{text}</script>' if bare else text
        page = read_page(html.encode(), "text/html", "https://example.com/")
        assert named <= {name for node in page.nodes for name in node.types}, (example, kind)
        seen |= named
        examples += 1
    assert examples > 80
    assert {"Vehicle", "Car", "Offer", "AggregateOffer"} <= seen
