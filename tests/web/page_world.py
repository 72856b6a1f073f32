"""What the pages show while all of them are walked over: a company that has one of everything that a page is of."""

import re
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from bench.sites import POLICY, dealer, served
from measurement.alerts.issues import IssueObservation, record
from measurement.planning.brand_profiles import change_profile
from measurement.planning.published_items import DRAFT
from readiness.scans.scanner import Scanner, ScanRequest
from storage.database import Database
from storage.documents import StoredEvidence
from storage.repositories.readiness import ScanDraft
from storage.repositories.repository_items import ItemDraft
from storage.repositories.suggestions import SuggestionDraft
from tests.web.conftest import PROMPTS, App, Meet, Person, Running
from tests.web.test_roles import colleague
from tests.web.test_shared_reports import shared_link

PUBLISHED = """# How long does it last?

The warranty of a new van lasts five years.

Ask us for the terms."""
WRITTEN = """# How long does it last?

A new van has a warranty of seven years, the battery one of eight.

It covers parts and labor in every workshop of ours.

Ask us for the terms."""


@dataclass
class World:
    """What pages show: an owner with measurements, an app that asks, an open invitation, a report of a scan.

    `new_password` is the address where a colleague chooses a new password.
    """

    owner: Any
    app: Any
    invitation: str
    report: str
    run: str
    shared: str
    scan: str
    suggestion: str
    new_password: str


async def scanned(owner: Person, service: Running, database: Database) -> str:
    """Scan a synthetic dealer on loopback twice for the owner's company; return the id of the second report."""
    company = await database.operators.companies.find(owner.company)
    assert company is not None
    host = "www.acme-motors.example.com"
    async with database.transaction(company.id) as workspace:
        brand = await workspace.brands.find("Acme")
        assert brand is not None
        await change_profile(workspace, brand, {"website": f"https://{host}/"}, datetime.now(UTC))
    with served({host: dealer()}) as place:
        policy = replace(POLICY, interval=0)
        scanner = Scanner(database, policy, service.url, lambda: datetime.now(UTC), place.network())
        await scanner.scan(company.id, ScanRequest(f"https://{host}/"))
        return (await scanner.scan(company.id, ScanRequest(f"https://{host}/"))).reportId


async def drafted(owner: Person, database: Database) -> None:
    """Let the owner's brand have a text, and a run's draft that would replace it."""
    company = await database.operators.companies.find(owner.company)
    assert company is not None
    text = ItemDraft("Warranty of our vans", PUBLISHED, "faq")
    async with database.transaction(company.id) as workspace:
        brand = await workspace.brands.find("Acme")
        assert brand is not None
        await workspace.repository_items.save(brand.key, [text], datetime.now(UTC))
        [item], _ = await workspace.repository_items.page(brand.key, "faq", 1, 0)
        written = ItemDraft(text.title, WRITTEN, DRAFT, key=f"item:{item.id}")
        await workspace.repository_items.save(brand.key, [written], datetime.now(UTC))


async def alarmed(owner: Person, database: Database) -> None:
    """Let the owner's brand have an issue with both texts side by side, and one of a page."""
    company = await database.operators.companies.find(owner.company)
    assert company is not None
    page = StoredEvidence(type="page", url="https://www.acme-motors.example.com/stock", excerpt="HTTP 404")
    texts = [
        StoredEvidence(type="answer", id="1", excerpt="Acme gives a warranty of two years."),
        StoredEvidence(type="profile", id="2", excerpt="Our warranty lasts five years."),
    ]
    async with database.transaction(company.id) as workspace:
        brand = await workspace.brands.find("Acme")
        assert brand is not None
        broken = IssueObservation(
            "crawler_error", "K1", page.url or "", "A key page answers 404", "critical", page.url, [page]
        )
        wrong = IssueObservation(
            "accuracy", "warranty", "warranty", "An answer contradicts the profile", evidence=texts
        )
        await record(workspace, brand, [broken, wrong], datetime.now(UTC))


async def waiting(owner: Person, database: Database) -> tuple[str, str]:
    """Let a scan wait for its turn, and a name be known that was dismissed; return their ids."""
    company = await database.operators.companies.find(owner.company)
    assert company is not None
    async with database.transaction(company.id) as workspace:
        brand = await workspace.brands.find("Acme")
        assert brand is not None
        name = SuggestionDraft("Fabrikam", "fabrikam", 3, 3, 3, ["chatgpt"], [], "lists")
        await workspace.suggestions.add(brand.key, name, datetime.now(UTC))
        [kept] = await workspace.suggestions.of_brand(brand.key)
        await workspace.suggestions.decide(kept, "dismissed", datetime.now(UTC))
        site = "www.acme-motors.example.com"
        draft = ScanDraft(f"https://{site}/", site, site, "elsewhere", site)
        return await workspace.readiness.begin(draft, datetime.now(UTC)), kept.id


async def started(owner: Person) -> str:
    """Start a run that asks no engine; return the address of its page."""
    start = "/automation/workflows/ai_shop_checkup"
    sent = await owner.submit("/automation", {"brand": owner.brand, "once": "pictures"}, start)
    assert sent.status_code == 303, sent.text
    return str(sent.headers["location"])


LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft מלון אספרסו"
HOSTILE = f"{LONG}\"'><script>alert(1)</script><img src=x onerror=alert(1)>[x](javascript:alert(1))\u202e"
STORED_TEXTS: Mapping[str, tuple[str, ...]] = {
    "agent_instances": ("name",),
    "answers": ("served_model", "requested_model"),
    "api_keys": ("description",),
    "brands": ("name", "industry", "voice", "target_audience"),
    "cited_urls": ("url", "title"),
    "companies": ("name",),
    "company_notifications": ("title", "message"),
    "competitor_suggestions": ("name",),
    "competitors": ("name",),
    "findings": ("title", "detail", "fix"),
    "invitations": ("email",),
    "issues": ("title", "url"),
    "mentions": ("quote",),
    "prompt_sets": ("name", "description"),
    "prompts": ("text", "intent"),
    "readiness_scans": ("host",),
    "repository_items": ("title", "body"),
    "run_agents": ("summary",),
    "users": ("name",),
    "webhooks": ("host",),
    "wordpress_sites": ("username",),
    "workflow_runs": ("context",),
}
"""Columns that hold words of people, engines and sites."""


def plant_hostile_text(service: Running) -> None:
    """Write markup and marks of direction behind every stored text, past every check of what comes in."""
    with closing(sqlite3.connect(service.database_file, timeout=30)) as writer:
        for table, columns in STORED_TEXTS.items():
            for column in columns:
                change = f"UPDATE {table} SET {column} = {column} || ? WHERE {column} IS NOT NULL"
                writer.execute(change, (HOSTILE,))
        writer.commit()


async def handed_link(owner: Person, meet: Meet) -> str:
    """Let a colleague forget the password; return the address of the link that the owner makes."""
    await colleague(owner, meet, "member")
    page = (await owner.http.get("/settings/people")).text
    [make] = re.findall(r'action="(/settings/people/[0-9a-f-]+/password)"', page)
    made = (await owner.submit("/settings/people", {}, make)).text
    [link] = re.findall(r"/auth/reset\?key=[\w-]+", made)
    return link


async def prepare_world(
    measured: Person,
    meet: Meet,
    let_in: Callable[[Person], Awaitable[App]],
    service: Running,
    database: Database,
) -> World:
    """Let a measured owner have one of everything."""
    await measured.make_key("Dashboard")
    await measured.submit("/settings/engines", {"platform": "chatgpt", "secret": "a-key-of-a-provider-1234"})
    invited = await measured.submit("/settings/people", {"email": "bob@example.com", "role": "member"})
    link = invited.text.split("/auth/invitation?key=")[1].split("<")[0]
    app = await let_in(measured)
    await app.redeem(await app.allow(*await app.ask()))
    await alarmed(measured, database)
    await drafted(measured, database)
    questions = f"/start/{measured.brand}/questions"
    shown = await measured.http.get(questions)
    token = shown.text.rpartition('name="token" value="')[2].partition('"')[0]
    sent = await measured.http.post(questions, data={"token": token, "own": "\n".join(PROMPTS)})
    assert sent.status_code == 303
    report = await scanned(measured, service, database)
    return World(
        measured,
        app,
        f"/auth/invitation?key={link}",
        report,
        await started(measured),
        await shared_link(measured),
        *await waiting(measured, database),
        await handed_link(measured, meet),
    )
