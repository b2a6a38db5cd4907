"""Who plays in the demo."""

from __future__ import annotations

PASSWORD = "afterburn-demo"  # noqa: S105  # it opens the demo and nothing else

PEOPLE = {
    "gm": ("Ro", "they/them", "amber"),
    "mo": ("Mo", "he/him", "sky"),
    "iva": ("Iva", "she/her", "fern"),
    "tess": ("Tess", "she/they", "orchid"),
    "watcher": ("Wim", "", "sand"),
}
