"""Texts in files that a person chose: Markdown, plain text or HTML, with a title each."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

UNREADABLE = "\ufffd"
LONGEST_TITLE = 200
HTML_ENDINGS = (".html", ".htm")


@dataclass(frozen=True, slots=True)
class TextFile:
    """One file: its name and what it holds."""

    name: str
    text: str

    @property
    def is_readable(self) -> bool:
        """Whether it is text in UTF-8 at all."""
        return UNREADABLE not in self.text and "\0" not in self.text

    @property
    def is_html(self) -> bool:
        """Whether its name says that it is a page."""
        return self.name.lower().endswith(HTML_ENDINGS)

    @property
    def title(self) -> str:
        """The first heading of a Markdown text that begins with one, else the file's name without its ending."""
        first, _, _ = self.text.removeprefix("\ufeff").lstrip().partition("\n")
        if first.startswith("# "):
            return printable_title(first[2:])
        stem, _, ending = self.name.replace("\\", "/").rpartition("/")[2].rpartition(".")
        return printable_title(stem or ending) or "Text"


def printable_title(words: str) -> str:
    """Return words as a title: in one line, printable, not too long."""
    plain = "".join(letter for letter in " ".join(words.split()) if letter.isprintable())
    return plain[:LONGEST_TITLE].strip()


def sent_files(typed: Mapping[str, str], field: str) -> Iterator[TextFile]:
    """Yield the files of a field that hold anything."""
    number, name = 1, field
    while name in typed:
        if typed[name].strip():
            yield TextFile(typed.get(f"{name}:filename", ""), typed[name])
        number += 1
        name = f"{field}.{number}"
