"""Textual's terminal driver, made to end well: on a signal, on a lost line, on an error in one of its threads."""

from __future__ import annotations

import codecs
import os
import select
import selectors
import signal
import sys
import threading
import time
from contextlib import suppress
from functools import partial
from queue import Empty
from types import FrameType
from typing import TYPE_CHECKING, Any, TextIO

from textual.driver import Driver

from tui.application.terminal.capabilities import SIGNALS

if TYPE_CHECKING:
    from textual.message import Message

GRACE_S = 1.2
"""Seconds for restoring the terminal after a signal to end; then the program exits at once."""

RESCUE_S = 10.0
"""Further seconds, to save a battle whose file is gone or damaged into a new one."""

MOST_AT_ONCE = 2_048
"""Most characters that are written without the thread that waits for a slow terminal."""

MOST_STOPS = 20
"""Stops that come while the terminal is given back or taken, and tries to take it in the background."""

LAST_WRITE_S = 0.3
"""Seconds for the terminal to accept the restoring sequences."""

GIVE_BACK = (
    "\x1b[?2004l\x1b[?7h\x1b[?2048l\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l\x1b[<u"
    "\x1b[?1049l\x1b[?25h\x1b[?1004l"
)
"""Paste, line wrap, size reports, mouse, keyboard, screen, cursor and focus as a shell wants them."""


class CountedFile:
    """The terminal's file, which counts the texts that are written to the last byte."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._begun = self.written = 0

    def write(self, text: str) -> None:
        self._file.write(text)
        self._begun += 1

    def flush(self) -> None:
        begun = self._begun
        self._file.flush()
        self.written = begun

    def fileno(self) -> int:
        return self._file.fileno()


def driver_class() -> type[Driver] | None:
    """The driver for this system; None leaves the choice to Textual."""
    if sys.platform == "win32":
        return None
    import termios

    from textual.drivers import linux_driver
    from textual.events import Event, Resize

    from tui.view.terminal.control_sequences import UNDECODABLE
    from tui.view.terminal.input_parser import BoardParser, clamped
    from tui.view.terminal.key_queue import OrderedKeys

    class BoardDriver(linux_driver.LinuxDriver):
        """Reads what is no UTF-8 as the replacement character, believes no absurd size, and leaves when it must.

        It must on SIGTERM and SIGHUP, and when the line is lost though hang-ups are ignored. Every command is on the
        disk before it is shown, so that leaving needs no saving.
        """

        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            self._size = clamped(*(self._size or self._get_terminal_size()))
            self._file: Any = CountedFile(self._file)
            self._texts = 0
            self._is_switching = self._wants_stop = False
            """Whether the terminal is given back or taken just now; whether SIGTSTP came last."""
            self._known: set[type[Message]] = set()
            """What the terminal has said it can do."""
            self._is_leaving, self._is_given_back = False, threading.Event()
            self._hook_before = threading.excepthook
            threading.excepthook = self._thread_failed
            for number in (signal.SIGTERM, signal.SIGHUP):
                if signal.getsignal(number) is not signal.SIG_IGN:
                    signal.signal(number, self._end_on_signal)

        # Stops

        def start_application_mode(self) -> None:
            """Takes the terminal, which has to say again what it can do."""
            self._known.clear()
            self._is_given_back.clear()
            threading.excepthook = self._thread_failed
            super().start_application_mode()  # type: ignore[no-untyped-call]

        def _sigtstp_application(self, *_: object) -> None:
            self._wants_stop = True
            self._stop_or_go_on()

        def _sigcont_application(self, *_: object) -> None:
            self._wants_stop, self._must_signal_resume = False, True
            self._stop_or_go_on()

        def _stop_or_go_on(self) -> None:
            """Stops or continues, whichever signal came last. They may come while one is dealt with.

            What continues takes the terminal anew, even where SIGSTOP gave no time to give it back: somebody else may
            have changed it since.
            """
            if self._is_switching:
                return
            self._is_switching = True
            try:
                for _ in range(MOST_STOPS):
                    if self._auto_restart and self._has_terminal:
                        self.suspend_application_mode()
                    if self._wants_stop:
                        self._wants_stop, self._must_signal_resume = False, True
                        os.kill(os.getpid(), signal.SIGSTOP)  # returns when it is continued
                    if self._auto_restart and not self._wants_stop:
                        self.resume_application_mode()
                    if not self._wants_stop and (self._has_terminal or not self._auto_restart):
                        return
            finally:
                self._is_switching = False

        @property
        def _has_terminal(self) -> bool:
            return self._writer_thread is not None and self._writer_thread.is_alive()

        # Sizes and keys

        def _get_terminal_size(self) -> tuple[int, int]:
            return clamped(*super()._get_terminal_size())

        def process_message(self, message: Message) -> None:
            if isinstance(message, Resize):
                message = Resize.from_dimensions(clamped(*message.size), message.pixel_size)
            elif not isinstance(message, Event):  # what the terminal can do: once is enough
                if type(message) in self._known:
                    return
                self._known.add(type(message))
            super().process_message(message)

        def send_message(self, message: Message) -> None:
            """Passes a key on without a task of its own, which would be a round of the loop more."""
            if isinstance(message, Event) and isinstance(self._app, OrderedKeys):
                self._app.receive(message)
            else:
                self._app.post_message(message)

        def run_input_thread(self) -> None:
            """Reads the keyboard until the screen is left."""
            parser = BoardParser(self._debug)
            decode = codecs.getincrementaldecoder("utf-8")(errors=UNDECODABLE).decode
            with selectors.SelectSelector() as selector:
                selector.register(self.fileno, selectors.EVENT_READ)
                while not self.exit_event.is_set():
                    patience_s = parser.patience_s
                    if selector.select(patience_s) or selector.select(0):  # the thread itself may have had to wait
                        try:
                            typed = os.read(self.fileno, 4096)
                        except OSError:
                            typed = b""
                        if not typed:
                            self.leave(SIGNALS + signal.SIGHUP)
                            return
                        messages = parser.feed(decode(typed))
                    else:
                        messages = parser.silence(patience_s)
                    for message in messages:
                        self.process_message(message)

        def _run_input_thread(self) -> None:
            self.run_input_thread()  # what it raises is for `_thread_failed`

        # The end

        def close(self) -> None:
            """Waits until the terminal has taken the last, which gives it back to the shell."""
            super().close()
            threading.excepthook = self._hook_before  # not earlier: the line may be lost with the last of it
            self._is_given_back.set()

        def write(self, data: str) -> None:
            """Writes to the terminal, unless there is none any more.

            What is short is written at once, where nothing waits and the terminal takes more: to wake a thread takes as
            long as to draw the cursor.
            """
            if self._writer_thread is None or not self._writer_thread.is_alive():
                return
            is_next, self._texts = self._file.written == self._texts, self._texts + 1
            if not is_next or len(data) > MOST_AT_ONCE or not select.select((), (self._file,), (), 0)[1]:
                super().write(data)
                return
            try:
                self._file.write(data)
                self._file.flush()
            except OSError:
                self.leave(SIGNALS + signal.SIGHUP)

        def _thread_failed(self, failed: threading.ExceptHookArgs) -> None:
            """An error in a thread: the line is lost, or it is a bug of ours, which the app reports."""
            writer = self._writer_thread
            if failed.thread is writer and isinstance(failed.exc_value, OSError):
                self.leave(SIGNALS + signal.SIGHUP)
                with suppress(Empty):
                    while writer is not None:  # a writer that waits for room in the queue continues
                        writer._queue.get_nowait()
            elif isinstance(failed.exc_value, Exception):
                self._app.call_later(self._app._handle_exception, failed.exc_value)
            else:
                self._hook_before(failed)

        def _end_on_signal(self, number: int, _frame: FrameType | None) -> None:
            self.leave(SIGNALS + number)

        def leave(self, status: int) -> None:
            """Ends the program with an exit status: in order, or without ado after a while. From any thread."""
            if self._is_leaving:
                return
            self._is_leaving = True
            threading.Thread(target=self._leave_at_last, args=(status,), daemon=True, name="leaving").start()
            with suppress(RuntimeError):  # the loop is closed: the app has ended already
                self._loop.call_soon_threadsafe(partial(self._app.exit, return_code=status))

        def _leave_at_last(self, status: int) -> None:
            if self._is_given_back.wait(GRACE_S):
                time.sleep(RESCUE_S)
                os._exit(status)
            last = threading.Thread(target=self._give_back, daemon=True)
            last.start()
            last.join(LAST_WRITE_S)
            os._exit(status)

        def _give_back(self) -> None:
            with suppress(OSError, termios.error):
                if self.attrs_before is not None:
                    termios.tcsetattr(self.fileno, termios.TCSANOW, self.attrs_before)
                os.write(sys.__stderr__.fileno() if sys.__stderr__ else self.fileno, GIVE_BACK.encode())

    return BoardDriver
