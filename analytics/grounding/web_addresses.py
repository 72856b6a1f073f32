"""Addresses of the web and of mail in a text, and the form in which they compare."""

import re

URL = re.compile(
    r"(?:https?://|www\.)[^\s<>\"')\]]++|(?<![\w.+-])[\w.+-]++@[\w-]++(?:\.[\w-]++)++"
    r"|(?<![\w.@/-])(?:[\w-]{1,63}\.){1,4}(?:com|org|net|example|eu|de|fr|es|it|nl|uk|io|shop)"
    r"(?:/[^\s<>\"')\]]*+)?(?!\w)"
)


def plain_address(url: str) -> str:
    """Return an address of the web or of mail without scheme, `www.`, final punctuation and slash."""
    plain = re.sub(r"^https?://", "", url.rstrip(".,;:!?")).removeprefix("www.")
    return plain.rstrip("/")
