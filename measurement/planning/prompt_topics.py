"""The topics of stored prompts, by their tags and texts."""

from collections.abc import Iterable

import anyio.to_thread

from analytics.topics import TopicPrompt, topics_of
from storage.workspace import Workspace


async def load_topics(workspace: Workspace, prompt_ids: Iterable[str]) -> dict[str, str]:
    """Return the topic of each of these prompts that shares one with another of them, as of now."""
    ids = sorted(set(prompt_ids))
    prompts = (await workspace.prompt_results.prompts(ids)).values() if len(ids) > 1 else ()
    listed = [TopicPrompt(prompt.id, prompt.text, prompt.tags) for prompt in prompts]
    return await anyio.to_thread.run_sync(topics_of, listed)
