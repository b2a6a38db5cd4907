from tests.flows.evening import evening, played
from tests.flows.test_permissions import addresses

__all__ = ["addresses", "evening", "played"]
