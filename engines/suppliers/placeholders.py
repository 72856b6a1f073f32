"""Hidden placeholder sentences on Google's page for a missing overview, present next to real answers too."""

import html
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Literal

from engines.engine import AbsentReason
from engines.errors import EngineError, EngineErrorCode

NOT_AVAILABLE = "an ai overview is not available for this search"
NOT_GENERATED = "can't generate an ai overview right now"
SENTENCES = (
    f"{NOT_GENERATED}. please try again later",
    f"{NOT_GENERATED}. try again later",
    NOT_GENERATED,
    NOT_AVAILABLE,
)
"""Exact sentences of the English page, longer ones first."""
LABELS = (
    "ai overview",
    *("übersicht mit ki", "ki-übersicht"),
    *("aperçu ia", "vue d'ensemble générée par l'ia"),
    *("vista creada con ia", "resumen creado con ia", "resumen de ia"),
    *("panoramica ai", "panoramica con ia"),
    *("ai-overzicht",),
    *("visão geral criada por ia", "visão geral de ia"),
    *("przegląd od ai",),
)
"""The page's names for the overview: English, German, French, Spanish, Italian, Dutch, Portuguese, Polish."""
NOTICES: Mapping[str, tuple[str, str, str]] = {
    "de": ("nicht kein keine", "suchanfrage suche", "derzeit gerade momentan später augenblick"),
    "fr": ("pas non aucun aucune impossible", "recherche requête", "moment tard actuellement"),
    "es": ("no ningún ninguna", "búsqueda consulta", "momento tarde ahora"),
    "it": ("non nessun nessuna impossibile", "ricerca", "momento più adesso"),
    "nl": ("niet geen", "zoekopdracht", "moment momenteel later"),
    "pt": ("não nenhum nenhuma", "pesquisa busca", "momento tarde agora"),
    "pl": ("nie brak", "wyszukiwania zapytania", "później teraz obecnie"),
}
"""By language: negations, words for a search, and words for a time. These sentences are only known in
English. In other languages, a short line counts if it names the overview and negates it, for this search or
for now."""
LONGEST_NOTICE = 160
"""Maximum characters of a line that may be such a sentence in another language."""
LONGEST_FOLDED = 4 * LONGEST_NOTICE
"""Maximum characters of a line that is normalized; longer lines only count as placeholders if they match exactly."""
EDGES = re.compile(r"^[\s*_#>-]++|(?<![\s*_.…])[\s*_.…]++$")
WORD = re.compile(r"[^\W\d_]+")
PLAIN = re.compile(r"[\x20-\x25\x27-\x7e\u00c0-\u024f\u2013\u2014\u2018-\u201d]+")
"""A line that normalization does not change; most lines match."""


def placeholder(text: str) -> AbsentReason | None:
    """Return the meaning of a line made only of hidden sentences: `blocked`; None for any other line.

    Raises EngineError `not_loaded` for the sentence about an answer that exists but did not load.
    """
    said = _said(_folded(text))
    if said == "not_loaded":
        raise not_loaded()
    return "blocked" if said else None


def is_placeholder(text: str) -> bool:
    """Return whether a line consists only of hidden sentences."""
    return _said(_folded(text)) is not None


def without_placeholders(text: str) -> str:
    """Return the text without hidden sentences, and without a label that would be left on its own."""
    lines = text.split("\n")
    kept = [line for line in lines if not is_placeholder(line)]
    if len(kept) == len(lines):
        return text
    return "" if all(_folded(line) in ("", *LABELS) for line in kept) else "\n".join(kept)


def absent_by(text: str) -> AbsentReason | None:
    """Return why a text made only of hidden sentences shows nothing; None if the engine wrote text.

    Raises EngineError `not_loaded` if one of them says that an answer exists but did not load.
    """
    lines = text.split("\n")
    if any(map(_is_own, lines)):  # the first line of most answers
        return None
    reasons: list[AbsentReason | None] = [placeholder(line) for line in lines]
    return next((reason for reason in reasons if reason), None)


def _is_own(line: str) -> bool:
    """Return whether a line is the engine's: not empty, not a hidden sentence, not a label of the overview."""
    if len(line) > LONGEST_FOLDED:
        return _said(line) is None  # a long paragraph, which is not normalized
    if PLAIN.fullmatch(line) and WORD.search(line):
        lower = " ".join(line.replace("\u2019", "'").split()).casefold()
        if not any(label in lower for label in LABELS):  # every hidden sentence holds one
            return True
    folded = _folded(line)
    return folded not in ("", *LABELS) and _said(folded) is None


def not_loaded() -> EngineError:
    """Return the error for an answer that was on the page but did not load."""
    return EngineError(
        EngineErrorCode.NOT_LOADED,
        "The page had an answer that did not load.",
        possibly_billed=True,
    )


def _folded(text: str) -> str:
    """Return the normalized line: entities, wide and invisible characters, apostrophes and case are unified."""
    if len(text) > LONGEST_FOLDED:
        return text
    visible = html.unescape(text)
    if not visible.isascii():
        plain = unicodedata.normalize("NFKC", visible).replace("\u2019", "'")
        visible = "".join(letter for letter in plain if unicodedata.category(letter) != "Cf")
    return EDGES.sub("", " ".join(visible.split())).casefold()


def _said(line: str) -> Literal["blocked", "not_loaded"] | None:
    """Return whether a folded line says that there is no answer, or that it did not load; None for other lines."""
    left = line
    if NOT_GENERATED in line or NOT_AVAILABLE in line:
        for sentence in SENTENCES:
            left = left.replace(sentence, " ")
    if left != line and not WORD.search(left):
        return "not_loaded" if NOT_GENERATED in line else "blocked"
    if len(line) > LONGEST_NOTICE or not any(label in line for label in LABELS):
        return None
    words = set(WORD.findall(line.replace("'", " ")))
    said = {_noticed(words, *map(str.split, notice)) for notice in NOTICES.values()}
    return "not_loaded" if "not_loaded" in said else "blocked" if "blocked" in said else None


def _noticed(
    words: set[str], denials: Sequence[str], of_search: Sequence[str], for_now: Sequence[str]
) -> Literal["blocked", "not_loaded"] | None:
    """Return the meaning of a line with these words in one language."""
    if words.isdisjoint(denials):
        return None
    if not words.isdisjoint(for_now):
        return "not_loaded"
    return None if words.isdisjoint(of_search) else "blocked"
