"""The patterns of a matcher: every spelling of every name, and the entity it belongs to."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from analytics.errors import AliasConflict, EmptyAlias
from analytics.matching.aliases import (
    Alias,
    Entity,
    folded_name,
    loose_forms,
    spellings,
    with_spelled_umlauts,
    with_umlauts,
    written_apart,
)
from analytics.matching.homonyms import Homonym, are_common_words, homonym_of
from analytics.matching.inflection import SHORTEST_PLURAL, changed_forms, is_cyrillic, is_latin
from analytics.text.folding import written as as_written
from analytics.text.scripts import Script, script_of

_SHORT_NAME = 3


class Name(NamedTuple):
    """An alias as the matcher needs it."""

    ambiguous: bool
    homonym: Homonym | None  # the other meaning of the name
    exact: bool
    as_written: str | None  # None: any case matches
    capitals: bool  # all capitals match too
    capital: bool  # the match must contain a capital letter
    most_small: int | None  # number of words that may begin with a small letter
    takes_s: bool
    takes_cyrillic: bool
    takes_latin: bool
    inflected: bool  # the pattern itself is an inflected form
    language: str | None  # the only language with this inflected form
    umlaut: bool = False  # the match must contain an umlaut


class Pattern(NamedTuple):
    """A text to search for. A pattern without names is a negative term, which consumes its span."""

    entity: int
    names: tuple[Name, ...]
    languages: tuple[str, ...] = ()
    """The only languages with this spelling; empty if all languages may use it."""


def _written_in(names: Sequence[Name]) -> tuple[str, ...]:
    if len(names) == 1:  # by far the most common case
        language = names[0].language
        return (language,) if language else ()
    languages = {name.language for name in names}
    return () if None in languages else tuple(language for language in languages if language)


def small_words(text: str) -> int:
    """Return how many words of a name begin with a small letter."""
    return sum(word[0].islower() for word in text.replace("-", " ").split())


def _name(alias: Alias, folded: str) -> Name:
    letters = [char for char in alias.text if char.isalpha()]
    capital = any(char.isupper() for char in letters)
    exact = alias.case == "exact"
    short = capital and len(letters) <= _SHORT_NAME
    homonym = homonym_of(folded) if alias.ambiguous is None else None
    strict = exact or bool(alias.ambiguous) or short
    return Name(
        ambiguous=bool(alias.ambiguous) or homonym is not None,
        homonym=homonym,
        exact=exact,
        as_written=as_written(alias.text) if strict else None,
        capitals=short and not (exact or alias.ambiguous),
        capital=homonym is not None and capital,
        most_small=small_words(alias.text)
        if alias.ambiguous is None and capital and are_common_words(folded)
        else None,
        takes_s=len(letters) >= SHORTEST_PLURAL and not alias.ambiguous,
        takes_cyrillic=is_cyrillic(folded),
        takes_latin=is_latin(folded),
        inflected=False,
        language=None,
    )


class Claims:
    """Collects the owner of each pattern while a matcher is built."""

    def __init__(self, entities: Sequence[Entity]):
        self.entities = entities
        self.owner: dict[str, int] = {}
        self.names: dict[str, list[Name]] = defaultdict(list)

    def add_names(self) -> None:
        """Claim the spellings of every name, then its looser and inflected forms.

        Raises EmptyAlias and AliasConflict.
        """
        named: list[tuple[int, Alias, str, Name, frozenset[str]]] = []
        for index, entity in enumerate(self.entities):
            for alias in entity.aliases:
                folded = folded_name(alias.text)
                if not any(script_of(char) is not Script.NONE for char in folded):
                    raise EmptyAlias(alias.text, entity.id)
                named.append((index, alias, folded, _name(alias, folded), spellings(folded)))
        for index, alias, _, name, written in named:
            for form in written:
                owner = self.owner.setdefault(form, index)
                if owner != index:
                    raise AliasConflict(alias.text, self.entities[owner].id, self.entities[index].id)
                self.names[form].append(name)
        for index, alias, folded, name, _ in named:
            for form in loose_forms(folded):
                same = alias.ambiguous is not None or homonym_of(form) is name.homonym
                self._claim_free(form, index, name if same else _name(alias, form))
            self._add_spellings(index, alias, folded, name)
        for index, _, _, name, written in named:
            changed: dict[str | None, Name] = {}
            for spelling in written:
                for form in changed_forms(spelling):
                    if form.language not in changed:
                        changed[form.language] = name._replace(inflected=True, language=form.language)
                    self._claim_free(form.text, index, changed[form.language])

    def _add_spellings(self, index: int, alias: Alias, folded: str, name: Name) -> None:
        """Claim a name with its umlauts spelled out, or with umlauts for them, and with its inner capitals apart."""
        for form in spellings(folded_name(with_spelled_umlauts(alias.text))) - {folded}:
            self._claim_free(form, index, name)
        for form in spellings(with_umlauts(folded)) if with_umlauts(folded) != folded else ():
            self._claim_free(form, index, name._replace(umlaut=True))
        apart = written_apart(alias.text)
        if apart != alias.text and alias.case == "default":
            for form in spellings(folded_name(apart)):
                self._claim_free(form, index, name._replace(most_small=0))

    def _claim_free(self, form: str, index: int, name: Name) -> None:
        """Claim a form that is not an exact spelling, unless an entity has already claimed it."""
        if self.owner.setdefault(form, index) == index:
            self.names[form].append(name)

    def patterns(self) -> dict[str, Pattern]:
        """Return the claimed patterns by their form, plus the negative terms that no entity has claimed."""
        patterns = {
            form: Pattern(self.owner[form], tuple(names), _written_in(names))
            for form, names in self.names.items()
        }
        for index, entity in enumerate(self.entities):
            for term in entity.negative_terms:
                folded = folded_name(term)
                if not folded:
                    raise EmptyAlias(term, entity.id)
                for form in spellings(folded):
                    patterns.setdefault(form, Pattern(index, ()))
        return patterns
