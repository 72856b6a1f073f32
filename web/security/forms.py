"""HTML forms: reading fields and files with limits, and safe redirect targets."""

from collections.abc import Mapping
from email.parser import BytesParser
from email.policy import HTTP
from urllib.parse import parse_qsl

from starlette.requests import Request

from web.errors import FormTooLong, InvalidForm

LONGEST_BODY = 65_536
MOST_FIELDS = 160
"""Maximum number of fields. A workflow of every agent with all settings has 110."""
MOST_FIELDS_OF_TEXTS = 3_000
"""Maximum number of fields of a form for texts: 500 prompts of five fields each, and the fields of their set."""
ENCODING = "application/x-www-form-urlencoded"
WITH_FILES = "multipart/form-data"
LONGEST_UPLOAD = 262_144
LONGEST_TEXTS = 4_194_304
"""Byte limit of a form for whole texts: 100,000 encoded characters in any script fit three times."""


async def read_fields(request: Request, *, holds_texts: bool) -> Mapping[str, str]:
    """Return the fields of a form, keeping the last value per name. A file is represented by its text.

    Raises InvalidForm or FormTooLong.
    """
    content_type = request.headers.get("content-type", "")
    kind = content_type.partition(";")[0].strip().lower()
    if kind not in (ENCODING, WITH_FILES):
        raise InvalidForm
    most = MOST_FIELDS_OF_TEXTS if holds_texts else MOST_FIELDS
    longest = LONGEST_TEXTS if holds_texts else LONGEST_BODY if kind == ENCODING else LONGEST_UPLOAD
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > longest:
            raise FormTooLong
    if kind == WITH_FILES:
        return _read_parts(content_type, bytes(body), most)
    try:
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            encoding="utf-8",
            errors="strict",
            max_num_fields=most,
        )
    except (ValueError, UnicodeError) as error:
        raise InvalidForm from error
    return dict(pairs)


def _read_parts(content_type: str, body: bytes, most: int) -> Mapping[str, str]:
    """Return the fields of a multipart form. Bytes that are not UTF-8 are marked in the text.

    Of several files in one field, the second is `NAME.2` and so on, and `NAME.2:filename` is its file name.
    Raises InvalidForm.
    """
    if not content_type.isascii() or "\n" in content_type or "\r" in content_type:
        raise InvalidForm
    head = f"MIME-Version: 1.0\r\nContent-Type: {content_type}\r\n\r\n".encode()
    message = BytesParser(policy=HTTP).parsebytes(head + body)
    if not message.is_multipart():
        raise InvalidForm
    fields: dict[str, str] = {}
    files: dict[str, int] = {}
    parts = list(message.iter_parts())
    if len(parts) > most:
        raise InvalidForm
    for part in parts:
        name = part.get_param("name", header="content-disposition")
        payload = part.get_payload(decode=True)
        if not isinstance(name, str) or not isinstance(payload, bytes):
            raise InvalidForm
        if (filename := part.get_filename()) is not None:
            files[name] = files.get(name, 0) + 1
            name = name if files[name] == 1 else f"{name}.{files[name]}"
            fields[f"{name}:filename"] = filename
        fields[name] = payload.decode("utf-8", "replace")
    return fields


def safe_next(path: str | None) -> str:
    """Return where to go after sign-in: a local path, or the home page.

    Browsers treat a backslash as a slash and drop control characters, so the path may contain neither.
    """
    if (
        path is None
        or not path.startswith("/")
        or path.startswith("//")
        or "\\" in path
        or any(ord(character) <= 32 or ord(character) == 127 for character in path)
        or len(path) > 2000
    ):
        return "/"
    return path
