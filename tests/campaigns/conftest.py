from tests.campaigns.archives import lines, moved
from tests.flows.evening import evening, played

__all__ = ["evening", "lines", "moved", "played"]
