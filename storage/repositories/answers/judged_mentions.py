"""What a judge says of a mention, as columns beside the mention."""

from typing import Any

from sqlalchemy import ColumnElement, case, func, select

from storage.tables.answers import THE_BRAND
from storage.tables.judgements import tone_judgements

NOT_JUDGED = "not_judged"


def judged(name: str, mention: Any) -> ColumnElement[Any]:
    """Return a column of the newest judgment that holds for a mention of the brand; NULL where there is none."""
    judgment = tone_judgements.alias()
    return (
        select(judgment.c[name])
        .where(
            judgment.c.answer_key == mention.c.answer_key,
            mention.c.entity_key == THE_BRAND,
            judgment.c.label != "unknown",
        )
        .order_by(judgment.c.created_at.desc(), judgment.c.method.desc())
        .limit(1)
        .correlate(mention)
        .scalar_subquery()
    )


def tone(mention: Any) -> ColumnElement[Any]:
    """Return the judged tone of a mention, `not_judged` without a judgment; NULL where nothing is named."""
    return case((mention.c.named.is_(True), func.coalesce(judged("label", mention), NOT_JUDGED)))
