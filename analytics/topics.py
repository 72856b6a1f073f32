"""Groups prompts by topic, because paraphrases of one question are not independent evidence."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import fsum, log, sqrt

from analytics.gaps import stems

SIMILAR = 0.5
"""Cosine similarity from which two prompts are about the same topic."""
MOST_COMPARED = 500
"""Prompts without a tag that are compared with each other; of more, each is a topic of its own."""


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


@dataclass(frozen=True, slots=True)
class _Group:
    """Similar prompts by index, and the sum of their vectors, from which the mean similarity of two groups follows."""

    members: list[int]
    total: dict[str, float]

    def absorb(self, other: "_Group") -> None:
        self.members.extend(other.members)
        for word, weight in other.total.items():
            self.total[word] = self.total.get(word, 0.0) + weight


@lru_cache(maxsize=64)
def _near_duplicates(prompts: tuple[tuple[str, str], ...]) -> tuple[tuple[str, ...], ...]:
    """Return groups of ids, sorted, of prompts (id and text) that are similar on average.

    Cached because every read of statistics needs it: 100 prompts take 15 ms. More than `MOST_COMPARED` are not
    compared, because the time grows with the square of their number.
    """
    if len(prompts) > MOST_COMPARED:
        return tuple((prompt,) for prompt, _ in prompts)
    vectors = _vectors([stems(text) for _, text in prompts])
    pairs = (
        (_product(vectors[index], vectors[other]), index, other) for index, other in _candidates(vectors)
    )
    similar = sorted((pair for pair in pairs if pair[0] >= SIMILAR), key=lambda pair: (-pair[0], pair[1:]))
    groups = {index: _Group([index], dict(vector)) for index, vector in enumerate(vectors)}
    for _, index, other in similar:
        one, two = groups[index], groups[other]
        if one is not two and _product(one.total, two.total) >= SIMILAR * len(one.members) * len(two.members):
            one.absorb(two)
            groups.update(dict.fromkeys(two.members, one))
    of_topics = {id(group): group.members for group in groups.values()}
    return tuple(tuple(sorted(prompts[index][0] for index in group)) for group in of_topics.values())


def _vectors(words: Sequence[frozenset[str]]) -> list[dict[str, float]]:
    """Return a vector of length one for each prompt; words that all prompts have weigh next to nothing."""
    found = Counter(word for of_prompt in words for word in of_prompt)
    weights = {word: log((1 + len(words)) / count) for word, count in found.items()}
    vectors: list[dict[str, float]] = []
    for of_prompt in words:
        length = sqrt(fsum(weights[word] ** 2 for word in of_prompt))
        vectors.append({word: weights[word] / length for word in sorted(of_prompt)})
    return vectors


def _product(one: Mapping[str, float], two: Mapping[str, float]) -> float:
    fewer, more = sorted((one, two), key=len)
    return fsum(weight * more[word] for word, weight in fewer.items() if word in more)


def _candidates(vectors: Sequence[Mapping[str, float]]) -> set[tuple[int, int]]:
    """Return the pairs that share a heavy word; the light words of a prompt alone cannot make it similar to another.

    Source: R. J. Bayardo, Y. Ma and R. Srikant, Scaling up all pairs similarity search, WWW 2007.
    """
    having: dict[str, list[int]] = defaultdict(list)
    pairs: set[tuple[int, int]] = set()
    for index, vector in enumerate(vectors):
        left = SIMILAR**2
        for word in sorted(vector, key=lambda word: (vector[word], word)):
            left -= vector[word] ** 2
            if left <= 0:
                having[word].append(index)
    for indexes in having.values():
        pairs.update((index, other) for at, index in enumerate(indexes) for other in indexes[:at])
    return pairs
