"""Writes the answers of days that were not imported: rows as the pipeline would have stored them."""

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from bench.scale.answering import Answers, Drawn, line
from bench.scale.bulk import Bulk, check_columns
from bench.scale.market import CHANNELS, Panel
from bench.scale.results import Day, Results
from measurement.extraction.captured_lines import PARSER
from measurement.planning.brand_identity import BrandIdentity
from storage.encoding import json_text, packed_exchanges
from storage.tables.answers import answer_readings, answers, citations, mentions
from storage.tables.columns import EPOCH, MICROSECOND, write_json
from storage.tables.prompts import asks, run_batches, simulations

RAW_DAYS = 90
"""Days that raw exchanges are kept; what is older has been swept, as in a service with its usual settings."""
SECOND = timedelta(seconds=1)
FAILED_SHARE = 0.2
UNNAMED = 0.0, None, 0, 0, 0, False
"""Columns of an entity whose site is cited and that is not named."""
LATE = "The engine did not answer in time."

for table, names in (
    (
        answers,
        "key id company_id brand_key batch_key ask_key prompt_key channel_key status retrieval valid citations_known"
        " truncated clipped language city not_supported requested_model served_model latency_ms attempts usage parser"
        " raw_sha256 text_sha256 source_id captured_at absent_reason seen",
    ),
    (answer_readings, "answer_key revision_key measurable branded named_in_prompt domains"),
    (
        mentions,
        "answer_key revision_key entity_key channel_key captured_at position rank occurrences absences"
        " uncertain named cites_own spans quote",
    ),
    (citations, "answer_key ordinal kind url_key start end span site"),
    (
        asks,
        "key company_id simulation_key prompt_key ask_key repeat state resent claimed_by possibly_billed error_code"
        " error_message sent_at settled_at task poll_after",
    ),
    (
        simulations,
        "key id company_id brand_key batch_key platform mode country not_supported source status custom_query"
        " accuracy_score planned answered failed created_at finished_at",
    ),
    (
        run_batches,
        "key id company_id brand_key prompt_set_key prompt_set_version run_key source status plan_sha256 created_at"
        " finished_at",
    ),
):
    check_columns(table, names.split())


@dataclass(frozen=True, slots=True)
class Followed:
    """A brand with what its rows refer to."""

    identity: BrandIdentity
    revision_key: int
    answers: Answers
    panel: Panel
    prompt_keys: Sequence[int]
    url_keys: Sequence[int]
    """Keys of the pages of `answers`, in order."""
    results: Results


class Ids:
    """Draws identifiers and digests of one batch; they begin with its day, so that indexes grow at their end."""

    def __init__(self, seed: str, day: date) -> None:
        self._bits = random.Random(seed).getrandbits
        milliseconds = (day - EPOCH.date()) // timedelta(milliseconds=1)
        self._prefix = f"{milliseconds >> 16:08x}-{milliseconds & 0xFFFF:04x}"
        self._day = f"{day.toordinal():08x}"

    def id(self) -> str:
        """Return an identifier."""
        drawn = f"{self._bits(72):018x}"
        return f"{self._prefix}-7{drawn[:3]}-8{drawn[3:6]}-{drawn[6:]}"

    def digest(self) -> str:
        """Return what stands for a SHA-256 digest of something that is not stored."""
        return f"{self._day}{self._bits(224):056x}"

    def checksums(self, rows: int) -> str:
        """Return what stands for the checksums of so many rows."""
        return f"{self._bits(32 * rows):0{8 * rows}x}" if rows else ""


class History:
    """Writes days of brands into the tables.

    What a text says comes from the product's own reader, which read each text of the pool once (see `texts.py`). Who
    owns a cited page is known beforehand. Calculations and their intervals are those of an imported day, scaled to the
    day's rates, and seals are drawn: they take the space of real ones, and cannot be verified.
    """

    def __init__(
        self, bulk: Bulk, company_id: str, channel_keys: Mapping[tuple[str, str, str], int], last: date
    ) -> None:
        self._bulk = bulk
        self._company_id = company_id
        self._channel_keys = [channel_keys[channel] for channel in CHANNELS]
        self._raw_since = last - timedelta(days=RAW_DAYS)
        self._prompts: dict[int, list[tuple[bool, str]]] = {}

    def write(self, brand: Followed, day: date) -> None:
        """Write all batches of a brand on one day."""
        counts = Day(len(brand.answers.pool.keys), brand.panel.channels)
        for part in range(brand.panel.times):
            ended = EPOCH + (day - EPOCH.date()) + timedelta(days=1) * (part + 1) / brand.panel.times - SECOND
            self._batch(brand, day, part, ended, counts)
        brand.results.write_counts(self._bulk, self._channel_keys, day, counts)

    def _in_prompts(self, brand: Followed) -> list[tuple[bool, str]]:
        """Return of each prompt whether it names the brand, and the entities that it names."""
        known = self._prompts.get(brand.identity.brand.key)
        if known is None:
            keys, matcher = brand.identity.keys, brand.identity.reader.matcher
            found = [
                sorted(keys[entity] for entity in matcher.named(text)) for text in brand.answers.brand.prompts
            ]
            known = [(0 in named, write_json(named)) for named in found]
            self._prompts[brand.identity.brand.key] = known
        return known

    def _batch(self, brand: Followed, day: date, part: int, ended: datetime, counts: Day) -> None:
        bulk, company, brand_key = self._bulk, self._company_id, brand.identity.brand.key
        revision, panel, keys = brand.revision_key, brand.panel, bulk.keys
        ids = Ids(f"{brand.answers.brand.name}:{day}:{part}:ids", day)
        finished = (ended - EPOCH) // MICROSECOND
        keys["run_batches"] += 1
        batch_key, batch_id = keys["run_batches"], ids.id()
        first_simulation = keys["simulations"] + 1
        keys["simulations"] += panel.channels
        mine = company, brand_key
        ended_as = "import", "success", ids.digest(), finished, finished
        bulk.rows("run_batches").append((batch_key, batch_id, *mine, None, None, None, *ended_as))
        in_prompts, entity_keys, url_keys = self._in_prompts(brand), brand.answers.pool.keys, brand.url_keys
        pages, keeps_raw = brand.answers.pages, day >= self._raw_since
        add_ask, add_answer = bulk.rows("asks").append, bulk.rows("answers").append
        add_text, add_raw = bulk.rows("answer_texts").append, bulk.rows("answer_exchanges").append
        add_citation, add_mention = bulk.rows("citations").append, bulk.rows("mentions").append
        add_reading = bulk.rows("answer_readings").append
        ask_key, answer_key = keys["asks"], keys["answers"]
        first_answer, citation_count = answer_key, len(bulk.rows("citations"))
        of_batch = counts.batch(batch_key)
        for drawn in brand.answers.batch(panel, day, part):
            prompt, channel, moment, text, status, is_truncated, is_known, cited, model, latency = drawn
            ask_key += 1
            prompt_key, channel_key = brand.prompt_keys[prompt], self._channel_keys[channel]
            asked = ask_key, company, first_simulation + channel, prompt_key, ids.digest(), 0
            if status == "failed":
                add_ask((*asked, "failed", 0, PARSER, False, "timeout", LATE, finished, finished, None, None))
                of_batch.failed[channel] += 1
                continue
            add_ask((*asked, "stored", 0, PARSER, False, None, None, finished, finished, None, None))
            answer_key += 1
            is_valid = status == "answered" and not is_truncated
            is_branded, in_prompt = in_prompts[prompt]
            grounded = CHANNELS[channel][1] == "readiness"
            raw_sha256 = self._raw(add_raw, answer_key, brand, drawn) if keeps_raw else ids.digest()
            place = batch_key, ask_key, prompt_key, channel_key
            retrieval = "searched" if grounded else "not_requested"
            outcome = status, retrieval, is_valid, is_known, is_truncated, False, None, None, "[]"
            served = model, model, latency, 1, "{}", PARSER, raw_sha256, text.sha256, None, moment, None, None
            add_answer((answer_key, ids.id(), *mine, *place, *outcome, *served))
            add_text((answer_key, text.packed))
            owners: set[int] = set()
            fragments: set[str] = set()
            for ordinal, (page, is_cited, start, end) in enumerate(cited):
                kind = "retrieved"
                if is_cited:
                    kind = "cited"
                    known_page = pages[page]
                    fragments.add(known_page.fragment)
                    if known_page.owner >= 0:
                        owners.add(known_page.owner)
                add_citation((answer_key, ordinal, kind, url_keys[page], start, end, None, None))
            measurable = is_valid and is_known
            domains = "{}" if not is_valid else f"{{{','.join(sorted(fragments))}}}" if cited else text.linked
            add_reading((answer_key, revision, measurable, is_branded, in_prompt, domains))
            of_batch.add_answer(drawn, is_branded, measurable, domains)
            if not is_valid:
                continue
            for found in text.mentions:
                entity = found.entity
                cites = entity in owners
                owners.discard(entity)
                place = answer_key, revision, entity_keys[entity], channel_key, moment
                add_mention((*place, *found.numbers, cites, *found.words))
                of_batch.add_mention(channel, found, cites and measurable, is_branded)
            for entity in owners:
                place = answer_key, revision, entity_keys[entity], channel_key, moment
                add_mention((*place, *UNNAMED, True, "[]", None))
                of_batch.add_citation(channel, entity, measurable)
        stored = answer_key - first_answer
        keys["asks"], keys["answers"] = ask_key, answer_key
        for channel, where in enumerate(CHANNELS[: panel.channels]):
            failed = of_batch.failed[channel]
            ending = "degraded" if failed > FAILED_SHARE * panel.prompts else "completed"
            if failed == panel.prompts:
                ending = "failed"
            made = (
                first_simulation + channel,
                ids.id(),
                *mine,
                batch_key,
                *where,
                "[]",
                "import",
                ending,
                None,
                None,
            )
            counted = panel.prompts, panel.prompts - failed, failed, finished, finished
            bulk.rows("simulations").append((*made, *counted))
        sealed = {
            "run_batches": 1,
            "simulations": panel.channels,
            "answers": stored,
            "citations": len(bulk.rows("citations")) - citation_count,
            "channel_health": 0,
        }
        bulk.rows("batch_seals").extend(
            (batch_key, subject, company, rows, ids.checksums(rows), ids.digest(), "")
            for subject, rows in sealed.items()
        )
        brand.results.write(bulk, self._channel_keys, day, (batch_key, batch_id, finished), ids, of_batch)

    def _raw(self, add: Any, answer_key: int, brand: Followed, drawn: Drawn) -> str:
        """Store the raw exchange of an answer; return its digest."""
        raw = json.dumps(line(brand.answers, drawn), ensure_ascii=False)
        add((answer_key, packed_exchanges(json_text([{"line": raw}]), drawn.text.text)))
        return hashlib.sha256(raw.encode()).hexdigest()
