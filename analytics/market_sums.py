"""Sums by cell of a brand and its competitors, and how they are added up from observations."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import add

from analytics.cell_sums import NOTHING, CellSums, prominence_of
from analytics.observation import Channel, Observation
from analytics.prompt_means import CellKey


@dataclass(frozen=True, slots=True)
class EntitySums:
    """The sums of one entity by cell. `site_known` is whether a site of it is, so that citations of it can be seen.

    `topics` are those of prompts that share one with others, by prompt id.
    """

    cells: Mapping[CellKey, CellSums]
    site_known: bool = True
    topics: Mapping[str, str] = field(default_factory=dict[str, str])

    def restricted(self, is_chosen: Callable[[CellKey], bool]) -> "EntitySums":
        """Return the sums of the chosen cells."""
        return replace(self, cells={key: sums for key, sums in self.cells.items() if is_chosen(key)})

    def added(self) -> CellSums:
        """Return the sums over all cells."""
        return added(self.cells.values())


@dataclass(frozen=True, slots=True)
class MarketSums:
    """The sums of every entity over the same answers, by its id.

    `named_in_prompt` are the competitors that the prompt of a cell names. Such a prompt cannot compare entities,
    because it favors one, and the one that it names would measure itself.
    """

    entities: Mapping[str, EntitySums]
    named_in_prompt: Mapping[CellKey, frozenset[str]] = field(default_factory=dict[CellKey, frozenset[str]])

    def restricted(self, is_chosen: Callable[[CellKey], bool]) -> "MarketSums":
        """Return the sums of the chosen cells."""
        return replace(
            self, entities={entity: sums.restricted(is_chosen) for entity, sums in self.entities.items()}
        )

    def with_topics(self, topics: Mapping[str, str]) -> "MarketSums":
        """Return the sums with the topics of prompts that share one with others."""
        entities = {entity: replace(sums, topics=topics) for entity, sums in self.entities.items()}
        return replace(self, entities=entities)

    def neutral(self) -> "MarketSums":
        """Return the sums over answers to prompts that name none of the entities."""
        return self.restricted(lambda key: key not in self.named_in_prompt) if self.named_in_prompt else self

    def rated(self, entity: str) -> EntitySums:
        """Return the sums of an entity over answers to prompts that do not name it."""
        named = self.named_in_prompt
        return self.entities[entity].restricted(lambda key: entity not in named.get(key, ()))


def added(sums: Iterable[CellSums]) -> CellSums:
    """Return the sums over several cells."""
    listed = list(sums)
    return CellSums(*map(sum, zip(*listed, strict=True))) if listed else NOTHING


def sums_of(
    observations: Iterable[Observation], degraded: Callable[[Observation], bool] | None = None
) -> EntitySums:
    """Add up what answers say of one entity that nothing else compares; `degraded` ones only count as valid."""
    market = _Adding()
    for seen in observations:
        market.add({"": seen}, degraded=degraded is not None and degraded(seen))
    return market.market(("",)).entities[""]


def market_of(
    observations: Mapping[str, Sequence[Observation]], degraded: Iterable[Channel] = ()
) -> MarketSums:
    """Add up what the same answers, in the same order, say of each entity; `degraded` channels only count as valid."""
    left_out, market = frozenset(degraded), _Adding()
    for answer in zip(*observations.values(), strict=True):
        market.add(dict(zip(observations, answer, strict=True)), degraded=answer[0].channel in left_out)
    return market.market(observations)


def joined_markets(markets: Sequence[MarketSums]) -> MarketSums:
    """Return the sums over several batches that know the same entities."""
    if len(markets) == 1:
        return markets[0]
    cells: dict[str, dict[CellKey, CellSums]] = {}
    known: dict[str, bool] = defaultdict(bool)
    for market in markets:
        for entity, sums in market.entities.items():
            of_entity = cells.setdefault(entity, {})
            known[entity] |= sums.site_known
            for key, of_cell in sums.cells.items():
                of_entity[key] = of_entity[key].plus(of_cell) if key in of_entity else of_cell
    return MarketSums(
        {entity: EntitySums(of_entity, known[entity]) for entity, of_entity in cells.items()},
        {key: named for market in markets for key, named in market.named_in_prompt.items()},
    )


class _Adding:
    """Adds up answers one by one."""

    def __init__(self) -> None:
        self._cells: dict[str, dict[CellKey, list[int]]] = defaultdict(dict)
        self._sites: dict[str, bool] = defaultdict(bool)
        self._named_in_prompt: dict[CellKey, frozenset[str]] = {}

    def add(self, answer: Mapping[str, Observation], *, degraded: bool) -> None:
        """Add what one answer says of each entity."""
        mentions = sum(seen.named for seen in answer.values())
        for entity, seen in answer.items():
            key = seen.prompt_id, seen.channel
            self._sites[entity] |= seen.cites_owned is not None
            if seen.echo:
                self._named_in_prompt[key] = self._named_in_prompt.get(key, frozenset()) | {entity}
            sums = self._cells[entity].get(key)
            if sums is None:
                sums = self._cells[entity][key] = list(NOTHING)
            sums[:] = map(add, sums, answer_sums(seen, mentions, degraded=degraded))

    def market(self, entities: Iterable[str]) -> MarketSums:
        """Return the sums of all that was added."""
        return MarketSums(
            {
                entity: EntitySums(
                    {key: CellSums(*sums) for key, sums in self._cells[entity].items()}, self._sites[entity]
                )
                for entity in entities
            },
            self._named_in_prompt,
        )


def answer_sums(seen: Observation, mentions: int, *, degraded: bool) -> CellSums:
    """Return what one valid answer adds to the sums of an entity; `mentions` is the number of entities it names."""
    named = int(seen.named)
    in_all = CellSums(valid=1, named_in_all=named)
    if degraded or seen.branded or seen.custom:
        return in_all
    prominence = prominence_of(seen.rank, seen.position) if named else 0
    unknown = int(not seen.citation_measurable)
    citing = int(not unknown and bool(seen.cites_owned))
    cited, rank = citing * named, seen.rank or 0
    return in_all._replace(
        answers=1,
        named=named,
        prominence=prominence,
        prominence_square=prominence * prominence,
        cited=cited,
        prominence_cited=prominence * cited,
        unknown=unknown,
        named_unknown=named * unknown,
        prominence_unknown=prominence * unknown,
        citing=citing,
        ranked=int(rank > 0),
        rank_sum=rank,
        rank_square=rank * rank,
        mentions=mentions,
        mentions_square=mentions * mentions,
        own_mentions=mentions * named,
        naming=int(mentions > 0),
    )
