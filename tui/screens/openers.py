"""The conversation's keys that open something over the board: a list, a question, a sheet of text.

Each loads what it opens, so that the board is there the sooner.
"""

from __future__ import annotations

from engine.battle.attacks.attack_preview import Shot
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.commands.unit_actions import Ready
from engine.errors import BattleboardError
from engine.values import replace
from tui.keys.battle_keys import with_keys
from tui.panels.prompt import PromptBar
from tui.screens.conversation import Conversation


class Dialogues(Conversation):
    """What keys open over the board."""

    def action_lift(self, step: int) -> None:
        from tui.screens.move_mode import lift

        lift(self, step)

    def action_stand(self) -> None:
        from tui.screens.move_mode import show_stands

        show_stands(self)

    def action_initiative(self) -> None:
        from tui.commands.order import declared_example, parse_declared

        battle, rules = self.session.battle, self.session.rules
        if not rules.turns.initiative.declares:
            self.roll(RollInitiative())
            return
        label = f"Who declares what, as “{declared_example(battle, rules)}”; the rest attack:"

        def answered(text: str) -> None:
            try:
                self.submit_asking(parse_declared(text, battle, rules), ())
            except BattleboardError as reason:
                self.say(str(reason))

        self.query_one(PromptBar).ask(label, answered)

    def action_order(self) -> None:
        from tui.screens.order_menu import OrderScreen

        if self.session.battle.turns.order:
            self.app.push_screen(OrderScreen(self))
        else:
            self.say(with_keys("The order is not rolled yet: {battle.initiative} rolls it."))

    def action_shade(self) -> None:
        """Chooses what the ground shows."""
        from tui.screens.menu_choices import shading_choices
        from tui.screens.move_mode import show_reach

        def chosen(shading: str | None) -> None:
            if shading:
                self.looked = replace(self.looked, altitude=None)
                unit = self.session.battle.units.get(self.looked.unit)
                show_reach(self, "", unit.at) if shading == "reach" and unit else self.shade(shading)

        self.choose("Show on the ground", shading_choices(self.looked), chosen)

    def action_act(self) -> None:
        from tui.screens.action_menu import choose_act

        choose_act(self)

    def action_share(self) -> None:
        from tui.screens.split_hits_menu import choose_share

        choose_share(self)

    def action_weapon(self) -> None:
        from tui.screens.menu_choices import weapon_choices

        battle, rules = self.session.battle, self.session.rules
        unit = battle.units.get(self.looked.unit)
        if unit is None or not unit.gear.weapons:
            self.say("No weapon to take.")
            return

        def chosen(weapon: str | None) -> None:
            if weapon:
                self.looked = replace(self.looked, weapon="", action="")
                self.submit(Ready(unit.id, weapon))

        self.choose(f"{unit.name} takes in hand", weapon_choices(battle, rules, unit), chosen)

    def action_door(self) -> None:
        from tui.modals.menu import Choice
        from tui.screens.menu_choices import door_choices

        battle = self.session.battle
        choices = door_choices(battle, self.looked.cursor)
        if not choices:
            self.say(f"No door on the sides of {self.looked.cursor.name}. Put the cursor beside one.")
            return

        def chosen(choice: str | None) -> None:
            if choice:
                self.submit(choices[choice])

        if len(choices) == 1:
            chosen(next(iter(choices)))
        else:
            self.choose("Doors", [Choice(label, label) for label in choices], chosen)

    def action_damage(self) -> None:
        from tui.commands.unit_edits import parse_change

        battle, rules = self.session.battle, self.session.rules
        unit = battle.at(self.looked.cursor) or battle.units.get(self.looked.target)
        if unit is None:
            self.say("Put the cursor on a unit first.")
            return

        first, *_, last = (*rules.units.pools.values(),) * 2
        label = f"{unit.name}, as “-5” {first.label}, “{last.id} 12”, “prone”, a condition, “out”:"
        self.ask_command(label, lambda text: parse_change(text, battle.unit(unit.id), rules))

    def action_smoke(self) -> None:
        from tui.commands.scene import parse_smoke

        here = self.looked.cursor
        label = f"Smoke around {here.name}: radius [rounds] [thin], or clear, or wind E 2:"
        self.ask_command(label, lambda text: parse_smoke(text, here, self.session.battle))

    def action_adjust(self) -> None:
        from tui.commands.rulings import parse_adjustment

        ledger = self.shot.ledger if isinstance(self.shot, Shot) else None
        label = "GM: +10 why, 3 off, 3 -5 why, clear; a last ! keeps it:"
        self.ask_command(label, lambda text: parse_adjustment(text, ledger, self.session.battle))

    def action_ruling(self) -> None:
        from tui.screens.ruling_menu import choose_ruling

        choose_ruling(self)

    def action_policy(self) -> None:
        from tui.screens.policy_menu import choose_policy

        choose_policy(self)

    def action_what_if(self) -> None:
        from tui.screens.what_if import rehearse

        rehearse(self)

    def action_line(self) -> None:
        from tui.screens.command_line import ask_line

        ask_line(self)

    def action_say(self) -> None:
        from tui.screens.command_line import hear_line

        hear_line(self, "=")

    def action_help(self) -> None:
        from tui.screens.text_modals import show_help

        show_help(self)

    def action_log(self) -> None:
        from tui.screens.text_modals import show_log

        show_log(self)

    def action_covers(self) -> None:
        from tui.screens.text_modals import show_covers

        show_covers(self)

    def action_receipt(self) -> None:
        from tui.screens.text_modals import show_receipt

        show_receipt(self)
