"""Every SEENBY_* environment variable: type, meaning and default."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, cast, get_args

from pydantic import BeforeValidator, Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from engines.settings import HOSTED, SUPPLIER, SUPPLIER_PARTS, SURFACES
from engines.settings import PREFIX as ENGINE_PREFIX
from storage.pool_sizes import CONNECTIONS, FEWEST_CONNECTIONS

PREFIX = "SEENBY_"
READ_ELSEWHERE = frozenset({f"{PREFIX}API_KEY", f"{PREFIX}SETTINGS"})
"""Variables that are no part of the settings: the key of a local client, and where the settings stand."""
CONNECTOR_HOSTS = ("claude.ai", "claude.com", "chatgpt.com")
DAYS = "must be a whole number of days, 0 to 99999"


def split(listed: object) -> object:
    """Return the parts of a list that is separated by commas."""
    if not isinstance(listed, str):
        return listed
    return tuple(part.strip() for part in listed.split(",") if part.strip())


Listed = Annotated[tuple[str, ...], NoDecode, BeforeValidator(split)]
Switch = Literal["on", "off"]


def variable(meaning: str, default: Any = "", *, without: str | None = None, rule: str | None = None) -> Any:
    """Declare a variable. `without` tells in words what holds without it, `rule` what its value must be."""
    shown = str(default) if without is None else without
    return Field(default=default, description=meaning, json_schema_extra={"without": shown, "rule": rule})


class Environment(BaseSettings):
    """The variables as they were given; rules that compare several of them are in `server/settings.py`."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, extra="ignore", frozen=True, str_strip_whitespace=True
    )

    database_url: str = variable(
        "SQLAlchemy URL of the database", without="sqlite+aiosqlite:///seenby.db in the data folder"
    )
    database_connections: Annotated[int, Field(ge=FEWEST_CONNECTIONS, le=1_000)] = variable(
        "most connections of one process to PostgreSQL",
        CONNECTIONS,
        rule=f"must be a whole number, {FEWEST_CONNECTIONS} to 1000",
    )
    database_direct_url: str = variable(
        "URL of PostgreSQL itself, where DATABASE_URL is that of a PgBouncer with pool_mode=transaction",
        without="DATABASE_URL is PostgreSQL itself",
    )
    data_dir: str = variable(
        "folder of the database and of generated secrets", without="the user's data folder"
    )
    base_url: str = variable(
        "address under which clients reach the service, without a path", without="http://127.0.0.1:8000"
    )
    env: Literal["development", "production"] = variable("development or production", "development")
    secret_key: str = variable(
        "signs API keys and sessions, seals engine keys; at least 32 bytes",
        without="generated and kept in development",
    )
    secret_key_previous: str = variable("the SECRET_KEY before this one; what was made with it still works")
    receipt_key: str = variable(
        "signs the receipts of stored numbers; at least 32 bytes, kept apart from the database and its backups",
        without="generated and kept in development",
    )
    receipt_key_previous: str = variable("the RECEIPT_KEY before this one; what it signed still verifies")
    oauth: Switch = variable(
        "on serves sign-in for connectors (OAuth 2.1), off removes every trace of it", "on"
    )
    oauth_secret: str = variable(
        "signs OAuth tokens; at least 32 bytes, and not the SECRET_KEY",
        without="generated and kept in development",
    )
    oauth_secret_previous: str = variable(
        "the OAUTH_SECRET before this one; what was made with it still works"
    )
    oauth_redirect_hosts: Listed = variable(
        "hosts that OAuth clients may redirect to, separated by commas; loopback and the published redirects "
        "of Cursor, VS Code, Le Chat and Copilot Studio are always accepted",
        (),
        without=f"any in development, {','.join(CONNECTOR_HOSTS)} in production",
    )
    oauth_redirect_schemes: Listed = variable(
        "private schemes of desktop clients, for example cursor,vscode", (), without="none"
    )
    openai_apps_challenge: str = variable("text that proves this domain to OpenAI's directory of apps")
    privacy: str = variable("Markdown file of your privacy policy, served at /privacy")
    terms: str = variable("Markdown file of your terms of service, served at /terms")
    support: str = variable("Markdown file that says how to reach you, served at /support")
    signup: Literal["open", "unverified", "closed"] = variable(
        "who may make an account on the pages: open (everybody by a mailed link; without SMTP_HOST the first "
        "person only), unverified (everybody at once, in development) or closed (no one)",
        "open",
    )
    signup_plan: Literal["free", "growth", "scale", "unlimited", ""] = variable(
        "plan of companies that sign up: free, growth, scale or unlimited",
        without="unlimited for the first company of the server, free for later ones",
    )
    company: str = variable(
        "read by commands and `seenby stdio`: name or id of the company they act for",
        without="the only company there is",
    )
    redis_url: str = variable("where several processes share rate limits", without="memory of one process")
    mcp_challenge: Literal["auto", "401", "200"] = variable(
        "status of an unauthorized tools/call: auto, 401 or 200", "auto"
    )
    allowed_hosts: Listed = variable("further Host names, separated by commas", (), without="")
    allowed_origins: Listed = variable("further browser origins, separated by commas", (), without="")
    trusted_proxies: Listed = variable(
        "addresses or networks whose forwarding headers count, separated by commas", (), without=""
    )
    allow_private_sites: Switch = variable(
        "on lets scans, monitors and runs visit loopback and private addresses on any port; development only",
        "off",
    )
    browser: Switch = variable(
        "on lets scans open a few pages in Chromium where the extra browser is installed; off never does",
        "on",
    )
    reverse_dns: str = variable(
        "whether crawlers in access logs are verified by reverse DNS too: on asks this machine's resolver, off none, "
        "the address of another resolver, such as 192.0.2.53:53, that one",
        "on",
    )
    smtp_host: str = variable(
        "mail server that e-mails are handed to; without it no mail is sent and the pages say what to do instead",
        without="none: no e-mail",
    )
    smtp_port: Annotated[int, Field(ge=1, le=65_535)] = variable(
        "port of the mail server", 587, rule="must be a port, 1 to 65535"
    )
    smtp_security: Literal["starttls", "tls", "none"] = variable(
        "starttls, tls (usually port 465) or none, which is rejected with a password or in production",
        "starttls",
    )
    smtp_username: str = variable("whom to sign in as at the mail server", without="no sign-in")
    smtp_password: str = variable("password of that user", without="no sign-in")
    smtp_from: str = variable("address that e-mails are sent from; needed with SMTP_HOST")
    log_format: Literal["text", "json"] = variable("text or json", "text")
    metrics: Literal["on", "any-host", "off"] = variable(
        "on serves /metrics beside the public paths, any-host also to scrapers that use an address as Host",
        "off",
    )
    execute: Switch = variable(
        "off leaves workflow runs, schedules, mails and webhooks to `seenby worker`, as `serve --no-execute` does",
        "on",
    )
    worker_address: str = variable(
        "HOST:PORT at which `seenby worker` serves /metrics, /healthz and /readyz", without="none"
    )
    raw_answer_days: Annotated[int, Field(ge=0, le=99_999)] = variable(
        "days that an engine's raw response is kept beside the text of its answer, 0 for ever", 90, rule=DAYS
    )
    backup_folder: str = variable(
        "folder to which one of all processes writes a backup each night; it must be the same for all of them",
        without="none: no nightly backup",
    )
    backups_kept: Annotated[int, Field(ge=1, le=9_999)] = variable(
        "how many nightly backups are kept", 14, rule="must be a whole number, 1 to 9999"
    )
    missed_schedules: Literal["once", "skip"] = variable(
        "what becomes of ticks that no worker saw: once (one run for all of them) or skip", "once"
    )
    prices: str = variable("TOML file with what each model of a platform costs; without it costs are unknown")
    engine_concurrency: str = variable(
        "open asks per credential, for example chatgpt=8,local=2", without="4, local 2"
    )
    engine_rate: str = variable(
        "requests a minute and credential, for example chatgpt=60", without="as fast as they answer"
    )
    supplier_callbacks: Switch = variable(
        "on tells suppliers an address below the BASE_URL to call when a task is done; they must reach it",
        "off",
    )
    local_model: str = variable(
        "file with the built-in model's weights, instead of the one that `seenby fetch-model` keeps",
        without="the model folder of the data folder",
    )
    engine_compatible: str = variable(
        "JSON list of {platform, baseUrl, model, apiKey} of OpenAI-compatible endpoints; searchTool and extraBody"
        " are sent with each question"
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Take the values that `read` was given, and nothing of the process's own environment besides."""
        return (init_settings,)

    @classmethod
    def read(cls, environ: Mapping[str, str]) -> tuple["Environment", list[str]]:
        """Read `environ`; return the variables, and a sentence for each that does not do and was left out."""
        source = EnvSettingsSource(cls)
        source.env_vars = {name.lower(): value.strip() for name, value in environ.items() if value.strip()}
        values = source()
        try:
            return cls(**values), []
        except ValidationError as error:
            wrong = {field_name(str(fault["loc"][0])) for fault in error.errors()}
        sound = {name: value for name, value in values.items() if field_name(name) not in wrong}
        faults = [f"{variable_name(name)} {rule_of(name)}" for name in cls.model_fields if name in wrong]
        return cls(**sound), faults


def field_name(source_name: str) -> str:
    """Return the field name for a name in the source, with or without the prefix."""
    return source_name.lower().removeprefix(PREFIX.lower())


def variable_name(field: str) -> str:
    """Return the environment variable of a field."""
    return PREFIX + field.upper()


def known_variables() -> frozenset[str]:
    """Return the names of all supported variables."""
    engines = {
        f"{ENGINE_PREFIX}{hosted.variable}_{part}"
        for hosted in HOSTED.values()
        for part in ("API_KEY", "BASE_URL", "MODEL", hosted.option)
        if part
    }
    suppliers = {f"{SUPPLIER}{name}_{part}" for name, parts in SUPPLIER_PARTS.items() for part in parts}
    return (
        READ_ELSEWHERE
        | engines
        | suppliers
        | {SURFACES}
        | {variable_name(name) for name in Environment.model_fields}
    )


def unknown_variables(names: Iterable[str]) -> dict[str, str | None]:
    """Return each name with our prefix that nothing reads, with the known name it is nearest to."""
    known = known_variables()
    unknown = sorted(name for name in names if name.startswith(PREFIX) and name.upper() not in known)
    if not unknown:
        return {}
    from difflib import get_close_matches  # only a typing error needs it

    return {name: next(iter(get_close_matches(name.upper(), known, 1, 0.8)), None) for name in unknown}


def rule_of(field: str) -> str:
    """Say what the value of a variable must be."""
    declared = Environment.model_fields[field]
    rule = extra_of(declared, "rule")
    return rule or f"must be one of {', '.join(get_args(declared.annotation))}"


def extra_of(declared: FieldInfo, key: Literal["without", "rule"]) -> str:
    """Return what a field's declaration tells beside type and meaning."""
    extra = cast(dict[str, str | None], declared.json_schema_extra)
    return extra[key] or ""
