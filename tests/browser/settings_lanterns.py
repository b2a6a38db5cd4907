"""Those of the browser tests, for a site at which another ruleset is installed: with static files of its own."""

from tests.browser.settings import *  # noqa: F403
from tests.browser.settings import STATIC_ROOT as BESIDE

STATIC_ROOT = BESIDE.with_name("static-lanterns")
