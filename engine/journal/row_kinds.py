"""The kinds of rows that a journal holds, each with its version and its fields: the one list of what stands in files.

A file that was written stays readable, so a line that was released is never changed. Who gives a kind other fields, or
one of the values inside, gives the kind its next version here, and `upcasters.UPCASTERS` what makes of a row of the
version before one of this. A test holds the list against the classes, and against the list of each released format.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.battle.command import Command
from engine.battle.commands import command_list
from engine.battle.events import Event

COMMAND, EVENT = "command/", "event/"
UNDO, REDO = "undo", "redo"

ROWS = """
command/act 1 unit action target square attack is_free
command/add-group 2 members=AddUnit
command/add-unit 2 role side at name count facing posture altitude size is_neutral is_hidden character=Character
    zone
command/adjust 1 adjustment=Adjustment
command/attack 1 unit target weapon action is_free square
command/clear-adjustments 1 entries
command/clear-charge 1 square
command/clear-cloud 1 cloud
command/copy-unit 1 unit at count
command/damage-units 1 units amount pool
command/delay 1 unit after
command/dissolve-group 1 unit
command/draw 1 parts=SetGround|SetElevation|SetEdges
command/edit-units 2
    edits=SetPool|SetBudget|SetCondition|SetPosture|SetInitiative|SetAltitude|SetOut|SetStat|SetHidden|Place|\
Give|TakeAway|SetAmmunition|SetCharacter
command/end-turn 1
command/face 1 unit facing
command/finish-battle 1
command/form-group 1 members
command/give 1 unit item
command/heal-units 1 units amount pool
command/move 1 unit path action altitude
command/place 1 unit at
command/ready 1 unit weapon is_free
command/remove-unit 1 unit others
command/rename-unit 1 unit name
command/roll-initiative 1 declared
command/set-altitude 1 unit altitude
command/set-ammunition 1 unit rounds weapon
command/set-barrier 1 edge state
command/set-budget 1 unit budget value
command/set-character 1 unit character=Character
command/set-cloud 1 centre radius density rounds cloud
command/set-condition 1 unit condition is_on rounds about
command/set-cover 1 attacker target covered material is_pinned
command/set-edges 1 edges barrier=Barrier
command/set-elevation 1 squares height
command/set-ground 1 squares ground=Ground because
command/set-hidden 1 unit is_hidden
command/set-initiative 1 unit score
command/set-lamp 1 at bright dim height
command/set-light 1 light squares
command/set-note 1 text at unit note
command/set-off 1 square
command/set-out 1 unit why
command/set-place 1 unit after
command/set-policy 1 how kind unit side
command/set-pool 1 unit pool value note
command/set-posture 1 unit posture
command/set-ruling 1 ruling value
command/set-side 1 unit side is_neutral
command/set-stat 1 unit stat value
command/set-turn 1 unit
command/set-wind 1 towards squares
command/surprise 1 units
command/take-away 1 unit item
command/throw-dice 1 dice purpose
event/action-taken 1 unit action label spent budget target goes_on
event/adjusted 1 adjustment=Adjustment
event/adjustments-cleared 1 entries
event/altitude-changed 1 unit before after is_fall by_gm
event/attack-rolled 1 unit target weapon weapon_label action action_label distance sight entries=Entry total
    target_number chance roll=Roll grade grade_label is_hit square beats
event/attack-turned 1 unit target grade grade_label because
event/barrier-changed 1 edge kind before after
event/battle-began 2 units=Unit seed party encounter
event/battle-finished 1
event/budget-changed 1 unit budget label before after because=Reason
event/burst-caught 1 unit target ring share
event/burst-landed 1 unit weapon_label at rolls=Roll stopped_by
event/character-set 1 unit character=Character gear=Gear pools
event/charge-laid 1 charge=Charge label
event/charge-set-off 1 charge=Charge label unit is_step
event/charge-taken-up 1 charge=Charge label
event/closing-began 1 units
event/cloud-cleared 1 cloud=Cloud
event/cloud-set 1 cloud=Cloud weapon
event/clouds-drifted 1 before=Cloud after=Cloud
event/command-held 1 held=HeldCommand
event/condition-began 1 unit condition label rounds about by_gm
event/condition-ended 1 unit condition label because=Reason
event/condition-ticked 1 unit condition left
event/cover-ruled 1 ruling=CoverRuling
event/cover-ruling-ended 1 attacker target is_spent
event/cover-worn 1 square edge name before after because
event/defence-taken 1 unit against defence label spent budget is_by_itself
event/dice-drawn 1 position
event/dice-thrown 1 roll=Roll purpose
event/edges-set 1 edges barrier=Barrier
event/effect-reckoned 1 unit label value words=Reason
event/effect-rolled 1 unit label roll=Roll against
event/elevation-set 1 squares height
event/ground-set 1 squares ground=Ground because
event/group-dissolved 1 members
event/group-formed 1 members order scores
event/initiative-rolled 1 who roll=Roll bonus total declared
event/lamp-set 1 at lamp=Lamp
event/last-turn-came 1 waiting
event/letters-given 1 letters digits
event/light-set 1 squares light
event/note-cleared 1 note=Note
event/note-set 1 note=Note
event/opening-given 1 unit against because=Reason reaction attack cost is_by_move
event/order-set 1 order scores by_gm
event/place-taken 1 unit after order scores is_delay
event/policy-ended 1 policies=Policy label
event/policy-set 1 policies=Policy label
event/pool-changed 1 unit pool label before after because=Reason
event/posture-taken 1 unit posture by_gm
event/reaction-taken 1 unit against because=Reason
event/roll-corrected 1 before after purpose
event/round-began 1 round budgets
event/rounds-changed 1 unit weapon before after by_gm
event/ruling-set 1 ruling label before after
event/side-changed 1 unit before after is_neutral
event/stat-set 1 unit stat label before after pools is_sheets
event/stride-forfeited 1 unit
event/strike-began 1 unit target label number strikes
event/tie-rolled 1 who roll=Roll
event/turn-began 1 unit budget is_extra
event/turn-delayed 1 unit
event/turn-dropped 1 unit
event/turn-ended 1 unit
event/turn-given 1 unit
event/turn-resumed 1 unit
event/turn-taken-up 1 unit
event/turn-waits 1 unit
event/unit-defeated 1 unit
event/unit-fell 1 unit drop
event/unit-hidden 1 unit
event/unit-moved 2 unit action path cost stride facing is_begun altitude
event/unit-out 1 unit why
event/unit-placed 1 unit before after
event/unit-pushed 2 unit path because altitude
event/unit-recovered 1 unit
event/unit-removed 1 unit name
event/unit-renamed 1 unit before after
event/unit-shown 1 unit
event/unit-turned 1 unit facing is_wish by_gm
event/units-added 2 units=Unit order scores is_copy outside
event/units-surprised 1 units
event/way-declared 1 unit action label path cost altitude
event/way-ended 1 unit because=Reason
event/weapon-broken 1 unit weapon label
event/weapon-dropped 1 unit weapon label at rounds
event/weapon-given 1 unit weapon label rounds
event/weapon-readied 1 unit weapon label by_gm
event/weapon-taken 1 unit weapon label rounds
event/weapon-taken-away 1 unit weapon label
event/wind-set 1 wind=Wind
event/worn-changed 1 unit label armour accessories pools is_off
redo 1 batch
undo 1 batch
"""
"""Kind, version, fields. A command's fields stand inside its row, beside who gave it and what was answered."""

VALUES = """
AddUnit role side at name count facing posture altitude size is_neutral is_hidden character=Character zone
Adjustment entry label value active note is_pinned
Barrier kind state bottom top sill lintel blocks_sight stops_shots blocks_movement contains_blast cover seen_through
    walked_through door
Character name stats weapons armour accessories rounds attachments pools conditions notes letter size role
    is_opponent file
Charge id unit weapon at reach action
Cloud id centre radius density rounds metric
CommandBody fields answers=GivenAnswer corrects
CoverRuling attacker target covered material is_pinned
DieFace sides value fate
Entry id step label value because source ruling author active forbids of
Gear weapons weapon rounds
Give unit item
GivenAnswer q dice choose by_seed
Ground terrain object height blocks_sight stops_shots blocks_movement contains_blast cover move_cost glyph
HeldCommand kind unit action target weapon attack path altitude square is_free answers=GivenAnswer
Lamp at bright dim height
Note id text at unit
Place unit at
Policy how kind unit side
Reason kind unit label at
Roll text total faces=DieFace is_typed
SetAltitude unit altitude
SetAmmunition unit rounds weapon
SetBudget unit budget value
SetCharacter unit character=Character
SetCondition unit condition is_on rounds about
SetEdges edges barrier=Barrier
SetElevation squares height
SetGround squares ground=Ground because
SetHidden unit is_hidden
SetInitiative unit score
SetOut unit why
SetPool unit pool value note
SetPosture unit posture
SetStat unit stat value
Stamp time seat
TakeAway unit item
Turn budget start moved trail odd_diagonals stride stride_action attacks tally drawn_by_move drawn_by_attack
Unit id name role side at facing posture size altitude gear=Gear pools turn=Turn conditions timers about is_defeated
    is_neutral is_hidden out overrides=UnitOverrides character=Character
UnitOverrides armour accessories stats
Wind towards squares
"""
"""Values inside of rows, by the names of their classes, which no file holds: their fields."""

VERSIONS: Mapping[str, int] = {
    words[0]: int(words[1]) for words in (line.split() for line in ROWS.strip().splitlines() if line[0] != " ")
}
"""The version in which a row of each kind is written."""


def kind_of(value: Command | Event) -> str:
    """The kind of the row that holds a command or an event."""
    return KINDS[type(value)]


KINDS: Mapping[type, str] = {
    kind: f"{group}{kind.__struct_config__.tag}"
    for group, kinds in ((COMMAND, command_list.COMMANDS), (EVENT, Event.__args__))
    for kind in kinds
}
COMMANDS: Mapping[str, type[Command]] = {KINDS[kind]: kind for kind in command_list.COMMANDS}
EVENTS: Mapping[str, type[Event]] = {KINDS[kind]: kind for kind in Event.__args__}
