"""A session: one battle being played. Commands are decided, committed to the journal, and only then shown.

The first step is the beginning itself, so undo stops there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from msgspec import Struct

from engine.answers import Given
from engine.battle import command as cmd
from engine.battle import events as ev
from engine.battle.commands.decide import decide, decided
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.commands.orders import ordered
from engine.battle.events import Event, RollCorrected
from engine.battle.seats import GM_NAME, Seat
from engine.battle.setup import begin, set_up
from engine.battle.state.battle import Battle
from engine.battle.state.codec import to_json
from engine.battle.state.units import Placement
from engine.battle.views.unit_letters import letter_event
from engine.context import Context
from engine.dice.sources import Roll, purpose_of
from engine.errors import Illegal
from engine.geometry.battlefield import Battlefield
from engine.journal.batches import Row, Stamp, batches
from engine.journal.history import History, Moment, Step, command_rows, event_rows, replay
from engine.journal.row_kinds import REDO, UNDO
from engine.journal.store import Journal
from engine.journal.submitted_commands import SubmittedCommand, UndoRedoBody
from engine.rules.model import Ruleset
from engine.text import count, sentence
from engine.values import replace


class Beginning(Struct, frozen=True):
    """How a battle begins in its set-up phase, with initiative not rolled yet."""

    commands: tuple[cmd.Command, ...] = ()
    """What the first step does besides: who is placed where, notes, light, wind."""
    party: str = ""
    """Id of the party that it is for; "" for none."""
    encounter: str = ""
    """The name of the encounter's file; "" for none."""


class Session:
    """Holds the present history; the only place that writes to the journal."""

    def __init__(
        self,
        rules: Ruleset,
        history: History,
        journal: Journal,
        stamp: Callable[[], Stamp],
        answers: Context | None = None,
    ) -> None:
        self.rules = rules
        self.history = history
        self.journal = journal
        self._stamp = stamp
        self._answers = answers

    @classmethod
    def start(
        cls,
        field: Battlefield,
        placements: Iterable[Placement],
        rules: Ruleset,
        journal: Journal,
        stamp: Callable[[], Stamp],
        beginning: Beginning | None = None,
    ) -> Session:
        """A new battle on a fresh journal: without a `beginning` the order is rolled at once.

        Raises:
            Unknown: the ruleset has no sheet for a role on the map.
            Illegal, Unknown, OffMap: a command of the beginning is refused.
            CannotSave: the disk refused.
        """
        answers = Context()
        answers.use()
        session = cls(rules, History(set_up(field, rules)), journal, stamp, answers)
        how = beginning or Beginning(commands=(RollInitiative(),))
        opening: tuple[Event, ...] = (begin(placements, rules, journal.header.seed, how.party, how.encounter),)
        for command in how.commands:
            ready = session.history.take(opening).battle
            if ready.units or beginning is not None:
                opening += decide(ready, command, rules)
        if given := letter_event(session.battle, session.history.take(opening).battle):
            opening += (given,)
        session._commit(session.history.take(opening), event_rows(opening))
        return session

    @classmethod
    def resume(
        cls,
        field: Battlefield,
        rules: Ruleset,
        journal: Journal,
        stamp: Callable[[], Stamp],
        each: Callable[[Moment], object] | None = None,
    ) -> Session:
        """A battle as its journal left it.

        Args:
            field: the map as the battle began on it.
            rules: its rules.
            journal: its file.
            stamp: makes the stamp of each batch when it is saved.
            each: gets the moment after every command, undo and redo, and may refuse it.

        Raises:
            ValueError: the journal's events do not fit this program.
        """
        answers = Context()
        answers.use()
        history = replay(set_up(field, rules), (batch.rows for batch in batches(journal.rows())), each)
        return cls(rules, history, journal, stamp, answers)

    @property
    def histories(self) -> tuple[History, ...]:
        """The histories that have led here, one after the other."""
        return (self.history,)

    @property
    def battle(self) -> Battle:
        return self.history.battle

    def submit(
        self,
        command: cmd.Command,
        answers: Given = (),
        *,
        asks: bool = False,
        asks_dice: bool = False,
    ) -> tuple[Event, ...]:
        """Decides a command, commits it with its events, then changes the battle; the arguments are `decided`'s.

        Raises:
            Illegal, Unknown: nothing happened.
            Needs: nothing happened yet; submit again with what is `answered`.
            CannotSave: the disk refused; nothing happened.
        """
        found = decided(self.battle, command, self.rules, answers, asks=asks, asks_dice=asks_dice)
        self._take(found.events, SubmittedCommand(command, found.answers))
        return found.events

    def order(
        self,
        command: cmd.Command,
        known: Battle,
        seat: Seat,
        answers: Given = (),
        *,
        asks: bool = False,
        asks_dice: bool = False,
    ) -> tuple[Event, ...]:
        """The same with a player's order; the arguments are those of `ordered`, and so are the refusals."""
        command, found = ordered(
            self.battle, known, command, self.rules, answers, seat=seat, asks=asks, asks_dice=asks_dice
        )
        self._take(found.events, SubmittedCommand(command, found.answers), seat.name)
        return found.events

    @property
    def correctable(self) -> tuple[cmd.Command, Given]:
        """The last command, where it rolled dice that may be put right, and its rolls as they were answered.

        Those of automatic reactions to it are not among them.

        Raises:
            Illegal: no dice, or the command is not known.
        """
        submitted, rolls = self._last_rolled()
        return submitted.command, rolls

    def _last_rolled(self) -> tuple[SubmittedCommand, Given]:
        done, undone = self.history.done, self.history.undone
        is_rolled = done is not None and done.previous is not None and bool(rolls_of(done.events))
        if not is_rolled and undone is not None and rolls_of(undone.step.events):
            raise Illegal("dice", "The last roll is undone: redo it first.", "the last roll is undone")
        if done is None or not rolls_of(done.events):
            raise _no_roll(done)
        if done.previous is None:
            raise Illegal(
                "dice", "This roll started the battle: roll initiative again instead.", "it started the battle"
            )
        again = "undo it and repeat it instead"
        if not done.commands:
            why = "An older version of battleboard saved the events without the command"
            raise Illegal("dice", f"{why}: {again}.", "the command was not saved")
        if len(done.commands) > 1:
            raise Illegal(
                "dice", f"The last step is a kept what-if of several commands: {again}.", "it is a kept what-if"
            )
        (command,) = done.commands
        rolls = _rolls_in(command.answers)
        if not rolls:
            raise Illegal(
                "dice", f"Only automatic reactions rolled dice: {again}.", "only automatic reactions rolled dice"
            )
        return command, rolls

    def correct(self, typed: Given, *, asks: bool = False, answers: Given | None = None) -> tuple[Event, ...]:
        """Decides the last command again with other dice, in place of its events; the log shows it.

        What people answered besides is kept where its question comes up again.

        Args:
            typed: the dice of the first rolls in turn; an answer without dice keeps those that fell.
            asks: whether to ask for what nobody has answered.
            answers: all answers, where some were asked for; None for the dice that were typed and what is kept.

        Raises:
            Illegal, Unknown: nothing happened; the dice do not fit.
            Needs: `asks`, and nothing happened yet; the dice ask for more, or what they did not before.
            CannotSave: the disk refused; nothing happened.
        """
        last, rolls = self._last_rolled()
        said = typed
        typed = (*(one if one.dice else was for one, was in zip(typed, rolls, strict=False)), *typed[len(rolls) :])
        if answers is None:
            rolled = rolls[: len(typed)]
            answers = (*typed, *(one for one in last.answers if not any(one is other for other in rolled)))
        before = self.history.undo().battle
        decide_anew = partial(
            decided, before, last.command, self.rules, asks=asks, asks_dice=asks, optional=last.answers
        )
        done = self.history.done
        assert done is not None
        skips = _skipped(self.battle.dice.drawn - before.dice.drawn, done.events, rolls, typed)
        try:
            found = decide_anew(answers, skips=skips)
        except Illegal as reason:
            if reason.reason != "defence":
                raise
            found = decide_anew([one for one in answers if one.choose is None], skips=skips)
        events = (*_corrections(rolls, _rolls_in(found.answers), said), *found.events)
        self._take(events, replace(last, answers=found.answers, corrects=done.batch))
        return events

    def undo(self, asked_by: str = GM_NAME) -> tuple[Event, ...]:
        """Undoes the last command; returns the events that no longer count.

        Args:
            asked_by: name of the seat that asked for it.

        Raises:
            Illegal: nothing to take back.
            CannotSave: the disk refused.
        """
        taken_back = self.history.done
        body = UndoRedoBody(batch=taken_back.batch if taken_back else 0)
        self._commit(self.history.undo(), [(UNDO, to_json(body))], asked_by)
        return taken_back.events if taken_back else ()

    def redo(self, asked_by: str = GM_NAME) -> tuple[Event, ...]:
        """Redoes the command that was undone last, as `undo`; returns its events."""
        history = self.history.redo()
        body = UndoRedoBody(batch=history.done.batch if history.done else 0)
        self._commit(history, [(REDO, to_json(body))], asked_by)
        return history.done.events if history.done else ()

    def use_answers(self) -> None:
        """Makes what it keeps to answer sooner the present context, where another session was in use."""
        if self._answers is not None:
            self._answers.use()

    def close(self) -> None:
        """Closes the file and drops what was kept to answer sooner."""
        self.journal.close()
        if self._answers is not None:
            self._answers.forget()

    def _take(self, events: tuple[Event, ...], command: SubmittedCommand, seat: str = GM_NAME) -> None:
        history = self.history.take(events, command)
        if given := letter_event(self.history.battle, history.battle, self.history.seen_as):
            events = (*events, given)
            history = self.history.take(events, command)
        self._commit(history, [*command_rows(command), *event_rows(events)], seat)

    def _commit(self, history: History, rows: list[Row], seat: str = GM_NAME) -> None:
        self.journal.append(rows, replace(self._stamp(), seat=seat))
        self.history = history


def _no_roll(done: Step | None) -> Illegal:
    """Why there is no last roll to correct: it is so many commands back, or there is none."""
    steps = enumerate(done.backwards() if done else ())
    back = next((place for place, step in steps if step.previous is not None and rolls_of(step.events)), 0)
    if not back:
        return Illegal("dice", "The last command rolled no dice.", "no dice were rolled")
    where = f"the last roll is {count(back, 'command')} back"
    after = "command after it is" if back == 1 else f"{back} commands after it are"
    how = f"“undo {back}” goes back to it; the {after} lost when the roll is corrected"
    return Illegal("dice", sentence(f"{where}: {how}"), f"{where}: undo to it")


def rolls_of(events: Iterable[ev.Event]) -> tuple[Roll, ...]:
    """All rolls among some events, in order."""
    found = list[Roll]()
    for event in events:
        match event:
            case ev.BurstLanded():
                found += event.rolls
            case ev.AttackRolled() | ev.InitiativeRolled() | ev.TieRolled() | ev.EffectRolled() | ev.DiceThrown():
                found.append(event.roll)
    return tuple(found)


def _rolls_in(answers: Given) -> Given:
    """Those of the answers that are dice."""
    return tuple(one for one in answers if one.dice is not None)


def _corrections(before: Given, after: Given, typed: Given) -> Iterable[RollCorrected]:
    """What the rolls were that were typed anew, and what they are now, where they are still for the same."""
    for was, now, other in zip(before, after, typed, strict=False):
        if was.q == now.q and (other.dice or was.dice != now.dice):
            yield RollCorrected(was.dice or (), now.dice or (), purpose_of(was.q))


def _skipped(drawn: int, events: Iterable[Event], rolls: Given, typed: Given) -> list[int]:
    """How many dice of the seed each corrected roll takes the place of, so that those after it fall as they did.

    Those that an earlier correction took the place of count to the first.

    Args:
        drawn: how many dice of the seed the command drew.
        events: the events of the command.
        rolls: its own rolls.
        typed: what they are to be.
    """
    skipped = [len(roll.dice or ()) * roll.by_seed for roll, answer in zip(rolls, typed, strict=False) if answer.dice]
    earlier = drawn - sum(len(roll.faces) for roll in rolls_of(events) if not roll.is_typed)
    return [skipped[0] + max(0, earlier), *skipped[1:]] if skipped else []
