"""Rules for addresses in settings and options. Each rule returns one sentence per fault."""

from collections.abc import Iterable
from importlib.util import find_spec
from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit

REDIS_SCHEMES = ("redis", "rediss", "unix")
HIGHEST_PORT = 65_535


def is_plain_origin(url: str) -> bool:
    """Whether a URL is http(s)://host[:port] and nothing more."""
    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname)
        sound = sound and (parts.port is None or parts.port > 0)
    except ValueError:
        return False
    return sound and not (parts.path or parts.query or parts.fragment or parts.username is not None)


def listening_faults(host: str, port: int) -> list[str]:
    """Say what is wrong with the options of a server that say where it listens."""
    faults: list[str] = []
    if not 1 <= port <= HIGHEST_PORT:
        faults.append(f"--port must be a whole number from 1 to {HIGHEST_PORT}, not {port}")
    if not is_plain_origin(f"http://{bracketed(host)}"):
        faults.append("--host must be an address or a host name without scheme and port, such as 127.0.0.1")
    return faults


def bracketed(host: str) -> str:
    """Return a host as written in a URL: IPv6 addresses are in brackets."""
    try:
        return f"[{host}]" if ip_address(host).version == 6 else host
    except ValueError:
        return host


def proxy_faults(name: str, proxies: Iterable[str]) -> list[str]:
    """Return a fault for each trusted proxy that is neither an address nor a network."""
    return [
        f"{name}: {shortened(proxy)} is no address or network, such as 10.0.0.1 or 10.0.0.0/8"
        for proxy in proxies
        if not _is_network(proxy)
    ]


def origin_faults(name: str, origins: Iterable[str]) -> list[str]:
    """Return a fault for each allowed origin that no browser would send."""
    return [
        f"{name}: {shortened(origin)} is no origin, such as https://app.example or http://app.example:*"
        for origin in origins
        if origin != "*" and not is_plain_origin(origin.removesuffix(":*"))
    ]


def host_faults(name: str, hosts: Iterable[str]) -> list[str]:
    """Say which allowed hosts no Host header would name."""
    return [
        f"{name}: {shortened(host)} is no host name, such as seenby.example or seenby.example:*"
        for host in hosts
        if host != "*" and not is_plain_origin(f"http://{host.removesuffix(':*')}")
    ]


def redis_faults(name: str, url: str) -> list[str]:
    """Say what is wrong with the URL of a Redis server, or that its client is not installed."""
    try:
        parts = urlsplit(url)
        sound = parts.scheme in REDIS_SCHEMES and bool(
            parts.path if parts.scheme == "unix" else parts.hostname
        )
        sound = sound and (parts.port is None or parts.port > 0)
    except ValueError:
        sound = False
    if not sound:
        return [f"{name} must be redis://host:port/number, rediss:// for TLS, or unix://path"]
    return missing_extra(name, "redis", "redis")


def missing_extra(name: str, module: str, extra: str) -> list[str]:
    """Say which extra a setting needs and how it is installed, when its module is not there."""
    if find_spec(module) is not None:
        return []
    return [f"{name} needs the extra {extra}: pip install 'seenby[{extra}]'"]


def shortened(value: str) -> str:
    """Return a value of the operator's own as a message can show it."""
    return repr(value[:60])


def _is_network(text: str) -> bool:
    try:
        ip_network(text)
    except ValueError:
        return False
    return True


def parse_resolver(server: str) -> tuple[str, int]:
    """Return address and port of a resolver, 53 where none is given. Raises ValueError for what is no address."""
    if server.startswith("["):
        host, _, port = server[1:].partition("]")
        port = port.removeprefix(":")
    elif server.count(":") == 1:
        host, _, port = server.partition(":")
    else:
        host, port = server, ""
    number = int(port) if port else 53
    if not 0 < number <= HIGHEST_PORT:
        raise ValueError(server)
    return str(ip_address(host)), number
