"""What new characters of these rules may be, in our own words: suggestions with a line each. Anything else can be typed."""

from languages.text import gettext_lazy, pgettext_lazy, pgettext_noop

SKILLS = {
    pgettext_lazy("skill", "Brawling"): gettext_lazy("Fists, knees and whatever lies about."),
    pgettext_lazy("skill", "Climbing"): gettext_lazy("Walls, masts and the wrong side of a cliff."),
    pgettext_lazy("skill", "Dodging"): gettext_lazy("Not being there when it lands."),
    pgettext_lazy("skill", "Healing"): gettext_lazy("Wounds that are seen to in time."),
    pgettext_lazy("skill", "Perception"): gettext_lazy("What others walk past. It also breaks ties in a fight."),
    pgettext_lazy("skill", "Persuading"): gettext_lazy("A yes from somebody who meant no."),
    pgettext_lazy("skill", "Reading people"): gettext_lazy("What a face says before its mouth does."),
    pgettext_lazy("skill", "Riding"): gettext_lazy("An animal that goes where you look."),
    pgettext_lazy("skill", "Shooting"): gettext_lazy("Bows, pistols, and the breath before."),
    pgettext_lazy("skill", "Sneaking"): gettext_lazy("Gravel that makes no sound."),
    pgettext_lazy("skill", "Swordplay"): gettext_lazy("A blade, and room to use it."),
    pgettext_lazy("skill", "Tampering"): gettext_lazy("Locks, traps and machines that others made."),
}
"""A skill is called as its sheet says, so one is kept in the language in which it was chosen."""
MORALITIES = {
    pgettext_noop("morality", "Never strike first"): gettext_lazy("A fight is what others begin."),
    pgettext_noop("morality", "Nobody stays behind"): gettext_lazy("You go back, whoever it is."),
    pgettext_noop("morality", "My word binds me"): gettext_lazy("What you promised, you do, to enemies too."),
    pgettext_noop("morality", "The weak come first"): gettext_lazy("Those who can’t fight eat and leave first."),
    pgettext_noop("morality", "No gods, no masters"): gettext_lazy("You kneel to no one and let no one kneel to you."),
    pgettext_noop("morality", "Truth before comfort"): gettext_lazy("You say it, even when silence is kinder."),
}
