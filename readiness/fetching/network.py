"""How hosts become sockets, for every request of a scan."""

import ssl
from dataclasses import dataclass

import httpcore2

from readiness.fetching.dialing import Resolver, system_resolver


@dataclass(frozen=True, slots=True)
class Network:
    """How hosts become sockets; tests and nothing else put their own in."""

    resolve: Resolver = system_resolver
    dial: httpcore2.AsyncNetworkBackend | None = None
    tls: ssl.SSLContext | None = None
