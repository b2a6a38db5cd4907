from tests.flows.played import played

__all__ = ["played"]
