"""What new characters of these rules may be, in our own words: suggestions with a line each. Anything else can be typed."""

from languages.text import gettext_lazy, pgettext_noop

KEYS = {
    pgettext_noop("key", "An old debt"): gettext_lazy("You pay, or make someone else pay, for what was."),
    pgettext_noop("key", "My own way"): gettext_lazy("You refuse the order that everyone else follows."),
    pgettext_noop("key", "Not again"): gettext_lazy("You stop what once happened to you."),
    pgettext_noop("key", "The last of us"): gettext_lazy("You protect what is left of your people."),
    pgettext_noop("key", "What is behind it"): gettext_lazy("You give up something to learn the truth."),
}
"""What brings XP when it happens."""
