"""What the panels beside the board say of enemies, worked out while the screen is idle: who sees whom, the chances."""

from __future__ import annotations

from collections.abc import Iterator

from engine.battle.command import Attack
from engine.battle.gear import weapon_in_hand
from engine.battle.state.battle import Battle
from engine.battle.views.view import View
from engine.errors import brief
from engine.rules.model import Ruleset
from engine.tactics.options import on_anybody
from engine.text import upper_first
from tui.application.focus.contacts import aims, contacts, enemies, has_enemies, known_aims, known_contacts
from tui.application.presenter.presenter import Presenter
from tui.view.panels.attack_panel import NO_TARGET
from tui.view.panels.side_panels import AttackPanel, UnitPanel
from tui.view.panels.unit_panel import contact_rows
from tui.view.terminal.idle_jobs import IdleJobs

NO_ENEMIES = "No enemies on the map."
NOBODY_AIMS = "With the cursor on a unit: its chance to hit each enemy from there."


class EnemyPanels:
    """Fills in what the Shot panel lists while nothing is aimed at, and whom the unit of the Unit panel sees."""

    def __init__(self, presenter: Presenter, jobs: IdleJobs) -> None:
        self._presenter = presenter
        self._jobs = jobs
        self._asked: tuple[Battle, Attack | None, str] | None = None
        """The battle, whose targets are listed, and the unit of the Unit panel."""
        self._idle: tuple[Battle, Attack, str] | None = None
        """A battle, an attack in it, and what is said above the list of its targets."""

    def show(self, view: View | None, unit_panel: UnitPanel, shot_panel: AttackPanel) -> None:
        """Shows what is known by now, and begins with the rest."""
        if view is None:
            return
        battle, focus = self._presenter.session.battle, self._presenter.focus
        unit = unit_panel.shown[0] if unit_panel.shown and unit_panel.display else None
        about = unit.id if unit and not unit.is_defeated and has_enemies(battle, unit.id) else ""
        is_idle = shot_panel.display and self._presenter.attack is None
        attack = (
            Attack(focus.unit, "", focus.weapon, focus.action) if is_idle and has_enemies(battle, focus.unit) else None
        )
        shot_panel.idle = self._idle_words(battle, attack) if attack else NO_TARGET
        if battle.is_set_up:  # nobody aims yet: what the unit under the cursor could attack from where it stands
            attack = Attack(about, "") if is_idle and about else None
            shot_panel.idle = (
                f"{upper_first(unit.name)} could attack from {unit.at.name}:" if unit and attack else NOBODY_AIMS
            )
            if not any(battle.foes(other) for other in battle.units.values()):
                shot_panel.idle = NO_ENEMIES
        if self._asked and self._asked[0] is battle and self._asked[1:] == (attack, about):
            return
        self._asked = battle, attack, about
        if self._fill(view, battle, attack, about, unit_panel, shot_panel):
            self._jobs.drop("enemies")
        else:
            self._jobs.do("enemies", self._found(view, battle, attack, about, unit_panel, shot_panel))

    def _idle_words(self, battle: Battle, attack: Attack) -> str:
        if self._idle is None or self._idle[0] is not battle or self._idle[1] != attack:
            self._idle = battle, attack, idle_words(battle, self._presenter.session.rules, attack)
        return self._idle[2]

    def _fill(
        self, view: View, battle: Battle, attack: Attack | None, about: str, unit_panel: UnitPanel, shots: AttackPanel
    ) -> bool:
        """Shows what is known; whether that is all."""
        rules = self._presenter.session.rules
        units = {unit.id: unit for unit in view.units}
        known = known_aims(battle, rules, attack) if attack else ()
        seen = known_contacts(battle, rules, about) if about else None
        if known is None and attack:
            shots.targets = tuple((units[foe.id], None) for foe in enemies(battle, attack.unit))
        else:
            shots.targets = tuple((units[aim.unit], aim) for aim in known or ())
        unit_panel.contacts = contact_rows(seen, {id: unit.name for id, unit in units.items()}) if about else ()
        return known is not None and bool(seen or not about)

    def _found(
        self, view: View, battle: Battle, attack: Attack | None, about: str, unit_panel: UnitPanel, shots: AttackPanel
    ) -> Iterator[None]:
        rules = self._presenter.session.rules
        if attack:
            yield from aims(battle, rules, attack)
            self._fill(view, battle, attack, about, unit_panel, shots)
        if about:
            yield from contacts(battle, rules, about)
            self._fill(view, battle, attack, about, unit_panel, shots)


def idle_words(battle: Battle, rules: Ruleset, attack: Attack) -> str:
    """What is said above the enemies: how one is aimed at, or why the unit whose turn it is can attack none of them."""
    unit = battle.units[attack.unit]
    if battle.turns.active != unit.id or battle.openings:
        return NO_TARGET
    reasons = [brief(option.refusal) for option in on_anybody(battle, rules, unit, attack.weapon)]
    if not reasons or not all(reasons):
        return NO_TARGET
    reason = reasons[0] if len(set(reasons)) == 1 else ""
    held = rules.gear.weapons.get(attack.weapon) or weapon_in_hand(rules, unit)
    attack_words = f"No attack{f' with {held.label}' if held else ''}"
    return f"{attack_words} {'left this turn' if unit.turn.attacks else 'now'}{f': {reason}' if reason else ''}."
