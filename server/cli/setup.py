"""`seenby init`: the settings file, a company, a brand with prompts, and the next steps; safe to repeat."""

import json
import os
import re
import secrets
import shlex
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from engines.settings import HOSTED, LOCAL
from engines.settings import PREFIX as ENGINE_PREFIX
from engines.smollm import INSTALL
from measurement.errors import InvalidFile, WorkError
from measurement.planning.brand_files import BrandFile, parse_brands, save_brands
from measurement.planning.clock import utc_now
from measurement.planning.question_templates import propose_questions
from server.cli.companies import check_plan
from server.cli.session import JsonOption, Session, run_command
from server.environment import PREFIX
from server.settings import SECRET_FILES, InvalidSettings, Settings
from server.settings_file import change_settings_file, is_writable, read_settings_file, settings_path
from storage.plans import PLANS, UNLIMITED
from storage.repositories.companies import Company

BRAND_FILE = Path("brands.json")
ENGINES = (LOCAL, *HOSTED)
REPEATS = 3
WHERE_DATA_IS = (f"{PREFIX}DATABASE_URL", f"{PREFIX}DATABASE_DIRECT_URL")


@dataclass(frozen=True, slots=True)
class Setup:
    """What is to be set up; an option that was not given is empty."""

    company: str
    email: str
    brand: str
    website: str
    industry: str
    competitors: tuple[str, ...]
    engines: tuple[str, ...]
    database: str
    base_url: str
    plan: str
    brand_file: Path
    engine_keys: dict[str, str] = field(default_factory=dict[str, str], repr=False)


def init(
    company: Annotated[str, typer.Option(help="Name of the company.")] = "",
    email: Annotated[str, typer.Option(help="Its owner's address.")] = "",
    brand: Annotated[str, typer.Option(help="Name of the brand to measure.")] = "",
    website: Annotated[str, typer.Option(help="Address of the brand's main site.")] = "",
    industry: Annotated[str, typer.Option(help="What the brand sells, such as espresso machines.")] = "",
    competitor: Annotated[list[str] | None, typer.Option(help="A competitor. Repeatable.")] = None,
    engine: Annotated[
        list[str] | None, typer.Option(help=f"Engine to query: {', '.join(ENGINES)}. Repeatable.")
    ] = None,
    database: Annotated[str, typer.Option(help="URL of the database. A SQLite file by default.")] = "",
    base_url: Annotated[
        str,
        typer.Option(help="Address of the service for clients; https sets it up for production."),
    ] = "",
    plan: Annotated[str, typer.Option(help=f"{', '.join(PLANS)}.")] = UNLIMITED,
    brand_file: Annotated[
        Path, typer.Option(help="File of brands; written when it does not exist.")
    ] = BRAND_FILE,
    as_json: JsonOption = False,
) -> None:
    """Write the settings file, create company and brand, and print the next steps; prompts for missing options."""
    setup = Setup(
        company.strip(),
        email.strip(),
        brand.strip(),
        website.strip(),
        industry.strip(),
        tuple(competitor or ()),
        tuple(name.strip().casefold() for name in engine or ()),
        database.strip(),
        base_url.strip(),
        plan,
        brand_file,
    )
    if sys.stdin.isatty() and not as_json:
        setup = ask_missing(setup)
    setup = with_engine_keys(setup, ask=sys.stdin.isatty() and not as_json)
    check_complete(setup)
    path = settings_path(os.environ)
    changed = write_settings(path, setup)
    run_command(as_json, lambda session: set_up(session, setup, path, changed=changed), service=True)


def ask_missing(setup: Setup) -> Setup:
    """Prompt on the terminal for options that were not given."""

    def asked(question: str, said: str, default: str | None = None) -> str:
        return said or typer.prompt(question, default=default, err=True).strip()

    company = asked("Company", setup.company)
    email = asked("Your e-mail address", setup.email)
    brand = asked("Brand to measure", setup.brand, company)
    website = asked("Its site", setup.website, "")
    industry = asked("What it sells, such as espresso machines", setup.industry, "")
    competitors = setup.competitors or split(asked("Competitors, separated by commas", "", ""))
    engines = setup.engines or split(asked(f"Engines to query ({', '.join(ENGINES)})", "", LOCAL))
    database = setup.database or asked("URL of the database", "", "SQLite file in the data folder")
    return replace(
        setup,
        company=company,
        email=email,
        brand=brand,
        website=website,
        industry=industry,
        competitors=competitors,
        engines=tuple(name.casefold() for name in engines),
        database=database if "://" in database else "",
    )


def split(listed: str) -> tuple[str, ...]:
    """Return the parts of a comma-separated list."""
    return tuple(part.strip() for part in listed.split(",") if part.strip())


def with_engine_keys(setup: Setup, ask: bool) -> Setup:
    """Add the key of each hosted engine, from the environment or a hidden prompt; never an option, which shells log."""
    keys: dict[str, str] = {}
    for platform in setup.engines:
        if platform not in HOSTED:
            continue
        name = key_variable(platform)
        value = os.environ.get(name, "").strip()
        if not value and ask:
            value = typer.prompt(f"API key of {platform} ({name})", hide_input=True, err=True).strip()
        if value:
            keys[name] = value
    return replace(setup, engine_keys=keys)


def key_variable(platform: str) -> str:
    """Return the variable with the key of a hosted engine."""
    return f"{ENGINE_PREFIX}{HOSTED[platform].variable}_API_KEY"


def check_complete(setup: Setup) -> None:
    """Raise InvalidSettings with everything that is missing or unknown."""
    needed = {"--company": setup.company, "--email": setup.email, "--brand": setup.brand}
    faults = [f"{option} is missing" for option, value in needed.items() if not value]
    if setup.email and "@" not in setup.email:
        faults.append("--email must be an e-mail address")
    unknown = [name for name in setup.engines if name not in ENGINES]
    faults += [f"--engine must be one of {', '.join(ENGINES)}, not {name[:40]!r}" for name in unknown]
    faults += [
        f"--engine {platform} needs a key; set {key_variable(platform)} in the environment and run this again"
        for platform in setup.engines
        if platform in HOSTED and key_variable(platform) not in setup.engine_keys
    ]
    if faults:
        raise InvalidSettings(faults)
    check_plan(setup.plan)


def write_settings(path: Path, setup: Setup) -> bool:
    """Write the settings, if all are valid, and use them in this process."""
    known = read_settings_file(path) if path.exists() else {}
    changes = {f"{PREFIX}COMPANY": setup.company, **setup.engine_keys}
    # Where the company is created now, later commands and the service have to find it.
    for name in WHERE_DATA_IS:
        value = os.environ.get(name, "").strip()
        if value and name not in known and is_writable(value):
            changes[name] = value
    if setup.database:
        changes[f"{PREFIX}DATABASE_URL"] = setup.database
    if setup.base_url:
        changes[f"{PREFIX}BASE_URL"] = setup.base_url
    if urlsplit(setup.base_url).scheme == "https":
        changes |= production_settings({**known, **os.environ})
    Settings.from_environ({**known, **os.environ, **changes})
    try:
        changed = change_settings_file(path, changes)
    except OSError as error:
        raise WorkError(
            f"{path} cannot be written ({error.strerror}).", f"Set {PREFIX}SETTINGS to another file."
        ) from error
    os.environ.update(changes)
    return changed


def production_settings(known: dict[str, str]) -> dict[str, str]:
    """Return the settings of production; secrets of development are kept, so that existing keys work."""
    folder = Settings.from_environ(known).data_dir if known.get(f"{PREFIX}ENV") != "production" else None
    values = {f"{PREFIX}ENV": "production"}
    for name, file_name in SECRET_FILES.items():
        if known.get(f"{PREFIX}{name}"):
            continue
        kept = folder / file_name if folder else None
        made = kept.read_text("ascii").strip() if kept and kept.exists() else secrets.token_urlsafe(48)
        values[f"{PREFIX}{name}"] = made
    return values


async def set_up(session: Session, setup: Setup, path: Path, *, changed: bool) -> None:
    """Create company and brand where they are missing, and print what there is and what to do next."""
    company, company_made = await find_or_make_company(session, setup)
    file_written = write_brand_file(setup)
    brand_made = await find_or_make_brand(session, company, setup)
    steps = next_steps(session, setup)
    output = session.output
    if output.as_json:
        output.show(
            {
                "settings": str(path),
                "company": {"id": company.id, "name": company.name, "made": company_made},
                "brandFile": {"path": str(setup.brand_file), "written": file_written},
                "brand": {"name": setup.brand, "made": brand_made},
                "next": [{"command": command, "purpose": purpose} for command, purpose in steps],
            }
        )
        return
    rows = (
        ("settings", path, "written" if changed else "unchanged"),
        ("company", company.name, "created" if company_made else "exists"),
        ("brand file", setup.brand_file, "written" if file_written else "exists"),
        ("brand", setup.brand, "created" if brand_made else "exists"),
    )
    output.table(("what", "name", "state"), rows)
    output.people.print()
    for line, purpose in steps:
        output.people.print(f"{purpose}:\n    {line}", soft_wrap=True)


async def find_or_make_company(session: Session, setup: Setup) -> tuple[Company, bool]:
    """Return the company of that name, and whether it was created."""
    known = await session.database.operators.companies.find(setup.company)
    if known is not None:
        return known, False
    async with session.database.operation() as operators:
        return await operators.companies.create(setup.company, setup.email, setup.plan, utc_now()), True


def write_brand_file(setup: Setup) -> bool:
    """Write the brand with proposed prompts to an editable file, unless it exists."""
    if setup.brand_file.exists():
        return False
    try:
        setup.brand_file.write_text(sample_brand(setup), encoding="utf-8")
    except OSError as error:
        raise WorkError(
            f"{setup.brand_file} cannot be written ({error.strerror}).", "Give another with --brand-file."
        ) from error
    return True


def sample_brand(setup: Setup) -> str:
    """Return a brand as JSON, with the prompts that the templates of its industry propose."""
    questions = propose_questions(setup.brand, setup.industry)
    host = urlsplit(setup.website if "://" in setup.website else f"//{setup.website}").hostname
    brand = {
        "name": setup.brand,
        "domains": [host.removeprefix("www.")] if host else [],
        "industry": setup.industry or None,
        "website": setup.website or None,
        "competitors": [{"name": name} for name in setup.competitors],
        "promptSets": [
            {
                "name": f"What buyers ask about {setup.brand}",
                "repeats": REPEATS,
                "prompts": [prompt.text for prompt in questions if not (prompt.branded and setup.industry)],
            }
        ],
    }
    return json.dumps([brand], ensure_ascii=False, indent=2) + "\n"


async def find_or_make_brand(session: Session, company: Company, setup: Setup) -> bool:
    """Store the brand from its file, unless it exists. Return whether it was created."""
    workspace = session.database.workspace(company.id)
    if any(known.name == setup.brand for known in await workspace.brands.all()):
        return False
    files = parse_brands(setup.brand_file.read_bytes(), setup.brand_file.name)
    named = [file for file in files if file.name == setup.brand]
    if not named:
        raise InvalidFile(setup.brand_file.name, None, missing_brand(setup.brand, files))
    await save_brands(session.database, company.id, named, setup.brand_file.name, utc_now())
    return True


def missing_brand(brand: str, files: list[BrandFile]) -> str:
    """Return the error for a file that has other brands."""
    others = ", ".join(file.name for file in files[:5])
    return (
        f"it has {others or 'no brand'} and not {brand}; add it there, or give another file with --brand-file"
    )


def next_steps(session: Session, setup: Setup) -> list[tuple[str, str]]:
    """Return the commands that come next, each with its purpose."""
    ready = session.service.engines.configured_platforms
    platform = next((name for name in (*setup.engines, *ready) if name in ready), None)
    steps: list[tuple[str, str]] = []
    if platform is None:
        steps.append((INSTALL, "No engine is configured; install the built-in one"))
    probe = f"seenby probe --brand {quoted(setup.brand)} --platform {platform or LOCAL}"
    return [
        *steps,
        (f"{probe} --preview", "Preview the requests and the cost of a measurement"),
        (probe, "Measure"),
        (f"seenby company invite {setup.email}", "Get a link to the pages"),
        ("seenby serve", "Serve pages, MCP and REST"),
        ('seenby keys create --description "first key"', "Create a key for agents and programs"),
    ]


def quoted(text: str) -> str:
    """Return a name quoted for a command line."""
    if text.isalnum():
        return text
    return f'"{text}"' if re.fullmatch(r"[\w .&'-]+", text) else shlex.quote(text)
