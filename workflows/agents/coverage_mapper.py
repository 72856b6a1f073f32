"""Maps every prompt that is asked about a brand to the items that could answer it."""

import re

from storage.documents import StoredEvidence
from storage.repositories.findings import FindingDraft
from workflows.agents.agent import Result, Work
from workflows.agents.outputs.content import PromptCoverage, UncoveredPrompt
from workflows.agents.repository_auditor import published
from workflows.errors import AgentFailed

WORD = re.compile(r"\w+")
LEAST_LETTERS = 4
LONGEST_TITLE = 120
"""Characters of a question in the title of a finding; its evidence has it whole."""
COVERED = 0.6
"""Share of a prompt's longer words that one item must hold to cover it."""


async def run(work: Work) -> Result:
    """Map prompts to items by their longer words. Fails with `no_input` without prompts."""
    texts: dict[str, str] = {}
    for prompt_set in await work.workspace.prompt_sets.active():
        if prompt_set.brand_key in (None, work.brand.key):
            texts |= {
                prompt.id: prompt.text for prompt in await work.workspace.prompts.of_set(prompt_set.key)
            }
    if not texts:
        raise AgentFailed("no_input")
    items = [(item.id, words_of(f"{item.title} {item.body}")) for item in await published(work)]
    own = words_of(work.brand.name)
    covered: dict[str, tuple[str, ...]] = {}
    for prompt_id, text in texts.items():
        wanted = words_of(text) - own
        covered[prompt_id] = tuple(item for item, held in items if wanted and covers(wanted, held))
    missing = [prompt_id for prompt_id, item_ids in covered.items() if not item_ids]
    findings = tuple(
        FindingDraft(
            "info",
            "content_gap",
            f"No text answers “{texts[prompt_id][:LONGEST_TITLE]}”",
            "No repository item holds most of the words of this question.",
            [StoredEvidence(type="prompt", id=prompt_id, excerpt=texts[prompt_id][:300])],
            fix="Publish a text that answers it.",
            effort="medium",
        )
        for prompt_id in missing
    )
    uncovered = tuple(UncoveredPrompt(id=prompt_id, text=texts[prompt_id]) for prompt_id in missing)
    output = PromptCoverage(covered=covered, uncovered=uncovered)
    return Result(output, f"{len(texts) - len(missing)} of {len(texts)} prompts have content.", findings)


def words_of(text: str) -> frozenset[str]:
    """Return the longer words of a text, case folded, cut to a stem of six letters."""
    return frozenset(word.casefold()[:6] for word in WORD.findall(text) if len(word) >= LEAST_LETTERS)


def covers(wanted: frozenset[str], held: frozenset[str]) -> bool:
    """Check whether an item contains enough of a prompt's words."""
    return len(wanted & held) >= COVERED * len(wanted)
