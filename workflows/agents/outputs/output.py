"""Base of the documents that agents read of each other."""

from typing import ClassVar

from storage.documents import StoredDocument


class AgentOutput(StoredDocument):
    """What a completed agent gave; `agents` are the names of those that give this document."""

    agents: ClassVar[tuple[str, ...]]
