"""Decides from the context of an ambiguous name whether it means the company or the ordinary word."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from analytics.matching.homonyms import Homonym, HomonymKind, common_words
from analytics.matching.place_cues import is_ranked
from analytics.text.folding import fold
from analytics.text.language import FUNCTION_WORDS
from analytics.text.scripts import Script, script_of
from analytics.text.sentences import Sentences
from analytics.text.suffixes import is_domain

_AROUND = 160
"""Characters on each side in which a word indicates the meaning of a name."""
_BESIDE = 60
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_LIST_MARK = re.compile(
    r"[ \t>]{0,12}(?:\#{1,6}[ \t]{1,4}|[-*•–+][ \t]{1,4})?[*_]{0,3}"
    r"(?:\(?\#?\d{1,3}[.)、:]?\ufe0f?\u20e3?[ \t]{0,4}|[\U0001f947-\U0001f949][ \t]{0,4}|\|[^|\n]{0,12}\|?[ \t]{0,4})?"
    r"[*_\"“'‘\[]{0,4}(?P<remark>[(（\[][^()（）\[\]\n]{1,32}[)）\]][ \t]{1,3}[*_]{0,3})?"
)
"""Precedes the topic of a line: an item mark, emphasis, or a remark such as `(tie)`."""
_HEAD_ENDS = re.compile(r"[*_]{2}|[:：|]|\s[-–—]\s|[(,]|$")
_DETERMINERS_TEXT = """
a an the this that these those my your his her its our their each every some any no one another
which what whose un une le la les l d du des ce cet cette mon ma ton ta son sa notre votre aux au
una el los las este esta mi tu su al del uno lo il gli i dello della dell dei degli delle dal nel
nella um uma o os as do da dos das na meu minha pelo pela een de het deze dit mijn jouw der die den
dem ein eine einen einem einer eines kein keine bir bu
"""
_DETERMINERS = frozenset(_DETERMINERS_TEXT.split())
_TRADE_WORDS_TEXT = """
store stores app apps account accounts card cards device devices phone phones dealer dealers
dealership dealerships truck trucks car cars station stations website site stock stocks share shares
product products brand brands logo ceo corporation corp inc ltd llc plc gmbh ag company group motors
pay music plus gift locations location employee employees customer-service support subscription
membership headquarters outlet outlets franchise deal deals coupon coupons laptop laptops jeans
clothes platform boutique filiale laden tienda tiendas negozio loja lojas sklep winkel holding bank
airlines mobile insurance software
"""
_TRADE_WORDS = frozenset(_TRADE_WORDS_TEXT.split())
_COMPANY_VERBS_TEXT = """
offers offer makes made sells sold released releases launched launches announced announces provides
provided charges charged says said remains ranks ranked leads operates runs owns acquired introduced
plans ships allows accepts dominates delivers builds produces carries stocks reported reports
recalled unveiled recently currently still competes competed specializes specialises focuses
features boasts gives lets keeps opened closed expanded tops excels shines wins beats holds has had
does doesn't didn't also now consistently generally typically usually price-matches matches covers
raised cut sued settled hired bought bundles integrates supports serves stands propose offre vend
pays sends rents streams publishes guarantees refunds insures lends hires ha heeft biedt rekent ma daje tem tiene cobra
lance est reste domine bietet verkauft ofrece vende lanza lancia oferece oferuje sunuyor
"""
_COMPANY_VERBS = frozenset(_COMPANY_VERBS_TEXT.split())
_LINKING_VERBS = frozenset(("is", "was", "will", "can", "could", "would", "isn't", "wasn't"))
_OBJECT_OPENERS = frozenset(
    ("your", "the", "a", "an", "his", "her", "their", "our", "my", "these", "those", "that", "specific")
)
_CONJUNCTION = r"(?:and|or|vs\.?|versus|&|et|ou|y|e|o|und|oder|en|of|i|lub|oraz|ve|ile|plus|than|и|или)"
_JOINT = rf"(?:,?\s{{1,3}}{_CONJUNCTION}\s{{1,3}}|,\s{{1,3}}(?:{_CONJUNCTION}\s{{1,3}})?|\s?/\s?)"
_NAME = r"(?P<name>[^\W_](?:[^\W_]|['’.&-]){0,40})"
_NAME_AFTER = re.compile(rf"[*_\"”]{{0,4}}{_JOINT}[*_\"“]{{0,4}}{_NAME}")
_NAME_BEFORE = re.compile(rf"{_NAME}[*_\"”]{{0,4}}{_JOINT}[*_\"“]{{0,4}}\Z")
_FOLLOWING = re.compile(r"(?:['’]s\b|s\b)?[*_]{0,3}[ \u00a0](?P<word>[*_]{0,3}[^\W_](?:[^\W_]|['’-])*)")
_GLUED_LIST = re.compile(r"[、，,・·/和与及跟或]|와|과|이나|랑|[ ]?(?:و|और|या|तथा|أو|او)[ ]?|[ ,]")
_COMPARED = re.compile(
    r"[^\n.!?;。！？]{0,24}?(?:\b(?:than|niż|als|dan)\b|чем|高于|低于|不如|超过|超越|优于|胜过|より|보다)[^\n.!?;。！？]{0,12}"
)
_COMPANY_NOUN = re.compile(
    r"(?<!\w)(?:company|firm|brand|retailer|firma|unternehmen|marke|empresa|marca|entreprise|marque|societe|azienda"
    r"|bedrijf|merk|sklep|siec|marka|sirket|компани[а-я]{1,2}|фирм[а-я]|شركه|متجر|تطبيق|कंपनी) [\"'“«„]?\Z"
)
_APOSTROPHES = re.compile("['’]")
_LABEL = re.compile(r"[a-z]{2,10}(?:\.[a-z]{2,3})?(?![\w-])")
_ONE_OF_MANY = re.compile(
    r"(?<!\w)(?:every|each|next|last|this|past|coming|until|till|jeden|nächsten|letzten|kommenden|chaque|cada|ogni|elke)\s\Z",
    re.IGNORECASE,
)
"""Precedes the name of a day or month used as such: `every Monday`."""
_NOUN_PHRASE = re.compile(
    r"(?<!\w)(?:(?:k?ein|mein|dein|sein|ihr|unser|jed|dies|welch|manch)(?:e|en|em|er|es)?|der|die|das|den|dem|des|alle"
    r"|zum|zur|im|am|beim|vom|ins|ans)(?: [a-zäöüß]{2,20}e[rsnm]?){0,2}\s\Z",
    re.IGNORECASE,
)
"""The article of a German noun, with its adjectives."""
_LISTED_NOUN = re.compile(
    r"(?<!\w)(?:(?:k?ein|mein|dein|sein|ihr|unser|jed|dies|welch)(?:e|en|em|er|es)?|das|des|ins)"
    r"(?: [a-zäöüß]{2,20}e[rsnm]?){0,2}\s\Z",
    re.IGNORECASE,
)
"""The article of a German noun that companies do not take (`die Telekom`)."""
_UNIT_BEFORE = re.compile(
    r"(?:\d|\b(?:your|my|his|her|their|our|high|low|systolic))[ \u00a0]\Z", re.IGNORECASE
)
_DIMENSIONS = frozenset(("wide", "long", "high", "deep", "tall", "thick", "away"))
_MARKED_BEFORE = re.compile(r"(?:\*\*|__|\[)[*_]{0,3}\Z")
_MARKED_AFTER = re.compile(r"['’s]{0,2}[*_]{0,3}(?:\*\*|__|\]|:\*\*)")
_MARKS = " \t*_\"“”'’[]s:"
_COUNTED_NOUN = re.compile(
    r"(?<!\w)(?:a|an|the|one|two|three|each|every|some|another|this|that|your|un|une|le|la|les|el|los|las|una|il|lo|um|uma"
    r"|o|os|as|een|het|de|jeden|jedna)(?: [a-zà-ÿ-]{2,20}){0,2}\s\Z",
    re.IGNORECASE,
)
"""Turns the following word into a noun: `one large`, `a small paper`."""
_WORD_KINDS = frozenset(("word", "mass"))
_FEWEST_WORDS = 2
_ASIDE = re.compile(
    r"(?:['’]s)?[*_]{0,3}, (?:on the other hand|by contrast|in contrast|by comparison|meanwhile|however|though|too"
    r"|for example|for instance|likewise|similarly|in turn|of course), (?P<word>[^\W_](?:[^\W_]|['’-])*)"
)
"""Separates a name from its verb: `Acme, by contrast, offers`."""
_LONGEST_HEAD, _LONGEST_LINK, _SHORT_WORD = 48, 6, 2


@dataclass
class AnswerContext:
    """The parts of a text that decide the meaning of its ambiguous names.

    `shown` is the text with its sources blanked. `names` are the spans `[start, end)` of all names. `words`
    are those of names that may be ordinary words, if all of them may.
    """

    shown: str
    text: str
    sentences: Sentences
    language: Callable[[], str | None]
    names: Sequence[tuple[int, int]] = ()
    words: Sequence[tuple[int, int]] = ()
    _domains: dict[str, bool] = field(default_factory=dict[str, bool])

    def means_company(self, start: int, end: int, homonym: Homonym | None, domain: str) -> bool:
        """Return whether the name at `[start, end)` of the text means the company.

        `domain` is the folded name as the first label of a web address in the text. A homonym only counts in
        languages in which it is a word.
        """
        has_sign = self._is_marked_as_name(start, end)
        if homonym is not None and homonym.kind == "unit":
            return not self._is_unit(start, end)
        if homonym is not None and not has_sign and self._is_listed_noun(start, end, homonym):
            return False
        if (
            homonym is not None
            and (homonym.languages or homonym.listed_in)
            and self.language() not in (*homonym.languages, None)
        ):
            return True
        if homonym is not None and self._is_common_noun(start, end, homonym.kind):
            return False
        around = self._folded(max(0, start - _AROUND), start) + "\n" + self._folded(end, end + _AROUND)
        if homonym is not None:
            beside = self._folded(max(0, start - _BESIDE), start) + "\n" + self._folded(end, end + _BESIDE)
            other = len(set(homonym.other.findall(beside)))
            brand = len(set(homonym.brand.findall(beside if other else around)))
            if brand or other:
                return brand >= other if other else not self._is_imperative(start, end)
        if has_sign:
            return True
        if is_ranked(self.shown, start, end) and not self._is_imperative(start, end):
            return True
        if self._has_domain(domain) or _COMPANY_NOUN.search(around[: around.index("\n")]):
            return True
        if script_of(self.text[start]) is not Script.SPACED or not self.text[start].isupper():
            return self._beside_certain(start, end)
        if self._in_list_of_names(start, end):
            return True
        if homonym is not None and homonym.kind in _WORD_KINDS and self._is_among_words(start, end):
            return False
        return self._reads_as_name(start, end, homonym)

    def _is_marked_as_name(self, start: int, end: int) -> bool:
        """Return whether a capitalized name is bold, linked or opens an item of a list, a heading or a cell."""
        if not self.text[start].isupper():
            return False
        if _MARKED_BEFORE.search(self.text, max(0, start - 4), start) and _MARKED_AFTER.match(self.text, end):
            low, _ = self.sentences.clause(start, end)
            previous = self._previous(low, start)
            return previous is None or not (previous.casefold() in _DETERMINERS or previous[-1].isdigit())
        at = bisect_right(self._heads, start, key=_first) - 1
        low, high = self._heads[at] if at >= 0 else (start, start)
        return low <= start and end <= high and not (self.text[low:start] + self.text[end:high]).strip(_MARKS)

    def _is_listed_noun(self, start: int, end: int, homonym: Homonym) -> bool:
        """Return whether a German article or possessive makes the name a noun: `das Budget`, `deinem Boss`."""
        following = self._following(end)
        return (
            "de" in homonym.listed_in
            and self.language() == "de"
            and not following[:1].isupper()
            and _LISTED_NOUN.search(self.shown, max(0, start - 60), start) is not None
        )

    def _is_unit(self, start: int, end: int) -> bool:
        """Return whether a unit or an abbreviation stands where no company does: `300 HP`, `your BP`, `3M wide`."""
        following = self._following(end).casefold()
        counted = _UNIT_BEFORE.search(self.shown, max(0, start - 12), start) is not None
        return following in _DIMENSIONS or (
            counted and following not in _TRADE_WORDS and not following.isdigit()
        )

    def _folded(self, start: int, end: int) -> str:
        return fold(self.shown[start:end]).text

    def _has_domain(self, name: str) -> bool:
        """Return whether the text contains an address whose first label is the name: `target.com`."""
        if name not in self._domains:
            self._domains[name] = self._shows_domain(name)
        return self._domains[name]

    def _shows_domain(self, name: str) -> bool:
        at = self._lower.find(f"{name}.")
        while at >= 0:
            before = self._lower[at - 1 : at]
            label = _LABEL.match(self._lower, at + len(name) + 1)
            if label and not before.isalnum() and is_domain(f"{name}.{label[0]}"):
                return True
            at = self._lower.find(f"{name}.", at + 1)
        return False

    @cached_property
    def _lower(self) -> str:
        return self.text.lower()

    def _beside_certain(self, start: int, end: int) -> bool:
        """Return whether an unambiguous name, or another ambiguous one, is listed or compared with this name."""
        at = bisect_left(self.names, (start, end))
        for other_start, other_end in (*self.names[max(0, at - 1) : at], *self.names[at + 1 : at + 2]):
            low, high = (other_end, start) if other_end <= start else (end, other_start)
            if 0 <= high - low <= _LONGEST_LINK and _GLUED_LIST.search(self.text, low, high):
                return True
            if not self.text[start].islower() and _COMPARED.fullmatch(self.text, low, high):
                return True
        return False

    @cached_property
    def _heads(self) -> list[tuple[int, int]]:
        """The short text at the start of each list line, up to its colon, dash or end."""
        heads: list[tuple[int, int]] = []
        at = 0
        for line in self.text.split("\n"):
            mark = _LIST_MARK.match(line)
            low = mark.end() if mark else 0
            if mark and mark.group().removesuffix(mark["remark"] or "").strip():
                stop = _HEAD_ENDS.search(line, low)
                if stop is not None and 0 < stop.start() - low < _LONGEST_HEAD:
                    heads.append((at + low, at + stop.start()))
            at += len(line) + 1
        return heads

    def _in_list_of_names(self, start: int, end: int) -> bool:
        """Return whether the name is listed with another name: `Target and Walmart`, `Costco, Target`."""
        if self.language() == "de":
            return self._beside_certain(start, end)
        after = _NAME_AFTER.match(self.text, end)
        if after and self._is_name(after["name"]):
            return True
        before = _NAME_BEFORE.search(self.text, max(0, start - 56), start)
        if before and before["name"][0].isupper() and self._is_name(before["name"]):
            return True
        return self._beside_certain(start, end)

    def _is_name(self, words: str) -> bool:
        """Return whether words are a proper name: capitalized, and neither a common word nor a person."""
        parts = _WORD.findall(words)
        if not parts or len(parts) > 4 or not parts[0][0].isupper():
            return False
        lower = parts[0].casefold().removesuffix("'s").removesuffix("’s")
        if len(parts) == 1:
            return lower not in common_words()
        return not all(part.casefold() in common_words() for part in parts)

    def _reads_as_name(self, start: int, end: int, homonym: Homonym | None) -> bool:
        """Return whether grammar marks a name: a capital where words have none, or a use that only names have."""
        low, _ = self.sentences.clause(start, end)
        kind = homonym.kind if homonym else "word"
        if kind == "noun":
            if self.language() == "de":
                return True
            kind = "word"
        if kind == "capital":
            return False
        previous = self._previous(low, start)
        following = self._following(end)
        word = previous.casefold() if previous else ""
        surname = previous is not None and previous[0].isupper() and not _is_plain_word(word)
        if surname:
            return False
        if kind == "known":
            return True
        possessive = self.text.startswith(("'s ", "’s "), end)
        if (
            following
            and following[0].isupper()
            and not possessive
            and following.casefold() not in _TRADE_WORDS
        ):
            return False
        if previous is None:
            return self._opens_as_name(kind, following.casefold(), possessive)
        if word in _DETERMINERS:
            return following.casefold() in _TRADE_WORDS
        return self.language() != "de"

    def _opens_as_name(self, kind: str, following: str, possessive: bool) -> bool:
        """Return whether a sentence opens with the name rather than a word: `Target offers`, not `Target your`."""
        if possessive:
            return kind in ("word", "mass")
        if following in _LINKING_VERBS:
            return kind in ("word", "person")
        return following in _COMPANY_VERBS

    def _is_among_words(self, start: int, end: int) -> bool:
        """Return whether the text capitalizes common words: all of its other names, at least two, count things."""
        counting = self._counting_words
        name = self._folded(start, end)
        others = [counts for other, counts in counting.items() if other != name]
        return len(others) >= _FEWEST_WORDS and all(others)

    @cached_property
    def _counting_words(self) -> dict[str, bool]:
        """Whether each name that may be a word counts things in every occurrence."""
        counting: dict[str, bool] = {}
        for span in self.words:
            word = self._folded(*span)
            counting[word] = counting.get(word, True) and self._counts_thing(*span)
        return counting

    def _counts_thing(self, start: int, end: int) -> bool:
        """Return whether an article or number, with adjectives, makes the name a noun with nothing after it."""
        following = self._following(end)
        return (
            _COUNTED_NOUN.search(self.shown, max(0, start - 60), start) is not None
            and not following[:1].isupper()
            and following.casefold() not in _TRADE_WORDS
        )

    def _is_common_noun(self, start: int, end: int, kind: HomonymKind) -> bool:
        """Return whether the preceding words make the name a recurring day (`every Monday`) or a noun (`ein Tier`)."""
        following = self._following(end)
        if kind == "capital":
            before = _ONE_OF_MANY.search(self.shown, max(0, start - 12), start)
            return before is not None and following.casefold() not in _TRADE_WORDS
        if kind != "noun" or self.language() != "de" or following[:1].isupper():
            return False
        return _NOUN_PHRASE.search(self.shown, max(0, start - 60), start) is not None

    def _is_imperative(self, start: int, end: int) -> bool:
        """Return whether the sentence opens with the word as a verb: `Target your`, `Ford the`."""
        low, _ = self.sentences.around(start, end)
        return self._previous(low, start) is None and self._following(end).casefold() in _OBJECT_OPENERS

    def _previous(self, low: int, start: int) -> str | None:
        """Return the word before the name in its clause; None if the name opens it, or a comma if one is between."""
        before = self.shown[max(low, start - 40) : start]
        words = _WORD.findall(before)
        if not words:
            return None
        gap = before[before.rfind(words[-1]) + len(words[-1]) :]
        if set(gap) & set(".!?:"):
            return None
        return "," if set(gap) & set(',("“;') else _APOSTROPHES.split(words[-1])[-1]

    def _following(self, end: int) -> str:
        """Return the word that follows, separated only by blanks, emphasis or an aside; empty if there is none."""
        match = _FOLLOWING.match(self.shown, end, end + 64) or _ASIDE.match(self.shown, end, end + 64)
        return match["word"].strip("*_") if match else ""


def _is_plain_word(word: str) -> bool:
    """Return whether a capital only marks a sentence start: the word is common or too short for a name."""
    return (
        word in common_words()
        or (len(word) <= _SHORT_WORD and word.isalpha())
        or any(word in of for of in FUNCTION_WORDS.values())
    )


def _first(span: tuple[int, int]) -> int:
    return span[0]
