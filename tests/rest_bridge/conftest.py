"""The REST bridge over the small table, with two keys and an in-process client."""

from collections.abc import AsyncGenerator

import httpx2
import pytest
from pydantic_core import to_json
from starlette.applications import Starlette
from starlette.routing import Route

from oauth.errors import EXPIRED, INVALID, CredentialNotChecked, CredentialRefused
from oauth.principal import Caller, Principal
from rest_bridge.docs import docs_routes
from rest_bridge.documents import CachedDocument
from rest_bridge.openapi import openapi_document
from rest_bridge.routes import OPENAPI_PATH, RestBridge
from server.http.front_door import FrontDoor
from server.http.origins import OriginGuard, allowed_hosts, allowed_origins
from server.http.proxies import TrustedProxies
from tools.calls.dispatch import Dispatcher
from tools.calls.table import ToolTable

BASE = "https://seenby.example"


class TwoKeys:
    """Knows `Bearer read` and `Bearer write`, one expired key, and one that breaks the check."""

    def __init__(self, reader: Caller, writer: Caller) -> None:
        self._known = {"Bearer read": reader.principal, "Bearer write": writer.principal}

    async def authenticate(self, authorization: str | None) -> Principal | None:
        if authorization is None:
            return None
        if authorization == "Bearer crash":
            raise RuntimeError("secret words of a driver")
        if authorization in self._known:
            return self._known[authorization]
        if authorization == "Bearer unlucky":
            raise CredentialNotChecked
        words = {"Bearer old": EXPIRED}
        raise CredentialRefused(words.get(authorization, INVALID))


@pytest.fixture
def oauth() -> bool:
    return True


@pytest.fixture
def app(dispatcher: Dispatcher, table: ToolTable, reader: Caller, writer: Caller, oauth: bool) -> FrontDoor:
    document = openapi_document(table, BASE, oauth=oauth)
    bridge = RestBridge(dispatcher, TwoKeys(reader, writer), BASE, oauth=oauth)
    described = CachedDocument(to_json(document), "application/json")
    routes = [
        Route(OPENAPI_PATH, described),
        *docs_routes(lambda: document),
        bridge.route,
        bridge.other_paths,
    ]
    served = Starlette(routes=routes)
    guard = OriginGuard(served, hosts=allowed_hosts(BASE), origins=allowed_origins(BASE))
    return FrontDoor(served, guard=guard, proxies=TrustedProxies())


@pytest.fixture
async def client(app: FrontDoor) -> AsyncGenerator[httpx2.AsyncClient]:
    transport = httpx2.ASGITransport(app=app, client=("192.0.2.1", 5000))
    async with httpx2.AsyncClient(transport=transport, base_url=BASE) as client:
        yield client
