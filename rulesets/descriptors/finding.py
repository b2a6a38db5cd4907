"""By what the consequences of a roll are found in the log (campaigns/finding.py)."""

from campaigns.finding import Facts, Found, Topic
from rulesets.descriptors.table.ask import NAME


def _followed(facts: Facts) -> Found:
    return Found(Topic.ROLL, NAME, words=facts["words"])


READERS = {"descriptors.roll_followed": _followed}
