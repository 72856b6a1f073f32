"""The kinds of automotive businesses that a site can belong to."""

from enum import StrEnum


class Kind(StrEnum):
    """Type of a site; the first three can be declared."""

    DEALER = "dealer"
    REPAIR_SHOP = "repair_shop"
    SERVICE_SITE = "service_site"
    UNDETERMINED = "undetermined"
    NOT_AUTOMOTIVE = "not_automotive"


def kind_words(kind: str) -> str:
    """Return what a reader calls a site of this kind."""
    return "general site" if kind == Kind.NOT_AUTOMOTIVE else kind.replace("_", " ")


DECLARABLE = (Kind.DEALER, Kind.REPAIR_SHOP, Kind.SERVICE_SITE)


class SiteState(StrEnum):
    """Whether a site could be scanned: it answers, it is down, or it blocks our visits."""

    ANSWERS = "answers"
    DOWN = "down"
    BLOCKED = "blocked"
