"""Why a site could not be seen, each reason in a sentence of ours."""

from collections.abc import Mapping

from readiness.fetching.errors import Reason

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
