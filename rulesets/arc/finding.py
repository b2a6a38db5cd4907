"""By what an order of declaration is found in the log (campaigns/finding.py)."""

from campaigns.finding import Facts, Found, Topic
from rulesets.arc.table.ask import NAME
from rulesets.arc.table.order import ROLLED


def _order(facts: Facts) -> Found:
    return Found(Topic.ROLL, NAME, words=" ".join([facts["words"], *(one["name"] for one in facts["declare"])]))


READERS = {ROLLED: _order}
