"""The sheets of the systems, as plain Python: what fields there are, what they may hold, what they give to a roll.

`SHEETS` maps the name of each sheet to it: one for each system, and "crew", which is a group's of the forged system. How values
are read and written is in `sheet.py`, what kinds of fields there are in `fields.py`. What each system gives to a roll:

    storyteller.pool(values, ["strength", "brawl"])   -> TraitPool(traits, .dice, .ability, .label)
    descriptors.pool(values, ["fencing", "debt"])     -> (Entry(name, label, kind, dice), …);  descriptors.track(values)
    arc.known(values, "build", "climbing")            -> Known(stat, skill, ks, es)
    arc.check(values, secret, "build", "climbing")    -> Scores(stat, skill, ks, es, us)
    arc.skill(values, "perception") -> ES;  arc.body(values) -> Body(build, control, size, kilograms, clothing)
    forged.action(values, "skirmish")                 -> Rating(name, label, attribute, rating)
    forged.attribute(values, "prowess")               -> 0..4;  forged.harm(values), forged.traumas(values)
    crew.tier(values), crew.gambits(values), crew.heat(values)

All raise SheetError (a message for people, the address at fault) for what is not there.
"""

from characters.sheets import arc, crew, descriptors, forged, storyteller
from characters.sheets.sheet import Sheet

SHEETS: dict[str, Sheet] = {
    sheet.name: sheet for sheet in (storyteller.SHEET, descriptors.SHEET, arc.SHEET, forged.SHEET, crew.SHEET)
}
