"""Texts and drafts of a brand, exported as documents and published to WordPress."""

from typing import Annotated

import typer

from measurement.errors import WorkError
from server.cli.session import OutFile, Session, command

NOT_FOUND = ("No text has this id.", "List texts with: seenby call get_repository_items --brandId BRAND")
ItemId = Annotated[str, typer.Argument(help="Id from get_repository_items.")]

app = typer.Typer(no_args_is_help=True, help="Texts and drafts of a brand: export and publish.")


@command(app, "export", as_json=False)
async def export(
    session: Session,
    item: ItemId,
    form: Annotated[str, typer.Option("--format", help="markdown or html.")] = "markdown",
    out: OutFile = None,
) -> None:
    """Write a text or draft as Markdown or as HTML without scripts; a draft is marked as one."""
    from workflows.publishing.documents import FORMATS, export_item

    if form not in FORMATS:
        raise WorkError(f"There is no format {form!r}.", f"Formats: {', '.join(FORMATS)}.")
    located = await session.workspace.repository_items.locate(item)
    if located is None:
        raise WorkError(*NOT_FOUND)
    brand = next(brand for brand in await session.workspace.brands.all() if brand.key == located.brand_key)
    document = await export_item(session.workspace, brand, located.item, form)
    session.output.write(document.content, out)


@command(app, "publish", service=True)
async def publish(
    session: Session,
    item: ItemId,
    status: Annotated[
        str, typer.Option(help="draft, or publish for an approved text. An existing post keeps its status.")
    ] = "draft",
) -> int:
    """Send a text to the company's WordPress site as a new post, or update its existing post."""
    from workflows.publishing.wordpress_publication import STATUSES

    if status not in STATUSES:
        raise WorkError(f"There is no status {status!r}.", f"Statuses: {', '.join(STATUSES)}.")
    located = await session.workspace.repository_items.locate(item)
    if located is None:
        raise WorkError(*NOT_FOUND)
    wordpress = session.service.wordpress
    result = await wordpress.publish(session.database, session.company.id, located.item, status)
    answered = "" if result.post_id is None else f", post {result.post_id}"
    session.output.show(
        {"outcome": result.outcome, "reply": result.reply, "postId": result.post_id},
        f"{result.outcome.replace('_', ' ')}{answered}",
    )
    return 0 if result.succeeded else 1
