"""Lets a draft pass only when each of its checkable facts stands in profile, repository or site."""

import re

from storage.documents.evidence import StoredEvidence
from storage.repositories.findings import FindingDraft
from storage.repositories.repository_items import ItemDraft
from workflows.agents.agent import Result, Work
from workflows.agents.content_writer import profile
from workflows.agents.outputs.content import CheckedDrafts, WrittenDrafts
from workflows.agents.outputs.gaps import VisibilityEvidence
from workflows.agents.outputs.site import SiteProfile
from workflows.agents.persons import unknown_persons
from workflows.agents.repository import DRAFT, published
from workflows.errors import AgentFailed

# An address is looked for from the first of its characters only, else a long word is read again from each of them.
URL = re.compile(
    r"(?:https?://|www\.)[^\s<>\"')\]]++|(?<![\w.+-])[\w.+-]++@[\w-]++(?:\.[\w-]++)++", re.IGNORECASE
)
NUMBER = re.compile(r"\d(?:[\d\s.,:/()'-]*\d)?")
NOT_A_DIGIT = re.compile(r"\D+")


async def run(work: Work) -> Result:
    """Check every draft; store those that pass as new items of category `draft`.

    Fails with `no_input` when nothing was drafted, and with `facts_not_supported` when none passes.
    """
    drafted = work.outputs_of(WrittenDrafts)
    if not drafted:
        raise AgentFailed("no_input")
    known = [profile(work)] + [
        f"{item.title}\n{item.body}\n{item.url or ''}" for item in await published(work)
    ]
    readers = (work.find_output(VisibilityEvidence), work.find_output(SiteProfile))
    known += [reader.text for reader in readers if reader]
    material = "\n".join(known)
    drafts = [draft for written in drafted for draft in written.drafts]
    kept: list[ItemDraft] = []
    findings: list[FindingDraft] = []
    for draft in drafts:
        # The title is the company's own question or the name of its own item: it may name whom it likes.
        foreign = unsupported(draft.body, material, names=f"{material}\n{draft.title}")
        if foreign:
            findings.append(refused(draft.title, foreign))
        else:
            # The run's id keeps it apart from an item of that title which a person may have edited.
            kept.append(ItemDraft(f"{draft.title} ({work.run_id[-12:]})", draft.body, DRAFT))
    if not kept:
        raise AgentFailed("facts_not_supported")
    proposals = [
        FindingDraft("info", "proposal", draft.title, "A draft is stored in the repository.", effort="small")
        for draft in kept
    ]
    output = CheckedDrafts(accepted=tuple(draft.title for draft in kept), refused=len(findings))
    summary = f"{len(kept)} of {len(drafts)} drafts hold only facts that are known."
    return Result(output, summary, (*proposals, *findings), tuple(kept))


def unsupported(draft: str, material: str, names: str | None = None) -> list[str]:
    """Return the numbers, addresses and names of persons of a draft that the material does not hold, each once.

    Numbers are compared by their digits alone, whole against whole: 1,000 is 1000, and 100 is not in 1000. `names`
    is where names may stand, the material without it.
    """
    addresses = {url.rstrip(".,;:").casefold() for url in URL.findall(material)}
    numbers = digits_of(material)
    foreign = [url.rstrip(".,;:") for url in URL.findall(draft)]
    unproven = [url for url in foreign if url.casefold() not in addresses]
    unproven += [number for number in digits_of(URL.sub(" ", draft)) if number not in numbers]
    unproven += unknown_persons(URL.sub(" ", draft), material if names is None else names)
    return list(dict.fromkeys(unproven))


def digits_of(text: str) -> dict[str, None]:
    """Return the digits of every number of a text, in order of appearance."""
    return {NOT_A_DIGIT.sub("", number): None for number in NUMBER.findall(text)}


def refused(title: str, foreign: list[str]) -> FindingDraft:
    """Say which facts nobody has confirmed."""
    evidence = [StoredEvidence(type="draft", excerpt=fact[:200]) for fact in foreign[:10]]
    detail = f"{len(foreign)} facts are in neither profile, repository nor site."
    return FindingDraft("warning", "proposal", f"Draft refused: {title[:150]}", detail, evidence)
