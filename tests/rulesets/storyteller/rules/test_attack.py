"""An attack from its declaration to the health levels that are marked, in whatever way it goes."""

from __future__ import annotations

import pytest

from rules.errors import RuleError
from rules.table import Held, Table
from rulesets.storyteller.procedures.attack import Attack, Defence, Stage
from rulesets.storyteller.rows import Person, Rolled, Side
from rulesets.storyteller.rules.damage import Harm
from rulesets.storyteller.settings import DEFAULTS
from tests.answers import refusal
from tests.rulesets.storyteller.rules.playing import SILAS, VESPER, asks, offered, take
from tests.uids import uid

ONE, OTHER = uid("silas"), uid("vesper")
ATTACK = Side(name="Silas", character=ONE, traits=["dexterity", "brawl"])


def begun(**terms):
    """Silas strikes Vesper with five dice and a Strength of 2; Vesper soaks with two and has four levels marked."""
    attack = Attack(id="attack", **{"attack": ATTACK, "target": "Vesper", "character": OTHER, "dice": 2} | terms)
    silas = Person(id=ONE, name="Silas", values=Held(dexterity=3, brawl=2, strength=2), shared=True)
    vesper = Person(id=OTHER, name="Vesper", bashing=3, lethal=1, shared=True, values=Held(stamina=2, being="vampire"))
    return attack, Table([attack, silas, vesper], settings=DEFAULTS)


def fall(attack, table, /, **fell):
    """Let rolls fall, by part and successes. Return the last line."""
    line = ""
    for part, successes in fell.items():
        due = attack.next_roll(table)
        assert (due.part, due.ask.kind) == (part, part if part in ("damage", "soak") else "action")
        outcome = {"total": successes, "result": "success" if successes else "failure"}
        line = str(attack.on_roll(table, part, outcome))
        attack.settle(table)
    assert attack.next_roll(table) is None
    return line


def health(table):
    vesper = table.get(Person, OTHER)
    return vesper.bashing, vesper.lethal, vesper.aggravated


@pytest.mark.parametrize(
    ("harm", "defends", "fell", "dice", "line", "marked"),
    [
        ("lethal", True, (4, 1, 4, 1), 6, "Vesper took 3 health levels (lethal).", (3, 4, 0)),
        ("lethal", True, (2, 2), 0, "Silas missed Vesper.", (3, 1, 0)),
        ("lethal", False, (1, None, 0), 4, "Vesper took no damage.", (3, 1, 0)),
        ("bashing", False, (1, None, 5, 1), 4, "Vesper took 2 health levels (bashing).", (5, 1, 0)),
        (
            "lethal",
            False,
            (6, None, 7, 0),
            9,
            "Vesper took 7 health levels (lethal). 1 of them was beyond the last level.",
            (0, 7, 0),
        ),
        ("aggravated", False, (1, None, 4), 4, "Vesper took 4 health levels (aggravated).", (2, 1, 4)),
    ],
)
def test_what_is_left_is_marked(harm, defends, fell, dice, line, marked):
    attack, table = begun(harm=Harm(harm), strength=True)
    hit, guard, *rest = fell
    if defends:
        words = take(attack, table, "defend", "target", how=Defence.DODGE, by=VESPER)
        assert words == "Vesper dodged with Dexterity + Athletics, difficulty 6."
        said = fall(attack, table, attack=hit, guard=guard)
    else:
        assert take(attack, table, "take_hit", "target", by=VESPER) == "Vesper didn’t defend."
        said = fall(attack, table, attack=hit)
    for part, who, successes in zip(("damage", "soak"), ("attacker", "target"), rest, strict=False):
        assert offered(attack, table) == {f"{part}:{who}": (1,) if part == "damage" else (2,)}
        take(attack, table, part, who)
        dice = dice if part == "damage" else 2
        assert attack.next_roll(table).ask.dice == dice
        said = fall(attack, table, **{part: successes})
    assert (said, attack.over, health(table)) == (line, True, marked)


def test_each_acts_for_their_own_and_the_gm_sets_the_terms():
    attack, table = begun()
    silas, vesper = table.get(Person, ONE), table.get(Person, OTHER)
    given = {"a_character": silas, "a_pool": "dexterity + brawl", "target": vesper, "dice": 1, "strength": True}
    line = take(attack, table, "open", by=SILAS, **given, difficulty=2, willpower=True)
    terms = "Dexterity + Brawl, difficulty 6, with Willpower; bashing damage: Strength + 1 die"
    assert line == f"Silas attacked Vesper: {terms}."
    mine, theirs = {"withdraw:attacker": (1,)}, {"take_hit:target": (2,), "defend:target": (2,)}
    assert offered(attack, table) == mine | theirs | {"set": ()}
    assert "soak" not in asks(attack, table, "set")
    assert asks(attack, table, "defend", "target", by=VESPER) == ["how", "pool", "willpower"]
    seen = [one.available.mark for one in attack.offers(table, {})]
    take(attack, table, "set", difficulty=7, dice=3, harm=Harm.LETHAL)
    assert [one.available.mark for one in attack.offers(table, {})] != seen
    off = table.trial()
    assert take(off.get(Attack, "attack"), off, "withdraw", "attacker") == "Silas called off the attack on Vesper."
    take(attack, table, "take_hit", "target")
    assert (attack.next_roll(table).ask.difficulty, attack.next_roll(table).ask.willpower) == (7, True)
    fall(attack, table, attack=3)
    (damage,) = attack.offers(table, {1: SILAS})
    assert (str(damage.words), damage.members, damage.primary) == ("Roll damage: 5 dice", (1,), True)
    assert [(one.who, str(one.words)) for one in attack.waits(table)] == [(ONE, "to roll damage")]


def test_difficulties_are_those_of_the_campaign_unless_a_gm_sets_others():
    attack, table = begun()
    table.settings = DEFAULTS.changed(attack_difficulty=7, damage_difficulty=8, soak_difficulty=4)
    silas, vesper = table.get(Person, ONE), table.get(Person, OTHER)
    take(attack, table, "open", by=SILAS, a_character=silas, a_pool="3", target=vesper, difficulty=2)
    (asked,) = (one for one in attack.acts["defend"].asks if one.name == "difficulty")
    assert (7, "7 challenging") in [(value, words) for _key, value, words in asked.choices(attack, table, ("target",))]
    take(attack, table, "defend", "target", how=Defence.BLOCK, by=VESPER, difficulty=2)
    attack.attacked, attack.guarded = Rolled(successes=1), Rolled(successes=0)
    assert [attack.rolls(table, part)[0].difficulty for part in ("attack", "guard", "damage", "soak")] == [7, 7, 8, 4]
    other, there = begun()
    take(other, there, "defend", "target", how=Defence.BLOCK, difficulty=9)
    assert other.guard.difficulty == 9


@pytest.mark.parametrize(("typed", "dice"), [("", 5), ("3", 3)])
def test_a_quick_npc_attacks_and_defends_with_its_dice_unless_others_are_typed(typed, dice):
    rat = Person(id=uid("rat"), name="Rat", is_played=False, pool=5)
    for attack, table in (begun(), begun(character=rat.id)):
        table.add(rat)
        if attack.character == rat.id:
            take(attack, table, "defend", "target", how=Defence.DODGE, pool=typed)
            assert attack.guard.dice == dice
        else:
            take(attack, table, "open", a_character=rat, a_pool=typed, target=table.get(Person, OTHER))
            assert attack.attack.dice == dice


def test_a_voided_roll_is_repeated_by_the_attacker():
    attack, table = begun()
    take(attack, table, "defend", "target", how=Defence.PARRY, pool="3")
    attack.undo_roll(table, "attack")
    assert (attack.next_roll(table), str(attack.on_roll(table, "guard", {}))) == (None, "")
    assert (attack.stage, offered(attack, table)) == (Stage.ROLLING, {"roll:attacker": (1,), "roll:target": (2,)})
    take(attack, table, "roll", "attacker", by=SILAS)
    assert fall(attack, table, attack=1, guard=0) == "Silas hit Vesper by 1."
    take(attack, table, "damage", "attacker")
    assert fall(attack, table, damage=2) == "Silas dealt 2 damage (bashing); Vesper can soak."


def test_those_without_a_sheet_soak_with_what_the_gm_sets():
    attack, table = begun(character=None, target="Guard", attack=Side(name="Thug", dice=4), harm=Harm.LETHAL)
    assert asks(attack, table, "defend", "target") == ["how", "pool", "difficulty"]
    assert {"soak", "mortal"} <= {*asks(attack, table, "set")}
    take(attack, table, "set", dice=2, harm=Harm.LETHAL, soak=3, mortal=False)
    assert (attack.soak_now(table), attack.party(table, "target")) == (3, ("Guard", None))
    take(attack, table, "defend", "target", how=Defence.BLOCK, pool="2")
    fall(attack, table, attack=2, guard=0)
    assert [(one.who, one.name) for one in attack.waits(table)] == [("attacker", "Thug")]
    take(attack, table, "damage", "attacker")
    fall(attack, table, damage=2)
    take(attack, table, "soak", "target")
    assert fall(attack, table, soak=1) == "Guard took 1 health level (lethal)."


def test_players_know_no_figures_of_sheets_that_are_not_for_all():
    attack, table = begun(harm=Harm.LETHAL)
    for shared, opened, parts in ((True, True, 4), (False, True, 2), (False, False, 0)):
        for who in (ONE, OTHER):
            table.get(Person, who).shared, table.get(Person, who).opened = shared, opened
        assert len(attack.odds(table)["parts"]) == 4
        odds = attack.odds(table.seen())
        assert len(odds["parts"] if odds else ()) == parts
    take(attack, table, "take_hit", "target")
    fall(attack, table, attack=6)
    assert str(next(iter(attack.offers(table, {}))).words) == "Roll damage: 7 dice"
    attack.strength = True
    assert str(next(iter(attack.offers(table, {}))).words) == "Roll damage"
    take(attack, table, "damage", "attacker")
    fall(attack, table, damage=7)
    take(attack, table, "soak", "target")
    assert fall(attack, table, soak=0) == "Vesper took 7 health levels (lethal)."
    assert str(attack.aside(table)) == "1 of them was beyond the last level."


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"a_pool": ""}, "a_pool"),
        ({"a_pool": "juggling"}, "a_pool"),
        ({"a_character": None}, "a_character"),
        ({"target": None}, "target_name"),
        ({"target": ONE}, "target"),
    ],
)
def test_what_is_no_attack_is_refused(given, field):
    attack, table = begun()
    whole = {"a_character": ONE, "a_pool": "3", "target": OTHER} | given
    whole |= {name: whole[name] and table.get(Person, whole[name]) for name in ("a_character", "target")}
    assert refusal(RuleError, take, attack, table, "open", by=SILAS, **whole).field == field


def test_nobody_spends_willpower_for_those_without_a_sheet():
    attack, table = begun()
    with pytest.raises(RuleError, match="Only characters"):
        take(attack, table, "open", a_name="Thug", a_pool="3", target_name="Guard", willpower=True)
