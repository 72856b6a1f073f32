"""Links each sentence of a text to the line of profile or published texts that says what it says."""

from collections.abc import Sequence

import anyio.to_thread

from measurement.publication.accuracy_checks import profile_lines
from measurement.publication.published_items import published
from measurement.statistics.sourced_sentence import SourcedSentence
from storage.repositories.brands import Brand
from storage.workspace import Workspace

PROFILE = "profile"


async def link_sentences(
    workspace: Workspace, brand: Brand, body: str, item_id: str
) -> tuple[SourcedSentence, ...]:
    """Return the sentences of a text with their sources, at most sixty; the text itself is no source of its own."""
    texts = [(item.id, item.title, item.body) for item in await published(workspace, brand)]
    texts = [text for text in texts if text[0] != item_id]
    texts.insert(0, (PROFILE, brand.name, _profile_text(brand)))
    return await anyio.to_thread.run_sync(_tie, texts, brand.name, body)


def _profile_text(brand: Brand) -> str:
    named = {"Name": brand.name, "Industry": brand.industry, "Website": brand.website}
    lines = [f"{name}: {value}" for name, value in named.items() if value]
    return "\n".join([*lines, *([profile_lines(brand.facts)] if brand.facts else [])])


def _tie(texts: Sequence[tuple[str, str, str]], own_name: str, body: str) -> tuple[SourcedSentence, ...]:
    # Two megabytes of words, loaded in the thread of who needs them first.
    from measurement.statistics.sentence_ties import tie_sentences

    return tie_sentences(texts, own_name, body)
