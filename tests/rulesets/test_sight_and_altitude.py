"""What a ruleset says of sight and of altitude: bodies that cover, bands of heights, and the facts they make."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.battle.commands.ruling_commands import SetRuling
from engine.battle.facts import altitude_band, circumstances
from engine.errors import Illegal, Unreadable
from engine.rules.origin import Origin
from engine.rules.space_rules import SightRule
from engine.sight_model import SightModel
from engine.smoke_opacity import SmokeOpacity
from engine.values import replace
from rulesets import parse_ruleset
from tests.rules.table import fight
from tests.rulesets.texts import texts
from tui.application.reports.rules_report import rules_words

SIGHT = '[sight]\nbodies = true\nsource = "ours"\n'
BANDS = """\
[[altitude]]
id = "ground"
label = "on the ground"
to = 0
source = "ours"
[[altitude]]
id = "low"
label = "low"
to = 12.5
source = "ours"
[[altitude]]
id = "high"
label = "high"
from = 20
source = "ours"
"""


def refusal(added: str) -> str:
    with pytest.raises(Unreadable) as caught:
        parse_ruleset(texts("[distance]\n", f"{added}[distance]\n"), "small")
    return str(caught.value)


def test_a_ruleset_that_says_nothing_lets_nobody_cover_and_has_no_bands():
    rules = parse_ruleset(texts(), "small")
    assert (rules.space.sight, rules.space.altitudes, altitude_band(rules, 30)) == (None, (), "")


def test_sight_and_bands_are_read_and_reported():
    rules = parse_ruleset(texts("[distance]\n", f"{SIGHT}{BANDS}[distance]\n"), "small")
    assert rules.space.sight == SightRule(Origin("ours"), model=SightModel(bodies=1))
    told = "\n".join(rules_words(rules))
    assert "Units in the line give cover" in told
    assert "on the ground: 0 to 0 feet" in told and "high: from 20 feet" in told


def test_smoke_ends_sight_in_attacks_where_the_ruleset_says_so():
    smoky = '[smoke]\nrows = """\n.111..\n"""\n'
    table = fight("cwn", "a....b", toml=smoky, a="gunman", b="gunman")
    seen = table.shot().situation
    assert (seen.facts["visible"], seen.facts["clear"], seen.facts["smoke"]) == (1, True, 3)
    sight = '[sight]\nsmoke_ends_sight = 2.5\nsource = "ours"\n'
    table = fight("cwn", "a....b", toml=smoky, more_rules=sight, a="gunman", b="gunman")
    assert table.battle.field.smoke_opacity == SmokeOpacity(Fraction(5, 2))
    facts = table.shot().situation.facts
    assert (facts["visible"], facts["covered"], facts["clear"], facts["smoke"]) == (0, 0, False, 3)
    assert (
        facts["sight"]
        == "Blocked by smoke on 3 squares: sight ends beyond 2.5 squares; shots can hit 100 % of the body."
    )
    assert "Units from size 2 in the line give cover; smoke ends sight beyond 2.5 squares" in "\n".join(
        rules_words(table.rules)
    )


@pytest.mark.parametrize(
    ("altitude", "band"),
    [(0, "ground"), (Fraction(1, 10), "low"), (Fraction(25, 2), "low"), (15, ""), (20, "high"), (9000, "high")],
)
def test_a_band_reaches_from_the_one_before_it_up_to_its_own_end(altitude, band):
    rules = parse_ruleset(texts("[distance]\n", f"{BANDS}[distance]\n"), "small")
    assert altitude_band(rules, altitude) == band


@pytest.mark.parametrize(
    ("added", "message"),
    [
        (SIGHT.replace("true", "5"), "bodies is 5"),
        (SIGHT.replace("bodies", "units_cover"), "units_cover"),
        (SIGHT.replace("bodies = true", 'own_cover = "lean"'), "known values: rise, look, off"),
        (SIGHT.replace('source = "ours"\n', ""), "has no 'source'"),
        (SIGHT.replace("bodies = true", "smoke_ends_sight = -1"), "smoke_ends_sight is -1"),
        (SIGHT.replace("bodies = true", 'smoke_ends_sight = "2"'), "smoke_ends_sight is the text '2'"),
        (BANDS.replace("from = 20", "from = 12"), "from = 12 overlaps the band before it, which ends at 12.5"),
        (BANDS.replace("to = 12.5", "from = 5\nto = 4"), "to = 4 is below the start of the band at 5"),
        (BANDS.replace("to = 12.5\n", ""), "this altitude band has no 'to'"),
        (BANDS.replace('id = "high"', 'id = "low"'), "the altitude band 'low' already exists"),
    ],
)
def test_mistakes(added, message):
    assert message in refusal(added)


def test_no_stat_may_take_the_name_of_the_band():
    assert "'altitude_band' is already a built-in fact of every unit" in refusal(
        '[stat.altitude_band]\nlabel = "x"\ndefault = 0\nkind = "number"\nmin = 0\nmax = 9\ngroup = "g"\nhelp = "h"\n'
    )


def test_a_unit_in_the_line_covers_where_the_ruleset_says_so():
    table = fight("cwn", "a..c.b", a="gunman", b="gunman", c="gunman")
    assert (table.shot().situation.trace.visible, table.shot().situation.facts["cover"]) == (1, "")
    table.do(SetRuling("sight_bodies", 1))
    facts = table.shot().situation.facts
    assert (facts["visible"], facts["covered"], facts["cover"], facts["cover_material"]) == (0, 1, "C at D1", "light")
    fallen = replace(table.unit("c"), is_defeated=True)
    table.battle = table.battle.with_unit(fallen)
    assert table.shot().situation.trace.visible == 1


def test_the_band_is_a_fact_of_every_unit():
    table = fight("cwn", "a..b", a="gunman", b="gunman")
    rules = parse_ruleset(texts("[distance]\n", f"{BANDS}[distance]\n"), "small")
    table.rules = replace(table.rules, space=replace(table.rules.space, altitudes=rules.space.altitudes))
    table.battle = table.battle.with_unit(replace(table.unit("b"), altitude=700))
    facts = table.shot().situation.facts
    assert (facts["attacker.altitude_band"], facts["target.altitude_band"]) == ("ground", "low")
    assert circumstances(table.battle, table.rules, table.unit("b"))["unit.altitude_band"] == "low"


def test_every_key_of_sight_is_a_ruling_that_the_gm_changes_for_one_battle():
    table = fight("aog", "ao.....b", a="gunman", b="gunman")
    assert table.shot().situation.facts["covered"] == 0
    assert {name for name in table.rules.rulings if name.startswith("sight_")} == {
        f"sight_{key}" for key in ("lean", "own_cover", "soft", "bodies", "head", "least", "mutual")
    }
    table.do(SetRuling("sight_own_cover", "off"))
    assert table.battle.field.sight.own_cover == "off"
    table.posture("a", "kneeling")
    table.do(SetRuling("sight_mutual", False))
    assert table.shot().situation.facts["covered"] == 1
    with pytest.raises(Illegal, match="must be one of rise, look, off"):
        table.do(SetRuling("sight_own_cover", "lean"))


def test_volt_leans_and_rises_from_a_firing_position_alone():
    table = fight("volt", "ao.....b", a="gunman", b="gunman")
    table.posture("a", "kneeling")
    assert table.shot().situation.facts["covered"] == 1
    held = replace(table.unit("a"), conditions=("in_position",))
    table.battle = table.battle.with_unit(held)
    assert (table.shot().situation.facts["covered"], held.body(table.battle.field).lean) == (0, True)


def test_volt_7_only_what_the_ruleset_says_of_sight_has_its_source():
    """Volt's source for the firing position stood at how much of a head is seen, too."""
    rulings = fight("volt", "a.b", a="gunman", b="gunman").rules.rulings
    own = {name for name in rulings if name.startswith("sight_") and "Taking cover" in rulings[name].origin.source}
    assert own == {"sight_lean", "sight_own_cover"}
