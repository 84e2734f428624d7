"""Push dice: an attacker answers its own roll, at a price; the target defends against what comes of it.

The sixth ruleset, which nobody plays, with house rules of a test's own; these are TOML alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from engine.answers import GivenAnswer, Needs, typed_dice
from engine.battle import events as ev
from engine.battle.attacks.area_odds import with_odds
from engine.battle.attacks.attack_preview import DamageOdds
from engine.battle.attacks.open_defences import with_open_defences
from engine.battle.command import Attack
from engine.battle.commands.decide import decide
from engine.battle.commands.note_commands import SetNote
from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.defence_choices import answer_question
from engine.battle.narration import summarise
from engine.battle.narration.preview_text import chance_to_hit
from engine.battle.narration.question_text import no_option_words, option_words
from engine.battle.state.gm_overrides import AUTO, OFF
from engine.dice.dice_text import percent
from engine.dice.distributions import outcomes, weights
from engine.dice.sources import RollAsk
from engine.journal.history import History, event_rows, replay
from engine.journal.session import Session
from engine.journal.store import Header, Journal
from engine.rules.model import Ruleset
from engine.rules.reaction_rules import BETTER, NEW
from rulesets import load_ruleset, parse_ruleset
from tests.rules.table import Table, defence_asked, defends, fight, given, roll_asked
from tests.rules.test_sixth import FOLDER, ROOT
from tests.stamps import NOW, stamp
from tui.application.commands.registry import hear
from tui.application.commands.results import Setting, SubmitCommand
from tui.application.reports.rules_report import rules_words

PUSH = """
[budget.push]
label = "push"
start = 1
source = "ours"

[condition.winded]
label = "winded"
until = "battle end"
source = "ours"

[[modifier]]
id = "winded"
step = "stance"
label = "Winded"
value = -1
when = "attacker.winded"
because = "it has pushed itself"
source = "ours"

[[defence]]
id = "push"
label = "Push"
by = "attacker"
on = ["miss"]
when = "attacker.nerve > 1 and not attacker.shaken"
cost = { push = 1 }
reroll = "new"
source = "ours"

[[defence.effect]]
id = "strain"
label = "strain"
lose = 1
pool = "nerve"
source = "ours"

[[defence.effect]]
id = "winds"
label = "pushes itself"
condition = "winded"
source = "ours"

[[defence.effect]]
id = "pushed"
label = "pushed"
let = "1"
as = "pushed"
source = "ours"

[[effect]]
id = "overreach"
label = "overreaches itself"
on = ["miss"]
when = "pushed == 1"
whom = "attacker"
lose = 2
pool = "breath"
source = "ours"
"""

ALWAYS = PUSH.replace('on = ["miss"]\nwhen = "attacker', 'on = ["always"]\nwhen = "attacker')
"""The same after a hit too."""
LUCK = """
[[defence]]
id = "luck"
label = "Luck"
by = "attacker"
on = ["miss"]
when = "margin >= -2"
source = "ours"

[[defence.effect]]
id = "luck-die"
label = "Luck"
roll = "1d3"
as = "luck_die"
source = "ours"

[[modifier]]
id = "luck"
step = "skill"
label = "Luck"
value = "luck_die"
when = "luck_die > 0"
because = "luck"
source = "ours"
"""
HIT = Attack("a", "b")


@cache
def with_rules(more: str) -> Ruleset:
    texts = load_ruleset(FOLDER).texts
    return parse_ruleset({**texts, "ruleset.toml": f"{texts['ruleset.toml']}\n{more}"}, "ours")


def table(more: str = PUSH, row: str = "a....b", a: str = "gunman") -> Table:
    return fight(with_rules(more), row, scale=(2, "metres"), a=a, b="gunman")


def pushes(choice: str = "push", unit: str = "a") -> GivenAnswer:
    return GivenAnswer(answer_question(unit), choose=choice)


def grades(found: Table) -> list[str]:
    return [event.grade for event in found.happened(ev.AttackTurned)]


# --- in play ----------------------------------------------------------------------------------------------------------


def test_a_miss_is_pushed_at_a_price_and_rolled_again() -> None:
    found = table()
    nerve = found.unit("a").pools["nerve"]
    assert found.shot().ledger.total == 1  # and 0 for one who is winded
    lines = found.do(HIT, (1, 2), pushes(), (5, 4), (3,))
    start = lines.index("A: Push (1 push).")
    assert lines[start:] == [
        "A: Push (1 push).",
        f"A: nerve {nerve} → {nerve - 1} (strain).",
        "A is winded.",
        "Push: 2d6 (5, 4) = 9, typed.",
        "The attack hits B: Lands (Push, rolled 5 + 4 (typed) = 9 vs 8).",
        "Hurt: 1d6 = 3, typed.",
        *lines[start + 6 :],
    ]
    assert (found.unit("a").turn.budget["push"], "winded" in found.unit("a").conditions) == (0, True)
    assert len(found.happened(ev.AttackRolled)) == 1


def test_the_price_counts_in_the_same_attack_and_what_it_lets_is_a_fact_of_it() -> None:
    """8 is just enough until the one who pushes is winded; and a pushed roll that fails costs more."""
    found = table()
    bonus = int(found.shot().ledger.total)
    breath = found.unit("a").pools["breath"]
    found.do(HIT, (1, 2), pushes(), (2, 6 - bonus))
    assert grades(found) == ["passes"]
    assert found.unit("a").pools["breath"] == breath - 2


def test_only_after_a_miss_and_only_by_one_who_can_pay() -> None:
    with pytest.raises(Needs) as asked:
        decide(table().battle, HIT, with_rules(PUSH), given((6, 5)), asks_dice=True)
    assert not defence_asked(asked.value).is_attackers  # the target is asked for its duck
    spent = table()
    spent.do(HIT, (1, 2), pushes(), (1, 2))
    spent.do(HIT, (1, 2))
    again = spent.refusal(HIT, (1, 2), pushes())
    assert "“Push” is not possible" in again or "beat" in again
    assert "it costs 1 push; A has none left" in spent.refusal(Attack("a", "b", is_free=True), (1, 2), pushes())


def test_the_question_says_the_price_and_the_chance_to_hit() -> None:
    here = table()
    with pytest.raises(Needs) as asked:
        decide(here.battle, HIT, here.rules, given((1, 2)), asks=True)
    ask = defence_asked(asked.value)
    assert (ask.q, ask.is_attackers, no_option_words(ask)) == (answer_question("a"), True, "keep the roll")
    (option,) = ask.options
    pushed = table().condition("a", "winded")
    hit = pushed.shot().odds.hit
    assert option.hits == hit
    assert option_words(option, here.rules) == ("A: Push", f"1 push, hits {percent(hit)}")


def test_typed_dice_are_asked_for_one_after_the_other() -> None:
    here = table()
    with pytest.raises(Needs) as first:
        decide(here.battle, HIT, here.rules, given(), asks_dice=True)
    with pytest.raises(Needs) as again:
        decide(here.battle, HIT, here.rules, given((1, 2), pushes()), asks_dice=True)
    assert (roll_asked(first.value).purpose, roll_asked(again.value).purpose) == ("A attacks B", "Push of A")


def test_the_target_defends_against_what_the_push_comes_to() -> None:
    here = table()
    here.do(HIT, (1, 2), pushes(), (5, 4), defends("b", "duck"), (6,))
    kinds = [type(event).__name__ for event in here.events if isinstance(event, ev.DefenceTaken | ev.AttackTurned)]
    assert kinds == ["DefenceTaken", "AttackTurned", "DefenceTaken", "AttackTurned"]
    assert grades(here) == ["lands", "ducked"]
    kept = table()
    kept.do(HIT, (5, 4), pushes(), defends("b", "duck"), (6,))  # a hit cannot be pushed: that answer is for nothing
    assert grades(kept) == ["ducked"]


@pytest.mark.parametrize(("reroll", "breath"), [(NEW, 0), (BETTER, 1)])
def test_the_new_roll_or_the_better_one_counts(reroll: str, breath: int) -> None:
    here = table(ALWAYS.replace('reroll = "new"', f'reroll = "{reroll}"'))
    here.do(HIT, (6, 5), pushes(), (1, 2), *[(1,)] * breath)
    assert grades(here) == [["passes"], ["lands"]][breath]


def test_something_may_be_added_to_the_roll_instead() -> None:
    here = table(LUCK)
    needed = 8 - int(here.shot().ledger.total)
    here.do(HIT, (1, needed - 3), pushes("luck"), (2,), (1,))
    assert grades(here) == ["lands"]
    assert [roll.label for roll in here.happened(ev.EffectRolled)][:1] == ["Luck"]


def test_policies_push_by_themselves_or_never() -> None:
    here = table()
    here.do(SetPolicy(AUTO, kind="push"))
    here.do(HIT, (1, 2), (5, 4))
    (taken,) = here.happened(ev.DefenceTaken)
    assert (taken.defence, taken.is_by_itself) == ("push", True)
    here = table()
    here.do(SetPolicy(OFF, kind="push"))
    decide(here.battle, HIT, here.rules, given((1, 2)), asks=True)  # nobody is asked
    always = table(ALWAYS)
    always.do(SetPolicy(AUTO, kind="push"))
    always.do(HIT, (6, 5), (1,))  # no hit is pushed by itself
    assert always.happened(ev.DefenceTaken) == []


def test_an_area_attack_is_pushed_once_for_everybody() -> None:
    here = table(row="a..b", a="machine-gunner")
    here.do(Attack("a", "b", action="sweep"), (1, 2), pushes(), (6, 5))
    assert len(here.happened(ev.DefenceTaken)) == 1
    thrown = table(row="a..b", a="grenadier")
    square = thrown.unit("b").at
    thrown.do(Attack("a", "", "oil-flask", square=square), (1, 2), pushes(), (6, 5))
    assert grades(thrown) == ["lands"]


def test_a_push_survives_the_journal_and_is_corrected_and_undone(tmp_path: Path) -> None:
    here = table()
    header = Header("id", "0.1.0", NOW.time, "T", "t.toml", "", here.rules.id, here.rules.texts, "seed")
    journal = Journal.create(tmp_path / "t.battle", header)
    session = Session(here.rules, History(here.battle), journal, stamp)
    session.submit(SetNote("before"))
    start = session.battle
    events = session.submit(HIT, given((1, 2), pushes(), (5, 4), (3,)))
    pushed = session.battle
    assert replay(start, [event_rows(events)]).battle.encode() == pushed.encode()
    session.correct(typed_dice(((1, 3), (1, 2))))  # the push stays, and fails now
    assert session.battle.unit("a").pools["nerve"] == pushed.unit("a").pools["nerve"]
    assert session.battle.unit("b").pools == here.unit("b").pools
    session.correct(typed_dice(((5, 4),)))  # a hit: nothing to push any more
    assert session.battle.unit("a").pools == here.unit("a").pools
    session.undo()
    assert session.battle == start
    session.close()


def test_the_example_of_the_docs_is_played() -> None:
    page = (ROOT / "docs" / "rulesets.md").read_text("utf-8")
    (example,) = (block for block in re.findall(r"```toml\n(.*?)```", page, flags=re.S) if 'by = "attacker"' in block)
    here = table(example)
    here.do(HIT, (1, 2), pushes(), (1, 3))
    assert here.unit("a").posture == "prone"
    assert here.unit("a").conditions == ("strained",)


# --- typed, and shown -------------------------------------------------------------------------------------------------


def typed(words: str, here: Table) -> SubmitCommand:
    found = hear(words, Setting(here.battle, here.rules))
    assert isinstance(found, SubmitCommand)
    return found


def test_a_push_is_typed_with_the_attack() -> None:
    here = table()
    assert typed("shoot a b defence push", here).answers == (pushes(),)
    assert typed("shoot a b defence none for a", here).answers == (pushes(""),)
    assert typed("shoot a b defence push defence duck", here).answers == (pushes(), defends("b", "duck"))


def test_nobody_is_called_unharmed_before_a_pushed_roll_is_known() -> None:
    here = table()
    here.do(HIT, (1, 2), pushes(), (5, 4), (3,))
    assert "unharmed" not in summarise(here.events, here.battle, here.rules)


def test_the_rule_book_describes_it() -> None:
    lines = "\n".join(rules_words(with_rules(PUSH)))
    assert "Push: by the attacker, on a miss" in lines
    assert "the attack is rolled again; the new roll counts" in lines


# --- odds -------------------------------------------------------------------------------------------------------------


def every_outcome(
    here: Table, wish: Attack, *answers: GivenAnswer | tuple[int, ...]
) -> Iterator[tuple[Fraction, Table]]:
    """Plays an attack with all dice that there are, one after the other."""
    try:
        done = Table(here.rules, here.battle)
        done.events = decide(here.battle, wish, here.rules, given(*answers), asks_dice=True)
    except Needs as need:
        assert isinstance(need.ask, RollAsk)
        dice = need.ask.dice
        faces: Counter[tuple[int, ...]] = Counter()
        if dice.text == "2d6":  # the attack's: all that its rules ask for besides the sum is whether they are alike
            alike: dict[tuple[int, bool], tuple[int, ...]] = {}
            for way, total in outcomes(dice):
                faces[alike.setdefault((total, way[0] == way[1]), way)] += 1
        else:
            faces.update({(total,): weight for total, weight in weights(dice).totals.items()})
        whole = sum(faces.values())
        for group, weight in faces.items():
            for chance, end in every_outcome(here, wish, *answers, group):
                yield chance * Fraction(weight, whole), end
    else:
        yield Fraction(1), done


def brute_force(here: Table, wish: Attack = HIT) -> tuple[Fraction, dict[int, Fraction]]:
    """How likely the attack hits in the end, and how likely each loss of breath is."""
    hit, lost = Fraction(0), Counter[int]()
    for chance, end in every_outcome(here, wish):
        turned = [event.grade for event in end.happened(ev.AttackTurned)]
        grade = turned[-1] if turned else end.attacked().grade
        hit += chance * (grade in ("lands", "blazes"))
        took = [
            one.before - one.after for one in end.happened(ev.PoolChanged) if (one.unit, one.pool) == ("b", "breath")
        ]
        lost[sum(took)] += chance  # type: ignore[assignment]
    return hit, {amount: Fraction(chance) for amount, chance in lost.items()}


def outlook_of(here: Table) -> DamageOdds:
    shot = with_odds(here.battle, here.rules, here.shot())
    assert shot.defended is not None
    return shot.defended.outlook


RULES = {
    "push": PUSH,
    "always": ALWAYS,
    "the better": ALWAYS.replace('reroll = "new"', 'reroll = "better"'),
    "luck": LUCK,
    "push or luck": PUSH + LUCK,
}


QUICK = [pytest.param(name, marks=() if name == "push" else pytest.mark.slow) for name in RULES]


@pytest.mark.parametrize("name", QUICK)
def test_odds_of_an_attacker_who_pushes_are_those_of_every_roll(name: str) -> None:
    here = table(RULES[name])
    here.do(SetPolicy(AUTO))
    here.do(SetPolicy(OFF, kind="duck"))
    hit, lost = brute_force(here)
    found = outlook_of(here)
    assert (found.hit, dict(found.damage)) == (hit, lost)
    assert found.hit > here.shot().odds.hit


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_odds_of_a_push_and_a_duck_are_those_of_every_roll(name: str) -> None:
    here = table(RULES[name])
    here.do(SetPolicy(AUTO))
    hit, lost = brute_force(here)
    found = outlook_of(here)
    assert (found.hit, dict(found.damage)) == (hit, lost)


def test_odds_say_what_they_rest_on() -> None:
    here = table()
    shot = with_odds(here.battle, here.rules, here.shot())
    assert shot.defended is not None
    assert (shot.defended.answers, shot.defended.labels) == (("Push",), ("Duck",))
    assert chance_to_hit(shot).endswith(" without Push or Duck, 50 % with Push, then Duck")
    area = table(row="a..b", a="machine-gunner")
    swept = with_open_defences(area.battle, area.rules, area.shot(action="sweep"))
    assert swept.defences == ("Push",)


def test_who_cannot_pay_for_both_the_attack_and_the_push_has_no_push_in_the_odds() -> None:
    here = table(PUSH.replace("cost = { push = 1 }", "cost = { beat = 1 }"))
    here.do(SetPolicy(AUTO))
    here.do(SetPolicy(OFF, kind="duck"))
    free = table()
    free.do(SetPolicy(OFF, kind="duck"))
    assert outlook_of(here) == outlook_of(free)
    steady = with_odds(here.battle, here.rules, here.shot(action="steady"))
    assert steady.defended is None


# --- mistakes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('by = "attacker"\n', "", "reroll is only for by = 'attacker'"),
        ('by = "attacker"\n', 'by = "attacker"\nagainst = ["cone"]\n', "against is not for by = 'attacker'"),
        ('reroll = "new"', 'reroll = "worse"', "reroll = 'worse' is not known"),
        ("attacker.nerve > 1", "defender.nerve > 1", "defender.nerve"),
        ('when = "pushed == 1"', "when = \"defence == 'push'\"", "push"),
    ],
)
def test_mistakes_are_reported(old: str, new: str, message: str) -> None:
    texts = load_ruleset(FOLDER).texts
    assert old in PUSH
    with pytest.raises(Exception, match=message):
        parse_ruleset({**texts, "ruleset.toml": f"{texts['ruleset.toml']}\n{PUSH.replace(old, new, 1)}"}, "ours")
