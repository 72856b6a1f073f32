"""Third-party style sites, each written out in full in a file of `layouts/`: platforms, themes, shells, walls.

These 39 files are a subset of 254 that were written and labeled before the scanner was run on them. They were chosen
by their labels alone, never by results: small files that together hold nearly every fault. Measured in November 2026
on all 254 files and the 60 built sites, after fixing the scanner bugs that they revealed: precision and recall are
1.00 for every check, and 5 of 314 x 79 statuses differ from their label.

A file holds pages, each after a line `=== /path`. `=== /path{n} x5` defines five pages and replaces `{n}` with the
page number. `=== /path 403` answers with that status. `=== @name` starts a shared part instead of a page, such as a
header or footer; pages include it as `{@name}`. A path that ends in `.gz` is sent compressed.
"""

import re
from functools import reduce
from pathlib import Path

from bench.sites import Page, Pages

FOLDER = Path(__file__).with_name("layouts")
HEADING = re.compile(r"^=== (\S++)(?: x(\d\d?))?(?: (\d{3}))?$", re.M)
TYPES = {
    "gz": "application/gzip",
    "json": "application/json",
    "txt": "text/plain",
    "xml": "application/xml",
    "js": "text/javascript",
    "jpg": "image/jpeg",
    "png": "image/png",
    "gif": "image/gif",
    "webp": "image/webp",
}


def layouts() -> dict[str, Pages]:
    """Return every site by the name of its file."""
    return {path.stem: read_site(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.txt"))}


def read_site(text: str) -> Pages:
    """Return the pages of one file."""
    _, *parts = HEADING.split(text)
    written = list(zip(parts[::4], parts[1::4], parts[2::4], parts[3::4], strict=True))
    shared = {f"{{{name}}}": body.strip() for name, _, _, body in written if name.startswith("@")}
    pages: Pages = {}
    for path, times, status, body in written:
        if path.startswith("@"):
            continue
        whole = reduce(lambda page, part: page.replace(*part), shared.items(), body.strip())
        kind = TYPES.get(path.rpartition(".")[2], "text/html; charset=utf-8")
        for number in range(1, int(times or 1) + 1):
            filled = whole.replace("{n}", str(number)).encode()
            pages[path.replace("{n}", str(number))] = Page(
                filled, int(status or 200), headers={"Content-Type": kind}
            )
    return pages
