"""Drive a page in a browser as an agent does, by the same words on native WebMCP and on the polyfill.

Playwright is needed by whoever makes the page, not by this module.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal, cast
from urllib.parse import urljoin

from webtools.agent.conversation import Answer
from webtools.testing.limited import evaluate, late, stuck
from webtools.testing.profiles import Profile

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Page

Mode = Literal["native", "polyfill"]
"""Whose model context it is: the browser's own, or the one that webtools ships."""

BOOT = 120.0
"""Seconds in which Python has to be up, on a slow machine, too."""

ANSWER = 30.0
"""Seconds in which a call has to be answered."""

LIST = """async () => (await document.modelContext.getTools()).map(
  ({name, title, description, inputSchema, annotations}) =>
    ({name, title, description, inputSchema, annotations}))"""

_FIND = """async (name) => {
  const tools = await document.modelContext.getTools();
  const tool = tools.find((each) => each.name === name);
  const listed = tools.map((each) => each.name).join(", ") || "nothing";
  return tool ? {tool} : {missing: `${name} is not listed; listed: ${listed}`};
}"""

_EXECUTE = f"""async ([name, input]) => {{
  const {{tool, missing}} = await ({_FIND})(name);
  if (missing) return {{failed: missing}};
  const answer = document.modelContext.executeTool(tool, input);
  return answer.then((text) => ({{text}}), (error) => ({{lost: error.name}}));
}}"""

BEGIN = f"""async ([key, name, input]) => {{
  const {{tool, missing}} = await ({_FIND})(name);
  if (missing) return missing;
  const began = new Promise((resolve) => webtools.addEventListener("callstart", resolve, {{once: true}}));
  window.begunCalls ??= {{}};
  window.begunCalls[key] = document.modelContext.executeTool(tool, input)
    .then(JSON.parse, (error) => ({{lost: error.name}}));
  await began;
  return null;
}}"""
"""Begins a call that `END` waits for: ``[key, name, input]``; gives null when webtools has it, or why not."""

END = """(key) => window.begunCalls?.[key] ?? {lost: "the page was loaded anew"}"""
"""Gives the answer of a call that was begun, by its key; or ``{lost}``."""

_READY = """() => window.webtools
  ? webtools.ready.then(() => null, (error) => error.message)
  : "it has no script tag of /webtools/webtools.js"
"""


class BegunCall:
    """A call in flight, from `ToolPage.begin` on."""

    def __init__(self, page: Page, key: str, name: str) -> None:
        self.name = name
        self._page = page
        self._key = key

    def end(self, *, timeout: float = ANSWER) -> Answer:
        """Wait for the answer, and give it; the same each time.

        Args:
            timeout: Seconds.

        Raises:
            AssertionError: There is none in time, or the browser has lost the call.
        """
        __tracebackhide__ = True
        try:
            answer: Answer = evaluate(self._page, END, self._key, timeout=timeout)
        except TimeoutError:
            raise late(self._page, self.name, timeout) from None
        assert "lost" not in answer, f"the call of {self.name} is lost: {answer['lost']}"
        return answer

    def __repr__(self) -> str:
        return f"<BegunCall {self._key} of {self.name!r}>"


class ToolPage:
    """A page, and an agent in front of it. It lives as long as the page, which its maker closes.

    On native, `call` speaks through Playwright's own client, which sees what any agent of the browser sees; a
    polyfill is seen by scripts of the page only, so there it calls `executeTool`.

    Args:
        page: Playwright's.
        mode: Whose model context it has.
        base_url: What `goto` resolves URLs against.
        profile: Of the browser that the polyfill stands for.

    Attributes:
        problems: The console's errors and warnings, and errors that nobody has caught, in their order.
        begun: The calls that were begun, in their order.
    """

    def __init__(self, page: Page, mode: Mode, base_url: str = "", *, profile: Profile | None = None) -> None:
        self.page = page
        self.mode: Mode = mode
        self.problems: list[str] = []
        self.begun: list[BegunCall] = []
        self._base_url = base_url
        self._profile = profile
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.problems.append(str(error)))

    def goto(self, url: str = "/", *, wait: bool = True, timeout: float = BOOT) -> None:
        """Open a page of the site, and wait until Python and the page's apps are up.

        Args:
            url: Relative to where the site is served.
            wait: False for a page whose Python is not to come up at once.
            timeout: Seconds.

        Raises:
            AssertionError: There is no such page, or its apps cannot start.
        """
        whole = urljoin(self._base_url, url)
        response = self.page.goto(whole)
        assert response is None or response.ok, (
            f"{whole} is answered with {response.status}; is the right folder served (webtools_folder)?"
        )
        if wait:
            try:
                failed = evaluate(self.page, _READY, timeout=timeout)
            except TimeoutError:
                failed = f"it did not come up in {timeout:g} s{stuck(self.page)}"
            assert failed is None, f"{whole} is not ready: {failed}"

    def evaluate(self, script: str, argument: object = None, *, timeout: float = ANSWER) -> Any:
        """Run a function of JavaScript in the page, and give what it returns: `page.evaluate` with a limit.

        Args:
            script: The function.
            argument: Of the function, as JSON can hold it.
            timeout: Seconds.

        Raises:
            AssertionError: It gives nothing in time.
        """
        __tracebackhide__ = True
        try:
            return evaluate(self.page, script, argument, timeout=timeout)
        except TimeoutError:
            said = f"{self.page.url} gives nothing after {timeout:g} s{stuck(self.page)}"
            raise AssertionError(said) from None

    def tools(self) -> list[dict[str, Any]]:
        """What an agent finds, by `getTools()`: ``{"name", "title", "description", "inputSchema", …}``."""
        return cast("list[dict[str, Any]]", self.evaluate(LIST))

    def names(self) -> list[str]:
        """The names of the listed tools."""
        return [tool["name"] for tool in self.tools()]

    def call(self, name: str, arguments: dict[str, Any] | None = None, *, timeout: float = ANSWER) -> Answer:
        """Call a tool, and give its answer, errors of the tool's included.

        Args:
            name: The tool's.
            arguments: The input.
            timeout: Seconds.

        Raises:
            AssertionError: The tool is not listed, the answer is late, or the browser has lost the call.
            TypeError: The arguments are not JSON.
        """
        __tracebackhide__ = True
        from playwright.sync_api import Error  # who has a page has it
        from playwright.sync_api import TimeoutError as TimedOut

        given = self._input(name, arguments)
        try:
            if self.mode == "native":
                limit = timeout * 1000
                return cast("Answer", self.page.webmcp.call_tool(name, arguments or {}, timeout=limit))
            answer = evaluate(self.page, _EXECUTE, [name, given], timeout=timeout)
        except (TimeoutError, TimedOut):
            raise late(self.page, name, timeout) from None
        except Error as error:
            answer = {"failed": error.message.partition("\n")[0]}
        assert "failed" not in answer, f"the call of {name} failed: {answer['failed']}"
        assert "lost" not in answer, f"the call of {name} is lost: {answer['lost']}"
        return cast("Answer", json.loads(answer["text"]))

    def begin(
        self, name: str, arguments: dict[str, Any] | None = None, *, timeout: float = ANSWER
    ) -> BegunCall:
        """Begin a call, and return while it is in flight.

        Args:
            name: The tool's.
            arguments: The input.
            timeout: Seconds in which it has to come to the page's webtools.

        Raises:
            AssertionError: The tool is not listed, or the page does not react in time.
            TypeError: The arguments are not JSON.
        """
        __tracebackhide__ = True
        key = f"call-{len(self.begun) + 1}"
        missing = self.evaluate(BEGIN, [key, name, self._input(name, arguments)], timeout=timeout)
        assert missing is None, missing
        self.begun.append(BegunCall(self.page, key, name))
        return self.begun[-1]

    def _input(self, name: str, arguments: dict[str, Any] | None) -> dict[str, Any] | str:
        __tracebackhide__ = True
        given = arguments or {}
        try:
            text = json.dumps(given, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise TypeError(f"The arguments for {name} are not JSON: {error}.") from None
        return text if self._profile and self._profile["inputAsText"] else given

    def _note(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(message.text)

    def __repr__(self) -> str:
        return f"<ToolPage {self.page.url} on {self.mode}>"
