"""Pages that answers cite: thousands on hundreds of hosts, a few of them very often, and the pages of each entity."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from bench.scale.market import SOURCES, Watched
from storage.repositories.answers.citations import CitedPage
from storage.workspace import Workspace

PAGES = 9_000
PLACES = 1 << 15
"""Entries of a table from which a page is drawn with one random number."""
AT_ONCE = 1_000
THIRD_PARTY, COMPETITOR, OWNED = 0, 1, 2
"""Owners as `answer_readings.domains` stores them."""


class Page(NamedTuple):
    """A page; `fragment` is its domain with the owner, as it stands in the JSON of a reading."""

    url: str
    title: str | None
    fragment: str
    owner: int
    """Place of the entity it belongs to, or -1."""


def page(rng: random.Random, host: str, number: int, owner: int = -1) -> Page:
    """Return a page of a host."""
    title = None if rng.random() < 0.1 else f"Page {number} of {host}"
    kind = THIRD_PARTY if owner < 0 else COMPETITOR if owner else OWNED
    return Page(f"https://www.{host}/page/{number}", title, f'"{host}":{kind}', owner)


def shared_pages(seed: int) -> list[Page]:
    """Return the pages of third parties, the most cited first; most of them are on a few hosts."""
    rng = random.Random(f"{seed}:pages")
    return [page(rng, SOURCES[int(len(SOURCES) * rng.random() ** 2)], number) for number in range(PAGES)]


def own_pages(seed: int, brand: Watched, count: int) -> list[list[Page]]:
    """Return the pages of the brand and of each competitor."""
    rng = random.Random(f"{seed}:{brand.name}:pages")
    return [[page(rng, host, number, at) for number in range(count)] for at, host in enumerate(brand.sites)]


def preferences(seed: int, platform: str, quarter: int) -> list[int]:
    """Return the shared pages that an engine cites in a quarter, each as often as it is likely.

    Likelihoods fall with rank (Zipf); what an engine prefers differs from the others and changes by the quarter.
    """
    rng = random.Random(f"{seed}:{platform}:preferences")
    liking = [rng.lognormvariate(0.0, 0.7) for _ in range(PAGES)]
    rng = random.Random(f"{seed}:{platform}:{quarter}:preferences")
    weights = [
        of_page * rng.lognormvariate(0.0, 0.4) / (rank + 8) ** 0.85 for rank, of_page in enumerate(liking)
    ]
    return rng.choices(range(PAGES), weights, k=PLACES)


async def store_pages(workspace: Workspace, pages: Sequence[Page]) -> list[int]:
    """Store pages that are not there yet; return their keys in order."""
    keys: dict[CitedPage, int] = {}
    for at in range(0, len(pages), AT_ONCE):
        keys |= await workspace.citations.page_keys(
            {CitedPage(page.url, page.title) for page in pages[at : at + AT_ONCE]}
        )
    return [keys[CitedPage(page.url, page.title)] for page in pages]
