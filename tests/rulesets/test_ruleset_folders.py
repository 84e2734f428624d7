"""Finding rulesets by id or by path."""

from __future__ import annotations

import pytest

from engine.errors import Unknown
from rulesets import find_ruleset, load_ruleset, shipped_rulesets
from tests.rulesets.texts import texts


def test_the_folder_of_a_shipped_ruleset_is_called_like_it():
    shipped = shipped_rulesets()
    assert {"cwn", "occult-ops"} <= set(shipped)
    assert all(load_ruleset(folder).id == name for name, folder in shipped.items())


def test_a_ruleset_is_found_by_id_and_by_path(tmp_path):
    mine = tmp_path / "mine"
    mine.mkdir()
    for name, text in texts().items():
        (mine / name).write_text(text, encoding="utf-8")
    assert find_ruleset("cwn") == shipped_rulesets()["cwn"]
    assert find_ruleset(str(mine)) == mine
    assert find_ruleset(str(mine / "ruleset.toml")) == mine
    assert find_ruleset("mine", [tmp_path / "none", tmp_path]) == mine


def test_the_users_copy_wins_over_the_shipped_one(tmp_path):
    (tmp_path / "cwn").mkdir()
    (tmp_path / "cwn" / "ruleset.toml").touch()
    assert find_ruleset("cwn", [tmp_path]) == tmp_path / "cwn"


@pytest.mark.parametrize("name", ["occult-op", "", "no\0way", "x" * 5000, "~nobody/x"])
def test_an_unknown_name_is_reported_with_the_nearest(name: str):
    with pytest.raises(Unknown) as caught:
        find_ruleset(name)
    if name == "occult-op":
        assert "Did you mean 'occult-ops'?" in str(caught.value)
