"""Names the newest revision of this program without loading the migration machinery."""

from importlib.resources import files


def newest_revision() -> str:
    """Return the highest number among the revisions' files, `0001_first_schema.py` and so on."""
    versions = (files("storage.migrations") / "versions").iterdir()
    return max(file.name.partition("_")[0] for file in versions if file.name[:1].isdigit())
