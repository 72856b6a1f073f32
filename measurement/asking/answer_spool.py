"""Answers on this machine's disk until the database has them: a process that dies in between loses none."""

import hashlib
import logging
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from engines.engine import Credential, Engine, EngineAnswer, Question
from engines.errors import EngineError
from engines.transport.http import HttpEngine
from engines.transport.response_spool import ResponseSpool

KEPT_SECONDS = 2 * 86_400
"""A file that nobody asked for by then is of a batch that was given up."""
log = logging.getLogger(__name__)


class AnswerSpool:
    """Files for each ask, by its key; without a folder nothing is kept.

    A response is written as it arrives, which takes microseconds and waits for nobody, where a database may take
    seconds. A process that is killed leaves it to its successor on this machine; a machine that loses its power may
    lose it too.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._prepared = False

    async def ask(
        self, engine: Engine, question: Question, find_credential: Callable[[], Awaitable[Credential | None]]
    ) -> EngineAnswer:
        """Ask, with what a process that died had got; every response is on disk before anything else happens.

        Raises EngineError, and what looking for the credential raises. Once the answer is stored, `drop` it.
        """
        responses = self._responses(question.ask_key)
        credential = await find_credential()
        if not isinstance(engine, HttpEngine):
            # The built-in model says the same again, and suppliers keep what they found.
            return await engine.ask(question, credential)
        try:
            return await engine.ask(question, credential, responses)
        except EngineError:
            # The failure is stored; who asks again wants another response.
            responses.drop()
            raise

    def drop(self, ask_key: str) -> None:
        """Forget an answer that is stored."""
        self._responses(ask_key).drop()

    def _responses(self, ask_key: str) -> ResponseSpool:
        if self._folder is None:
            return ResponseSpool()
        self._prepare(self._folder)
        # A key may come from an archive that somebody wrote: it names no file by itself.
        return ResponseSpool(self._folder / hashlib.sha256(ask_key.encode()).hexdigest())

    def _prepare(self, folder: Path) -> None:
        """Make the folder and remove what was given up, once in the life of a process."""
        if self._prepared:
            return
        self._prepared = True
        oldest = time.time() - KEPT_SECONDS
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for path in folder.iterdir():
                if path.stat().st_mtime < oldest:
                    path.unlink(missing_ok=True)
        except OSError as error:
            log.warning("%s cannot be used for answers under way: %s", folder, error.strerror)
