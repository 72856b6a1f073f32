"""Names what differs between stored rows and rows that were made anew."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from analytics.digests import canonical_json
from measurement.publication.calculate import Outcome
from measurement.publication.documents.receipt import ReceiptDocument, differing_fields
from measurement.publication.receipt_seal import POINT_FIELDS, plain
from storage.repositories.answers.answers import AnswerText
from storage.repositories.country_results import CountryDraft
from storage.repositories.stored_results import Row, StoredCalculation


def altered(answer: AnswerText, sha256: str) -> bool:
    """Tell whether a stored text is not the one that was stored first."""
    return hashlib.sha256(answer.text.encode()).hexdigest() != sha256


def as_object(stored: object) -> Mapping[str, Any]:
    """Return a stored document, and one without fields where it is no JSON object any more."""
    return cast("Mapping[str, Any]", stored) if isinstance(stored, Mapping) else {}


def different_columns(stored: StoredCalculation, fresh: Outcome) -> list[str]:
    """Name the columns and JSON fields in which a stored calculation differs from one made anew."""
    receipt = ReceiptDocument.model_validate(fresh.draft.receipt)
    wrong = list(differing_fields(as_object(stored.receipt), receipt))
    wrong += [] if stored.status == fresh.draft.status else ["status"]
    wrong += [] if stored.score == fresh.draft.score else ["score"]
    for column in ("headline", "platforms", "rankings"):
        wrong += different_paths(column, getattr(stored, column), getattr(fresh.draft, column))
    return wrong


def different_countries(stored: Sequence[CountryDraft], fresh: Outcome) -> list[str]:
    """Name the places in which the stored results of countries differ from those made anew."""
    old = {result.country: result.columns() for result in stored}
    new = {result.country: result.columns() for result in fresh.countries}
    return different_paths("country_calculations", old, new)


def different_paths(path: str, stored: Any, fresh: Any) -> list[str]:
    """Name the places in which two JSON values differ, such as `headline.factors[0].value`."""
    if isinstance(stored, Mapping) and isinstance(fresh, Mapping):
        names: list[str] = sorted({*stored, *fresh})  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] # names of JSON objects
        return [
            place
            for name in names
            for place in different_paths(f"{path}.{name}", stored.get(name), fresh.get(name))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType] # any JSON
        ]
    if isinstance(stored, list) and isinstance(fresh, list) and len(stored) == len(fresh):  # pyright: ignore[reportUnknownArgumentType] # any JSON
        return [
            place
            for number, (old, new) in enumerate(zip(stored, fresh, strict=True))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] # any JSON
            for place in different_paths(f"{path}[{number}]", old, new)
        ]
    return [] if type(stored) is type(fresh) and stored == fresh else [path]  # pyright: ignore[reportUnknownArgumentType] # any JSON


def different_points(stored: Sequence[Row], fresh: Outcome) -> list[str]:
    """Name the trend points of a batch that differ from those made anew."""
    own = [{name: row[name] for name in POINT_FIELDS} for row in stored]
    made = [point.columns() for point in fresh.points]
    return different_rows("metric_points", own, made, ("metric", "day", "channel_key"))


def different_rows(table: str, stored: Iterable[Row], fresh: Iterable[Row], key: Sequence[str]) -> list[str]:
    """Name the rows that one side lacks, and the columns of rows in which the two differ."""
    old = {tuple(row[name] for name in key): row for row in stored}
    new = {tuple(row[name] for name in key): row for row in fresh}
    wrong: list[str] = []
    for place in sorted(old.keys() | new.keys(), key=str):
        name = f"{table} " + " ".join(str(plain(part)) for part in place)
        if place not in new or place not in old:
            wrong.append(f"{name}: {'not from any answer' if place not in new else 'missing'}")
            continue
        wrong += [
            f"{name}: {column}"
            for column, value in new[place].items()
            if not _same_json(plain(value), plain(old[place].get(column)))
        ]
    return wrong


def _same_json(stored: object, computed: object) -> bool:
    """Tell whether two values are one text as JSON; 1 and 1.0 are not, nor are 0.0 and -0.0."""
    if type(stored) is type(computed) and isinstance(stored, (str, int, type(None))):
        return stored == computed
    return canonical_json(stored) == canonical_json(computed)
