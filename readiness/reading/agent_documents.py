"""The documents that sites publish for agents: their paths, and what they must contain to be useful.

Each reader takes a document and the address it was found at, and returns the first fault as a fixed text; an empty
text is a document without one. Required fields are those of the specifications that `source` names.
"""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias, cast
from urllib.parse import urlsplit

from readiness.fetching import urls
from readiness.reading.structured_data import MOST_ITEMS, Json, object_of, objects_of

Reader: TypeAlias = Callable[[str, str], str]
DAY = re.compile(r"\d{4}-\d\d-\d\d")
REVERSE_DOMAIN = re.compile(r"(?<![a-z0-9-])[a-z0-9-]++(?:\.[a-z0-9_-]++){2,}+")
SKILL_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
TEXT_TYPES, JSON_TYPES = ("plain", "markdown"), ("json", "directory")


@dataclass(frozen=True, slots=True)
class AgentDocument:
    """One kind of document: its check, its paths (the first one found counts), and its reader."""

    check_id: str
    title: str
    paths: tuple[str, ...]
    media_types: tuple[str, ...]
    needs: str
    source: str
    find_fault: Reader


def read_json(find_fault: Callable[[Json, str], str]) -> Reader:
    """Make a reader of a JSON object out of a reader of its fields."""

    def read(text: str, url: str) -> str:
        try:
            document: object = json.loads(text.lstrip("\ufeff"))
        except (ValueError, RecursionError):
            return "not JSON"
        return find_fault(cast(Json, document), url) if isinstance(document, dict) else "not a JSON object"

    return read


def _lacking(document: Json, *names: str) -> str:
    """Name the first of these fields that is no text with something in it."""
    return next((f"no {name}" for name in names if not _is_text(document.get(name))), "")


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_address(value: object) -> bool:
    return (
        isinstance(value, str)
        and urlsplit(value).scheme in ("http", "https")
        and bool(urlsplit(value).netloc)
    )


def _first(faults: Iterable[str]) -> str:
    return next((fault for fault in faults if fault), "")


def read_llms_text(text: str, url: str) -> str:
    """A heading in the first line, and links (llmstxt.org)."""
    lines = text.lstrip("\ufeff \n\r\t").splitlines()
    if not lines or not lines[0].startswith("# "):
        return "the first line is no heading"
    return "" if "](" in text else "no link"


def read_heading_text(text: str, url: str) -> str:
    """A heading, and text below it."""
    lines = [line for line in text.lstrip("\ufeff").splitlines() if line.strip()]
    if not any(line.startswith("#") for line in lines):
        return "no heading"
    return "" if any(not line.startswith("#") for line in lines) else "no text below its headings"


def read_server_card(document: Json, url: str) -> str:
    """A name and a version: of the card itself, or under serverInfo in its older form."""
    info = object_of(document.get("serverInfo")) or document
    return _lacking(info, "name", "version")


def read_agent_card(document: Json, url: str) -> str:
    """The required fields of an A2A agent card, of version 0.3 or 1.0, and of each of its skills."""
    interfaces = objects_of(document.get("supportedInterfaces"))
    reached = (
        _first(
            "an interface without a url" for interface in interfaces if not _is_address(interface.get("url"))
        )
        if interfaces
        else ("" if _is_address(document.get("url")) else "no url and no supportedInterfaces")
    )
    skills = objects_of(document.get("skills"))
    modes = (f"no {name}" for name in ("defaultInputModes", "defaultOutputModes") if not document.get(name))
    return _first(
        (
            _lacking(document, "name", "description", "version"),
            reached,
            "" if isinstance(document.get("capabilities"), dict) else "no capabilities",
            *modes,
            "" if skills is not None else "no skills",
            *(f"a skill with {fault}" for skill in skills or () if (fault := _skill_fault(skill))),
        )
    )


def _skill_fault(skill: Json) -> str:
    return _lacking(skill, "id", "name", "description") or (
        "" if isinstance(skill.get("tags"), list) else "no tags"
    )


def read_commerce_profile(document: Json, url: str) -> str:
    """A UCP profile: a dated version, services by reverse domain name, and capabilities with versions."""
    profile = object_of(document.get("ucp"))
    if not profile:
        return "no ucp"
    services = object_of(profile.get("services"))
    named = profile.get("capabilities")
    capabilities = (
        [entry for entries in cast(Json, named).values() for entry in objects_of(entries) or [{}]]
        if isinstance(named, dict)
        else objects_of(named) or []
    )
    return _first(
        (
            "" if DAY.fullmatch(str(profile.get("version"))) else "no version of the form 2026-01-23",
            "" if services else "no services",
            *(
                "a service name that is no reverse domain"
                for name in services
                if not REVERSE_DOMAIN.fullmatch(name)
            ),
            "" if capabilities else "no capabilities",
            *(
                "a capability without a version"
                for capability in capabilities
                if not _is_text(capability.get("version"))
            ),
        )
    )


def read_skill_index(document: Json, url: str) -> str:
    """Skills, each with a name as agentskills.io allows it, a description, and its URL."""
    skills = objects_of(document.get("skills"))
    return "no skills" if skills is None else _first(_listed_skill_fault(skill) for skill in skills)


def _listed_skill_fault(skill: Json) -> str:
    name = skill.get("name")
    if not isinstance(name, str) or not SKILL_NAME.fullmatch(name) or len(name) > 64:
        return "a skill whose name is not of lower-case letters, digits and single hyphens"
    if not _is_text(skill.get("description")):
        return "a skill without a description"
    return "" if _is_text(skill.get("url")) or skill.get("files") else "a skill without a url or files"


def read_api_catalog(document: Json, url: str) -> str:
    """A linkset (RFC 9264) that links something: an array of relations whose targets have an href."""
    contexts = objects_of(document.get("linkset"))
    if contexts is None:
        return "no linkset"
    targets = [
        target
        for context in contexts
        for relation in context.values()
        for target in objects_of(relation) or ()
    ]
    if not targets:
        return "a linkset without a link"
    return _first("a link without an href" for target in targets if not _is_text(target.get("href")))


def read_catalog(document: Json, url: str) -> str:
    """Entries with identifier, name, type, and either a url or the data itself (AI Catalog and ARD)."""
    entries = objects_of(document.get("entries") or document.get("@graph"))
    return "no entries" if entries is None else _first(_entry_fault(entry) for entry in entries)


def _entry_fault(entry: Json) -> str:
    lacking = _lacking(entry, "identifier", "displayName")
    typed = any(entry.get(name) for name in ("type", "mediaType", "@type"))
    one_place = ("url" in entry) != ("data" in entry)
    fault = (
        lacking or ("" if typed else "no type") or ("" if one_place else "not exactly one of url and data")
    )
    return f"an entry with {fault}" if fault else ""


def read_agents_file(document: Json, url: str) -> str:
    """A name, and at least one thing an agent can use; the proposals under this file name differ in the rest."""
    info = object_of(document.get("info")) or document
    named = any(_is_text(info.get(name)) for name in ("title", "name", "id"))
    lists = ("agents", "flows", "endpoints", "capabilities", "skills", "tools", "actions", "resources")
    return ("" if named else "no name") or (
        "" if any(document.get(name) for name in lists) else "nothing to use"
    )


def read_protected_resource(document: Json, url: str) -> str:
    """RFC 9728: the resource is an https address of this site."""
    resource = document.get("resource")
    if not _is_address(resource):
        return "no resource"
    return "" if _same_host(str(resource), url) else "a resource of another host"


def read_authorization_server(document: Json, url: str) -> str:
    """RFC 8414: the issuer is this site, with the endpoints of its grants and its response types."""
    issuer = document.get("issuer")
    if not _is_address(issuer):
        return "no issuer"
    return _first(
        (
            "" if _same_host(str(issuer), url) else "an issuer of another host",
            *(
                f"no {name}"
                for name in ("authorization_endpoint", "token_endpoint")
                if not _is_address(document.get(name))
            ),
            "" if document.get("response_types_supported") else "no response_types_supported",
        )
    )


def _same_host(address: str, url: str) -> bool:
    return urlsplit(address).hostname == urlsplit(url).hostname


def read_key_directory(document: Json, url: str) -> str:
    """Keys of a bot that signs its requests (Web Bot Auth): a JSON Web Key Set of public keys."""
    keys = objects_of(document.get("keys"))
    if keys is None:
        return "no keys"
    return _first(_lacking(key, "kty") or ("a private key" if "d" in key else "") for key in keys)


def read_commerce_discovery(document: Json, url: str) -> str:
    """ACP's discovery document: protocol and version, address of the API, transports, capabilities."""
    protocol = object_of(document.get("protocol"))
    return _first(
        (
            "" if protocol.get("name") == "acp" else "no protocol named acp",
            "" if DAY.fullmatch(str(protocol.get("version"))) else "no version of the form 2026-01-23",
            "" if _is_address(document.get("api_base_url")) else "no api_base_url",
            "" if document.get("transports") else "no transports",
            ""
            if object_of(document.get("capabilities")).get("services")
            else "no services in its capabilities",
        )
    )


def read_payment_list(document: Json, url: str) -> str:
    """What can be paid for with x402: a version, and resources with addresses."""
    resources = document.get("resources") or document.get("endpoints")
    if "version" not in document and "x402Version" not in document:
        return "no version"
    if not isinstance(resources, list) or not resources:
        return "no resources"
    return _first(
        "a resource without an address"
        for resource in cast(list[object], resources)[:MOST_ITEMS]
        if not (
            _is_text(resource)
            or any(_is_text(object_of(resource).get(name)) for name in ("resource", "url", "path"))
        )
    )


def read_openapi(document: Json, url: str) -> str:
    """OpenAPI 3 or 2: version, title, and at least one path (or a webhook)."""
    version = document.get("openapi") or document.get("swagger")
    if not isinstance(version, str) or not version.startswith(("3.", "2.")):
        return "no openapi version"
    lacking = _lacking(object_of(document.get("info")), "title", "version")
    return lacking or ("" if object_of(document.get("paths")) or document.get("webhooks") else "no paths")


AGENT_DOCUMENTS: tuple[AgentDocument, ...] = (
    AgentDocument(
        "exp.llms_txt", "llms.txt", ("/llms.txt",), TEXT_TYPES,
        "a heading in the first line and links that lead to pages", "https://llmstxt.org/", read_llms_text,
    ),
    AgentDocument(
        "exp.llms_full", "llms-full.txt", ("/llms-full.txt",), TEXT_TYPES,
        "a heading and text below it", "https://llmstxt.org/", read_heading_text,
    ),
    AgentDocument(
        "exp.agents_md", "agents.md", ("/agents.md",), TEXT_TYPES,
        "a heading and text below it", "https://agents.md/", read_heading_text,
    ),
    AgentDocument(
        "exp.agents_json", "agents.json", ("/.well-known/agents.json", "/agents.json"), JSON_TYPES,
        "a name and something that agents can use", "https://github.com/wild-card-ai/agents-json",
        read_json(read_agents_file),
    ),
    AgentDocument(
        "exp.ai_catalog", "AI catalog", ("/.well-known/ai-catalog.json",), JSON_TYPES,
        "entries with identifier, name, type and either url or data", "https://github.com/Agent-Card/ai-catalog",
        read_json(read_catalog),
    ),
    AgentDocument(
        "exp.ard", "Agentic resource discovery", ("/.well-known/ard.json",), JSON_TYPES,
        "entries with identifier, name, type and either url or data", "https://github.com/ards-project/ard-spec",
        read_json(read_catalog),
    ),
    AgentDocument(
        "exp.mcp_card", "MCP server card", ("/.well-known/mcp/server-card.json", "/.well-known/mcp.json"), JSON_TYPES,
        "a name and a version", "https://modelcontextprotocol.io/", read_json(read_server_card),
    ),
    AgentDocument(
        "exp.a2a", "Agent card", ("/.well-known/agent-card.json",), JSON_TYPES,
        "every field that A2A requires of a card and its skills", "https://a2a-protocol.org/",
        read_json(read_agent_card),
    ),
    AgentDocument(
        "exp.ucp", "Universal commerce profile", ("/.well-known/ucp",), JSON_TYPES,
        "a dated version, services and capabilities with versions", "https://ucp.dev/",
        read_json(read_commerce_profile),
    ),
    AgentDocument(
        "exp.acp", "Agentic commerce discovery", ("/.well-known/acp.json",), JSON_TYPES,
        "protocol, API address, transports and capabilities", "https://github.com/agentic-commerce-protocol",
        read_json(read_commerce_discovery),
    ),
    AgentDocument(
        "exp.x402", "x402 payments", ("/.well-known/x402",), JSON_TYPES,
        "a version and resources with addresses", "https://www.x402.org/", read_json(read_payment_list),
    ),
    AgentDocument(
        "exp.api_catalog", "API catalog", ("/.well-known/api-catalog",), JSON_TYPES,
        "a linkset with links", "https://www.rfc-editor.org/rfc/rfc9727", read_json(read_api_catalog),
    ),
    AgentDocument(
        "exp.openapi", "OpenAPI description", ("/openapi.json",), JSON_TYPES,
        "a version, a title and paths", "https://spec.openapis.org/oas/", read_json(read_openapi),
    ),
    AgentDocument(
        "exp.agent_skills", "Agent skills", ("/.well-known/agent-skills/index.json",), JSON_TYPES,
        "skills with name, description and place", "https://agentskills.io/", read_json(read_skill_index),
    ),
    AgentDocument(
        "exp.oauth_resource", "OAuth protected resource", ("/.well-known/oauth-protected-resource",), JSON_TYPES,
        "a resource of this host", "https://www.rfc-editor.org/rfc/rfc9728", read_json(read_protected_resource),
    ),
    AgentDocument(
        "exp.oauth_server", "OAuth authorization server", ("/.well-known/oauth-authorization-server",), JSON_TYPES,
        "an issuer of this host, endpoints and response types", "https://www.rfc-editor.org/rfc/rfc8414",
        read_json(read_authorization_server),
    ),
    AgentDocument(
        "exp.web_bot_auth", "Keys of a signing bot", ("/.well-known/http-message-signatures-directory",), JSON_TYPES,
        "public keys", "https://datatracker.ietf.org/doc/draft-meunier-http-message-signatures-directory/",
        read_json(read_key_directory),
    ),
)  # fmt: skip
RETIRED_PLUGIN = "/.well-known/ai-plugin.json"
LLMS_TEXT = "/llms.txt"
DEFAULT_PATHS = (
    "/.well-known/ucp",
    "/.well-known/agent-card.json",
    "/.well-known/mcp/server-card.json",
    "/.well-known/api-catalog",
)
"""What every scan asks for after llms.txt and home as Markdown, as far as its requests go."""
DOCUMENT_PATHS = (*(path for document in AGENT_DOCUMENTS for path in document.paths), RETIRED_PLUGIN)
"""Every path that is asked for on demand."""


def linked_urls(text: str, url: str) -> list[str]:
    """Return the addresses of the same site that a Markdown document links to, in its order."""
    resolved = (urls.resolve(url, written) for written in MARKDOWN_LINK.findall(text))
    same = (link for link in resolved if link and urls.same_site(urls.host_of(link), urls.host_of(url)))
    return list(dict.fromkeys(same))[:MOST_ITEMS]


MARKDOWN_LINK = re.compile(r"\]\(\s{0,5}<?([^\s()<>]{1,2000})")
AP2 = "github.com/google-agentic-commerce/ap2"
AP2_MANDATE = "dev.ucp.shopping.ap2_mandate"


def payment_agents(text: str) -> list[Json] | None:
    """The AP2 declarations of an agent card (extensions) or a UCP profile (capabilities); None without any.

    Source: https://ap2-protocol.org/a2a-extension and UCP's AP2 mandates extension.
    """
    try:
        document = object_of(json.loads(text.lstrip("\ufeff")))
    except (ValueError, RecursionError):
        return None
    extensions = objects_of(object_of(document.get("capabilities")).get("extensions")) or []
    declared = [entry for entry in extensions if AP2 in str(entry.get("uri")).lower()]
    capabilities = object_of(object_of(document.get("ucp")).get("capabilities"))
    return declared + (objects_of(capabilities.get(AP2_MANDATE)) or []) or None


def payment_agent_fault(declaration: Json) -> str:
    """What a declaration of AP2 lacks: the roles of an agent, or the version of a capability."""
    if "uri" not in declaration:
        return _lacking(declaration, "version")
    return "" if object_of(declaration.get("params")).get("roles") else "no roles"
