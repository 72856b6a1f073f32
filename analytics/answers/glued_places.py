"""Finds numbered places in sentences whose words are not parted by blanks: Japanese, Chinese and Korean."""

import re
from collections.abc import Iterator
from typing import Final

from analytics.answers.place_signs import NAME, PlaceSign

_DIGITS: Final = "一二三四五六七八九十"
_KOREAN: Final = ("첫", "두", "세", "네", "다섯")
_KOREAN_SHORT: Final = ("첫째", "둘째", "셋째", "넷째", "다섯째")
_NUMBER: Final = rf"(?<!\d)(?:\d{{1,2}}|[{_DIGITS}])"
_QUOTE: Final = r"[「『“\"']?"
_CHOICE: Final = r"(?:候補|選択肢?|順位|希望|人気|优先|優先|顺位|选择|選擇|推荐|推薦|候选|候選|首选|(?:个|個)(?:选择|選擇|推荐|推薦|选项|選項))"
"""What is numbered where somebody chooses; `二代`, `三家店` and `2番目の店舗` are no places."""
_STATED = re.compile(
    rf"(?<!{NAME}の)(?:第(?P<a>{_NUMBER})(?:位|名(?!额|額)|{_CHOICE})|(?P<b>{_NUMBER})(?:位|番人気|순위|위|등(?!급))(?!以|まで|内|間|안|권|置)"
    rf"|(?:排名?|位居|位列|名列|排在|居)第?(?P<c>{_NUMBER})(?:位|名)?|no\.? ?(?P<d>\d{{1,2}})(?=[はがに]))"
)
"""A place by its own word."""
_CHINESE_LINK: Final = r"(?:[的个個款好才则則就当當属屬是为為可以考虑考慮推荐推薦选選择擇值得建议建議会會我也再给給到轮輪看]{1,8}[,:]? ?|:)? ?"
_JAPANESE_LINK: Final = (
    r"(?:の(?:おすすめ|オススメ|お勧め|候補|選択肢|推し|推薦|選択))?"
    r"(?:に(?:は)?(?:[お挙推選検薦勧候良評高多人][ぁ-ん一-龯]{0,9}(?:の|もの|な)(?:は|が))?|(?:は|が|として(?:は)?|で)?)[,:]? ?"
)
_KOREAN_LINK: Final = r"(?:로|로는)?(?: ?(?:추천|선택|후보|옵션|대안|꼽|고려|권|인기|많이|높|좋)[가-힣 ]{0,12}?)?(?:는|은|가|이|로는|로|으로는|으로)?,? ?"
_BEFORE_NAME = re.compile(
    rf"(?:第(?P<a>{_NUMBER})(?={_CHINESE_LINK}{_QUOTE}{NAME})"
    rf"|(?P<b>{_NUMBER})(?:番目|番手|つ目|推し|番(?=[はがに]))(?={_JAPANESE_LINK}{_QUOTE}{NAME})"
    rf"|(?P<ko>{'|'.join(_KOREAN)}|\d) ?번째(?={_KOREAN_LINK}{_QUOTE}{NAME})"
    rf"|(?P<short>{'|'.join(_KOREAN_SHORT)})(?=(?:로는|로|는|은|가) {_QUOTE}{NAME}))"
)
"""A number that is a place only where the name follows: without a noun of its own it counts anything."""
_BEHIND_NAME = re.compile(
    rf"(?<={NAME})(?:[」』”]?(?:は|が|も|를|을|가|이|은|는) ?)"
    rf"(?:第?(?P<b>{_NUMBER})(?:番目|番手|番)(?=[でだと,.。、]|に(?:お|挙|推|入|選|良|いい)|\Z)"
    rf"|(?P<ko>{'|'.join(_KOREAN)}|\d) ?번째(?=(?:입니다|이고|이며|다|,|\.|로(?:,| (?:추천|꼽|좋|선택)))|\Z)|(?P<short>{'|'.join(_KOREAN_SHORT)})(?=(?:입니다|이고|이며|로|,|\.)|\Z))"
)


def glued_places(sentence: str) -> Iterator[PlaceSign]:
    """Yield the numbered places of a folded sentence in which `NAME` stands for each name."""
    for expression in (_STATED, _BEFORE_NAME, _BEHIND_NAME):
        for match in expression.finditer(sentence):
            yield PlaceSign(*match.span(), place=_number(match), explicit=expression is _STATED)


def _number(match: re.Match[str]) -> int:
    shown = next(filter(None, match.groups()))
    for words in (_KOREAN, _KOREAN_SHORT, _DIGITS):
        if shown in words:
            return words.index(shown) + 1
    return int(shown)
