"""The report on keys: what each does, as a table, as a file to start from, and as the page of the documentation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tui.application.describe.text_layout import fit
from tui.application.keys.keymap import SCREENS, Keymap, key_action_ids, shown_key
from tui.application.settings.folders import KEYMAP

TASKS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("attack the first target", "`Enter` rolls; typing dice takes more keys", ("t", "f", "enter")),
    ("move", "plus the keys for the path: arrows or `hjkl`", ("m", "m")),
    (
        "throw a grenade",
        "at the target, else at the cursor, else at the first target; arrows move the aim",
        ("a", "g", "f", "enter"),
    ),
    ("open or close a door", "beside the cursor; one key more if there are two doors", ("o",)),
    ("damage by hand", "under the cursor or at the target", ("d", "minus", "5", "enter")),
    ("damage anywhere", "`B` is the unit's letter, in either case", ("apostrophe", "B", "d", "minus", "5", "enter")),
    (
        "add a unit",
        "the first of the list, which letters narrow; at the cursor, or on the next free square",
        ("plus", "a", "enter", "1", "enter"),
    ),
    ("undo the last command", "", ("u",)),
    ("end the turn", "", ("e",)),
    ("see the range bands on the ground", "", ("v", "1")),
)
"""The commonest tasks, a remark, and the keys; a test plays exactly these."""

ID, KEYS = 24, 16
COLUMNS = {"battle": "On the board", "reaction": "Reaction prompt",
           "terrain editor": "Terrain editor", "replay": "Replay",
           "watch": "Player view", "library": "The library", "new encounter": "A new encounter", "party": "A party",
           "sheet": "Text pages: help, details", "form": "A character's form",
           "end card": "End card",
           "carry over": "Carry over at the end of a battle"}  # fmt: skip


def keys_words(keymap: Keymap) -> list[str]:
    """One line for each thing that keys do: id, keys, meaning."""
    return [
        f"{fit(one.id, ID)} {fit(_shown(keymap.get(one.id, one.keys)), KEYS)} {one.meaning}"
        for one in key_action_ids().values()
    ]


def keys_json(keymap: Keymap) -> list[Mapping[str, object]]:
    """The same as values."""
    return [
        {
            "id": one.id,
            "keys": [shown_key(key) for key in keymap.get(one.id, one.keys)],
            "shipped": [shown_key(key) for key in one.keys],
            "name": one.name,
            "meaning": one.meaning,
        }
        for one in key_action_ids().values()
    ]


def keys_toml(keymap: Keymap) -> list[str]:
    """A file to start from: every key as it is now, those as shipped behind a #."""
    rows = [
        f"# Keys of battleboard. Take the # away from a line and change its key; save as {KEYMAP} in the data folder."
    ]
    for one in key_action_ids().values():
        keys = [_quoted(shown_key(key)) for key in keymap.get(one.id, one.keys)]
        value = keys[0] if len(keys) == 1 else f"[{', '.join(keys)}]"
        rows += ["", f"# {one.meaning}", f'{"" if one.id in keymap else "#"}"{one.id}" = {value}']
    return rows


def keys_markdown() -> str:
    """The page of the documentation: the commonest tasks with their keys counted, then every key by where it works."""
    return "\n".join([*_page(), ""])


def _page() -> Iterator[str]:
    yield from (
        "# Keys",
        "",
        "Generated from the key bindings by `battleboard keys --markdown`.",
        "",
        "## Common tasks",
        "",
        "| task | keys | count | |",
        "| --- | --- | --- | --- |",
    )
    for task, remark, keys in TASKS:
        yield f"| {task} | {' '.join(f'`{shown_key(key)}`' for key in keys)} | {len(keys)} | {remark} |"
    yield from (
        "",
        "## Your own keys",
        "",
        f"You can change any key: write `{KEYMAP}` in the data folder (`battleboard --help` prints where it is), "
        "one line",
        "for each change:",
        "",
        "```toml",
        '"battle.fire" = "F5"',
        '"board.left" = ["left", "a"]',
        "```",
        "",
        "`battleboard keys --toml` prints a file to start from. When the board starts, it refuses a line with a key",
        "that is used twice on a screen, an unknown name, or a key that terminals do not send, and keeps the default",
        "key. Footer, help and `battleboard keys` show your keys.",
        "",
        "## The mouse",
        "",
        "A click on a square, a row or a line is Enter there. The wheel pans the board, and so does the middle button",
        "while it is held. In the terrain editor the left button paints and the right one clears; what is drawn from",
        "the press to the release is one stroke.",
    )
    listed: set[str] = set()
    for screen, bindings in SCREENS.items():
        fresh = [one for one in dict.fromkeys(one.id for one in bindings) if one not in listed]
        listed |= set(fresh)
        yield from ("", f"## {COLUMNS[screen]}", "", "| keys | what | id |", "| --- | --- | --- |")
        for one in (key_action_ids()[name] for name in fresh):
            shown = " ".join(f"`{shown_key(key)}`" for key in one.keys) or "none"
            yield f"| {shown} | {one.meaning} | `{one.id}` |"


def _shown(keys: tuple[str, ...]) -> str:
    return " ".join(map(shown_key, keys))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
