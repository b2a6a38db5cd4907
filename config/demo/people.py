"""Who plays in the demo."""

from __future__ import annotations

from people.models import User

PASSWORD = "afterburn-demo"  # noqa: S105  # it opens the demo and nothing else

PEOPLE = {
    "gm": ("Ro", "they/them", "amber"),
    "mo": ("Mo", "he/him", "sky"),
    "iva": ("Iva", "she/her", "fern"),
    "tess": ("Tess", "she/they", "orchid"),
    "watcher": ("Wim", "", "sand"),
}


def let_in() -> None:
    """Give those their password again whom `shut_out` took it from."""
    for user in User.objects.filter(username__in=PEOPLE):
        if not user.has_usable_password():
            user.set_password(PASSWORD)
            user.save(update_fields=["password"])


def shut_out() -> None:
    """Nobody can sign in by the password that everybody knows, and who had is signed out. Passwords of one's own stay."""
    for user in User.objects.filter(username__in=PEOPLE):
        if user.check_password(PASSWORD):
            user.set_unusable_password()
            user.save(update_fields=["password"])
