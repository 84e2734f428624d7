"""Formulas of a ruleset in words: “the target is prone and not adjacent” for `target.posture == 'prone' and …`.

Only facts that the program knows and labels that the ruleset gives are named; a name with neither is read as its own
words. The words are for reading: what counts is the formula, which `rules --formulas` prints beside them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

from engine.dice.dice_text import number
from engine.rules.expressions import Expression, Template
from engine.rules.model import ATTACK, Effect, Ruleset
from engine.rules.syntax import YES_NO as YES_NO_KIND
from engine.text import is_plural

WHO = {
    "attacker": "the attacker",
    "target": "the target",
    "unit": "the unit",
    "reactor": "the enemy",
    "defender": "the defender",
}
RACERS = WHO["reactor"], WHO["unit"]
"""Who reacts and who acts, in the labels of a contest."""
WEAPONS = {
    "weapon": "the weapon",
    "target_weapon": "the target's weapon",
    "defender_weapon": "the defender's weapon",
}
NOUNS = {
    "round": "the round",
    "square": "the side of a square",
    "distance": "the distance",
    "distance_squares": "the distance in squares",
    "visible": "the target's visible part",
    "covered": "the target's cover",
    "square_covered": "the cover of the target's square",
    "sight": "the line of sight",
    "cover": "the covering object",
    "cover_material": "the protection of the covering object",
    "cover_damage": "the damage to the cover",
    "smoke": "the smoke on the line",
    "smoke_squares": "the number of squares with smoke on the line",
    "light": "the light at the target",
    "height_difference": "the height of the target above the attacker",
    "burst_share": "the share of the blast",
    "burst_zone": "the blast ring",
    "area_targets": "the number of targets in the area",
    "area_target_number": "the number of this target in the area",
    "attack_number": "the number of this attack in the turn",
    "defence": "the defence",
    "reaction": "the reaction",
    "allies_near_target": "the number of allies next to the target",
    "band": "the range band",
    "band_number": "the number of nearer range bands",
    "roll": "the roll",
    "total": "the total",
    "target_number": "the target number",
    "margin": "the margin",
    "grade": "the outcome",
    "strikes": "the number of hits",
    "strike_number": "the number of this hit",
    "rolled": "the initiative roll",
    "bonus": "the bonus",
    "fall_height": "the height of the fall",
    "action.id": "the action",
    "action.kind": "the kind of action",
    "action.times_taken": "the number of times the action was taken this turn",
}
OF_UNITS = {
    "id": "{who}",
    "moved": "{who}'s movement",
    "squares_from_start": "{who}'s distance from the start of the turn",
    "attacks": "the number of {who}'s attacks",
    "enemies_adjacent": "the number of enemies adjacent to {who}",
    "standing_enemies_adjacent": "the number of enemies adjacent to {who} and not prone",
    "melee_enemies": "the number of enemies in melee with {who}",
    "allies_adjacent": "the number of allies adjacent to {who}",
    "bearing": "the angle between {who}'s facing and the other unit",
    "charges_laid": "the number of {who}'s charges",
}
YES_NO = {
    "ranged": ("the attack is ranged", "the attack is not ranged"),
    "melee": ("the attack is melee", "the attack is not melee"),
    "thrown": ("the weapon is thrown", "the weapon is not thrown"),
    "adjacent": ("the two are adjacent", "the two are not adjacent"),
    "within_two_squares": ("the two are within two squares", "the two are not within two squares"),
    "clear": ("the line is clear", "the line is not clear"),
    "cover_window": ("the cover is a window", "the cover is not a window"),
    "outcome_changed": ("the outcome was changed", "the outcome was not changed"),
    "empty_target": ("the target is an empty square", "the target is a unit"),
    "indoors": ("the map is indoors", "the map is outdoors"),
    "hostile": ("the target is an enemy", "the target is not an enemy"),
    "success": ("the roll succeeds", "the roll fails"),
    "hit": ("the outcome is a hit", "the outcome is not a hit"),
}
YES_NO_OF_UNITS = {
    "moved_straight": ("has moved in a straight line", "has not moved in a straight line"),
    "in_melee": ("is next to an enemy", "is not next to an enemy"),
    "defeated": ("is out of the fight", "is in the fight"),
    "has_acted": ("has acted", "has not acted"),
    "turn_started": ("has started the turn", "has not started the turn"),
    "turn_skipped": ("loses the turn", "does not lose the turn"),
    "move_pending": ("has a move pending", "has no move pending"),
    "weapon_at_feet": ("has a weapon on its square", "has no weapon on its square"),
}
KINDS = {"ranged": "a ranged weapon", "melee": "a melee weapon", "thrown": "a thrown weapon"}
SHARES = ("visible", "covered", "square_covered", "burst_share")
COMPARED: Mapping[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("is", "is not"),
    ast.NotEq: ("is not", "is"),
    ast.Lt: ("is less than", "is at least"),
    ast.LtE: ("is at most", "is more than"),
    ast.Gt: ("is more than", "is at most"),
    ast.GtE: ("is at least", "is less than"),
    ast.In: ("is", "is not"),
    ast.NotIn: ("is not", "is"),
}
SIGNS: Mapping[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "−", ast.Mult: "×", ast.Div: "÷", ast.FloorDiv: "÷"}
SAME: Mapping[type[ast.cmpop], bool] = {ast.Eq: True, ast.NotEq: False}
MOST_WORDS = 480
"""Characters that a formula takes in words at most."""
LONG = "a long formula (--formulas prints it)"
MOST_ACTIONS = 3
"""Actions that are named for a flag that they set; a flag of more has its own name."""
BRACED = re.compile(r"\{([^{}]*)\}")
RUN_ON = re.compile(r"\](?=[a-z])")
"""A word right after a formula whose value ends with a blank, as in "{hides}behind"."""


class FormulaWords:
    """The words of one ruleset's formulas."""

    def __init__(self, rules: Ruleset, most: float = MOST_WORDS) -> None:
        """Words of a formula of more than `most` characters are left out."""
        units = rules.units
        self._rules = rules
        self._most = most
        self._conditions = {name: held.label for name, held in units.conditions.items()}
        self._has = {name: stat.label for name, stat in units.stats.items() if isinstance(stat.default, bool)}
        self._unit = {stat.id: stat.label for stat in units.stats.values()}
        self._unit |= {pool.id: pool.label for pool in units.pools.values()}
        self._unit |= {
            name: budget.label if budget.counts else f"{budget.label} left" for name, budget in units.budgets.items()
        }
        self._unit |= {name: one.label for name, one in units.derived.items()}
        self._has |= {name: one.label for name, one in units.derived.items() if one.value.kinds == YES_NO_KIND}
        self._own = {one.id: f"“{one.label}”" for one in rules.attack.facts}
        labels: dict[str, set[str]] = {}
        for effect in _effects(rules):
            for name in effect.makes():
                labels.setdefault(name, set()).add(effect.label)
        for name, several in labels.items():
            self._own.setdefault(name, f"“{_spaced(name) if len(several) > 1 else min(several)}”")
        self._flags: dict[str, list[str]] = {}
        for action in rules.actions.values():
            for flag, value in action.flags.items():
                if value is True:
                    self._flags.setdefault(flag, []).append(action.label)
        actions = {action.id: f"“{action.label}”" for action in rules.actions.values()}
        self._labels: dict[str, Mapping[str, str]] = {
            "band": {band.id: band.label for table in rules.attack.bands for band in table.bands},
            "grade": {grade.id: f"“{grade.label}”" for grade in rules.attack.grades},
            "defence": {one.id: f"“{one.label}”" for one in rules.attack.defences},
            "reaction": {one.id: f"“{one.label}”" for one in rules.turns.reactions},
            "burst_zone": {zone.id: zone.label for zone in rules.space.zones},
            "action.id": actions,
        }
        for whose in WEAPONS:
            self._labels[f"{whose}.id"] = {one.id: one.label for one in rules.gear.weapons.values()}
            self._labels[f"{whose}.kind"] = KINDS
        for who in WHO:
            self._labels[f"{who}.altitude_band"] = {band.id: band.label for band in rules.space.altitudes}
            for held in units.conditions.values():
                if held.about == ATTACK:
                    self._labels[f"{who}.{held.id}_on"] = actions

    @staticmethod
    def always(formula: Expression) -> bool | None:
        """Whether a condition is always or never true; None where that depends on facts."""
        tree = _tree(formula.text)
        return bool(tree.value) if isinstance(tree, ast.Constant) else None

    def amount(self, formula: Expression, called: Callable[[int], str], sign: int) -> str:
        """What a price takes (`sign` 1) or gives (−1) of what is `called` so: "1 action if …"; "" for nothing."""
        node = _signed_part(_tree(formula.text), sign)
        match node:
            case ast.Constant(0):
                return ""
            case ast.Constant(int(many)):
                return f"{many} {called(many)}"
            case ast.IfExp(test, ast.Constant(int(many)), ast.Constant(0)) if many:
                words = f"{many} {called(many)} if {self._yes_no(test, False)}"
            case ast.IfExp(test, ast.Constant(0), ast.Constant(int(many))):
                words = f"{many} {called(many)} if {self._yes_no(test, True)}"
            case _:
                words = f"{called(2)}: {self._value(node)}"
        return words if len(words) <= self._most else f"{called(2)}: {LONG}"

    def condition(self, formula: Expression) -> str:
        """When it is true, as “the attack is ranged and the weapon is not thrown”."""
        words = self._yes_no(_tree(formula.text), False)
        return words if len(words) <= self._most else LONG

    def value(self, formula: Expression) -> str:
        """Its value in words."""
        words = self._value(_tree(formula.text))
        return words if len(words) <= self._most else LONG

    def template(self, text: Template) -> str:
        """A text with its formulas in words, in square brackets; a choice of words as `one / the other`."""
        said = BRACED.sub(lambda brace: self._in_text(_tree(brace[1])), text.text)
        return RUN_ON.sub("] ", said)

    def _in_text(self, node: ast.expr) -> str:
        words = list(dict.fromkeys(_choices(node)))
        if not words:
            return f"[{self._value(node)}]"
        plural = [word for word in words if any(word in _plurals(other) for other in words if other != word)]
        return plural[0] if len(words) == 2 and plural else " / ".join(filter(None, words))

    def _value(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(bool(given)):
                return "yes" if given else "no"
            case ast.Constant(str(given)):
                return given or "nothing"
            case ast.Constant(given):
                return number(given) if isinstance(given, int) else str(given)
            case ast.Name() | ast.Attribute():
                return self._noun(ast.unparse(node))
            case ast.UnaryOp(ast.USub(), operand):
                return f"−{self._term(operand)}"
            case ast.BinOp(ast.Constant(100), ast.Mult(), ast.Name(share)) if share in SHARES:
                return f"{self._noun(share)} in percent"
            case ast.BinOp(left, ast.Mod(), right):
                return f"the remainder of {self._term(left)} ÷ {self._term(right)}"
            case ast.BinOp(left, sign, right):
                whole = f"{self._term(left, sign)} {SIGNS[type(sign)]} {self._term(right)}"
                return f"{whole}, rounded down" if isinstance(sign, ast.FloorDiv) else whole
            case ast.IfExp(test, body, orelse):
                return f"{self._value(body)} if {self._yes_no(test, False)}, else {self._value(orelse)}"
            case ast.Call(ast.Name(name), arguments):
                return self._call(name, [self._value(one) for one in arguments])
        return self._yes_no(node, False)

    def _term(self, node: ast.expr, before: ast.operator | None = None) -> str:
        """A part of a sum or product, in brackets where it would be misread without."""
        is_sum = isinstance(before, ast.Add | ast.Sub)
        is_same = isinstance(node, ast.BinOp) and is_sum and not isinstance(node.op, ast.FloorDiv | ast.Mod)
        is_plain = isinstance(node, ast.Constant | ast.Name | ast.Attribute) or is_same
        return self._value(node) if is_plain else f"({self._value(node)})"

    @staticmethod
    def _call(name: str, given: list[str]) -> str:
        match name:
            case "min":
                return f"the lowest of {_listed(given, 'and')}"
            case "max":
                return f"the highest of {_listed(given, 'and')}"
            case "floor":
                return f"{given[0]}, rounded down"
            case "ceil":
                return f"{given[0]}, rounded up"
            case "round_half_up":
                return f"{given[0]}, rounded"
            case "abs" | "percent":
                return given[0]
            case "least" | "most":
                return f"the {'lowest' if name == 'least' else 'highest'} total of {given[0]}"
            case "smaller":
                return f"{given[0]} with dice one step smaller"
        return f"{given[0]} with its digits {name}"

    def _yes_no(self, node: ast.expr, is_denied: bool) -> str:
        match node:
            case ast.Constant(given):
                return "always" if bool(given) != is_denied else "never"
            case ast.UnaryOp(ast.Not(), operand):
                return self._yes_no(operand, not is_denied)
            case ast.BoolOp(sign, parts):
                is_all = isinstance(sign, ast.And) != is_denied
                words = list(self._parts(parts, is_denied))
                return f" {'and' if is_all else 'or'} ".join(words)
            case ast.Compare(left, signs, rights):
                lefts = [left, *rights[:-1]]
                joined = " or " if is_denied else " and "
                return joined.join(
                    self._compared(one, sign, other, is_denied)
                    for one, sign, other in zip(lefts, signs, rights, strict=True)
                )
            case ast.IfExp(test, body, orelse):
                words = [self._part(one, is_denied) for one in (body, orelse)]
                return f"{words[0]} if {self._yes_no(test, False)}, else {words[1]}"
            case ast.Name() | ast.Attribute():
                return self._fact(ast.unparse(node), is_denied)
        return f"{self._value(node)} is {'0' if is_denied else 'not 0'}"

    def _parts(self, nodes: Sequence[ast.expr], is_denied: bool) -> Iterator[str]:
        """Parts of an “and” or an “or”; a condition and what it is about as in the log: is “braced” (the weapon)."""
        rest = [*nodes]
        while rest:
            node = rest.pop(0)
            match node, rest[:1]:
                case ast.Attribute(ast.Name(who), held), [
                    ast.Compare(ast.Attribute(ast.Name(same), about), [ast.Eq()], [other])
                ] if (
                    who == same and who in WHO and held in self._conditions and about == f"{held}_on" and not is_denied
                ):
                    del rest[0]
                    yield f"{self._yes_no(node, False)} ({self._option(f'{who}.{about}', other)})"
                case _:
                    yield self._part(node, is_denied)

    def _part(self, node: ast.expr, is_denied: bool) -> str:
        inner = node
        while isinstance(inner, ast.UnaryOp) and isinstance(inner.op, ast.Not):
            inner = inner.operand
        words = self._yes_no(node, is_denied)
        return f"({words})" if isinstance(inner, ast.BoolOp | ast.IfExp) else words

    def _compared(self, left: ast.expr, sign: ast.cmpop, right: ast.expr, is_denied: bool) -> str:
        name = ast.unparse(left)
        words = COMPARED[type(sign)][is_denied]
        options = right.elts if isinstance(right, ast.Tuple) else [right]
        given = [self._option(name, one) for one in options]
        owner, _, fact = name.rpartition(".")
        noun = WHO[owner] if fact == "posture" and owner in WHO else self._value(left)
        if fact == "kind" and owner in WEAPONS:
            noun = WEAPONS[owner]
        held = self._conditions.get(fact.removesuffix("_on"), "") if fact.endswith("_on") and owner in WHO else ""
        if held and given != ["nothing"]:
            given = [one for one in given if one != "nothing"]
            verb = "applies to" if words == "is" else "does not apply to"
            return f"{WHO[owner]}'s “{held}” {verb} {_listed(given, 'or')}"
        if given == ["nothing"]:
            return f"{noun} is {'not ' if words == 'is not' else ''}empty"
        if words.startswith("is") and is_plural(noun) and re.fullmatch(r"[^×÷+−]*[a-z]{4}", noun):
            words = f"are{words[2:]}"
        return f"{noun} {words} {_listed(given, 'or')}"

    def _option(self, name: str, node: ast.expr) -> str:
        """What a fact is compared with: by its label where it names something, a share in per cent."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return self._labels.get(name, {}).get(node.value) or node.value or "nothing"
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and name in SHARES:
            return f"{number(Fraction(str(node.value)) * 100)} %"
        return self._value(node)

    def _noun(self, name: str) -> str:
        owner, _, fact = name.rpartition(".")
        if name in NOUNS:
            return NOUNS[name]
        if owner == "ruling" and fact in self._rules.rulings:
            return f"the ruling “{self._rules.rulings[fact].label}”"
        if owner in WEAPONS:
            return WEAPONS[owner] if fact == "id" else f"{WEAPONS[owner]}'s {_spaced(fact)}"
        if owner in WHO:
            return self._of_unit(WHO[owner], fact)
        if owner == "action":
            return f"the action's “{_spaced(fact)}”"
        return self._own.get(name) or YES_NO.get(name, (_spaced(name), ""))[0]

    def _of_unit(self, who: str, fact: str) -> str:
        if fact in OF_UNITS:
            return OF_UNITS[fact].format(who=who)
        for ending, words in (
            ("_on", "the subject of {who}'s “{label}”"),
            ("_left", "the rounds left of {who}'s “{label}”"),
            ("_by", "the number of units “{label}” against {who}"),
            ("_bearing", "the angle between {who}'s “{label}” square and the other unit"),
            ("_distance", "the distance between {who}'s “{label}” square and the other unit"),
        ):
            label = self._conditions.get(fact.removesuffix(ending))
            if fact.endswith(ending) and label:
                return words.format(who=who, label=label)
        return f"{who}'s {self._unit.get(fact) or _spaced(fact)}"

    def _fact(self, name: str, is_denied: bool) -> str:
        owner, _, fact = name.rpartition(".")
        if name in YES_NO:
            return YES_NO[name][is_denied]
        no = " not" if is_denied else ""
        if owner in WHO:
            if fact in YES_NO_OF_UNITS:
                return f"{WHO[owner]} {YES_NO_OF_UNITS[fact][is_denied]}"
            if fact in self._conditions:
                return f"{WHO[owner]} is{no} “{self._conditions[fact]}”"
            if fact in self._has:
                return f"{WHO[owner]} {'does not have' if is_denied else 'has'} “{self._has[fact]}”"
        if owner in WEAPONS:
            return f"{WEAPONS[owner]} {'does not have' if is_denied else 'has'} the trait “{_spaced(fact)}”"
        if owner == "action":
            labels = self._flags.get(fact, [])
            named = [f"“{label}”" for label in labels] if 0 < len(labels) <= MOST_ACTIONS else [f"“{_spaced(fact)}”"]
            return f"the action is{no} {_listed(named, 'or')}"
        if name in self._own:
            return f"{self._own[name]} {'does not apply' if is_denied else 'applies'}"
        return f"{self._noun(name)} is {'no' if is_denied else 'yes'}"


def _tree(text: str) -> ast.expr:
    """A formula's tree, without what a template has settled: `'ap' != 'hp' and unit.prone` is `unit.prone`."""
    found: ast.expr = _Folded().visit(ast.parse(text.strip().replace("\n", " "), mode="eval").body)
    return found


class _Folded(ast.NodeTransformer):
    """Puts true or false for a comparison of two constants, and leaves out what that settles."""

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Compare(ast.Constant(left), [sign], [ast.Constant(right)]) if type(sign) in SAME:
                return ast.Constant((left == right) is SAME[type(sign)])
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        is_and = isinstance(node.op, ast.And)
        if any(isinstance(one, ast.Constant) and bool(one.value) is not is_and for one in node.values):
            return ast.Constant(not is_and)
        node.values = [one for one in node.values if not isinstance(one, ast.Constant)]
        if len(node.values) < 2:
            return node.values[0] if node.values else ast.Constant(is_and)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.UnaryOp(ast.Not(), ast.Constant(given)):
                return ast.Constant(not given)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        was = node.right
        self.generic_visit(node)
        match node:
            case ast.BinOp(left, ast.Add() | ast.Sub(), ast.Constant(0)) if node.right is not was:
                return left
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return node


def _signed_part(node: ast.expr, sign: int) -> ast.expr:
    """What a formula takes (`sign` 1) or gives (−1), 0 where it does the other; one that may do both takes."""
    match node:
        case ast.Constant(int(given)):
            return ast.Constant(max(0, sign * given))
        case ast.UnaryOp(ast.USub(), operand):
            return _signed_part(operand, -sign)
        case ast.IfExp(test, body, orelse):
            parts = [_signed_part(one, sign) for one in (body, orelse)]
            is_same = ast.dump(parts[0]) == ast.dump(parts[1])
            return parts[0] if is_same else ast.IfExp(test, *parts)
    return node if sign > 0 else ast.Constant(0)


def _choices(node: ast.expr) -> Iterator[str]:
    """The words between which a formula in a text chooses; none where it is something else."""
    match node:
        case ast.IfExp(_, body, orelse):
            found = [[*_choices(one)] for one in (body, orelse)]
            if all(found):
                yield from (word for words in found for word in words)
        case ast.Constant(str(given)):
            yield given


def _effects(rules: Ruleset) -> Iterator[Effect]:
    """Every effect of a ruleset, those after an attack's roll first."""
    yield from rules.attack.effects
    for defence in rules.attack.defences:
        yield from defence.effects
    for action in rules.actions.values():
        yield from action.effects
    for reaction in rules.turns.reactions:
        yield from (*reaction.race_between(*RACERS), *reaction.effects)
    for trigger in rules.turns.triggers:
        yield from trigger.effects


def _plurals(word: str) -> tuple[str, ...]:
    return (f"{word}s", f"{word.removesuffix('y')}ies") if word else ()


def _listed(words: list[str], last: str) -> str:
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else words[0]


def _spaced(name: str) -> str:
    return name.replace("_", " ")
