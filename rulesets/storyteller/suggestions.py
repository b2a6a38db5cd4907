"""What new characters of these rules may be, in our own words: suggestions with a line each. Anything else can be typed."""

from languages.text import gettext_lazy, pgettext_noop

NATURES = {
    pgettext_noop("nature", "Builder"): gettext_lazy("Makes things that last, and can’t leave one unfinished."),
    pgettext_noop("nature", "Caretaker"): gettext_lazy("Looks after others first, asked or not."),
    pgettext_noop("nature", "Contrarian"): gettext_lazy("Says no first, and finds the reason afterwards."),
    pgettext_noop("nature", "Guardian"): gettext_lazy("Stands between danger and those who can’t fight."),
    pgettext_noop("nature", "Loner"): gettext_lazy("Trusts no plan that needs somebody else."),
    pgettext_noop("nature", "Peacemaker"): gettext_lazy("Ends every quarrel, whatever it costs."),
    pgettext_noop("nature", "Penitent"): gettext_lazy("Pays for something that nobody else remembers."),
    pgettext_noop("nature", "Seeker"): gettext_lazy("Opens the door because it is closed."),
    pgettext_noop("nature", "Showman"): gettext_lazy("Wants to be watched, even by enemies."),
    pgettext_noop("nature", "Survivor"): gettext_lazy("Has always known where the way out is."),
}
"""For the Nature and the Demeanor."""
