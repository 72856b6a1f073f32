"""Clients: their metadata, their redirects, and client authentication."""

import base64
import binascii
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import unquote_plus, urlsplit

from oauth.client_documents import ClientDocuments, described
from oauth.errors import ClientUnknown, DocumentRefused
from oauth.signing import Digests
from storage.database import Database
from storage.repositories.oauth_clients import StoredClient

LONGEST_ID = 512


@dataclass(frozen=True, slots=True)
class Client:
    """One client. `host` serves its metadata document; None for a registered client."""

    id: str
    name: str
    host: str | None
    redirect_uris: tuple[str, ...]
    auth_method: str
    secret_digest: str | None

    @classmethod
    def of(cls, stored: StoredClient) -> "Client":
        """Read a stored client."""
        return cls.described(stored.id, stored.document, stored.source == "document", stored.secret_digest)

    @classmethod
    def described(
        cls, client_id: str, document: Mapping[str, Any], own: bool, secret_digest: str | None = None
    ) -> "Client":
        """Read a client's metadata, which was checked when it came."""
        return cls(
            id=client_id,
            name=str(document.get("client_name") or ""),
            host=urlsplit(client_id).netloc if own else None,
            redirect_uris=tuple(document["redirect_uris"]),
            auth_method="none" if own else str(document["token_endpoint_auth_method"]),
            secret_digest=secret_digest,
        )


class Clients:
    """Finds clients and checks their credentials."""

    def __init__(
        self, database: Database, documents: ClientDocuments, secrets: Digests, now: Callable[[], datetime]
    ) -> None:
        self._database = database
        self._documents = documents
        self._secrets = secrets
        self._now = now

    async def find(self, client_id: str, address: str) -> Client:
        """Return the client of an authorization request; its own document may have to be fetched.

        Raises ClientUnknown.
        """
        if not client_id.startswith("https://"):
            return await self._stored(client_id)
        if len(client_id) > LONGEST_ID:
            raise ClientUnknown
        stored = await self._database.operators.oauth_clients.find(client_id)
        vouched = await self._database.operators.pinned_clients.find(client_id)
        try:
            document = (
                described(vouched.id, vouched.name, vouched.redirect_uris)
                if vouched
                else await self._documents.document(client_id, address, stored.document if stored else None)
            )
        except DocumentRefused as error:
            raise ClientUnknown from error
        if stored is None or stored.document != document:
            async with self._database.operation() as operators:
                await operators.oauth_clients.keep_document(client_id, document, self._now())
        return Client.described(client_id, document, own=True)

    async def authenticated(self, form: Mapping[str, str], authorization: str | None) -> Client:
        """Return the client of a token request, by body or by Basic (RFC 6749 section 2.3.1).

        Raises ClientUnknown.
        """
        client_id, secret = form.get("client_id"), form.get("client_secret")
        if authorization is not None:
            named, secret = basic(authorization)
            if client_id not in (None, named):
                raise ClientUnknown
            client_id = named
        client = await self._stored(client_id or "")
        if client.secret_digest is None:
            if secret:
                raise ClientUnknown
        elif not secret or not self._secrets.matches(secret, client.secret_digest):
            raise ClientUnknown
        return client

    async def _stored(self, client_id: str) -> Client:
        if not client_id or len(client_id) > LONGEST_ID:
            raise ClientUnknown
        stored = await self._database.operators.oauth_clients.find(client_id)
        if stored is None:
            raise ClientUnknown
        return Client.of(stored)


def basic(authorization: str) -> tuple[str, str]:
    """Read client id and secret from a Basic header, each form-encoded. Raises ClientUnknown."""
    scheme, _, encoded = authorization.partition(" ")
    try:
        name, colon, secret = base64.b64decode(encoded.strip(), validate=True).decode("ascii").partition(":")
    except (binascii.Error, ValueError) as error:
        raise ClientUnknown from error
    if scheme.lower() != "basic" or not colon:
        raise ClientUnknown
    return unquote_plus(name), unquote_plus(secret)
