"""Edits a robots.txt so that it opens what a failed check asks for, and nothing else."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import unified_diff
from urllib.parse import urlsplit

from protego import Protego

from readiness.agents import OWN_TOKEN, TOKENS
from readiness.reading.robots import Robots
from readiness.survey.site import Role, SurveyedSite

_NAME = re.compile(r"[A-Za-z][A-Za-z -]*")
_MOST_LINES = 2000
_MOST_URLS = 400
_STRANGER = "an-agent-that-no-file-names"


@dataclass(frozen=True, slots=True)
class RobotsPatch:
    """A robots.txt before and after, the bots that it lets in, and the addresses that it opens to them."""

    before: str
    after: str
    bots: tuple[str, ...]
    opened: tuple[str, ...]

    @property
    def diff(self) -> str:
        """The change as a unified diff, which `patch` applies."""
        lines = unified_diff(
            self.before.splitlines(), self.after.splitlines(), "robots.txt", "robots.txt", lineterm=""
        )
        return "\n".join(lines) + "\n"


def patch_robots(site: SurveyedSite, bots: Sequence[str]) -> RobotsPatch | None:
    """Return the smallest edit that lets these bots read home, vehicle and service pages; None when there is none.

    Every agent and address that the file closed stays closed otherwise, and what was open stays open: that is
    compared, by the parser that crawlers use, for all agents that are known or named and all addresses of the site.
    """
    text = "\n".join(site.robots.lines)
    wanted = wanted_urls(site)
    denied = tuple(bot for bot in bots if not all(site.robots.allows(url, bot) for url in wanted))
    if not denied or len(site.robots.lines) > _MOST_LINES:
        return None
    for paths in (_allowed_kinds(site), [f"{_path(url)}$" for url in wanted]):
        after = _edited(text, denied, paths)
        opened = changed_access(text, after, site)
        harmless = all(is_open and agent in _folded(denied) for agent, _, is_open in opened)
        asked = _asked_kinds(site)
        if harmless and all(url in asked for _, url, _ in opened) and _opens(after, denied, wanted):
            return RobotsPatch(text, after, denied, tuple(dict.fromkeys(url for _, url, _ in opened)))
    return None


def wanted_urls(site: SurveyedSite) -> list[str]:
    """Return what the checks of access ask for: home, one vehicle and one service page."""
    chosen = [
        next((visit.url for visit in site.samples(role)), next(iter(listed), None))
        for role, listed in ((Role.VEHICLE, site.vehicle_urls), (Role.SERVICE_DETAIL, site.service_urls))
    ]
    return [site.home.final_url or site.home.url, *(url for url in chosen if url)]


def changed_access(before: str, after: str, site: SurveyedSite) -> list[tuple[str, str, bool]]:
    """Return (agent, address, whether it is open now) for every agent and address that two files treat differently.

    A folder that is opened holds known pages of the asked kinds only; unknown addresses in it open as well.
    """
    agents = {*_folded(TOKENS), OWN_TOKEN.lower(), _STRANGER, *_named(before), *_named(after)}
    old, new = Protego.parse(before), Protego.parse(after)
    return [
        (agent, url, new.can_fetch(url, agent))
        for agent in sorted(agents)
        for url in site_urls(site, before)
        if old.can_fetch(url, agent) != new.can_fetch(url, agent)
    ]


def site_urls(site: SurveyedSite, robots: str) -> list[str]:
    """Return the addresses of a site that are known, and one below each path that a robots.txt names."""
    home = site.home.final_url or site.home.url
    parts = urlsplit(home)
    origin = f"{parts.scheme}://{parts.netloc}"
    known = [home, *(visit.url for visit in site.pages), *site.vehicle_urls, *site.service_urls]
    known += site.sitemap.locations
    for line in robots.splitlines():
        name, value = _field(line)
        if name in ("allow", "disallow") and value.startswith("/"):
            path = value.rstrip("$").replace("*", "x")
            known += [origin + path, f"{origin}{path.rstrip('/')}/x"]
    return list(dict.fromkeys(known))[:_MOST_URLS]


def _asked_kinds(site: SurveyedSite) -> frozenset[str]:
    return frozenset((*wanted_urls(site), *site.vehicle_urls, *site.service_urls)) | frozenset(
        visit.url for role in (Role.VEHICLE, Role.SERVICE_DETAIL) for visit in site.samples(role)
    )


def _allowed_kinds(site: SurveyedSite) -> list[str]:
    """Return home, and each folder that holds only vehicle or service pages of those that are known."""
    asked = _asked_kinds(site)
    others = {_folder(url) for url in site_urls(site, "") if url not in asked}
    folders = {folder for url in asked if (folder := _folder(url)) != "/" and folder not in others}
    lone = [f"{_path(url)}$" for url in wanted_urls(site) if _folder(url) not in folders]
    return [*dict.fromkeys(lone), *sorted(folders)]


def _edited(text: str, denied: Sequence[str], paths: Sequence[str]) -> str:
    """Add the paths to groups that bind denied bots alone; give other bots groups of their own with equal rules."""
    lines, names = text.splitlines(), _folded(denied)
    out: list[str] = []
    loose = dict(zip(names, denied, strict=True))
    guarded = _guards(lines, denied)
    for agents, rules in _groups(lines):
        bound = [_field(line)[1].lower() for line in agents if _field(line)[0] == "user-agent"]
        if bound and all(name in names and _count(lines, name) == 1 for name in bound):
            out += [*agents, *_rules_first(rules, paths)]
            for name in bound:
                loose.pop(name, None)
        else:
            out += [*agents, *rules]
    if not loose:
        return "\n".join([*out, *guarded]) + "\n"
    shared = [name for name in loose if _count(lines, name)]
    copied = _rules_for(lines, shared[0] if shared else "*")
    if any(_rules_for(lines, name if name in shared else "*") != copied for name in loose):
        return text
    kept = [
        line for line in out if not (_field(line)[0] == "user-agent" and _field(line)[1].lower() in loose)
    ]
    while kept and not kept[-1].strip():
        kept.pop()
    added = [
        *(f"User-agent: {bot}" for bot in loose.values()),
        *copied,
        *(f"Allow: {path}" for path in paths),
    ]
    return "\n".join([*kept, "", *added, *guarded]) + "\n"


def _guards(lines: Sequence[str], denied: Sequence[str]) -> list[str]:
    """Return groups for agents that no group names and whose names begin with a denied bot's.

    Many parsers bind `Applebot-Extended` by a group of `Applebot`: such an agent keeps the rules that it has now.
    """
    guarded: list[str] = []
    for token in TOKENS:
        prefix = next((bot for bot in denied if token.lower().startswith(bot.lower()) and token != bot), None)
        if prefix is not None and token not in denied and not _count(lines, token.lower()):
            rules = _rules_for(lines, prefix.lower() if _count(lines, prefix.lower()) else "*")
            guarded += ["", f"User-agent: {token}", *rules]
    return guarded


def _rules_first(rules: Sequence[str], paths: Sequence[str]) -> list[str]:
    """Put the paths after the last rule of a group, before blank lines and comments that follow it."""
    last = max((at for at, line in enumerate(rules) if _field(line)[0] in ("allow", "disallow")), default=-1)
    return [*rules[: last + 1], *(f"Allow: {path}" for path in paths), *rules[last + 1 :]]


def _groups(lines: Sequence[str]) -> Iterable[tuple[list[str], list[str]]]:
    """Yield (lines of agents, lines of rules) in order; lines before the first agent are rules."""
    agents: list[str] = []
    rules: list[str] = []
    for line in lines:
        if _field(line)[0] == "user-agent" and (rules or not agents):
            if agents or rules:
                yield agents, rules
            agents, rules = [line], []
        elif agents and not rules and _field(line)[0] in ("user-agent", ""):
            agents.append(line)
        else:
            rules.append(line)
    if agents or rules:
        yield agents, rules


def _rules_for(lines: Sequence[str], name: str) -> list[str]:
    rules: list[str] = []
    for agents, group in _groups(lines):
        if name in [_field(line)[1].lower() for line in agents]:
            rules += [
                line.strip() for line in group if _field(line)[0] in ("allow", "disallow", "crawl-delay")
            ]
    return rules


def _count(lines: Sequence[str], name: str) -> int:
    return sum(_field(line) == ("user-agent", name) for line in (written.lower() for written in lines))


def _opens(text: str, bots: Sequence[str], urls: Sequence[str]) -> bool:
    robots = Robots(text.encode())
    return all(robots.allows(url, bot) for bot in bots for url in urls)


def _named(text: str) -> set[str]:
    return {
        value.lower()
        for name, value in map(_field, text.splitlines())
        if name == "user-agent" and value != "*"
    }


def _field(line: str) -> tuple[str, str]:
    name, colon, value = (part.strip() for part in line.partition("#")[0].partition(":"))
    if not colon or _NAME.fullmatch(name) is None:
        return "", ""
    return name.lower().replace(" ", "-"), value


def _folded(names: Sequence[str]) -> list[str]:
    return [name.lower() for name in names]


def _path(url: str) -> str:
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _folder(url: str) -> str:
    return _path(url).rpartition("/")[0] + "/"


def patched_site(site: SurveyedSite, patch: RobotsPatch) -> SurveyedSite:
    """Return the site as it would be with the new file."""
    visit = replace(site.robots_visit, status=200, start=patch.after[:500], media_type="text/plain")
    return replace(site, robots=Robots(patch.after.encode()), robots_visit=visit)
