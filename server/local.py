"""The service for one local client, and the account it acts for."""

import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from measurement.errors import UnknownName, WorkError
from oauth.api_keys import EVERYTHING
from oauth.errors import CredentialRefused
from oauth.principal import Caller, Principal
from server.logs import configure_logging
from server.mcp.handlers import ServiceHandlers, local_handlers
from server.mcp.readiness_resources import ReadinessReports, readiness_method
from server.service import Service, open_service
from server.settings import Settings
from server.settings_file import load_settings_file
from storage.repositories.companies import Company

LOCAL_CALLS_A_MINUTE = 600
EXECUTE_AFTER_SECONDS = 3.0


@asynccontextmanager
async def open_local() -> AsyncGenerator[ServiceHandlers]:
    """Open the service configured in the environment, for one API key or for the only company.

    Raises InvalidSettings, StorageError, and WorkError for a rejected key.
    """
    load_settings_file(os.environ)
    settings = Settings.from_environ(os.environ)
    configure_logging(settings.log_format, stream=sys.stderr)
    async with open_service(settings) as service:
        caller = Caller(await local_principal(service), "stdio")
        resources = (readiness_method(), ReadinessReports(service.database))
        async with service.background_work.running(EXECUTE_AFTER_SECONDS):
            yield local_handlers(service.dispatcher, caller, resources)


async def local_principal(service: Service) -> Principal | None:
    """Return the caller. Without a key and a company, only public tools work. Raises WorkError for a rejected key."""
    raw = os.environ.get("SEENBY_API_KEY", "").strip()
    if raw:
        try:
            return await service.authenticator.authenticate(f"Bearer {raw}")
        except CredentialRefused as refused:
            raise WorkError(
                f"SEENBY_API_KEY: {refused.message}", "Make one with: seenby keys create"
            ) from refused
    company = await local_company(service)
    return Principal(company.id, "local", EVERYTHING, LOCAL_CALLS_A_MINUTE) if company else None


async def local_company(service: Service) -> Company | None:
    """Return the company that SEENBY_COMPANY names, or the only company. Raises UnknownName."""
    companies = await service.database.operators.companies.all()
    name = os.environ.get("SEENBY_COMPANY", "").strip()
    if not name:
        return companies[0] if len(companies) == 1 else None
    company = await service.database.operators.companies.find(name)
    if company is None:
        raise UnknownName("company", name, [known.name for known in companies])
    return company
