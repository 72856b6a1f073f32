"""Sites as other people build them, each written out whole in a file of `layouts/`: platforms, themes, shells, walls.

A file holds pages, each after a line `=== /path`, or `=== /path{n} x5` for five pages whose number stands for `{n}`.
A path that ends in `.gz` is sent compressed.
"""

import re
from pathlib import Path

from bench.sites import Page, Pages

FOLDER = Path(__file__).with_name("layouts")
HEADING = re.compile(r"^=== (\S++)(?: x(\d))?$", re.M)
TYPES = {
    "gz": "application/gzip",
    "json": "application/json",
    "txt": "text/plain",
    "xml": "application/xml",
    "js": "text/javascript",
    "jpg": "image/jpeg",
    "png": "image/png",
    "webp": "image/webp",
}


def layouts() -> dict[str, Pages]:
    """Return every site by the name of its file."""
    return {path.stem: read_site(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.txt"))}


def read_site(text: str) -> Pages:
    """Return the pages of one file."""
    pages: Pages = {}
    _, *parts = HEADING.split(text)
    for path, times, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        for number in range(1, int(times or 1) + 1):
            kind = TYPES.get(path.rpartition(".")[2], "text/html; charset=utf-8")
            filled = body.strip().replace("{n}", str(number)).encode()
            pages[path.replace("{n}", str(number))] = Page(filled, headers={"Content-Type": kind})
    return pages
