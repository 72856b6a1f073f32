"""What can go wrong between the service and its database."""


class StorageError(Exception):
    """Base of the failures that storage names."""


class DatabaseUnavailable(StorageError):
    """The database cannot be opened, is full, or stays locked; the reason is in our words."""


class DatabaseBusy(DatabaseUnavailable):
    """Every connection is in use, or another transaction was preferred: the same call may succeed in a moment."""


class DatabaseLost(DatabaseUnavailable):
    """The server went away, or does not answer: what was being written may have been written, or not."""


class RowGone(StorageError):
    """What a row belongs to, or a row that was just known, was deleted meanwhile."""

    def __init__(self) -> None:
        super().__init__("what this belongs to was deleted meanwhile")


class WriteRefused(Exception):
    """A viewer was about to write; nothing is wrong with the database."""

    def __init__(self) -> None:
        super().__init__("a viewer reads what the company has and changes nothing")


class SchemaTooNew(StorageError):
    """The database has a schema that this program does not know: a newer version wrote it."""


class DamagedData(StorageError):
    """What was stored cannot be read any more as it was written."""


class UnknownDocumentVersion(DamagedData):
    """A stored document has a schema version that this program does not know; it is named, with the known one."""

    def __init__(self, document: str, version: object, known: object) -> None:
        stored = "no schema version" if version is None else f"schema version {version!r}"
        super().__init__(
            f"{document} was stored with {stored}, and this program reads version {known!r}; "
            "run the program that wrote it, or create the document again"
        )
        self.document = document
        self.version = version


class DuplicateRow(StorageError):
    """A row that must be unique exists already; `field` names what clashed."""

    def __init__(self, field: str, value: str) -> None:
        super().__init__(f"{field} {value!r} exists already")
        self.field = field
        self.value = value


class InvalidArchive(StorageError):
    """A record cannot be taken in; the words name table and column, never the value. `line` says which, if one."""

    def __init__(self, words: str, line: int | None = None) -> None:
        super().__init__(words)
        self.line = line
