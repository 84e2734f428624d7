"""What panel, report and JSON say of those whom an attack on somebody else may strike instead."""

from __future__ import annotations

from engine.battle.attacks.area_odds import with_odds
from engine.battle.narration.preview_text import risk_words
from tests.rules.table import fight
from tui.application.reports.odds_report import OddsReport, odds_json, odds_words
from tui.view.panels.attack_panel import shot_text


def test_the_panel_the_report_and_the_json_say_it() -> None:
    """The words and numbers of a friend's share: its chance and its damage."""
    table = fight("aog", "a......b", ".......c", allies="c", a="gunman", b="gunman", c="gunman")
    shot = with_odds(table.battle, table.rules, table.shot(by="a", at="b"))
    answer = OddsReport(table.rules, table.unit("a"), table.unit("b"), shot)
    (risk,) = answer.shot.struck_instead
    assert risk_words(risk, is_instead=True) == "C, hit instead 35 %: wounds 31 % · drops 4.8 % · avg. damage 1.4"
    lines = odds_words(answer)
    at = lines.index("Hit instead of B, including the chance of that:")
    assert [line.split() for line in lines[at + 1 : at + 3]] == [
        ["unit", "hit", "instead", "wounds", "drops", "avg.", "damage"],
        ["C", "35", "%", "31", "%", "4.8", "%", "1.35"],
    ]
    (told,) = odds_json(answer)["struck_instead"]
    assert (told["id"], told["caught"], told["hurt_percent"]) == ("c", [7, 20], 30.6)
    assert "! C, hit instead 35 %: wounds 31 %" in str(shot_text(answer.shot, table.rules, 60, 60))
