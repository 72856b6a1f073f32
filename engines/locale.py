"""Where and in which language a question is asked, in the form in which search tools take it."""

from collections.abc import Mapping

from engines.engine import LocaleField, Mode, Question

PLACE_OF_SEARCH: Mapping[Mode, frozenset[LocaleField]] = {Mode.READINESS: frozenset({"country", "city"})}
"""Of the APIs that tell their search tool where the user is; without a search there is no field for it."""


def place(question: Question) -> dict[str, str]:
    """Country and city of a question as `user_location` has them; a city without its country is left out."""
    if question.country is None:
        return {}
    return {"country": question.country} | ({"city": question.city} if question.city else {})
