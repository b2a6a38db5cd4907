"""What the site in the pictures runs with: what browser tests run with (faces for the dice are told to it), on the same evening
each time, so that a picture changes only when what it shows does."""

import time_machine

from tests.browser.settings import *  # noqa: F403
from tests.browser.settings import STATIC_ROOT as BESIDE
from tests.browser.settings import STORAGES
from tools.pictures.studio import EVENING

STATIC_ROOT = BESIDE.with_name("static-pictures")
# Compressing them takes longer than taking a picture of them.
STORAGES = STORAGES | {"staticfiles": {"BACKEND": "config.static.HashedNames"}}

# The clock is frozen, so that a slower server does not show another minute. Sockets and timeouts use the machine's own time.
time_machine.travel(EVENING, tick=False).start()
