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
    """Return the user names of people with the demo's known password."""
    return [user.username for user in User.objects.filter(username__in=PEOPLE) if user.check_password(PASSWORD)]


def of_their_own() -> list[str]:
    """Return user names of the demo that belong to other people, with passwords of their own."""
    people = User.objects.filter(username__in=PEOPLE)
    return [user.username for user in people if user.has_usable_password() and not user.check_password(PASSWORD)]


def let_in() -> None:
    """Give the demo's password back to those whom `shut_out` took it from."""
    for user in User.objects.filter(username__in=PEOPLE):
        if not user.has_usable_password():
            user.set_password(PASSWORD)
            user.save(update_fields=["password"])


def shut_out() -> None:
    """Disable the demo's known password and sign its people out. Changed passwords stay."""
    for user in User.objects.filter(username__in=PEOPLE):
        if user.check_password(PASSWORD):
            user.set_unusable_password()
            user.save(update_fields=["password"])
