"""The ports' adapters: each says through the border what the core asks for."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from webtools.browser.border import Border
from webtools.tools.definition import Definition

IDEMPOTENCY = "webtools.idempotency"
"""The name in the tab's storage."""


class BrowserModelContext:
    """`webtools.lifecycle.model_context.ModelContext` on ``document.modelContext``."""

    def __init__(self, border: Border) -> None:
        self._border = border

    def register(self, registration: int, definition: Definition) -> None:
        """Ask for it; the border tells the host what came of it."""
        self._border.register(registration, definition.text)

    def unregister(self, registration: int) -> None:
        """Abort its signal."""
        self._border.unregister(registration)


class _BrowserTimer:
    def __init__(self, clock: BrowserClock, number: int) -> None:
        self._clock = clock
        self._number = number

    def cancel(self) -> None:
        self._clock.clear(self._number)


class BrowserClock:
    """`webtools.lifecycle.clock.Clock` on ``setTimeout``, which can be taken back, unlike a loop's timer."""

    def __init__(self, border: Border) -> None:
        self._border = border
        self._callbacks: dict[int, Callable[[], None]] = {}
        self._numbers = 0

    def now(self) -> float:
        """Seconds since some moment before the page was loaded."""
        return time.monotonic()

    def epoch_ms(self) -> int:
        """Milliseconds since the Unix epoch."""
        return time.time_ns() // 1_000_000

    def call_later(self, delay: float, callback: Callable[[], None]) -> _BrowserTimer:
        """Keep the callback here; JavaScript gets its number only."""
        self._numbers += 1
        self._callbacks[self._numbers] = callback
        self._border.setTimer(self._numbers, delay * 1000)
        return _BrowserTimer(self, self._numbers)

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Take the loop's next turn: a MessageChannel's, which a hidden page does not delay."""
        asyncio.get_running_loop().call_soon(callback)

    def clear(self, number: int) -> None:
        """Take a timer back."""
        if self._callbacks.pop(number, None):
            self._border.clearTimer(number)

    def fire(self, number: int) -> None:
        """A timer's time has passed."""
        if callback := self._callbacks.pop(number, None):
            callback()


class LateAnswers:
    """What the page's JavaScript answers later, each by a number."""

    def __init__(self) -> None:
        self._waiting: dict[int, asyncio.Future[str]] = {}
        self._count = 0

    def number(self) -> int:
        """The next one."""
        self._count += 1
        return self._count

    async def of(self, number: int) -> str:
        """Wait for the answer; to be awaited in the turn in which JavaScript was asked."""
        future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        try:
            return await future
        finally:
            del self._waiting[number]

    def answered(self, number: int, answer: str) -> None:
        """It is there; harmless where nobody waits for it any more."""
        future = self._waiting.get(number)
        if future and not future.done():
            future.set_result(answer)


class BrowserPage:
    """`webtools.calls.page.PageFunctions` on what JavaScript exposed."""

    def __init__(self, border: Border, answers: LateAnswers) -> None:
        self._border = border
        self._answers = answers

    def call(self, name: str, function: str, arguments: str) -> str | Awaitable[str]:
        """Ask the border, which answers now or calls the host later."""
        number, now = self._ask(name, function, arguments)
        return self._answers.of(number) if now is None else now

    def call_now(self, name: str, function: str, arguments: str) -> str | None:
        """Ask the border; what it would answer later is dropped by `LateAnswers.answered`."""
        return self._ask(name, function, arguments)[1]

    def _ask(self, name: str, function: str, arguments: str) -> tuple[int, str | None]:
        number = self._answers.number()  # kept: the page's function may call a tool, which asks the page
        now = self._border.callPage(number, name, function, arguments)
        return number, now if isinstance(now, str) else None


class BrowserShower:
    """`webtools.calls.showing.Show` on the page's cursor."""

    def __init__(self, border: Border, answers: LateAnswers) -> None:
        self._border = border
        self._answers = answers

    def __call__(self, call_id: str, text: str) -> Awaitable[object] | None:
        """Have it shown; something to wait for where that takes a moment."""
        number = self._answers.number()
        is_done = self._border.showCall(number, call_id, text)
        return None if is_done else self._answers.of(number)


class BrowserIdempotencyStore:
    """`webtools.stores.idempotency.IdempotencyStore` on ``sessionStorage``."""

    def __init__(self, border: Border) -> None:
        self._border = border

    def read(self) -> str | None:
        """What was written last, also before a reload or by another frame."""
        return self._border.readStored(IDEMPOTENCY)

    def write(self, text: str) -> bool:
        """Replace it, where the browser lets us."""
        return self._border.writeStored(IDEMPOTENCY, text)


class BrowserPerson:
    """`webtools.calls.confirmation.Person` on the page's dialog."""

    def __init__(self, border: Border) -> None:
        self._border = border

    def ask(self, question: int, text: str) -> None:
        """Have it asked in its turn."""
        self._border.confirm(question, text)

    def withdraw(self, question: int) -> None:
        """Have it closed."""
        self._border.withdraw(question)


class BrowserLocks:
    """`webtools.calls.ownership.Locks` on Web Locks and ``localStorage``."""

    def __init__(self, border: Border) -> None:
        self._border = border

    def ask(self, name: str) -> None:
        """Queue for it."""
        self._border.askOwnership(name)

    def take_over(self, name: str) -> None:
        """Steal it."""
        self._border.takeOwnership(name)

    def release(self, name: str) -> None:
        """Let it go."""
        self._border.releaseOwnership(name)

    def epoch(self, name: str) -> int | None:
        """Ask the page, which looks at what is stored."""
        return self._border.ownedEpoch(name)

    def is_gone(self, name: str) -> bool:
        """Ask the page, which has looked at what is stored."""
        return self._border.isOwnershipGone(name)


class BrowserCredentials:
    """`webtools.stores.credentials.CredentialProvider` on the page's own function."""

    def __init__(self, border: Border) -> None:
        self._border = border

    def request(self, number: int, text: str) -> None:
        """Have it asked."""
        self._border.requestCredential(number, text)

    def withdraw(self, number: int) -> None:
        """Have it told that nobody waits."""
        self._border.withdrawCredential(number)


class ConsoleHandler(logging.Handler):
    """Writes the library's log to the page's console.

    Args:
        border: Where the console is.
        redacted: Takes the secrets out of a line.
    """

    def __init__(self, border: Border, redacted: Callable[[str], str]) -> None:
        super().__init__()
        self._border = border
        self._redacted = redacted

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line, a traceback included."""
        level = "error" if record.levelno >= logging.ERROR else "warn"
        try:
            self._border.log(level, self._redacted(f"webtools: {self.format(record)}"))
        except Exception:  # noqa: BLE001  # as logging demands of every handler
            self.handleError(record)
