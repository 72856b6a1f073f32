"""Says what is wrong with a file of JSON: the field and the reason, never the value."""

import re

from pydantic import ValidationError

NUL_ESCAPED = rb"\u0000"
NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
NUL_REASON = "it holds the character NUL, which no text has and PostgreSQL cannot keep"


def first_fault(error: ValidationError) -> str:
    """Return the first field at fault and what is wrong with it."""
    first = error.errors(include_url=False, include_input=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    return f"{field}: {first['msg']}" if field else first["msg"]


def has_nul(content: bytes) -> bool:
    """Tell whether JSON text holds an escaped NUL; a bare one is no JSON."""
    # Looking for the plain bytes first costs a hundredth of the search that counts the backslashes before them.
    return NUL_ESCAPED in content and NUL.search(content) is not None
