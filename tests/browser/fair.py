"""What servers run with whose dice can be checked, as on a host, and cannot be loaded."""

from tests.browser.settings import *  # noqa: F403

DICE_SOURCE = "rolls.services.fairness.fair_dice"
