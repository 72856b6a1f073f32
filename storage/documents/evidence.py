"""What issues, findings and suggested competitors rest on."""

from typing import Literal, TypeAlias

from storage.documents.document import StoredDocument

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
    """What a finding rests on, and why it is so: sentences of ours, none for most kinds of findings."""

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
