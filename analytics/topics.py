"""Groups prompts by topic, because paraphrases of one question are not independent evidence."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import fsum, log, sqrt
from statistics import fmean as mean

from analytics.gaps import stems

SIMILAR = 0.5
"""Cosine similarity from which two prompts are about the same topic."""


@dataclass(frozen=True, slots=True)
class TopicPrompt:
    """A prompt with what tells its topic."""

    id: str
    text: str
    tags: Sequence[str] = ()


def topics_of(prompts: Iterable[TopicPrompt]) -> dict[str, str]:
    """Return the topic of each prompt that shares one, as the id of the first prompt of the topic.

    The topic is the first tag that a person has set, without tags that all prompts have, which tell nothing apart.
    Among prompts without such a tag, near-duplicates share a topic: their content words, weighted by how few prompts
    have them, have a cosine similarity of at least `SIMILAR` on average. Sources: G. Salton and C. Buckley,
    Term-weighting approaches in automatic text retrieval, IPM 24 (1988); for the average, R. R. Sokal and C. D.
    Michener (1958).
    """
    listed = sorted(prompts, key=lambda prompt: prompt.id)
    shared = (
        set(listed[0].tags).intersection(*(prompt.tags for prompt in listed))
        if len(listed) > 1
        else set[str]()
    )
    by_tag: dict[str, list[str]] = defaultdict(list)
    untagged: list[tuple[str, str]] = []
    for prompt in listed:
        tag = next((tag for tag in prompt.tags if tag not in shared), None)
        if tag is None:
            untagged.append((prompt.id, prompt.text))
        else:
            by_tag[tag].append(prompt.id)
    groups = [*by_tag.values(), *_near_duplicates(tuple(untagged))]
    return {prompt: group[0] for group in groups if len(group) > 1 for prompt in group}


@lru_cache(maxsize=64)
def _near_duplicates(prompts: tuple[tuple[str, str], ...]) -> tuple[tuple[str, ...], ...]:
    """Return groups of ids, sorted, of prompts (id and text) that are similar on average.

    Cached because every read of statistics needs it: 15 ms for 100 prompts, 0.8 s for 5,000.
    """
    words = [stems(text) for _, text in prompts]
    found = Counter(word for of_prompt in words for word in of_prompt)
    # Words that all prompts have weigh next to nothing. Weights are squared, as products of two need them.
    weights = {word: log((1 + len(prompts)) / count) ** 2 for word, count in found.items()}
    norms = [sqrt(fsum(sorted(weights[word] for word in of_prompt))) for of_prompt in words]

    def similarity(index: int, other: int) -> float:
        both = fsum(sorted(weights[word] for word in words[index] & words[other]))
        return both / (norms[index] * norms[other]) if both else 0.0

    pairs = ((similarity(*pair), *pair) for pair in _candidates(words, weights, norms))
    similar = sorted((pair for pair in pairs if pair[0] >= SIMILAR), key=lambda pair: (-pair[0], pair[1:]))
    groups = {index: [index] for index in range(len(prompts))}
    for _, index, other in similar:
        one, two = groups[index], groups[other]
        if one is not two and mean(similarity(a, b) for a in one for b in two) >= SIMILAR:
            one += two
            groups.update(dict.fromkeys(two, one))
    of_topics = {id(group): group for group in groups.values()}
    return tuple(tuple(sorted(prompts[index][0] for index in group)) for group in of_topics.values())


def _candidates(
    words: Sequence[frozenset[str]], weights: Mapping[str, float], norms: Sequence[float]
) -> set[tuple[int, int]]:
    """Return the pairs that share a heavy word; the light words of a prompt alone cannot make it similar to another.

    Source: R. J. Bayardo, Y. Ma and R. Srikant, Scaling up all pairs similarity search, WWW 2007.
    """
    having: dict[str, list[int]] = defaultdict(list)
    pairs: set[tuple[int, int]] = set()
    for index, of_prompt in enumerate(words):
        left = (SIMILAR * norms[index]) ** 2
        for word in sorted(of_prompt, key=lambda word: (weights[word], word)):
            left -= weights[word]
            if left <= 0:
                having[word].append(index)
    for indexes in having.values():
        pairs.update((index, other) for at, index in enumerate(indexes) for other in indexes[:at])
    return pairs
