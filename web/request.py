"""PageRequest: the sender of a request, the forms and tools behind it, and the response that a page renders."""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from engines.settings import LOCAL
from measurement.planning.engine_names import MODES, platform_name
from oauth.errors import RETRY_SECONDS
from oauth.principal import Caller, Principal
from oauth.throttle import address_of
from storage.database import Database
from storage.repositories.accounts import User
from storage.repositories.brands import Brand
from storage.workspace import Workspace
from tools.calls.dispatch import Refusal, Success
from tools.calls.errors import Cause, UnknownTool
from tools.calls.rate_limits import RateLimitWindow
from tools.calls.wire import SYNTHETIC_COMPANY
from web.errors import DuplicateSubmission, NotAllowed, PageNotFound, ReadOnly, Throttled
from web.layout.navigation import Navigation, load_navigation
from web.security.browsers import THEMES, Browser
from web.security.csrf import TOKEN
from web.security.duplicate_submissions import FormSubmission, claim, settle
from web.security.sessions import SignedIn
from web.services import PageServices
from web.templates import HEADERS
from web.view_filters import DEFAULT_PERIOD, LABELS, ViewFilters, load_options, read_view

PARTS: Mapping[str, str] = {
    "compare_periods": "The comparison with the period before",
    "get_ai_visibility_score": "The visibility score",
    "get_answer": "The answer",
    "get_brand_mentions": "The list of mentions",
    "get_brand_profile": "The brand's profile",
    "get_citations": "The list of sources",
    "get_competitor_rankings": "The competitor ranking",
    "get_credits": "The credits",
    "get_metric_trend": "The trend",
    "get_platform_metrics": "The figures by engine",
    "get_prompt_results": "The results by prompt",
    "get_repository_items": "The list of contents",
    "get_run_status": "The run",
    "list_actions": "The list of actions",
    "list_answers": "The list of answers",
    "list_brand_profiles": "The list of brands",
    "list_notifications": "The notifications",
    "list_prompt_sets": "The prompt sets",
    "list_reusable_agents": "The list of agents",
    "list_simulations": "The list of sessions",
    "list_workflow_runs": "The list of runs",
    "list_workflows": "The list of workflows",
    "search_repository_items": "The search in the contents",
}
"""Names for the parts of a page, used when a tool returned nothing."""


@dataclass(frozen=True, slots=True)
class MissingPart:
    """The message for a missing part. `faulty` is set when no other URL or filter would bring it back."""

    words: str
    faulty: bool


def _describe_missing_part(tool: str, refusal: Refusal) -> MissingPart:
    """Describe a missing part and what to do. An internal error includes the reference of its log entry."""
    part = PARTS.get(tool, "A part of this page")
    if refusal.cause is Cause.CRASH:
        return MissingPart(f"{part} is not available. {refusal.hint}", faulty=True)
    if refusal.cause is Cause.UNAVAILABLE:
        return MissingPart(f"{part} is not available just now. Load the page again in a minute.", faulty=True)
    return MissingPart(f"{part} cannot be shown here: {refusal.reason.rstrip('.')}.", faulty=False)


REPEATABLE = frozenset({"/auth/login", "/auth/logout", "/settings/password", "/settings/leave"})
"""Forms whose response sets the session cookie. Only doing the work sets it, and doing it twice is harmless."""
NAMED_MODE = re.compile(r"in the mode (\w+)")
MOST_SETS = 100
"""Maximum number of prompt sets in the filters."""


@dataclass(frozen=True, slots=True)
class ToolFault:
    """Why a change was rejected: a sentence, and the field it is about (empty for the whole form)."""

    field: str
    words: str

    @classmethod
    def of(cls, reason: str) -> "ToolFault":
        """Parse an error's reason, which starts with the field and a colon when it is about one, into display text."""
        field, colon, words = reason.partition(": ")
        if not colon or not field.isidentifier():
            field, words = "", reason
        words = NAMED_MODE.sub(lambda mode: MODES.get(mode[1], mode[0]), words)
        return cls(field, f"{words[:1].upper()}{words[1:].rstrip('.')}.")

    @classmethod
    def of_preview(cls, preview: "dict[str, Any] | ToolFault") -> "ToolFault | None":
        """Return why a previewed run of a prompt set cannot start; None if it can."""
        if isinstance(preview, ToolFault):
            return preview
        names = ", ".join(map(platform_name, preview["unavailablePlatforms"]))
        return cls("", f"There is no key for {names}.") if names else None


@dataclass(slots=True)
class PageRequest:
    """An HTTP request with everything a page needs to handle it. `person` is None for visitors."""

    services: PageServices
    http: Request
    browser: Browser
    person: SignedIn | None
    new_browser: bool
    brand_id: str | None = None
    """The brand that the page is about, when the URL does not contain it."""
    navigation: Navigation | None = None
    missing_parts: dict[str, MissingPart] = field(default_factory=dict[str, MissingPart])
    """Parts of this page that a tool did not return, by tool."""

    submission: FormSubmission | None = None
    """The submission of this request's form, once it was read."""
    prompt_sets: Sequence[dict[str, Any]] = ()
    """The prompt sets of the page's brand, once its filters were read."""

    @property
    def address(self) -> str:
        """The client's address, resolved behind proxies."""
        return address_of(self.http)

    @property
    def signed_in(self) -> SignedIn:
        """The user, on pages that require signing in."""
        if self.person is None:
            raise RuntimeError("this page opens without a person")
        return self.person

    @property
    def database(self) -> Database:
        """The database with the rights of the user's role: a viewer's transactions are rejected."""
        return self.services.database.acting_as(self.signed_in.role)

    @property
    def workspace(self) -> Workspace:
        """The user's company, for reading."""
        return self.services.database.workspace(self.signed_in.company_id)

    def transaction(self) -> AbstractAsyncContextManager[Workspace]:
        """Return a transaction on the user's company, with the rights of their role."""
        return self.database.transaction(self.signed_in.company_id)

    @property
    def theme(self) -> str:
        """The theme that was chosen in this browser; empty for that of the system."""
        chosen = self.services.theme.read(self.http) or ""
        return chosen if chosen in THEMES else ""

    async def load_brand(self) -> dict[str, Any]:
        """Return the profile of the brand in the URL, as its tool returns it. Raises PageNotFound."""
        profile = await self.call_tool("get_brand_profile", brandId=self.http.path_params["brand_id"])
        if profile is None:
            raise PageNotFound
        return profile

    async def find_brand(self) -> Brand:
        """Return the stored brand of the URL. Raises PageNotFound, also for another company's brand."""
        brand = await self.workspace.brands.find(self.http.path_params["brand_id"])
        if brand is None:
            raise PageNotFound
        return brand

    @property
    def binding(self) -> str:
        """The value that this request's form tokens are bound to."""
        return self.person.session if self.person else self.browser.id

    async def read_form(self, *, holds_texts: bool = False) -> Mapping[str, str]:
        """Return the submitted form. With `holds_texts` it may be long, for pasted texts.

        Raises CsrfRejected, InvalidForm, FormTooLong, or DuplicateSubmission for a form that was already submitted.
        """
        path = self.http.url.path
        typed = await self.services.forms.read(self.http, self.binding, path, holds_texts=holds_texts)
        if self.person is not None and self.http.url.path not in REPEATABLE:
            self.submission = FormSubmission.of(self.person.company_id, typed[TOKEN])
            try:
                await claim(self.services.database, self.submission, self.services.now())
            except DuplicateSubmission:
                self.submission = None
                raise
        return typed

    async def settle_form(self, response: Response) -> None:
        """Store where this request's form led, for repeated submissions."""
        if self.submission is not None:
            location = response.headers.get("location")
            await settle(self.services.database, self.submission, response.status_code, location)

    def require_owner(self) -> None:
        """Raise NotAllowed unless the user is an owner."""
        if not self.signed_in.owner:
            raise NotAllowed

    def require_member(self) -> None:
        """Raise ReadOnly for a viewer."""
        if self.person is not None and self.person.viewer:
            raise ReadOnly

    async def count_attempt(self, *windows: RateLimitWindow) -> None:
        """Count an attempt in all windows. Raises Throttled when one of them is full."""
        waits = (await self.services.windows.hit(windows)).wait(windows)
        if waits is not None:
            raise Throttled(waits)

    async def call_tool(self, tool: str, **arguments: object) -> dict[str, Any] | None:
        """Call a tool as any client would and return its result, or None.

        Returns None when something was not found, or when the tool returns an error; then the page shows a message that
        this part is missing. Raises Throttled at the rate limit.
        """
        return await self._call(self.signed_in.principal, tool, arguments)

    async def call_for_file(self, tool: str, **arguments: object) -> dict[str, Any] | None:
        """Call a tool for one page of an export. Counted separately, so that it does not block the user's pages."""
        principal = self.signed_in.principal
        return await self._call(replace(principal, subject=f"{principal.subject}:files"), tool, arguments)

    async def _call(
        self, principal: Principal, tool: str, arguments: Mapping[str, object]
    ) -> dict[str, Any] | None:
        try:
            caller = Caller(principal, self.address)
            outcome = await self.services.dispatcher.call(tool, arguments, caller, whole=True)
        except UnknownTool:
            return None
        if isinstance(outcome, Success):
            return json.loads(outcome.body)
        if outcome.cause is Cause.RATE_LIMITED:
            raise Throttled(outcome.retry_after or RETRY_SECONDS)
        if outcome.cause is not Cause.NOT_FOUND:
            self.missing_parts[tool] = _describe_missing_part(tool, outcome)
        return None

    async def read_view(
        self,
        brand_id: str,
        *,
        kept: Sequence[str] = (),
        fields: Sequence[str] = tuple(LABELS),
        default_period: str = DEFAULT_PERIOD,
        path: str | None = None,
        query: Mapping[str, str] | None = None,
    ) -> ViewFilters:
        """Read the filters of a brand page from its URL. `kept` names other query fields to keep.

        `path` and `query` are those of the page that the filters belong to, by default this one.
        """
        listed = await self.call_tool("list_prompt_sets", brandId=brand_id, limit=MOST_SETS)
        self.prompt_sets = listed["promptSets"] if listed else []
        workspace = self.workspace
        return read_view(
            path or self.http.url.path,
            self.http.query_params if query is None else query,
            await load_options(workspace, self.prompt_sets),
            self.services.now().date(),
            kept=kept,
            fields=fields,
            default_period=default_period,
        )

    async def ready_platforms(self) -> list[str]:
        """Return the engines that the user's company can query, with the built-in one last."""
        ready = await self.services.engine_keys.platforms(self.signed_in.company_id)
        return sorted(ready, key=lambda name: (name == LOCAL, name))

    async def load_colleagues(self) -> dict[str, User]:
        """Return all users of the company by id, the current user first."""
        everybody = await self.workspace.colleagues.all()
        everybody.sort(key=lambda colleague: colleague.id != self.signed_in.user_id)
        return {colleague.id: colleague for colleague in everybody}

    async def is_read_anew(self, brand_id: str) -> bool:
        """Return whether stored answers of a brand are being reprocessed, so that numbers are still the old ones."""
        workspace = self.workspace
        brand = await workspace.brands.find(brand_id)
        return brand is not None and await workspace.revisions.building(brand.key) is not None

    async def load_navigation(self) -> None:
        """Load the navigation: the brand of the URL and the unread count."""
        wanted = self.brand_id or self.http.path_params.get("brand_id") or self.http.query_params.get("brand")
        try:
            listed = await self.call_tool("list_notifications", limit=1, onlyUnread=True)
        except Throttled:
            listed = None
        workspace = self.workspace
        self.navigation = await load_navigation(workspace, wanted, listed["total"] if listed else 0)

    async def try_tool(
        self, tool: str, arguments: Mapping[str, Any], idempotency_key: str | None = None
    ) -> dict[str, Any] | ToolFault:
        """Call a tool that changes something, and return its result or the error for the user.

        Raises PageNotFound when something was not found, and Throttled at the rate limit.
        """
        caller = Caller(self.signed_in.principal, self.address)
        outcome = await self.services.dispatcher.call(
            tool, arguments, caller, idempotency_key=idempotency_key, whole=True
        )
        if isinstance(outcome, Success):
            return json.loads(outcome.body)
        if outcome.retry_after is not None:
            raise Throttled(outcome.retry_after)
        if outcome.cause is Cause.NOT_FOUND:
            raise PageNotFound
        return ToolFault.of(outcome.reason)

    def render(self, template: str, status: int = 200, **context: object) -> Response:
        """Render a page with the headers that all pages share."""

        def token(path: str) -> str:
            return self.services.forms.token(self.binding, path)

        shared: dict[str, object] = {
            "person": self.person,
            "path": self.http.url.path,
            "token": token,
            "base_url": self.services.base_url,
            "navigation": self.navigation,
            "missing_parts": self.missing_parts,
            "theme": self.theme,
            "synthetic": self.person is not None and self.person.company_name == SYNTHETIC_COMPANY,
        }
        html = self.services.renderer.render(template, shared | context)
        return self._with_browser_cookie(HTMLResponse(html, status, HEADERS))

    def redirect(self, path: str) -> Response:
        """Redirect with 303 to a path of this site."""
        return self._with_browser_cookie(RedirectResponse(path, 303, HEADERS))

    def remember(self, user_id: str) -> None:
        """Record in the browser's cookie that the user signed in from it."""
        self.browser, self.new_browser = self.browser.with_person(user_id), True

    def _with_browser_cookie(self, response: Response) -> Response:
        if self.new_browser:
            self.services.browsers.remember(response, self.browser)
        return response
