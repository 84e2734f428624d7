"""What every test gets: no colours of the machine that runs it, and a data folder of its own; and a short start."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from contextlib import suppress
from importlib import import_module
from itertools import count
from pathlib import Path

import pytest
import textual.app
import textual.pilot
from hypothesis import HealthCheck, settings

from tests.examples import FEW, MANY
from tests.idle import wait_for_idle
from tui.application.exports.format_list import add_writers
from tui.view.exports.drawn_formats import DRAWN_FORMATS

ROOT = Path(__file__).parent.parent

if sys.dont_write_bytecode:
    # Where Python shall leave nothing beside what it reads, what it compiles goes into a folder of the tests' own, from
    # here on and in the processes that they start: making the asserts tell what they compared is most of the start.
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(ROOT / "build" / "compiled")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

MEMORY, ROOM = Path("/dev/shm"), 2_000_000_000
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
    # Folders of tests lie in memory, where there is such a place: a battle waits for the disk after each command, up to
    # a third of the time of tests that play.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
"""How fast the machine is makes no difference, and a fixture's folder may serve every example."""
settings.register_profile("few", UNTIMED, max_examples=FEW)
settings.register_profile(MANY, UNTIMED)
settings.load_profile("few")

gc.set_threshold(100_000, 20, 10)
"""Garbage is looked for less often than usual: it took a seventh of the run."""

textual.app.wait_for_idle = textual.pilot.wait_for_idle = wait_for_idle

add_writers(DRAWN_FORMATS)  # as the command line does

NUMBERS = count()


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Of several processes each begins to compile the tests at a place of its own, and finds the rest compiled."""
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    if not number or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    paths = sorted((ROOT / "tests").rglob("test_*.py"))
    first = len(paths) * number // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    for path in (*paths[first:], *paths[:first]):
        with suppress(Exception, pytest.skip.Exception):  # said when it is collected
            import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """The modules and the tests stay to the end: nobody looks through them for garbage again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def plain_surroundings(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Nothing of the user's own reaches a test, and nothing of a test reaches the user's own.

    The data folder lies in the test's `tmp_path` where it asks for one; else it is a name alone, for whoever writes to
    make: thousands of folders that nobody looks into cost a fifth of the run.
    """
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    asks = "tmp_path" in request.fixturenames
    own = request.getfixturevalue("tmp_path") if asks else tmp_path_factory.getbasetemp() / f"unasked-{next(NUMBERS)}"
    monkeypatch.setenv("BATTLEBOARD_DATA", str(own / "data"))


@pytest.fixture
def data_folder(tmp_path: Path) -> Path:
    """The data folder of a test that asks for it."""
    return tmp_path / "data"
