"""Complete answers on this machine's disk until the database has them: a process that dies in between loses none."""

import hashlib
import json
import logging
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from engines.engine import Credential, Engine, EngineAnswer, Exchange, Question
from engines.errors import EngineError
from measurement.stored_exchanges import exchanges_in, exchanges_of
from storage.errors import DamagedData

KEPT_SECONDS = 2 * 86_400
"""A file that nobody asked for by then is of a batch that was given up."""
log = logging.getLogger(__name__)


class AnswerSpool:
    """A file for each answer, by the key of its ask; without a folder nothing is kept.

    Writing one takes a fraction of a millisecond and waits for nobody, where a database may take seconds. A process
    that is killed leaves it to its successor on this machine; a machine that loses its power may lose it too.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._swept = False

    async def ask(
        self, engine: Engine, question: Question, find_credential: Callable[[], Awaitable[Credential | None]]
    ) -> EngineAnswer:
        """Return what a process that died had got, else ask; an answer is on disk before anything else happens.

        Raises EngineError, and what looking for the credential raises. Once the answer is stored, `drop` it.
        """
        kept = self.find(engine, question)
        if kept is not None:
            return kept
        answer = await engine.ask(question, await find_credential())
        self.keep(question.ask_key, answer)
        return answer

    def keep(self, ask_key: str, answer: EngineAnswer) -> None:
        """Write down what came; a disk that takes nothing only makes this answer as mortal as its process."""
        if self._folder is None or not answer.exchanges:
            return
        path = self._path(self._folder, ask_key)
        unfinished = path.with_suffix(f".{os.getpid()}")
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._sweep(self._folder)
            with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                json.dump(exchanges_of(answer.exchanges), file)
            unfinished.replace(path)
        except OSError as error:
            log.warning("an answer could not be written to %s: %s", self._folder, error.strerror)

    def find(self, engine: Engine, question: Question) -> EngineAnswer | None:
        """Return the answer that a process got and did not live to store, read as it was then; None without one."""
        exchanges = self._exchanges(question.ask_key)
        if not exchanges:
            return None
        try:
            return engine.parse(question, exchanges)
        except EngineError:  # the settings say otherwise by now what this platform is
            return None

    def drop(self, ask_key: str) -> None:
        """Forget an answer that is stored."""
        if self._folder is not None:
            self._path(self._folder, ask_key).unlink(missing_ok=True)

    def _exchanges(self, ask_key: str) -> Sequence[Exchange]:
        if self._folder is None:
            return ()
        try:
            return exchanges_in(json.loads(self._path(self._folder, ask_key).read_text()))
        except (OSError, ValueError, DamagedData):
            return ()

    def _sweep(self, folder: Path) -> None:
        """Remove what was given up, once in the life of a process."""
        if self._swept:
            return
        self._swept = True
        oldest = time.time() - KEPT_SECONDS
        for path in folder.iterdir():
            if path.stat().st_mtime < oldest:
                path.unlink(missing_ok=True)

    @staticmethod
    def _path(folder: Path, ask_key: str) -> Path:
        # A key may come from an archive that somebody wrote: it names no file by itself.
        return folder / hashlib.sha256(ask_key.encode()).hexdigest()
