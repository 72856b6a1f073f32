"""Words of kinship in six languages, and whether one says of two people what another says the other way round."""

import re
from dataclasses import dataclass
from typing import Final

from analytics.grounding.flattening import flatten

# ruff: noqa: E501 - one relation a line
_ROWS: Final = """
child: son sons sohn sohne fils hijo hijos figlio figli zoon zonen | m
child: daughter daughters tochter fille filles hija hijas figlia figlie dochter dochters | f
parent: father dad vater pere padre papa vader | m
parent: mother mum mutter mere madre mamma moeder | f
parent: parents eltern parents padres genitori ouders | n
sibling: brother brothers bruder frere freres hermano hermanos fratello fratelli broer broers | m
sibling: sister sisters schwester schwestern soeur sœur soeurs hermana hermanas sorella sorelle zus zussen | f
sibling: siblings geschwister | n
spouse: husband mann ehemann mari epoux marido esposo marito man echtgenoot | m
spouse: wife frau ehefrau femme epouse mujer esposa moglie vrouw echtgenote | f
spouse: spouse partner couple ehepaar paar married verheiratet matrimonio pareja coppia coniugi echtpaar stel | n
grandchild: grandson granddaughter enkel enkelin enkelkind petit-fils petite-fille nieto nieta nipote kleinzoon kleindochter | n
grandparent: grandfather grandmother grandparents großvater großmutter großeltern grand-pere grand-mere abuelo abuela abuelos nonno nonna nonni grootvader grootmoeder opa oma | n
nephew: nephew niece neffe nichte neveu niece sobrino sobrina neef nicht | n
uncle: uncle aunt onkel tante oncle tio tia zio zia oom | n
cousin: cousin cousins cousine vetter primo prima cugino cugina | n
"""
_CONVERSE: Final = {"child": "parent", "parent": "child", "grandchild": "grandparent", "grandparent": "grandchild",
                    "nephew": "uncle", "uncle": "nephew"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kin:
    """A relation as one word says it; `gender` is `m`, `f` or `n` for either."""

    relation: str
    gender: str

    def follows_from(self, known: "Kin") -> bool:
        """Tell whether a known relation of two people may be said so: her son is he whose mother she is."""
        if self.relation == known.relation:
            return (
                "n" in (self.gender, known.gender)
                or self.gender == known.gender
                or self.relation in ("sibling", "spouse")
            )
        return _CONVERSE.get(self.relation) == known.relation


def _read() -> dict[str, Kin]:
    read: dict[str, Kin] = {}
    for row in _ROWS.strip().splitlines():
        relation, _, rest = row.partition(":")
        words, _, gender = rest.partition("|")
        read |= {word: Kin(relation, gender.strip()) for word in words.split()}
    return read


KIN: Final = _read()
KIN_WORD: Final = re.compile(rf"\b(?:{'|'.join(sorted(KIN, key=len, reverse=True))})\b")
FAMILY: Final = re.compile(r"\b(?:famil(?:y|ie|le|ia)|famill?e|famiglia|gezin|gebruder|gebroeders)\s\Z")
"""What stands before a name that is a family's."""


_KIN_OF: Final = re.compile(
    rf"\b(?:after|following|suite de|apres|nach|dopo|despues de|tras|na) (?:[^\W\d_]{{1,12}} )?{KIN_WORD.pattern} \Z"
    rf"|{KIN_WORD.pattern} (?:of|von|vom|de|d'|des|del|della|di|van)[ ]?(?:[^\W\d_]{{1,30}} ){{0,3}}\Z"
)
_OWN_KIN: Final = re.compile(rf"(?: [^\W\d_]{{1,30}})?'s (?:[^\W\d_]{{1,20}} )?{KIN_WORD.pattern}")
_LONGEST_BEFORE: Final = 80


def is_whose_kin(text: str, start: int, end: int) -> bool:
    """Tell whether a name at `[start, end)` stands for somebody whose kin another is: the daughter of Sietse."""
    before, behind = flatten(text[max(0, start - _LONGEST_BEFORE) : start]), flatten(text[end : end + 40])
    return _KIN_OF.search(before) is not None or _OWN_KIN.match(behind) is not None


def kin_in(flat: str) -> list[Kin]:
    """Return the relations that a flat text names."""
    return [KIN[match[0]] for match in KIN_WORD.finditer(flat)]
