"""Metrics at /metrics besides those of requests: always counted, shown if a host asks for it (config/views.py)."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

# Of several processes on one port the figures are added up, of those that live.
SOCKETS = Gauge("afterburn_sockets", "Sockets that are open", multiprocess_mode="livesum")
FEEDS = Gauge("afterburn_feeds", "Campaigns that somebody follows, in each process", multiprocess_mode="livesum")
PULLS = Counter("afterburn_feed_pulls", "Times that a feed read the log, by whether it found something", ["found"])
LAG = Histogram(
    "afterburn_feed_lag_seconds",
    "From when an event happened until a feed had read and drawn it",
    buckets=(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10),
)
CUT = Counter("afterburn_sockets_cut", "Sockets that were closed from this side, by close code", ["code"])
REFUSED = Counter("afterburn_refusals", "Requests that were refused in words, by status", ["status"])
