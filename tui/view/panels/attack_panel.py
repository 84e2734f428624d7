"""Shot panel: every modifier with reason and source, the roll, and the exact chance of every outcome."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rich.cells import cell_len
from textual.content import Content

from engine.battle.attacks.attack_preview import AttackPreview, DamageOdds, aim_of, rounds_words
from engine.battle.attacks.scatter import has_scatter
from engine.battle.facts import BARE_SQUARE
from engine.battle.narration.preview_text import (
    RARE,
    average_words,
    beside_chance,
    damage_words,
    friend_words,
    mean_words,
    outcome_parts,
    risk_words,
    roll_needed,
    shared_words,
    to_roll,
    worn_words,
    wounding_misses,
)
from engine.battle.views.view import UnitView
from engine.dice.dice_text import number, percent, percents, signed, signed_percent
from engine.rules.derived_facts import logged_facts
from engine.rules.expressions import shown
from engine.rules.ledger import GM, Entry
from engine.rules.model import Ruleset
from engine.text import lower_first, sentence
from engine.values import replace
from tui.application.describe.text_layout import ENDLESS, fit, fit_name, wrap
from tui.application.focus.contacts import Aim
from tui.application.keys.battle_keys import with_keys
from tui.view.panels.order_panel import badge
from tui.view.panels.styled_text import join, lines, plain

MOST_NAMED, SHARE = 6, 7
"""Units named of those that an area attack may catch; columns of each chance."""
FEWER = (4, 2)
"""Units named where the modifiers would have no room else."""
VALUE, LEAST_REASON = 5, 8
"""Columns of a modifier's value; fewest that a reason is cut to."""
LABEL, BAR, NUMBER = 8, 20, 8
"""Columns of a chance's label, its bar at most, and its number."""
LEAST_LEDGER = 3
"""Rows of modifiers that a short panel keeps, before anything of the odds."""
BADGE = 3
"""Columns of a unit's badge."""
WITH_REASONS = 46
"""Columns of a panel in which a row has room for a modifier and what is cut of its reason; in fewer it has the number
alone, at its end."""
RULINGS, SOURCES, REASONS, BRIEF = 3, 2, 1, 0
"""Detail of each modifier: reason, source and ruling; reason and source; reason; what fits on the line."""
MUTED, GOOD, BAD, STRONG, CHANCE = "$muted", "$good", "$bad", "bold", "bold reverse"
KEYS = "{battle.fire} fire  {battle.weapon} weapon  {battle.receipt} details"
NO_TARGET = "No target. {battle.next_target} aims at the next enemy, {board.choose} at the enemy under the cursor."


def shot_text(
    shot: AttackPreview | str | None,
    rules: Ruleset,
    width: int,
    height: int,
    targets: Sequence[tuple[UnitView, Aim | None]] = (),
    idle: str = NO_TARGET,
) -> Content:
    """Renders the panel.

    Args:
        shot: the attack, a sentence why there is none, or None without a target.
        width: cells in a row.
        height: rows available; sources are left out if they do not fit.
        targets: without a target, the enemies in the order in which they are aimed at, each with the aim at it; None
            until that is known.
        idle: what is said above them.
    """
    if shot is None:
        said = [plain(row, MUTED) for row in wrap(with_keys(idle), width)]
        return lines([*said, *_targets(targets, width, height - len(said) - 1)])
    if isinstance(shot, str):
        return lines(plain(row, BAD) for row in wrap(shot, width))
    rows = _head(shot, rules, width, is_named=height >= ENDLESS)
    named = ENDLESS if height >= ENDLESS else MOST_NAMED
    core = _core(shot, rules, width, named)
    worn = _core(shot, rules, width, named, has_worn=True)
    whole = _closing(shot, rules, width, named)
    barred = _core(shot, rules, width, named, has_worn=True, has_bars=True)
    ways = [
        *((depth, whole) for depth in (RULINGS, SOURCES, REASONS)),
        *((REASONS, end) for end in (barred, worn, core)),
    ]
    is_short = width < WITH_REASONS
    for depth, end, kept in (
        *((depth, end, _to_come(shot, width, has_costs=end in (whole, barred))) for depth, end in ways),
        *((REASONS, end, 0) for end in (barred, worn, core)),
        *(((BRIEF, core, 0),) if not is_short else ()),
        *((BRIEF, _core(shot, rules, width, few), 0) for few in FEWER if few < min(named, len(shot.area_risks))),
    ):
        room = height - len(rows) - len(end) - kept
        ledger = _entries(shot, rules, width, depth, room, has_star=end is whole)
        if end is whole and any(_worth(shot, entry)[1] for entry in shot.ledger.entries):
            ledger.append(plain("  * changes the chance most", MUTED))
        if len(ledger) <= room:
            has_keys = len(ledger) + 2 <= room < ENDLESS // 2 and not (shot.ledger.forbidden or shot.refusal)
            keys: list[Content | str] = ["", plain(fit(with_keys(KEYS), width), MUTED)] if has_keys else []
            return lines(rows + ledger + end + keys)
        if len(ledger) == room + 1:  # the blank row below the head gives way before any reason does
            return lines(rows[:-1] + ledger + end)
    if is_short:
        return lines(_short(shot, rules, width, height))
    return lines(rows + _cut(shot, rules, width, height - len(rows) - len(core)) + core)


def _short(shot: AttackPreview, rules: Ruleset, width: int, height: int) -> list[Content | str]:
    """The attack in few rows: the roll beside the chance, one row for the weapon, modifiers as numbers, the odds."""
    head = _head(shot, rules, width, is_named=False, is_short=True)
    core = _core(shot, rules, width, MOST_NAMED, is_short=True)
    core = core[: max(1, height - len(head) - LEAST_LEDGER)]
    rows = [*head, *_numbers(shot, rules, width, height - len(head) - len(core)), *core]
    keys: list[Content | str] = ["", plain(fit(with_keys(KEYS), width), MUTED)]
    return [*rows, *keys] if len(rows) + len(keys) <= height and not (shot.ledger.forbidden or shot.refusal) else rows


def _numbers(shot: AttackPreview, rules: Ruleset, width: int, room: int) -> list[Content | str]:
    """The modifiers that count, each a row with its number at the end: what it starts from, then by weight.

    The one that costs most is marked; those that have no room share a row.
    """
    first = _first(shot)
    known = [
        one
        for one in shot.ledger.numbered
        if one.author == GM or (one.active and one.value and not one.forbids and not shot.ledger.is_without_effect(one))
    ]
    known.sort(key=lambda one: (not is_base(one, rules), one.author != GM, -abs(float(one.value))))
    costs = [one for one in known if one.active and counts_against(one) and one.step != first]
    worst = max(costs, key=lambda one: abs(float(one.value)), default=None) if len(costs) > 1 else None
    shown = known if len(known) <= room else known[: max(0, room - 1)]
    rows: list[Content | str] = []
    for one in shown:
        label, value = label_and_value(one, is_number=is_base(one, rules))
        style = STRONG if is_base(one, rules) else _style(one)
        name = plain(fit(label, width - len(value) - 3), "" if one.active else "strike")
        rows.append(join([name, " ", plain(value, style), plain(" ◂" if one is worst else "", "$warn")]))
    if left := known[len(shown) :]:
        total = signed(sum((one.value for one in left if one.active), Fraction(0)))
        named = f"{len(left)} smaller" if len(left) > 1 else left[0].label
        rows.append(plain(f"{fit(named, width - len(total) - 3)} {total}", MUTED))
    return rows[: max(0, room)]


def chance_words(aim: Aim | None) -> str:
    """The chance to hit an enemy; "…" until it is known."""
    if aim is None:
        return "…"
    return "not in sight" if not aim.is_seen else "no attack" if aim.chance is None else percent(aim.chance)


def _targets(targets: Sequence[tuple[UnitView, Aim | None]], width: int, room: int) -> list[Content | str]:
    """A row for each enemy, after a blank one, and if there is room one about it; the last says how many more."""
    shown = targets if len(targets) <= room else targets[: max(0, room - 1)]
    rows: list[Content | str] = [""] if shown else []
    for unit, aim in shown:
        chance, has_chance = chance_words(aim), aim is not None and aim.is_seen and aim.chance is not None
        name = max(0, width - BADGE - 2 - cell_len(chance))
        style = STRONG if has_chance else MUTED
        rows.append(join([badge(unit), " ", fit_name(unit.name, name), " ", plain(chance, style)]))
        if aim is not None and aim.about and 2 * len(targets) <= room:
            ways = [" · ".join(aim.about[:count]) for count in range(len(aim.about), 0, -1)]
            said = next((way for way in ways if cell_len(way) <= width - BADGE - 1), ways[-1])
            rows.append(plain(f"{' ' * (BADGE + 1)}{fit(said, width - BADGE - 1).rstrip()}", MUTED))
    if shown and len(shown) < len(targets):
        rows.append(plain(f"… {len(targets) - len(shown)} more", MUTED))
    return rows


def _to_come(shot: AttackPreview, width: int, *, has_costs: bool) -> int:
    """Rows kept for what is worked out later, so that nothing moves when it comes: what costs most, a better attack."""
    if shot.worths:  # it has come
        return 0
    return (has_costs and not _costliest(shot, width)) + (not _better(shot, width))


def _cut(shot: AttackPreview, rules: Ruleset, width: int, room: int) -> list[Content | str]:
    """As many modifiers as fit, one row each; the GM's own stay longest."""
    rows: dict[bool, list[Content | str]] = {True: [], False: []}
    for place, entry in enumerate(shot.ledger.numbered, start=1):
        if not shot.ledger.is_without_effect(entry):
            row = entry_rows(place, entry, (_worth(shot, entry)[0], False), width, BRIEF, is_base(entry, rules))
            rows[entry.author == GM] += row
    if room < 1:
        return []
    against = sorted(
        (each for each in shot.ledger.entries if counts_against(each)), key=lambda one: -abs(float(one.value))
    )
    costs = [" ".join(label_and_value(each)) for each in against if each.step != _first(shot)]
    some = [", ".join(costs[:count]) for count in range(len(costs), 0, -1)]
    ways = [with_keys(f"   {said} … {{battle.receipt}} shows all") for said in some]
    whole = with_keys("   … {battle.receipt} shows all modifiers")
    more = plain(next((way for way in ways if cell_len(way) <= width), whole), MUTED)
    return [*rows[False][: max(0, room - 1 - len(rows[True]))], *rows[True][: room - 1], more]


def _entries(
    shot: AttackPreview, rules: Ruleset, width: int, depth: int, room: int, *, has_star: bool = False
) -> list[Content | str]:
    """The modifiers; if room is short, those without effect share one row at the end.

    Args:
        shot: whose modifiers.
        rules: the ruleset.
        width: cells of a row.
        depth: detail of each. Of BRIEF ones, the reasons that are cut stand below instead, as far as the room goes.
        room: rows for all of them and a blank one, which gives way to a reason.
        has_star: whether the one that changes the chance most has one: the row that explains it follows.
    """
    blocks: list[tuple[int, Entry, list[Content | str]]] = []
    worthless: list[str] = []

    def rows_of(place: int, entry: Entry, depth: int) -> list[Content | str]:
        points, is_strongest = _worth(shot, entry)
        return entry_rows(place, entry, (points, is_strongest and has_star), width, depth, is_base(entry, rules))

    for place, entry in enumerate(shot.ledger.numbered, start=1):
        if depth < SOURCES and shot.ledger.is_without_effect(entry):
            worthless.append(lower_first(entry.label))
        else:
            blocks.append((place, entry, rows_of(place, entry, depth)))
    end: list[Content | str] = []
    if worthless:
        end += [plain(f"   {row}", MUTED) for row in wrap(f"No effect: {', '.join(worthless)}", width - 3)]
    spare = room + 1 - _to_come(shot, width, has_costs=False) - len(end) - sum(len(rows) for _, _, rows in blocks)
    if depth == BRIEF and spare > 0:
        base = _first(shot)
        for place, entry, rows in sorted(blocks, key=lambda one: (one[1].author != GM, one[1].step == base)):
            whole = rows_of(place, entry, REASONS)
            if len(whole) - len(rows) <= spare:
                spare -= len(whole) - len(rows)
                rows[:] = whole
    return [row for _, _, rows in blocks for row in rows] + end


def shot_title(shot: AttackPreview | str | None) -> str:
    """Who attacks whom, for the frame."""
    names = (
        f" · {shot.situation.attacker.name} → {shot.situation.target.name}" if isinstance(shot, AttackPreview) else ""
    )
    return f"Shot{names}"


def _head(
    shot: AttackPreview, rules: Ruleset, width: int, *, is_named: bool, is_short: bool = False
) -> list[Content | str]:
    """Why not now, the chance, who attacks whom where the frame does not say so, with what, and how far.

    In short the weapon and how far it is have one row.
    """
    situation = shot.situation
    band = f" · {shot.ledger.band_label}" if shot.ledger.band_label else ""
    rounds = f", {words}" if (words := rounds_words(situation)) else ""
    weapon = f"{situation.weapon.label}, {situation.action.label.lower()}{rounds}"
    facts_text = "".join(
        f" · {label} {shown(value)}" for label, value in logged_facts(rules, situation.facts, "situation")
    )
    names = f"{situation.attacker.name} → {situation.target.name}"
    warned = friend_words(shot)
    warning = [plain(row, BAD) for row in (wrap(warned, width) if warned else ())]
    chance = [] if shot.ledger.forbidden else [_chance(shot, rules, width)]
    refused = f"Unavailable: {shot.refusal_brief}" if shot.refusal and not shot.ledger.forbidden else ""
    about = ", ".join(filter(None, (situation.weapon.label, f"{situation.distance}{situation.on_map}", band[3:])))
    whole = f"{weapon} · {situation.distance}{situation.on_map}{band}{facts_text}"
    return [
        *([plain(fit(names, width), STRONG)] if is_named else []),
        *(plain(row, BAD) for row in (wrap(refused, width) if refused else ())),
        *chance,
        *warning,
        *([plain(fit(about, width), MUTED)] if is_short else wrap(whole, width)),
        "",
    ]


def _chance(shot: AttackPreview, rules: Ruleset, width: int) -> Content:
    """The chance, as a fraction too, and the least that the die must show: " HIT 65 %   13 in 20  needs 8+".

    It is muted where the attack may not be made now.
    """
    if has_scatter(rules, shot) and not shot.refusal:
        return _catch(shot, width)
    badge = f" HIT {percent(shot.odds.hit)} "
    exact = _exact(shot.odds.hit, rules)
    natural = rules.attack.test.least_natural(shot.ledger, shot.odds.hit) if shot.situation.action.is_rolled else 0
    under = roll_needed(shot, rules).removeprefix(rules.attack.test.dice.text).lstrip(", ")
    needed = f"needs {natural}+" if natural else f"{under}" * (width < WITH_REASONS and shot.situation.action.is_rolled)
    ways = (f"  {exact}  {needed}", f" {exact} {needed}", f"  {needed or exact}")
    beside = next((way for way in ways if cell_len(f"{badge}{way}") <= width), "").rstrip()
    if shot.refusal:
        return plain(f"{badge.strip()}{beside}", MUTED)
    return join([plain(badge, CHANCE if shot.odds.hit else f"{CHANCE} {BAD}"), beside])


def _catch(shot: AttackPreview, width: int) -> Content:
    """The likeliest enemy in the area of a throw, once known: " IN THE AREA 79 %   Hauler  lands as aimed 0 %"."""
    own, aimed = shot.situation.attacker.side, percent(shot.odds.hit)
    likeliest = next((risk for risk in shot.area_risks if risk.unit.side != own), None)
    if likeliest is None:
        return plain(f" LANDS AS AIMED {aimed} ", CHANCE)
    chance, name = percent(likeliest.caught), likeliest.unit.name
    whole, short = f" IN THE AREA {chance} ", f" AREA {chance} "
    ways = (
        (whole, f"  {name}  lands as aimed {aimed}"),
        (whole, f" {name}, as aimed {aimed}"),
        (whole, f" {name}"),
        (short, f" {name}"),
    )
    badge, beside = next((way for way in ways if cell_len("".join(way)) <= width), (short, ""))
    return join([plain(badge, CHANCE if shot.odds.hit else f"{CHANCE} {BAD}"), beside])


def _worth(shot: AttackPreview, entry: Entry) -> tuple[str, bool]:
    """A modifier's change of the chance if its value does not show it, and whether it is the largest."""
    known = {worth.entry: worth.change for worth in shot.worths}
    changed = [abs(known[one.id]) for one in shot.ledger.entries if one.id in known and one.step != _first(shot)]
    if entry.id not in known or entry.step == _first(shot):
        return "", False
    change = known[entry.id]
    words = "" if change * 100 == entry.value else f"chance {signed_percent(change)}" if change else "same chance"
    most = max(changed)
    return words, abs(change) == most > 0 and changed.count(most) == 1


def _costliest(shot: AttackPreview, width: int) -> list[Content | str]:
    """What costs most, in one sentence: "Partial cover costs 10 %: 69 % without"."""
    known = {worth.entry: worth.change for worth in shot.worths}
    costs = {one.label: known[one.id] for one in shot.ledger.entries if one.id in known and one.step != _first(shot)}
    if not costs or min(costs.values()) >= 0:
        return []
    label = min(reversed(costs), key=lambda one: costs[one])
    without = min(Fraction(1), shot.odds.hit - costs[label])
    said = f"{label} costs {percent(-costs[label])}: {percent(without)} without"
    return [plain(row, "$panel-title") for row in wrap(said, width)]


def _first(shot: AttackPreview) -> str:
    """The ledger's base step, which the others change."""
    return shot.ledger.entries[0].step if shot.ledger.entries else ""


def entry_rows(
    position: int, entry: Entry, worth: tuple[str, bool], width: int, depth: int, is_number: bool
) -> list[Content | str]:
    """Rows of one modifier: its line, and the whole reason and the source below it, as `depth` allows."""
    label_width = min(20, max(16, width - 24))
    label, value = label_and_value(entry, is_number=is_number)
    column = max(VALUE, len(value))
    because = f"GM: {entry.because}" if entry.author == GM else entry.because
    points, is_strongest = worth
    if depth == BRIEF and width < WITH_REASONS:
        said = plain(fit(label, width - column - 5), "" if entry.active else "strike")
        number = plain(f" {value:>{column}}", STRONG if is_number else _style(entry))
        return [join([plain(f"{position:>2} ", MUTED), said, number])]
    because = f"{points}: {because}" if points else because
    room = width - label_width - VALUE - 5
    beside = wrap(because, room)
    below: list[str] = []
    if depth == BRIEF:
        beside = [fit(because, room).rstrip()] if room >= LEAST_REASON or len(beside) == 1 else [""]
    elif len(beside) > 1:
        is_broken = room >= LEAST_REASON and because[len(beside[0])] == " "
        beside = beside[:1] if is_broken else [""]
        below = wrap(because[len(beside[0]) :].lstrip(), width - 5)
    rows: list[Content | str] = [
        join(
            [
                plain(f"{position:>2} ", MUTED),
                plain(fit(label, label_width + VALUE - column), "" if entry.active else "strike"),
                plain(f"{value:>{column}}", STRONG if is_number else _style(entry)),
                plain("* " if is_strongest else "  ", STRONG),
                plain(beside[0] if beside else "", MUTED),
            ]
        ),
        *(plain(f"     {row}", MUTED) for row in below),
    ]
    if depth >= SOURCES:
        source = entry.source + (f" · ruling: {entry.ruling}" if entry.ruling and depth == RULINGS else "")
        rows += [plain(f"     {row}", "$faint italic") for row in wrap(source, width - 5)]
    return rows


def label_and_value(entry: Entry, *, is_number: bool = False) -> tuple[str, str]:
    """What a modifier is called and what it counts: "Wild attack", "−20"; the base number has no sign."""
    value = "no" if entry.forbids else number(entry.value) if is_number else signed(entry.value)
    if entry.of and ": " in entry.label:  # "AC: Dexterity" +2 changes the number to beat: "Dexterity    AC +2"
        of, _, label = entry.label.partition(": ")
        return label, f"{of} {value}"
    return entry.label, value


def counts_against(entry: Entry) -> bool:
    """Whether a modifier that counts makes the attack harder."""
    return entry.active and (entry.forbids or (entry.value > 0 if entry.of else entry.value < 0))


def is_base(entry: Entry, rules: Ruleset) -> bool:
    """Whether an entry is the base number, not a modifier of it."""
    return rules.attack.test.is_under and entry.step == rules.attack.steps[0] and entry.author != GM


def _style(entry: Entry) -> str:
    if not entry.active:
        return "strike $muted"
    return BAD if counts_against(entry) else GOOD if entry.value else MUTED


def _core(
    shot: AttackPreview,
    rules: Ruleset,
    width: int,
    named: int,
    *,
    has_worn: bool = False,
    has_bars: bool = False,
    is_short: bool = False,
) -> list[Content | str]:
    """The last rows, never left out: the roll, the chance, the outcome; perhaps what wears off.

    In short without the roll, which stands beside the chance, and of what a defence changes the chance alone.
    """
    ledger = shot.ledger
    rows: list[Content | str] = [plain("─" * width, "$faint")]
    if ledger.forbidden:
        rows += [plain(row, BAD) for row in wrap(f"No attack: {ledger.forbidden.because}", width)]
        return rows + _better(shot, width)
    rows += [] if is_short else [plain(row, STRONG) for row in wrap(to_roll(shot, rules), width)]
    rows += wrap(shared_words(shot, rules), width)
    bars = _bars(shot, width) if has_bars else []
    rows += bars
    if shot.outlook is not None and bars:
        rows += wrap(", ".join(filter(None, (average_words(shot.outlook), worn_words(shot.outlook)))), width)
        rows += wrap(" · ".join(outcome_parts(shot.outlook)), width)
    elif shot.outlook is not None:
        rows += _damage(shot.outlook, width)
        rows += wrap(worn_words(shot.outlook), width) if has_worn else []
    if shot.outlook is not None and (why := wounding_misses(shot.outlook)):
        rows += wrap(sentence(why), width)
    if shot.defended is None:
        rows += wrap(beside_chance(shot), width)
    else:
        rows += wrap(f"hit {beside_chance(shot)}", width)
        rows += [] if is_short else _damage(shot.defended.outlook, width)
    rows += _struck_instead(shot, width, named)
    rows += _area_risks(shot, width, named)
    rows += _costliest(shot, width) if has_bars else []
    return rows + _better(shot, width)


def _damage(outlook: DamageOdds, width: int) -> list[str]:
    """The damage odds, in one row if they fit; to the tenth like the chance to hit as long as that fits.

    What else may come over the target has a row of its own where both do not fit into one.
    """
    states = outcome_parts(outlook)
    if states and cell_len(damage_words(outlook)) > width and aim_of(outlook) is None:
        named = (" · ".join(states), " · ".join(outcome_parts(outlook, is_brief=True)))
        own_row = next((way for way in named if cell_len(way) <= width), named[-1])
        return [*_damage(replace(outlook, outcomes=()), width), *wrap(own_row, width)]
    whole = damage_words(outlook)
    exact = (whole, whole.replace("avg. damage", "dmg"), whole.replace("avg. damage", "dmg").replace(" · ", "·"))
    brief = damage_words(outlook, is_brief=True)
    ways = (*exact, brief, brief.replace(" · ", "·"))
    return wrap(next((way for way in ways if len(way) <= width), brief), width)


def _bars(shot: AttackPreview, width: int) -> list[Content | str]:
    """A bar for each chance of an attack on one target: that it hits, wounds, drops; none where more is shown of it."""
    outlook = shot.outlook
    if outlook is None or outlook.harms or outlook.unsettled or not outlook.has_damage or shot.area_risks:
        return []
    if aim_of(outlook) is not None:
        return []
    rows: list[Content | str] = []
    for label, chance in (("hits", shot.odds.hit), ("wounds", outlook.hurt), ("drops", outlook.drop)):
        length = max(0, min(BAR, width - LABEL - NUMBER))
        filled = max(1 if chance else 0, round(chance * length))
        bar = [plain("━" * filled, STRONG), plain("─" * (length - filled), "$faint")]
        rows.append(join([fit(label, LABEL), *bar, f"{percent(chance):>{NUMBER}}"]))
    return rows


def _closing(shot: AttackPreview, rules: Ruleset, width: int, named: int) -> list[Content | str]:
    """The last rows with bars and the chance of every outcome."""
    rows, closing = _core(shot, rules, width, named, has_worn=True, has_bars=True), shot.odds.grades
    if shot.ledger.forbidden:
        return rows
    known = [(grade.label, chance) for grade, chance in closing if chance]
    if shot.situation.target.id == BARE_SQUARE:  # an empty square has no grades of hit
        hit = sum((chance for grade, chance in closing if grade.is_hit), start=Fraction(0))
        misses = [(grade.label, chance) for grade, chance in closing if chance and not grade.is_hit]
        known = [("Lands as aimed", hit), *misses]
    shares = percents([chance for _, chance in known])
    grades = [f"{label} {share}" for (label, _), share in zip(known, shares, strict=True)]
    rows += [plain(row, MUTED) for row in wrap(" · ".join(grades), width)]
    return rows


def _struck_instead(shot: AttackPreview, width: int, named: int) -> list[Content | str]:
    """The likeliest of those who may be hit in the target's place, each in a row if its brief odds fit into one."""
    rows: list[Content | str] = []
    for risk in [one for one in shot.struck_instead if one.caught >= RARE][:named]:
        ways = [f"! {risk_words(risk, is_brief=is_brief, is_instead=True)}" for is_brief in (False, True)]
        said = next((way for way in ways if cell_len(way) <= width), ways[-1])
        rows += [plain(row, BAD) for row in wrap(said, width)]
    return rows


def _area_risks(shot: AttackPreview, width: int, named: int) -> list[Content | str]:
    """A row for each unit that an area attack may catch, the attacker's own side first, then likeliest first.

    Each has the chances to be in the area, to be wounded and to drop; where the ruleset has names of its own for what
    is lost, these in a sentence.
    """
    own = shot.situation.attacker.side
    area_risks = sorted(shot.area_risks, key=lambda risk: risk.unit.side != own)
    if not area_risks:
        return []
    rows: list[Content | str] = []
    is_whole = named > MOST_NAMED  # the details, which say the average damage, too
    has_columns = not is_whole and not any(_needs_sentence(risk.outlook) for risk in area_risks)
    if has_columns:
        legend = "! own side" if width - 3 * SHARE > len("! own side") else "! own"
        legend = legend if area_risks[0].unit.side == own else ""
        rows.append(
            plain(fit(legend, width - 3 * SHARE) + f"{'area':>{SHARE}}{'wounds':>{SHARE}}{'drops':>{SHARE}}", MUTED)
        )
    shown = area_risks[:named]
    likeliest = next((risk for risk in area_risks if risk.unit.side != own), None)
    if likeliest and likeliest not in shown:  # own units alone do not say what the throw is for
        shown[-1] = likeliest
    for risk in shown:
        mark, style = ("! ", BAD) if risk.unit.side == own else ("", "")
        if has_columns:
            chances = (risk.caught, risk.outlook.hurt, risk.outlook.drop)
            shares = "".join(f"{percent(chance):>{SHARE}}" for chance in chances)
            rows.append(plain(fit_name(f"{mark}{risk.unit.name}", width - 3 * SHARE) + shares, style))
            continue
        whole = risk_words(risk)
        said = whole if is_whole or len(mark) + len(whole) <= width else risk_words(risk, is_brief=True)
        rows += [plain(row, style) for row in wrap(f"{mark}{said}", width)]
    if len(area_risks) > named:
        rows.append(plain(with_keys(f"… {{battle.receipt}} lists {len(area_risks) - named} more"), MUTED))
    return rows


def _needs_sentence(outlook: DamageOdds) -> bool:
    """Whether the odds for a unit in an area are not told by the chances to be wounded and to drop."""
    likeliest = max((chance for one, chance in outlook.outcomes if one.whom == "target"), default=Fraction(0))
    return not outlook.has_damage or bool(outlook.harms) or likeliest > outlook.hurt


def _better(shot: AttackPreview, width: int) -> list[Content | str]:
    """Changes that would improve the attack, and by what: the average damage where that is known, else the chance.

    An attack without damage is improved by the chance of what it is made for; beside others it stands in a row below.
    """
    aim = aim_of(shot.outlook) if shot.outlook is not None else None
    alike = [change for change in shot.better if aim is not None or change.aim is None]
    changes = []
    for change in alike:
        name = f"one step {change.label}" if change.is_step else change.label.lower()
        hit = percent(change.hit)
        of_aim = f"{percent(change.aim[1])}, hit {hit}" if change.aim is not None else hit
        odds = of_aim if change.expected is None else f"{mean_words(change.expected)}, hit {hit}"
        changes.append(f"{name} {odds}")
    rows: list[str] = []
    if alike:
        ways = ("chance",) if alike[0].expected is None else ("avg. damage", "dmg")
        ways = ways if aim is None else (f"chance of “{aim.label}”", aim.label)
        whole = [f"Better {by}: {' · '.join(changes)}" for by in ways]
        rows += wrap(next((way for way in whole if len(way) <= width), whole[-1]), width)
    for change in shot.better:
        if aim is None and change.aim is not None:
            rows += wrap(f"Or {change.label.lower()}: {change.aim[0].label} {percent(change.aim[1])}", width)
    return [plain(row, GOOD) for row in rows]


def _exact(chance: Fraction, rules: Ruleset) -> str:
    """The chance as a fraction, out of the die's sides if it is one die; "" where that is the percentage."""
    sides = rules.attack.test.dice.highest if rules.attack.test.dice.count == 1 else chance.denominator
    if chance in (0, 1) or sides == 100:
        return ""
    return f"{chance * sides} in {sides}" if (chance * sides).denominator == 1 else f"{chance}"
