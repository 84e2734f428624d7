"""Commands for modifiers, rulings, cover and policies."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import count

from engine.battle.command import Command
from engine.battle.commands.ruling_commands import Adjust, ClearAdjustments, SetCover, SetPolicy, SetRuling
from engine.battle.policies import policy_kinds
from engine.battle.state.battle import Battle
from engine.battle.state.gm_overrides import ASK, MATERIALS, POLICIES
from engine.battle.wording import POLICY_WORDS, ruling_words
from engine.errors import BattleboardError, Illegal, Unknown
from engine.rules.ledger import Adjustment, Ledger
from engine.rules.rulings import Ruling
from engine.text import clean, side_name
from tui.application.commands.amounts import MOST_TYPED, NUMBER
from tui.application.commands.forms import Form
from tui.application.commands.naming import (
    Missing,
    Words,
    expect,
    names_of,
    no_more,
    skip,
    take,
    take_unit,
    take_whole,
    unit_names,
)
from tui.application.commands.own_characters import side_names
from tui.application.commands.results import Setting, TextResult
from tui.application.commands.vocabulary import examples
from tui.application.terminal.output import table

USUAL = "usual"
MIXED = "mixed"
ALL_KINDS = "every reaction and defence"
RULE = (
    "A unit's policy overrides that of its side; at each level, the policy for one kind overrides the policy for all "
    "kinds.",
    "“auto” takes the best: the defence most likely to stop the attack, then the cheapest; a reaction uses the "
    "attack most likely to hit.",
)
NOTE_CELLS = 60
SIGNED = re.compile(r"([+\-−])\s*(\d{1,4}(?:\.\d{1,2})?)")
SHARES = {
    "none": Fraction(0),
    "quarter": Fraction(1, 4),
    "half": Fraction(1, 2),
    "most": Fraction(3, 4),
    "full": Fraction(1),
    "total": Fraction(1),
}
"""Words for degrees of cover; rulesets may let "full" be less than total."""
PERCENT = re.compile(r"(\d{1,3})\s*%?")


def parse_adjustment(text: str, ledger: Ledger | None, battle: Battle) -> Adjust | ClearAdjustments:
    """Parses a change to the modifiers of the next attack.

    "+10 high ground" adds a line, "3 off" switches line 3 off and "3 on" on again, "3 -5 note" gives it another value;
    "half cover off" names the line. "clear" takes all changes back. A "!" at the end pins it for later attacks too.

    Raises:
        Illegal: anything else, or a line that is not there.
        Unknown: no line is called that; the message names the nearest.
    """
    text = clean(text, 200)
    if text == "clear":
        return ClearAdjustments()
    is_pinned = text.endswith("!")
    text = text.removesuffix("!").strip()
    if added := SIGNED.match(text):
        note = clean(text[added.end() :], NOTE_CELLS)
        taken = {held.entry for held in battle.gm.adjustments}
        entry = next(f"gm-{number}" for number in count(1) if f"gm-{number}" not in taken)
        return Adjust(Adjustment(entry, note or "GM", _value(added), True, note, is_pinned))
    line, rest = _named_line(text, ledger) or text.partition(" ")[::2]
    last = len(ledger.entries) if ledger else 0
    about_line = SIGNED.match(rest.strip()) or rest.strip() in ("off", "on", "")
    if NUMBER.fullmatch(line) and not about_line:  # "10 high ground" is +10, not line 10
        return parse_adjustment(f"+{text}{'!' * is_pinned}", ledger, battle)
    if not line.isdecimal():
        raise (Illegal if text else Missing)(
            "gm", f"Type a modifier and a reason, such as “+10 high ground”{_lines(last)}."
        )
    if ledger is None or not 1 <= int(line) <= last:
        none = "no attack has a target now" if not last else f"the attack has {_numbers(last)}"
        raise Illegal("gm", f"There is no modifier {line}: {none}. “+10 high ground” adds one.")
    changed = ledger.numbered[int(line) - 1]
    rest = rest.strip()
    if rest in ("off", "on"):
        return Adjust(Adjustment(changed.id, changed.label, None, rest == "on", "", is_pinned))
    if value := SIGNED.match(rest):
        note = clean(rest[value.end() :], NOTE_CELLS)
        return Adjust(Adjustment(changed.id, changed.label, _value(value), True, note, is_pinned))
    raise Illegal("gm", f"Modifier {line} can be “off”, “on”, or get a value such as “{line} -5 why”.")


def _named_line(text: str, ledger: Ledger | None) -> tuple[str, str] | None:
    """The number of the line that a text begins with by name, and the rest; None if it does not change a line."""
    words = re.sub(r'["“”]', "", text).split()
    ends = next((place for place, word in enumerate(words) if word in ("off", "on") or SIGNED.match(word)), 0)
    if not ends or words[0][0].isdecimal():
        return None
    if not ledger:
        line = " ".join(words[:ends])
        raise Illegal(
            "gm", f"There is no modifier “{line}”: no attack has a target now. “odds ATTACKER TARGET” sets one."
        )
    entries = ledger.numbered
    names = names_of((str(place), one.label) for place, one in enumerate(entries, 1))
    names = {line: (*called, *(one.replace("-", " ") for one in called)) for line, called in names.items()}
    unknown = Unknown("modifier", " ".join(words[:ends]), [one.label for one in entries])
    labels = {place: called[1:] for place, called in names.items()}
    said = words[:ends] if take_whole(words[:ends], labels) else " ".join(words[:ends]).replace("-", " ").split()
    try:
        line, left = expect("modifier", said, labels)
    except Unknown:
        raise unknown from None
    if left:
        raise unknown
    return line, " ".join(words[ends:])


def _lines(last: int) -> str:
    """Describes how to change a ledger's lines, or to clear the changes."""
    line = f"; change {_numbers(last)} with “1 off”, “1 on” or “1 -5 why”" if last else ""
    return f"{line}; “clear” removes all changes"


def _numbers(last: int) -> str:
    return "modifier 1" if last == 1 else f"modifiers 1 to {last}"


def _value(match: re.Match[str]) -> int | Fraction:
    number = Fraction(match[2])
    number = -number if match[1] in "-−" else number
    return int(number) if number.denominator == 1 else number


def parse_ruling(text: str, ruling: Ruling) -> SetRuling:
    """Parses a ruling's value: yes or no, a whole number, or a word.

    Raises:
        Illegal: it is not of that kind.
    """
    if not text:
        raise Missing("ruling", f"Type a value for “{ruling.label}”.")
    if isinstance(ruling.value, str):
        return SetRuling(ruling.id, text)
    if isinstance(ruling.value, bool):
        if text.casefold() not in ("yes", "no"):
            raise Illegal("ruling", f"“{ruling.label}” is yes or no, not {text}.")
        return SetRuling(ruling.id, text.casefold() == "yes")
    sign = text.replace("−", "-")
    if not sign.removeprefix("-").isdecimal() or len(sign) > 9:
        raise Illegal("ruling", f"“{ruling.label}” is a whole number, not {text}.")
    return SetRuling(ruling.id, int(sign))


def parse_cover(text: str, attacker: str, target: str, full: Fraction = SHARES["full"]) -> SetCover:
    """Parses cover: "none", "half", "75 heavy", "full"; "seen" restores the traced cover; a final "!" pins it.

    Args:
        text: what was typed.
        attacker, target: ids of the two.
        full: the share of the body that the ruleset's full cover is.

    Raises:
        Illegal: not of that form.
    """
    text = clean(text, MOST_TYPED).lower()
    is_pinned = text.endswith("!")
    words = text.removesuffix("!").split()
    if words == ["seen"]:
        return SetCover(attacker, target, None)
    share, *rest = words or [""]
    percent = PERCENT.fullmatch(share)
    covered = (SHARES | {"full": full}).get(share, Fraction(int(percent[1]), 100) if percent else None)
    material = rest[0] if rest else "medium"
    if covered is None or len(rest) > 1 or material not in MATERIALS:
        known = ", ".join(SHARES)
        raise (Illegal if words else Missing)(
            "cover", f"Type {known} or a percentage, then light, medium or heavy; or “seen”."
        )
    return SetCover(attacker, target, covered, material, is_pinned)


def read_gm(words: Words, setting: Setting) -> Command:
    """ "gm +10 high ground", "gm 3 off": a change to the next attack's ledger; a last ! keeps it."""
    return parse_adjustment(" ".join(words), setting.ledger, setting.battle)


def read_ruling(words: Words, setting: Setting) -> Command:
    """ "ruling smoke-blinds yes": a changed ruling for this battle."""
    rules = setting.rules
    known = names_of((ruling.id, ruling.label) for ruling in rules.rulings.values())
    known = {name: (*called, name.replace("_", "-")) for name, called in known.items()}
    name, words = expect(f"ruling of {rules.name}", words, known)
    return parse_ruling(" ".join(words), rules.rulings[name])


def read_cover(words: Words, setting: Setting) -> Command:
    """ "cover bandit none", "cover todd bandit 75 heavy!", "cover bandit seen": a target's cover."""
    names = unit_names(setting.battle)
    first, words = expect("unit", words, names)
    said = skip(words, "from")  # a digit is an amount of cover
    second = take(said, names) if said and said[0].isdecimal() else take_unit(said, names)
    if second is None:
        if not setting.actor:
            raise Illegal(
                "words",
                "Type the attacker, then the covered unit: cover {unit} {other} half.".format(**examples(setting)),
            )
        return parse_cover(" ".join(words), setting.actor, first, setting.rules.space.full_cover)
    return parse_cover(" ".join(second[1]), first, second[0], setting.rules.space.full_cover)


def read_policy(words: Words, setting: Setting) -> Command | TextResult:
    """ "policy", "policy dodge auto", "policy bandit dodge off", "policy law auto", "policy bandit dodge usual"."""
    battle, rules = setting.battle, setting.rules
    if not words:
        return TextResult("Reactions and defences", tuple(policy_words(setting)))
    *said, how = words
    if how.casefold() not in (*POLICIES, USUAL):
        try:
            read_policy([*words, USUAL], setting)
        except BattleboardError:
            raise Unknown("policy", how, (*POLICIES, USUAL)) from None
        raise Missing("words", f"Type a policy: {', '.join((*POLICIES, USUAL))}.")
    kinds = names_of(policy_kinds(rules).items())
    units, sides = unit_names(battle), side_names(unit.side for unit in battle.units.values())
    left: Words = skip(said, "all", "everybody")
    unit = side = kind = ""
    if left and not ((whole := take_whole(left, kinds)) and not whole[1]):
        if found := take_whole(left, units) or (None if take_whole(left, sides) else take_unit(left, units)):
            unit, left = found
        elif found := take(left, sides):
            side, left = found
    if left:
        kind, left = expect("reaction or defence", left, kinds)
    no_more(left)
    return SetPolicy("" if how.casefold() == USUAL else how.casefold(), kind, unit, side)


def policy_words(setting: Setting) -> list[str]:
    """Lists all kinds with their policies, and the order of precedence."""
    kinds = policy_kinds(setting.rules)
    if not kinds:
        return [f"{setting.rules.name} has no reactions or defences."]
    rows = [(kind, label, policy_now(setting.battle, kind)) for kind, label in kinds.items()]
    return [*table([*rows, ("", ALL_KINDS, policy_now(setting.battle, ""))]), "", *RULE]


def policy_now(battle: Battle, kind: str) -> str:
    """Describes the policies of a kind, "" for all kinds: for all units, then for sides and units."""
    said = {policy.about: policy.how for policy in battle.gm.policies if policy.kind == kind}
    for_all = said.pop((kind, "", ""), None)
    whose = [
        f"{battle.units[unit].name if unit in battle.units else side_name(side)}: {POLICY_WORDS[how]}"
        for (_, unit, side), how in said.items()
    ]
    kinds = {policy.how for policy in battle.gm.policies if not (policy.unit or policy.side)} - {for_all or ASK}
    usual = POLICY_WORDS[for_all or ASK] if kind or not kinds else MIXED
    return "; ".join([usual, *whose])


def write_gm(command: Adjust | ClearAdjustments, setting: Setting) -> str:
    if isinstance(command, ClearAdjustments):
        return "" if command.entries else "gm clear"
    changed, entries = command.adjustment, setting.ledger.numbered if setting.ledger else ()
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
    Form("gm NUMBER WHY | LINE|NAME off|on|NUMBER | clear",
         "add or change a modifier of the next attack; end with ! to keep it",
         (Adjust, ClearAdjustments), read_gm, write_gm, key="battle.adjust",
         like=("modifier", "modifiers", "mod", "bonus", "malus", "penalty", "situational", "advantage")),
    Form("ruling RULING VALUE", "change a ruling for this battle", (SetRuling,), read_ruling,
         lambda command, setting: f"ruling {command.ruling} {ruling_words(command.value)}"),
    Form("cover [UNIT] UNIT none|quarter|half|most|full|total|NUMBER|seen [light|medium|heavy]",
         "set the cover of the second unit from the first: “full” is the best cover that can still be shot at, "
         "“total” hides all of the unit, “seen” restores the traced cover; end with ! to keep it",
         (SetCover,), read_cover, write_cover),
    Form("policy [UNIT|SIDE] [REACTION|DEFENCE] off|ask|auto|usual",
         "set reactions and defences to never, ask or automatic; alone: list the policies", (SetPolicy,),
         read_policy, write_policy, ("policies",)),
)  # fmt: skip
