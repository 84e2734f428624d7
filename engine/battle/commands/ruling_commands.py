"""What the GM decides about the rules: changes of the ledger, rulings, cover, which reactions are asked for."""

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
    """The GM changes the ledger of the next attack."""

    adjustment: Adjustment

    def decide(self, now: Deciding) -> Events:
        return (ev.Adjusted(self.adjustment),)


class ClearAdjustments(Command, frozen=True, tag="clear-adjustments"):
    """Take all the GM's changes to the ledger back, pinned ones too."""

    entries: tuple[str, ...] = ()
    """Ids of the entries to clear; none means all."""

    def decide(self, now: Deciding) -> Events:
        battle = now.battle
        held = tuple(item.entry for item in battle.gm.adjustments if not self.entries or item.entry in self.entries)
        if not held:
            raise Illegal("ledger", "There is no change of the GM's to take back.")
        return (ev.AdjustmentsCleared(held),)


class SetRuling(Command, frozen=True, tag="set-ruling"):
    """The GM decides one of the ruleset's rulings otherwise, for this battle."""

    ruling: RulingId
    value: bool | int | str

    def decide(self, now: Deciding) -> Events:
        battle, rules = now.battle, now.rules
        ruling = rules.rulings[self.ruling]
        if type(self.value) is not type(ruling.value):
            expected = {bool: "yes or no", int: "a whole number", str: "a word"}[type(ruling.value)]
            raise Illegal("ruling", f"“{ruling.label}” is {expected}, not {ruling_words(self.value)}.")
        if ruling.choices and self.value not in ruling.choices:
            choices = ", ".join(map(ruling_words, ruling.choices))
            raise Illegal(
                "ruling", f"“{ruling.label}” is one of {choices}; {ruling_words(self.value)} is none of them."
            )
        before = ruling_now(battle, ruling)
        if before == self.value:
            raise Illegal("ruling", f"“{ruling.label}” is {ruling_words(before)} already.")
        return (ev.RulingSet(ruling.id, ruling.label, before, self.value),)


class SetCover(Command, frozen=True, tag="set-cover"):
    """The GM says how well a target is covered from an attacker; without a share, what is seen counts again."""

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
            raise Illegal("cover", f"{attacker.name} is not covered from itself.")
        held = battle.gm.cover_ruling(attacker.id, target.id)
        if self.covered is None:
            if held is None:
                raise Illegal("cover", f"What {attacker.name} sees of {target.name} counts already.")
            return (ev.CoverRulingEnded(attacker.id, target.id),)
        if not 0 <= self.covered <= 1:
            raise Illegal("cover", "Cover hides 0 to 100 % of a body.")
        if self.covered and self.material not in MATERIALS:
            raise Unknown("cover", self.material, MATERIALS)
        material = self.material if self.covered else ""
        ruling = CoverRuling(attacker.id, target.id, self.covered, material, self.is_pinned)
        if ruling == held:
            raise Illegal("cover", f"{target.name} is covered like that from {attacker.name} already.")
        return (ev.CoverRuled(ruling),)


class SetPolicy(Command, frozen=True, tag="set-policy"):
    """The GM says whether reactions and defences are asked for: of a kind or all, for a unit, a side or everybody."""

    how: str
    """"off", "ask" or "auto"; "" for as if nothing had been said."""
    kind: str = ""
    unit: UnitId = ""
    side: SideId = ""

    def decide(self, now: Deciding) -> Events:
        battle, rules = now.battle, now.rules
        labels = policy_labels(rules)
        if not labels:
            raise Illegal("policy", f"{rules.name} has neither reactions nor defences.")
        if self.kind and self.kind not in labels:
            raise Unknown("reaction or defence", self.kind, policy_kinds(rules))
        if self.unit and self.side:
            raise Illegal("policy", "A policy is for a unit or for a side, not for both.")
        label = labels.get(self.kind, "")
        alike = [kind for kind, known in labels.items() if known == label] or [""]
        held = {policy.about: policy for policy in battle.gm.policies}
        about = [(kind, self.unit, self.side) for kind in alike]
        if not self.how:
            ended = tuple(held[one] for one in about if one in held)
            if not ended:
                raise Illegal("policy", "Nothing was said about that.")
            return (ev.PolicyEnded(ended, label),)
        if self.how not in POLICIES:
            raise Unknown("policy", self.how, POLICIES)
        policies = tuple(Policy(self.how, *one) for one in about)
        if all(held.get(policy.about) == policy for policy in policies):
            raise Illegal("policy", f"That is so already: {policy_words(policies[0], label, battle)}.")
        return (ev.PolicySet(policies, label),)


KINDS = (Adjust, ClearAdjustments, SetRuling, SetCover, SetPolicy)
