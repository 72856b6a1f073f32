"""Classifies cited domains as reference, forum, review site and so on, from a dated list in this package."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Literal, TypedDict, cast

SourceKind = Literal[
    "own",
    "competitor",
    "reference",
    "forum",
    "social",
    "video",
    "review_site",
    "editorial",
    "shop",
    "government",
    "education",
    "developer",
    "other",
]


class _KindFile(TypedDict):
    asOf: str
    method: str
    kinds: dict[str, list[str]]


@cache
def _kind_file() -> _KindFile:
    text = files("analytics.answers").joinpath("source_kinds.json").read_text(encoding="utf-8")
    return cast(_KindFile, json.loads(text))


@cache
def _kinds() -> Mapping[str, SourceKind]:
    return {
        domain: cast(SourceKind, kind)
        for kind, domains in _kind_file()["kinds"].items()
        for domain in domains
    }


def list_date() -> str:
    """Return the date on which the list was compiled, ISO 8601."""
    return _kind_file()["asOf"]


def kind_of(domain: str | None, owner: str = "third_party") -> SourceKind:
    """Return the kind of a host or domain; `owner` is an `OwnerClass` value.

    The longest listed name that the host ends with decides; an unlisted host is `other`.
    """
    if owner == "owned":
        return "own"
    if owner == "competitor":
        return "competitor"
    labels = (domain or "").lower().split(".")
    for first in range(len(labels)):
        kind = _kinds().get(".".join(labels[first:]))
        if kind is not None:
            return kind
    return "other"
