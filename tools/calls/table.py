"""The tool table: each tool is declared once, and everything that surfaces publish is derived from its row."""

import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, create_model

from oauth.principal import Scope
from tools.calls.call import Injected
from tools.calls.schemas import WIRE_REF, listed_schema, request_schema, response_schema

if TYPE_CHECKING:
    from mcp_types import Tool as WireTool
    from mcp_types import ToolAnnotations

Access: TypeAlias = Literal["read", "write", "public"]
ToolFunction = TypeVar("ToolFunction", bound=Callable[..., Awaitable[BaseModel]])
ArgumentRules: TypeAlias = Callable[[], Iterable[Mapping[str, Any]]]

_SCOPES: Mapping[Access, Scope | None] = MappingProxyType(
    {"read": Scope.READ, "write": Scope.WRITE, "public": None}
)
READING: Mapping[str, bool] = MappingProxyType(
    {"read_only_hint": True, "destructive_hint": False, "open_world_hint": False}
)
"""Hints of every tool that reads. The protocol gives idempotence a meaning for writes only."""


class ToolArguments(BaseModel):
    """Base of the models of tools' arguments."""

    model_config = ConfigDict(arbitrary_types_allowed=True, defer_build=True)


@dataclass(frozen=True)
class ToolRow:
    """One tool: a function as the SDK takes them, and what the interface says about it.

    Its models are made when they are first asked for: the SDK makes a schema of every result at once, and loads
    itself for that, which a command that calls one tool has no time for.
    """

    declared: Callable[..., Awaitable[BaseModel]]
    title: str
    access: Access
    hints: Mapping[str, Any]
    charted: bool = False
    """Whether hosts that draw charts may draw its results."""
    rules: "ArgumentRules" = tuple
    """JSON Schemas that say of the arguments together what no single field can say."""

    @cached_property
    def name(self) -> str:
        """The tool's name on every surface."""
        return self.declared.__name__

    @cached_property
    def description(self) -> str:
        """The function's docstring."""
        return " ".join((self.declared.__doc__ or "").split())

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of the function's own parameters."""
        return tuple(inspect.signature(self.declared).parameters)

    @cached_property
    def signature(self) -> Mapping[str, inspect.Parameter]:
        """The function's parameters and the request fields that its injected parameters share."""
        own = inspect.signature(self.declared, eval_str=True).parameters
        markers = [marker for parameter in own.values() if (marker := _injected_by(parameter))]
        shared = {field.name: field for marker in markers for field in marker.fields}
        return {**own, **{name: field for name, field in shared.items() if name not in own}}

    @cached_property
    def annotations(self) -> "ToolAnnotations":
        """Hints, as the protocol has them."""
        from mcp_types import ToolAnnotations  # loaded by who lists tools

        return ToolAnnotations(**self.hints)

    @cached_property
    def injected(self) -> Mapping[str, Injected]:
        """The parameters that dispatch fills."""
        marked = {name: _injected_by(parameter) for name, parameter in self.signature.items()}
        return MappingProxyType({name: marker for name, marker in marked.items() if marker is not None})

    @cached_property
    def arguments_model(self) -> type[BaseModel]:
        """What a caller sends; a public tool's rejects anything else. Raises TypeError for a name of pydantic's."""
        fields: dict[str, Any] = {
            parameter.name: (
                parameter.annotation,
                ... if parameter.default is parameter.empty else parameter.default,
            )
            for parameter in self.signature.values()
            if parameter.name not in self.injected
        }
        if taken := [name for name in fields if hasattr(BaseModel, name)]:
            raise TypeError(f"{self.name}: {taken[0]} is a name of pydantic's own")
        model = create_model(f"{self.name}Arguments", __base__=ToolArguments, **fields)
        return _closed(model) if self.access == "public" else model

    @cached_property
    def result_model(self) -> type[BaseModel]:
        """What it returns. Raises TypeError when that is no pydantic model."""
        result = inspect.signature(self.declared, eval_str=True).return_annotation
        if not (isinstance(result, type) and issubclass(result, BaseModel)):
            raise TypeError(f"{self.name} must return a pydantic model of its own")
        return result

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
        schema = request_schema(self.arguments_model, ref_template)
        rules = [*self.rules()]
        return {**schema, "allOf": rules} if rules else schema

    def output_schema_with(self, ref_template: str) -> dict[str, Any]:
        """The result's schema with references in the form of another document."""
        return response_schema(self.result_model, ref_template)

    @cached_property
    def security_schemes(self) -> list[dict[str, Any]]:
        """How a client may authorise a call of this tool, in the form that connectors read."""
        if self.scope is None:
            return [{"type": "noauth"}]
        return [{"type": "oauth2", "scopes": [str(self.scope)]}]

    def wire_tool(self, *, oauth: bool = True, chart: str | None = None) -> "WireTool":
        """The entry of tools/list; without OAuth there is no scheme of a protected tool to name.

        `chart` is the address of the page that draws results.
        """
        from mcp_types import Tool as WireTool

        meta: dict[str, Any] = {}
        if oauth or self.scope is None:
            meta["securitySchemes"] = self.security_schemes
        if chart and self.charted:
            meta["ui"] = {"resourceUri": chart}
        return WireTool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=listed_schema(self.input_schema),
            annotations=self.annotations,
            _meta=meta or None,
        )


class ToolFamily:
    """The tools of one module, in the order of their declaration."""

    def __init__(self) -> None:
        self.rows: list[ToolRow] = []

    def read(
        self,
        title: str,
        *,
        charted: bool = False,
        rules: ArgumentRules = tuple,
    ) -> Callable[[ToolFunction], ToolFunction]:
        """Declare a tool that reads stored rows and changes nothing.

        `rules` makes JSON Schemas that say of the arguments together what no single field can say.
        """
        hints = READING
        return self._declare("read", title, hints, charted=charted, rules=rules)

    def write(
        self,
        title: str,
        *,
        destructive: bool,
        idempotent: bool,
        open_world: bool = False,
        rules: ArgumentRules = tuple,
    ) -> Callable[[ToolFunction], ToolFunction]:
        """Declare a tool that changes something; `destructive` when it ends work or spends credits.

        `open_world` when it reaches AI engines or sites.
        """
        hints = {
            "read_only_hint": False,
            "destructive_hint": destructive,
            "idempotent_hint": idempotent,
            "open_world_hint": open_world,
        }
        return self._declare("write", title, hints, rules=rules)

    def public(self, title: str) -> Callable[[ToolFunction], ToolFunction]:
        """Declare a tool that needs no credential; it rejects unknown arguments."""
        return self._declare("public", title, READING)

    def _declare(
        self,
        access: Access,
        title: str,
        hints: Mapping[str, bool],
        *,
        charted: bool = False,
        rules: ArgumentRules = tuple,
    ) -> Callable[[ToolFunction], ToolFunction]:
        def declare(function: ToolFunction) -> ToolFunction:
            self.rows.append(ToolRow(function, title, access, hints, charted, rules))
            return function

        return declare


def _closed(model: type[BaseModel]) -> type[BaseModel]:
    """The same arguments, rejecting any other."""
    return type(
        model.__name__, (model,), {"model_config": ConfigDict(extra="forbid"), "__module__": model.__module__}
    )


def _injected_by(parameter: inspect.Parameter) -> Injected | None:
    markers = getattr(parameter.annotation, "__metadata__", ())
    return next((marker for marker in markers if isinstance(marker, Injected)), None)


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
