"""Every page and its address."""

from starlette.routing import BaseRoute, Route

from web import (
    api_keys,
    brands,
    connect,
    engine_keys,
    notifications,
    readiness,
    scans,
    settings,
    sign_in,
    suggestions,
)
from web.site import Site
from web.visit import Endpoint, Handler, members_page, open_page

OPEN: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/", brands.start),
    ("GET", "/connect", connect.connect),
    ("GET", "/auth/login", sign_in.login),
    ("POST", "/auth/login", sign_in.log_in),
    ("GET", "/auth/signup", sign_in.signup),
    ("POST", "/auth/signup", sign_in.sign_up),
    ("GET", "/auth/invitation", sign_in.invitation),
    ("POST", "/auth/invitation", sign_in.join),
    ("POST", "/auth/logout", sign_in.log_out),
    ("GET", "/readiness", scans.readiness),
    ("GET", "/readiness/report", readiness.negotiated),
    ("GET", "/readiness/report.json", readiness.as_json),
    ("GET", "/readiness/report.md", readiness.as_markdown),
    ("GET", "/readiness/methodology", readiness.methodology),
    ("GET", "/readiness/bot", readiness.bot),
    ("GET", "/readiness/reports/{report_id}.json", scans.report_json),
    ("GET", "/readiness/reports/{report_id}.md", scans.report_markdown),
    ("GET", "/readiness/reports/{report_id}.png", scans.report_picture),
    ("GET", "/readiness/reports/{report_id}", scans.report),
)
FOR_PEOPLE: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/brands/{brand_id}", brands.brand),
    ("GET", "/brands/{brand_id}/suggestions", suggestions.suggestions),
    ("POST", "/brands/{brand_id}/suggestions/{suggestion_id}/confirm", suggestions.confirm),
    ("POST", "/brands/{brand_id}/suggestions/{suggestion_id}/dismiss", suggestions.turn_down),
    ("GET", "/notifications", notifications.notifications),
    ("POST", "/notifications/read", notifications.mark_all_read),
    ("POST", "/notifications/{notification_id}/read", notifications.mark_read),
    ("GET", "/issues", notifications.issues),
    ("POST", "/issues/{issue_id}/dismiss", notifications.dismiss),
    ("GET", "/settings/keys", api_keys.keys),
    ("POST", "/settings/keys", api_keys.create_key),
    ("POST", "/settings/keys/{key_id}/revoke", api_keys.revoke_key),
    ("GET", "/settings/apps", settings.apps),
    ("POST", "/settings/apps/{app_id}/revoke", settings.revoke_app),
    ("GET", "/settings/engines", engine_keys.engines),
    ("POST", "/settings/engines", engine_keys.store_key),
    ("POST", "/settings/engines/{platform}/test", engine_keys.test_key),
    ("POST", "/settings/engines/{platform}/remove", engine_keys.remove_key),
    ("GET", "/settings/people", settings.people),
    ("POST", "/settings/people", settings.invite),
    ("POST", "/settings/people/{invitation_id}/withdraw", settings.withdraw),
    ("GET", "/settings/profile", settings.profile),
    ("POST", "/settings/profile", settings.rename),
    ("POST", "/settings/password", settings.change_password),
    ("POST", "/readiness/scans", scans.start),
    ("GET", "/readiness/scans/{scan_id}", scans.progress),
)


def page_routes(site: Site) -> list[BaseRoute]:
    """Return the routes of all pages and of the files that they load."""
    return [
        *(route(method, path, open_page(site, handler)) for method, path, handler in OPEN),
        *(route(method, path, members_page(site, handler)) for method, path, handler in FOR_PEOPLE),
        *site.look.routes(),
    ]


def route(method: str, path: str, endpoint: Endpoint) -> Route:
    """Return one route."""
    return Route(path, endpoint, methods=[method])
