"""In which order finished batches ended."""

from datetime import datetime

from storage.repositories.batches import BatchRow


def batch_time(batch: BatchRow) -> datetime:
    """Return when a finished batch ended."""
    assert batch.finished_at is not None
    return batch.finished_at


def is_before(batch: BatchRow, other: BatchRow) -> bool:
    """Tell whether a finished batch ended before another, which may still be open."""
    if other.finished_at is None:
        return True
    return (batch_time(batch), batch.key) < (other.finished_at, other.key)
