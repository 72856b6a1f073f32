"""Why a URL is rejected, a fetch fails or a scan ends without a report, in fixed texts."""

from collections.abc import Mapping
from enum import StrEnum


class Reason(StrEnum):
    """Why something could not be seen; the only thing a caller ever learns about a failure."""

    DNS = "dns"
    REFUSED_ADDRESS = "refused_address"
    REFUSED_URL = "refused_url"
    TLS = "tls"
    TIMEOUT = "timeout"
    CONNECTION = "connection"
    PROTOCOL = "protocol"
    ENCODING = "encoding"
    MEDIA_TYPE = "media_type"
    TOO_LARGE = "too_large"
    REDIRECTS = "redirects"
    DOWNGRADE = "downgrade"
    OFF_SITE = "off_site"
    HTTP_ERROR = "http_error"
    ROBOTS_DISALLOWED = "robots_disallowed"
    BUDGET = "budget"
    UNPARSABLE = "unparsable"
    TOO_SLOW = "too_slow"
    CHALLENGED = "challenged"
    VISIT_REFUSED = "visit_refused"
    PLACEHOLDER = "placeholder"
    NOT_FETCHED = "not_fetched"
    JAVASCRIPT_ONLY = "javascript_only"
    PROBE_NOT_AUTHORISED = "probe_not_authorised"
    CONTROL_REFUSED = "control_refused"
    BROWSER_FAILED = "browser_failed"


class UrlRefused(ValueError):
    """A URL that the rules reject before any DNS lookup; `reason` is always `refused_url`."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.reason = Reason.REFUSED_URL


class FetchFailed(Exception):
    """A request that brought no usable answer; blocked and unreachable differ only by `reason`."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


class ScanFailed(Exception):
    """A scan that could not reach the home page, so there is nothing to report on."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(f"The scan ended without a report: {reason.value}")
        self.reason = reason


class ScanError(Exception):
    """Base of the failures below; `message` is a sentence, `hint` says what to do next."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class ScanRefused(ScanError):
    """A readiness scan that was not started."""


class ScanUnderWay(ScanRefused):
    """A scan that was not started because the same company is scanning the same URL already: `scan_id`."""

    def __init__(self, scan_id: str) -> None:
        super().__init__("this address is being scanned for you already", "Watch that scan.")
        self.scan_id = scan_id


class ScanWithoutReport(ScanError):
    """A readiness scan that could not read the home page; `reason` is one of the scanner's words."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(
            f"the scan ended without a report ({reason}): {sentence}",
            "The last completed report stays. Try again when the site answers.",
        )
        self.reason = reason


SENTENCES: Mapping[Reason, str] = {
    Reason.DNS: "the host name cannot be resolved",
    Reason.REFUSED_ADDRESS: "the host leads to an address that is not visited",
    Reason.TLS: "no trusted TLS connection could be made",
    Reason.TIMEOUT: "the home page did not answer in time",
    Reason.CONNECTION: "no connection could be made",
    Reason.PROTOCOL: "the answer was not valid HTTP",
    Reason.ENCODING: "the answer could not be decoded",
    Reason.MEDIA_TYPE: "the home page is not an HTML page",
    Reason.TOO_LARGE: "the home page is too large",
    Reason.REDIRECTS: "the home page redirects too often",
    Reason.DOWNGRADE: "the home page redirects from https to http",
    Reason.OFF_SITE: "the home page redirects to another site",
    Reason.HTTP_ERROR: "the home page gave no usable answer",
    Reason.ROBOTS_DISALLOWED: "robots.txt keeps our bot away from the home page",
    Reason.BUDGET: "the scan's budget was spent before the home page was read",
    Reason.UNPARSABLE: "the home page could not be parsed",
}
