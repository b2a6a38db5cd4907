import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.acts import Actor
from rules.errors import RuleError
from rules.table import Table
from rulesets.forged.figures import mark
from rulesets.forged.procedures.experience import Experience
from rulesets.forged.rows import Crew, Scoundrel
from rulesets.forged.rules import Settings
from rulesets.forged.sheet import XP_BOXES

STRICT = Settings(xp_rolls_over=False)


def test_six_marks_fill_an_attributes_track_and_eight_the_playbooks():
    attribute, playbook = XP_BOXES["prowess_xp"], XP_BOXES["playbook_xp"]
    assert mark(attribute, 4, 1) == (0, 5)
    assert mark(attribute, 5, 1) == (1, 0)
    assert mark(playbook, 6, 1) == (0, 7)
    assert mark(playbook, 7, 3) == (1, 2)


def test_a_campaign_may_let_what_is_over_go():
    assert mark(6, 5, 10, STRICT) == (1, 0)
    assert mark(6, 4, 1, STRICT) == (0, 5)


@given(st.sampled_from([*XP_BOXES.values()]), st.data(), st.integers(0, 100))
def test_no_mark_disappears(boxes, data, xp):
    marks = data.draw(st.integers(0, boxes - 1))
    advances, left = mark(boxes, marks, xp)
    assert 0 <= left < boxes
    assert marks + xp == boxes * advances + left


# The questions at a session's end.


MEMBERS = {1: Actor(characters=frozenset(["cross"])), 2: Actor(characters=frozenset(["nyx"]))}


def asked(**cross: int) -> tuple[Experience, Table]:
    """Return the questions to Cross, whose tracks these are, Nyx and their crew."""
    procedure = Experience(id="xp")
    people = [
        Scoundrel(id="cross", name="Cross", **cross),
        Scoundrel(id="nyx", name="Nyx"),
        Crew(id="wick", name="Wick"),
    ]
    return procedure, Table([procedure, *people])


def answer(procedure: Experience, table: Table, who: str = "cross", **said: object) -> str:
    whom = table.find(Scoundrel, who) or table.get(Crew, who)
    act = procedure.acts["answer" if isinstance(whom, Scoundrel) else "answer_crew"]
    return str(procedure.take(table, act, (whom,), said))


def tracks(table: Table) -> tuple[int, ...]:
    cross = table.get(Scoundrel, "cross")
    return cross.playbook_xp, cross.insight_xp, cross.prowess_xp, cross.resolve_xp


def test_everyone_answers_for_their_own_and_anyone_for_the_crew_and_changes_it():
    procedure, table = asked()
    assert answer(procedure, table, playbook=2, beliefs=1, beliefs_on="prowess_xp") == (
        "Cross marked experience: Playbook XP +2, Prowess XP +1."
    )
    assert answer(procedure, table, "wick", work=2, above=1) == "Wick marked experience: Crew XP +3."
    offers = [(one.act.name, str(one.words), one.members, one.primary) for one in procedure.offers(table, MEMBERS)]
    assert offers == [
        ("answer", "Change", (1,), False),
        ("answer", "Mark experience", (2,), True),
        ("answer_crew", "Change", (1, 2), False),
        ("end", "End without the rest", (), False),
    ]
    assert [one.who for one in procedure.waits(table)] == ["nyx"]
    assert str(procedure.take(table, procedure.acts["end"], ())) == (
        "Experience for this session ended, with nothing marked for Nyx."
    )


def test_an_answer_that_is_changed_marks_the_difference():
    procedure, table = asked()
    answer(procedure, table, playbook=2)
    answer(procedure, table, playbook=1, trouble=1, trouble_on="insight_xp")
    assert tracks(table) == (1, 1, 0, 0)


def test_what_a_full_track_has_no_room_for_goes_where_the_player_says():
    procedure, table = asked(playbook_xp=7)
    with pytest.raises(RuleError, match="has no room") as refusal:
        answer(procedure, table.trial(), playbook=2)
    assert refusal.value.field == "over" and tracks(table) == (7, 0, 0, 0)
    answer(procedure, table, playbook=2, over="resolve_xp")
    assert tracks(table) == (8, 0, 0, 1)


def test_what_was_spent_since_is_not_changed():
    procedure, table = asked()
    answer(procedure, table, playbook=2)
    table.get(Scoundrel, "cross").playbook_xp = 0
    with pytest.raises(RuleError, match="already spent"):
        answer(procedure, table, playbook=0)


@given(st.integers(0, 8), st.lists(st.integers(0, 2), min_size=3, max_size=3))
def test_what_is_answered_is_marked_or_refused_for_want_of_room(there, often):
    procedure, table = asked(playbook_xp=there)
    try:
        answer(procedure, table, **dict(zip(("playbook", "beliefs", "trouble"), often, strict=True)))
    except RuleError as error:
        assert error.field == "over" and there + sum(often) > 8
    else:
        assert sum(tracks(table)) == there + sum(often)
