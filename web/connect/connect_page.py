"""The page that gives each client what it needs to connect, filled in with this server's address."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.responses import Response

from oauth.product import KEY_VARIABLE
from web.connect.install_links import install_texts
from web.request import PageRequest


async def show_connect(request: PageRequest) -> Response:
    """Show the page, which needs no sign-in."""
    base_url = request.services.base_url
    return request.render(
        "connect/connect.html",
        endpoint=f"{base_url}/mcp",
        texts=install_texts(base_url, oauth=request.services.oauth),
        key_variable=KEY_VARIABLE,
        reachable=is_public(base_url),
        oauth=request.services.oauth,
    )


def is_public(base_url: str) -> bool:
    """Whether services on the internet can use this address: https, and not this machine alone."""
    parts = urlsplit(base_url)
    host = parts.hostname or ""
    try:
        public = ip_address(host).is_global
    except ValueError:
        public = host != "localhost" and not host.endswith((".localhost", ".local", ".internal", ".test"))
    return parts.scheme == "https" and public
