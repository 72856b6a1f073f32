"""Import access log lines: parse, identify, verify, and count each line once, one part at a time.

A counted line leaves a digest, keyed with a server key, for as long as lines of its day are accepted. The
same line therefore counts once, no matter how often and in which file or batch it arrives, and a killed
import can be run again.
"""

import gzip
import hashlib
import io
import zlib
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date, timedelta
from itertools import islice
from typing import IO, Final, Literal, cast

import anyio.to_thread

from measurement.errors import UnknownName, WorkError
from measurement.imports.access_logs.bot_verification import (
    CONCLUSIVE,
    NOT_THIS_BOT,
    VERIFIED,
    PublishedNetworks,
)
from measurement.imports.access_logs.line_formats import FORMATS, LineReader, LoggedRequest, UnreadableLine
from measurement.imports.access_logs.reverse_dns import LoggedVisitor, ReverseDns
from measurement.imports.access_logs.visit_kinds import CrawlerVisit, Referral, visit_kind
from measurement.planning.clock import Clock
from oauth.signing import SubKey
from storage.database import Database
from storage.repositories.brands import Brand
from storage.repositories.crawler_visits import IntakeCounts, LineKey, ReferralKey, VisitKey
from storage.workspace import Workspace

Source = Literal["file", "endpoint"]
LINES_AT_ONCE: Final = 20_000
BYTES_AT_ONCE: Final = 4 * 1024 * 1024
LONGEST_LINE: Final = 32 * 1024
KEPT_DAYS: Final = 100
"""Older lines are rejected, so digests need not be kept longer."""
AHEAD: Final = timedelta(days=1)
"""How far the clock of a logging server may run ahead."""
MOST_PATHS: Final = 300
"""Number of paths per day that are counted separately for each bot and each product; the rest are combined."""
OTHER_PATHS: Final = "(other)"
IMPOSTORS_PATH: Final = "(any)"
DIGEST_BYTES: Final = 8
SMALLEST_SHARE: Final = 0.9
GZIP: Final = b"\x1f\x8b"
READ_AT_ONCE: Final = 1024 * 1024


@dataclass(slots=True)
class LogCounts:
    """Outcomes of the lines that were read.

    `visits` and `referrals` were counted now, `duplicates` before. Of the rest, `other` lines are neither,
    `unreadable` ones are not a request in a known format, `other_sites` ones have a host that is not the
    brand's, and `out_of_range` ones are too old or in the future. `not_this_bot` counts the visits of
    impostors under a bot's name.
    """

    lines: int = 0
    visits: int = 0
    referrals: int = 0
    duplicates: int = 0
    other: int = 0
    unreadable: int = 0
    other_sites: int = 0
    out_of_range: int = 0
    not_this_bot: int = 0
    without_agent: int = 0

    @property
    def counted(self) -> int:
        """Lines that were counted now."""
        return self.visits + self.referrals

    @property
    def skipped(self) -> int:
        """Lines that are not part of any count."""
        return self.other + self.unreadable + self.other_sites + self.out_of_range

    def add(self, counts: "LogCounts") -> None:
        """Add the counts of another part."""
        for name in (part.name for part in fields(LogCounts)):
            setattr(self, name, getattr(self, name) + getattr(counts, name))


@dataclass(frozen=True, slots=True)
class CountedLine:
    """A line that counts unless it was counted before.

    `visitor` is set if no list verifies the visitor. It is used only during the import.
    """

    key: LineKey
    counted_as: VisitKey | ReferralKey
    visitor: LoggedVisitor | None = None


@dataclass(slots=True)
class LogPart:
    """Lines that are stored in one transaction."""

    counts: LogCounts = field(default_factory=LogCounts)
    lines: list[CountedLine] = field(default_factory=list[CountedLine])


@dataclass(frozen=True, slots=True)
class LogTarget:
    """The brand of a log, its sites (longest first), and the site of lines that name no host."""

    company_id: str
    brand: Brand
    sites: Sequence[str]
    default_site: str

    def site_of(self, host: str | None) -> str | None:
        """Return the brand's site that a host is or belongs to; None if the host is not the brand's."""
        if host is None:
            return self.default_site
        name = host.lower().rstrip(".")
        if name.rpartition(":")[2].isdecimal():
            name = name.rpartition(":")[0]
        return next((site for site in self.sites if name == site or name.endswith(f".{site}")), None)


async def find_target(workspace: Workspace, brand: Brand, site: str | None = None) -> LogTarget:
    """Return the target of a log.

    Raises UnknownName for a site that is not the brand's, and WorkError if the brand has no site.
    """
    own = (await workspace.brands.entities(brand))[0].sites
    listed = [host_of_site(known) for known in (*([brand.website] if brand.website else []), *own)]
    sites = list(dict.fromkeys(known for known in listed if known))
    if not sites:
        raise WorkError(
            f"{brand.name} has no website, so nothing says whose log this is",
            "Add one: seenby call update_brand_profile --brandId BRAND --website https://...",
        )
    chosen = host_of_site(site) if site else sites[0]
    if chosen not in sites:
        raise UnknownName("site of this brand", site or "", sites)
    return LogTarget(workspace.company_id, brand, sorted(sites, key=len, reverse=True), chosen)


def host_of_site(address: str) -> str:
    """Return the host of a website or of a profile's site, without www."""
    host = address.partition("://")[2] or address
    return host.partition("/")[0].partition(":")[0].lower().removeprefix("www.")


class LogImporter:
    """Imports logs for brands.

    Line digests are keyed with `key`. Without `reverse_dns`, no host name is looked up.
    """

    def __init__(
        self, database: Database, key: SubKey, now: Clock, reverse_dns: ReverseDns | None = None
    ) -> None:
        self._database = database
        self._key = key
        self._now = now
        self._reverse_dns = reverse_dns

    async def networks(self) -> PublishedNetworks:
        """Return the stored networks that operators publish."""
        return PublishedNetworks(await self._database.operators.bot_addresses.all())

    async def import_lines(
        self, target: LogTarget, lines: Iterable[bytes], source: Source, log_format: str = "auto"
    ) -> AsyncGenerator[LogCounts]:
        """Import lines, yielding the counts of each part once it is stored. Raises UnknownName for a format."""
        if log_format not in FORMATS:
            raise UnknownName("format of logs", log_format, FORMATS)
        reader, networks, stream = LineReader(log_format), await self.networks(), iter(lines)
        while part_lines := list(take_part(stream)):
            # Parse in a thread so that the server keeps answering requests.
            part = await anyio.to_thread.run_sync(self.read_part, target, reader, networks, part_lines)
            await self.verify_by_name(part)
            yield await self.store_part(target, part, source)

    def read_part(
        self, target: LogTarget, reader: LineReader, networks: PublishedNetworks, lines: Sequence[bytes]
    ) -> LogPart:
        """Parse lines without storing anything."""
        now, part, seen = self._now(), LogPart(), Counter[bytes]()
        oldest, newest = now.date() - timedelta(days=KEPT_DAYS), now + AHEAD
        for line in lines:
            part.counts.lines += 1
            try:
                request = None if len(line) > LONGEST_LINE else reader.read(line.decode("utf-8", "replace"))
            except UnreadableLine:
                part.counts.unreadable += 1
                continue
            if request is None:
                part.counts.unreadable += len(line) > LONGEST_LINE
                part.counts.other += len(line) <= LONGEST_LINE
                continue
            kind = visit_kind(request)
            if kind is None:
                part.counts.other += 1
                part.counts.without_agent += not request.agent
                continue
            site = target.site_of(request.host)
            if site is None:
                part.counts.other_sites += 1
                continue
            if request.instant.date() < oldest or request.instant > newest:
                part.counts.out_of_range += 1
                continue
            stripped = line.rstrip(b"\r\n")
            seen[stripped] += 1
            key = LineKey(request.instant.date(), self._digest(stripped, seen[stripped]))
            part.lines.append(counted_line(key, request, kind, site, networks))
        return part

    async def verify_by_name(self, part: LogPart) -> None:
        """Query DNS for visitors that no list verifies, where their bots' operators document host names.

        Names change: an address that has another name today says little about a visit long ago.
        """
        if self._reverse_dns is not None:
            told = await self._reverse_dns.verify(line.visitor for line in part.lines if line.visitor)
            recent = (self._now() - CONCLUSIVE).date()
            for place, line in enumerate(part.lines):
                verdict = told.get(line.visitor) if line.visitor else None
                if verdict == VERIFIED or (verdict == NOT_THIS_BOT and line.key.day >= recent):
                    assert isinstance(line.counted_as, VisitKey)
                    part.lines[place] = replace(
                        line, counted_as=line.counted_as._replace(verification=verdict)
                    )
        part.lines[:] = map(without_impostors_path, part.lines)

    def _digest(self, line: bytes, occurrence: int) -> int:
        text = b"%d\0%s" % (occurrence, line)
        digest = hashlib.blake2b(text, digest_size=DIGEST_BYTES, key=self._key).digest()
        return int.from_bytes(digest, "big", signed=True)

    async def store_part(self, target: LogTarget, part: LogPart, source: Source) -> LogCounts:
        """Store the lines that were not counted before, all of them or none."""
        counts = part.counts
        async with self._database.transaction(target.company_id) as workspace:
            new = await workspace.crawler_visits.new_lines(
                target.brand.key, [line.key for line in part.lines]
            )
            fresh: list[VisitKey | ReferralKey] = []
            for line in part.lines:
                if line.key in new:
                    new.discard(line.key)  # two lines with one digest count once
                    fresh.append(line.counted_as)
            visits, referrals = await self._within_bounds(workspace, target.brand.key, fresh)
            await workspace.crawler_visits.add(target.brand.key, visits, referrals)
            counts.visits, counts.referrals = visits.total(), referrals.total()
            counts.duplicates = len(part.lines) - counts.counted
            counts.not_this_bot = sum(
                number for key, number in visits.items() if key.verification == NOT_THIS_BOT
            )
            intake = IntakeCounts(counts.lines, counts.counted, counts.duplicates, counts.skipped)
            await workspace.crawler_visits.add_intake(target.brand.key, source, intake, self._now())
        return counts

    async def _within_bounds(
        self, workspace: Workspace, brand_key: int, keys: Iterable[VisitKey | ReferralKey]
    ) -> tuple[Counter[VisitKey], Counter[ReferralKey]]:
        """Count by key; a path beyond the daily limit of a bot or product is counted under `OTHER_PATHS`."""
        visits, referrals = Counter[VisitKey](), Counter[ReferralKey]()
        known: dict[date, dict[str, set[str]]] = {}
        for key in keys:
            if key.day not in known:
                paths = known[key.day] = defaultdict[str, set[str]](set)
                for name, path in await workspace.crawler_visits.known_paths(brand_key, key.day):
                    paths[name].add(path)
            name = key.bot if isinstance(key, VisitKey) else key.product
            paths_of_name = known[key.day][name]
            if key.path not in paths_of_name and len(paths_of_name) >= MOST_PATHS:
                key = key._replace(path=OTHER_PATHS)
            paths_of_name.add(key.path)
            if isinstance(key, VisitKey):
                visits[key] += 1
            else:
                referrals[key] += 1
        return visits, referrals


def counted_line(
    key: LineKey,
    request: LoggedRequest,
    kind: CrawlerVisit | Referral,
    site: str,
    networks: PublishedNetworks,
) -> CountedLine:
    """Return the count that a request belongs to, according to the published lists."""
    if isinstance(kind, Referral):
        return CountedLine(key, ReferralKey(key.day, site, kind.product, kind.path))
    verification = networks.verify(kind.bot, request.address, request.instant)
    visit = VisitKey(key.day, site, kind.bot, kind.path, request.status // 100, verification)
    return CountedLine(
        key, visit, None if verification == VERIFIED else LoggedVisitor(kind.bot, request.address)
    )


def without_impostors_path(line: CountedLine) -> CountedLine:
    """Return a line as it is stored. An impostor's path is dropped, because no real bot requested it."""
    visit = line.counted_as
    if not isinstance(visit, VisitKey) or visit.verification != NOT_THIS_BOT:
        return line
    return replace(line, counted_as=visit._replace(path=IMPOSTORS_PATH))


def take_part(lines: Iterable[bytes]) -> Iterable[bytes]:
    """Yield the lines of one part, up to its limit of lines or bytes."""
    size = 0
    for line in islice(lines, LINES_AT_ONCE):
        yield line
        size += len(line)
        if size >= BYTES_AT_ONCE:
            return


def warnings_of(counts: LogCounts) -> list[str]:
    """Return the warnings that a user should read before trusting the counts."""
    warnings: list[str] = []
    if counts.lines and counts.unreadable == counts.lines:
        warnings.append(f"No line could be read: name the format with --format ({', '.join(FORMATS[1:])}).")
    if counts.other and counts.without_agent >= SMALLEST_SHARE * counts.lines:
        warnings.append(
            "The lines have no user agent, as in the common format, so crawlers are unknown: log the combined format."
        )
    if counts.visits >= 10 and counts.not_this_bot >= SMALLEST_SHARE * counts.visits:
        warnings.append(
            "Nearly all crawlers came from addresses that are not their operators'. If a proxy or CDN stands "
            "before the server, let the server log the visitor's address."
        )
    return warnings


class BrokenArchive(Exception):
    """A gzip file ends early or is damaged; everything before that point was yielded."""


def read_lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of an open file, decompressing gzip; a line that is too long is cut.

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
