"""The tool table: each tool declared once, and everything the surfaces publish derived from that row."""

import functools
import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, TypeVar

from mcp.server.mcpserver.tools import Tool
from mcp_types import Tool as WireTool
from mcp_types import ToolAnnotations
from pydantic import BaseModel, ConfigDict
from pydantic.fields import FieldInfo

from oauth.principal import Scope
from tools.calls.call import Injected
from tools.calls.schemas import ANY_OBJECT, WIRE_REF, listed_schema, request_schema, response_schema

Access: TypeAlias = Literal["read", "write", "public"]
ToolFunction = TypeVar("ToolFunction", bound=Callable[..., Awaitable[BaseModel]])

EVERYWHERE = frozenset({"brandId", "limit", "offset", "days", "detail"})
"""Fields that mean the same at every tool that has them."""
_SCOPES: Mapping[Access, Scope | None] = MappingProxyType(
    {"read": Scope.READ, "write": Scope.WRITE, "public": None}
)


@dataclass(frozen=True)
class ToolRow:
    """One tool: the SDK's tool function, and what the interface says about it."""

    tool: Tool
    title: str
    access: Access
    annotations: ToolAnnotations
    arguments_model: type[BaseModel]
    result_model: type[BaseModel]
    injected: Mapping[str, Injected]
    charted: bool = False
    """Whether hosts that draw charts may draw its results."""
    described_in: str | None = None
    """A tool whose list entry describes fields that this one takes too: the shared ones, else all optional ones."""

    @cached_property
    def name(self) -> str:
        """The tool's name on every surface."""
        return self.tool.name

    @cached_property
    def description(self) -> str:
        """The function's docstring."""
        return " ".join(self.tool.description.split())

    @cached_property
    def scope(self) -> Scope | None:
        """What a caller needs; None for a public tool."""
        return _SCOPES[self.access]

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        """JSON Schema 2020-12 of the arguments."""
        return self.input_schema_with(WIRE_REF)

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        """JSON Schema 2020-12 of the result."""
        return self.output_schema_with(WIRE_REF)

    def input_schema_with(self, ref_template: str) -> dict[str, Any]:
        """The arguments' schema with references in the form of another document."""
        return request_schema(self.arguments_model, ref_template)

    def output_schema_with(self, ref_template: str) -> dict[str, Any]:
        """The result's schema with references in the form of another document."""
        return response_schema(self.result_model, ref_template)

    @cached_property
    def described_elsewhere(self) -> frozenset[str]:
        """Fields whose words stand at another tool in a list of all tools."""
        if self.described_in is None:
            return frozenset()
        fields = self.input_schema["properties"].keys()
        shared = {field for marker in self.injected.values() for field in shared_names(marker)}
        optional = fields - set(self.input_schema.get("required", ()))
        return frozenset((shared or optional) | (fields & EVERYWHERE))

    @cached_property
    def security_schemes(self) -> list[dict[str, Any]]:
        """How a client may authorise a call of this tool, in the form that connectors read."""
        if self.scope is None:
            return [{"type": "noauth"}]
        return [{"type": "oauth2", "scopes": [str(self.scope)]}]

    def wire_tool(self, *, oauth: bool = True, chart: str | None = None) -> WireTool:
        """The entry of tools/list; without OAuth there is no scheme of a protected tool to name.

        `chart` is the address of the page that draws results.
        """
        meta: dict[str, Any] = {}
        if oauth or self.scope is None:
            meta["securitySchemes"] = self.security_schemes
        if chart and self.charted:
            meta |= {"ui": {"resourceUri": chart}, "openai/outputTemplate": chart}
        return WireTool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=listed_schema(self.input_schema, self.described_elsewhere),
            output_schema=ANY_OBJECT,
            annotations=self.annotations,
            _meta=meta or None,
        )


class ToolFamily:
    """The tools of one module, in the order of their declaration."""

    def __init__(self) -> None:
        self.rows: list[ToolRow] = []

    def read(
        self, title: str, *, open_world: bool = False, charted: bool = False, described_in: str | None = None
    ) -> Callable[[ToolFunction], ToolFunction]:
        """Declare a tool that changes nothing; `open_world` when results carry text of engines or the web."""
        annotations = _annotations(title, open_world=open_world)
        return self._declare("read", annotations, described_in, charted=charted)

    def write(
        self,
        title: str,
        *,
        destructive: bool,
        idempotent: bool,
        open_world: bool = False,
        described_in: str | None = None,
    ) -> Callable[[ToolFunction], ToolFunction]:
        """Declare a tool that changes something; `destructive` when it ends work or spends credits."""
        annotations = _annotations(
            title, read_only=False, destructive=destructive, idempotent=idempotent, open_world=open_world
        )
        return self._declare("write", annotations, described_in)

    def public(self, title: str, *, open_world: bool = False) -> Callable[[ToolFunction], ToolFunction]:
        """Declare a tool that anybody may call; it refuses arguments that it does not know."""
        return self._declare("public", _annotations(title, open_world=open_world), None)

    def _declare(
        self, access: Access, annotations: ToolAnnotations, described_in: str | None, *, charted: bool = False
    ) -> Callable[[ToolFunction], ToolFunction]:
        def declare(function: ToolFunction) -> ToolFunction:
            row = _row(function, access, annotations)
            self.rows.append(replace(row, described_in=described_in, charted=charted))
            return function

        return declare


def _annotations(
    title: str,
    *,
    read_only: bool = True,
    destructive: bool = False,
    idempotent: bool = True,
    open_world: bool = False,
) -> ToolAnnotations:
    return ToolAnnotations(
        title=title,
        read_only_hint=read_only,
        destructive_hint=destructive,
        idempotent_hint=idempotent,
        open_world_hint=open_world,
    )


def _row(
    function: Callable[..., Awaitable[BaseModel]],
    access: Access,
    annotations: ToolAnnotations,
) -> ToolRow:
    title = annotations.title or ""
    tool = Tool.from_function(
        _with_shared_fields(function), title=title, annotations=annotations, structured_output=True
    )
    result_model = tool.fn_metadata.output_model
    if (
        not (isinstance(result_model, type) and issubclass(result_model, BaseModel))
        or tool.fn_metadata.wrap_output
    ):
        raise TypeError(f"{tool.name} must return a pydantic model of its own")
    return ToolRow(
        tool=tool,
        title=title,
        access=access,
        annotations=annotations,
        arguments_model=_closed(tool.fn_metadata.arg_model)
        if access == "public"
        else tool.fn_metadata.arg_model,
        result_model=result_model,
        injected=MappingProxyType(
            {name: _injected(tool, marker) for name, (marker, _) in tool.resolved_params.items()}
        ),
    )


def _with_shared_fields(function: Callable[..., Awaitable[BaseModel]]) -> Callable[..., Awaitable[BaseModel]]:
    """The function as if it declared the request fields of its injected parameters itself."""
    signature = inspect.signature(function, eval_str=True)
    own = signature.parameters
    shared = [
        field
        for parameter in own.values()
        for marker in getattr(parameter.annotation, "__metadata__", ())
        if isinstance(marker, Injected)
        for field in marker.fields
        if field.name not in own
    ]
    if not shared:
        return function
    names = frozenset(field.name for field in shared)

    @functools.wraps(function)
    async def with_shared_fields(**arguments: Any) -> BaseModel:
        return await function(**{name: value for name, value in arguments.items() if name not in names})

    parameters = [
        *(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own.values()),
        *shared,
    ]
    with_shared_fields.__annotations__ = {
        **{parameter.name: parameter.annotation for parameter in parameters},
        "return": signature.return_annotation,
    }
    with_shared_fields.__dict__["__signature__"] = signature.replace(parameters=parameters)
    return with_shared_fields


def shared_names(marker: Injected) -> list[str]:
    """Names on the wire of the request fields that an injected parameter brings along."""
    return [_wire_name(field) for field in marker.fields]


def _wire_name(field: inspect.Parameter) -> str:
    for detail in getattr(field.annotation, "__metadata__", ()):
        if isinstance(detail, FieldInfo) and detail.alias:
            return detail.alias
    return field.name


def _closed(model: type[BaseModel]) -> type[BaseModel]:
    """The same arguments, refusing any other."""
    return type(
        model.__name__, (model,), {"model_config": ConfigDict(extra="forbid"), "__module__": model.__module__}
    )


def _injected(tool: Tool, marker: object) -> Injected:
    if not isinstance(marker, Injected):
        raise TypeError(f"{tool.name} asks for something that dispatch cannot fill")
    return marker


class ToolTable(dict[str, ToolRow]):
    """All tools by name, in the order in which every surface lists them; never changed once it is made."""

    def __init__(self, families: Iterable[ToolFamily]) -> None:
        super().__init__()
        for row in (row for family in families for row in family.rows):
            if row.name in self:
                raise ValueError(f"two tools are named {row.name}")
            self[row.name] = row

    def names(self, access: Access) -> list[str]:
        """The names of the tools with this access, in table order."""
        return [row.name for row in self.values() if row.access == access]
