"""Who plays in the demo: (user name, display name, words for what they are there), as the sign-in page shows them."""

PEOPLE = [
    ("gm", "Ro", "the GM"),
    ("mo", "Mo", "a player"),
    ("iva", "Iva", "a player"),
    ("tess", "Tess", "a player"),
    ("watcher", "Wim", "looks on"),
]
USERNAMES = {username for username, _, _ in PEOPLE}
