"""Passwords that are tried first: common words, keyboard rows and counted digits, with the usual decoration.

Lists of breached passwords hold little of twelve characters and more that is not made by these rules: a common word
or two, letters swapped for look-alike digits, a year or a count behind it.
"""

import re

WORDS = frozenset(
    [
        "abc",
        "access",
        "account",
        "admin",
        "administrator",
        "adobe",
        "alex",
        "alexander",
        "amanda",
        "america",
        "andrea",
        "andrew",
        "angel",
        "anthony",
        "apple",
        "arsenal",
        "ashley",
        "asdf",
        "asdfgh",
        "asdfghjkl",
        "austin",
        "azerty",
        "baby",
        "babygirl",
        "bailey",
        "banana",
        "barcelona",
        "baseball",
        "basketball",
        "batman",
        "berlin",
        "bonjour",
        "buster",
        "butterfly",
        "canada",
        "changeme",
        "charlie",
        "cheese",
        "chelsea",
        "chicken",
        "chocolate",
        "computer",
        "cookie",
        "correct",
        "daniel",
        "dashboard",
        "default",
        "demo",
        "diamond",
        "dragon",
        "easy",
        "elephant",
        "family",
        "flower",
        "football",
        "freedom",
        "friend",
        "friends",
        "ginger",
        "google",
        "hallo",
        "hannah",
        "happy",
        "hello",
        "hockey",
        "hunter",
        "iloveyou",
        "internet",
        "jasmine",
        "jennifer",
        "jessica",
        "jesus",
        "jordan",
        "joshua",
        "killer",
        "letmein",
        "liverpool",
        "login",
        "london",
        "love",
        "loveme",
        "lovely",
        "maggie",
        "manager",
        "marketing",
        "martin",
        "master",
        "matrix",
        "matthew",
        "merlin",
        "michael",
        "michelle",
        "monday",
        "monkey",
        "mustang",
        "naruto",
        "nicole",
        "ninja",
        "nothing",
        "office",
        "orange",
        "pass",
        "passw0rd",
        "passwd",
        "password",
        "passwort",
        "pepper",
        "player",
        "please",
        "pokemon",
        "princess",
        "purple",
        "qazwsx",
        "qwert",
        "qwerty",
        "qwertyui",
        "qwertyuiop",
        "qwertz",
        "rainbow",
        "ranger",
        "robert",
        "root",
        "samsung",
        "secret",
        "security",
        "seenby",
        "server",
        "shadow",
        "silver",
        "snoopy",
        "soccer",
        "sophie",
        "spring",
        "starwars",
        "summer",
        "sunshine",
        "super",
        "superman",
        "support",
        "sweet",
        "system",
        "taylor",
        "temp",
        "test",
        "testing",
        "thomas",
        "tigger",
        "trustno",
        "user",
        "victoria",
        "visibility",
        "welcome",
        "whatever",
        "william",
        "willkommen",
        "winner",
        "winter",
        "yankees",
        "yellow",
        "zaq",
        "zxcvbn",
        "zxcvbnm",
    ]
)
SEQUENCES = (
    "abcdefghijklmnopqrstuvwxyz",
    "qwertyuiop",
    "qwertzuiop",
    "azertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "01234567890",
)
LOOK_ALIKES = str.maketrans("0134578@$!", "oleastbasi")
FEWEST_CHARACTERS = 5
"""Different characters that a password has at least."""


def is_common(password: str) -> bool:
    """Tell whether a password is among those that are tried first."""
    text = password.casefold()
    if len(set(text)) < FEWEST_CHARACTERS:
        return True
    core = re.sub(r"^[\W\d_]+|[\W\d_]+$", "", text)
    candidates = {core, core.translate(LOOK_ALIKES), text.translate(LOOK_ALIKES)}
    candidates |= {re.sub(r"[\W\d_]+", "", candidate) for candidate in (*candidates, text)}
    return not core or any(_is_made_of_words(candidate) for candidate in candidates if candidate)


def _is_made_of_words(text: str) -> bool:
    """Tell whether a text is one, two or three common words or rows of keys without anything between."""
    reached = {0}
    for _ in range(3):
        reached = {
            start + length
            for start in reached
            for length in range(3, len(text) - start + 1)
            if _is_word(text[start : start + length])
        }
        if len(text) in reached:
            return True
    return False


def _is_word(text: str) -> bool:
    rows = (*SEQUENCES, *(row[::-1] for row in SEQUENCES))
    return text in WORDS or any(text in row for row in rows)
