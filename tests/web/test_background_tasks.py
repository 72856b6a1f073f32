"""What is done after a response: nobody waits for it, and a server that ends finishes it first."""

import asyncio

from starlette.responses import Response

from web.security.background_tasks import BackgroundTasks


async def test_deferred_work_starts_after_the_response_and_finishes() -> None:
    deferred, response = BackgroundTasks(), Response()
    begun, may_end, ended = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def work() -> None:
        begun.set()
        await may_end.wait()
        ended.set()

    deferred.begin_after(response, work)
    assert response.background is not None
    async with asyncio.timeout(10):
        # What the connection waits for before its next request.
        await response.background()
        assert not begun.is_set()
        await begun.wait()
        finishing = asyncio.create_task(deferred.finish())
        may_end.set()
        await finishing
    assert ended.is_set()


async def test_work_that_fails_is_logged_and_ends_nothing() -> None:
    deferred, response = BackgroundTasks(), Response()

    async def work() -> None:
        raise RuntimeError("planted")

    deferred.begin_after(response, work)
    assert response.background is not None
    await response.background()
    await deferred.finish()


async def test_work_that_outlasts_a_server_that_ends_is_canceled_and_undone() -> None:
    deferred, begun, undone = BackgroundTasks(finish_seconds=0.01), asyncio.Event(), asyncio.Event()

    async def work() -> None:
        try:
            begun.set()
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)  # as closing a transaction takes a turn of the loop
            undone.set()

    deferred.begin(work)
    async with asyncio.timeout(10):
        await begun.wait()
        await deferred.finish()
    assert undone.is_set()
