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
