"""A kind of event for tests of the log itself, to which what an event says is all one."""

from campaigns.events import SAID
from campaigns.kinds import EventKind
from campaigns.schema import VALUE

ANY_SAID = EventKind(SAID, topic=SAID.topic, schema=lambda payload: dict.fromkeys(payload, VALUE))
"""Something that was said, with whatever else in it. It is drawn and found as what is said everywhere."""
