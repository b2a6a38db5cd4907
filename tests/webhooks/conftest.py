from tests.flows.evening import evening, played

__all__ = ["evening", "played"]
