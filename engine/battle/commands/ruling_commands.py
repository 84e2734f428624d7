"""GM decisions about the rules: modifiers, rulings, cover, policies of reactions and defences."""

from __future__ import annotations

from fractions import Fraction

from engine.battle import events as ev
from engine.battle.command import Command, Deciding, Events
from engine.battle.parameters import RulingId, SideId, UnitId
from engine.battle.policies import policy_kinds, policy_labels
from engine.battle.rulings_in_force import ruling_now
from engine.battle.state.gm_overrides import MATERIALS, POLICIES, CoverRuling, Policy
from engine.battle.wording import policy_words, ruling_words
from engine.errors import Illegal, Unknown
from engine.rules.ledger import Adjustment


class Adjust(Command, frozen=True, tag="adjust"):
    """The GM sets a modifier for the next attack."""

    adjustment: Adjustment

    def decide(self, now: Deciding) -> Events:
        return (ev.Adjusted(self.adjustment),)


class ClearAdjustments(Command, frozen=True, tag="clear-adjustments"):
    """Remove GM modifiers, pinned ones included."""

    entries: tuple[str, ...] = ()
    """Ids of the entries to clear; none means all."""

    def decide(self, now: Deciding) -> Events:
        battle = now.battle
        held = tuple(item.entry for item in battle.gm.adjustments if not self.entries or item.entry in self.entries)
        if not held:
            raise Illegal("ledger", "There are no GM modifiers to remove.")
        return (ev.AdjustmentsCleared(held),)


class SetRuling(Command, frozen=True, tag="set-ruling"):
    """The GM changes one of the ruleset's rulings for this battle."""

    ruling: RulingId
    value: bool | int | str

    def decide(self, now: Deciding) -> Events:
        battle, rules = now.battle, now.rules
        ruling = rules.rulings[self.ruling]
        if type(self.value) is not type(ruling.value):
            expected = {bool: "yes or no", int: "a whole number", str: "a word"}[type(ruling.value)]
            raise Illegal("ruling", f"“{ruling.label}” must be {expected}, not {ruling_words(self.value)}.")
        if ruling.choices and self.value not in ruling.choices:
            choices = ", ".join(map(ruling_words, ruling.choices))
            raise Illegal("ruling", f"“{ruling.label}” must be one of {choices}, not {ruling_words(self.value)}.")
        if type(self.value) is int and self.value % ruling.step:
            near = f"{self.value // ruling.step * ruling.step} or {(self.value // ruling.step + 1) * ruling.step}"
            raise Illegal("ruling", f"“{ruling.label}” goes in steps of {ruling.step}: {near}, not {self.value}.")
        before = ruling_now(battle, ruling)
        if before == self.value:
            raise Illegal("ruling", f"“{ruling.label}” is already {ruling_words(before)}.")
        return (ev.RulingSet(ruling.id, ruling.label, before, self.value),)


class SetCover(Command, frozen=True, tag="set-cover"):
    """The GM sets the cover of a target against an attacker; without a share, line of sight decides again."""

    attacker: UnitId
    target: UnitId
    covered: Fraction | None
    """Share of the body, 0 to 1."""
    material: str = "medium"
    is_pinned: bool = False

    def decide(self, now: Deciding) -> Events:
        battle = now.battle
        attacker, target = battle.unit(self.attacker), battle.unit(self.target)
        if attacker.id == target.id:
            raise Illegal("cover", f"{attacker.name} has no cover against itself.")
        held = battle.gm.cover_ruling(attacker.id, target.id)
        if self.covered is None:
            if held is None:
                raise Illegal("cover", f"{target.name} already has the cover that {attacker.name} sees.")
            return (ev.CoverRulingEnded(attacker.id, target.id),)
        if not 0 <= self.covered <= 1:
            raise Illegal("cover", "Cover must be 0 to 100 %.")
        if self.covered and self.material not in MATERIALS:
            raise Unknown("cover", self.material, MATERIALS)
        material = self.material if self.covered else ""
        ruling = CoverRuling(attacker.id, target.id, self.covered, material, self.is_pinned)
        if ruling == held:
            raise Illegal("cover", f"{target.name} already has that cover against {attacker.name}.")
        return (ev.CoverRuled(ruling),)


class SetPolicy(Command, frozen=True, tag="set-policy"):
    """The GM sets the policy of reactions and defences: of a kind or all, for a unit, a side or everybody."""

    how: str
    """"off", "ask" or "auto"; "" clears the policy."""
    kind: str = ""
    unit: UnitId = ""
    side: SideId = ""

    def decide(self, now: Deciding) -> Events:
        battle, rules = now.battle, now.rules
        labels = policy_labels(rules)
        if not labels:
            raise Illegal("policy", f"{rules.name} has no reactions and no defences.")
        if self.kind and self.kind not in labels:
            raise Unknown("reaction or defence", self.kind, policy_kinds(rules))
        if self.unit and self.side:
            raise Illegal("policy", "A policy is for a unit or a side, not both.")
        label = labels.get(self.kind, "")
        alike = [kind for kind, known in labels.items() if known == label] or [""]
        held = {policy.about: policy for policy in battle.gm.policies}
        about = [(kind, self.unit, self.side) for kind in alike]
        if not self.how:
            ended = tuple(held[one] for one in about if one in held)
            if not ended:
                raise Illegal("policy", "There is no such policy to clear.")
            return (ev.PolicyEnded(ended, label),)
        if self.how not in POLICIES:
            raise Unknown("policy", self.how, POLICIES)
        policies = tuple(Policy(self.how, *one) for one in about)
        if all(held.get(policy.about) == policy for policy in policies):
            raise Illegal("policy", f"Already set: {policy_words(policies[0], label, battle)}.")
        return (ev.PolicySet(policies, label),)


KINDS = (Adjust, ClearAdjustments, SetRuling, SetCover, SetPolicy)
