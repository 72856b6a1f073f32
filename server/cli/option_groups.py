"""Options that several commands take together: each group is declared once, as a class."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, ParamSpec, TypeVar

import typer

from server.cli.options import Country, From, Intent, Mode, Platform, PromptSet, Tag, To

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFilters:
    """Which of a brand's answers are counted; the same for every command that looks at answers."""

    platform: Platform = None
    country: Country = None
    mode: Mode = None
    prompt_set: PromptSet = None
    tag: Tag = None
    intent: Intent = None
    from_: From = None
    to: To = None

    def arguments(self) -> dict[str, Any]:
        """Return the filters in the tools' names; the prompt set is not among them, for its id has to be looked up."""
        return {
            "platform": self.platform,
            "country": self.country,
            "mode": self.mode,
            "tag": self.tag,
            "intent": self.intent,
            "from": self.from_,
            "to": self.to,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileFields:
    """What a command line says of a brand's profile; a list replaces the whole list."""

    alias: Annotated[list[str] | None, typer.Option(help="Another way to write the name; repeatable.")] = None
    website: Annotated[str | None, typer.Option(help="Address of the main site.")] = None
    site: Annotated[list[str] | None, typer.Option(help="Host or URL prefix it owns; repeatable.")] = None
    industry: Annotated[str | None, typer.Option(help="Line of business, such as car dealer.")] = None
    keyword: Annotated[list[str] | None, typer.Option(help="What it wants to be known for; repeatable.")] = (
        None
    )
    competitor: Annotated[list[str] | None, typer.Option(help="Whom it is compared with; repeatable.")] = None
    archived: Annotated[
        bool | None,
        typer.Option(
            "--archived/--no-archived", help="Put it away: it keeps its history and is not measured."
        ),
    ] = None
    file: Annotated[
        Path | None,
        typer.Option("--file", help="JSON object of fields in the names of get_brand_profile; options win."),
    ] = None
    propose_from: Annotated[
        str | None, typer.Option(help="Site to propose fields from; nothing is stored.")
    ] = None

    def arguments(self) -> dict[str, Any]:
        """Return what was said in the tools' names, without the file's fields."""
        said = {
            "aliases": self.alias,
            "website": self.website,
            "sites": self.site,
            "industry": self.industry,
            "keywords": self.keyword,
            "competitors": [{"name": name} for name in self.competitor or ()],
            "archived": self.archived,
            "proposeFrom": self.propose_from,
        }
        return {name: value for name, value in said.items() if value not in (None, [])}


def takes_option_groups(command: Callable[Parameters, Result]) -> Callable[..., Result]:
    """Return the command with the options of each group among its own, as typer reads a command."""
    declared = inspect.signature(command).parameters
    groups = {
        name: parameter.annotation for name, parameter in declared.items() if _is_group(parameter.annotation)
    }

    @wraps(command)
    def run(**options: Any) -> Result:
        for name, group in groups.items():
            options[name] = group(**{option: options.pop(option) for option in _options_of(group)})
        return command(**options)  # pyright: ignore[reportCallIssue]  # typer reads the signature below

    options = [
        option
        for name, parameter in declared.items()
        for option in (_options_of(groups[name]).values() if name in groups else [parameter])
    ]
    as_keywords = [option.replace(kind=inspect.Parameter.KEYWORD_ONLY) for option in options]
    run.__dict__["__signature__"] = inspect.Signature(as_keywords)
    return run


def _is_group(annotation: object) -> bool:
    return isinstance(annotation, type) and is_dataclass(annotation)


def _options_of(group: type) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(group).parameters
