"""What an OpenAPI description says that agents pay for its operations (`x-payment-info`)."""

import json

from readiness.reading.json_objects import MOST_ITEMS, Json, object_of, objects_of

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


def paid_operations(text: str) -> list[Json]:
    """The payment terms (`x-payment-info`) of an OpenAPI document's operations; none in what is no such document."""
    try:
        document: object = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return []
    operations = (
        object_of(object_of(item).get(method))
        for item in list(object_of(object_of(document).get("paths")).values())[:MOST_ITEMS]
        for method in METHODS
    )
    return [
        object_of(operation["x-payment-info"]) for operation in operations if "x-payment-info" in operation
    ]


def payment_fault(terms: Json) -> str:
    """What the terms of one paid operation lack: how it is paid, and how much."""
    offers = objects_of(terms.get("offers")) or [terms]
    how = (bool(offer.get("method") or offer.get("protocols")) for offer in offers)
    much = (offer.get("amount") is not None or bool(offer.get("price")) for offer in offers)
    return ("" if all(how) else "no method or protocols") or ("" if all(much) else "no amount or price")
