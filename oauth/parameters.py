"""Parameters of OAuth requests: read strictly, each at most once (RFC 6749 section 3.1)."""

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request

from oauth.errors import OAuthRefused

LONGEST = 16_384
MOST_FIELDS = 40
FORM = "application/x-www-form-urlencoded"


async def read_body(request: Request) -> bytes:
    """Return a body of at most 16 KB. Raises OAuthRefused for a longer one."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LONGEST:
            raise OAuthRefused("invalid_request", "The body is too long.")
    return bytes(body)


async def read_form(request: Request) -> Mapping[str, str]:
    """Return the fields of a form. Raises OAuthRefused for another media type or a repeated field."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
        raise OAuthRefused("invalid_request", f"The body must be {FORM}.")
    return parse(await read_body(request))


def parse(encoded: bytes) -> Mapping[str, str]:
    """Read URL-encoded parameters; empty ones count as absent (RFC 6749 section 3.1). Raises OAuthRefused."""
    try:
        text = encoded.decode("ascii")
        pairs = parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except (ValueError, UnicodeError) as error:
        raise OAuthRefused("invalid_request", "The parameters cannot be read.") from error
    values_by_name = dict(pairs)
    if len(values_by_name) != len(pairs):
        raise OAuthRefused("invalid_request", "A parameter is repeated.")
    if any("\0" in value for value in values_by_name.values()):
        raise OAuthRefused("invalid_request", "The parameters cannot be read.")
    return {name: value for name, value in values_by_name.items() if value}


def added(uri: str, parameters: Mapping[str, str]) -> str:
    """Return a redirect URI with parameters added; what it came with stays as it was written."""
    joint = "?" if "?" not in uri else "" if uri.endswith(("?", "&")) else "&"
    return f"{uri}{joint}{urlencode(parameters)}"
