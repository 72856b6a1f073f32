"""Sealed secrets open only for their own row, under a secret of the server."""

import pytest

from oauth.sealing import CannotOpen, Seal

SECRET, OTHER = bytes(range(32)), bytes(range(32, 64))
ROW = ("company-1", "chatgpt", "row-1")


def test_what_was_sealed_opens_again_and_looks_different_each_time() -> None:
    seal = Seal(SECRET)
    first, second = seal.seal("provider key", *ROW), seal.seal("provider key", *ROW)
    assert first != second
    assert "provider key" not in first
    assert seal.open(first, *ROW) == seal.open(second, *ROW) == "provider key"


@pytest.mark.parametrize("place", range(3))
def test_a_record_that_was_copied_to_another_row_does_not_open(place: int) -> None:
    elsewhere = [*ROW]
    elsewhere[place] += "x"
    record = Seal(SECRET).seal("provider key", *ROW)
    with pytest.raises(CannotOpen):
        Seal(SECRET).open(record, *elsewhere)


@pytest.mark.parametrize(
    "record", ["", "v1", "v1.a.b", "v2.a.b.c", "v1.00000000.AAAA.BBBB", "v1...", "plain"]
)
def test_something_that_is_no_record_of_ours_does_not_open(record: str) -> None:
    with pytest.raises(CannotOpen):
        Seal(SECRET).open(record, *ROW)


def test_a_changed_record_does_not_open() -> None:
    record = Seal(SECRET).seal("provider key", *ROW)
    flipped = record[:-2] + ("A" if record[-2] != "A" else "B") + record[-1]
    with pytest.raises(CannotOpen):
        Seal(SECRET).open(flipped, *ROW)


def test_after_a_rotation_old_records_open_and_new_ones_are_sealed_anew() -> None:
    old = Seal(SECRET).seal("provider key", *ROW)
    rotated = Seal(OTHER, previous=[SECRET])
    assert rotated.open(old, *ROW) == "provider key"
    with pytest.raises(CannotOpen):
        Seal(SECRET).open(rotated.seal("provider key", *ROW), *ROW)
