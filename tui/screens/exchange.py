"""The conversation about attacks: firing, and what others may do before it goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.battle.attacks.reactions import drawn_by_attack
from engine.battle.attacks.shots import Shot, leave
from engine.battle.attacks.unasked import left_to_do, still_open
from engine.battle.commands import Attack, Command, Move
from engine.battle.draft import acts_any_time
from engine.battle.events import AttackRolled, Event, LastTurnCame
from engine.battle.narration import dice_to_type, percent, tell
from engine.battle.outcome import outcome
from engine.battle.pinned import ASK
from engine.battle.record.session import Session
from engine.battle.rolls import what_to_roll
from engine.rules.exchanges import ACTS, ATTACKS, DEFENDS
from engine.text import sentence
from tui import focus as foci
from tui.focus import Focus
from tui.screens.conversation import NO_TARGET
from tui.screens.dialogues import Dialogues
from tui.screens.keys import with_keys

if TYPE_CHECKING:
    from tui.screens.menu import Menu

ONWARD = {ATTACKS: ", {battle.fire} goes on", ACTS: ", {battle.act} goes on", DEFENDS: ""}
"""The key with which a deed goes on that was stopped, by what has drawn the reaction; else it was a move."""
MOVE_ONWARD = ", {battle.move} goes on"


class Exchange(Dialogues):
    """Attacks, and attacks out of turn; the one who was interrupted is gone back to."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.interrupted: Focus | None = None
        """What was looked at before somebody attacked out of turn."""

    def _came_to(self, command: Command, events: tuple[Event, ...], active_before: str) -> None:
        """Says what a command came to, and how what it has stopped goes on."""
        self.follow_turn(active_before)
        said = outcome(events, self.session.battle, self.session.rules)
        open_now = still_open(self.session.battle, events)
        if open_now:
            given = open_now[0]
            trigger = next((one.trigger for one in self.session.rules.reactions if one.id == given.reaction), "")
            goes_on = f"{ONWARD.get(trigger, MOVE_ONWARD)}; {{battle.policy}}: always by itself, or never"
            onward = goes_on if given.reaction else ""
            self.looked = self._once_more(command, events) if given.reaction else self.looked
            keys = with_keys(f"{{battle.interrupt}} attacks at once{onward}.")
            if not self.has_room(f"{said} {keys}"):  # what came before them is in the log
                said = " ".join(tell(one, self.session.battle, self.session.rules) for one in open_now)
            said = f"{said} {keys}"
        if any(isinstance(one, LastTurnCame) for one in events):
            said = f"{said} {with_keys('{battle.interrupt} takes up who has waited.')}"
        if self.session.battle.active != active_before:
            self.interrupted = None
        is_attack = any(isinstance(event, AttackRolled) for event in events)
        if is_attack:
            self.looked = replace(self.looked, share=())
        if self.interrupted is not None and is_attack:
            self._go_back(self.interrupted)
        self.say(said)

    def _once_more(self, command: Command, events: tuple[Event, ...]) -> Focus:
        """The focus in which the usual key does again what was stopped, however it was begun."""
        battle = self.session.battle
        if left_to_do(battle, command, events) is None:
            return self.looked
        match command:
            case Move():
                looked = self.looked.on_unit(command.unit)
                return replace(looked, shading="reach", move=command.action, cursor=command.path[-1])
            case Attack():
                cursor = command.square or battle.units[command.target].at
                looked = replace(self.looked.on_unit(command.unit), target=command.target, cursor=cursor)
                return replace(looked, weapon=command.weapon, action=command.action, share=command.share)
        return self.looked

    def _go_back(self, focus: Focus) -> None:
        self.looked, self.interrupted = focus, None

    def action_cancel(self) -> None:
        """Leaves an attack out of turn that was not made, else what is shaded or aimed at."""
        if self.interrupted is None:
            super().action_cancel()
            return
        self._go_back(self.interrupted)
        self.look(self.looked)

    def action_fire(self, is_free: bool = False) -> None:
        self.shot = foci.shot(self.looked, self.session.battle, self.session.rules)  # the cursor may have gone on
        if not isinstance(self.shot, Shot):
            self.say(self.shot or with_keys(NO_TARGET))
            return
        focus = self.looked
        meant = foci.attack_in(focus, self.session.battle, self.session.rules)
        if meant is None:
            self.say(with_keys(NO_TARGET))
            return
        wish = replace(meant, is_free=is_free)
        why_not = self.shot.ledger.forbidden.because if self.shot.ledger.forbidden else self.shot.refusal
        if why_not and not (is_free and self.shot.ledger.is_possible):
            from tui.screens.instead import instead

            hint = instead(focus, self.shot, self.session.battle, self.session.rules)
            self.say(f"{sentence(why_not)}{with_keys(hint)}")
            return
        battle, rules = self.session.battle, self.session.rules
        given = leave(battle, wish, self.shot.situation.action)
        drawn = drawn_by_attack(battle, rules, self.shot.situation) if given is None else ()
        if any(battle.policy(battle.unit(draw.reactor), draw.reaction.id) == ASK for draw in drawn):
            self.submit(wish)  # those who react come first: no die is rolled yet
            return
        if not self.shot.situation.action.is_rolled:
            self.roll(wish)  # what follows from it may ask for dice
            return
        what = what_to_roll(rules, self.shot.ledger, self.shot.odds.hit)
        who = f"{self.shot.situation.attacker.name} → {self.shot.situation.target.name}"
        label = f"{who}: {what} ({percent(self.shot.odds.hit)}). Enter rolls, or type {dice_to_type(rules)}:"
        self._ask_dice(wish, (), label)

    def action_fire_free(self) -> None:
        self.action_fire(is_free=True)

    def action_interrupt(self) -> None:
        """The attack that somebody may make out of turn, chosen from a list where there are several; else who waits."""
        from tui.screens.menu import Choice, Menu
        from tui.screens.policies import POLICY_KEYS, learn_opening

        battle = self.session.battle
        openings = {f"{held.unit} {held.against} {held.reaction}": held for held in battle.openings}
        if not openings:
            self._take_up()
            return

        def chosen(key: str | None) -> None:
            if key and menu is not None and menu.pressed:
                learn_opening(self, menu.pressed, openings[key])
                if menu.pressed in "nN":
                    self.say(outcome(self.session.history.steps()[-1].events, self.session.battle, self.session.rules))
                    return
            if key:
                held = openings[key]
                self.interrupted = self.interrupted or self.looked
                looked = replace(self.looked.on_unit(held.unit), target=held.against, action=held.attack)
                cursor = battle.units[held.against].at
                self.look(replace(looked, weapon="", move="", altitude=None, shading="plain", cursor=cursor))
                self.action_fire()

        names = {key: (battle.units[held.unit].name, battle.units[held.against].name) for key, held in openings.items()}
        menu: Menu | None = None
        if len(openings) == 1:
            chosen(next(iter(openings)))
        else:
            choices = [Choice(key, f"{one} → {other}", openings[key].because) for key, (one, other) in names.items()]
            menu = Menu("Attacks at once", choices, "", POLICY_KEYS)
            self.app.push_screen(menu, chosen)

    def _take_up(self) -> None:
        """Whoever has held its action may act now: it comes into focus, of several the one that is chosen."""
        battle, rules = self.session.battle, self.session.rules
        waiting = [unit for unit in battle.units.values() if unit.id != battle.active and acts_any_time(unit, rules)]
        if not waiting:
            self.say(with_keys("Nobody may attack out of turn now. {battle.fire_free} makes any attack free."))
            return

        def chosen(unit_id: str | None) -> None:
            if unit_id:
                self.look(replace(self.looked.on_unit(unit_id), cursor=battle.units[unit_id].at, shading="plain"))
                self.say(with_keys(f"{battle.units[unit_id].name} has waited and may act now: {{battle.next_target}} "
                                   "aims, {battle.act} acts."))  # fmt: skip

        if len(waiting) == 1:
            chosen(waiting[0].id)
        else:
            from tui.screens.menu import Choice

            self.choose("Who has waited", [Choice(unit.id, unit.name) for unit in waiting], chosen)

    def action_move(self) -> None:
        """A move that was stopped on its way keeps its goal: the same key goes on, past an attack that was not made."""
        if self.interrupted is not None:
            self._go_back(self.interrupted)
        super().action_move()
