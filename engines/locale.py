"""Where and in which language a question is asked, in the form in which search tools take it."""

from collections.abc import Mapping

from engines.engine import LocaleField, Mode, Question

PLACE_OF_SEARCH: Mapping[Mode, frozenset[LocaleField]] = {
    Mode.READINESS: frozenset({"country", "city", "region", "timezone"})
}
"""Of the APIs that tell their search tool where the user is; without a search there is no field for it."""


def place(question: Question, *fields: LocaleField) -> dict[str, str]:
    """The place of a question as `user_location` has it, in `fields` or all of them; nothing without a country."""
    if question.country is None:
        return {}
    told: dict[LocaleField, str | None] = {
        "country": question.country,
        "city": question.city,
        "region": question.region,
        "timezone": question.timezone,
    }
    return {name: value for name, value in told.items() if value and (not fields or name in fields)}
