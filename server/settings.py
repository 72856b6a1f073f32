"""Reads every SEENBY_* variable once, and refuses to start on what would be unsafe."""

import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, cast
from urllib.parse import unquote, urlsplit

from engines.errors import InvalidEngineSettings, InvalidPrices
from engines.prices import Prices
from engines.settings import EngineSettings
from oauth.policy import OAuthPolicy
from oauth.redirects import NEVER_SCHEMES, RedirectRules

PREFIX = "SEENBY_"
SHORTEST_SECRET = 32
FEWEST_DISTINCT = 16
SECRET_FILE = "secret.key"
OAUTH_SECRET_FILE = "oauth.key"
RECEIPT_FILE = "receipts.key"
PRINTED = re.compile(rb"secret|password|change.?me|example|placeholder|0123456789|abcdefgh", re.IGNORECASE)
"""What secrets in documents, tests and examples say of themselves; a random one never does."""
CONNECTOR_HOSTS = ("claude.ai", "claude.com", "chatgpt.com")


class InvalidSettings(ValueError):
    """The environment does not do; every fault is named at once, and no value."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable of the environment: what it means, in which unit, and what holds without it."""

    name: str
    meaning: str
    default: str = ""


VARIABLES = (
    Variable(
        "DATABASE_URL", "SQLAlchemy URL of the database", "sqlite+aiosqlite:///seenby.db in the data folder"
    ),
    Variable("DATA_DIR", "folder of the database and of generated secrets", "the user's data folder"),
    Variable(
        "BASE_URL", "address under which clients reach the service, without a path", "http://127.0.0.1:8000"
    ),
    Variable("ENV", "development or production", "development"),
    Variable(
        "SECRET_KEY",
        "signs API keys and sessions, seals engine keys; at least 32 bytes",
        "generated and kept in development",
    ),
    Variable("SECRET_KEY_PREVIOUS", "the SECRET_KEY before this one; what was made with it still works"),
    Variable(
        "RECEIPT_KEY",
        "signs the receipts of stored numbers; at least 32 bytes, kept apart from the database and its backups",
        "generated and kept in development",
    ),
    Variable("RECEIPT_KEY_PREVIOUS", "the RECEIPT_KEY before this one; what it signed still verifies"),
    Variable("OAUTH", "on serves sign-in for connectors (OAuth 2.1), off removes every trace of it", "on"),
    Variable(
        "OAUTH_SECRET",
        "signs OAuth tokens; at least 32 bytes, and not the SECRET_KEY",
        "generated and kept in development",
    ),
    Variable("OAUTH_SECRET_PREVIOUS", "the OAUTH_SECRET before this one; what was made with it still works"),
    Variable(
        "OAUTH_REDIRECT_HOSTS",
        "hosts that OAuth clients may be answered at, separated by commas; loopback always may",
        f"any in development, {','.join(CONNECTOR_HOSTS)} in production",
    ),
    Variable(
        "OAUTH_REDIRECT_SCHEMES", "private schemes of desktop clients, for example cursor,vscode", "none"
    ),
    Variable("OPENAI_APPS_CHALLENGE", "text that proves this domain to OpenAI's directory of apps"),
    Variable("SIGNUP", "who may make an account on the pages: open (everybody) or closed (nobody)", "open"),
    Variable(
        "COMPANY",
        "read by commands and `seenby stdio`: name or id of the company they act for",
        "the only company there is",
    ),
    Variable("REDIS_URL", "where several processes share rate limits", "memory of one process"),
    Variable("MCP_CHALLENGE", "status of a refused tools/call: auto, 401 or 200", "auto"),
    Variable("ALLOWED_HOSTS", "further Host names, separated by commas"),
    Variable("ALLOWED_ORIGINS", "further browser origins, separated by commas"),
    Variable("TRUSTED_PROXIES", "addresses or networks whose forwarding headers count, separated by commas"),
    Variable(
        "ALLOW_PRIVATE_SITES",
        "on lets scans, monitors and runs visit loopback and private addresses on any port; development only",
        "off",
    ),
    Variable("LOG_FORMAT", "text or json", "text"),
    Variable("METRICS", "on serves /metrics beside the public paths", "off"),
    Variable(
        "RAW_ANSWER_DAYS",
        "days that an engine's raw response is kept beside the text of its answer, 0 for ever",
        "90",
    ),
    Variable(
        "MISSED_SCHEDULES",
        "what becomes of ticks that no worker saw: once (one run for all of them) or skip",
        "once",
    ),
    Variable("PRICES", "TOML file with what each model of a platform costs; without it costs are unknown"),
    Variable("ENGINE_CONCURRENCY", "open asks per credential, for example chatgpt=8,local=2", "4, local 2"),
    Variable(
        "ENGINE_RATE", "requests a minute and credential, for example chatgpt=60", "as fast as they answer"
    ),
    Variable(
        "ENGINE_COMPATIBLE", "JSON list of {platform, baseUrl, model, apiKey} of OpenAI-compatible endpoints"
    ),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that the environment decides."""

    database_url: str
    data_dir: Path
    base_url: str
    production: bool
    secret_key: bytes = field(repr=False)
    former_secret_key: bytes | None = field(repr=False)
    oauth: OAuthPolicy | None
    signup_open: bool
    redis_url: str | None
    challenge: Literal["auto", "401", "200"]
    allowed_hosts: tuple[str, ...]
    allowed_origins: tuple[str, ...]
    trusted_proxies: tuple[str, ...]
    allow_private_sites: bool
    log_format: Literal["text", "json"]
    metrics: bool
    missed_schedules: Literal["once", "skip"]
    raw_answer_days: int
    engines: EngineSettings
    prices: Prices = field(default_factory=Prices)
    receipt_keys: tuple[bytes, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> "Settings":
        """Read and check the environment. Raises InvalidSettings with every fault.

        In development a missing secret is generated once and kept in the data folder; `notes` says so.
        """
        reader = _Reader(environ)
        settings = reader.settings()
        if reader.faults:
            raise InvalidSettings(reader.faults)
        return settings


class _Reader:
    """Collects faults while it reads."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self.faults: list[str] = []
        self.notes: list[str] = []

    def settings(self) -> Settings:
        production = self._choice("ENV", ("development", "production")) == "production"
        data_dir = self._data_dir()
        base_url = self._base_url(production)
        database_url = self._database_url(data_dir, production)
        hosts, origins = self._list("ALLOWED_HOSTS"), self._list("ALLOWED_ORIGINS")
        for name, values in (("ALLOWED_HOSTS", hosts), ("ALLOWED_ORIGINS", origins)):
            if production and "*" in values:
                self.faults.append(f"{PREFIX}{name} must not contain a bare *")
        secret_key = self._secret("SECRET_KEY", data_dir / SECRET_FILE, production)
        receipt_key = self._secret("RECEIPT_KEY", data_dir / RECEIPT_FILE, production)
        if production and receipt_key and receipt_key == secret_key:
            self.faults.append(f"{PREFIX}RECEIPT_KEY must not be the {PREFIX}SECRET_KEY")
        oauth = self._oauth(base_url, data_dir, production)
        self._refuse_shared_secrets(secret_key, oauth.secret if oauth else b"", database_url)
        return Settings(
            database_url=database_url,
            data_dir=data_dir,
            base_url=base_url,
            production=production,
            secret_key=secret_key,
            former_secret_key=self._former("SECRET_KEY_PREVIOUS", production),
            oauth=oauth,
            signup_open=self._choice("SIGNUP", ("open", "closed")) == "open",
            redis_url=self._value("REDIS_URL") or None,
            challenge=cast(
                Literal["auto", "401", "200"], self._choice("MCP_CHALLENGE", ("auto", "401", "200"))
            ),
            allowed_hosts=hosts,
            allowed_origins=origins,
            trusted_proxies=self._list("TRUSTED_PROXIES"),
            allow_private_sites=self._private_sites(production),
            log_format=cast(Literal["text", "json"], self._choice("LOG_FORMAT", ("text", "json"))),
            metrics=self._choice("METRICS", ("off", "on")) == "on",
            raw_answer_days=self._days("RAW_ANSWER_DAYS", 90),
            missed_schedules=cast(
                Literal["once", "skip"], self._choice("MISSED_SCHEDULES", ("once", "skip"))
            ),
            engines=self._engines(),
            prices=self._prices(),
            receipt_keys=tuple(
                key for key in (receipt_key, self._former("RECEIPT_KEY_PREVIOUS", production)) if key
            ),
            notes=tuple(self.notes),
        )

    def _value(self, name: str) -> str:
        return self._environ.get(PREFIX + name, "").strip()

    def _list(self, name: str) -> tuple[str, ...]:
        return tuple(part.strip() for part in self._value(name).split(",") if part.strip())

    def _choice(self, name: str, choices: tuple[str, ...]) -> str:
        value = self._value(name) or choices[0]
        if value not in choices:
            self.faults.append(f"{PREFIX}{name} must be one of {', '.join(choices)}")
            return choices[0]
        return value

    def _private_sites(self, production: bool) -> bool:
        allowed = self._choice("ALLOW_PRIVATE_SITES", ("off", "on")) == "on"
        if allowed and production:
            self.faults.append(f"{PREFIX}ALLOW_PRIVATE_SITES must not be on in production")
        return allowed

    def _days(self, name: str, default: int) -> int:
        value = self._value(name) or str(default)
        if not (value.isascii() and value.isdigit() and len(value) <= 5):
            self.faults.append(f"{PREFIX}{name} must be a whole number of days, 0 to 99999")
            return default
        return int(value)

    def _data_dir(self) -> Path:
        given = self._value("DATA_DIR")
        if given:
            return Path(given).expanduser()
        from platformdirs import user_data_path  # costs start-up; a given folder does not need it

        return user_data_path("seenby", appauthor=False)

    def _database_url(self, data_dir: Path, production: bool) -> str:
        url = self._value("DATABASE_URL") or f"sqlite+aiosqlite:///{data_dir / 'seenby.db'}"
        scheme, _, rest = url.partition("://")
        if scheme in ("postgresql", "postgres"):
            url = f"postgresql+asyncpg://{rest}"
        elif scheme == "sqlite":
            url = f"sqlite+aiosqlite://{rest}"
        elif scheme not in ("postgresql+asyncpg", "sqlite+aiosqlite"):
            self.faults.append(f"{PREFIX}DATABASE_URL must be a sqlite or postgresql URL")
        if url.startswith("sqlite") and (rest in ("", "/", "/:memory:") or "mode=memory" in rest):
            self.faults.append(
                f"{PREFIX}DATABASE_URL names a database in memory, which is lost with the process"
            )
        elif (
            production
            and url.startswith("sqlite")
            and rest.startswith(("//tmp/", "//var/tmp/", "//dev/shm/"))
        ):
            self.faults.append(f"{PREFIX}DATABASE_URL lies in a temporary folder")
        return url

    def _base_url(self, production: bool) -> str:
        url = (self._value("BASE_URL") or "http://127.0.0.1:8000").rstrip("/")
        try:
            parts = urlsplit(url)
            plain = (
                parts.scheme in ("http", "https")
                and bool(parts.hostname)
                and (parts.port is None or parts.port > 0)
            )
            plain = plain and not (parts.path or parts.query or parts.fragment or parts.username)
        except ValueError:
            plain, parts = False, urlsplit("")
        if not plain:
            self.faults.append(f"{PREFIX}BASE_URL must be http(s)://host[:port] without path, query or user")
        elif production and parts.scheme != "https":
            self.faults.append(f"{PREFIX}BASE_URL must be https in production")
        if production and not self._value("BASE_URL"):
            self.faults.append(f"{PREFIX}BASE_URL is missing")
        return url

    def _oauth(self, base_url: str, data_dir: Path, production: bool) -> OAuthPolicy | None:
        """Read what only OAuth needs; switched off, nothing of it is asked for."""
        if self._choice("OAUTH", ("on", "off")) == "off":
            return None
        return OAuthPolicy(
            base_url=base_url,
            secret=self._secret("OAUTH_SECRET", data_dir / OAUTH_SECRET_FILE, production),
            former_secret=self._former("OAUTH_SECRET_PREVIOUS", production),
            redirects=self._redirects(production),
            apps_challenge=self._value("OPENAI_APPS_CHALLENGE") or None,
        )

    def _redirects(self, production: bool) -> RedirectRules:
        listed = frozenset(host.lower() for host in self._list("OAUTH_REDIRECT_HOSTS"))
        if production and "*" in listed:
            self.faults.append(f"{PREFIX}OAUTH_REDIRECT_HOSTS must not contain a bare *")
        hosts = listed or (frozenset(CONNECTOR_HOSTS) if production else None)
        schemes = frozenset(scheme.lower() for scheme in self._list("OAUTH_REDIRECT_SCHEMES"))
        if schemes & NEVER_SCHEMES:
            refused = ", ".join(sorted(schemes & NEVER_SCHEMES))
            self.faults.append(f"{PREFIX}OAUTH_REDIRECT_SCHEMES must not contain {refused}")
        return RedirectRules(None if "*" in listed else hosts, schemes)

    def _refuse_shared_secrets(self, secret_key: bytes, oauth_secret: bytes, database_url: str) -> None:
        """One secret for two purposes opens both when it leaks from one."""
        if secret_key and secret_key == oauth_secret:
            self.faults.append(f"{PREFIX}OAUTH_SECRET must not be the {PREFIX}SECRET_KEY")
        try:
            password = unquote(urlsplit(database_url).password or "").encode()
        except ValueError:
            return
        for name, value in (("SECRET_KEY", secret_key), ("OAUTH_SECRET", oauth_secret)):
            if password and value == password:
                self.faults.append(f"{PREFIX}{name} must not be the password of the database")

    def _secret(self, name: str, kept_in: Path, production: bool) -> bytes:
        given = self._value(name).encode()
        if not given and not production:
            return self._kept_secret(name, kept_in)
        if not given:
            self.faults.append(f"{PREFIX}{name} is missing")
        elif len(given) < SHORTEST_SECRET or len(set(given)) < FEWEST_DISTINCT:
            self.faults.append(
                f"{PREFIX}{name} is weak: it needs {SHORTEST_SECRET} bytes, {FEWEST_DISTINCT} of them distinct"
            )
        self._refuse_printed(name, given, production)
        return given

    def _former(self, name: str, production: bool) -> bytes | None:
        """Read the secret before today's one, which may have been weak but not everybody's."""
        given = self._value(name).encode()
        self._refuse_printed(name, given, production)
        return given or None

    def _refuse_printed(self, name: str, given: bytes, production: bool) -> None:
        if production and PRINTED.search(given):
            self.faults.append(f"{PREFIX}{name} reads like one printed in an example; make a random one")

    def _kept_secret(self, name: str, path: Path) -> bytes:
        """Return one of development's secrets, made on first use; two processes that start together keep one."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            made = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
            if not path.exists():
                descriptor = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(descriptor, "w", encoding="ascii") as file:
                    file.write(secrets.token_urlsafe(48))
                try:
                    os.link(made, path)
                    self.notes.append(f"a secret for development was made: {path}")
                except FileExistsError:
                    pass
                finally:
                    made.unlink()
            return path.read_bytes().strip()
        except OSError as error:
            self.faults.append(
                f"{path} cannot be written ({error.strerror}); set {PREFIX}DATA_DIR or {PREFIX}{name}"
            )
            return b""

    def _prices(self) -> Prices:
        """Read the operator's price table."""
        given = self._value("PRICES")
        if not given:
            return Prices()
        try:
            return Prices.from_toml(Path(given).expanduser().read_text(encoding="utf-8"))
        except OSError as error:
            self.faults.append(f"{PREFIX}PRICES: the file cannot be read ({error.strerror})")
        except UnicodeDecodeError:
            self.faults.append(f"{PREFIX}PRICES: the file is not UTF-8")
        except InvalidPrices as error:
            self.faults += [f"{PREFIX}PRICES: {fault}" for fault in error.faults]
        return Prices()

    def _engines(self) -> EngineSettings:
        try:
            return EngineSettings.from_environ(self._environ)
        except InvalidEngineSettings as error:
            self.faults += error.faults
            return EngineSettings()
