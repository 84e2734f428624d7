"""Questions about the battle and their answers in words: they change nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from engine.battle.attacks.area_odds import with_odds
from engine.battle.attacks.attack_preview import AttackPreview, consider
from engine.battle.attacks.open_defences import with_open_defences
from engine.battle.attacks.split_hits import Share, share_of
from engine.battle.command import Act, Attack, Command
from engine.battle.facts import bare_square, sight_line
from engine.battle.narration import narrate
from engine.battle.narration.preview_text import damage_words, verdict
from engine.battle.narration.unit_states import NOTE_MARK
from engine.battle.rulings_in_force import ruling_now
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.battle.views.view import UnitView, View, project
from engine.battle.wording import price_words, squares
from engine.dice.dice_text import number
from engine.errors import Illegal, brief
from engine.geometry.body import Body
from engine.geometry.squares import Direction, Square
from engine.rules.ledger import UNIT_SIGNS
from engine.rules.model import SQUARE, Action, Ruleset
from engine.tactics.options import MoveOption, Option, acts, moves, on_anybody
from engine.text import clause, sentence, side_name
from tui.application.commands.actions import read_attack
from tui.application.commands.forms import Form, split_dice
from tui.application.commands.naming import (
    Missing,
    Words,
    expect,
    no_more,
    skip,
    take_square,
    take_unit,
    take_unit_or_square,
    unit_names,
)
from tui.application.commands.results import Setting, TextResult, did_you_mean, suggestion
from tui.application.commands.vocabulary import examples, take_actor
from tui.application.commands.vocabulary import read_units as chosen_units
from tui.application.describe.close_up import closeup_rows, seen_between
from tui.application.describe.gauges import lines_of, together
from tui.application.describe.throwers import carriers_words
from tui.application.focus.focus import Focus
from tui.application.focus.square_text import square_words
from tui.application.reports.act_report import act_words, is_act, weigh_act
from tui.application.reports.odds_report import OddsQuery, fresh_turn, is_ahead, odds_words, preview_odds
from tui.application.reports.reach_report import ReachQuery, explore, reach_words
from tui.application.reports.report_scene import scene_of
from tui.application.reports.scatter_report import scatter_words, throw_odds
from tui.application.reports.sight_report import sight_words, trace_ends
from tui.application.reports.view_report import observe_map, view_words
from tui.application.terminal.output import column_heads, hanging_table, width

USUAL_LOG = 12
MOST_LOG = 100_000
THING = "&"
WIDE = 76
"""Most columns of the close-up."""


def read_say(words: Words, setting: Setting) -> TextResult:
    """ "= bandit", "= D4", "= todd bandit": a unit, a square or a shot in one or two sentences."""
    battle, rules = setting.battle, setting.rules
    if not words:
        words = [setting.square.name] if setting.square is not None else [setting.actor] if setting.actor else []
    ends = _ends(words, setting)
    if len(ends) == 2:
        command, _ = _attack(words, setting)
        return TextResult("Description", (shot_words(battle, rules, command),), command)
    at = ends[0]
    here = battle.at(at) if isinstance(at, Square) else battle.unit(at)
    if here is None:
        assert isinstance(at, Square)
        return TextResult("Description", (square_words(Focus(unit=setting.actor, cursor=at), battle, rules),))
    lines = [unit_words(project(battle, rules), here)]
    actor = battle.units.get(setting.actor)
    if actor is None or actor.id == here.id:
        return TextResult("Description", tuple(lines))
    if here.is_defeated or not actor.is_enemy_of(here):
        lines.append(square_words(Focus(unit=actor.id, cursor=here.at), battle, rules))
        return TextResult("Description", tuple(lines))
    command = Attack(actor.id, here.id)
    return TextResult("Description", (*lines, shot_words(battle, rules, command)), command)


def unit_words(view: View, unit: Unit) -> str:
    """Describes a unit in one sentence: name, position, posture, pools, weapon, conditions."""
    seen = view.unit(unit.id)
    sign = UNIT_SIGNS[view.field.unit]
    height = f", {seen.altitude / 100:g} {sign} up" if seen.altitude else ""
    pools: list[str] = []
    for group, gauges in lines_of(seen.pools):
        if group:
            pools += [f"{group} {gauges_text}"] if (gauges_text := together(gauges)) else []
        else:
            pools += [f"{gauge.label} {gauge.now} of {gauge.full}" for gauge in gauges if gauge.full or gauge.now]
    pools += [f"{label} {value}" for label, value in seen.listed]
    rounds = f", {seen.rounds} of {seen.magazine} rounds" if seen.magazine else ""
    held = [f"{seen.weapon} in hand{rounds}"] if seen.weapon else []
    state = ["out of the fight"] if seen.is_defeated else [condition.words for condition in seen.conditions]
    where = f"at {seen.at.name}, facing {seen.facing.name}, {seen.posture}{height}"
    return f"{seen.name} ({seen.role}, {side_name(seen.side)}) {where}: {'; '.join([*state, *pools, *held])}."


def shot_words(battle: Battle, rules: Ruleset, attack: Attack) -> str:
    """Describes an attack in one or two sentences, with its outcome odds."""
    shot = with_open_defences(battle, rules, with_odds(battle, rules, consider(battle, rules, attack)))
    attacker = f"{shot.situation.attacker.name} → "
    how = f" {shot.situation.weapon.label}, {shot.situation.action.label}."
    end = f" {sentence(damage_words(shot.outlook))}" if shot.outlook and shot.ledger.is_possible else ""
    return f"{attacker}{verdict(shot, rules)}{how}{end}{_refused(shot)}"


def read_units(words: Words, setting: Setting) -> TextResult:
    """ "units": everybody, a line each; "status bandit": these."""
    view = project(setting.battle, setting.rules)
    meant = chosen_units(words, setting) if words else setting.battle.units
    return TextResult("Units", tuple(unit_words(view, setting.battle.unit(unit)) for unit in meant), is_list=True)


def read_order(words: Words, setting: Setting) -> TextResult:
    """ "order": the turn order, and what the acting unit has left."""
    no_more(words)
    view = project(setting.battle, setting.rules)
    order = view.order or tuple(unit.id for unit in sorted(view.units, key=lambda unit: unit.side_index))
    rows = (_place(view.unit(unit), has_acted=unit in view.acted) for unit in order)
    return TextResult("Turn order", (turn_words(view), *rows))


def read_who(word: str, words: Words, setting: Setting) -> TextResult:
    """ "who has a grenade", "find grenade": the units that carry a weapon; "who" alone is the turn order."""
    if not words and word == "who":
        return read_order(words, setting)
    view, units = suggestion("view [UNIT]", "", setting), suggestion("units [UNITS]", "", setting)
    if words and words[0].casefold() in ("sees", "see"):
        sight = suggestion("sight [UNIT|SQUARE] UNIT|SQUARE", "", setting)
        raise Illegal("words", f"“{word} sees” is not a command. {did_you_mean([sight, view])}")
    said = [one.casefold().strip("?.") for one in words if one.casefold() not in ("has", "have", "a", "an", "the")]
    wanted = " ".join(said).removesuffix("s")
    carried = carriers_words(setting.battle, setting.rules, wanted) if wanted else ""
    if not carried:
        raise Illegal(
            "words", f"“{word}” finds weapons: “{word} {'has ' * (word == 'who')}grenade”. {did_you_mean([units])}"
        )
    return TextResult("Who has it", (carried,))


def turn_words(view: View) -> str:
    """Describes the turn: "Round 2, Todd's turn. Remaining: 1 attack."; of a unit that is out, how it ends."""
    if not view.active:
        return "Set-up: nobody has a turn. “begin” rolls initiative."
    unit = view.unit(view.active)
    if unit.is_defeated:
        return f"Round {view.round}, {unit.name}'s turn: out of the fight, “end” ends the turn."
    left = ", ".join(f"{gauge.now} {gauge.label}" for gauge in unit.budget if gauge.now and not gauge.is_count)
    left = left or ("nothing" if unit.budget else "")
    return f"Round {view.round}, {unit.name}'s turn.{f' Remaining: {left}.' if left else ''}"


def read_actions(words: Words, setting: Setting) -> TextResult:
    """ "actions todd": all that a unit may do now, else in its next turn, and why not what it may not."""
    battle, rules = setting.battle, setting.rules
    unit, words = take_actor(words, setting)
    no_more(words)
    scene, heading = scene_of(battle, rules), tuple[str, ...]()
    if battle.turns.active and is_ahead(scene, unit.id):
        heading = (f"In the next turn of {unit.name}, who does not have the turn now:",)
        battle = fresh_turn(scene, rules, unit.id)
        unit = battle.unit(unit.id)
    near = [square for direction in Direction if (square := unit.at.step(direction)) in battle.field]
    able: dict[str, Option[Act]] = {}
    for act in acts(battle, rules, unit, targets=[""], squares=near):
        if act.is_allowed or act.command.action not in able:
            able[act.command.action] = act
    attacks = [(rules.actions[one.command.action], one) for one in on_anybody(battle, rules, unit)]
    rows = [(action.label, f"shoot … {action.id}", _price(attack, unit, rules)) for action, attack in attacks]
    known = moves(battle, rules, unit, with_range=False)
    rows += [(move.action.label, _typed(move.action), _price(move, unit, rules)) for move in known]
    rows += [(rules.actions[id].label, _typed(rules.actions[id]), _price(act, unit, rules)) for id, act in able.items()]
    lines = (line for row in hanging_table(rows) for line in row)
    return TextResult(f"{unit.name}: actions", (*heading, *lines))


def read_log(words: Words, setting: Setting) -> TextResult:
    """ "log", "log 50": what happened last, oldest first."""
    number = words[0] if words else str(USUAL_LOG)
    if len(words) > 1 or not (number.isascii() and number.isdecimal()) or not 0 < int(number[:7]) <= MOST_LOG:
        raise Illegal("words", f"Type a number of lines from 1 to {MOST_LOG}: log 50.")
    lines: list[str] = []
    for step in reversed(setting.steps):
        sentences = [sentence for event in step.events if (sentence := narrate(event, setting.battle, setting.rules))]
        lines = sentences + lines
        if len(lines) >= int(number):
            break
    return TextResult("Log", tuple(lines[-int(number) :]))


def read_rulings(words: Words, setting: Setting) -> TextResult:
    """ "rulings": what the ruleset leaves to the GM and how it is decided now; what the system does not have."""
    from tui.application.reports.rulings_report import rulings_words  # the words of formulas, for this command alone

    no_more(words)
    now = {ruling.id: ruling_now(setting.battle, ruling) for ruling in setting.rules.rulings.values()}
    listed = tuple(rulings_words(setting.rules, now))
    return TextResult("Rulings", listed or (f"{setting.rules.name} has no rulings to change.",), is_list=True)


def read_rules(words: Words, setting: Setting) -> TextResult:
    """ "rules cover": what the rule of that name says, else the rules with that word; "rules": all rules."""
    from tui.application.commands.rule_answers import (  # large reports, for this command alone
        answer_about,
        answer_whole,
    )

    return answer_about(" ".join(words), setting) if words else answer_whole(setting)


def read_odds(words: Words, setting: Setting) -> TextResult:
    """ "odds todd bandit aimed with rifle", "odds todd bandit grapple": the whole ledger and every chance."""
    if words and is_act(setting.rules, act := words[-1].casefold()):
        start, end = _named_ends(words[:-1], setting)
        scene = scene_of(setting.battle, setting.rules)
        return TextResult("Odds", tuple(act_words(weigh_act(scene, setting.rules, OddsQuery(start, end, "", act)))))
    attack, share = _attack(words, setting)
    answer = preview_odds(scene_of(setting.battle, setting.rules), setting.rules, _question(attack, share))
    return TextResult("Odds", tuple(odds_words(answer)), attack)


def read_scatter(words: Words, setting: Setting) -> TextResult:
    """ "scatter todd D4 with grenade", "scatter todd D4 hit 40": where a throw could come down, and on whom."""
    hit = ""
    if len(words) > 1 and words[-2].casefold() == "hit":
        hit, words = words[-1], words[:-2]
    attack, share = _attack(words, setting)
    try:
        odds = throw_odds(
            scene_of(setting.battle, setting.rules), setting.rules, _question(attack, share), hit, asked="hit"
        )
    except Illegal as reason:
        raise (Missing if len(words) == 1 and attack.square is None else Illegal)(reason.reason, str(reason)) from None
    return TextResult("Scatter", tuple(scatter_words(odds)), attack)


def read_sight(words: Words, setting: Setting) -> TextResult:
    """ "sight todd bandit", "sight D4 H9": the line, step by step."""
    start, end = _named_ends(words, setting)
    if not start:
        raise Illegal("words", "Type where the line starts and ends: sight {unit} D4.".format(**examples(setting)))
    found = trace_ends(scene_of(setting.battle, setting.rules), start, end)
    return TextResult("Line of sight", tuple(sight_words(found, with_profile=True, is_ascii=setting.is_ascii)))


def read_covers(words: Words, setting: Setting) -> TextResult:
    """ "covers todd bandit", "covers D4": the line close up, and what covers each point of the target's body."""
    battle = setting.battle
    ends = [bare_square(end) if isinstance(end, Square) else battle.unit(end) for end in _ends(words, setting)]
    if len(ends) == 1 and not setting.actor:
        raise Illegal("words", "Type the observer and the target: covers {unit} {other}.".format(**examples(setting)))
    observer, target = ends if len(ends) == 2 else (battle.unit(setting.actor), ends[0])
    line = sight_line(battle, observer, target)
    seen = seen_between(project(battle, setting.rules), line, observer, target)
    return TextResult("Cover close-up", tuple(closeup_rows(seen, min(width(), WIDE), is_ascii=setting.is_ascii)))


def read_view(words: Words, setting: Setting) -> TextResult:
    """ "view todd": everything that a unit sees."""
    unit, words = take_actor(words, setting)
    no_more(words)
    panorama = observe_map(scene_of(setting.battle, setting.rules), unit.id)
    return TextResult(f"Field of view of {unit.name}", tuple(view_words(panorama)))


def read_reach(words: Words, setting: Setting) -> TextResult:
    """ "reach todd", "reach todd F7": where it can go, or what the way there costs and draws."""
    unit, words = take_actor(words, setting)
    found = take_square(skip(words, "to"), setting.battle)
    square, words = found or (None, words)
    no_more(words)
    journey = ReachQuery(unit.id, goal=square.name if square else "")
    going = explore(scene_of(setting.battle, setting.rules), setting.rules, journey)
    return TextResult(f"Reach of {unit.name}", tuple(reach_words(going)))


def read_map(words: Words, setting: Setting) -> TextResult:
    """ "map": the ground as the map's file draws it, with a letter for each unit."""
    no_more(words)
    view = project(setting.battle, setting.rules)
    return TextResult("Map", tuple(map_words(view)))


def map_words(view: View) -> list[str]:
    """Draws the map in plain signs, with the positions of units."""
    field = view.field
    margin = len(str(field.rows))
    lines = [f"{'':{margin}} {head}" for head in column_heads(range(field.columns))]
    units = {
        square: unit.letter
        for unit in view.units
        for square in Body(unit.at, unit.size).squares
        if not unit.is_defeated
    }
    for row in range(field.rows):
        squares = (Square(column, row) for column in range(field.columns))
        drawn = "".join(units.get(square) or _plain_sign(field.ground_at(square).glyph) for square in squares)
        lines.append(f"{row + 1:{margin}} {drawn}".rstrip())
    standing = [f"{unit.badge} {unit.name} {unit.at.name}" for unit in view.units if not unit.is_defeated]
    things = f"{THING} objects such as trees and crates; “=” with a square describes it."
    return [*lines, f"{', '.join(standing)}.", things]


def _plain_sign(glyph: str) -> str:
    """The sign of a ground without letters, which stand for units."""
    return THING if glyph.isalnum() else glyph


def _place(unit: UnitView, *, has_acted: bool) -> str:
    score = "" if unit.initiative is None else f" ({number(unit.initiative)})"
    first = f", {unit.pools[0].label} {unit.pools[0].now} of {unit.pools[0].full}" if unit.pools else ""
    state = ", out of the fight" if unit.is_defeated else ", acts now" if unit.is_active else ", has acted" * has_acted
    declared = f", declared: {unit.declared}" if unit.declared and not unit.is_defeated else ""
    posture = f", {unit.posture}" if unit.posture != "standing" and not unit.is_defeated else ""
    bound = "".join(f", {condition.words}" for condition in unit.conditions if condition.mark != NOTE_MARK)
    return f"{unit.name}{score}{first}{declared}{state}{posture}{bound}"


def _ends(words: Words, setting: Setting) -> Sequence[str | Square]:
    """Parses one or two units or squares and ignores the rest."""
    names = unit_names(setting.battle)
    found: list[str | Square] = []
    while len(found) < 2 and words:
        taken = take_unit_or_square(words, names, setting.battle) or (
            take_unit(words, names) if found else expect("unit or square", words, names)
        )
        if taken is None:
            break
        found.append(taken[0])
        words = skip(taken[1], "to", "at", "on")
    if not found:
        raise Missing("words", f"Type a unit or a square: {', '.join(names)}, or a square such as D4.")
    return found


def _named_ends(words: Words, setting: Setting) -> Sequence[str]:
    """Parses two units or squares by name; of one alone the other is the acting unit, "" for none."""
    ends = [end.name if isinstance(end, Square) else end for end in _ends(words, setting)]
    return ends if len(ends) == 2 else [setting.actor, ends[0]]


def _attack(words: Words, setting: Setting) -> tuple[Attack, Share]:
    """Parses an attack and the split of its hits."""
    heard = read_attack(split_dice(words)[0], setting)
    assert isinstance(heard.command, Attack)
    return heard.command, share_of(heard.answers)


def _question(attack: Attack, share: Share) -> OddsQuery:
    aim = attack.square.name if attack.square else attack.target
    return OddsQuery(attack.unit, aim, attack.weapon, attack.action, share=share)


def _typed(action: Action) -> str:
    """The command of a move or another action: "act overwatch-one on … with …"."""
    if action.kind == "move":
        return f"move … by {action.id}"
    on = " at …" if action.target == SQUARE else " on …" if action.target else ""
    return f"act {action.id}{on}{' with …' * bool(action.declares)}"


def _price(option: Option[Command] | MoveOption, unit: Unit, rules: Ruleset) -> str:
    """Describes what an option costs, or what is left of a move that is paid for; or why it is not possible now."""
    if option.refusal:
        return f"unavailable: {clause(brief(option.refusal))}"
    if isinstance(option, MoveOption) and option.strides[0].is_paid:
        return f"{squares(unit.turn.stride)} left"
    return price_words(option.cost, rules) or "free"


def _refused(shot: AttackPreview) -> str:
    return f" Unavailable: {shot.refusal}" if shot.refusal and shot.ledger.is_possible else ""


FORMS = (
    Form("= [UNIT|SQUARE] [UNIT|SQUARE]", "describe a unit, a square or a shot", read=read_say,
         also=("describe", "say")),
    Form("odds [UNIT] UNIT|SQUARE [ATTACK] [with WEAPON]", "list every modifier and every chance of a shot",
         read=read_odds, also=("receipt",)),
    Form("scatter [UNIT] SQUARE [with WEAPON] [hit PERCENT]",
         "show where a throw may land and who is at risk; “hit” replaces the chance to land as aimed",
         read=read_scatter),
    Form("sight [UNIT|SQUARE] UNIT|SQUARE", "show the line of sight between two units or squares, step by step",
         read=read_sight, like=("los", "see")),
    Form("covers [UNIT] UNIT|SQUARE", "show the line of sight close up, and what covers each point of the target",
         read=read_covers),
    Form("view [UNIT]", "show everything that a unit sees", read=read_view, also=("sees",), like=("see",)),
    Form("reach [UNIT] [SQUARE]", "list the squares in reach, or the cost of a path and the reactions that it provokes",
         read=read_reach),
    Form("actions [UNIT]", "list a unit's actions, and why some are unavailable", read=read_actions,
         like=("action",)),
    Form("units [UNITS]", "describe all units, or these", read=read_units, also=("status",),
         like=("state", "list", "unit", "where")),
    Form("who [has WEAPON]", "list the units that carry a weapon; alone: the turn order",
         read=partial(read_who, "who")),
    Form("find WEAPON", "list the units that carry a weapon: find grenade", read=partial(read_who, "find")),
    Form("map", "draw the map in plain text", read=read_map, also=("look",), like=("board",)),
    Form("log [NUMBER]", "list the latest events", read=read_log),
    Form("rules [RULE]", "look up a rule, or the rules that have a word; alone: the whole rule book: rules cover",
         read=read_rules, takes_any=True, also=("rule",), like=("rulebook", "book", "manual", "lookup")),
    Form("rulings", "list rulings with their values, and modifiers that the chapter does not have", read=read_rulings),
)  # fmt: skip
