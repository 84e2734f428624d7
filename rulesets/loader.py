"""Loading a ruleset: three TOML files become one `Ruleset`, or one error with everything that is wrong with them."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from pathlib import Path

from engine.documents import MOST_BYTES, Document, parse
from engine.errors import Problem, Unreadable
from engine.field.metric import METRICS
from engine.rules.model import ROUNDINGS, Ruleset
from rulesets import (
    actions,
    armoury,
    attacks,
    checks,
    closed,
    declarations,
    effects,
    exchanges,
    heights,
    kept,
    moments,
    moves,
    named,
    reading,
    rulings,
    scatter,
    sheets,
)
from rulesets.problems import check_all, refuse
from rulesets.vocabulary import read_defended, read_flags, read_weapon_fields, vocabulary

RULES, WEAPONS, SHEETS = FILES = ("ruleset.toml", "weapons.toml", "sheets.toml")
UNITS = ("feet", "metres")
FORMAT = 1


def load_ruleset(folder: Path, kept_in: Path | None = None) -> Ruleset:
    """The ruleset in a folder.

    Args:
        folder: holds `ruleset.toml`, `weapons.toml` and `sheets.toml`; other files are left alone.
        kept_in: see `parse_ruleset`.

    Raises:
        Unreadable: a file is missing, is not UTF-8 text, or says what no ruleset can mean; every problem is in it.
    """
    texts: dict[str, str] = {}
    bad: list[Unreadable] = []
    for name in FILES:
        try:
            texts[name] = _content(folder / name).decode("utf-8")
        except Unreadable as error:
            bad.append(error)
        except FileNotFoundError:
            continue  # parse_ruleset says what is missing
        except UnicodeDecodeError as error:
            lines = error.object[: error.start].split(b"\n")
            message = "this is not UTF-8 text; save the file as UTF-8"
            bad.append(Unreadable(str(folder / name), [Problem(len(lines), len(lines[-1]) + 1, message)]))
        except OSError as error:
            bad.append(Unreadable(str(folder / name), [Problem(1, 1, f"cannot be read: {error.strerror or error}")]))
    refuse(str(folder), bad)
    return parse_ruleset(texts, str(folder), kept_in)


def _content(path: Path) -> bytes:
    """The bytes of a plain file, one more than may be read at most. A pipe is not opened: it might never end."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "not a plain file"
        raise Unreadable(str(path), [Problem(1, 1, f"this is {what}; expected a file of a ruleset")])
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def parse_ruleset(texts: Mapping[str, str], where: str, kept_in: Path | None = None) -> Ruleset:
    """The ruleset that three texts write.

    Args:
        texts: by file name; see FILES.
        where: the folder, for messages.
        kept_in: a folder in which rulesets are kept as they came out, so that the same texts are read once only.

    Raises:
        Unreadable: something is wrong; `Unreadables` when it is in several of the files.
    """
    own = {name: texts[name] for name in FILES if name in texts}
    if kept_in is not None and (known := kept.recall(kept_in, own)) is not None:
        return known
    documents: list[Document] = []
    bad: list[Unreadable] = []
    for name in FILES:
        file = f"{where}/{name}"
        if name not in texts:
            message = f"the file is missing; a ruleset is made of {', '.join(FILES)}"
            bad.append(Unreadable(file, [Problem(1, 1, message)]))
            continue
        try:
            documents.append(parse(texts[name], file))
        except Unreadable as error:
            bad.append(error)
    refuse(where, bad)
    ruleset = _read(documents, own)
    check_all(where, documents)
    if kept_in is not None:
        kept.keep(kept_in, ruleset)
    return ruleset


def _read(documents: list[Document], texts: Mapping[str, str]) -> Ruleset:
    """The ruleset; what could not be read is noted in the documents and stands in harmlessly here."""
    rules, weapons, people = documents
    root = rules.root
    root.whole("format", least=FORMAT, most=FORMAT)
    distance = root.table("distance")
    names = declarations.read_names(root)
    fields, flags = read_weapon_fields(root), read_flags(root)
    decided, defended = rulings.read_rulings(root), read_defended(root)
    declared = (names.stats, names.pools, names.budgets, names.conditions)
    words = vocabulary(*declared, fields, flags, decided, defended)
    named_facts, words = named.read_facts(root, words)
    names = declarations.read_formulas(root, names, words)
    steps = attacks.read_steps(root)
    magazine = root.text("magazine_field", "")
    if magazine and (magazine not in fields or reading.kind(fields[magazine]) != "a number"):
        root.problem("magazine_field", f"magazine_field = {magazine!r} is no weapon field that holds a number")
        magazine = ""
    test = attacks.read_test(root, words.attack)
    grades = attacks.read_grades(root, words.rolled)
    taken: set[str] = set()
    bands = attacks.read_bands(root, steps, words, taken)
    after_roll = root.tables("effect")
    consequences = effects.read_effects(after_roll, effects.Stage(words.struck, grades, "target"), names)
    frame = actions.Frame(names, words)
    acts = actions.read_actions(root, frame)
    store = armoury.read_armoury(weapons, fields, magazine, names.stats)
    roles = sheets.read_sheets(people.root, names.stats, names.pools, store, words.start)
    unit = distance.text("unit", choices=UNITS)
    rounding = distance.text("rounding", choices=ROUNDINGS)
    rings = scatter.read_zones(root, words)
    ruleset = Ruleset(
        id=reading.hyphened(root, "id", (), "the ruleset"),
        name=reading.label(root, "name"),
        summary=root.text("summary", most=reading.MOST_TEXT),
        unit=unit,
        metric=distance.text("metric", choices=METRICS),
        rounding=rounding,
        distance_origin=reading.origin(distance),
        steps=steps,
        stats=names.stats,
        pools=names.pools,
        budgets=names.budgets,
        conditions=names.conditions,
        weapon_fields=fields,
        test=test,
        grades=grades,
        bands=tuple(read.table for read in bands),
        modifiers=attacks.read_modifiers(root, steps, words.attack, taken),
        verdicts=attacks.read_verdicts(root, steps, words.attack, taken),
        effects=consequences,
        actions=acts,
        weapons=store.weapons,
        sheets=roles,
        initiative=declarations.read_initiative(root, words),
        defeated=declarations.read_defeat(root, words.unit),
        magazine_field=magazine,
        sight=heights.read_sight(root),
        altitudes=heights.read_altitudes(root),
        texts=texts,
        scatters=scatter.read_scatters(root, words, grades),
        zones=rings,
        burst=scatter.read_burst(root, words, grades, bool(rings)),
        modes=moves.read_modes(root, words.unit),
        rulings=decided,
        moments=moments.read_moments(root, words, names),
        reactions=exchanges.read_reactions(root, frame, acts),
        defences=exchanges.read_defences(root, frame, acts, grades),
        defence_facts={"defence": "", **dict.fromkeys(defended, 0)},
        facts=named_facts,
        strikes=named.read_strikes(root, words.graded, words.situation),
    )
    distance.finish()
    root.finish()
    sound = {name: weapon for name, weapon in store.weapons.items() if name in store.entries}
    checks.check_bands(bands, checks.Cases(words.situation, sound, acts, roles, named_facts), unit, rounding != "exact")
    cases = checks.Cases(words.struck, sound, acts, roles, named_facts)
    checks.check_dice(list(zip(consequences, after_roll, strict=True)), grades, cases, store.entries)
    checks.check_single_dice(root.table("test"), ruleset)
    closed.check_words(documents, ruleset)
    checks.check_scatter(list(zip(ruleset.scatters, root.tables("scatter"), strict=True)), cases, store.entries)
    return ruleset
