"""The picture of a report for links that are shared: host, scores and day, drawn as a PNG of 1200 by 630 pixels."""

import io
from typing import TYPE_CHECKING

from readiness.report.document import Report

if TYPE_CHECKING:
    from PIL import ImageDraw  # loaded by who draws

WIDTH, HEIGHT = 1200, 630
LEFT, RIGHT = 72, WIDTH - 72
PAPER, CARD, INK, SOFT, LINE, ACCENT = "#f6f7f5", "#ffffff", "#17211f", "#52605c", "#d9dfdb", "#0f6a63"
GOOD, WARN, BAD = "#17683a", "#b26a00", "#a3251c"
COLOURS = {"ready": GOOD, "usable": GOOD, "limited": WARN, "blocked": BAD}
LONGEST_HOST = 56


def png(report: Report) -> bytes:
    """Return the picture; the host is the only word in it that is not ours."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, WIDTH, 12), fill=ACCENT)
    _text(draw, (LEFT, 64), "seenby · ready for AI agents?", 30, SOFT)
    _text(draw, (LEFT, 112), _shortened(report.host), 64, INK, RIGHT - LEFT)
    kind = report.siteType.value.replace("_", " ")
    _text(draw, (LEFT, 196), f"{kind}, scanned {report.scannedAt:%Y-%m-%d}", 30, SOFT)
    _overall(draw, report)
    for row, (title, group) in enumerate(report.groups()):
        _bar(draw, 296 + row * 72, title, group.score, group.band, group.applicable)
    buffer = io.BytesIO()
    image.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _overall(draw: "ImageDraw.ImageDraw", report: Report) -> None:
    draw.rounded_rectangle((LEFT, 290, LEFT + 320, 558), 20, fill=CARD, outline=LINE, width=2)
    score, band = report.overall.score, report.overall.band
    middle = LEFT + 160
    if score is None:
        _text(draw, (middle, 390), "no overall", 40, SOFT, anchor="mm")
        _text(draw, (middle, 440), "score", 40, SOFT, anchor="mm")
        return
    _text(draw, (middle, 392), str(score), 150, COLOURS.get(band or "", INK), anchor="mm")
    _text(draw, (middle, 505), f"of 100 · {band}", 34, SOFT, anchor="mm")


def _bar(
    draw: "ImageDraw.ImageDraw", top: int, title: str, score: int | None, band: str | None, asked: bool
) -> None:
    start, end = LEFT + 372, RIGHT
    shown = str(score) if score is not None else "not enough seen" if asked else "does not apply"
    _text(draw, (start, top), title, 28, INK)
    _text(draw, (end, top), shown, 28, INK if score is not None else SOFT, anchor="ra")
    draw.rounded_rectangle((start, top + 40, end, top + 54), 7, fill=LINE)
    if score:
        reach = start + max(14, (end - start) * score // 100)
        draw.rounded_rectangle((start, top + 40, reach, top + 54), 7, fill=COLOURS.get(band or "", INK))


def _text(
    draw: "ImageDraw.ImageDraw",
    place: tuple[int, int],
    words: str,
    size: int,
    colour: str,
    width: int | None = None,
    anchor: str = "la",
) -> None:
    """Draw one line, smaller where it would be wider than `width`."""
    from PIL import ImageFont

    font = ImageFont.load_default(size)
    while width is not None and size > 20 and draw.textlength(words, font) > width:
        size -= 2
        font = ImageFont.load_default(size)
    draw.text(place, words, fill=colour, font=font, anchor=anchor)


def _shortened(host: str) -> str:
    """The end of a host name says whose it is, so a long one loses its beginning."""
    return host if len(host) <= LONGEST_HOST else "…" + host[-LONGEST_HOST:]
