"""The site that a brand owns when none is given: that of its website."""

from urllib.parse import urlsplit

from analytics.answers.source_kinds import kind_of


def site_of_website(website: str | None) -> tuple[str, ...]:
    """Return the host of a website; on a host that many share, such as a social network, with the path of its page."""
    if not website:
        return ()
    parts = urlsplit(website if "://" in website else f"https://{website}")
    host = (parts.hostname or "").removeprefix("www.")
    if not host:
        return ()
    return (host if kind_of(host) == "other" else f"{host}{parts.path.rstrip('/')}",)
