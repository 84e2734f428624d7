"""The rule book on the map: distances, range bands, heights, scatter, blasts and movement."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from engine.battle.attacks.scatter import direction_words
from engine.dice.dice_text import number as number_text
from engine.dice.dice_text import percent
from engine.rules.model import (
    Band,
    BandTable,
    Ruleset,
)
from engine.rules.roll_odds import grade_of
from engine.rules.space_rules import NOTHING, AltitudeBand, BlastZone, BurstRule, Mode, Scatter
from tui.application.reports.rule_book import (
    DETAIL,
    INDENT,
    RuleBook,
    flat,
    is_formula,
    on_words,
    rule_lines,
    worth,
)
from tui.application.terminal.output import wrapped

MODE_KEYS = {
    "pace": "each square costs {} squares",
    "climb_cost": "climbing one square's height costs {} squares",
    "door_cost": "opening a door costs {} squares",
    "lift_cost": "climbing or descending one square's height in the air costs {} squares",
}

METRIC_WORDS = {
    "chebyshev": "a diagonal step counts 1",
    "euclidean": "measured in a straight line",
    "alternating": "diagonal steps count 1, 2, 1, 2",
}


def _rounded(how: str) -> str:
    return {"exact": "not rounded", "nearest": "rounded to the nearest"}.get(how, f"rounded {how}")


def distance_lines(rules: Ruleset) -> list[str]:
    distance = rules.distance
    rounding = _rounded(distance.rounding)
    blasts = "" if distance.blasts == distance.rounding else f" (those of blasts {_rounded(distance.blasts)})"
    squares = "" if distance.square is None else f" in squares of {number_text(distance.square)}"
    metric = METRIC_WORDS[distance.metric]
    ranges = "" if distance.ranges == distance.unit else f", weapon ranges, blasts and scatter in {distance.ranges}"
    return rule_lines(
        f"Distances are in {distance.unit}{squares}{ranges}, {rounding}{blasts}; {metric}", [], distance.origin
    )


def band_lines(book: RuleBook) -> Iterator[list[str]]:
    """The lines of each table of range bands."""
    return (table_lines(bands, book) for bands in book.rules.attack.bands)


def table_lines(bands: BandTable, book: RuleBook) -> list[str]:
    """The lines of one table of range bands."""
    lines = wrapped(f"{bands.label}: {book.condition(bands.when) or 'always'}", INDENT, DETAIL)
    lines += wrapped(bands.say, DETAIL, DETAIL + 2) if bands.say else []
    lines += flat(wrapped(line, DETAIL, DETAIL) for line in book.formula(when=bands.when))
    for band in bands.bands:
        head = f"{band.label}: {band_extent(band, book)}, {worth(band.value, book)}"
        formulas = book.formula(from_=band.start, to=band.upto, value=band.value)
        lines += rule_lines(head, formulas, band.origin, INDENT + 2)
    return [*lines, *wrapped(f"beyond: no attack; {book.words.template(bands.beyond)}", INDENT + 2, DETAIL + 2)]


def band_extent(band: Band, book: RuleBook) -> str:
    end = f"up to {book.words.value(band.upto)}"
    return end if band.start is None else f"from {book.words.value(band.start)} {end}"


def altitude_words(band: AltitudeBand, rules: Ruleset) -> str:
    start = number_text(band.start)
    return (
        f"from {start} {rules.distance.unit}"
        if band.upto is None
        else f"{start} to {number_text(band.upto)} {rules.distance.unit}"
    )


def scatter_lines(scatter: Scatter, book: RuleBook) -> list[str]:
    start = "thrower" if scatter.at == "attacker" else "point of aim"
    details = [f"starts at the {start}"] if scatter.dice else [f"lands at the {start}"]
    if scatter.dice:
        details.append(f"direction {scatter.dice}: {direction_words(scatter.towards.items())}")
        plus = "" if scatter.plus.text == "0" else f" plus {book.words.value(scatter.plus)}"
        again = f"; {book.words.value(scatter.again_distance)} after another roll" if scatter.again_distance else ""
        unit = "squares" if scatter.in_squares else book.rules.distance.ranges
        details.append(f"distance {book.words.value(scatter.distance)}{plus} {unit}{again}")
        details += book.formula(distance=scatter.distance, plus=scatter.plus)
        if scatter.lost_off_map.text != "False":
            details.append(f"lost when it leaves the map {book.condition(scatter.lost_off_map)}")
    head = f"{scatter.label}: {on_words(scatter.on, book)} {book.condition(scatter.when)}".rstrip()
    return rule_lines(head, [*details, *book.formula(when=scatter.when)], scatter.origin)


def zone_lines(zone: BlastZone, book: RuleBook) -> list[str]:
    is_plain = not is_formula(zone.share)
    part = percent(Fraction(zone.share.text)) if is_plain else book.words.value(zone.share)
    share = "" if zone.share.text == "1" else f", {part} of the effect"
    head = f"{zone.label}: up to {book.words.value(zone.radius)} {book.rules.distance.ranges}{share}"
    return rule_lines(head, book.formula(radius=zone.radius, share=zone.share), zone.origin)


def burst_lines(burst: BurstRule, book: RuleBook) -> list[str]:
    """How units in the blast radius are hit, and the smoke that the blast leaves."""
    head = f"Each unit in the area takes the outcome “{grade_of(book.rules, burst.grade).label}”"
    if burst.aimed_keeps_grade.text != NOTHING.text and burst.aimed_keeps_grade.text != "False":
        head += "; the unit aimed at takes that of the attack roll, if it is a hit"
        head += f" ({book.condition(burst.aimed_keeps_grade)})" if burst.aimed_keeps_grade.names else ""
    if burst.smoke.text != NOTHING.text:
        smoke, rounds = (book.words.value(one) for one in (burst.smoke, burst.smoke_rounds))
        head += f"; smoke: radius {smoke} {book.rules.distance.ranges}, for {rounds} rounds"
    return rule_lines(head, book.formula(smoke=burst.smoke, smoke_rounds=burst.smoke_rounds), burst.origin)


def mode_lines(mode: Mode, book: RuleBook) -> list[str]:
    usual = Mode(mode.id, mode.label, mode.when, mode.origin)
    costs = [
        words.format(number_text(value))
        for name, words in MODE_KEYS.items()
        if (value := getattr(mode, name)) != getattr(usual, name)
    ]
    head = f"{mode.label}: {book.condition(mode.when) or 'in all other cases'}"
    return rule_lines(head, [*costs, *book.formula(when=mode.when)], mode.origin)
