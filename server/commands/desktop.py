"""MCP on standard input and output, for one local client; it loads nothing that only a web server needs."""

import os
import sys

from oauth.api_keys import EVERYTHING
from oauth.errors import CredentialRefused
from oauth.principal import Caller, Principal
from server.logs import configure_logging
from server.readiness_resources import ReadinessReports, readiness_method
from server.service import Service
from server.stdio import create_stdio_server, serve_stdio
from workflows.errors import WorkError

LOCAL_CALLS_A_MINUTE = 600
EXECUTE_AFTER_SECONDS = 3.0


async def stdio(service: Service) -> None:
    """Serve MCP on standard input and output in the name of one key, or of the only company there is."""
    configure_logging(service.settings.log_format, stream=sys.stderr)
    caller = Caller(await local_principal(service), "stdio")
    resources = (readiness_method(), ReadinessReports(service.database))
    server = create_stdio_server(service.dispatcher, caller, resources)
    async with service.background(EXECUTE_AFTER_SECONDS):
        await serve_stdio(server)


async def local_principal(service: Service) -> Principal | None:
    """Name the caller. Raises WorkError for a key that is refused; without key and company only public tools work."""
    raw = os.environ.get("SEENBY_API_KEY", "").strip()
    if raw:
        try:
            return await service.authenticator.authenticate(f"Bearer {raw}")
        except CredentialRefused as refused:
            raise WorkError(
                f"SEENBY_API_KEY: {refused.message}", "Make one with: seenby keys create"
            ) from refused
    companies = await service.database.operators.companies.all()
    if len(companies) == 1:
        return Principal(companies[0].id, "local", EVERYTHING, LOCAL_CALLS_A_MINUTE)
    return None
