"""A kind of event for tests of the log itself, to which what an event says is all one."""

from typing import Any

from campaigns.events import SAID
from campaigns.kinds import EventKind

ANY_SAID = EventKind(SAID, topic=SAID.topic, schema=dict[str, Any])
"""A line with any further data. It is drawn and found as spoken lines are."""
