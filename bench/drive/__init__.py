"""`python -m bench.drive`: a site under load and faults, and whether it kept its promises. __main__.py says how it is used."""
