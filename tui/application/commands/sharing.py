"""Commands that show a battle to others: exports, and a picture of the screen."""

from __future__ import annotations

from engine.battle.views.fog_of_war import sides_of
from tui.application.commands.forms import Form
from tui.application.commands.naming import Words, expect, names_of
from tui.application.commands.own_characters import side_names
from tui.application.commands.results import Export, Setting, TakePicture
from tui.application.exports.format_list import DEFAULT_FORMAT, FORMATS, PLAYERS


def read_export(words: Words, setting: Setting) -> Export:
    """ "export", "export html lastnight", "export cast lastnight side crew", "export html lastnight players"."""
    format, words = expect("format", words or [DEFAULT_FORMAT], names_of((name, name) for name in FORMATS))
    side = ""
    if "side" in (folded := [word.casefold() for word in words]):
        place = folded.index("side")
        side, more = expect("side", words[place + 1 :], side_names(sides_of(setting.battle)))
        words = [*words[:place], *more]
    elif folded[-1:] == ["players"]:
        side, words = PLAYERS, words[:-1]
    return Export(format, " ".join(words), side)


def read_picture(words: Words, setting: Setting) -> TakePicture:
    """ "picture", "picture ambush"."""
    return TakePicture(" ".join(words))


FORMS = (
    Form("export [FORMAT [NAME] [side SIDE | players]]",
         f"write the battle into a new file, in the folder you started in: {', '.join(FORMATS)}; with a side, only "
         "what that side saw; for players, without hidden units and your notes; without either, everything is included",
         read=read_export, like=("report", "print", "download")),
    Form("picture [NAME]", "write what the screen shows into a new SVG file, in the folder you started in",
         read=read_picture, also=("screenshot",)),
)  # fmt: skip
