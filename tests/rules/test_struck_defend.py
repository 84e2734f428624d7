"""Those whom a cone or a burst strikes defend each for themselves: asked in turn, they pay, and are struck or not."""

from __future__ import annotations

from functools import partial

import pytest

from engine.answers import GivenAnswer, Needs, typed_dice
from engine.battle import events as ev
from engine.battle.attacks.area_odds import with_odds
from engine.battle.attacks.defence_flow import DefenceAsk
from engine.battle.attacks.split_hits import share_answers, with_share
from engine.battle.command import Attack, EndTurn
from engine.battle.commands.decide import decide
from engine.battle.commands.ruling_commands import SetRuling
from engine.battle.commands.unit_edits import SetPool
from engine.battle.defence_choices import defence_question
from engine.battle.narration.question_text import option_words, question_words
from engine.errors import Unreadable
from engine.geometry.squares import parse_square
from engine.journal.history import event_rows, replay
from tests.rules.table import Table, defence_asked, defends, fight, given
from tests.rulesets.texts import small
from tui.application.commands.registry import hear
from tui.application.commands.results import Setting, SubmitCommand

EVA = "eva"


def zone(**numbers: int) -> Table:
    """A fires over an arc in which B and C stand, friend D beside it."""
    stats = {name: {"wound_points": 90, "agility": 50, "willpower": 90, **numbers} for name in "bc"}
    table = fight(EVA, "......c", "a.....b", a="machine-gunner", b="rifleman", c="rifleman", stats=stats)
    weapon = next(one.id for one in table.rules.gear.weapons.values() if one.fields.get("semi", 0))
    return table.arm("a", weapon)


def asked(table: Table, wish: Attack, *answers: tuple[int, ...] | GivenAnswer) -> DefenceAsk:
    with pytest.raises(Needs) as caught:
        decide(table.battle, wish, table.rules, given(*answers), asks=True)
    return defence_asked(caught.value)


def grenade(**numbers: int) -> Table:
    stats = {name: {"wound_points": 90, "agility": 50, **numbers} for name in "bc"}
    table = fight(EVA, "a....b", ".....c", a="grenadier", b="rifleman", c="rifleman", stats=stats)
    weapon = next(
        one.id for one in table.rules.gear.weapons.values() if one.kind == "thrown" and one.fields.get("blast", 0)
    )
    return table.arm("a", weapon)


def test_eva_22_everybody_hit_in_the_kill_zone_is_asked_in_turn() -> None:
    """EVA-22: two hits, one on each; who dodges takes none, and tests pinning all the same."""
    table = zone()
    wish = Attack("a", "b", action="suppress-semi")
    first = asked(table, wish, (1,))
    assert first.is_one_of_several and "dodge" in [answer.id for answer in first.options]
    dodges = first.answer("dodge")
    second = asked(table, wish, dodges, (1,), (1,))
    assert second.is_one_of_several and second.struck.id != first.struck.id
    before = table.battle
    table.do(wish, dodges, second.answer("none"), (1,), (1,))
    (taken,) = table.happened(ev.DefenceTaken)
    assert (taken.unit, taken.defence) == (first.struck.id, "dodge")
    lost = {event.unit for event in table.happened(ev.PoolChanged) if event.pool == "wounds"}
    assert first.struck.id not in lost
    assert table.unit(first.struck.id).turn.budget["reaction"] == 0
    assert table.unit(second.struck.id).turn.budget["reaction"] == 1
    tests = [event for event in table.happened(ev.EffectRolled) if event.label == "Willpower against pinning"]
    assert len(tests) == 2
    assert replay(before, [event_rows(table.events)]).battle == table.battle


def test_eva_22_who_is_not_hit_or_has_no_reaction_is_not_asked() -> None:
    """EVA-22: a miss asks nobody."""
    table = zone()
    table.events = decide(
        table.battle, Attack("a", "b", action="suppress-semi"), table.rules, typed_dice(((93,),)), asks=True
    )
    assert table.happened(ev.AttackRolled)
    assert not table.happened(ev.DefenceTaken)


def test_eva_6_each_unit_in_a_blast_may_dodge_it_wherever_it_lands() -> None:
    """EVA-6: each by a test of their own, though the throw went astray."""
    table = grenade()
    wish = Attack("a", "", square=parse_square("F1"))
    first = asked(table, wish, (1,))
    assert [answer.id for answer in first.options] == ["dodge-blast"]
    assert option_words(first.options[0], table.rules)[1] == "1 reaction, stops it 50 %"
    dodges = first.answer("dodge-blast")
    second = asked(table, wish, dodges, (1,), (1,))
    table.do(wish, dodges, second.answer("dodge-blast"), (1,), (1,), (99,))
    lost = {event.unit for event in table.happened(ev.PoolChanged) if event.pool == "wounds"}
    assert lost <= {second.struck.id}
    turned = [(event.target, event.grade) for event in table.happened(ev.AttackTurned)]
    assert turned == [(first.struck.id, "evaded")]


def test_eva_6_whom_a_grenade_is_thrown_at_answers_the_throw_and_the_blast_apart() -> None:
    """EVA-6: the answer to the blast is none to the throw."""
    table = grenade()
    blast = GivenAnswer(defence_question("b", is_one_of_several=True), choose="dodge-blast")
    table.do(Attack("a", "b"), blast, (1,), (1,))
    assert [taken.unit for taken in table.happened(ev.DefenceTaken)] == ["b"]
    line = hear("shoot a b defence dodge-blast for b", Setting(table.battle, table.rules))
    assert isinstance(line, SubmitCommand) and line.answers == (blast,)


def test_eva_14_who_is_in_a_blast_may_deflect_it_by_the_ruling_for_dodges() -> None:
    """EVA-14: one ruling for both."""
    table = grenade(deflector_strength=50)
    aimed = Attack("a", "", square=parse_square("F1"))
    offered = {option.id for option in asked(table, aimed, (1,)).options}
    assert {"dodge-blast", "deflect-blast"} <= offered


def test_eva_14_deflecting_a_blast_is_free_and_stops_it_for_the_unit_that_deflects() -> None:
    """EVA-14: a test against the deflector's strength, its reaction is left."""
    table = grenade(deflector_strength=50)
    wish = Attack("a", "", square=parse_square("F1"))
    first = asked(table, wish, (1,))
    second = asked(table, wish, first.answer("deflect-blast"), (1,), (50,))
    table.do(wish, first.answer("deflect-blast"), second.answer(""), (1,), (50,))
    assert [(event.target, event.grade) for event in table.happened(ev.AttackTurned)] == [(first.struck.id, "evaded")]
    assert table.unit(first.struck.id).turn.budget["reaction"] == 1
    assert first.struck.id not in {event.unit for event in table.happened(ev.PoolChanged)}
    ruled = grenade(deflector_strength=50)
    ruled.do(SetRuling("evade_blasts", False))
    ruled.do(wish, (1,))
    assert not ruled.happened(ev.DefenceTaken)


def test_what_sweeps_an_area_keeps_the_square_it_is_aimed_at() -> None:
    table = zone()
    table.do(Attack("a", "", action="suppress-semi", square=parse_square("G1")), (93,))
    assert [event.square for event in table.happened(ev.AttackRolled)] == [parse_square("G1")]


def test_eva_6_a_ruling_says_whether_blasts_are_dodged() -> None:
    """EVA-6: by the parent game's reading they are not."""
    table = grenade()
    table.do(SetRuling("evade_blasts", False))
    decide(table.battle, Attack("a", "", square=parse_square("F1")), table.rules, typed_dice(((1,),)), asks=True)


DUCK = """
[[defence]]
id = "duck"
label = "Duck"
on = ["always"]
when = "True"
AGAINST
source = "ours"
"""


@pytest.mark.parametrize(
    ("against", "words"),
    [
        ('against = ["blast"]', "against takes"),
        ("against = []", "against takes"),
        ('against = ["cone"]\nby = "ally"\nwithin = 5', "only the target defends"),
    ],
)
def test_what_a_defence_is_against_is_checked(against: str, words: str) -> None:
    with pytest.raises(Unreadable, match=words):
        small(DUCK.replace("AGAINST", against))


# --- hits of a burst that are given to others -----------------------------------------------------------------------


def burst(**numbers: int) -> Table:
    """A fires at B, with C and D near it; all of them can take it."""
    tough = {name: {"wound_points": 90, "agility": 50, **numbers} for name in "bcd"}
    return fight(
        EVA, "a.........b", "..........c", "..........d", a="rifleman", b="rifleman", c="rifleman", d="rifleman",
        stats=tough,
    )  # fmt: skip


several = partial(defends, is_one_of_several=True)


def struck(table: Table) -> list[tuple[str, int, int]]:
    return [(one.target, one.number, one.strikes) for one in table.happened(ev.StrikeBegan)]


def test_eva_16_who_is_given_hits_of_a_burst_is_asked_to_evade_those() -> None:
    """EVA-16: the target's evasion is for the target's hits, everybody else's for their own."""
    table = burst()
    wish, said = Attack("a", "b", action="burst-4"), (defends("b", ""), *share_answers((("c", 2),)))
    ask = asked(table, wish, *said, (5,), (1,), (1,))
    assert ask.is_one_of_several and ask.struck.id == "c"
    assert [answer.id for answer in ask.options] == ["dodge"]
    assert question_words(ask, table.rules).endswith("2 hits go to C.")
    table.do(wish, *said, ask.answer("dodge"), (5,), (1,), (1,), (50,))  # one degree, of two hits
    assert struck(table) == [("b", 1, 4), ("b", 2, 4), ("c", 3, 4)]
    assert table.unit("c").turn.budget["reaction"] == 0


def test_eva_16_what_the_target_evades_takes_nothing_from_the_others() -> None:
    """EVA-16: it dodges three hits and was meant to have two; the other has both of its own."""
    table = burst()
    table.do(
        Attack("a", "b", action="burst-4"), defends("b", "dodge"), *share_answers((("c", 2),)), (5,), (30,), (1,), (1,)
    )
    assert struck(table) == [("b", 0, 0), ("c", 3, 4), ("c", 4, 4)]
    whole = burst()
    whole.do(
        Attack("a", "b", action="burst-4"), defends("b", "dodge"), *share_answers((("c", 2),)), (5,), (1,), (1,), (1,)
    )
    assert struck(whole) == [("c", 3, 4), ("c", 4, 4)]  # B evades everything that there was


def test_eva_16_hits_are_given_to_somebody_once_and_where_they_can_be_shared() -> None:
    """What was said a second time, or of an attack without such hits, once vanished."""
    table, wish = burst(), Attack("a", "b", action="burst-4")
    twice = (*share_answers((("c", 2), ("c", 1))), (5,), (1,), (1,))
    assert table.refusal(wish, *twice) == "C is named twice: give its hits once."
    said = "Not asked for: 2 (hits for C). Nothing was done."
    assert table.refusal(EndTurn(), *share_answers((("c", 2),))) == said


def test_eva_16_each_of_several_answers_for_itself() -> None:
    """EVA-16: one evades its hit, the other does not."""
    table = burst()
    said = (defends("b", ""), several("c", "dodge"), several("d", ""), *share_answers((("c", 1), ("d", 1))))
    table.do(Attack("a", "b", action="burst-4"), *said, (5,), (1,), (1,), (50,), (1,))
    assert struck(table) == [("b", 1, 4), ("b", 2, 4), ("c", 0, 0), ("d", 4, 4)]


def test_eva_16_hits_that_the_fallen_leave_may_be_evaded_but_only_once() -> None:
    """EVA-16: a single evasion against a single attack."""
    table = burst()
    table.do(SetPool("b", "wounds", 1))
    wish, said = Attack("a", "b", action="burst-4"), (defends("b", ""), *share_answers((("c", 1),)))
    ask = asked(table, wish, *said, (5,), (9,))
    assert ask.is_one_of_several and ask.struck.id == "c"
    table.do(wish, *said, ask.answer("dodge"), (5,), (9,), (50,), (1,), (1,))
    # the first of three fells B; C evades the one that was given to it, and has the two that B leaves
    assert struck(table) == [("b", 1, 4), ("c", 0, 0), ("c", 3, 4), ("c", 4, 4)]


def test_eva_16_a_deflector_turns_hits_that_were_given_too() -> None:
    """EVA-16, EVA-14: it is free, and as good against these."""
    table = burst(deflector_strength=60)
    said = (defends("b", ""), several("c", "deflect"), *share_answers((("c", 2),)))
    table.do(Attack("a", "b", action="burst-4"), *said, (5,), (1,), (1,), (45,))  # two degrees
    assert struck(table) == [("b", 1, 4), ("b", 2, 4), ("c", 0, 0)]


def test_a_defence_that_is_not_possible_says_why() -> None:
    """Who may take it, what it costs and when that comes back, and its rule where that does not hold."""
    table = burst()
    table.do(Attack("a", "b", is_free=True), defends("b", "dodge:b"), (5,), (1,))  # of itself: the same as "dodge"
    assert [one.unit for one in table.happened(ev.DefenceTaken)] == ["b"]

    def refused(defence: str) -> str:
        return table.refusal(Attack("a", "b", is_free=True), defends("b", defence), (5,))

    assert refused("dodge") == (
        "“Dodge” is not possible: it costs 1 reaction; B has none left until B's next turn begins."
    )
    assert refused("dodge:c") == "“Dodge” is not possible: only B, who is attacked, can take it."
    assert "for B, against this attack, its condition does not hold (Attacking, step four" in refused("parry")


def test_the_outlook_of_shared_hits_is_that_of_the_target_s_own() -> None:
    """With one hit of two given away the target never loses more than one hit takes."""
    table = burst()
    shot = table.shot(action="burst-2")
    whole = with_odds(table.battle, table.rules, shot).outlook
    shared = with_odds(table.battle, table.rules, with_share(table.battle, shot, (("c", 1),)))
    assert whole is not None and shared.outlook is not None and shared.defended is None
    assert sum(chance for _, chance in shared.outlook.damage) == 1
    assert shared.outlook.hit == whole.hit and 0 < shared.outlook.expected < whole.expected
    assert max(amount for amount, _ in shared.outlook.damage) < max(amount for amount, _ in whole.damage)
