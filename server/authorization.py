"""The authorization server among the pages: people sign in there, and its own pages look like the rest."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from jinja2 import ChoiceLoader, PackageLoader
from starlette.requests import Request
from starlette.routing import Route

from oauth.client_documents import DocumentFetcher
from oauth.consent import Person, Render
from oauth.redirects import OAuthPolicy, host_of
from oauth.server import oauth_routes
from oauth.throttle import Limit
from storage.database import Database
from storage.workspace import CompanyRole
from tools.calls.rate_limits import RateLimitWindow, Windows
from web.services import ConnectedApp, PageServices
from web.templates import PageRenderer


def authorization_routes(
    policy: OAuthPolicy, site: PageServices, database: Database, fetcher: DocumentFetcher | None = None
) -> list[Route]:
    """Build every endpoint of the authorization server, signing people in by the site's sessions."""
    return oauth_routes(
        policy,
        database,
        site.now,
        signed_in=site.sessions.signed_in,
        render=_renderer(site),
        throttle=CountedInWindows(site.windows),
        fetcher=fetcher,
    )


class CountedInWindows:
    """Counts requests where calls of tools are counted: in memory, or in Redis for several processes."""

    def __init__(self, windows: Windows) -> None:
        self._windows = windows

    async def wait(self, *asked: tuple[Limit, str]) -> int | None:
        """Count a request under every limit; or return, uncounted, the seconds until there is a place."""
        windows = [
            RateLimitWindow(f"oauth:{limit.kind}:{who}", limit.count, limit.seconds) for limit, who in asked
        ]
        return (await self._windows.hit(windows)).wait(windows)


def _renderer(site: PageServices) -> Render:
    look = PageRenderer(site.now)
    inherited = look.environment.loader
    assert inherited is not None
    look.environment.loader = ChoiceLoader([PackageLoader("oauth"), inherited])

    def render(request: Request, person: Person | None, template: str, context: Mapping[str, object]) -> str:
        def token(path: str) -> str:
            return site.forms.token(person.session if person else "", path)

        shared: dict[str, object] = {
            "person": person,
            "path": request.url.path,
            "token": token,
            "base_url": site.base_url,
        }
        return look.render(template, {**shared, **context})

    return render


class CompanyApps:
    """What settings pages show of grants, and their end."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    async def of_company(self, company_id: str) -> Sequence[ConnectedApp]:
        """Return the clients of a company, newest first; the host is where their answers went."""
        apps = await self._database.workspace(company_id).connected_apps.live(self._now())
        return [
            ConnectedApp(
                app.id, app.name, host_of(app.redirect_uri), app.scopes.split(), app.since, app.last_used_at
            )
            for app in apps
        ]

    async def revoke(self, company_id: str, app_id: str, role: CompanyRole = CompanyRole.OWNER) -> bool:
        """Shut a client out at once; False when the company has none of this id. Raises WriteRefused for a viewer."""
        async with self._database.acting_as(role).transaction(company_id) as workspace:
            return await workspace.connected_apps.disconnect(app_id, self._now())
