"""Evaluations use the application's synthetic history."""

from tests.server.application.conftest import history

__all__ = ["history"]
