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


def with_known_password() -> list[str]:
    """The user names of those whom everybody can sign in as."""
    return [user.username for user in User.objects.filter(username__in=PEOPLE) if user.check_password(PASSWORD)]


def of_their_own() -> list[str]:
    """User names of the demo that somebody else has already, whose password is their own."""
    people = User.objects.filter(username__in=PEOPLE)
    return [user.username for user in people if user.has_usable_password() and not user.check_password(PASSWORD)]


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
