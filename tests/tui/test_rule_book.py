"""A ruleset reads as a rule book: conditions in words, formulas only where they are asked for."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from engine.rules.expressions import compile_expression, compile_template
from engine.rules.named_rules import named_rules
from rulesets import shipped_rulesets
from tests.rules.table import ruleset
from tui.__main__ import main
from tui.application.reports.formula_words import MOST_WORDS, FormulaWords
from tui.application.reports.rule_lookup import lookup_lines
from tui.application.reports.rules_report import rules_json, rules_words
from tui.application.terminal.output import filling

NAME = re.compile(r"'[^']*'|[a-z_]\w*(?:\.\w+)*")
FORMULA = re.compile(r"==|!=|\b(attacker|target|unit|weapon|defender|reactor|action|ruling)\.[a-z]|[<>]=? [0-9]")


def names(text: str) -> set[str]:
    """The facts that a formula may ask for: every name in it."""
    return {name for name in NAME.findall(text) if name not in ("and", "or", "not", "in", "if", "else")}


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_no_formula_stands_in_the_rule_book_unless_asked_for(name: str) -> None:
    plain, whole = rules_words(ruleset(name)), rules_words(ruleset(name), has_formulas=True)
    assert [line for line in plain if FORMULA.search(line)] == []
    assert not any("formula:" in line for line in plain)
    assert sum("formula:" in line for line in whole) > 100
    assert all(len(line) <= 100 for line in plain + whole)


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        (
            "ranged and not thrown and weapon.group != 'natural'",
            "the attack is ranged and the weapon is not thrown and the weapon's group is not natural",
        ),
        ("target.posture == 'prone' and not adjacent", "the target is prone and the two are not adjacent"),
        ("not (melee or empty_target)", "the attack is not melee and the target is a unit"),
        ("covered >= 0.5 and visible == 0", "the target's cover is at least 50 % and the target's visible part is 0 %"),
        ("0 < distance <= 5", "0 is less than the distance and the distance is at most 5"),
        ("attacker.braced and attacker.braced_on == weapon.id", "the attacker is “braced” (the weapon)"),
        ("attacker.braced and not (attacker.braced_on == weapon.id)", (
            "the attacker is “braced” and the attacker's “braced” does not apply to the weapon"
        )),
        ("100 * covered >= ruling.near_full_cover", (
            "the target's cover in percent is at least the ruling “Near-full cover from (% of the body)”"
        )),
        ("square_covered == 1", "the cover of the target's square is 100 %"),
        ("action.snap or band == 'long'", "the action is “Snap attack” or the range band is long range"),
        ("weapon.group in ('grenade', 'mortar', 'rocket')", "the weapon's group is grenade, mortar or rocket"),
        ("melee if adjacent else thrown", "the attack is melee if the two are adjacent, else the weapon is thrown"),
        ("ruling.downed_in_melee", "the ruling “Prone enemies count for melee” is yes"),
        ("not attacker.gunlink", "the attacker does not have “Gunlink”"),
        ("attacker.hp < 5", "the attacker's hit points are less than 5"),
    ],
)  # fmt: skip
def test_conditions_are_in_words(formula: str, words: str) -> None:
    book = FormulaWords(ruleset("cwn"))
    assert book.condition(compile_expression(formula, names(formula))) == words


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("2 * (weapon.rounds - 1)", "2 × (the weapon's rounds − 1)"),
        ("floor(attacker.hp / 2)", "the attacker's hit points ÷ 2, rounded down"),
        ("min(6, distance // 5)", "the lowest of 6 and the distance ÷ 5, rounded down"),
        ("-2 if adjacent else 0", "−2 if the two are adjacent, else 0"),
        ("0 if unit.dazzled else 1", "0 if the unit is “dazzled”, else 1"),
    ],
)
def test_values_are_in_words(formula: str, words: str) -> None:
    assert FormulaWords(ruleset("cwn")).value(compile_expression(formula, names(formula))) == words


def test_a_formula_too_long_for_words_says_where_to_read_it() -> None:
    long = " + ".join(["target.squares_from_start"] * 20)
    words = FormulaWords(ruleset("cwn")).value(compile_expression(long, names(long)))
    assert len(words) < MOST_WORDS and "--formulas" in words


def test_texts_with_formulas_name_what_stands_there_and_the_words_they_choose_between() -> None:
    text = "moved {target.moved} {'square' if target.moved == 1 else 'squares'}, {'dim' if light == 'dim' else 'dark'}"
    template = compile_template(text, names(text))
    assert FormulaWords(ruleset("cwn")).template(template) == "moved [the target's movement] squares, dim / dark"


def test_the_rule_book_lists_every_stat_with_its_help() -> None:
    lines = rules_words(ruleset("aog"))
    begins = lines.index("STATS")
    assert lines[begins + 1] == "  Characteristics"
    told = {" ".join(line.split()) for line in lines[begins:]}
    assert "Long Arms 0 to 120 default 30 Rolled with rifles, shotguns and machine guns." in told
    assert "night sight yes or no default no Darkness and smoke do not count for its attacks." in told
    assert rules_json(ruleset("aog"))["stats"]["long_arms"]["help"] == "Rolled with rifles, shotguns and machine guns."


def test_a_source_and_a_ruling_stand_once_with_the_rule_that_they_belong_to() -> None:
    """The effects of an action repeat neither its source nor its ruling, and give their own."""
    lines = rules_words(ruleset("eva"))
    start = lines.index("  Knock down (action, knock-down)")
    end = next(at for at, line in enumerate(lines[start + 1 :], start + 1) if re.match(r"  \S", line))
    action = lines[start:end]
    assert sum("source: Knock down: half action" in line for line in action) == 1
    assert any("ruling: More degrees win" in line for line in action)


def test_effects_of_every_hit_say_so_and_do_not_list_the_hits() -> None:
    lines = rules_words(ruleset("aog"))
    assert any("(on a hit but “Suppressed”)" in line for line in lines)
    every = "(on “Extreme success” or on “Hard success” or on “Normal success” or on “Simple success”"
    assert every not in " ".join(" ".join(lines).split())


def test_an_action_says_why_it_is_refused_and_what_it_adds() -> None:
    """A negative cost is no cost: it counts what was done, or gives something."""
    text = " ".join(" ".join(rules_words(ruleset("aog"))).split())
    assert "costs 1 action adds 1 mode of fire used" in text
    assert "(else: only one mode of fire per turn; it has fired in another)" in text
    assert "costs -" not in text


@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_the_ruling_on_sight_stands_once_and_the_others_refer_to_it(name: str) -> None:
    rows = rules_words(ruleset(name))
    assert sum("line-of-sight rule this exact" in row for row in rows) == 1
    assert sum("source and ruling: as for “" in row for row in rows) >= 4


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("'ap' != 'hp' and unit.defeated", "the unit is out of the fight"),
        ("unit.defeated or 'simple' == 'simple'", "always"),
        ("not ('ap' == 'hp') and melee", "the attack is melee"),
        ("roll > 1 and '' != 'ap' and melee", "the roll is more than 1 and the attack is melee"),
    ],
)
def test_what_a_template_has_settled_is_not_said(formula: str, words: str) -> None:
    assert FormulaWords(ruleset("aog")).condition(compile_expression(formula, names(formula))) == words


def test_no_rule_of_a_shipped_ruleset_compares_two_constants() -> None:
    text = "\n".join(rules_words(ruleset("aog")))
    for nonsense in ("nothing is not", "ap is not ap", "is simple and", "dodge is dodge", "if always", "used: 0 if"):
        assert nonsense not in text


def test_a_price_names_what_it_takes_and_what_it_adds() -> None:
    book = FormulaWords(ruleset("aog"))
    price = compile_expression("0 if melee else -1", names("melee"))
    called = ruleset("aog").units.budgets["modes"].called
    assert book.amount(price, called, 1) == ""
    assert book.amount(price, called, -1) == "1 mode of fire used if the attack is not melee"


def test_a_word_after_a_formula_does_not_run_into_it() -> None:
    text = " ".join(" ".join(rules_words(ruleset("eva"))).split())
    assert "because: [“Behind cover”] behind [" in text


def paragraphs(lines: list[str]) -> list[list[str]]:
    """The rules of a rule book: what stands below each head, without the sentences."""
    found: list[list[str]] = []
    for line in lines:
        if line.startswith("  ") and not line.startswith("   "):
            found.append([line])
        elif found:
            found[-1].append(line)
    return found


@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_equal_paragraphs_of_a_chapter_are_one(name: str) -> None:
    """Weapons that look the same, called shots at each location, armour that wears at four places."""
    with filling(100_000):
        lines = rules_words(ruleset(name))
    bodies = [(one[0].partition(": ")[2], *one[1:]) for one in paragraphs(lines) if len(one) > 2]
    assert [body for body, count in Counter(bodies).items() if count > 1] == []


@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_every_sentence_stands_in_the_rule_book(name: str) -> None:
    text = " ".join(" ".join(rules_words(ruleset(name))).split())
    for rule in named_rules(ruleset(name)):
        assert rule.kind == "stat" or rule.say in text, rule


def test_rules_with_one_body_stand_above_it_each_with_its_sentence() -> None:
    lines = rules_words(ruleset("aog"))
    start = lines.index(next(line for line in lines if line.startswith("  Called shot, head")))
    end = next(at for at in range(start, len(lines)) if lines[at].startswith("  Aim"))
    shots = " ".join(" ".join(lines[start:end]).split())
    assert shots.count("Take two actions to strike") == 7 and shots.count("costs 2 actions") == 1
    assert "Called shot, left leg (attack, called-left-leg): Take two actions to strike the left leg" in shots


def test_variants_of_one_rule_have_their_words_side_by_side() -> None:
    text = " ".join(" ".join(rules_words(ruleset("aog"))).split())
    assert text.count("damage to armour: the target loses 1") == 1
    assert "loses 1 head/arms/torso/legs, piercing/energy/primitive" in text
    hits = " ".join(" ".join(rules_words(ruleset("eva"))).split())
    assert hits.count("uses 2/3/4/5/6/7/8/9/10 rounds") == 1


def test_a_source_that_most_weapons_share_is_said_once() -> None:
    lines = rules_words(ruleset("aog"))
    start = lines.index("WEAPONS")
    assert lines[start + 1 : start + 3] == [
        "  All that name no other source",
        "      source: Not in the chapter; the system's weapons page: weapon table",
    ]
    assert lines[start + 3 :].count(lines[start + 2]) == 0


def test_the_command_line_looks_one_rule_up_without_a_battle() -> None:
    lines = lookup_lines(ruleset("cwn"), "target prone")
    assert lines[:2] == [
        "Target prone, modifier",
        "A prone target is harder to hit from a distance, −2, and easier from an adjacent square, +2.",
    ]
    assert " ".join(lines[2].split()) == "number −2: the target is prone and the two are not adjacent"
    assert any(line.strip().startswith("source: ") for line in lines)
    assert lookup_lines(ruleset("cwn"), "zebra") == []
    assert len(lookup_lines(ruleset("aog"), "suppress")) >= 3


def test_the_command_line_says_which_rule_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "cwn", "total", "defence"]) == 0
    assert "Armor Class +2 until the next turn" in " ".join(capsys.readouterr().out.split())
    assert main(["rules", "cwn", "zebra"]) == 2
    assert "no rule of Cities Without Number has “zebra”" in capsys.readouterr().err
