"""What a matcher looks for: every spelling of every name, and whom it belongs to."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from analytics.aliases import Alias, Entity, folded_name, inflections, is_cyrillic, spellings
from analytics.errors import AliasConflict, EmptyAlias
from analytics.folding import written
from analytics.scripts import Script, script_of

_SHORT_NAME = 3


class Name(NamedTuple):
    """An alias as the matcher needs it."""

    ambiguous: bool
    exact: bool
    as_written: str | None  # None: any case will do
    capitals: bool  # all capitals will do as well
    takes_s: bool
    takes_cyrillic: bool
    inflected: bool  # the pattern itself is an inflected form


class Pattern(NamedTuple):
    """A text to look for. Without names it is a negative term, which swallows its span."""

    entity: int
    names: tuple[Name, ...]


def _name(alias: Alias, folded: str, *, inflected: bool) -> Name:
    letters = [char for char in alias.text if char.isalpha()]
    capital = any(char.isupper() for char in letters)
    exact = alias.case == "exact"
    short = capital and len(letters) <= _SHORT_NAME
    strict = exact or alias.ambiguous or short
    return Name(
        ambiguous=alias.ambiguous,
        exact=exact,
        as_written=written(alias.text) if strict else None,
        capitals=short and not (exact or alias.ambiguous),
        takes_s=len(letters) >= _SHORT_NAME and not alias.ambiguous,
        takes_cyrillic=is_cyrillic(folded),
        inflected=inflected,
    )


class Claims:
    """Collects which pattern belongs to whom while a matcher is built."""

    def __init__(self, entities: Sequence[Entity]):
        self.entities = entities
        self.owner: dict[str, int] = {}
        self.names: dict[str, list[Name]] = defaultdict(list)

    def add_names(self, *, inflected: bool) -> None:
        """Claim the spellings of every name, or with `inflected` the endings that they may take.

        Raises EmptyAlias and AliasConflict.
        """
        for index, entity in enumerate(self.entities):
            for alias in entity.aliases:
                folded = folded_name(alias.text)
                if not any(script_of(char) is not Script.NONE for char in folded):
                    raise EmptyAlias(alias.text, entity.id)
                name = _name(alias, folded, inflected=inflected)
                forms = inflections(folded) if inflected else spellings(folded)
                for form in forms:
                    self._claim(form, index, alias, name)

    def _claim(self, form: str, index: int, alias: Alias, name: Name) -> None:
        """A spelling is exclusive; an inflected form yields to whoever claimed it before."""
        owner = self.owner.setdefault(form, index)
        if owner == index:
            self.names[form].append(name)
        elif not name.inflected:
            raise AliasConflict(alias.text, self.entities[owner].id, self.entities[index].id)

    def patterns(self) -> dict[str, Pattern]:
        """Return what was claimed by what it looks like, and the negative terms where nobody claimed them."""
        found = {form: Pattern(self.owner[form], tuple(names)) for form, names in self.names.items()}
        for index, entity in enumerate(self.entities):
            for term in entity.negative_terms:
                folded = folded_name(term)
                if not folded:
                    raise EmptyAlias(term, entity.id)
                for form in spellings(folded):
                    found.setdefault(form, Pattern(index, ()))
        return found
