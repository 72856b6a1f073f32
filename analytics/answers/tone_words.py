"""Words and phrases about products that the tone lexicon lacks or misjudges."""

from typing import Final

_WORDS_TEXT = {
    2.0: """
    stellar top-notch first-rate world-class exceptional exceptionally unmatched unrivaled unrivalled unbeatable
    impeccable impeccably
    flawless flawlessly favourite favourites must-have acclaimed crowd-pleaser best-in-class game-changing
    """,
    1.8: "reliable reliably",
    1.5: """
    reputable knowledgeable well-regarded highly-rated top-rated seamless seamlessly award-winning dependable
    well-made well-built well-designed
    well-liked well-loved well-reviewed hassle-free user-friendly beginner-friendly budget-friendly feature-rich
    full-featured time-saving
    cost-effective leakproof spotless attentive courteous punctual polite prompt promptly transparent thorough
    versatile effortless effortlessly
    accurate snappy speedy lightning-fast plush tasty stylish sleek smooth smoother smoothly painless
    frictionless long-lasting maintenance-free
    """,
    1.2: "outperforms outshines surpasses outclasses beats outlasts",
    1.0: """
    inexpensive durable intuitive affordable sturdy polished fast faster fastest quick quicker quickest cheaper
    simple simpler simplest roomier roomy
    spacious convenient quiet quieter quietest lightweight ergonomic comfy modern timely ample straightforward
    responsive consistently unobtrusive
    """,
    -1.0: """
    expensive pricey pricier slower slowest costlier costly noisier bulkier bulky outdated dated mediocre
    cumbersome steep cluttered cramped loud
    louder stale bland greasy tedious finicky fiddly inconsistent patchy spotty skimpy stingy drawback drawbacks
    downsides lacks repetitive
    intrusive abandoned pesters nags watery soggy chipped chronic gimmicky half-baked
    """,
    -1.2: "declined declining deteriorated deteriorating lacking upselling upsells upsell pushy laggy hassle hassles",
    -1.3: """
    rip rips ripped peels cracks cracked breaks sag sags refuses crashes crashed delays leaks confusing noisy
    wobbles wobbly wobble drips
    leaky creaky rattles squeaks frays vanish vanishes cancellations surcharges
    """,
    -1.5: """
    overhyped overpriced subpar lackluster lacklustre underwhelming flimsy clunky unresponsive glitchy buggy
    sluggish bloated poorly
    breached breach downtime uncomfortable unusable unintuitive misaligned sued fined recalled deceptive sketchy
    shady gouging defective
    malfunctions malfunctioning moldy mouldy rotten
    underwhelm underwhelms underperforms letdown let-down stumbles falters flounders contaminated contamination
    clumsy brittle flaws backlash dismissive unanswered filthy stained tacky jerky restrictive inflexible convoluted
    nuisance chore uninspired forgettable tasteless undercooked overcooked baffling bumpy
    """,
    -1.6: "plagued outages outage",
    -2.0: """
    nightmare unhelpful unreliable shoddy second-rate untrustworthy overcharges overcharged ripoff rip-off
    predatory abysmal appalling
    unacceptable unprofessional incompetent unsafe scammy nickel-and-dimes
    """,
}
PRODUCT_WORDS: Final = {valence: " ".join(text.split()) for valence, text in _WORDS_TEXT.items()}
"""Additional words that VADER's lexicon lacks, by valence, -4 to 4."""
NEUTRAL_WORDS: Final = """
support supports supported supporting solution solutions like share shares shared care demand alarm
interest credit certain accept accepts accepted honor honors honour charge charges charged charging low lower lowest
drop drops dark cut cuts hand hands pretty
"""
"""Words with a valence in VADER that are neutral in talk about products, or that only connect statements.

Support is a department, `like` compares, and `on the other hand` expresses no help.
"""

_PHRASES_TEXT = {
    "shoddy": "low quality|low-quality|poor quality|falls apart|fall apart|fell apart|cheaply made"
    "|cheap materials|cheap plastic|stops working"
    "|stopped working|gets stuck|get stuck",
    "avoid": (
        "i'd pass|i would pass|hard pass|take a pass|steer clear|stay away|think twice|wouldn't recommend"
        "|would not recommend|can't recommend|cannot"
        " recommend|don't recommend"
        "|hard to recommend|difficult to recommend|best avoided|look elsewhere|wouldn't go with|would not go"
        " with|wouldn't choose"
        "|would not choose|give it a miss|should be avoided|better avoided"
    ),
    "excellent": (
        "pick of the bunch|highly recommended|hard to beat|second to none|hard to fault|well worth|rave"
        " reviews|rave about|raves about|raving"
        " about|top choice|best bet"
        "|gold standard|top marks|highest satisfaction|highest marks|worth every penny|worth the price|worth"
        " the money|worth the extra|safe choice"
        "|safe bet|one to beat|best in class|can't go wrong|cannot go wrong|above and beyond|out of their way"
        "|swear by|swears by|a cut above|sets the standard|sets the bar|raises the bar|set the bar"
        "|exceeds expectation|exceeded expectation|exceed expectation"
        "|beyond expectations|flying colors|flying colours|keeps winning"
    ),
    "impressive": "stands out|standout|shines|punches above",
    "reputable": "lives up to|go-to|widely liked|widely praised|widely trusted|well reviewed",
    "dependable": "rock solid|rock-solid|rarely fails|never fails|without a hitch"
    "|without a hiccup|never let me down|on time|goes out of its way",
    "top-rated": "highly rated|top rated|well rated|highest rated|highest-rated|best rated|best-rated",
    "disappointing": (
        "falls short|fall short|fell short|lets customers down|lets users down|lets you down|let customers down"
        "|lets its customers down|left them cold|left us cold|left me cold|leaves you cold"
        "|lags behind|lag behind|ranks last|finishes last|leaves a lot to be desired"
        "|leaves much to be desired|let down"
        "|near the bottom|bottom of the|trails behind|fails to impress|trust remains low|losing ground|lost"
        " ground|feels dated|feels cheap"
        "|arrive late|arrives late|arrived late|come late|comes late|late deliveries|has shrunk|have shrunk"
        "|drag on|drags on|worse"
        " than expected"
    ),
    "overpriced": "not worth|price hike|raising its price|raises its price|raised its price|raises price"
    "|raised price|price increase|cost a fortune|costs a fortune|steep renewal|overly expensive",
    "overcharges": (
        "hidden fee|hidden cost|hidden charge|surprise charge|surprise fee|surprise bill|unexpected charge"
        "|unexpected fee|junk fee|nickel-and-dime|nickel-and-diming"
        "|locks you in|lock you in|locked into|auto-renews without"
    ),
    "pricier": "more expensive|most expensive",
    "cheaper": (
        "less expensive|least expensive|low price|low cost|low-cost|low fee|lower price|lower cost|lower fee"
        "|lowest price|lowest cost|lowest fee"
    ),
    "unreliable": (
        "break down frequently|break down often|breaks down frequently|breaks down often|breaks within|break"
        " within|breaks easily|break easily"
        "|breaks after|break after|breaks down|loses connection|drops connection"
    ),
    "unhelpful": (
        "impossible to reach|hard to reach|difficult to reach|never show up|never shows up|never responds"
        "|never respond|never answers|never answer|never replies|never reply|slow to respond"
        "|doesn't respond|don't respond|long hold times|long wait times|long waiting times|hours on hold|a"
        " battle|hard to cancel|difficult to cancel"
        "|painful to cancel|impossible to cancel"
    ),
    "meanwhile": "to be fair|in all fairness|to be honest|as well|make sure|making sure|be sure"
    "|kind of|feel free",
    "warning": "red flag|privacy concern|security concern|safety concern|raised concern|raises concern",
    "mediocre": "hit or miss|hit-or-miss|could be better|could use improvement|room for improvement|learning curve",
    "sluggish": "painfully slow|too slow|very slow|extremely slow|slows down|slow to|takes forever|take forever"
    "|took forever|takes ages|take ages|took ages|refunds take months|refunds take weeks",
}
_SLOW_TEXT = """
support customer response responses delivery deliveries shipping loading load website app apps performance checkout
refund refunds speeds updates payout payouts claims replies service servers turnaround
"""
PHRASES: Final = {
    **{word: tuple(text.split("|")) for word, text in _PHRASES_TEXT.items()},
    "unresponsive": tuple(f"slow {what}" for what in _SLOW_TEXT.split()),
}
"""Phrases by the lexicon word that means the same."""
