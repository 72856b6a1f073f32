"""Finds the medals that a sentence gives: "gold goes to Acme", "Acme takes gold, Bravo silver and Charlie bronze"."""

import re
from collections.abc import Iterator
from typing import Final

from analytics.answers.place_signs import NAME, PlaceSign

_GOLD: Final = "gold|l'or|d'or|oro|ouro|goud|zloto|zloty|золото|altin(?:i)?|זהב|الذهبيه|الذهب|स्वर्ण"
_SILVER: Final = (
    "silver|silber|plata|argento|l'argent|d'argent|prata|zilver|srebro|srebrny|серебро|gumus(?:u)?|כסף"
    "|الفضيه|الفضه|रजत"
)
_BRONZE: Final = (
    "bronze|bronce|bronzo|brons|braz(?:owy)?|бронза|бронзу|bronz(?:u)?|ארד|البرونزيه|البرونز|कांस्य"
)
_GLUED: Final = (
    r"金(?:メダル|牌|奖|獎)|금메달",
    r"[银銀銀](?:メダル|牌|奖|獎)|은메달",
    r"[铜銅](?:メダル|牌|奖|獎)|동메달",
)
_GIVEN = re.compile(
    r"(?<!\w)(?:the )?(?:(?P<s1>gold|oro|ouro|goud|zloto|золото|冠军|冠軍)"
    r"|(?P<s2>silver|silber|plata|argento|argent|prata|zilver|srebro|серебро|亚军|亞軍)"
    r"|(?P<s3>bronze|bronce|bronzo|brons|braz|бронза|季军|季軍))"
    r"(?:(?: medal)? (?:goes )?to| (?:geht|gaat|va|vai|ging) (?:an|naar|a|para)"
    r"| (?:holt|a|an|naar|para|pour|voor|dla|у)"
    rf"|是|(?<=the gold)|(?<=the silver)|(?<=the bronze))(?= |{NAME}|[.,;])"
)
"""A medal that is given; `Acme Gold` is a product."""
_TAKES: Final = (
    "takes?|took|gets?|got|wins?|won|earns?|earned|claims?|bags|scoops|grabs"
    "|holt|holen|gewinnt|bekommt|erhalt|sichert sich|verdient"
    "|remporte|decroche|prend|obtient|gagne"
    "|gana|obtiene|consigue|(?:se )?lleva|se queda con|se cuelga"
    "|vince|conquista|prende|ottiene|ganha|leva|fica com"
    "|pakt|wint|krijgt|haalt|zdobywa|bierze|otrzymuje|dostaje|zgarnia"
    "|берет|получает|забирает|завоевывает"
    "|(?:ي|ت)حصد|(?:ي|ت)نال|(?:ي|ت)حصل علي|(?:ي|ت)فوز ب|זוכה ב|לוקח את ה?|מקבל"
)
_ARTICLE: Final = (
    r"(?:l'|(?:the|das|die|der|la|le|el|o|a|il|de|het) )?"
    r"(?:(?:medaill?[ea]|medalla|medalha|medaglia|medal|الميداليه|المركز) (?:de |di |d')?|zlot[ya] )?"
)
_ALONE: Final = (
    rf"(?![\w'])(?=[-,:.;()!،؛。।]|\Z| -| ?{NAME}| (?:medal|medaille|madalya|पदक"
    "|and|while|whereas|with|for|to|goes|in|on|by|thanks|because|und|fur|an|geht|mit"
    "|y|mientras|por|con|para|et|tandis|pour|avec|e|mentre|per|enquanto|com|en|terwijl|voor|met"
    "|i|a|natomiast|dla|для|у|naar|gaat|va|vai|za|и|а|за|ve|ise|icin|و|और|ו|בגלל)(?!\\w))"
)
"""No noun follows: `gold`, but not `gold jewellery`."""
_TAKEN = re.compile(
    rf"{NAME}(?: [^ ,.;:{NAME}]{{1,16}}){{0,1}} (?:{_TAKES}) {_ARTICLE}(?:{_GOLD}){_ALONE}"
    rf"|{NAME} (?:{_GOLD})(?: madalya\w{{0,2}})? (?:aliyor|alir|kazaniyor|kazanir)|{NAME} को (?:{_GOLD})"
    rf"|(?<!\w)(?:the )?(?:{_GOLD})(?: medal)?:? (?:for|fur|pour|para|per|voor|dla|для) {NAME}"
    rf"|{NAME}(?:は|が|가|이|는|은|获|獲|获得|獲得|拿下|夺得|奪得|摘得|赢得|贏得|斩获){{1,2}} ?(?:{_GLUED[0]})"
)
"""Somebody takes the first medal, after which the verb may be left out: `Bravo silver`."""
_BARE = re.compile(
    rf"(?<!\w)(?:(?P<s1>{_GOLD})|(?P<s2>{_SILVER})|(?P<s3>{_BRONZE})){_ALONE}"
    rf"|(?P<r1>{_GLUED[0]})|(?P<r2>{_GLUED[1]})|(?P<r3>{_GLUED[2]})"
)


def medals(sentence: str) -> Iterator[PlaceSign]:
    """Yield the medals that a folded sentence gives, as places.

    Behind somebody who takes the first, all that the sentence names are given.
    """
    taken = _TAKEN.search(sentence)
    for match in _GIVEN.finditer(sentence) if taken is None else _BARE.finditer(sentence, taken.start()):
        yield PlaceSign(*match.span(), place=_place(match))


def _place(match: re.Match[str]) -> int:
    return int(next(name for name, shown in match.groupdict().items() if shown)[1:])
