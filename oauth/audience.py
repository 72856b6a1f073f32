"""Resource indicators (RFC 8707): which addresses a token of this service is for."""

from oauth.errors import OAuthRefused

ENDPOINTS = ("", "/mcp", "/api/mcp-app")
"""Paths, below the base address, of what is protected; the first is the service as a whole."""


class Audiences:
    """The accepted resource identifiers of one deployment; `base_url` has no trailing slash."""

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        self._accepted = frozenset(base_url + path for path in ENDPOINTS)

    def __contains__(self, resource: str) -> bool:
        return resource in self._accepted

    def canonical(self, resource: str | None) -> str:
        """Return the resource without the slash that some clients add; none means the whole service.

        Raises OAuthRefused for another service's.
        """
        if resource is None:
            return self.base_url
        audience = resource.removesuffix("/")
        if audience not in self._accepted:
            raise OAuthRefused("invalid_target", "The resource is not one of this service.")
        return audience
