"""The callback endpoint where data providers report that a task is done."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from measurement.asking.supplier_tasks import FIELD, PATH, SupplierCallbacks

LARGEST_BODY = 8 * 1024 * 1024
"""Maximum body size in bytes, as received. The body is neither decompressed nor stored."""


def callback_routes(callbacks: SupplierCallbacks) -> list[Route]:
    """Return the callback route. Its token is in the query string, which is never logged."""

    async def receive_call(request: Request) -> Response:
        token = request.query_params.get(FIELD, "")
        if not callbacks.is_known(token):
            raise HTTPException(404)
        received = 0
        async for piece in request.stream():
            received += len(piece)
            if received > LARGEST_BODY:
                return Response(status_code=413)
        await callbacks.receive(token)
        return Response(status_code=200)

    return [Route(PATH, receive_call, methods=["GET", "POST"])]
