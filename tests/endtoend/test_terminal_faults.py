"""What a terminal, a line and a keyboard can do to the program: absurd sizes, lost lines, pastes, impossible keys."""

from __future__ import annotations

import fcntl
import os
import resource
import signal
import struct
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.endtoend.terminal import ROOT, Terminal

ABSURD = 99_999
GONE_WITHIN_S = 2.0


@contextmanager
def demo(folder: Path, *words: str) -> Iterator[Terminal]:
    terminal = Terminal(["demo", *words], {"BATTLEBOARD_DATA": str(folder)})
    terminal.wait_for("4 Log")
    try:
        yield terminal
    finally:
        with_pid_gone(terminal)


def with_pid_gone(terminal: Terminal) -> None:
    """Ends a program that a failed test has left."""
    try:
        os.kill(terminal.pid, signal.SIGKILL)
        os.waitpid(terminal.pid, 0)
    except (ProcessLookupError, ChildProcessError):
        pass


def memory_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def processor_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ended(pid: int, within_s: float) -> int | None:
    """The exit status of a program; None where it has not ended in time."""
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        gone, status = os.waitpid(pid, os.WNOHANG)
        if gone:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    return None


def still_answers(terminal: Terminal) -> None:
    terminal.send("t")
    terminal.wait_for("HIT 59 %")
    terminal.send("Q")
    assert terminal.wait() == 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the memory of another process is read from /proc")
@pytest.mark.parametrize("how", ["report", "report of nothing", "size of the terminal", "size at the start"])
def test_an_absurd_size_is_clamped(tmp_path: Path, how: str) -> None:
    if how == "size at the start":
        terminal = Terminal(["demo"], {"BATTLEBOARD_DATA": str(tmp_path)}, 20_000, 20_000)
    else:
        terminal = Terminal(["demo"], {"BATTLEBOARD_DATA": str(tmp_path)})
        terminal.wait_for("4 Log")
    real = struct.pack("HHHH", 40, 120, 0, 0)
    try:
        if how == "report":
            terminal.send(f"\x1b[48;{ABSURD};{ABSURD};{ABSURD};{ABSURD}t")
        elif how == "report of nothing":
            terminal.send("\x1b[48;0;0;0;0t\x1b[<0;5;5M\x1b[<0;5;5m")
        elif how == "size of the terminal":
            fcntl.ioctl(terminal.master, termios.TIOCSWINSZ, struct.pack("HHHH", 65_000, 65_000, 0, 0))
        for _ in range(4):
            terminal.read(0.3)
        assert memory_mb(terminal.pid) < 400
        terminal.screen.resize(40, 120)
        fcntl.ioctl(terminal.master, termios.TIOCSWINSZ, real)
        terminal.send("\x1b[48;40;120;0;0t")
        terminal.read(0.5)  # until the board is there again: a key pressed before that does nothing
        terminal.wait_for("4 Log")
        still_answers(terminal)
    finally:
        with_pid_gone(terminal)


RESTORED = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l", b"\x1b[?1003l", b"\x1b[?1006l", b"\x1b[?2004l", b"\x1b[<u")
"""Back from the alternate screen; the cursor; the mouse; bracketed paste; the keyboard's protocol."""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_end_gives_the_terminal_back(tmp_path: Path, number: signal.Signals) -> None:
    with demo(tmp_path) as terminal:
        terminal.read(0.3)
        assert not termios.tcgetattr(terminal.master)[3] & termios.ECHO
        os.kill(terminal.pid, number)
        written, status = b"", None
        end = time.monotonic() + 3
        while status is None and time.monotonic() < end:
            status = ended(terminal.pid, 0.05)
            echoes = bool(termios.tcgetattr(terminal.master)[3] & termios.ECHO)
            with suppress(OSError):
                while terminal.ready():
                    written += os.read(terminal.master, 65536)
        assert status == 128 + number
        assert [sequence for sequence in RESTORED if sequence not in written] == []
        assert echoes


@pytest.mark.slow
def test_a_signal_to_end_ends_even_where_nobody_reads(tmp_path: Path) -> None:
    with demo(tmp_path) as terminal:
        for _ in range(40):  # until the terminal takes nothing more
            terminal.send("vz\x0c")
            time.sleep(0.01)
        time.sleep(0.3)
        os.kill(terminal.pid, signal.SIGTERM)
        assert ended(terminal.pid, 3.0) == 128 + signal.SIGTERM


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the time of another process is read from /proc")
def test_a_dropped_line_ends_a_program_that_ignores_hang_ups(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the child inherits it, as from nohup
    try:
        terminal = Terminal(["play", "frontier-trail"], {"BATTLEBOARD_DATA": str(tmp_path)})
    finally:
        signal.signal(signal.SIGHUP, before)
    try:
        terminal.wait_for("4 Log")
        terminal.read(0.3)
        spent = processor_s(terminal.pid)
        os.close(terminal.master)
        status = ended(terminal.pid, GONE_WITHIN_S)
        print(status)
        assert status == 129, f"{status}; {processor_s(terminal.pid) - spent:.1f} s of processor spent"
    finally:
        with_pid_gone(terminal)
    (battle,) = (tmp_path / "battles").iterdir()
    assert battle.suffix == ".battle", "neither its lock nor its rollback file is left"


def paste(text: str) -> str:
    return f"\x1b[200~{text}\x1b[201~"


@pytest.mark.slow
def test_a_paste_with_escape_sequences_costs_what_another_costs(tmp_path: Path) -> None:
    with demo(tmp_path) as terminal:
        times = []
        for text in ("x plain y ", "x \x1b[31m y "):
            terminal.send(":")
            terminal.read(0.1)
            start = time.monotonic()
            for at in range(0, 20_000, 1000):
                whole = paste((text * 2000)[:20_000])
                terminal.send(whole[at : at + 1000] if at < 19_000 else whole[at:])
                terminal.read(0.0)
            terminal.send("zz")
            terminal.wait_for("zz")
            times.append(time.monotonic() - start)
            terminal.send("\x1b")
            terminal.read(0.3)
        assert times[1] < times[0] + 1.5
        still_answers(terminal)


@pytest.mark.slow
def test_a_paste_is_never_run_as_keys_and_its_sequences_are_dropped(tmp_path: Path) -> None:
    with demo(tmp_path) as terminal:
        terminal.send(paste("\x1b[31mQ\x1b]0;title\x07Q\x1b[1;1R\x1bQ\x1b[200~Q\x1b[99999999999;5u"))
        terminal.read(0.3)
        terminal.send(":" + paste("no\x1b[1;31mte \x1b]52;c;AAAA\x07todd\x1bP+q\x1b\\ \x9b1mred"))
        terminal.wait_for("note todd red")
        terminal.send("\x1b")
        terminal.read(0.3)
        still_answers(terminal)


@pytest.mark.slow
@pytest.mark.parametrize(
    "key", ["1114112;5u", "99999999999;5u", "55296;5u", "97;;55296u", "97;;1114112u", "1;99999999999999u", "::;::;::u"]
)
def test_an_impossible_key_is_dropped(tmp_path: Path, key: str) -> None:
    with demo(tmp_path) as terminal:
        terminal.send(f"\x1b[{key}")
        terminal.send(f":\x1b[{key}\x1b")
        terminal.read(0.3)
        still_answers(terminal)


BROKEN = """
import sys
from tui.__main__ import main
import tui.view.terminal.input_parser
def broken(self, data):
    if "#" in data:
        raise RuntimeError("a broken keyboard")
    yield from feed(self, data)
feed, tui.view.terminal.input_parser.BoardParser.feed = tui.view.terminal.input_parser.BoardParser.feed, broken
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.slow
def test_a_fatal_error_in_the_input_thread_ends_in_the_page_of_this_program(tmp_path: Path) -> None:
    environment = {"BATTLEBOARD_DATA": str(tmp_path), "TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    terminal = Terminal(["play", "frontier-trail"], environment, program=("-c", BROKEN))
    try:
        terminal.wait_for("4 Log")
        terminal.send("#")
        terminal.wait_for("battleboard stopped because of a bug")
        assert "Traceback" not in terminal.text
        assert terminal.wait() == 1
    finally:
        with_pid_gone(terminal)
    (report,) = tmp_path.glob("battleboard-bug-*/report.txt")
    assert "a broken keyboard" in report.read_text()


def demo_folders(place: Path) -> list[Path]:
    return list(place.glob("battleboard-*"))


def in_memory(folder: Path, *words: str) -> Terminal:
    """The demo with a folder of the test's as the one that lies in memory."""
    return Terminal(["demo", *words], {"BATTLEBOARD_DATA": str(folder / "data"), "XDG_RUNTIME_DIR": str(folder)})


@pytest.mark.slow
@pytest.mark.parametrize("words", [(), ("--plain",)])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_demo_that_is_reported_to_end_leaves_nothing(
    tmp_path: Path, number: signal.Signals, words: tuple[str, ...]
) -> None:
    terminal = in_memory(tmp_path, *words)
    try:
        terminal.wait_for("4 Log" if not words else "Todd's turn")
        assert len(demo_folders(tmp_path)) == 1
        os.kill(terminal.pid, number)
        assert terminal.wait() == 128 + number
        assert demo_folders(tmp_path) == []
    finally:
        with_pid_gone(terminal)


@pytest.mark.slow
def test_a_demo_whose_line_is_lost_leaves_nothing(tmp_path: Path) -> None:
    terminal = in_memory(tmp_path)
    try:
        terminal.wait_for("4 Log")
        os.close(terminal.master)
        assert ended(terminal.pid, GONE_WITHIN_S) == 128 + signal.SIGHUP
        assert demo_folders(tmp_path) == []
    finally:
        with_pid_gone(terminal)


@pytest.mark.slow
def test_the_next_demo_takes_away_what_a_killed_one_has_left_and_nothing_else(tmp_path: Path) -> None:
    report = tmp_path / "battleboard-bug-1"
    report.mkdir()
    killed, running = in_memory(tmp_path, "--plain"), in_memory(tmp_path, "--plain")
    for terminal in (killed, running):
        terminal.wait_for("Todd's turn")
    before = set(demo_folders(tmp_path))
    killed.kill()
    assert set(demo_folders(tmp_path)) == before
    later = in_memory(tmp_path, "--plain")
    later.wait_for("Todd's turn")
    assert len(demo_folders(tmp_path)) == 3
    assert len(before & set(demo_folders(tmp_path))) == 2
    for terminal in (running, later):
        terminal.send("end\nquit\n")
        terminal.wait_for("The Boss's turn")
        assert terminal.wait() == 0
    assert demo_folders(tmp_path) == [report]


SLOW_TO_LOOK = """
import sys, time
from tui.__main__ import main
from engine.journal.store import Journal
def slow(self):
    time.sleep(3)
    return fault(self)
fault, Journal.fault = Journal.fault, slow
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.slow
def test_a_battle_whose_file_is_gone_is_rescued_after_a_signal_too(tmp_path: Path) -> None:
    environment = {"BATTLEBOARD_DATA": str(tmp_path), "PYTHONPATH": str(ROOT)}
    terminal = Terminal(["play", "frontier-trail"], environment, program=("-c", SLOW_TO_LOOK))
    try:
        terminal.wait_for("4 Log")
        (path,) = (tmp_path / "battles").glob("*.battle")
        path.unlink()
        os.kill(terminal.pid, signal.SIGTERM)
        terminal.wait_for("It is saved to a new file")
        assert terminal.wait() == 128 + signal.SIGTERM
    finally:
        with_pid_gone(terminal)
    assert len(list((tmp_path / "battles").glob("*.battle"))) == 1


HOOKED = """
import sys, threading
from tui.__main__ import main
before = threading.excepthook
main(sys.argv[1:])
print("given back" if threading.excepthook is before else "kept")
"""


@pytest.mark.slow
def test_errors_in_threads_are_the_drivers_only_while_it_has_the_terminal(tmp_path: Path) -> None:
    environment = {"BATTLEBOARD_DATA": str(tmp_path), "PYTHONPATH": str(ROOT)}
    terminal = Terminal(["demo"], environment, program=("-c", HOOKED))
    try:
        terminal.wait_for("4 Log")
        terminal.send("Q")
        terminal.wait_for("given back")
        assert terminal.wait() == 0
    finally:
        with_pid_gone(terminal)


def threads(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the threads of another process are counted in /proc")
@pytest.mark.parametrize("stop", [signal.SIGSTOP, signal.SIGTSTP])
@pytest.mark.parametrize("pause_s", [0.3, 0.02])
def test_stops_leave_no_thread_and_do_not_mute_the_board(tmp_path: Path, stop: signal.Signals, pause_s: float) -> None:
    with demo(tmp_path) as terminal:
        terminal.read(0.3)
        before = threads(terminal.pid)
        for _ in range(10):
            for number in (stop, signal.SIGCONT):
                os.kill(terminal.pid, number)
                time.sleep(pause_s)
                if terminal.ready():
                    terminal.read(0)
        time.sleep(1)
        terminal.read(0.3)
        known = terminal.bytes_read
        os.kill(terminal.pid, signal.SIGCONT)
        while terminal.bytes_read == known:  # a key that comes before the terminal is taken anew is lost
            terminal.read(0.3)
        terminal.read(1.0)
        assert threads(terminal.pid) == before
        assert not termios.tcgetattr(terminal.master)[3] & termios.ECHO
        still_answers(terminal)


@pytest.mark.slow
@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "latin-1"},
        {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
)
def test_signs_that_the_encoding_lacks_are_not_drawn(tmp_path: Path, environment: dict[str, str]) -> None:
    terminal = Terminal(["demo"], {"BATTLEBOARD_DATA": str(tmp_path), **environment})
    try:
        terminal.wait_for("4 Log")
        terminal.read(0.3)
        assert "\\u" not in terminal.text
        assert terminal.text.isascii()
        still_answers(terminal)
    finally:
        with_pid_gone(terminal)
