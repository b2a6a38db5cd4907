"""What new characters of these rules may be, in our own words: suggestions with a line each. Anything else can be typed."""

from languages.text import gettext_lazy, pgettext_noop

PLAYBOOKS = {
    pgettext_noop("playbook", "Breaker"): gettext_lazy("Gets in, through whatever is in the way."),
    pgettext_noop("playbook", "Fixer"): gettext_lazy("Knows who can get it, and what it will cost."),
    pgettext_noop("playbook", "Healer"): gettext_lazy("Keeps the crew on its feet, and knows their secrets."),
    pgettext_noop("playbook", "Medium"): gettext_lazy("Listens to what others are glad not to hear."),
    pgettext_noop("playbook", "Runner"): gettext_lazy("Is over the roofs before the alarm is heard."),
    pgettext_noop("playbook", "Tinker"): gettext_lazy("Has a device for it, almost finished."),
    pgettext_noop("playbook", "Watcher"): gettext_lazy("Sees it first, and waits for the one right moment."),
}
"""What a scoundrel is good at."""

VICES = {
    pgettext_noop("vice", "Faith"): gettext_lazy("A temple, a prophet or a promise that takes every coin."),
    pgettext_noop("vice", "Gambling"): gettext_lazy("Cards, dogs, dice: the next round will make it good."),
    pgettext_noop("vice", "Luxury"): gettext_lazy("Silk, wine and rooms you can’t afford."),
    pgettext_noop("vice", "Obligation"): gettext_lazy("Someone at home who lives on what you earn."),
    pgettext_noop("vice", "Pleasure"): gettext_lazy("Company for one night, and trouble in the morning."),
    pgettext_noop("vice", "Stupor"): gettext_lazy("A bottle or a pipe, until it is quiet inside."),
    pgettext_noop("vice", "Weird"): gettext_lazy("Voices, relics, a door that should stay shut."),
}
"""forged.txt names them; the lines are ours."""

ITEMS = {
    pgettext_noop("item", "Blank papers"): gettext_lazy("A name and a seal for whoever needs them."),
    pgettext_noop("item", "Climbing gear"): gettext_lazy("Rope, hooks, and gloves that still hold."),
    pgettext_noop("item", "Dark lantern"): gettext_lazy("Light for you, and for nobody else."),
    pgettext_noop("item", "Fine clothes"): gettext_lazy("For the one door where nobody asks."),
    pgettext_noop("item", "Heavy coat"): gettext_lazy("Warm, wide, and full of pockets."),
    pgettext_noop("item", "Lockpicks"): gettext_lazy("For old locks, and for patient hands."),
    pgettext_noop("item", "Spyglass"): gettext_lazy("Shows who stands at the window opposite."),
    pgettext_noop("item", "Tin of salves"): gettext_lazy("Closes small wounds, smells for days."),
}
"""What a scoundrel carries."""
