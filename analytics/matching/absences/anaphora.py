"""Puts a name in place of what points back at it: "Acme: about this company nothing is known"."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from analytics.matching.absences.grammar import NAME
from analytics.text.folding import fold

# By language: what stands for the name alone, what stands for "about" and the name, and how that is written out.
_POINTERS: Final[Mapping[str, tuple[str, str, str]]] = {
    "en": ("(?:this|that) (?:one|company|brand|business|firm|store|shop|product|provider|vendor|service|tool|name)",
           "", ""),
    "de": ("diese[srmn]? (?:unternehmen|anbieter|marke|firma|produkt|handler|geschaft|shop|hersteller|dienst|name[n]?)",
           "(?:da|hier)(?:zu|ruber|von)|diesbezuglich", f"uber {NAME}"),
    "nl": ("(?:dit|deze) (?:bedrijf|merk|winkel|firma|aanbieder|product|dienst|naam)",
           "(?:hier|daar)(?:over|van)|hieromtrent", f"over {NAME}"),
    "fr": ("cett?e? (?:entreprise|marque|societe|enseigne|boutique|magasin|produit|service|nom)",
           "(?:a (?:ce|son) (?:sujet|propos)|la-dessus)", f"sur {NAME}"),
    "es": ("est[ae] (?:empresa|marca|compania|tienda|negocio|producto|servicio|nombre)",
           "al respecto", f"sobre {NAME}"),
    "it": ("quest[oa] (?:azienda|marca|marchio|societa|negozio|prodotto|servizio|nome)",
           "(?:al riguardo|in merito|a riguardo)", f"su {NAME}"),
    "pt": ("(?:est|ess)[ae] (?:empresa|marca|loja|companhia|produto|servico|nome)",
           "(?:a (?:ess|est)e respeito|a respeito|sobre isso)", f"sobre {NAME}"),
    "pl": ("(?:te[jn]|tym) (?:firmie|firmy|marce|marki|sklepie|producencie|produkcie)",
           "na (?:ten|jej|jego) temat", f"o {NAME}"),
    "ru": ("эт(?:ой|ом|ому|ого) (?:компании|бренд[еуа]|марке|марки|фирме|фирмы|магазин[еуа]|сервис[еуа])",
           "(?:об этом|о н(?:ей|ем))", f"о {NAME}"),
    "tr": ("bu (?:sirket|marka|firma|magaza|urun|isletme)",
           "bu konuda", f"{NAME} hakkinda"),
    "ja": ("(?:こちら|この(?:会社|企業|ブランド|店|製品|サービス))", "", ""),
    "zh": ("(?:该|这家|此|这个)(?:公司|品牌|企业|商家|店铺|产品)", "", ""),
    "ko": ("이 ?(?:회사|브랜드|업체|기업|제품|매장)", "", ""),
    "ar": ("هذ[هاي]ه? (?:الشركه|العلامه(?: التجاريه)?|المتجر|المنتج|الماركه)", "(?:عنها|عنه)", f"عن {NAME}"),
    "hi": ("इस (?:कंपनी|ब्रांड|दुकान|स्टोर|उत्पाद|सेवा)", "इस बारे में", f"{NAME} के बारे में"),
    "he": ("(?:החברה|המותג|העסק|החנות|המוצר) (?:הזאת|הזו|הזה)", "(?:עליה|עליו)", f"על {NAME}"),
}  # fmt: skip
_UNSPACED: Final = ("ja", "zh", "ko")


@cache
def _pointers(language: str) -> tuple[re.Pattern[str], re.Pattern[str], str]:
    """The expressions of a language and what stands for the second; compiled at first use."""
    name, about, written = _POINTERS[language]
    return _compiled(language, name), _compiled(language, about or "(?!)"), fold(written).text


def _compiled(language: str, pattern: str) -> re.Pattern[str]:
    folded = "".join(fold(char).text if char.isalpha() and char > "\x7f" else char for char in pattern)
    edges = ("", "") if language in _UNSPACED else (r"(?<!\w)", r"(?!\w)")
    return re.compile(f"{edges[0]}(?:{folded}){edges[1]}")


def pointed_back(remark: str, language: str) -> str | None:
    """Return a folded remark with `NAME` for the first words that point back at a name; None where none do."""
    name, about, written = _pointers(language)
    for pointer, stands_for in ((name, NAME), (about, written)):
        pointed = pointer.search(remark)
        if pointed is not None:
            return f"{remark[: pointed.start()]}{stands_for}{remark[pointed.end() :]}"
    return None
