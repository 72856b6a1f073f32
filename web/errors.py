"""What a person's request can run into; the page wrapper turns each into a page in our words."""


class CsrfRejected(Exception):
    """The form was not sent from our page in this browser's current session."""


class InvalidForm(Exception):
    """The body is not a form that our pages send."""


class FormTooLong(Exception):
    """The body is longer than the form may be that it was sent from."""


class DuplicateSubmission(Exception):
    """This very form was sent before; `location` is where that led, `ended` whether it has come to its end."""

    def __init__(self, location: str | None, *, ended: bool) -> None:
        super().__init__("the form was sent before")
        self.location, self.ended = location, ended


class PageNotFound(Exception):
    """There is no such page or thing in this company."""


class NotAllowed(Exception):
    """The person's role does not include this."""


class ReadOnly(Exception):
    """The person is a viewer, and this changes something or costs something."""


class Throttled(Exception):
    """Too many attempts; `retry_after` is in seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(f"too many attempts, again in {retry_after} s")
        self.retry_after = retry_after
