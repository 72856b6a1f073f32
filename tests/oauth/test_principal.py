"""What a credential may do."""

import pytest

from oauth.principal import Principal, Scope


@pytest.mark.requirement("AUTH-09")
@pytest.mark.parametrize(
    ("granted", "reads", "writes"),
    [
        ({Scope.READ}, True, False),
        ({Scope.WRITE}, True, True),
        ({Scope.READ, Scope.WRITE}, True, True),
        (set[Scope](), False, False),
    ],
)
def test_writing_includes_reading_and_not_the_reverse(granted: set[Scope], reads: bool, writes: bool) -> None:
    principal = Principal("c-1", "key:1", frozenset(granted))
    assert (principal.may(Scope.READ), principal.may(Scope.WRITE)) == (reads, writes)
