"""Drive a page in a browser as an agent does, by the same words on native WebMCP and on the polyfill.

Playwright is needed by whoever makes the page, not by this module.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal, cast
from urllib.parse import urljoin

from webtools.agent.conversation import Answer
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

_FOUND = """async (name) => {
  const tools = await document.modelContext.getTools();
  const found = tools.find((each) => each.name === name);
  if (found) return found;
  throw new Error(`${name} is not listed; listed: ${tools.map((each) => each.name).join(", ") || "nothing"}`);
}"""

_WITHIN = """(promise, ms) => {
  let timer;
  const late = new Promise((resolve) => { timer = setTimeout(resolve, ms, {late: true}); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}"""

_EXECUTE = f"""async ([name, input, ms]) => {{
  const answer = document.modelContext.executeTool(await ({_FOUND})(name), input);
  return ({_WITHIN})(answer.then((text) => ({{text}})), ms);
}}"""

BEGIN = f"""async ([key, name, input]) => {{
  const tool = await ({_FOUND})(name);
  const began = new Promise((resolve) => webtools.addEventListener("callstart", resolve, {{once: true}}));
  window.begunCalls ??= {{}};
  window.begunCalls[key] = document.modelContext.executeTool(tool, input)
    .then(JSON.parse, (error) => ({{lost: error.name}}));
  await began;
}}"""
"""Begins a call that `END` waits for: ``[key, name, input]``; returns when it has come to webtools."""

END = f"""([key, ms]) =>
  ({_WITHIN})(window.begunCalls?.[key] ?? {{lost: "the page was loaded anew"}}, ms)"""
"""Gives the answer of a call that was begun: ``[key, ms]``; or ``{lost}``, or ``{late: true}``."""

_READY = f"""async (ms) => {{
  if (!window.webtools) return "it has no script tag of /webtools/webtools.js";
  const up = webtools.ready.then(() => null, (error) => error.message);
  const said = await ({_WITHIN})(up, ms);
  return said?.late ? "it did not come up in time" : said;
}}"""


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
        answer: Answer = self._page.evaluate(END, [self._key, timeout * 1000])
        assert "late" not in answer, f"the call of {self.name} has no answer after {timeout:g} s"
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
            failed = self.page.evaluate(_READY, timeout * 1000)
            assert failed is None, f"{whole} is not ready: {failed}"

    def tools(self) -> list[dict[str, Any]]:
        """What an agent finds, by `getTools()`: ``{"name", "title", "description", "inputSchema", …}``."""
        return cast("list[dict[str, Any]]", self.page.evaluate(LIST))

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
            playwright.sync_api.Error: The tool is not listed, or the browser has lost the call.
            AssertionError: There is no answer in time.
        """
        if self.mode == "native":
            found = self.page.webmcp.call_tool(name, arguments or {}, timeout=timeout * 1000)
            return cast("Answer", found)
        answer = self.page.evaluate(_EXECUTE, [name, self._input(arguments), timeout * 1000])
        assert "late" not in answer, f"the call of {name} has no answer after {timeout:g} s"
        return cast("Answer", json.loads(answer["text"]))

    def begin(self, name: str, arguments: dict[str, Any] | None = None) -> BegunCall:
        """Begin a call, and return while it is in flight.

        Raises:
            playwright.sync_api.Error: The tool is not listed.
        """
        key = f"call-{len(self.begun) + 1}"
        self.page.evaluate(BEGIN, [key, name, self._input(arguments)])
        self.begun.append(BegunCall(self.page, key, name))
        return self.begun[-1]

    def _input(self, arguments: dict[str, Any] | None) -> dict[str, Any] | str:
        given = arguments or {}
        return json.dumps(given) if self._profile and self._profile["inputAsText"] else given

    def _note(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(message.text)

    def __repr__(self) -> str:
        return f"<ToolPage {self.page.url} on {self.mode}>"
