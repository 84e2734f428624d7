"""What the GM decides about the rules: the ledger, rulings, cover, which reactions are asked for."""

from __future__ import annotations

from engine.battle.battle import Battle
from engine.battle.commands import Command
from engine.battle.commands.rulings import Adjust, ClearAdjustments, SetCover, SetPolicy, SetRuling
from engine.battle.pinned import ASK, POLICIES
from engine.battle.table.policies import TOLD, policy_kinds
from engine.battle.table.rulings import told_ruling
from engine.errors import BattleboardError, Illegal, Unknown
from tui.commands.forms import Form
from tui.commands.naming import Missing, Words, expect, names_of, no_more, skip, take, take_whole, unit_names
from tui.commands.results import Setting, Told
from tui.reports.output import table
from tui.typed import parse_adjustment, parse_ruling
from tui.typed_table import parse_cover

USUAL = "usual"
ALL_KINDS = "every reaction and defence"
RULE = (
    "What is said of a unit counts before its side, and of either what is said of a kind before all kinds.",
    "By itself, the best is taken: of defences the one most likely to stop the attack, then the cheapest; a reaction "
    "attacks in the way most likely to hit.",
)


def read_gm(words: Words, setting: Setting) -> Command:
    """ "gm +10 high ground", "gm 3 off": a change to the next attack's ledger; a last ! keeps it."""
    return parse_adjustment(" ".join(words), setting.ledger, setting.battle)


def read_ruling(words: Words, setting: Setting) -> Command:
    """ "ruling smoke-blinds yes": decided otherwise, for this battle."""
    rules = setting.rules
    known = names_of((ruling.id, ruling.label) for ruling in rules.rulings.values())
    name, words = expect(f"ruling of {rules.name}", words, known)
    return parse_ruling(" ".join(words), rules.rulings[name])


def read_cover(words: Words, setting: Setting) -> Command:
    """ "cover bandit none", "cover todd bandit 75 heavy!", "cover bandit seen": of a target, from whoever attacks."""
    names = unit_names(setting.battle)
    first, words = expect("unit", words, names)
    second = take(skip(words, "from"), names)
    if second is None:
        if not setting.actor:
            raise Illegal("words", "Say from whom, then who is covered: cover todd bandit half.")
        return parse_cover(" ".join(words), setting.actor, first)
    return parse_cover(" ".join(second[1]), first, second[0])


def read_policy(words: Words, setting: Setting) -> Command | Told:
    """ "policy", "policy dodge auto", "policy bandit dodge off", "policy law auto", "policy bandit dodge usual"."""
    battle, rules = setting.battle, setting.rules
    if not words:
        return Told("Reactions and defences", tuple(policy_words(setting)))
    *said, how = words
    if how.casefold() not in (*POLICIES, USUAL):
        try:
            read_policy([*words, USUAL], setting)
        except BattleboardError:
            raise Unknown("policy", how, (*POLICIES, USUAL)) from None
        raise Missing("words", f"Say how: {', '.join((*POLICIES, USUAL))}.")
    kinds = names_of(policy_kinds(rules).items())
    units, sides = unit_names(battle), names_of((unit.side, unit.side) for unit in battle.units.values())
    left: Words = skip(said, "all", "everybody")
    unit = side = kind = ""
    if left and not ((whole := take_whole(left, kinds)) and not whole[1]):
        if found := take_whole(left, units) or (None if take_whole(left, sides) else take(left, units)):
            unit, left = found
        elif found := take(left, sides):
            side, left = found
    if left:
        kind, left = expect("reaction or defence", left, kinds)
    no_more(left)
    return SetPolicy("" if how.casefold() == USUAL else how.casefold(), kind, unit, side)


def policy_words(setting: Setting) -> list[str]:
    """Every kind with what holds of it, and the rule by which it holds."""
    kinds = policy_kinds(setting.rules)
    if not kinds:
        return [f"{setting.rules.name} has neither reactions nor defences."]
    rows = [(kind, label, policy_now(setting.battle, kind)) for kind, label in kinds.items()]
    return [*table([*rows, ("", ALL_KINDS, policy_now(setting.battle, ""))]), "", *RULE]


def policy_now(battle: Battle, kind: str) -> str:
    """What is said of a kind, "" for all of them: of everybody, then of sides and units."""
    said = {policy.about: policy.how for policy in battle.gm.policies if policy.kind == kind}
    for_all = said.pop((kind, "", ""), None)
    whose = [
        f"{battle.units[unit].name if unit in battle.units else side}: {TOLD[how]}"
        for (_, unit, side), how in said.items()
    ]
    usual = [TOLD[for_all or ASK]] if for_all or kind else []
    return "; ".join([*usual, *whose])


def write_gm(command: Adjust | ClearAdjustments, setting: Setting) -> str:
    if isinstance(command, ClearAdjustments):
        return "" if command.entries else "gm clear"
    changed, entries = command.adjustment, setting.ledger.entries if setting.ledger else ()
    line = next((f"{place} " for place, entry in enumerate(entries, 1) if entry.id == changed.entry), "")
    value = ("on" if changed.active else "off") if changed.value is None else f"{float(changed.value):+g}"
    return f"gm {line}{value} {changed.note}".rstrip() + "!" * changed.is_pinned


def write_cover(command: SetCover, setting: Setting) -> str:
    who = f"cover {command.attacker} {command.target}"
    if command.covered is None:
        return f"{who} seen"
    percent = command.covered * 100
    return "" if percent.denominator > 1 else f"{who} {percent} {command.material}{'!' * command.is_pinned}"


def write_policy(policy: SetPolicy, setting: Setting) -> str:
    return " ".join(filter(None, ("policy", policy.unit or policy.side, policy.kind, policy.how or USUAL)))


FORMS = (
    Form("gm NUMBER WHY | LINE off|on|NUMBER | clear", "change the ledger of the next attack; a last ! keeps it",
         (Adjust, ClearAdjustments), read_gm, write_gm),
    Form("ruling RULING VALUE", "decide a ruling otherwise, for this battle", (SetRuling,), read_ruling,
         lambda command, setting: f"ruling {command.ruling} {told_ruling(command.value)}"),
    Form("cover [UNIT] UNIT none|quarter|half|most|full|NUMBER|seen [light|medium|heavy]",
         "how well the second is covered from the first; a last ! keeps it", (SetCover,), read_cover, write_cover),
    Form("policy [UNIT|SIDE] [REACTION|DEFENCE] off|ask|auto|usual",
         "which reactions and defences are asked for, never taken, taken by themselves; alone: a list", (SetPolicy,),
         read_policy, write_policy, ("policies",)),
)  # fmt: skip
