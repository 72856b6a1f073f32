"""What a tool says when it refuses, in the words of the command line: commands and options, as they are declared."""

import re
from collections.abc import Callable, Collection, Generator, Mapping
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

DECLARED = "tools_done"
"""Under this name a command's function carries the tools that it does."""
NAMED_TOOL = re.compile(r"\b([a-z]+(?:_[a-z]+)+)(?: with ([A-Za-z]+)\b| and ([A-Za-z]+) (true|false)\b)?")
FIELD_OF_REASON = re.compile(r"^(?P<before>)(?P<field>[A-Za-z]+)(?:\.[\w.]+)?(?P<after>: )")
FIELD_OF_HINT = re.compile(r"\b(?P<before>Send )(?P<field>[A-Za-z]+)(?:\.[\w.]+)?(?P<after> as )")
WIRE_NAME = re.compile(r"\b(?P<before>)(?P<field>[a-z]+[A-Z][A-Za-z]*)(?P<after>)\b")


def does(*tools: str) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Declare which tools a command does for people; refusals name the command and its options in their place."""

    def declare(command: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        command.__dict__[DECLARED] = tools
        return command

    return declare


@dataclass(frozen=True, slots=True)
class DeclaredCommand:
    """One command as it is called, with its parameters as the command line knows them."""

    name: str
    declared: Any

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools that it does."""
        return getattr(self.declared.callback, DECLARED, ())

    def option(self, field: str, value: bool = True) -> str | None:
        """Return what is written for a tool's field: an option, or an argument's name; None when it takes no such."""
        names = _names_of(field)
        for parameter in self.declared.params:
            if parameter.name in names:
                said = parameter.opts if value else parameter.secondary_opts
                return said[0] if said else None
        return None


def declared_commands() -> Generator[DeclaredCommand]:
    """Yield every command, those of groups under both names; all of them are imported."""
    from server.cli.main import COMMANDS, load_command

    for name in COMMANDS:
        loaded = load_command(name)
        inner: Mapping[str, Any] = getattr(loaded, "commands", {})
        if not inner:
            yield DeclaredCommand(name, loaded)
        for second, command in inner.items():
            yield DeclaredCommand(f"{name} {second}", command)


def commands_by_tool() -> Mapping[str, DeclaredCommand]:
    """Return the command that does each tool, where there is one."""
    return {tool: command for command in declared_commands() for tool in command.tools}


def in_commands(
    tool: str, reason: str, hint: str, fields: Collection[str], as_written: Collection[str] = ()
) -> tuple[str, str]:
    """Return a refusal's reason and hint with commands and options in the place of tools and their fields.

    `fields` are those that the refusing tool takes. What no command does, or no option stands for, keeps its name,
    and so do the fields that were given under it, in a file.
    """
    commands = commands_by_tool()
    command = commands.get(tool)

    def option(match: re.Match[str]) -> str:
        field = match["field"]
        said = command.option(field) if command and field in fields and field not in as_written else None
        return match["before"] + said + match["after"] if said else match[0]

    def called(match: re.Match[str]) -> str:
        other = commands.get(match[1])
        field = match[2] or match[3]
        if other is None:
            return match[0]
        if field is None:
            return f"`seenby {other.name}`"
        said = other.option(field, match[4] != "false")
        return f"`seenby {other.name} {said}`" if said else match[0]

    reason = WIRE_NAME.sub(option, FIELD_OF_REASON.sub(option, reason))
    hint = NAMED_TOOL.sub(called, WIRE_NAME.sub(option, FIELD_OF_HINT.sub(option, hint)))
    return reason, hint.replace("Call `seenby", "Run `seenby").replace("Send --", "Give --")


def _names_of(field: str) -> frozenset[str]:
    """Return what a parameter for a tool's field may be called: words apart, an id by what it is of, one of many."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", field).lower()
    bare = words.removesuffix("_id").removeprefix("include_")
    singular = re.sub(r"ies$", "y", bare) if bare.endswith("ies") else re.sub(r"(?<=s)es$|s$", "", bare)
    return frozenset({words, f"{words}_", bare, singular})
