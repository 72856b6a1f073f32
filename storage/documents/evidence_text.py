"""The type by which a query reads a column of evidence: rows get the items of the stored document."""

from collections.abc import Sequence
from typing import Any, cast

from sqlalchemy.engine import Dialect

from storage.documents.evidence import (
    EvidenceDocument,
    FindingDocument,
    StoredEvidence,
    SuggestionEvidence,
    SuggestionEvidenceDocument,
)
from storage.tables.columns import JsonText


class EvidenceText(JsonText):
    """JSON text of a document of evidence; a row gives its items as a tuple."""

    cache_ok = True

    def __init__(self, document: type[EvidenceDocument] | type[SuggestionEvidenceDocument]) -> None:
        super().__init__()
        self.document = document

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Parse the stored document. Raises DamagedData when its version is unknown or it does not fit."""
        stored = super().process_result_value(value, dialect)
        return None if stored is None else self.document.load(stored).items


class FindingText(JsonText):
    """JSON text of what a finding rests on; a row gives the document, one of the first version without reasons."""

    cache_ok = True

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Parse the stored document. Raises DamagedData when its version is unknown or it does not fit."""
        stored = super().process_result_value(value, dialect)
        if stored is None:
            return None
        is_first = isinstance(stored, dict) and cast("dict[str, object]", stored).get("schemaVersion") == 1
        if is_first:
            return FindingDocument(items=EvidenceDocument.load(cast("object", stored)).items)
        return FindingDocument.load(cast("object", stored))


def evidence_json(items: Sequence[StoredEvidence]) -> dict[str, Any]:
    """Return the evidence of an issue or a finding as it is stored."""
    return EvidenceDocument(items=tuple(items)).to_json()


def suggestion_evidence_json(items: Sequence[SuggestionEvidence]) -> dict[str, Any]:
    """Return the evidence of a suggested competitor as it is stored."""
    return SuggestionEvidenceDocument(items=tuple(items)).to_json()
