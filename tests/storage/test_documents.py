"""Stored documents: what cannot be read says why, by name and version."""

import json
import re
from typing import Literal

import pytest
from sqlalchemy.dialects import sqlite

from analytics.answers.citations import OwnerClass
from storage.documents import StoredDocument
from storage.encoding import packed
from storage.errors import DamagedData, UnknownDocumentVersion
from storage.tables.columns import DomainsText, JsonText, PackedJson


class Shelf(StoredDocument):
    schema_version: Literal[2] = 2
    most_books: int


def test_document_is_read_as_it_was_stored() -> None:
    stored = Shelf(most_books=3).to_json()
    assert stored == {"schemaVersion": 2, "mostBooks": 3}
    assert Shelf.load(stored) == Shelf(most_books=3)


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        ({"schemaVersion": 3, "mostBooks": 3}, "schema version 3"),
        ({"schemaVersion": "2", "mostBooks": 3}, "schema version '2'"),
        ({"mostBooks": 3}, "no schema version"),
        ([], "no schema version"),
        (None, "no schema version"),
    ],
)
def test_unknown_schema_version_is_named_beside_the_known_one(stored: object, said: str) -> None:
    words = f"Shelf was stored with {said}, and this program reads version 2"
    with pytest.raises(UnknownDocumentVersion, match=re.escape(words)):
        Shelf.load(stored)


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        ({"schemaVersion": 2}, "Shelf cannot be read: mostBooks: Field required"),
        (
            {"schemaVersion": 2, "mostBooks": "many"},
            "Shelf cannot be read: mostBooks: Input should be a valid integer",
        ),
        (
            {"schemaVersion": 2, "mostBooks": 3, "least": 1},
            "Shelf cannot be read: least: Extra inputs are not permitted",
        ),
    ],
)
def test_document_that_does_not_fit_its_version_names_the_field(stored: object, said: str) -> None:
    with pytest.raises(DamagedData, match=re.escape(said)):
        Shelf.load(stored)


@pytest.mark.parametrize(
    "text",
    [
        "null",
        "[1.5,-0.0,1e-7,123456789012345678901234567890]",
        '{"a":"\\ud83d\\ude00"}',
        '"\\ud800"',
        "[" * 300 + "]" * 300,
    ],
)
def test_stored_json_is_read_as_it_was_written_whatever_it_holds(text: str) -> None:
    read = JsonText().process_result_value(text, sqlite.dialect())
    assert repr(read) == repr(json.loads(text))


@pytest.mark.parametrize("document", [{}, [1.5, "ü"], {"a": [None, True]}, "x"])
def test_a_packed_document_is_read_as_it_was_written(document: object) -> None:
    kind, dialect = PackedJson(), sqlite.dialect()
    stored = kind.process_bind_param(document, dialect)
    assert isinstance(stored, bytes)
    for reader in (kind, PackedJson(proven=False)):
        assert reader.process_result_value(stored, dialect) == document


@pytest.mark.parametrize(
    "stored", [b"", b"x", b"{}", "{}", 7, packed("{"), packed("[]")[:-1], packed("[]") + b"x"]
)
def test_a_damaged_packed_document_is_rejected_and_still_verified(stored: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        PackedJson().process_result_value(stored, sqlite.dialect())
    assert isinstance(PackedJson(proven=False).process_result_value(stored, sqlite.dialect()), str)


def test_owners_of_domains_are_stored_as_numbers_and_read_by_name() -> None:
    kind, dialect = DomainsText(), sqlite.dialect()
    owners = {owner.value: owner for owner in OwnerClass}
    stored = kind.process_bind_param(owners, dialect)
    assert stored == '{"competitor":1,"owned":2,"third_party":0}'
    assert kind.process_result_value(stored, dialect) == owners
    with pytest.raises(ValueError, match="not in"):
        kind.process_bind_param({"a.test": "nobody"}, dialect)


@pytest.mark.parametrize("place", ["3", "-1", "true", "0.0", '"owned"', "null", "[0]"])
def test_a_number_of_no_owner_is_read_as_nobody_whom_a_reading_names(place: str) -> None:
    for kind in (DomainsText(), DomainsText(proven=False)):
        read = kind.process_result_value(f'{{"a.test":{place}}}', sqlite.dialect())
        assert read["a.test"] not in set(OwnerClass)
