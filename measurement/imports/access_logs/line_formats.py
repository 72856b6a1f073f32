"""Parser for access log lines: common, combined, nginx JSON, Cloudflare and CloudFront formats.

A line is read once from left to right. Whatever it holds, the outcome is a request or UnreadableLine.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from typing import Any, Final, cast
from urllib.parse import unquote

FORMATS: Final = ("auto", "combined", "common", "nginx-json", "cloudflare", "cloudfront")
MONTHS: Final = {
    name: number
    for number, name in enumerate(
        ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"), start=1
    )
}
QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
CLF_TIME: Final = re.compile(
    r"(\d\d)/([A-Z][a-z][a-z])/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)", re.ASCII
)
ADDRESS: Final = re.compile(r"[0-9a-fA-F:.]{3,45}")
CLOUDFRONT_FIELDS: Final = (
    *("date", "time", "x-edge-location", "sc-bytes", "c-ip", "cs-method", "cs(Host)", "cs-uri-stem"),
    *("sc-status", "cs(Referer)", "cs(User-Agent)", "cs-uri-query", "cs(Cookie)", "x-edge-result-type"),
    *("x-edge-request-id", "x-host-header"),
)
"""Column order of CloudFront's standard logs, for lines that come without their `#Fields` header."""
JSON_NAMES: Final[Mapping[str, Sequence[str]]] = {
    "time": (
        *("time_iso8601", "time_local", "EdgeStartTimestamp", "@timestamp", "timestamp", "time", "msec"),
        "date",
    ),
    "address": ("remote_addr", "ClientIP", "client_ip", "remote_ip", "clientip", "ip"),
    "method": ("request_method", "ClientRequestMethod", "method"),
    "target": ("request_uri", "ClientRequestURI", "uri", "url", "path"),
    "status": ("status", "EdgeResponseStatus", "status_code", "response"),
    "agent": ("http_user_agent", "ClientRequestUserAgent", "user_agent", "userAgent", "agent"),
    "referrer": ("http_referer", "ClientRequestReferer", "http_referrer", "referer", "referrer"),
    "host": ("host", "ClientRequestHost", "http_host", "server_name", "vhost"),
}
"""Names under which JSON logs hold each value; the first one present is used."""
SECONDS_BY_DIGITS: Final = ((10, 1), (13, 1_000), (16, 1_000_000), (19, 1_000_000_000))


class UnreadableLine(ValueError):
    """The line is not a request in a known format."""


@dataclass(frozen=True, slots=True)
class LoggedRequest:
    """One logged request; `host` is None where the log has no host."""

    instant: datetime
    host: str | None
    method: str
    target: str
    status: int
    agent: str
    referrer: str
    address: str


class LineReader:
    """Reads the lines of one log in order; W3C logs state their columns once."""

    def __init__(self, log_format: str = "auto") -> None:
        self._format = log_format
        self._fields: Sequence[str] = CLOUDFRONT_FIELDS if log_format == "cloudfront" else ()

    def read(self, line: str) -> LoggedRequest | None:
        """Return the request, or None for an empty line or a line about the log itself. Raises UnreadableLine."""
        line = line.strip("\r\n")
        if not line.strip():
            return None
        try:
            return self._read(line)
        except (ValueError, OverflowError, TypeError, RecursionError) as error:
            raise UnreadableLine from error

    def _read(self, line: str) -> LoggedRequest | None:
        match self._format:
            case "combined" | "common":
                return _read_combined(line)
            case "nginx-json" | "cloudflare":
                return _read_json(line)
            case "cloudfront":
                return self._read_w3c(line)
            case _:
                if line.startswith("{"):
                    return _read_json(line)
                if line.startswith("#") or self._fields:
                    return self._read_w3c(line)
                return _read_combined(line)

    def _read_w3c(self, line: str) -> LoggedRequest | None:
        if line.startswith("#"):
            if line.startswith("#Fields:"):
                self._fields = line.removeprefix("#Fields:").split()
            return None
        cells = line.split("\t") if "\t" in line else line.split()
        if len(cells) < 9 or not self._fields:
            raise UnreadableLine
        row = dict(zip(self._fields, cells, strict=False))
        query = _w3c_text(row.get("cs-uri-query", "-"))
        target = _w3c_text(row["cs-uri-stem"]) if "cs-uri-stem" in row else ""
        host = _w3c_text(row.get("x-host-header", "-")) or _w3c_text(row.get("cs(Host)", "-"))
        instant = datetime.fromisoformat(f"{row.get('date', '')}T{row.get('time', '')}+00:00")
        return LoggedRequest(
            instant,
            host or None,
            row.get("cs-method", ""),
            f"{target}?{query}" if query else target,
            _status(row.get("sc-status", "")),
            _twice_unquoted(_w3c_text(row.get("cs(User-Agent)", "-"))),
            _twice_unquoted(_w3c_text(row.get("cs(Referer)", "-"))),
            _w3c_text(row.get("c-ip", "-")),
        )


def _read_combined(line: str) -> LoggedRequest:
    opened = line.index("[")
    closed = line.index("]", opened)
    before = line[:opened].split()
    if not before:
        raise UnreadableLine
    host = None
    if len(before) >= 4 and not ADDRESS.fullmatch(before[0]) and ADDRESS.fullmatch(before[1]):
        host, *before = before  # vhost_combined
    quoted = QUOTED.finditer(line, closed)
    request = next(quoted, None)
    if request is None:
        raise UnreadableLine
    numbers = line[request.end() : request.end() + 40].split()
    if not numbers:
        raise UnreadableLine
    referrer, agent = next(quoted, None), next(quoted, None)
    method, _, rest = request[1].partition(" ")
    return LoggedRequest(
        _clf_time(line[opened + 1 : closed]),
        host,
        method,
        rest.rpartition(" ")[0] or rest,
        _status(numbers[0]),
        _absent(agent[1]) if agent else "",
        _absent(referrer[1]) if referrer else "",
        before[0],
    )


def _read_json(line: str) -> LoggedRequest:
    value: Any = json.loads(line)
    if not isinstance(value, dict):
        raise UnreadableLine
    record = cast(dict[str, Any], value)

    def named(field: str) -> Any:
        return next((record[name] for name in JSON_NAMES[field] if record.get(name) not in (None, "")), "")

    method, target = named("method"), named("target")
    if isinstance(record.get("request"), str) and " " in record["request"]:
        method, _, rest = record["request"].partition(" ")
        target = rest.rpartition(" ")[0] or rest
    return LoggedRequest(
        _json_time(named("time")),
        _text(named("host")) or None,
        _text(method),
        _text(target),
        _status(named("status")),
        _text(named("agent")),
        _text(named("referrer")),
        _text(named("address")),
    )


def _json_time(value: Any) -> datetime:
    if isinstance(value, str):
        if CLF_TIME.fullmatch(value):
            return _clf_time(value)
        try:
            instant = datetime.fromisoformat(value)
        except ValueError:
            value = float(value)
        else:
            if instant.tzinfo is None:
                instant = instant.replace(tzinfo=UTC)
            return instant.astimezone(UTC)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 10**19:
        raise UnreadableLine
    divisor = next(scale for digits, scale in SECONDS_BY_DIGITS if value < 10**digits)
    return datetime.fromtimestamp(value / divisor, UTC)


@lru_cache(maxsize=1024)
def _clf_time(text: str) -> datetime:
    parts = CLF_TIME.fullmatch(text)
    if parts is None or parts[2] not in MONTHS:
        raise UnreadableLine
    offset = timedelta(hours=int(parts[8]), minutes=int(parts[9]))
    zone = timezone(offset if parts[7] == "+" else -offset)
    day, year, hour, minute, second = (int(parts[number]) for number in (1, 3, 4, 5, 6))
    return datetime(year, MONTHS[parts[2]], day, hour, minute, min(second, 59), tzinfo=zone).astimezone(UTC)


def _status(value: Any) -> int:
    status = int(value)
    if not 100 <= status <= 599:
        raise UnreadableLine
    return status


def _text(value: Any) -> str:
    return _absent(value) if isinstance(value, str) else ""


def _absent(text: str) -> str:
    return "" if text == "-" else text


def _w3c_text(text: str) -> str:
    return "" if text == "-" else text


@lru_cache(maxsize=1024)
def _twice_unquoted(text: str) -> str:
    """Decode what CloudFront percent-encodes, sometimes twice."""
    return unquote(unquote(text))
