"""The engines configured by the environment, fully validated before any request is sent."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, cast
from urllib.parse import urlsplit

from engines.engine import SUPPLIED, Credential
from engines.errors import InvalidEngineSettings

PREFIX = "SEENBY_ENGINE_"
COMPATIBLE = f"{PREFIX}COMPATIBLE"
SUPPLIER = "SEENBY_SUPPLIER_"
SURFACES = "SEENBY_SURFACES"
SURFACES_OF: Mapping[str, frozenset[str]] = {
    "dataforseo": frozenset(
        {"google_ai_overview", "google_ai_mode", "chatgpt_app", "gemini_app", "bing_copilot"}
    ),
    "cloro": frozenset(
        {
            *("google_ai_overview", "google_ai_mode", "chatgpt_app", "gemini_app"),
            *("copilot", "perplexity_app", "grok_app"),
        }
    ),
    "brightdata": frozenset(
        {
            *("google_ai_overview", "google_ai_mode", "chatgpt_app", "gemini_app"),
            *("copilot", "perplexity_app"),
        }
    ),
    "serpapi": frozenset({"google_ai_overview", "google_ai_mode", "bing_copilot"}),
}
"""The AI surfaces that each data provider supports."""
SUPPLIER_PARTS: Mapping[str, tuple[str, ...]] = {
    "DATAFORSEO": ("LOGIN", "PASSWORD", "BASE_URL"),
    "CLORO": ("API_KEY", "BASE_URL"),
    "BRIGHTDATA": ("API_KEY", "ZONE", "BASE_URL"),
    "SERPAPI": ("API_KEY", "BASE_URL"),
}
"""The suffixes of each data provider's variables."""
OPTIONAL_PARTS = frozenset({"BASE_URL", "ZONE"})
"""The suffixes with a default."""
ZONE = "sdk_serp"
"""Bright Data's zone for results pages, with the name that its official client creates."""
ZONE_FORM = re.compile(r"[a-zA-Z0-9_-]{1,63}")
CONCURRENCY = f"{PREFIX}CONCURRENCY"
RATE = f"{PREFIX}RATE"
PLATFORM = re.compile(r"[a-z][a-z0-9_-]{1,31}")
CHANNEL_PLATFORM = re.compile(r"[a-z][a-z0-9_-]{1,31}(@[a-z][a-z0-9_-]{1,31})?")
"""A platform, or an AI surface at its data provider: `google_ai_mode@dataforseo`."""
HEADER_NAME = re.compile(r"[A-Za-z0-9-]+")
OWN_FIELDS = frozenset({"model", "messages", "input", "tools", "stream"})
"""Request fields that only our code may set, so that the stored question equals the one sent."""
WIDEST = 256
FASTEST = 100_000
LOCAL = "local"


@dataclass(frozen=True, slots=True)
class HostedDefault:
    """A hosted provider's name in variables, and its default endpoint."""

    variable: str
    base_url: str
    model: str
    option: str = ""
    """Name of the one additional variable of this provider."""
    option_default: str = ""
    option_form: str = ""
    """Regular expression of its valid values."""


HOSTED: Mapping[str, HostedDefault] = {
    "chatgpt": HostedDefault("OPENAI", "https://api.openai.com/v1", "gpt-5.5"),
    "claude": HostedDefault(
        "ANTHROPIC",
        "https://api.anthropic.com",
        "claude-sonnet-5-5",
        "SEARCH_TOOL",
        "web_search_20250305",
        r"web_search_\d{8}",
    ),
    "gemini": HostedDefault(
        "GEMINI",
        "https://generativelanguage.googleapis.com",
        "gemini-3.8-flash",
        "API",
        "interactions",
        "interactions|generate_content",
    ),
    "perplexity": HostedDefault(
        "PERPLEXITY",
        "https://api.perplexity.ai",
        "perplexity/sonar",
        "PATH",
        "/v1/responses",
        r"(?:/[\w.-]+)+",
    ),
    "grok": HostedDefault("XAI", "https://api.x.ai/v1", "grok-4.6", "LOCATION", "none", "none|user_location"),
    "deepseek": HostedDefault(
        "DEEPSEEK",
        "https://api.deepseek.com/anthropic",
        "deepseek-flash",
        "SEARCH_TOOL",
        "deepseek_web_search",
        r"deepseek_web_search|web_search_\d{8}",
    ),
    "mistral": HostedDefault(
        "MISTRAL",
        "https://api.mistral.ai",
        "mistral-medium-latest",
        "SEARCH_TOOL",
        "web_search",
        "web_search|web_search_premium",
    ),
}
RESERVED = frozenset({*HOSTED, LOCAL})


@dataclass(frozen=True, slots=True)
class HostedSettings:
    """One hosted provider."""

    base_url: str
    model: str
    option: str = ""
    """Claude, DeepSeek, Mistral: the search tool. Gemini: which API. Perplexity: path of the API. Grok: how a
    location is sent with a search."""
    credential: Credential | None = None


@dataclass(frozen=True, slots=True)
class CompatibleSettings:
    """One OpenAI-compatible endpoint."""

    platform: str
    base_url: str
    model: str
    api: Literal["chat", "responses"] = "chat"
    credential: Credential | None = None
    search_tool: Mapping[str, object] | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    extra_body: Mapping[str, object] = field(default_factory=dict[str, object])
    """Additional fields of the endpoint, sent in each request."""


@dataclass(frozen=True, slots=True)
class SurfaceSettings:
    """One AI surface at one data provider."""

    surface: str
    supplier: str
    base_url: str
    """Empty for the data provider's default."""
    credential: Credential | None = None
    zone: str = ZONE
    """For Bright Data: the account's name for its access to results pages."""


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """The configuration of every engine."""

    hosted: Mapping[str, HostedSettings] = field(default_factory=dict[str, HostedSettings])
    compatible: tuple[CompatibleSettings, ...] = ()
    concurrency: Mapping[str, int] = field(default_factory=dict[str, int])
    """Maximum concurrent requests per credential, by platform."""
    rate: Mapping[str, int] = field(default_factory=dict[str, int])
    """Requests per minute and credential, by platform."""
    local_weights: tuple[Path, ...] = ()
    """Files that may hold the built-in model's weights, best place first."""
    surfaces: tuple[SurfaceSettings, ...] = ()
    """AI surfaces queried through data providers with the server's key; none unless configured."""
    offered: tuple[SurfaceSettings, ...] = ()
    """Every AI surface at every data provider, which a company may bring a key for."""

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> "EngineSettings":
        """Parse `SEENBY_ENGINE_*`. Raises InvalidEngineSettings with all faults at once and without their values.

        A key alone configures a hosted provider; `..._BASE_URL` and `..._MODEL` override its defaults.
        """
        reader = _EngineReader(environ)
        hosted = {platform: reader.hosted(default) for platform, default in HOSTED.items()}
        compatible = reader.compatible()
        surfaces, offered = reader.surfaces(), reader.offered()
        seen = {f"{entry.surface}{SUPPLIED}{entry.supplier}" for entry in surfaces}
        known = RESERVED | {entry.platform for entry in compatible} | seen
        concurrency = reader.limits(CONCURRENCY, known, WIDEST)
        rate = reader.limits(RATE, known - {LOCAL}, FASTEST)
        if reader.faults:
            raise InvalidEngineSettings(list(dict.fromkeys(reader.faults)))
        return cls(hosted, compatible, concurrency, rate, surfaces=surfaces, offered=offered)


class _EngineReader:
    """Collects faults while parsing, so that all of them are reported at once."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self.faults: list[str] = []

    def hosted(self, default: HostedDefault) -> HostedSettings:
        name = PREFIX + default.variable
        base_url = self._value(f"{name}_BASE_URL") or default.base_url
        self._check_url(f"{name}_BASE_URL", base_url)
        credential = self._credential(f"{name}_API_KEY", self._value(f"{name}_API_KEY"))
        option = self._value(f"{name}_{default.option}") or default.option_default
        if default.option and re.fullmatch(default.option_form, option) is None:
            self.faults.append(f"{name}_{default.option} must match {default.option_form}")
        return HostedSettings(base_url, self._value(f"{name}_MODEL") or default.model, option, credential)

    def compatible(self) -> tuple[CompatibleSettings, ...]:
        value = self._value(COMPATIBLE)
        if not value:
            return ()
        try:
            entries: object = json.loads(value)
        except (ValueError, RecursionError):
            self.faults.append(f"{COMPATIBLE} is not JSON")
            return ()
        if not isinstance(entries, list):
            self.faults.append(f"{COMPATIBLE} is not a list")
            return ()
        read = [self._entry(index, entry) for index, entry in enumerate(cast(list[object], entries))]
        engines = [engine for engine in read if engine is not None]
        names = [engine.platform for engine in engines]
        for name in sorted({name for name in names if names.count(name) > 1}):
            self.faults.append(f"{COMPATIBLE} names the platform {name} twice")
        return tuple(engines)

    def surfaces(self) -> tuple[SurfaceSettings, ...]:
        entries: list[SurfaceSettings] = []
        for part in filter(None, (part.strip() for part in self._value(SURFACES).split(","))):
            surface, _, supplier = (piece.strip().casefold() for piece in part.partition("="))
            if surface not in SURFACES_OF.get(supplier, frozenset()):
                self.faults.append(
                    f"{SURFACES} must list surface=supplier, for example google_ai_mode=dataforseo; suppliers: "
                    + "; ".join(f"{name} ({', '.join(sorted(known))})" for name, known in SURFACES_OF.items())
                )
                return ()
            entry = replace(self._surface(surface, supplier), credential=self._supplier_key(supplier))
            if entry not in entries:
                entries.append(entry)
        return tuple(entries)

    def offered(self) -> tuple[SurfaceSettings, ...]:
        return tuple(
            self._surface(surface, supplier)
            for supplier, surfaces in SURFACES_OF.items()
            for surface in sorted(surfaces)
        )

    def _surface(self, surface: str, supplier: str) -> SurfaceSettings:
        variable = f"{SUPPLIER}{supplier.upper()}_BASE_URL"
        base_url = self._value(variable)
        if base_url:
            self._check_url(variable, base_url)
        zone = self._value(f"{SUPPLIER}BRIGHTDATA_ZONE") or ZONE
        if ZONE_FORM.fullmatch(zone) is None:
            self.faults.append(f"{SUPPLIER}BRIGHTDATA_ZONE must match {ZONE_FORM.pattern}")
        return SurfaceSettings(surface, supplier, base_url, zone=zone)

    def _supplier_key(self, supplier: str) -> Credential | None:
        if supplier != "dataforseo":
            name = f"{SUPPLIER}{supplier.upper()}_API_KEY"
            return self._credential(name, self._value(name))
        login, password = (self._value(f"{SUPPLIER}DATAFORSEO_{part}") for part in ("LOGIN", "PASSWORD"))
        if bool(login) != bool(password):
            self.faults.append(
                f"{SUPPLIER}DATAFORSEO_LOGIN and {SUPPLIER}DATAFORSEO_PASSWORD need each other"
            )
            return None
        return self._credential(f"{SUPPLIER}DATAFORSEO_LOGIN", f"{login}:{password}" if login else "")

    def limits(self, variable: str, known: frozenset[str], most: int) -> dict[str, int]:
        limits: dict[str, int] = {}
        for part in filter(None, (part.strip() for part in self._value(variable).split(","))):
            platform, _, limit = (piece.strip() for piece in part.partition("="))
            platform = platform.casefold()
            if platform not in known:
                self.faults.append(f"{variable} names a platform that is not configured")
            elif not (limit.isascii() and limit.isdigit() and 1 <= int(limit[:9]) <= most):
                self.faults.append(f"{variable}: {platform} must be a whole number from 1 to {most}")
            else:
                limits[platform] = int(limit)
        return limits

    def _value(self, name: str) -> str:
        return self._environ.get(name, "").strip()

    def _entry(self, index: int, entry: object) -> CompatibleSettings | None:
        where = f"{COMPATIBLE}[{index}]"
        if not isinstance(entry, dict):
            self.faults.append(f"{where} is not an object")
            return None
        fields = cast(dict[str, object], entry)
        before = len(self.faults)
        allowed = {"platform", "baseUrl", "model", "apiKey", "api", "searchTool", "headers", "extraBody"}
        self.faults += [
            f"{where} has an unknown field {name[:40]!r}" for name in sorted(set(fields) - allowed)
        ]
        platform = self._text(fields, where, "platform").casefold()
        if platform and (PLATFORM.fullmatch(platform) is None or platform in RESERVED):
            self.faults.append(
                f"{where}.platform must match {PLATFORM.pattern} and be none of {', '.join(sorted(RESERVED))}"
            )
        base_url = self._text(fields, where, "baseUrl")
        if base_url:
            self._check_url(f"{where}.baseUrl", base_url)
        engine = CompatibleSettings(
            platform=platform,
            base_url=base_url,
            model=self._text(fields, where, "model"),
            api=self._api(fields, where),
            credential=self._credential(f"{where}.apiKey", self._text(fields, where, "apiKey", False)),
            search_tool=self._search_tool(fields, where),
            headers=self._headers(fields, where),
            extra_body=self._extra_body(fields, where),
        )
        return engine if len(self.faults) == before else None

    def _text(self, fields: Mapping[str, object], where: str, name: str, required: bool = True) -> str:
        value = fields.get(name)
        if value is None and not required:
            return ""
        if not isinstance(value, str) or (required and not value.strip()):
            self.faults.append(f"{where}.{name} must be a string" + (" and not empty" if required else ""))
            return ""
        return value.strip()

    def _api(self, fields: Mapping[str, object], where: str) -> Literal["chat", "responses"]:
        value = fields.get("api", "chat")
        if value not in ("chat", "responses"):
            self.faults.append(f"{where}.api must be chat or responses")
        return "responses" if value == "responses" else "chat"

    def _search_tool(self, fields: Mapping[str, object], where: str) -> Mapping[str, object] | None:
        value = fields.get("searchTool")
        if value is None:
            return None
        if isinstance(value, str) and value:
            return {"type": value}
        if isinstance(value, dict):
            return cast(dict[str, object], value)
        self.faults.append(f"{where}.searchTool must be the tool's type or the tool itself")
        return None

    def _extra_body(self, fields: Mapping[str, object], where: str) -> Mapping[str, object]:
        value = fields.get("extraBody")
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.faults.append(f"{where}.extraBody must be an object")
            return {}
        extra = cast(dict[str, object], value)
        if ours := sorted(OWN_FIELDS & extra.keys()):
            self.faults.append(f"{where}.extraBody must not name {', '.join(ours)}")
        return extra

    def _headers(self, fields: Mapping[str, object], where: str) -> Mapping[str, str]:
        value = fields.get("headers")
        if value is None:
            return {}
        headers: dict[object, object] = (
            cast(dict[object, object], value) if isinstance(value, dict) else {"": ""}
        )
        for name, content in headers.items():
            sound = isinstance(name, str) and HEADER_NAME.fullmatch(name) is not None
            if not (sound and isinstance(content, str) and content.isascii() and content.isprintable()):
                self.faults.append(f"{where}.headers must map header names to printable ASCII")
                return {}
        return cast(dict[str, str], headers)

    def _credential(self, name: str, value: str) -> Credential | None:
        if not value:
            return None
        try:
            return Credential(value)
        except ValueError:
            self.faults.append(f"{name} must be printable ASCII without spaces")
            return None

    def _check_url(self, name: str, value: str) -> None:
        try:
            url = urlsplit(value)
            sound = (
                url.scheme in ("http", "https") and bool(url.hostname) and (url.port is None or url.port > 0)
            )
        except ValueError:
            sound = False
            url = urlsplit("")
        if not sound or not value.isascii() or any(character.isspace() for character in value):
            self.faults.append(f"{name} must be an http or https URL")
        elif url.username is not None or url.query or url.fragment:
            self.faults.append(f"{name} must have no user, query or fragment")
