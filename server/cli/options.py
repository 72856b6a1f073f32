"""Options that several commands share."""

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print data as JSON.")]
Company = Annotated[
    str | None,
    typer.Option(envvar="SEENBY_COMPANY", help="Name or id; may be left out when there is only one."),
]
OneBrand = Annotated[str, typer.Option(help="Name or id.")]
AnyBrand = Annotated[str | None, typer.Option(help="Name or id; all brands without it.")]
AllowedHosts = Annotated[
    list[str] | None, typer.Option(help="host:port that is visited whatever its address; for tests.")
]
Platform = Annotated[str | None, typer.Option(help="Only this engine, such as chatgpt.")]
Country = Annotated[str | None, typer.Option(help="Only asked from here, such as DE.")]
Mode = Annotated[str | None, typer.Option(help="visibility (from memory) or readiness (with web search).")]
PromptSet = Annotated[str | None, typer.Option(help="Only questions of this set; name or id.")]
Tag = Annotated[str | None, typer.Option(help="Only questions with this tag.")]
Intent = Annotated[str | None, typer.Option(help="Only questions with this intent.")]
From = Annotated[str | None, typer.Option("--from", help="First day (UTC), such as 2026-11-01.")]
To = Annotated[str | None, typer.Option(help="Last day (UTC).")]
Days = Annotated[int, typer.Option(min=1, help="Days back, with today.")]
Limit = Annotated[int, typer.Option(min=1, max=100, help="Rows at most.")]
Offset = Annotated[int, typer.Option(min=0, help="Rows to leave out at the start.")]
