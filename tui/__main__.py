"""The `battleboard` command: runs what was asked for and turns what a user can cause into one message and a status."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from engine.errors import BattleboardError

FINE, BAD_INPUT, USAGE = 0, 1, 2
INTERRUPTED, PIPE_CLOSED = 130, 141
"""What a shell reports for a program that Ctrl-C or a closed pipe ended."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command.

    Args:
        argv: the words after the program's name; None takes the process's own.

    Returns:
        The exit status: 0 fine, 1 bad input, 2 wrong usage; 130 after Ctrl-C, 141 when the reader of the output left.
    """
    from tui.commandline import UsageError, run
    from tui.reports.output import complain, drop_output

    try:
        return run(argv)
    except UsageError as error:
        complain(str(error))
        return USAGE
    except BattleboardError as error:
        complain(str(error))
        return BAD_INPUT
    except (MemoryError, RecursionError):
        complain("This asks for more memory than there is. Nothing was changed; “battleboard check” looks at the file.")
        return BAD_INPUT
    except RuntimeError as error:
        complain(f"battleboard cannot go on: {error}. What was saved is safe.")
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        drop_output()
        return PIPE_CLOSED


if __name__ == "__main__":
    sys.exit(main())
