"""The conversation about attacks: firing, and what others may do before it goes on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from engine.answers import Given
from engine.battle.attacks.attack_preview import Shot, leave
from engine.battle.attacks.auto_reactions import still_open
from engine.battle.attacks.reactions import drawn_by_attack
from engine.battle.attacks.split_hits import share_answers
from engine.battle.command import Act, Attack, Command, EndTurn, Move, command_of
from engine.battle.commands.order_commands import Delay, RollInitiative, SetTurn
from engine.battle.commands.unit_actions import Ready
from engine.battle.event_builder import acts_any_time
from engine.battle.events import AttackRolled, Event, LastTurnCame
from engine.battle.narration import reason_words, summarise, tell
from engine.battle.narration.preview_text import dice_to_type
from engine.battle.state.battle import Opening
from engine.battle.state.gm_overrides import ASK
from engine.dice.dice_text import percent
from engine.journal.session import Session
from engine.text import sentence
from engine.values import replace
from tui.focus import focus as foci
from tui.focus.focus import Focus
from tui.keys.battle_keys import with_keys
from tui.keys.bindings import ALWAYS, LATER, PASS
from tui.panels.prompt import PromptBar
from tui.screens.conversation import NO_TARGET
from tui.screens.openers import Dialogues

GOES_ON = (Move, Attack, Act, Ready)
"""Commands with which a unit goes on, past those who may react to it."""
GOES_ON_WITH = {
    "move": "{battle.move} goes on with the move.",
    "attack": "{battle.fire} makes the attack now.",
    "act": "{battle.act} goes on with the action.",
}
"""What does a command that reactions have stopped, once they are made."""
ENDS_TURN = (EndTurn, Delay, SetTurn, RollInitiative)
"""Commands after which nobody may attack out of turn any more."""


class Exchange(Dialogues):
    """Attacks, and attacks out of turn; the one who was interrupted is gone back to."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.interrupted: Focus | None = None
        """What was looked at before somebody attacked out of turn."""
        self._passed: list[Opening] = []
        """Rights to attack at once that the Game Master has let pass."""
        self._stopped: Callable[[], None] | None = None
        """Does what has drawn reactions and waits for the answers; None where nothing waits."""

    # Reactions: nobody's chance goes by without an answer

    @property
    def unanswered(self) -> list[Opening]:
        """The rights to attack at once that were neither used nor let pass, the first given first."""
        return [held for held in self.session.battle.openings if held not in self._passed]

    def ask_reaction(self) -> None:
        """Asks about the first reaction that is not answered; only a key that the question names answers it."""
        from tui.screens.reaction_prompt import reaction_question

        held = self.unanswered[0]
        question = reaction_question(held, self.session.battle, self.session.rules, self.size.width - 1)
        self.query_one(PromptBar).ask_key(question, partial(self._react, held))

    def _react(self, held: Opening, answer: str) -> None:
        from tui.screens.policy_menu import learn_opening

        if answer == LATER:
            who, whom = (self.session.battle.units[one].name for one in (held.unit, held.against))
            asks = f"{whom}'s next move or action" if held.reaction else "the end of the turn"
            self.say(with_keys(f"{who} may still attack {whom}: {{battle.interrupt}} attacks, {asks} asks again."))
        elif answer == PASS:
            self._passed.append(held)
            if self.unanswered:
                self.ask_reaction()
            else:
                self._go_on()
        elif answer == ALWAYS and not held.reaction:
            self.ask_reaction()
        else:
            if answer == ALWAYS:
                learn_opening(self, "a", held)
            self._fire_at_once(held)

    def _go_on(self) -> None:
        """Does what has waited for the answers."""
        waiting, self._stopped = self._stopped, None
        if waiting is None:
            self.say("Nobody attacks out of turn.")
        else:
            waiting()

    def _resume(self, command: Command, answers: Given) -> None:
        """Does a command that was stopped, or what is left of it, with the answers given for it."""
        self.looked = replace(self.looked, shading="plain", move="", altitude=None)
        self.roll(command, answers)

    def _asks_first(self, command: Command, answers: Given) -> bool:
        """Asks about a reaction that a command would let go by; whether it does. The command then waits, in place of
        any that was stopped before it."""
        goes_on = isinstance(command, GOES_ON) and self._is_awaited(command.unit)
        if goes_on or (isinstance(command, ENDS_TURN) and self.unanswered):
            self.looked = self._once_more(command)
            self._stopped = partial(self._resume, command, answers)
            self.ask_reaction()
            return True
        return False

    def _is_awaited(self, unit: str) -> bool:
        """Whether somebody may still react to what a unit is about to do."""
        return any(held.reaction and held.against == unit for held in self.unanswered)

    def submit_asking(self, wish: Command, answers: Given = (), *, asks_dice: bool = True) -> None:
        if not self._asks_first(wish, answers):
            super().submit_asking(wish, answers, asks_dice=asks_dice)

    def follow_turn(self, active_before: str) -> None:
        self._passed = [held for held in self._passed if held in self.session.battle.openings]
        super().follow_turn(active_before)

    def _go(self, step: Callable[[], tuple[Event, ...]], said: str) -> None:
        self._passed, self._stopped, self.interrupted = [], None, None
        super()._go(step, said)

    def _came_to(self, command: Command, events: tuple[Event, ...], active_before: str) -> None:
        """Says what a command came to, and asks about the reactions that it draws."""
        battle, rules = self.session.battle, self.session.rules
        self.follow_turn(active_before)
        said = self.summary(events)
        open_now = still_open(battle, events)
        if open_now:
            if not self.has_room(said):  # what came before them is in the log
                said = " ".join(tell(one, battle, rules) for one in open_now)
            if any(one.reaction for one in open_now):
                self.looked = self._once_more(command)
                self._hold(open_now[0].against)
        if any(isinstance(one, LastTurnCame) for one in events):
            said = f"{said} {with_keys('{battle.interrupt} takes up who has waited.')}"
        if battle.turns.active != active_before:
            self.interrupted = self._stopped = None
        is_attack = any(isinstance(event, AttackRolled) for event in events)
        if is_attack:
            self.looked = replace(self.looked, share=())
        if self.interrupted is not None and is_attack:
            self._go_back(self.interrupted)
        if is_attack and not self.unanswered and battle.turns.held:
            said = f"{said} {with_keys(GOES_ON_WITH[battle.turns.held[-1].kind])}"
        self.result = "" if open_now else said
        self.say(said)
        if self.unanswered and (open_now or is_attack):
            self.ask_reaction()

    def _hold(self, unit: str) -> None:
        """What is left of a unit's command waits until the reactions to it are answered."""
        held = self.session.battle.turns.held_by(unit)
        self._stopped = None if held is None else partial(self._resume, command_of(held), held.answers)

    def take_up_held(self) -> None:
        """Asks about the reactions that nobody had answered when the battle was closed; what they stopped goes on."""
        if self.unanswered:
            self._hold(self.unanswered[0].against)
            self.ask_reaction()

    def _once_more(self, command: Command) -> Focus:
        """The focus in which the usual key does again what was stopped, however it was begun."""
        battle = self.session.battle
        if isinstance(command, Move | Attack | Act) and battle.units[command.unit].is_defeated:
            return self.looked
        match command:
            case Move():
                self.has_drawn(command.unit)
                looked = self.looked.on_unit(command.unit)
                altitude = None if command.altitude == battle.units[command.unit].altitude else command.altitude
                goal = command.path[-1]
                return replace(looked, shading="reach", move=command.action, altitude=altitude, cursor=goal)
            case Attack():
                cursor = command.square or battle.units[command.target].at
                looked = replace(self.looked.on_unit(command.unit), target=command.target, cursor=cursor)
                return replace(looked, weapon=command.weapon, action=command.action)
        return self.looked

    def _go_back(self, focus: Focus) -> None:
        self.looked, self.interrupted = focus, None
        if focus.shading == "reach":
            self.has_drawn(focus.unit)

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
        wish, given = replace(meant, is_free=is_free), share_answers(focus.share)
        why_not = self.shot.ledger.forbidden.because if self.shot.ledger.forbidden else self.shot.refusal
        if why_not and not (is_free and self.shot.ledger.is_possible):
            from tui.screens.alternatives import instead

            hint = instead(focus, self.shot, self.session.battle, self.session.rules)
            self.say(f"{sentence(why_not)}{with_keys(hint)}")
            return
        battle, rules = self.session.battle, self.session.rules
        is_given = leave(battle, wish, self.shot.situation.action) is not None
        drawn = () if is_given else drawn_by_attack(battle, rules, self.shot.situation)
        is_drawn = any(battle.gm.policy(battle.unit(draw.reactor), draw.reaction.id) == ASK for draw in drawn)
        if is_drawn or self._is_awaited(wish.unit):
            self.submit(wish, given)  # those who react come first: no die is rolled yet
            return
        if not self.shot.situation.action.is_rolled:
            self.roll(wish, given)  # what follows from it may ask for dice
            return
        what = rules.attack.test.needs(self.shot.ledger, self.shot.odds.hit)
        who = f"{self.shot.situation.attacker.name} → {self.shot.situation.target.name}"
        label = f"{who}: {what} ({percent(self.shot.odds.hit)}). Enter rolls, or type {dice_to_type(rules)}:"
        self._ask_dice(wish, given, label)

    def action_fire_free(self) -> None:
        self.action_fire(is_free=True)

    def action_interrupt(self) -> None:
        """The attack that somebody may make out of turn, chosen from a list where there are several; else who waits."""
        from tui.modals.menu import Choice, Menu
        from tui.screens.policy_menu import POLICY_KEYS, learn_opening

        battle, rules = self.session.battle, self.session.rules
        openings = {f"{held.unit} {held.against} {held.reaction}": held for held in battle.openings}
        if not openings:
            self._take_up()
            return

        def chosen(key: str | None) -> None:
            if key and menu.pressed:
                learn_opening(self, menu.pressed, openings[key])
                if menu.pressed in "nN":
                    self.say(summarise(self.session.history.steps()[-1].events, self.session.battle, rules))
                    return
            if key:
                self._fire_at_once(openings[key])

        names = {key: (battle.units[held.unit].name, battle.units[held.against].name) for key, held in openings.items()}
        if len(openings) == 1:
            self._fire_at_once(next(iter(openings.values())))
        else:
            reasons = {key: reason_words(held.because, battle) for key, held in openings.items()}
            choices = [Choice(key, f"{one} → {other}", reasons[key]) for key, (one, other) in names.items()]
            menu = Menu("Attacks at once", choices, "", POLICY_KEYS)
            self.app.push_screen(menu, chosen)

    def _fire_at_once(self, held: Opening) -> None:
        """Attacks out of turn; what was looked at comes back after it."""
        self.interrupted = self.interrupted or self.looked
        looked = replace(self.looked.on_unit(held.unit), target=held.against, action=held.attack)
        cursor = self.session.battle.units[held.against].at
        self.look(replace(looked, weapon="", move="", altitude=None, shading="plain", cursor=cursor))
        self.action_fire()

    def _take_up(self) -> None:
        """Whoever has held its action may act now: it comes into focus, of several the one that is chosen."""
        battle, rules = self.session.battle, self.session.rules
        waiting = [
            unit for unit in battle.units.values() if unit.id != battle.turns.active and acts_any_time(unit, rules)
        ]
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
            from tui.modals.menu import Choice

            self.choose("Who has waited", [Choice(unit.id, unit.name) for unit in waiting], chosen)

    def action_move(self) -> None:
        """A move that was stopped on its way keeps its goal: the same key goes on, once every reaction is answered."""
        if self.interrupted is not None:
            self._go_back(self.interrupted)
        super().action_move()
