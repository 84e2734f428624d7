"""Result card: what the last attack came to, in the shot panel: badge, dice against the number needed, losses, why."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from rich.cells import cell_len
from textual.content import Content

from engine.battle.attacks.attack_preview import AreaRisk, AttackPreview, DefendedDamageOdds, aim_of
from engine.battle.distances import range_from
from engine.battle.effects.roll_effects import RollEffect
from engine.battle.events import (
    AttackRolled,
    AttackTurned,
    BurstCaught,
    BurstLanded,
    DefenceTaken,
    EffectComputed,
    EffectRolled,
    PoolChanged,
    RoundsChanged,
)
from engine.battle.narration import narrate, reason_words
from engine.battle.narration.preview_text import answers_words, odds_parts, wounding_misses
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.battle.views.attack_outcomes import ARMOUR, HIT, NO_DAMAGE, AttackOutcome, attack_outcomes
from engine.battle.views.verdict import off_aim
from engine.battle.views.view import UnitView, project
from engine.dice.dice_text import number, percent, signed
from engine.dice.sources import NO_ROLL, describe
from engine.geometry.blast.scatter_path import OFF_MAP
from engine.geometry.squares import Square
from engine.rules.ledger import UNIT_SIGNS, Entry
from engine.rules.model import Ruleset
from engine.text import lower_first
from engine.values import replace
from tui.application.describe.attack_result import Result
from tui.application.describe.text_layout import ENDLESS, fit, fit_name, wrap
from tui.application.keys.battle_keys import with_keys
from tui.view.panels.attack_panel import REASONS, entry_rows, is_base
from tui.view.panels.log_panel import modifier_rows
from tui.view.panels.order_panel import badge
from tui.view.panels.outcome_badges import badge_style, badge_text, outcome_words
from tui.view.panels.styled_text import join, lines, plain

MUTED, LOSS, GAIN, STRONG = "$muted", "bold $warn", "bold $good", "bold"
MOST_UNITS, MOST_ENTRIES, LEAST_DETAILS = 8, 3, 3
MOST_ROW, INDENT = 44, 4
"""Columns of a row with a number at its end: farther apart, one does not see what belongs to what; those before a row
below a unit's."""
LOOKING_KEYS = "{battle.receipt} details  {battle.next_target} target"
KEYS = (
    "{battle.undo} undo  {battle.receipt} details  {battle.table} o correct it",
    "{battle.undo} undo  {battle.receipt} details  {battle.next_target} next",
)
"""Those that fit are shown."""
MORE = "… {battle.receipt} shows {count} more"


def head_rows(result: Result, rules: Ruleset, width: int) -> list[Content | str]:
    """The badge of the last attacks with the roll, and with what they were made."""
    outcomes = [one for one in attack_outcomes(result.events, rules) if one.rolled is not None]
    return [row for one in outcomes[-1:] for row in _head(one, result, rules, width, is_named=len(result.rolled) > 1)]


def loss_rows(result: Result, rules: Ruleset, width: int, most: int) -> list[Content]:
    """A row for each unit that was caught or whose numbers changed, at most so many."""
    return list(_losses(result, rules, min(width, MOST_ROW), most, {}, is_brief=True))


def landing(result: Result, rules: Ruleset) -> str:
    """Where a blast went off and how far off the aim that is: "Q5, missed by 3 m, stopped by the wall"; "" for none."""
    landed, rolled = _landed(result), result.rolled[-1]
    if landed is None:
        return ""
    battle = result.before or result.battle
    where, far = [landed.at.name], off_aim(rolled, landed.at, battle, rules)
    if far is not None:
        where.append(f"missed by {number(far)} {UNIT_SIGNS[rules.distance.ranges]}" if far else "as aimed")
    if landed.stopped_by:
        where.append("left the map" if landed.stopped_by == OFF_MAP else f"stopped by {landed.stopped_by}")
    return ", ".join(where)


def result_title(result: Result) -> str:
    """Who attacked whom, for the frame: of several attacks the last one."""
    return f"Result · {_heading(result.rolled[-1], result)}"


def result_text(
    result: Result,
    rules: Ruleset,
    width: int,
    height: int,
    forecast: AttackPreview | None = None,
    *,
    can_undo: bool = True,
) -> Content:
    """Renders the card; what the ledger and the details say gives way to the losses, and a last row tells of it.

    Args:
        result: of a command.
        rules: the ruleset.
        width: cells of a row.
        height: most rows.
        forecast: the last of its attacks as it was before the roll, with its odds; None where they are not known.
        can_undo: whether the battle is played, so that the last row names the keys that change the result.
    """
    rolled = result.rolled
    outcomes = [one for one in attack_outcomes(result.events, rules) if one.rolled is not None]
    head = [
        row
        for one in outcomes[-2:]
        for row in _head(one, result, rules, width, is_named=len(rolled) > 1 or height >= ENDLESS)
    ]
    blast = _blast_rows(result, rules, width) if height < ENDLESS else []
    head += ["", *blast] if blast else []
    sentences = list(_details(result, rules, has_blast=not blast))
    chance = _likely(rolled[-1], forecast, _taken(result), is_whole=height >= ENDLESS)
    likely = [plain(row, MUTED) for row in wrap(chance, width)]
    keys = next((shown for shown in map(with_keys, KEYS) if len(shown) <= width), with_keys(KEYS[-1]))
    keys = keys if can_undo else with_keys(LOOKING_KEYS)
    end = [plain(""), plain(fit(keys, width), MUTED)] if height < ENDLESS else []  # the receipt has keys of its own
    most = MOST_UNITS if height < ENDLESS else ENDLESS
    narrow, sums = min(width, MOST_ROW), _sums(result, rules) if blast else {}
    columns = {unit: _sum_rows(parts, narrow) for unit, parts in sums.items()}
    short = {unit: wrap(" · ".join(map(" ".join, parts)), narrow - INDENT) for unit, parts in sums.items()}
    forms = [list(_losses(result, rules, narrow, most, parts, is_brief=False)) for parts in (columns, short, {})]
    forms.append(list(_losses(result, rules, narrow, most, {}, is_brief=True)))
    losses = next((form for form in forms if len(head) + len(form) + 1 + len(end) <= height), forms[-1])
    fixed = len(head) + len(end) + (len(losses) + 1 if losses else 0)
    room = height - fixed - 1
    likely = likely if room - len(likely) >= LEAST_DETAILS else []
    detail_rows = [row for sentence in sentences for row in wrap(sentence, width)]
    if len(detail_rows) > room - len(likely):
        detail_rows = wrap(" ".join(sentences), width)
    details = [plain(row, MUTED) for row in detail_rows]
    blank: list[Content | str] = [plain("")]
    lacking = len(details) + len(likely) - room
    if 0 < lacking <= 1 + bool(end):  # blank rows give way before any detail
        room += lacking
        blank, end = [], end[lacking - 1 :]
    if len(details) > room - len(likely):
        kept = max(0, room - len(likely) - 1)
        more = with_keys(MORE.replace("{count}", str(len(details) - kept)))
        details = [*details[:kept], plain(fit(more, width).rstrip(), "$ink")]
    spare = room - len(details) - len(likely) - 1
    ledgers: tuple[Sequence[Content | str], ...] = ()
    if spare < ENDLESS // 2:  # the receipt lists them by itself
        brief = (list(_ledger(rolled[-1], min(width, MOST_ROW), most)) for most in (ENDLESS, MOST_ENTRIES))
        ledgers = _whole_ledger(rolled[-1], rules, width), *brief
    fitting = next((rows for rows in ledgers if 0 < len(rows) <= spare + 1), ())
    above = [plain("")] if 0 < len(fitting) <= spare else []  # it gives way before a modifier
    ledger = [*above, *fitting]
    middle = [*([plain(""), *losses] if losses else []), *([*blank, *details] if details else []), *likely]
    return lines([*head, *ledger, *middle, *end][:height])


def receipt_of(result: Result, rules: Ruleset, width: int) -> Content:
    """The whole result: the card uncut, then every modifier of each attack with its reason and source."""
    rows: list[Content | str] = [result_text(result, rules, width, ENDLESS)]
    for event in result.events:
        if isinstance(event, AttackRolled) and event.entries:
            rows += ["", plain(f"Modifiers of {_heading(event, result)}", "bold $panel-title")]
            rows += modifier_rows(event, rules, width)
    return lines(rows)


def _heading(event: AttackRolled, result: Result) -> str:
    target = event.square.name if event.square else result.battle.called(event.target)
    return f"{result.battle.called(event.unit)} → {target}"


def _head(
    outcome: AttackOutcome, result: Result, rules: Ruleset, width: int, *, is_named: bool
) -> Iterator[Content | str]:
    """Who attacked whom where the title does not say so, the badge, the roll, and with what."""
    event, label = outcome.rolled, outcome.grade_label
    if event is None:
        return
    if is_named:
        yield plain(fit(_heading(event, result), width), STRONG)
    word = outcome_words(outcome, result.events, result.battle, rules)
    if result.is_open and word in (NO_DAMAGE, ARMOUR):  # the damage may be still to come
        word = HIT
    sign = f" {badge_text(word, label, rules)} "
    words, room = label, width - len(sign) - 1
    if event.roll != NO_ROLL:
        test, roll = rules.attack.test, replace(event.roll, is_typed=False)
        words = test.result_text(roll, event)
        if cell_len(words) > room:  # without "rolled" it may fit; else it has rows of its own
            words = test.roll_against(roll, event)
    beside = fit(words, room) if cell_len(words) <= room else ""
    yield join(
        [
            plain(sign, f"bold {badge_style(word, outcome, result.battle, rules)} reverse"),
            plain(" "),
            plain(beside, STRONG),
        ]
    )
    yield from (plain(row, STRONG) for row in (wrap(words, width) if not beside else ()))
    is_said = label.casefold() == badge_text(word, label, rules).casefold()
    about = f"{'' if is_said else f'{label} · '}{event.weapon_label}, {event.action_label.lower()} · {event.distance}"
    yield from (plain(row, MUTED) for row in wrap(about, width))


def _taken(result: Result) -> dict[str, None]:
    """Labels of what its target did against the last attack, and of the attacker's own answers to its roll."""
    *before, last = result.rolled
    begun = result.events.index(before[-1]) if before else 0
    return {
        event.label: None
        for event in result.events[begun:]
        if isinstance(event, DefenceTaken) and event.against == last.unit
    }


def _likely(event: AttackRolled, forecast: AttackPreview | None, taken: Collection[str], *, is_whole: bool) -> str:
    """How likely it had been: "It was 65 %."; whole "It was 65 % · wounds 55 % · drops 6 %", no odds at another chance.

    With the defence that was taken "It was 40 %, 30 % against Dodge · wounds 25 %"; where that one's are not known
    "It was 40 % before Dodge · …".
    """
    if event.roll == NO_ROLL:
        return ""
    chance = f"It was {percent(event.chance)}"
    odds: list[str] = []
    is_known = forecast is not None and forecast.odds.hit == event.chance
    outlook = forecast.outlook if forecast is not None and is_known else None
    defended = forecast.defended if forecast is not None and is_known else None
    if taken and defended is not None and _rests_on(defended, taken):
        chance, outlook = (
            f"{chance}, {percent(defended.outlook.hit)} against {answers_words(defended)}",
            defended.outlook,
        )
    elif taken:
        chance += f" before {' and '.join(taken)}"
    if is_whole and forecast is not None and is_known:
        if outlook is not None:
            odds = [*odds_parts(outlook, has_average=False), *filter(None, [wounding_misses(outlook)])]
        risks, side = forecast.area_risks, forecast.situation.attacker.side
        own = [risk for risk in risks if risk.unit.side == side]
        odds += [f"{risk.unit.name} {words}" for risk in risks if risk not in own and (words := _worst(risk))]
        odds += [f"own side: {', '.join(f'{risk.unit.name} {percent(risk.caught)}' for risk in own)}"] if own else []
    return " · ".join((chance, *odds)) if odds else f"{chance}."


def _worst(risk: AreaRisk) -> str:
    """The chance of what an attack on an area does to one unit first of all; "" where that is next to nothing."""
    is_likely = round(risk.outlook.hurt * 100) or aim_of(risk.outlook) is not None
    return odds_parts(risk.outlook, is_brief=True)[0] if is_likely else ""


def _rests_on(defended: DefendedDamageOdds, taken: Collection[str]) -> bool:
    """Whether odds rest on just the defences that were taken."""
    return bool(taken) and {*taken} <= {*defended.labels}


def _ledger(event: AttackRolled, width: int, most: int) -> Iterator[Content]:
    """At most so many modifiers, those that weighed most, largest first; with all of them what they are added to."""
    step = event.entries[0].step if event.entries else ""
    bases = [one for one in _active(event) if one.step == step]
    known = [one for one in _active(event) if one.step != step]
    known.sort(key=lambda one: abs(Fraction(one.value)), reverse=True)
    for entry in bases if len(known) <= most else ():  # of a part there is no sum
        yield plain(fit(entry.label, width - len(number(entry.value)) - 1) + f" {number(entry.value)}")
    for entry in known[:most]:
        value = f" {signed(entry.value)}"
        helps = entry.value < 0 if entry.of else entry.value > 0
        yield join([plain(fit(entry.label, width - len(value))), plain(value, "$good" if helps else "$bad")])
    if (others := len(known) - most) > 0:
        yield plain(fit(with_keys(MORE.replace("{count}", str(others))), width), MUTED)


def _whole_ledger(event: AttackRolled, rules: Ruleset, width: int) -> list[Content | str]:
    """Every number of the roll with its reason, as the prediction had it."""
    return [
        row
        for place, entry in enumerate(_active(event), start=1)
        for row in entry_rows(place, entry, ("", False), width, REASONS, is_base(entry, rules))
    ]


def _active(event: AttackRolled) -> list[Entry]:
    return [one for one in event.entries if one.active and not one.forbids and one.value]


def _losses(
    result: Result, rules: Ruleset, width: int, most: int, sums: Mapping[str, Sequence[str]], *, is_brief: bool
) -> Iterator[Content]:
    """A row for each unit whose numbers changed, worst first, with the first change; others of the unit below it.

    Whom a blast caught has its distance from where it went off.

    Args:
        result: of a command.
        rules: the ruleset.
        width: cells of a row.
        most: units with a row.
        sums: rows on how the damage of a unit came about, for below its row.
        is_brief: whether each unit has one row only.
    """
    first: dict[tuple[str, str], PoolChanged] = {}
    last: dict[tuple[str, str], int] = {}
    for event in result.events:
        if isinstance(event, PoolChanged):
            first.setdefault((event.unit, event.pool), event)
            last[event.unit, event.pool] = event.after
    rows: dict[str, list[tuple[PoolChanged, int]]] = {}
    for key, event in first.items():
        if event.before != last[key]:
            rows.setdefault(event.unit, []).append((event, last[key]))
    caught = dict.fromkeys(event.target for event in result.events if isinstance(event, BurstCaught))
    units = sorted({**caught, **dict.fromkeys(rows)}, key=lambda unit: min(_changes(rows.get(unit, [])), default=1))
    if not units:
        return
    views = {unit.id: unit for unit in project(result.battle, rules).units}
    shown = [views[unit] for unit in units if unit in views]
    distances = _distances(result, rules, caught)
    for unit in shown[:most]:
        changed = rows.get(unit.id, [])
        yield from _unit_rows(unit, changed, distances, width, is_brief=is_brief, is_open=result.is_open)
        yield from (plain(f"{' ' * INDENT}{row}", MUTED) for row in sums.get(unit.id, ()))
    if len(shown) > most:
        yield plain(with_keys(f"and {len(shown) - most} more: {{battle.receipt}}"), MUTED)


def _landed(result: Result) -> BurstLanded | None:
    """Where a blast of the command went off; None for no blast, and for several."""
    landed = [event for event in result.events if isinstance(event, BurstLanded)]
    return landed[0] if len(landed) == 1 else None


def _sum_rows(parts: Sequence[tuple[str, str]], width: int) -> list[str]:
    """A row for each number of a sum, the number on the right, below that of the row above."""
    room, rows = width - INDENT, list[str]()
    for label, value in parts:
        is_short = cell_len(f"{label} {value}") <= room
        rows += (
            [fit(lower_first(label), room - cell_len(value)) + value] if is_short else wrap(f"{label} {value}", room)
        )
    return rows


def _sums(result: Result, rules: Ruleset) -> dict[str, list[tuple[str, str]]]:
    """For each unit that a blast caught the numbers that its damage came about by, without the dice for all of them."""
    found: dict[str, list[tuple[str, str]]] = {}
    target, shared = "", _shared(rules)
    for event in result.events:
        if isinstance(event, BurstCaught):
            target = event.target
        elif target and isinstance(event, EffectRolled) and event.label not in shared:
            found.setdefault(target, []).append((event.label, str(event.roll.total)))
        elif target and isinstance(event, EffectComputed):
            why = reason_words(event.words, result.battle)
            value = why if why and not event.value else number(event.value)
            found.setdefault(target, []).append((event.label, value))
    return found


def _shared(rules: Ruleset) -> frozenset[str]:
    """Labels of the rolls that serve all whom a blast catches."""
    return frozenset(one.label for one in rules.attack.effects if isinstance(one, RollEffect) and one.is_shared)


def _distances(result: Result, rules: Ruleset, caught: Iterable[str]) -> dict[str, str]:
    """How far those whom a blast caught were from it."""
    landed, battle = _landed(result), result.before or result.battle
    if landed is None:
        return {}
    there = {unit: battle.units[unit] for unit in caught if unit in battle.units}
    return {id: _far(battle, rules, landed.at, unit) for id, unit in there.items()}


def _far(battle: Battle, rules: Ruleset, centre: Square, unit: Unit) -> str:
    return f"{number(range_from(battle.field, rules, centre, unit))} {UNIT_SIGNS[rules.distance.ranges]}"


def _blast_rows(result: Result, rules: Ruleset, width: int) -> list[Content | str]:
    """Where a blast went off: the dice of its scatter, the square, how far off the aim that is, its dice for all."""
    landed = _landed(result)
    if landed is None:
        return []
    said = [("scatter", ", ".join(describe(roll) for roll in landed.rolls))] if landed.rolls else []
    said.append(("lands", landing(result, rules)))
    shared = _shared(rules)
    rolls = [event for event in result.events if isinstance(event, EffectRolled) and event.label in shared]
    said += [(lower_first(event.label), describe(event.roll)) for event in rolls]
    first = max(len(label) for label, _ in said) + 2
    return [
        join([plain(fit("" if place else label, first), MUTED), row])
        for label, words in said
        for place, row in enumerate(wrap(words, width - first))
    ]


def _changes(rows: Sequence[tuple[PoolChanged, int]]) -> list[int]:
    return [after - event.before for event, after in rows]


def _unit_rows(
    unit: UnitView,
    rows: Sequence[tuple[PoolChanged, int]],
    distances: Mapping[str, str],
    width: int,
    *,
    is_brief: bool,
    is_open: bool,
) -> Iterator[Content]:
    """Badge, name, whether it is out, how far it was from a blast, and what changed; "?" where dice may change it."""
    far = max((len(words) + 1 for words in distances.values()), default=0)
    after_name = f"{distances.get(unit.id, ''):>{far}}"
    first = next((row for row in rows if row[0].pool == unit.pools[0].id), None) if unit.pools else None
    none = "…" if is_open else "no damage"
    tail, style = (none, MUTED) if not rows else _changed(*first) if first else ("", "")
    tail += " ?" if is_open and first else ""
    room = max(0, width - 3 - far - len(tail) - 1)
    name, out = unit.name, ", out" if unit.is_defeated else ""
    out = out if cell_len(name + out) < room else out and "†"
    name = fit(fit_name(name, min(cell_len(name), room - len(out) - 1)) + out, room - 1)
    named = plain(name, STRONG if rows else "")
    yield join([badge(unit), " ", named, plain(f"{after_name} ", MUTED), plain(tail, style)])
    for event, after in () if is_brief and first else rows:
        if first is None or event.pool != first[0].pool:
            tail, style = _changed(event, after)
            yield join([plain(fit(f"    {event.label}", width - len(tail)), MUTED), plain(tail, style)])


def _changed(event: PoolChanged, after: int) -> tuple[str, str]:
    """What a number lost or gained, before and after it: "−14  20 → 6", and the style of that."""
    change = after - event.before
    loss = f"{'+' if change > 0 else '−'}{abs(change)}"
    return f"{loss:>3}  {event.before:>2} → {after:>2}", GAIN if change > 0 else LOSS


def _details(result: Result, rules: Ruleset, *, has_blast: bool) -> Iterator[str]:
    """The other events in words, without those that the card shows already; a defence in vain against a hit says so.

    Without `has_blast` also without what a blast did to each: it has rows of its own.
    """
    attacks = (event for event in result.events if isinstance(event, AttackRolled))
    grades = {event.target: event.grade_label for event in attacks if event.is_hit}
    turned = {event.target for event in result.events if isinstance(event, AttackTurned)}
    for event in sorted(result.events, key=lambda one: isinstance(one, RoundsChanged)):
        if isinstance(event, AttackRolled | PoolChanged):
            continue
        if not has_blast and isinstance(event, BurstLanded | BurstCaught | EffectRolled | EffectComputed):
            continue
        words = narrate(event, result.battle, rules, is_brief=not isinstance(event, BurstLanded | EffectRolled))
        if isinstance(event, DefenceTaken) and event.unit in grades and event.unit not in turned:
            words = f"{words} The result is still “{grades[event.unit]}”."
        if words:
            yield words
