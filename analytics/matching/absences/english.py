"""How English says that nothing is known of a name."""

from analytics.matching.absences.grammar import AbsenceGrammar

_FILL = (
    "any|an|a|the|this|that|such|specific|particular|much|enough|reliable|detailed|further|more|company|brand|business|firm"
    "|dealership|dealer|shop|store|product|service|provider|called|named|name|known as|by the name of|as|of|agency|restaurant|hotel"
    "|entity|organization|organisation|tool|platform|app|website|vendor|retailer|manufacturer|anything called|something called"
    "|any of|either|exact|single|local|online|your|specifically|being|it|for"
)
_ADJECTIVE = (
    "publicly|available|public|credible|official|verifiable|independent|relevant|online|concrete|substantial|clear|direct|current"
    "|recent|known|reliable|specific|detailed|further|more|much|enough|such|any|solid|trustworthy|useful|additional|matching"
    "|search|web|particular|real|definitive|sufficient|accurate|up-to-date|of|the|other|explicit|existing|exact|customer|user|meaningful"
)
_EVIDENCE = (
    "information|info|results?|data|records?|details|evidence|reviews?|mentions?|sources?|references?|listings?|matches|match|trace"
    "|knowledge|entry|entries|hits?|coverage|articles?|reports?|documentation|listing|web presence|presence|anything|nothing|facts"
)
_ABOUT = "about|on|for|of|regarding|concerning|related to|relating to|pertaining to|specific to|to|covering|with|under"
_STATE = (
    "(?: (?:that|which|i|we|was|were|is|are|could|can|be|have|has|been|exists?|found|available|located|returned|provided"
    "|published|listed|existing|out|there|online|publicly|turned|came|come|comes|up|back|known|here|readily|see|find|had)){0,5}"
)
_CANNOT = (
    "(?:could not|couldn't|can ?not|can't|did not|didn't|do not|don't|have not|haven't|was not able to|wasn't able to|am not able to"
    "|not able to|were not able to|have not been able to|haven't been able to|unable to|am unable to|failed to|not)"
)
_YOU = r"(?<!you )(?<!you'll )(?<!you will )(?<!people )"
_FIND = "(?:find|found|locate|located|verify|verified|identify|identified|retrieve|retrieved|confirm|see|come across|uncover|turn up|surface|dig up|dug up|track down|pull up|unearth|trace|pinpoint)"
_FOUND_NOTHING = "(?:find|found|locate|located|see|have|has|had|know|knew|provide|offer|return|returned|surface|surfaced|turn up|turned up)"
_SOURCES = (
    "(?:sources?|results?|search results?|articles?|pages?|reviews?|lists?|listings?|guides?|documents?|websites?|sites?|references?"
    "|materials?|context|text|texts|data|database|databases|snippets?|reports?|directories|rankings|citations|search|searches"
    "|training data|knowledge base|records|them|roundups?)"
)
_BETWEEN = (
    "(?: (?:i|we|looked|at|searched|found|consulted|checked|reviewed|provided|available|here|in|the|that|which|above|have|has|was|were"
    "|given|you|of|my|these|this|cited|web|online|returned|retrieved|specifically|explicitly|directly|actually|even|seem|seems|appear|appears|to|for|your|query|question|ever|current)){0,7}"
)
_MENTION = (
    "(?:mention|mentions|mentioned|list|lists|listed|include|includes|included|name|names|named|reference|references|referenced"
    "|contain|contains|contained|feature|features|cover|covers|show|shows|discuss|discusses|refer to|refers to|cite|cites|return"
    "|returned|talk about|speak of|describe|describes|identify|recognize|say anything|have)"
)

ENGLISH = AbsenceGrammar(
    language="en",
    triggers=(
        "not",
        "n't",
        "no ",
        "none",
        "unable",
        "little",
        "limited",
        "unfamiliar",
        "never",
        "nothing",
        "unknown",
        "neither",
        "nobody",
        "without",
        "lack",
        "absen",
        "missing",
        "fail",
        "unclear",
        "empty",
        "hardly",
        "unaware",
        "few ",
        "zero",
        "blank",
        "short",
        "nowhere",
        "fruitless",
        "unsuccessful",
        "in vain",
        "silent",
    ),
    before=(
        rf"{_YOU}{_CANNOT} (?:actually |really |currently |independently |reliably )?{_FIND}",
        rf"(?:{_CANNOT} {_FOUND_NOTHING}|{_CANNOT} {_FIND}|(?:no|little|limited|not enough|not much|hardly any|without any|without|lack of|absence of|very little"
        rf"|very limited|only limited|zero|any lack of)|[a-z]{{2,6}}n't have)(?: (?:{_ADJECTIVE})){{0,4}}(?: (?:or|and|/) (?:{_ADJECTIVE}))?"
        rf" (?:{_EVIDENCE})(?:(?: or|,) (?:{_EVIDENCE})){{0,3}}{_STATE}(?: specifically| directly)? (?:{_ABOUT})",
        rf"(?:{_FIND}|have|has|know|knew|see|saw|there is|there was|there's|is|was|returned|turned up|surfaced|contain|contains|say|says|said|show|shows)"
        rf" nothing{_STATE}(?: at all| specific| relevant| reliable| concrete| useful)? (?:about|on|for|regarding|concerning|related to)",
        r"(?<!\w)nothing(?: [a-z']{1,15}){0,8} (?:refers to|referred to|mentions|mentioned|names|relates to|related to|points to|pertains to|concerns|identifies)",
        r"nothing(?: specific| relevant)? (?:came up|comes up|turned up|turns up|was found|is known|is listed|shows up|was returned|is available|found)"
        r" (?:about|on|for|regarding|concerning|under)",
        rf"(?:none|neither) of (?:the|these|those|my|your|all|its)(?: [a-z0-9-]{{1,15}}){{0,3}} ?{_SOURCES}?{_BETWEEN} {_MENTION}",
        rf"(?:no|neither|not one|not a single) (?:[a-z-]{{1,15}} ){{0,2}}{_SOURCES}{_BETWEEN} {_MENTION}(?: (?:anything|any(?:thing)?)(?: about| on| of)?)?",
        rf"{_SOURCES}{_BETWEEN} (?:do not|don't|does not|doesn't|did not|didn't|never|fail to|failed to|makes? no mention of|made no mention of"
        rf"|contain no (?:mention|information|reference)s? (?:of|about|on|to))(?: (?:explicitly|specifically|directly|actually|even|currently|appear to|seem to)){{0,2}}"
        rf"(?: {_MENTION})?(?: (?:any|anything)(?: (?:{_EVIDENCE}))?(?: (?:{_ABOUT}))?| (?:{_EVIDENCE}) (?:{_ABOUT}))?",
        r"(?:make|makes|made|making) no (?:mention|reference)s? (?:of|to)",
        r"(?:draw|draws|drew|drawing|drawn) a (?:complete |total )?blank(?: (?:on|for|with|about|when it comes to))",
        r"(?:came|come|comes|coming) up (?:empty|empty-handed|short|blank|with nothing|with no results)(?: (?:when |while )?(?:searching|looking))? (?:on|for|up|about)",
        rf"(?:very |too |so |relatively )?(?:little|nothing|not much|hardly anything|next to nothing|almost nothing)(?: (?:is|was|are|can|could|has|have|been|to|be)){{0,3}}"
        rf" (?:find|found|known|written|published|available|documented|recorded|reported|go on)(?: (?:online|publicly|out there|on the web|at all|so far|here|yet)){{0,2}} (?:{_ABOUT})",
        r"(?:nobody|no one|no-one)(?: [a-z]{1,12}){0,4} (?:mentions|mentioned|lists|listed|names)",
        r"(?<!you )(?<!you've )(?<!if you )(?:not|[a-z]{2,6}n't) (?:personally |currently |immediately )?(?:familiar with|aware of|acquainted with|know of|aware about|heard of|recognise|recognize)",
        r"(?<!\w)(?:i|we)(?: do not|don't| don't)(?: actually| personally| currently)? (?:know|have)",
        r"(?:unfamiliar with|never heard of|unaware of|no knowledge of|no idea (?:who|what|about)|no awareness of)",
        r"(?:not|[a-z]{2,6}n't) (?:sure|certain|clear) (?:who|what|whether|if)",
        r"(?:does not|doesn't|do not|don't|did not|didn't) (?:appear|seem) to (?:be|exist)",
        r"(?:unclear|unsure) (?:who|what|if|whether)",
        r"(?:silent|mum) (?:on|about|regarding)",
        r"no (?:such )?(?:[a-z]{1,12} ){0,2}(?:company|brand|business|dealer|dealership|shop|store|firm|product|service|provider|agency|entity|restaurant"
        r"|organization|tool)(?: that i know of| i know of)?(?: as| called| named| known as| by the name(?: of)?| by that name|:)",
        r"(?:not|[a-z]{2,6}n't) (?:say|tell you|share|comment|speak|offer)(?: anything| much)?(?: concrete| specific| reliable)? (?:about|on|to)",
        rf"(?:not|[a-z]{{2,6}}n't)(?: [a-z]{{1,12}})? (?:access to|enough|any)(?: (?:{_ADJECTIVE})){{0,3}} (?:{_EVIDENCE}){_STATE} (?:{_ABOUT})",
        r"(?:knowledge|training|training data|database|index|records)(?: (?:cutoff|data|base))?(?: does not| doesn't| do not| don't) (?:include|contain|cover|extend to|have)",
        r"(?:searche?s?|search|query|queries|look|looked|searching|searched) (?:for|on|up)(?: [a-z]{1,12}){0,2} (?:found|returned|yielded|gave) (?:no|nothing)(?: [a-z]{1,12}){0,2} for",
    ),
    aside=(
        "on the other hand|however|though|by contrast|in contrast|meanwhile|unfortunately|for its part|to my knowledge|as far as i (?:know|can tell|can see)"
        "|by comparison|sadly|in turn|conversely|alas"
    ),
    opening=rf"(?:my |the |a |several |all |any |web |online |google |quick ){{0,3}}(?:search(?:es)?|searching|quer(?:y|ies)|lookups?|looking|inquiries) (?:for|on|up|about)|(?:nothing|not much|little|no(?: (?:{_ADJECTIVE})){{0,4}} (?:{_EVIDENCE}))(?: (?:specific|relevant|useful|concrete|at all|whatsoever))? (?:{_ABOUT})",
    ending=(
        r"(?: (?:itself|specifically|in particular|at all))?(?: (?:led|leads|went|goes|got me) nowhere| (?:was|were|is|proved|remained|are) (?:fruitless|unsuccessful|in vain)"
        r"| (?:come|comes|came|turn|turns|turned) up (?:empty|short|dry|nothing|blank)| (?:came|comes|come|turned|turns|showed|shows|show|popped|pops) (?:up|back)| surfaced| emerged| appears?| appeared| exists?| existed"
        r"| (?:was|were|is|are|has been|have been|could be|can be) (?:found|returned|listed|mentioned|available|published|located|known|documented|recorded|retrieved)"
        r"| (?:in|among|within|from) (?:my|the|any|these|your|this|our)(?: [a-z]{1,15}){0,2} (?:results?|sources?|search|data|records?|index|knowledge|database|list))"
    ),
    after=(
        r"(?:,| is| was| may be| might be| could be| seems to be| appears to be| sounds like| looks like| must be) (?:an? )?(?:[a-z-]{1,15},? ){0,6}(?:company|brand|business|name|dealer|dealership|shop|store|firm|term|entity|product|service"
        r"|one|something|startup|start-up|provider|agency|tool),? (?:that |which |whom )?(?:i|we|my sources)(?: [a-z]{1,12}){0,2} (?:no|not|n't|never|nothing|little|cannot|[a-z]{2,6}n't)(?: [a-z]{1,12}){0,4}? (?:data|information|info|details|records?|knowledge|anything|results|heard|familiar|aware|recogni[sz]e|know|find|found|verify|identify)",
        r",? (?:does not|doesn't|did not|didn't|do not|don't)(?: (?:currently|actually|really|seem to|appear to)){0,2} (?:(?:appear|seem)(?: to)?"
        r" (?:exist|be (?:an? |any )?(?:(?:widely |well-?|publicly )?(?:known|listed|recogni[sz]ed|documented|mentioned|covered|registered)|real|existing|established"
        r"|(?:[a-z]{1,12} ){0,2}(?:brand|company|business|name)|in |among |part of |on ))"
        r"|(?:appear|show up|come up|turn up|feature|figure|surface|pop up|rank)(?: (?:anywhere|at all|among|in|on|within|under|prominently in))|exist(?: |$|[.,])"
        r"|ring (?:a|any) bells?|(?:return|yield|bring up|produce|have|give|get)(?: me)? (?:any |much of an? |much |enough |an? )?(?:results?|matches|hits|information|mentions|presence|online presence|coverage|reviews|search results))",
        r",? (?:is not|isn't|was not|wasn't|are not|aren't|has not been|hasn't been)(?: (?:currently|actually|yet|explicitly|specifically|directly|even|publicly)){0,2}"
        r" (?:known(?: to me)?\b(?! for)|(?:listed|included|featured|ranked)(?! on (?:the )?(?:stock|nyse|nasdaq|london|new york|exchange))\b|recogni[sz]ed\b|mentioned\b|found\b|referenced\b|named\b|documented\b|covered by\b|present in\b"
        r"|(?:something|a (?:[a-z]{1,12} ){0,2}(?:company|brand|business|name|dealer|dealership|shop|store|firm|product|service|provider|term|entity|tool)|one|anything|an? [a-z]{1,12})"
        r"(?: that| which)? (?:i|we)(?: |'m|'ve|'re)|(?:something|a (?:name|brand|company|business)) (?:that )?(?:appears|shows|comes|is) (?:familiar|known|listed|in )"
        r"|(?:in|among|on|part of|within) (?:my|the|any|any of the|these|those|this)(?: [a-z]{1,12}){0,2} (?:results?|sources?|lists?|data|records?|knowledge|database|training)"
        r"|(?:one|a (?:brand|company|name|business)) i|familiar to me|registered in|in any of)",
        r",? (?:is|are|was|remains) (?:unknown(?: to me)?|unfamiliar(?: to me)?|(?:absent|missing) from|nowhere to be found|not anywhere|nowhere)(?: |$|[.,])",
        r",? (?:could not|couldn't|cannot|can't|can not) be (?:found|verified|located|identified|confirmed|traced)",
        r",? (?:returned|returns|return|yields?|yielded|has|have|had|shows?|gets?|got|brought up|came up with|turned up|produced)(?: absolutely)? (?:no|zero|nothing|little to no)"
        r"(?: (?:relevant|public|online|search|publicly|available|known|credible|matching|web|verifiable|independent)){0,3}"
        r"(?:(?: (?:results?|matches|hits|information|mentions?|presence|records?|coverage|reviews|listings?|entries))|[.]|$)",
        r",? (?:came|comes|come) (?:up|back) (?:empty|with (?:nothing|no results))",
        r",? (?:goes|went|is) (?:unmentioned|unlisted)",
        r" (?:means nothing to me|is news to me|draws a blank)",
        r",? (?:i'm|i am) (?:not familiar with|unfamiliar with|not aware of)(?: it| them| that|,|[.]|$)",
        r",? (?:which|that|whom?) (?:i|we) (?:could not|couldn't|can't|cannot|was unable to|am not|do not|don't|have never|never)(?: [a-z]{1,12}){0,2} (?:find|found|verify|locate|familiar|recogni[sz]e|know|heard)",
    ),
    nothing=(
        rf"(?:sorry,? |unfortunately,? |but |however,? |and )?(?:i |we |i've |my search(?:es)? )?(?:(?:{_CANNOT} {_FIND}|{_CANNOT} (?:return|turn up|surface|yield)|found|have|returned|turned up|find|yielded)"
        rf" (?:no|nothing|any|anything|zero|much|little)(?!\w)(?! (?:wrong|bad|negative|better|cheaper|against|but|to complain))"
        rf"|(?:could not|couldn't|cannot|can't|was unable to|am unable to|did not|didn't) (?:find|locate|verify|identify)(?: (?:it|them|this|that|such|a|an|one|any|anything))"
        rf"|no(?: (?:{_ADJECTIVE})){{0,4}} (?:{_EVIDENCE})(?:{_STATE})? ?(?:found|available|exists?|returned|located|about (?:it|them|this)|on (?:it|them|this)|[.)\]]|$|came up|could be found|turned up|to report)"
        rf"|not found|nothing (?:found|came up|turned up|relevant|available|specific)|unknown(?: to me)?[.)]|n/a|not (?:mentioned|listed|known|recogni[sz]ed|available|in (?:the|my) (?:results|sources))"
        rf"|never heard of (?:it|them|this|that)|(?:not|[a-z]{{2,6}}n't) (?:familiar with|aware of|recogni[sz]e|know)(?: (?:it|them|this|that|such|a))"
        rf"|(?:do not|don't) have (?:any |enough |reliable |specific |sufficient |much )*(?:{_EVIDENCE}|access|knowledge)|(?:returned|yielded|came up with|turned up) (?:no|nothing)|came up empty|drew a blank"
        rf"|(?:is|are|was|were) (?:very |quite |rather |somewhat )?(?:limited|unavailable|not (?:publicly |readily )?available|scarce|sparse|lacking|hard to find)"
        rf"|no (?:idea|record|trace|mention|results?|matches|information)(?:[.,)]|$| (?:was|were|of (?:it|them|this))))"
    ),
    lead=(
        "searche?d? for|searching for|search on|looked for|looked up|looked into|looking for|looking up|as for|regarding|concerning|when it comes to|with regards? to"
        "|asked about|ask about|asking about|in terms of|query for|queries for|tried to find|tried to locate|tried to verify|tried to look up|searches for|turning to"
        "|(?:information|info|details|data|results|evidence|documentation)(?: available| found)? (?:about|on|for|regarding|concerning)"
    ),
    fill=_FILL,
    listing="and|or|nor|and/or|as well as",
    hedge=(
        "if|may|might|could|perhaps|possibly|unclear|maybe|please|share|provide|assuming|whether|would need|double-check|did you mean|let me know|you mean"
    ),
)
