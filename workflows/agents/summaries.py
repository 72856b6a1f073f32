"""The sentences in which an agent says what it did: numbers with their nouns."""


def numbered(number: int, noun: str) -> str:
    """Return a number with its noun, which takes an s for any number but one."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
