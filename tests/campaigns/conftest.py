from tests.campaigns.elsewhere import lines, moved
from tests.flows.played import played

__all__ = ["lines", "moved", "played"]
