"""Rows of one company are out of reach for every other one."""

import inspect
import sys
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import Any, cast

from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import Dialect

from storage.queries import Listing, Query, Session
from storage.repositories.repository import Repository
from storage.workspace import Workspace

SHARED = {
    ("storage.repositories.channels", "KEY"): "names of channels, the same for everybody",
    ("storage.repositories.channels", "KEYS"): "names of channels, the same for everybody",
    ("storage.repositories.archive", "CHANNELS"): "names of channels, the same for everybody",
}


class NoSession:
    """A session that is never asked."""

    @property
    def dialect(self) -> Dialect:
        return sqlite.dialect()


def repositories() -> list[Repository]:
    """Every repository that stands behind a company's door."""
    door = Workspace(cast(Session, NoSession()), "a company")
    return [one for one in vars(door).values() if isinstance(one, Repository)]


def queries_in(value: object) -> Iterator[Query[Any]]:
    """The queries that a module's name stands for: one, a page and its count, or several by key."""
    if isinstance(value, Query):
        yield cast("Query[Any]", value)
    elif isinstance(value, Listing):
        listing = cast("Listing[Any]", value)
        yield from (listing.page, listing.count)
    elif isinstance(value, Mapping):
        for inner in cast("Mapping[object, object]", value).values():
            yield from queries_in(inner)


def used_by(repository: Repository) -> Iterator[tuple[tuple[str, str], Query[Any]]]:
    """Every query that a method of the repository names, with its module and name."""
    for method in (one for _, one in inspect.getmembers(type(repository)) if isinstance(one, FunctionType)):
        module = sys.modules[method.__module__]
        for name in method.__code__.co_names:
            for query in queries_in(vars(module).get(name)):
                yield (method.__module__, name), query


def test_every_query_of_a_workspace_asks_for_the_company() -> None:
    used = [found for repository in repositories() for found in used_by(repository)]
    assert {place for place, query in used if "company_id" not in query.parameters} == SHARED.keys()
    assert len({place for place, _ in used}) > 60
