"""Files of logs as lines: plain or gzip, in bounded memory, whatever their size and the length of a line."""

import gzip
import io
import zlib
from collections.abc import Iterator
from typing import IO, Final, cast

from measurement.imports.access_logs.log_import import LONGEST_LINE

GZIP: Final = b"\x1f\x8b"
READ_AT_ONCE: Final = 1024 * 1024


class BrokenArchive(Exception):
    """A gzip file ends early or is damaged; what came before was given."""


def read_lines(file: IO[bytes]) -> Iterator[bytes]:
    """Give the lines of an open file, gunzipped where it is gzip; of a line that is too long, its beginning.

    Raises BrokenArchive.
    """
    buffered = io.BufferedReader(cast(io.RawIOBase, file), READ_AT_ONCE)
    packed = buffered.peek(2)[:2] == GZIP
    opened = cast(IO[bytes], gzip.GzipFile(fileobj=buffered)) if packed else buffered
    try:
        yield from _bounded_lines(opened)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise BrokenArchive from error


def _bounded_lines(file: IO[bytes]) -> Iterator[bytes]:
    while line := file.readline(LONGEST_LINE + 1):
        yield line
        while len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            line = file.readline(READ_AT_ONCE)
            if not line:
                return
