"""Documents stored as JSON: their base, and the evidence of issues, findings and suggested competitors."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self, TypeAlias, cast

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel
from sqlalchemy.engine import Dialect

from storage.errors import DamagedData, UnknownDocumentVersion
from storage.tables.columns import JsonText


class StoredDocument(BaseModel):
    """A document or a part of one. A document that stands alone carries its `schema_version`."""

    model_config = ConfigDict(
        alias_generator=to_camel, validate_by_name=True, validate_by_alias=True, extra="forbid", frozen=True
    )

    @classmethod
    def load(cls, stored: object) -> Self:
        """Read a document that stands alone from the JSON values that were stored.

        Raises UnknownDocumentVersion when it was written in another schema version than the one known here, and
        DamagedData when it does not fit its own version.
        """
        known: object = cls.model_fields["schema_version"].default
        version = (
            cast("Mapping[str, object]", stored).get("schemaVersion") if isinstance(stored, Mapping) else None
        )
        if version != known:
            raise UnknownDocumentVersion(cls.__name__, version, known)
        try:
            return cls.model_validate(stored)
        except ValidationError as error:
            fault = error.errors(include_input=False, include_url=False)[0]
            place = ".".join(str(part) for part in fault["loc"])
            raise DamagedData(f"{cls.__name__} cannot be read: {place}: {fault['msg']}") from error

    def to_json(self) -> dict[str, Any]:
        """Return the document as JSON values under the names in which it is stored; floats stay exact."""
        return self.model_dump(mode="json", by_alias=True)


EvidenceType: TypeAlias = Literal[
    "answer",
    "competitor",
    "competitors",
    "draft",
    "fact",
    "page",
    "profile",
    "prompt",
    "receipt",
    "report",
    "repository_item",
]


class StoredEvidence(StoredDocument):
    """One piece of evidence: what it is, its id or address, and the words that matter; text of strangers."""

    type: EvidenceType
    id: str | None = None
    url: str | None = None
    excerpt: str | None = None


class EvidenceDocument(StoredDocument):
    """The evidence of one issue or finding, in the order in which it is shown."""

    schema_version: Literal[1] = 1
    items: tuple[StoredEvidence, ...] = ()


class FindingDocument(StoredDocument):
    """What a finding rests on, and why it is so: sentences of the product, none for most kinds of findings."""

    schema_version: Literal[2] = 2
    items: tuple[StoredEvidence, ...] = ()
    reasons: tuple[str, ...] = ()


class SuggestionEvidence(StoredDocument):
    """The words of one answer that a suggested competitor was found in."""

    answer_id: str
    platform: str
    prompt: str
    quote: str


class SuggestionEvidenceDocument(StoredDocument):
    """The evidence of one suggested competitor."""

    schema_version: Literal[1] = 1
    items: tuple[SuggestionEvidence, ...] = ()


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
