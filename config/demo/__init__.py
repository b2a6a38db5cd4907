"""The demo: a campaign that looks played, made through the services, the same on every server."""
