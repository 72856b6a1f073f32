"""The tool table: each tool declared once, and everything the surfaces publish derived from that row."""

import functools
import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, TypeVar

from mcp.server.mcpserver.tools import Tool
from mcp_types import Tool as WireTool
from mcp_types import ToolAnnotations
from pydantic import BaseModel, ConfigDict

from oauth.principal import Scope
from tools.calls.call import Injected
from tools.calls.schemas import WIRE_REF, request_schema, response_schema

Access: TypeAlias = Literal["read", "write", "public"]
ToolFunction = TypeVar("ToolFunction", bound=Callable[..., Awaitable[BaseModel]])

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
    def security_schemes(self) -> list[dict[str, Any]]:
        """How a client may authorise a call of this tool, in the form that connectors read."""
        if self.scope is None:
            return [{"type": "noauth"}]
        return [{"type": "oauth2", "scopes": [str(self.scope)]}]

    def wire_tool(self, *, oauth: bool = True) -> WireTool:
        """The entry of tools/list; without OAuth there is no scheme of a protected tool to name."""
        named = oauth or self.scope is None
        return WireTool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=self.input_schema,
            output_schema=self.output_schema,
            annotations=self.annotations,
            _meta={"securitySchemes": self.security_schemes} if named else None,
        )


class ToolFamily:
    """The tools of one module, in the order of their declaration."""

    def __init__(self) -> None:
        self.rows: list[ToolRow] = []

    def read(self, title: str, *, open_world: bool = False) -> Callable[[ToolFunction], ToolFunction]:
        """Declare a tool that changes nothing; `open_world` when results carry text of engines or the web."""
        return self._declare("read", title, destructive=False, idempotent=True, open_world=open_world)

    def write(
        self, title: str, *, destructive: bool, idempotent: bool, open_world: bool = False
    ) -> Callable[[ToolFunction], ToolFunction]:
        """Declare a tool that changes something; `destructive` when it ends work or spends credits."""
        return self._declare(
            "write", title, destructive=destructive, idempotent=idempotent, open_world=open_world
        )

    def public(self, title: str, *, open_world: bool = False) -> Callable[[ToolFunction], ToolFunction]:
        """Declare a tool that anybody may call; it refuses arguments that it does not know."""
        return self._declare("public", title, destructive=False, idempotent=True, open_world=open_world)

    def _declare(
        self, access: Access, title: str, *, destructive: bool, idempotent: bool, open_world: bool
    ) -> Callable[[ToolFunction], ToolFunction]:
        annotations = ToolAnnotations(
            title=title,
            read_only_hint=access != "write",
            destructive_hint=destructive,
            idempotent_hint=idempotent,
            open_world_hint=open_world,
        )

        def declare(function: ToolFunction) -> ToolFunction:
            self.rows.append(_row(function, access, title, annotations))
            return function

        return declare


def _row(
    function: Callable[..., Awaitable[BaseModel]], access: Access, title: str, annotations: ToolAnnotations
) -> ToolRow:
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
