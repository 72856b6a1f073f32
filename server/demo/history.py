"""The demo with a history: a synthetic market of eight weeks, loaded as if it had been measured every week."""

import json
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime, time, timedelta
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from measurement.alerts.issues import IssueObservation, record
from measurement.imports.captured_answers import Importer
from measurement.planning.brand_files import BrandFile, parse_brands, save_brands
from measurement.planning.brand_profiles import change_profile
from measurement.planning.clock import utc_now
from measurement.publication.publish import Publisher
from measurement.publication.receipt_seal import ReceiptSigner
from server.demo.sample_site import HOST
from server.demo.synthetic_market import ENGINES, WEEKS, answers_of_week
from server.demo.synthetic_run import record_run
from storage.database import Database
from storage.documents import StoredEvidence
from storage.ids import fixed_ids
from storage.repositories.brands import Brand
from storage.repositories.companies import Company
from tools.calls.wire import SYNTHETIC_COMPANY

EMAIL = "synthetic@seenby.example"
MARKET = "synthetic_brand.json"
ISSUES = (
    IssueObservation(
        "crawler_error",
        "K1",
        "https://www.zentrix-synthetic-sample.com/service",
        "A key page answers 404",
        "warning",
        "https://www.zentrix-synthetic-sample.com/service",
        [
            StoredEvidence(
                type="page", url="https://www.zentrix-synthetic-sample.com/service", excerpt="HTTP 404"
            )
        ],
    ),
)
"""What monitors of the site would have found in the synthetic market."""


async def load_history(
    database: Database, signer: ReceiptSigner, site: str | None = None
) -> tuple[int, Company]:
    """Load the synthetic market once; return how many answers were stored now, and the market's company.

    Its identifiers are the same in every database, so that the examples of the tools' schemas can name them. The
    brand owns `site`, the `host:port` at which the sample site is served.
    """
    company = await _company(database)
    market = _market(site)
    workspace = database.workspace(company.id)
    stored = 0
    if await workspace.brands.count():
        if market[0].website:
            await _move_site(database, company, market[0])
    else:
        with fixed_ids("synthetic brand"):
            brand = (await save_brands(database, company.id, market, MARKET, utc_now()))[0]
        with tempfile.TemporaryDirectory() as folder:
            stored = await _import_weeks(
                database, signer, company.id, brand, market[0], Path(folder), fixed_ids
            )
    return stored, company


def _market(site: str | None) -> list[BrandFile]:
    """Return the brands of the market; the first owns the sample site when that is served."""
    market = parse_brands((files("server") / "demo" / MARKET).read_bytes(), MARKET)
    if site is None:
        return market
    own = market[0]
    return [
        own.model_copy(update={"website": f"http://{site}/", "domains": [*own.domains, site]}),
        *market[1:],
    ]


async def _move_site(database: Database, company: Company, own: BrandFile) -> None:
    """Let the loaded brand own the site at its present address; a site that a person set stays."""
    async with database.transaction(company.id) as writing:
        brand = await writing.brands.find(own.name)
        if brand is None or (brand.website and urlsplit(brand.website).hostname != HOST):
            return
        if brand.website != own.website:
            fields = {"website": own.website, "sites": tuple(own.domains)}
            await change_profile(writing, brand, fields, utc_now())


async def _company(database: Database) -> Company:
    """Return the workspace of the synthetic market, made on first use."""
    company = await database.operators.companies.find(SYNTHETIC_COMPANY)
    if company is not None:
        return company
    async with database.operation() as operators:
        return await operators.companies.create(SYNTHETIC_COMPANY, EMAIL, "scale", utc_now())


class SampleMarket:
    """The synthetic market as the sample data of any company; its identifiers are its own there."""

    def __init__(self, database: Database, signer: ReceiptSigner) -> None:
        self._database = database
        self._signer = signer

    async def add_brand(self, company_id: str) -> Brand:
        """Create the sample brand in a company, without answers."""
        return (await save_brands(self._database, company_id, _market(None), MARKET, utc_now()))[0]

    async def add_answers(self, company_id: str, brand: Brand) -> None:
        """Import the answers of all weeks; ends with a run, so that its presence says that all is there."""
        with tempfile.TemporaryDirectory() as folder:
            market = _market(None)[0]
            await _import_weeks(
                self._database, self._signer, company_id, brand, market, Path(folder), own_ids
            )


def own_ids(_name: str) -> AbstractContextManager[None]:
    """Let identifiers be new ones."""
    return nullcontext()


async def _import_weeks(
    database: Database,
    signer: ReceiptSigner,
    company_id: str,
    brand: Brand,
    market: BrandFile,
    folder: Path,
    ids: Callable[[str], AbstractContextManager[None]],
) -> int:
    """Import and publish week after week, each as of its own day; return how many answers were stored."""
    today = datetime.combine(utc_now().date(), time(6), utc_now().tzinfo)
    platforms = [engine.platform for engine in ENGINES]
    stored = 0
    for week in range(1, WEEKS + 1):
        day = today - timedelta(days=1 + 7 * (WEEKS - week))
        published = day + timedelta(hours=3)
        publisher = Publisher(database, platforms, lambda at=published: at, signer)
        path = folder / f"week-{week}.jsonl"
        lines = answers_of_week(market, week, day)
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
        importer = Importer(database, publisher, lambda at=published: at)
        with ids(f"synthetic week {week}"):
            stored += (await importer.import_file(company_id, brand, path)).stored
    async with database.transaction(company_id) as workspace:
        with ids("synthetic issues"):
            await record(workspace, brand, ISSUES, utc_now())
        with ids("synthetic run"):
            await record_run(workspace, brand, today - timedelta(days=1))
    return stored
