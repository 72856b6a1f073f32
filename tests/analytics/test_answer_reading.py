import pickle
import subprocess
import sys

from analytics.answers.answer_reading import Reader
from analytics.answers.citations import Citation, OwnerClass
from analytics.matching.aliases import Alias, Entity
from analytics.matching.mentions import MentionStatus

ENTITIES = (
    Entity("acme", (Alias("Acme"),), ("acme.com",)),
    Entity("smart", (Alias("Smart", ambiguous=True),), ("smart.com",)),
)
TEXT = "Here is what I found for you in the city:\n\n1. **Smart** - tiny\n2. **Acme** is an excellent, reliable dealer."


def test_an_answer_is_read_wholly() -> None:
    reading = Reader(ENTITIES, "acme").read(
        TEXT, [Citation("https://www.smart.com/x"), Citation("https://acme.com")]
    )
    smart, acme = reading.mentions
    assert (smart.mention.entity_id, smart.rank, smart.mention.occurrences) == ("smart", 1, 1)
    assert (acme.mention.entity_id, acme.rank) == ("acme", 2)
    assert [citation.owner for citation in reading.citations] == [OwnerClass.COMPETITOR, OwnerClass.OWNED]


def test_an_uncertain_mention_has_no_rank() -> None:
    smart, _ = Reader(ENTITIES, "acme").read("Smart shoppers trust Acme.").mentions
    assert (smart.rank, smart.mention.occurrences) == (None, 0)


def test_a_reader_and_its_readings_cross_process_borders() -> None:
    reader = Reader(ENTITIES, "acme")
    copy = pickle.loads(pickle.dumps(reader))
    reading = reader.read(TEXT, [Citation("https://smart.com")])
    assert pickle.loads(pickle.dumps(reading)) == reading == copy.read(TEXT, [Citation("https://smart.com")])


def test_a_reading_names_every_version_that_decides_it() -> None:
    versions = Reader(ENTITIES, "acme").versions
    assert versions["matcher"] == "matcher/12"
    assert versions["rank"] == "rank/11"
    assert versions["ownership"] == "ownership/3"
    assert versions["aliasSet"].startswith("sha256:")
    assert set(versions) == {"matcher", "aliasSet", "rank", "ownership", "suffixList"}


def test_importing_the_reader_loads_no_heavy_library() -> None:
    code = (
        "import sys, analytics.answers.answer_reading;"
        "print([m for m in ('markdown_it', 'requests') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_language_of_the_question_tells_that_of_an_answer_of_one_word() -> None:
    reader = Reader([Entity("gap", (Alias("Gap"),))], "gap")
    found = {
        language: reader.read("Gap", (), language).mentions[0].mention.status for language in ("de", "en")
    }
    assert found == {"de": MentionStatus.COUNTED, "en": MentionStatus.UNCERTAIN}
