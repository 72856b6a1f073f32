"""The explicit map from a platform's name to the engine that asks it."""

import difflib
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self

from engines import anthropic, compatible, deepseek, gemini, mistral, openai, perplexity, xai
from engines.engine import SUPPLIED, Credential, Engine, Mode
from engines.errors import UnknownPlatform
from engines.local import PARALLEL, LocalEngine
from engines.settings import LOCAL, CompatibleSettings, EngineSettings, HostedSettings, SurfaceSettings
from engines.suppliers import brightdata, cloro, dataforseo, serpapi
from engines.suppliers.supplier_api import SupplierApi
from engines.suppliers.supplier_engine import SupplierEngine
from engines.transport.concurrency_limits import PER_CREDENTIAL, ConcurrencyLimits
from engines.transport.connection import Transport
from engines.transport.http import Adapter, HttpConfig, HttpEngine
from engines.transport.retries import Timing

HOSTED: Mapping[str, Callable[[HostedSettings], Adapter]] = {
    "chatgpt": lambda _settings: openai.ADAPTER,
    "claude": lambda settings: anthropic.adapter(settings.option),
    "gemini": lambda settings: gemini.adapter(settings.option),
    "perplexity": lambda settings: perplexity.adapter(settings.option),
    "grok": lambda settings: xai.adapter(settings.option),
    "deepseek": lambda settings: deepseek.adapter(settings.option),
    "mistral": lambda settings: mistral.adapter(settings.option),
}
SUPPLIERS: Mapping[str, Callable[[SurfaceSettings], SupplierApi]] = {
    dataforseo.SUPPLIER: lambda _settings: dataforseo.API,
    cloro.SUPPLIER: lambda _settings: cloro.API,
    brightdata.SUPPLIER: lambda settings: brightdata.api(settings.zone),
    serpapi.SUPPLIER: lambda _settings: serpapi.API,
}
COMPATIBLE = {"chat": compatible.ADAPTER, "responses": openai.ADAPTER}


class Registry:
    """Every engine of one event loop. Building it is cheap: nothing is loaded, opened or asked.

    Close it in the loop it was used in, with `aclose` or `async with`.
    """

    def __init__(self, settings: EngineSettings, timing: Timing | None = None) -> None:
        self._timing = timing
        self._concurrency = settings.concurrency
        self._rate = settings.rate
        self._transport = Transport()
        self._local = LocalEngine(
            settings.concurrency.get(LOCAL, PARALLEL), timing, weights=settings.local_weights
        )
        self._engines: dict[str, Engine] = {LOCAL: self._local}
        self._credentials: dict[str, Credential | None] = {}
        self._keyless: set[str] = set()
        for platform, hosted in settings.hosted.items():
            self._engines[platform] = self._hosted(platform, hosted)
            self._credentials[platform] = hosted.credential
        for entry in settings.compatible:
            self._engines[entry.platform] = self._compatible(entry)
            self._credentials[entry.platform] = entry.credential
            if entry.credential is None:
                self._keyless.add(entry.platform)
        self._supplier_limits: dict[str, ConcurrencyLimits] = {}
        self._offered = set[str]()
        for entry in (*settings.offered, *settings.surfaces):
            supplied = self._supplied(entry)
            self._engines[supplied.platform] = supplied
            self._credentials[supplied.platform] = entry.credential
            self._offered.add(supplied.platform)
        self._offered -= {f"{entry.surface}{SUPPLIED}{entry.supplier}" for entry in settings.surfaces}

    @property
    def platforms(self) -> tuple[str, ...]:
        """Names of all engines that the server knows of, sorted; AI surfaces only where it is set up for them."""
        return tuple(sorted(self._engines.keys() - self._offered))

    def __contains__(self, platform: str) -> bool:
        """Return whether the platform can be asked with a key, be it the server's or a company's."""
        return platform in self._engines

    @property
    def configured_platforms(self) -> tuple[str, ...]:
        """Names of the engines that can be asked without a workspace's own key, sorted."""
        return tuple(platform for platform in self.platforms if self.configured(platform))

    def get(self, platform: str) -> Engine:
        """The engine of a platform, whatever its case. Raises UnknownPlatform, which names the nearest."""
        name = platform.strip().casefold()
        engine = self._engines.get(name)
        if engine is None:
            raise UnknownPlatform(platform, difflib.get_close_matches(name, self.platforms, n=2, cutoff=0.5))
        return engine

    def credential(self, platform: str) -> Credential | None:
        """The server's own credential for a platform, or None. Raises UnknownPlatform."""
        return self._credentials.get(self.get(platform).platform)

    def configured(self, platform: str) -> bool:
        """Whether the platform can be asked without a workspace's own key. Raises UnknownPlatform."""
        name = self.get(platform).platform
        if name == LOCAL:
            return self._local.configured
        return name in self._keyless or self._credentials.get(name) is not None

    def width(self, platform: str) -> int:
        """How many asks of a platform one credential may have open. Raises UnknownPlatform."""
        name = self.get(platform).platform
        return self._concurrency.get(name, PARALLEL if name == LOCAL else PER_CREDENTIAL)

    async def aclose(self) -> None:
        """Close the connections and let go of the local model."""
        await self._transport.aclose()
        await self._local.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def _hosted(self, platform: str, settings: HostedSettings) -> HttpEngine:
        config = HttpConfig(
            platform=platform,
            base_url=settings.base_url,
            model=settings.model,
            modes=frozenset(Mode),
            cites=frozenset({Mode.READINESS}),
            per_credential=self._concurrency.get(platform, PER_CREDENTIAL),
            per_minute=self._rate.get(platform),
        )
        return HttpEngine(config, HOSTED[platform](settings), self._transport, self._timing)

    def _supplied(self, entry: SurfaceSettings) -> SupplierEngine:
        api = SUPPLIERS[entry.supplier](entry)
        limits = self._supplier_limits.get(api.name)
        if limits is None:
            limits = self._supplier_limits[api.name] = self._limits_of(api)
        return SupplierEngine(
            entry.surface, api, entry.base_url or api.base_url, self._transport, self._timing, limits
        )

    def _limits_of(self, api: SupplierApi) -> ConcurrencyLimits:
        """What one account at a supplier may be asked over all of its surfaces, which share its limits."""
        platforms = [f"{surface}{SUPPLIED}{api.name}" for surface in api.surfaces]
        width = max(self._concurrency.get(platform, PER_CREDENTIAL) for platform in platforms)
        return ConcurrencyLimits(
            width, min(self._rate.get(platform, api.per_minute) for platform in platforms)
        )

    def _compatible(self, entry: CompatibleSettings) -> HttpEngine:
        searches = {Mode.READINESS} if entry.search_tool is not None else set[Mode]()
        config = HttpConfig(
            platform=entry.platform,
            base_url=entry.base_url,
            model=entry.model,
            modes=frozenset({Mode.VISIBILITY} | searches),
            cites=frozenset(searches),
            needs_credential=False,
            headers=entry.headers,
            per_credential=self._concurrency.get(entry.platform, PER_CREDENTIAL),
            per_minute=self._rate.get(entry.platform),
            search_tool=entry.search_tool,
            extra_body=entry.extra_body,
        )
        return HttpEngine(config, COMPATIBLE[entry.api], self._transport, self._timing)
