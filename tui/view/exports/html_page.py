"""A battle as one web page: its report, and a picture of the board for each round. The page loads nothing.

The report is Markdown in which names are plain text (`markdown_report.plain`), so nothing of them is HTML here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from html import escape
from itertools import groupby

from markdown_it import MarkdownIt

from tui.application.exports.frames import ReplayFrame, merged
from tui.application.terminal.jobs import Job
from tui.view.board.themes import GAME_COLOURS, LAMPLIGHT
from tui.view.exports.board_pictures import BoardArtist, crop_of, svg_of

FINAL = "The board at the end"
"""The heading below which the final board stands."""
FINAL_LEGEND = "The board as it stands after the last command."
FINAL_HEADING = f"<h2>{FINAL}</h2>"
HEADING = re.compile(r"<h2>Round (\d+)</h2>")
LEGEND = "The board at the end of round {round}, with the paths, the lines of fire and the losses of the whole round."
STYLE = """
:root { color-scheme: dark; }
body { margin: 0 auto; padding: 1rem; max-width: 72rem; background: BACK; color: INK;
       font: 1rem/1.5 system-ui, sans-serif; }
h1, h2, h3 { line-height: 1.2; } h2 { margin-top: 2.5rem; border-bottom: 1px solid LINE; } h3 { color: TITLE; }
table { border-collapse: collapse; } th, td { padding: .15rem .6rem; border: 1px solid LINE; text-align: left; }
thead:not(:has(th:not(:empty))) { display: none; }
details { margin: .2rem 0 .4rem; color: MUTED; } summary { cursor: pointer; }
ul { padding-left: 1.2rem; } li > p { margin: .2rem 0; } figure { margin: 1rem 0; } figcaption { color: MUTED; }
svg { display: block; width: 100%; height: auto; }
"""
COLOURS = {
    "BACK": GAME_COLOURS["void"],
    "INK": LAMPLIGHT.foreground or "",
    "MUTED": LAMPLIGHT.variables["muted"],
    "LINE": LAMPLIGHT.variables["panel-line"],
    "TITLE": LAMPLIGHT.variables["panel-title"],
}
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}
</body>
</html>
"""


def write_html(title: str, pictures: Mapping[int, str], report: str, card: str = "", final: str = "") -> str:
    """The page.

    Args:
        title: the battle's.
        pictures: a figure for each round.
        report: the battle in Markdown, its title in the first line.
        card: the end card in Markdown, with which the page opens below the title; "" for none.
        final: a figure of the final board.
    """
    head, _, rest = report.partition("\n")
    if card:
        report = f"{head}\n\n{card}\n\n## {FINAL}\n{rest}"
    body = MarkdownIt("commonmark", {"html": True}).enable("table").render(report)
    body = HEADING.sub(lambda found: found[0] + pictures.get(int(found[1]), ""), body)
    body = body.replace(FINAL_HEADING, FINAL_HEADING + final, 1)
    style = re.sub("|".join(COLOURS), lambda found: COLOURS[found[0]], STYLE)
    return PAGE.format(title=escape(title), style=style, body=body)


def pictures_of(frames: Sequence[ReplayFrame]) -> Job[dict[int, str]]:
    """A figure for each round; a part of the job is a round."""
    if not frames:
        return {}
    artist = BoardArtist(crop_of(frames))
    found: dict[int, str] = {}
    drawn = 0
    for number, group in groupby(frames, key=lambda frame: frame.round):
        of_round = list(group)
        drawn += len(of_round)
        yield Fraction(drawn, len(frames))
        rows = artist.rows(of_round[-1].view, merged(of_round))
        legend = LEGEND.format(round=number)
        found[number] = f"\n<figure>{svg_of(rows, f'round{number}')}<figcaption>{legend}</figcaption></figure>\n"
    return found


def final_board(frames: Sequence[ReplayFrame]) -> str:
    """A figure of the board in the last frame, with nothing of what was done."""
    if not frames:
        return ""
    view = frames[-1].view
    rows = BoardArtist(crop_of([frames[-1]])).rows(view, merged([]))
    return f"\n<figure>{svg_of(rows, 'final')}<figcaption>{FINAL_LEGEND}</figcaption></figure>\n"
