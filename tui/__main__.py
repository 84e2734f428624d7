"""The `battleboard` command: runs it and turns errors into one message and an exit status."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

FINE, BAD_INPUT, USAGE = 0, 1, 2
INTERRUPTED, PIPE_CLOSED = 130, 141
"""Exit statuses of shells after Ctrl-C and after a closed pipe."""


class Ended(BaseException):
    """Raised by a signal to end the program; open files are closed on the way out."""


@contextmanager
def ending_in_order() -> Iterator[None]:
    """Makes SIGTERM and SIGHUP end the program as Ctrl-C does, unless they have handlers."""

    def end(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)  # a second signal ends it at once
        raise Ended(number)

    names = ("SIGTERM", "SIGHUP") if threading.current_thread() is threading.main_thread() else ()
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    taken = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command.

    Args:
        argv: the arguments after the program's name; None for the process's own.

    Returns:
        The exit status: 0 fine, 1 bad input, 2 wrong usage; 130 after Ctrl-C, 141 after a closed output pipe,
        143 after SIGTERM, 129 after SIGHUP and after the terminal has closed.
    """
    try:
        return _run(argv)
    except KeyboardInterrupt as cancelled:  # by a signal, maybe while modules are loaded
        if cancelled.args:
            from tui.application.terminal.output import complain

            complain(str(cancelled))
        return INTERRUPTED


def _run(argv: Sequence[str] | None) -> int:
    from engine.errors import BattleboardError
    from tui.application.terminal.capabilities import SIGNALS
    from tui.application.terminal.output import complain, drop_output
    from tui.cli.arguments import UsageError, run

    try:
        with ending_in_order():
            status = run(argv)
        if status > SIGNALS:
            drop_output()
        return status
    except Ended as signalled:
        drop_output()
        return SIGNALS + int(signalled.args[0])
    except UsageError as error:
        complain(str(error))
        return USAGE
    except BattleboardError as error:
        complain("\n".join([str(error), *getattr(error, "__notes__", ())]))
        return BAD_INPUT
    except (MemoryError, RecursionError):
        complain("There is not enough memory for this. “battleboard check” checks a file.")
        return BAD_INPUT
    except RuntimeError as error:
        from tui.application.terminal.bug_report import write_down

        complain(f"battleboard cannot continue: {error}. {write_down(error)}")
        return BAD_INPUT
    except BrokenPipeError:
        drop_output()
        return PIPE_CLOSED


if __name__ == "__main__":
    sys.exit(main())
