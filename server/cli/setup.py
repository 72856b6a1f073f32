"""`seenby init`: the settings file, a company, a brand with questions, and what to do next; safe to repeat."""

import json
import os
import re
import secrets
import shlex
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer

from engines.settings import HOSTED, LOCAL
from engines.settings import PREFIX as ENGINE_PREFIX
from engines.smollm import INSTALL
from measurement.errors import InvalidFile, WorkError
from measurement.planning.brand_files import BrandFile, parse_brands, save_brands
from measurement.planning.clock import utc_now
from measurement.planning.question_templates import industries, match_industry, propose_questions
from server.cli.companies import check_plan
from server.cli.options import Json
from server.cli.output import Output
from server.cli.session import with_service
from server.environment import PREFIX
from server.service import Service
from server.settings import SECRET_FILES, InvalidSettings, Settings
from server.settings_file import change_settings_file, read_settings_file, settings_path
from storage.repositories.companies import Company

BRAND_FILE = Path("brands.json")
ENGINES = (LOCAL, *HOSTED)
REPEATS = 3


@dataclass(frozen=True, slots=True)
class Setup:
    """What a person wants to have: names as they are typed, empty where nothing was said."""

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
    industry: Annotated[str, typer.Option(help="Line of business, such as car dealer.")] = "",
    competitor: Annotated[
        list[str] | None, typer.Option(help="Whom it is compared with; repeatable.")
    ] = None,
    engine: Annotated[
        list[str] | None, typer.Option(help=f"Engine to ask, repeatable: {', '.join(ENGINES)}.")
    ] = None,
    database: Annotated[str, typer.Option(help="URL of the database; a SQLite file without it.")] = "",
    base_url: Annotated[
        str,
        typer.Option(help="Address under which clients reach it; with https it is set up for production."),
    ] = "",
    plan: Annotated[str, typer.Option(help="free, growth or scale.")] = "growth",
    brand_file: Annotated[
        Path, typer.Option(help="File of brands; written when it is not there.")
    ] = BRAND_FILE,
    as_json: Json = False,
) -> None:
    """Write the settings file, make company and brand, and say what to do next; asks for what is not given."""
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
    refuse_incomplete(setup)
    path = settings_path(os.environ)
    changed = write_settings(path, setup)
    with_service(as_json, set_up, setup, path, changed)


def ask_missing(setup: Setup) -> Setup:
    """Ask on the terminal for what no option says."""

    def asked(question: str, said: str, default: str | None = None) -> str:
        return said or typer.prompt(question, default=default, err=True).strip()

    company = asked("Company", setup.company)
    email = asked("Your e-mail address", setup.email)
    brand = asked("Brand to measure", setup.brand, company)
    website = asked("Its site", setup.website, "")
    industry = asked(f"Line of business ({', '.join(industries())})", setup.industry, "other")
    rivals = setup.competitors or split(asked("Competitors, separated by commas", "", ""))
    engines = setup.engines or split(asked(f"Engines to ask ({', '.join(ENGINES)})", "", LOCAL))
    database = setup.database or asked("URL of the database", "", "SQLite file in the data folder")
    return replace(
        setup,
        company=company,
        email=email,
        brand=brand,
        website=website,
        industry=industry,
        competitors=rivals,
        engines=tuple(name.casefold() for name in engines),
        database=database if "://" in database else "",
    )


def split(listed: str) -> tuple[str, ...]:
    """Return the parts of a list that is separated by commas."""
    return tuple(part.strip() for part in listed.split(",") if part.strip())


def with_engine_keys(setup: Setup, ask: bool) -> Setup:
    """Add the key of each hosted engine: from the environment or typed unseen; options are logged."""
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
    """Return the variable that holds the key of a hosted engine."""
    return f"{ENGINE_PREFIX}{HOSTED[platform].variable}_API_KEY"


def refuse_incomplete(setup: Setup) -> None:
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
    """Write the settings that were given, if all of them do; the process works with them from now on."""
    known = read_settings_file(path) if path.exists() else {}
    changes = {f"{PREFIX}COMPANY": setup.company, **setup.engine_keys}
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
            f"{path} cannot be written ({error.strerror})", f"Set {PREFIX}SETTINGS to a file that can."
        ) from error
    os.environ.update(changes)
    return changed


def production_settings(known: dict[str, str]) -> dict[str, str]:
    """Return what production needs: its name, and secrets; those of development go on, so that their keys work."""
    folder = Settings.from_environ(known).data_dir if known.get(f"{PREFIX}ENV") != "production" else None
    values = {f"{PREFIX}ENV": "production"}
    for name, file_name in SECRET_FILES.items():
        if known.get(f"{PREFIX}{name}"):
            continue
        kept = folder / file_name if folder else None
        made = kept.read_text("ascii").strip() if kept and kept.exists() else secrets.token_urlsafe(48)
        values[f"{PREFIX}{name}"] = made
    return values


async def set_up(service: Service, output: Output, setup: Setup, path: Path, changed: bool) -> None:
    """Make company and brand where they are missing, and print what there is and what to do next."""
    company, company_made = await find_or_make_company(service, setup)
    file_written = write_brand_file(setup)
    brand_made = await find_or_make_brand(service, company, setup)
    rows: list[tuple[str, object, str]] = [
        ("settings", path, "written" if changed else "unchanged"),
        ("company", company.name, "made" if company_made else "is there"),
        ("brand file", setup.brand_file, "written" if file_written else "is there"),
        ("brand", setup.brand, "made" if brand_made else "is there"),
    ]
    steps = next_steps(service, setup)
    value: dict[str, Any] = {
        "settings": str(path),
        "company": {"id": company.id, "name": company.name, "made": company_made},
        "brandFile": {"path": str(setup.brand_file), "written": file_written},
        "brand": {"name": setup.brand, "made": brand_made},
        "next": [{"command": command, "purpose": purpose} for command, purpose in steps],
    }
    output.data(value, lambda: show_setup(output, rows, steps))


def show_setup(output: Output, rows: list[tuple[str, object, str]], steps: list[tuple[str, str]]) -> None:
    """Print what there is, and the next commands with their purpose."""
    output.table(("what", "which", "state"), rows)
    output.people.print()
    for command, purpose in steps:
        output.people.print(f"{purpose}:")
        output.people.print(f"    {command}", markup=False, highlight=False, soft_wrap=True)


async def find_or_make_company(service: Service, setup: Setup) -> tuple[Company, bool]:
    """Return the company of that name, and whether it was made now."""
    known = await service.database.operators.companies.find(setup.company)
    if known is not None:
        return known, False
    async with service.database.operation() as operators:
        return await operators.companies.create(setup.company, setup.email, setup.plan, utc_now()), True


def write_brand_file(setup: Setup) -> bool:
    """Write the brand with proposed questions as a file to look at and change, unless there is one."""
    if setup.brand_file.exists():
        return False
    try:
        setup.brand_file.write_text(sample_brand(setup), encoding="utf-8")
    except OSError as error:
        raise WorkError(
            f"{setup.brand_file} cannot be written ({error.strerror})", "Name another with --brand-file."
        ) from error
    return True


def sample_brand(setup: Setup) -> str:
    """Return a brand as JSON, with the questions that the templates of its line of business propose."""
    questions = propose_questions(setup.brand, match_industry(setup.industry))
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
                "prompts": [question.text for question in questions if not question.branded],
            }
        ],
    }
    return json.dumps([brand], ensure_ascii=False, indent=2) + "\n"


async def find_or_make_brand(service: Service, company: Company, setup: Setup) -> bool:
    """Store the brand from its file, unless it is stored; what was changed since stays. Return whether it was made."""
    workspace = service.database.workspace(company.id)
    if any(known.name == setup.brand for known in await workspace.brands.all()):
        return False
    files = parse_brands(setup.brand_file.read_bytes(), setup.brand_file.name)
    named = [file for file in files if file.name == setup.brand]
    if not named:
        raise InvalidFile(setup.brand_file.name, None, missing_brand(setup.brand, files))
    await save_brands(service.database, company.id, named, setup.brand_file.name, utc_now())
    return True


def missing_brand(brand: str, files: list[BrandFile]) -> str:
    """Say that a file has other brands, and what to do."""
    others = ", ".join(file.name for file in files[:5])
    return (
        f"it has {others or 'no brand'} and not {brand}; add it there, or name another file with --brand-file"
    )


def next_steps(service: Service, setup: Setup) -> list[tuple[str, str]]:
    """Return the commands that come next, each with its purpose."""
    ready = service.engines.configured_platforms
    platform = next((name for name in (*setup.engines, *ready) if name in ready), None)
    steps: list[tuple[str, str]] = []
    if platform is None:
        steps.append((INSTALL, "No engine can be asked yet; get the built-in one"))
    probe = f"seenby probe --brand {quoted(setup.brand)} --platform {platform or LOCAL}"
    return [
        *steps,
        (f"{probe} --preview", "See what a measurement would ask and cost"),
        (probe, "Measure"),
        (f"seenby company invite {setup.email}", "Get a link to the pages"),
        ("seenby serve", "Serve pages, MCP and REST"),
        ('seenby keys create --description "first key"', "Make a key for agents and programs"),
    ]


def quoted(text: str) -> str:
    """Return a name as it stands in a command line."""
    if text.isalnum():
        return text
    return f'"{text}"' if re.fullmatch(r"[\w .&'-]+", text) else shlex.quote(text)
