"""Those of the browser tests, for a site at which another ruleset is installed: with static files of its own."""

from tests.browser.settings import *  # noqa: F403
from tests.browser.settings import STATIC_ROOT as BESIDE
from tests.browser.settings import STORAGES

STATIC_ROOT = BESIDE.with_name("static-lanterns")

# Compressing them takes longer than the game.
STORAGES = STORAGES | {
    "staticfiles": {"BACKEND": "config.static.HashedNames"},
}
