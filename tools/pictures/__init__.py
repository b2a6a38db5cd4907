"""The pictures that the site and its documentation show, all of them taken anew: `.venv/bin/python -m tools.pictures`."""
