"""Base of every stored document: camel-case JSON, unknown fields refused, values that never change."""

from collections.abc import Mapping
from typing import Any, Self, cast

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from storage.errors import DamagedData, UnknownDocumentVersion


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
