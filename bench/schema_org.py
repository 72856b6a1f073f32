"""Write the vocabulary that readiness reads markup by, from a release of schema.org.

`python -m bench.schema_org schemaorg-all-https.jsonld 30.0 2026-03-19`; releases are in data/releases of
https://github.com/schemaorg/schemaorg (Apache 2.0).
"""

import json
import sys
from pathlib import Path
from typing import Any, cast

from readiness.reading.schema_org import FILE

PREFIX = "schema:"


def names_of(entry: dict[str, Any], key: str) -> list[str]:
    """The schema.org names that an entry refers to under a key, sorted."""
    value = entry.get(key, [])
    listed = cast(list[Any], value) if isinstance(value, list) else [value]
    found: list[str] = [item["@id"] if isinstance(item, dict) else item for item in listed]
    return sorted(name.removeprefix(PREFIX) for name in found if name.startswith(PREFIX))


def vocabulary(graph: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Types with their parents, properties with domains and ranges, and members of enumerations with their types."""
    tables: dict[str, dict[str, Any]] = {"types": {}, "properties": {}, "members": {}}
    for entry in sorted(graph, key=lambda entry: str(entry["@id"])):
        name, kinds = entry["@id"].removeprefix(PREFIX), entry["@type"]
        if not entry["@id"].startswith(PREFIX):
            continue
        if "rdfs:Class" in kinds:
            tables["types"][name] = " ".join(names_of(entry, "rdfs:subClassOf"))
        elif "rdf:Property" in kinds:
            domains, ranges = (names_of(entry, f"{PREFIX}{key}Includes") for key in ("domain", "range"))
            tables["properties"][name] = [" ".join(domains), " ".join(ranges)]
        else:
            tables["members"][name] = " ".join(names_of(entry, "@type"))
    return tables


def main() -> None:
    """Read the release that is named first, and write its names, one a line."""
    source, version, date = sys.argv[1:]
    document = json.loads(Path(source).read_text(encoding="utf-8"))
    tables = ",\n".join(
        f'"{table}": {{\n'
        + ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in entries.items())
        + "\n}"
        for table, entries in vocabulary(document["@graph"]).items()
    )
    FILE.write_text(f'{{"version": "{version}", "date": "{date}",\n{tables}}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
