"""Tells "I found nothing about Acme" from a mention of Acme."""

import re

# More characters than the longest phrase below has, so that a name in an endless clause costs no more.
LONGEST_PHRASE = 400

_FILL = (
    "any|an|a|the|this|that|such|specific|particular|much|enough|reliable|detailed|further|more|company|brand|business"
    "|dealership|dealer|shop|store|product|service|called|named"
)
_EVIDENCE = "information|info|results?|data|records?|details|evidence|reviews?|mentions?|sources?"
_ABOUT = "about|on|for|of|regarding"
_SEARCH = (
    r"(?:could not|couldn't|can ?not|can't|did not|didn't|unable to) (?:find|locate|verify|identify|retrieve)"
)
_LACK = r"(?:no|little|limited|not enough|(?:not|n't) have)"
_UNKNOWN = r"(?:(?:not|n't) (?:familiar|aware|acquainted) (?:with|of)|unfamiliar with|never heard of)"
_FOREIGN = "keine informationen uber|aucune information sur|no tengo informacion sobre"


def _up_to(words: int) -> str:
    return rf"(?: (?:{_FILL})){{0,{words}}}"


_BEFORE = re.compile(
    rf"(?:(?:\b{_SEARCH}|(?:\b|(?=n't)){_LACK}){_up_to(3)} (?:{_EVIDENCE}) (?:{_ABOUT}){_up_to(3)}"
    rf"|\b{_SEARCH}{_up_to(4)}|(?:\b|(?=n't)){_UNKNOWN}{_up_to(4)}|\b(?:{_FOREIGN}))"
    r"""[ "'“”„«»‹›(\[]*$"""
)
_AFTER = re.compile(
    r"""["'“”»›)\]]* (?:(?:does not|doesn't) (?:appear|seem) to (?:exist|be (?:an?|listed|known))"""
    r"|(?:is not|isn't) (?:known|listed|recogni[sz]ed))\b"
)
_DOUBT = re.compile(r"\b(?:if|may|might|could|perhaps|possibly|unclear)\b")
# Every form above holds one of these; most sentences hold none.
_TRIGGERS = ("not", "n't", "no ", "unable", "little", "limited", "unfamiliar", "never", "keine", "aucune")


def denials(folded: str) -> list[int]:
    """Where folded text holds a word without which no clause of absence exists, in order."""
    found: list[int] = []
    for trigger in _TRIGGERS:
        at = folded.find(trigger)
        while at >= 0:
            found.append(at)
            at = folded.find(trigger, at + 1)
    return sorted(found)


def is_absence(before: str, after: str) -> bool:
    """Whether the folded parts of a clause before and after a name say that nothing is known about it."""
    return _BEFORE.search(before) is not None or _AFTER.match(after) is not None


def is_doubtful(sentence: str) -> bool:
    """Whether a folded sentence only speculates; after a first absence such a mention is none either."""
    return _DOUBT.search(sentence) is not None
