from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.flows.evening import evening, played
from tests.notices.service import PushService, serving

__all__ = ["evening", "played"]


@pytest.fixture
def service(settings, monkeypatch) -> Iterator[PushService]:
    """Yield a push service on this machine, to which the host allows requests."""
    settings.WEBHOOK_NETWORKS = ["127.0.0.0/8"]
    with serving() as made:
        yield made
