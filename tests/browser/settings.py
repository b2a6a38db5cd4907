"""What the servers of the browser tests run with: the tests' settings, but static files and demo people as a host has them."""

import config.settings
from tests.settings import *  # noqa: F403

STORAGES = config.settings.STORAGES
WHITENOISE_AUTOREFRESH = WHITENOISE_USE_FINDERS = False
STATIC_ROOT = config.settings.BASE_DIR / ".cache" / "static"
DEMO = True
# All the browsers come from one address.
ACCOUNT_RATE_LIMITS = False
# The same four people play all the tests, one after the other, with what processes of tests.browser.world do in their name: of
# two tests in ten seconds, the second would be told that it is a lot at once. That is tested without browsers.
RATE_LIMIT = 1_000_000
