"""Validate the environment variables as a whole, and stop the start on unsafe settings."""

import os
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from email.utils import parseaddr
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

from engines.errors import InvalidEngineSettings, InvalidPrices
from engines.prices import Prices
from engines.settings import EngineSettings
from engines.smollm import FILE_NAME
from oauth.redirects import NEVER_SCHEMES, OAuthPolicy, RedirectRules
from server.address_settings import (
    host_faults,
    is_plain_origin,
    missing_extra,
    origin_faults,
    parse_resolver,
    proxy_faults,
    redis_faults,
)
from server.environment import CONNECTOR_HOSTS, PREFIX, Environment, unknown_variables, variable_name
from workflows.mail.smtp import SmtpSettings

SHORTEST_SECRET = 32
FEWEST_DISTINCT = 16
SECRET_FILES = {"SECRET_KEY": "secret.key", "RECEIPT_KEY": "receipts.key", "OAUTH_SECRET": "oauth.key"}
"""Where development keeps each secret that it made, below the data folder."""
MAKE_SECRET = 'a secret is made with: python3 -c "import secrets; print(secrets.token_urlsafe(48))"'
MODEL_FOLDER = "models"
"""Where fetched weights are kept, below the data folder."""
PRINTED = re.compile(rb"secret|password|change.?me|example|placeholder|0123456789|abcdefgh", re.IGNORECASE)
"""What secrets in documents, tests and examples say of themselves; a random one never does."""


class InvalidSettings(ValueError):
    """The settings do not do; every fault is named at once, and no secret value."""

    def __init__(self, faults: list[str], not_read: Iterable[str] = ()) -> None:
        """Take the faults and the unknown variable names; a misspelled name may explain a missing setting."""
        super().__init__("; ".join(faults))
        self.faults = tuple(faults)
        self.not_read = tuple(not_read)

    @property
    def hints(self) -> tuple[str, ...]:
        """Additional hints on how to fix the faults."""
        about_secrets = any("_KEY is " in fault or "_SECRET is " in fault for fault in self.faults)
        return (*self.not_read, *((MAKE_SECRET,) if about_secrets else ()))


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings from the environment."""

    database_url: str
    database_connections: int
    direct_database_url: str
    """The URL for what needs a session with the server: that of the database, unless it is a pooler's."""
    data_dir: Path
    base_url: str
    production: bool
    secret_key: bytes = field(repr=False)
    former_secret_key: bytes | None = field(repr=False)
    oauth: OAuthPolicy | None
    signup: Literal["open", "unverified", "closed"]
    signup_plan: str
    redis_url: str | None
    challenge: Literal["auto", "401", "200"]
    allowed_hosts: tuple[str, ...]
    allowed_origins: tuple[str, ...]
    trusted_proxies: tuple[str, ...]
    allow_private_sites: bool
    browser: bool
    reverse_dns: bool
    resolver: tuple[str, int] | None
    log_format: Literal["text", "json"]
    metrics: Literal["on", "any-host", "off"]
    execute: bool
    worker_address: tuple[str, int] | None
    backup_folder: Path | None
    backups_kept: int
    missed_schedules: Literal["once", "skip"]
    supplier_callbacks: bool
    raw_answer_days: int
    engines: EngineSettings
    prices: Prices = field(default_factory=Prices)
    smtp: SmtpSettings | None = None
    receipt_keys: tuple[bytes, ...] = ()
    policies: Mapping[str, str] = field(default_factory=dict[str, str])
    notes: tuple[str, ...] = ()

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> "Settings":
        """Read and check the environment. Raises InvalidSettings with every fault.

        In development a missing secret is generated once and kept in the data folder; `notes` says so.
        """
        reader = _Reader(environ)
        settings = reader.settings()
        if reader.faults:
            raise InvalidSettings(reader.faults, reader.not_read)
        return settings


class _Reader:
    """Holds the variables against each other and collects faults."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._given, self.faults = Environment.read(environ)
        self.not_read = [
            f"{name} is no setting of seenby and was not read" + (f"; {nearest} is one" if nearest else "")
            for name, nearest in unknown_variables(environ).items()
        ]
        self.notes: list[str] = [*self.not_read]

    def settings(self) -> Settings:
        environment = self._given
        production = environment.env == "production"
        data_dir = self._data_dir()
        base_url = self._base_url(production)
        database_url = self._database_url(data_dir, production)
        direct_database_url = self._direct_database_url(database_url)
        self._check_addresses(production)
        secret_key = self._secret("SECRET_KEY", data_dir, production)
        receipt_key = self._secret("RECEIPT_KEY", data_dir, production)
        if production and receipt_key and receipt_key == secret_key:
            self.faults.append(f"{PREFIX}RECEIPT_KEY must not be the {PREFIX}SECRET_KEY")
        oauth = self._oauth(base_url, data_dir, production)
        self._refuse_shared_secrets(secret_key, oauth.secret if oauth else b"", database_url)
        return Settings(
            database_url=database_url,
            database_connections=environment.database_connections,
            direct_database_url=direct_database_url,
            data_dir=data_dir,
            base_url=base_url,
            production=production,
            secret_key=secret_key,
            former_secret_key=self._former("SECRET_KEY_PREVIOUS", production),
            oauth=oauth,
            signup=self._signup(production),
            signup_plan=self._given.signup_plan,
            redis_url=environment.redis_url or None,
            challenge=environment.mcp_challenge,
            allowed_hosts=environment.allowed_hosts,
            allowed_origins=environment.allowed_origins,
            trusted_proxies=environment.trusted_proxies,
            allow_private_sites=self._private_sites(production),
            browser=environment.browser == "on",
            reverse_dns=environment.reverse_dns != "off",
            resolver=self._resolver(),
            log_format=environment.log_format,
            metrics=environment.metrics,
            execute=environment.execute == "on",
            worker_address=self._worker_address(),
            raw_answer_days=environment.raw_answer_days,
            backup_folder=self._backup_folder(),
            backups_kept=environment.backups_kept,
            missed_schedules=environment.missed_schedules,
            supplier_callbacks=self._supplier_callbacks(),
            engines=self._engines(data_dir),
            prices=self._prices(),
            smtp=self._smtp(production),
            receipt_keys=tuple(
                key for key in (receipt_key, self._former("RECEIPT_KEY_PREVIOUS", production)) if key
            ),
            policies=self._policies(),
            notes=tuple(self.notes),
        )

    def _check_addresses(self, production: bool) -> None:
        """Find fault with every list of addresses, and with the URL of Redis."""
        environment = self._given
        hosts, origins = environment.allowed_hosts, environment.allowed_origins
        for name, values in (("ALLOWED_HOSTS", hosts), ("ALLOWED_ORIGINS", origins)):
            if production and "*" in values:
                self.faults.append(f"{PREFIX}{name} must not contain a bare *")
        self.faults += host_faults(f"{PREFIX}ALLOWED_HOSTS", hosts)
        self.faults += origin_faults(f"{PREFIX}ALLOWED_ORIGINS", origins)
        self.faults += proxy_faults(f"{PREFIX}TRUSTED_PROXIES", environment.trusted_proxies)
        if environment.redis_url:
            self.faults += redis_faults(f"{PREFIX}REDIS_URL", environment.redis_url)

    def _private_sites(self, production: bool) -> bool:
        allowed = self._given.allow_private_sites == "on"
        if allowed and production:
            self.faults.append(f"{PREFIX}ALLOW_PRIVATE_SITES must not be on in production")
        return allowed

    def _resolver(self) -> tuple[str, int] | None:
        server = self._given.reverse_dns
        if server in ("on", "off"):
            return None
        try:
            return parse_resolver(server)
        except ValueError:
            self.faults.append(f"{PREFIX}REVERSE_DNS must be on, off or the address of a resolver")
            return None

    def _backup_folder(self) -> Path | None:
        if not self._given.backup_folder:
            return None
        folder = Path(self._given.backup_folder).expanduser()
        if not folder.is_dir():
            self.faults.append(f"{PREFIX}BACKUP_FOLDER names a folder that is not there")
        return folder.absolute()

    def _worker_address(self) -> tuple[str, int] | None:
        if not self._given.worker_address:
            return None
        try:
            parts = urlsplit(f"//{self._given.worker_address}")
            host, port = parts.hostname, parts.port
        except ValueError:
            host, port = None, None
        if host is None or not port:
            self.faults.append(f"{PREFIX}WORKER_ADDRESS must be HOST:PORT, such as 127.0.0.1:9100")
            return None
        return host, port

    def _supplier_callbacks(self) -> bool:
        called = self._given.supplier_callbacks == "on"
        if called and not self._given.base_url:
            self.faults.append(
                f"{PREFIX}SUPPLIER_CALLBACKS needs {PREFIX}BASE_URL, under which suppliers call"
            )
        return called

    def _data_dir(self) -> Path:
        return data_folder(self._given.data_dir)

    def _database_url(self, data_dir: Path, production: bool) -> str:
        url = self._given.database_url or f"sqlite+aiosqlite:///{data_dir / 'seenby.db'}"
        scheme, _, rest = url.partition("://")
        if scheme in ("postgresql", "postgres"):
            url = f"postgresql+asyncpg://{rest}"
        elif scheme == "sqlite":
            url = f"sqlite+aiosqlite://{rest}"
        elif scheme not in ("postgresql+asyncpg", "sqlite+aiosqlite"):
            self.faults.append(f"{PREFIX}DATABASE_URL must be a sqlite or postgresql URL")
        if url.startswith("postgresql"):
            if not _has_readable_port(url):
                self.faults.append(f"{PREFIX}DATABASE_URL must have a port from 1 to 65535, or none")
            self.faults += missing_extra(f"{PREFIX}DATABASE_URL", "asyncpg", "postgres")
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

    def _direct_database_url(self, database_url: str) -> str:
        scheme, _, rest = self._given.database_direct_url.partition("://")
        if not scheme:
            return database_url
        if scheme not in ("postgresql", "postgres", "postgresql+asyncpg"):
            self.faults.append(f"{PREFIX}DATABASE_DIRECT_URL must be a postgresql URL")
        elif not database_url.startswith("postgresql"):
            self.faults.append(
                f"{PREFIX}DATABASE_DIRECT_URL is set, and {PREFIX}DATABASE_URL is not postgresql"
            )
        return f"postgresql+asyncpg://{rest}"

    def _base_url(self, production: bool) -> str:
        url = (self._given.base_url or "http://127.0.0.1:8000").rstrip("/")
        if not is_plain_origin(url):
            self.faults.append(f"{PREFIX}BASE_URL must be http(s)://host[:port] without path, query or user")
        elif production and not url.lower().startswith("https://"):
            self.faults.append(f"{PREFIX}BASE_URL must be https in production")
        if production and not self._given.base_url:
            self.faults.append(f"{PREFIX}BASE_URL is missing")
        return url

    def _oauth(self, base_url: str, data_dir: Path, production: bool) -> OAuthPolicy | None:
        """Read what only OAuth needs; switched off, nothing of it is asked for."""
        if self._given.oauth == "off":
            return None
        return OAuthPolicy(
            base_url=base_url,
            secret=self._secret("OAUTH_SECRET", data_dir, production),
            former_secret=self._former("OAUTH_SECRET_PREVIOUS", production),
            redirects=self._redirects(production),
            apps_challenge=self._given.openai_apps_challenge or None,
        )

    def _redirects(self, production: bool) -> RedirectRules:
        listed = frozenset(host.lower() for host in self._given.oauth_redirect_hosts)
        if production and "*" in listed:
            self.faults.append(f"{PREFIX}OAUTH_REDIRECT_HOSTS must not contain a bare *")
        hosts = listed or (frozenset(CONNECTOR_HOSTS) if production else None)
        schemes = frozenset(scheme.lower() for scheme in self._given.oauth_redirect_schemes)
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

    def _of(self, name: str) -> str:
        return getattr(self._given, name.lower())

    def _secret(self, name: str, data_dir: Path, production: bool) -> bytes:
        secret = self._of(name).encode()
        if not secret and not production:
            return self._kept_secret(name, data_dir / SECRET_FILES[name])
        if not secret:
            self.faults.append(f"{PREFIX}{name} is missing")
        elif len(secret) < SHORTEST_SECRET or len(set(secret)) < FEWEST_DISTINCT:
            self.faults.append(
                f"{PREFIX}{name} is weak: it needs {SHORTEST_SECRET} bytes, {FEWEST_DISTINCT} of them distinct"
            )
        self._refuse_printed(name, secret, production)
        return secret

    def _former(self, name: str, production: bool) -> bytes | None:
        """Read the secret before today's one, which may have been weak but not everybody's."""
        secret = self._of(name).encode()
        self._refuse_printed(name, secret, production)
        return secret or None

    def _refuse_printed(self, name: str, secret: bytes, production: bool) -> None:
        if production and PRINTED.search(secret):
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

    def _policies(self) -> dict[str, str]:
        """Read the operator's privacy policy, terms and support page."""
        texts: dict[str, str] = {}
        for name in ("privacy", "terms", "support"):
            path = self._of(name)
            try:
                if path:
                    texts[name] = Path(path).expanduser().read_text(encoding="utf-8")
            except OSError as error:
                self.faults.append(f"{variable_name(name)}: the file cannot be read ({error.strerror})")
            except UnicodeDecodeError:
                self.faults.append(f"{variable_name(name)}: the file is not UTF-8")
        return texts

    def _prices(self) -> Prices:
        """Read the operator's price table."""
        price_file = self._given.prices
        if not price_file:
            return Prices()
        try:
            return Prices.from_toml(Path(price_file).expanduser().read_text(encoding="utf-8"))
        except OSError as error:
            self.faults.append(f"{PREFIX}PRICES: the file cannot be read ({error.strerror})")
        except UnicodeDecodeError:
            self.faults.append(f"{PREFIX}PRICES: the file is not UTF-8")
        except InvalidPrices as error:
            self.faults += [f"{PREFIX}PRICES: {fault}" for fault in error.faults]
        return Prices()

    def _signup(self, production: bool) -> Literal["open", "unverified", "closed"]:
        """Read who may make an account; at once, which shows strangers who has one, is for trying things out."""
        if self._given.signup == "unverified" and production:
            self.faults.append(f"{PREFIX}SIGNUP must not be unverified in production")
        return self._given.signup

    def _smtp(self, production: bool) -> SmtpSettings | None:
        """Read where mail is handed in; a password is never sent in the clear."""
        given = self._given
        if not given.smtp_host:
            return None
        address = parseaddr(given.smtp_from)[1]
        if not given.smtp_from or address != given.smtp_from or "@" not in address:
            self.faults.append(f"{PREFIX}SMTP_FROM must be an e-mail address, since {PREFIX}SMTP_HOST is set")
        if bool(given.smtp_username) != bool(given.smtp_password):
            self.faults.append(f"{PREFIX}SMTP_USERNAME and {PREFIX}SMTP_PASSWORD go together")
        if given.smtp_security == "none" and (production or given.smtp_password):
            self.faults.append(
                f"{PREFIX}SMTP_SECURITY must be starttls or tls in production and wherever a password is sent"
            )
        return SmtpSettings(
            host=given.smtp_host,
            port=given.smtp_port,
            sender=address,
            security=given.smtp_security,
            username=given.smtp_username or None,
            password=given.smtp_password or None,
        )

    def _engines(self, data_dir: Path) -> EngineSettings:
        """Read the engines' own variables, and say where the built-in model's weights may be."""
        named = self._given.local_model
        if named and not Path(named).expanduser().is_file():
            self.faults.append(f"{PREFIX}LOCAL_MODEL names a file that is not there")
        weights = Path(named).expanduser() if named else data_dir / MODEL_FOLDER / FILE_NAME
        try:
            return replace(EngineSettings.from_environ(self._environ), local_weights=(weights,))
        except InvalidEngineSettings as error:
            self.faults += error.faults
            return EngineSettings()


def data_folder(named: str) -> Path:
    """Return the folder of the database and of generated secrets: the one that was named, or the user's."""
    if named.strip():
        return Path(named.strip()).expanduser()
    from platformdirs import user_data_path  # costs start-up; a given folder does not need it

    return user_data_path("seenby", appauthor=False)


def _has_readable_port(url: str) -> bool:
    try:
        return urlsplit(url).port != 0
    except ValueError:
        return False
