"""The React hook, with real React: however components come and go, no call is lost.

On native, on the polyfill, and on the polyfill in its cancelling mode, which stands for Chromium up to 152.
Every scene is rendered in StrictMode by React's development build.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from e2e.agents import Agent, Host, Mode, error_of, mode_of, text_of
from e2e.conftest import BOOT_MS, PAGES, Watched, one_mode
from e2e.places import CHECKOUT
from e2e.sites import serving

Kind = Literal["python", "js"]

BEGIN = """async ([key, name, action]) => {
  const began = new Promise((resolve) => webtools.addEventListener("callstart", resolve, {once: true}));
  (window.calls ??= {})[key] = lab.call(name, action);
  await began;
}"""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of `e2e/pages/react/`, with React as a module and an app that brings its own, bundled now."""
    folder = shutil.copytree(PAGES / "react", tmp_path_factory.mktemp("react") / "site")
    bundle("react-entry.mjs", folder / "vendor" / "react.js", "--format=esm")
    bundle("bundled-entry.mjs", folder / "bundled.js", "--format=iife", "--minify")
    with serving(folder) as url:
        yield url


def bundle(entry: str, made: Path, *options: str) -> None:
    """Bundle with React's development build, since StrictMode checks nothing in the other one."""
    esbuild = CHECKOUT / "node_modules" / ".bin" / "esbuild"
    defined = ['--define:process.env.NODE_ENV="development"', "--log-level=warning", f"--outfile={made}"]
    command = [str(esbuild), str(PAGES / "react" / entry), "--bundle", *options, *defined]
    told = subprocess.run(command, check=True, capture_output=True, text=True)
    assert told.stderr == ""  # a warning is an error


class Lab:
    """A page that shows scenes (`e2e/pages/react/lab.js`), and an agent in front of it."""

    def __init__(self, page: Page, mode: Mode) -> None:
        self.page = page
        self.agent = Agent(page, mode)

    def show(self, scene: str, **props: Any) -> None:
        """Render, effects included."""
        self.page.evaluate("([scene, props]) => lab.show(scene, props)", [scene, props])

    def panels(self, *panels: dict[str, Any] | str, **props: Any) -> None:
        """Show panels, each of which holds one tool."""
        self.show(
            "Panels", panels=[{"name": each} if isinstance(each, str) else each for each in panels], **props
        )

    def action(self, name: str, script: str) -> None:
        """Say what a tool does when it is called with `{do: name}`."""
        self.page.evaluate(f"() => {{ lab.actions[{json.dumps(name)}] = {script}; }}")

    def traffic(self) -> list[str]:
        """What the browser was asked for since the last time."""
        asked: list[str] = self.page.evaluate("traffic.splice(0)")
        return asked

    def until(self, condition: str, *arguments: Any) -> None:
        """Wait until JavaScript says so."""
        self.page.wait_for_function(condition, arg=list(arguments), timeout=BOOT_MS)

    def until_traffic(self, *expected: str) -> None:
        """Wait until the browser was asked for this since the last time, and for nothing else."""
        self.until("([count]) => traffic.length >= count", len(expected))
        assert self.traffic() == list(expected)

    def until_state(self, name: str, state: str) -> None:
        """Wait for what `webtools.tools()` says."""
        find = "webtools.tools().find((tool) => tool.name === name)?.state ?? 'unknown'"
        self.until(f"([name, state]) => ({find}) === state", name, state)

    def settle(self) -> None:
        """Let a macrotask of the registry's pass."""
        self.page.evaluate(
            "() => webtools.call('no_such_tool').then(() => new Promise((r) => setTimeout(r)))"
        )

    def call(self, name: str, do: str = "nothing") -> dict[str, Any]:
        """Call, and wait for the answer."""
        answer: dict[str, Any] = self.page.evaluate("([name, action]) => lab.call(name, action)", [name, do])
        return answer

    def begin(self, key: str, name: str, do: str = "wait") -> None:
        """Begin a call that `end` waits for."""
        self.page.evaluate(BEGIN, [key, name, do])

    def end(self, key: str) -> str:
        """Give the text of the answer of a call that was begun."""
        return text_of(self.page.evaluate("(key) => calls[key]", key))

    def go_on(self) -> int:
        """Let the calls that wait go on."""
        return int(self.page.evaluate("lab.goOn()"))

    def until_result(self, name: str, condition: str) -> None:
        """Wait for what the hook gives a panel, `result` in JavaScript."""
        self.until(
            f"([name]) => {{ const result = JSON.parse(document.getElementById(name).textContent);"
            f" return {condition}; }}",
            name,
        )

    def result(self, name: str) -> dict[str, Any]:
        """What the hook gave a panel when it was last rendered."""
        shown: dict[str, Any] = json.loads(self.page.locator(f"#{name}").inner_text())
        return shown


@pytest.fixture(scope="module")
def opened(browsers: Callable[[Mode], Browser], host: Host, site: str) -> Iterator[Watched]:
    """One page for all tests of a host."""
    context = browsers(mode_of(host)).new_context()
    watched = Watched(context.new_page())
    watched.page.goto(f"{site}{'?cancels' if host == 'cancelling' else ''}")
    assert watched.ready() == "ready"
    yield watched
    context.close()
    assert watched.foreign == []
    assert watched.uncaught == []


@pytest.fixture(params=["python", "js"])
def kind(request: pytest.FixtureRequest) -> Kind:
    """Whose tools the components want."""
    chosen: Kind = request.param
    return chosen


@pytest.fixture
def lab(opened: Watched, host: Host, kind: Kind) -> Iterator[Lab]:
    """A page that shows nothing and has no tool, before and after; its console stays empty."""
    lab = Lab(opened.page, mode_of(host))
    lab.page.evaluate("(kind) => { lab.kind = kind; }", kind)
    yield lab
    lab.show("Nothing")
    lab.go_on()
    lab.until("() => webtools.tools().length === 0")
    lab.page.evaluate("() => { traffic.length = 0; for (const name in lab.mounts) delete lab.mounts[name]; }")
    assert opened.problems == []


def test_a_component_has_its_tool_and_strict_mode_costs_no_traffic(lab: Lab) -> None:
    lab.panels("alpha")
    lab.until_state("alpha", "registered")
    assert lab.page.evaluate("lab.mounts.alpha") == 2  # StrictMode did mount it twice
    assert lab.agent.names() == ["alpha"]
    assert text_of(lab.agent.call("alpha")) == "done"
    lab.panels()
    lab.until_traffic("+alpha", "-alpha")


def test_the_result_follows_the_tool(lab: Lab) -> None:
    lab.panels("alpha")
    lab.until_state("alpha", "registered")
    assert lab.result("alpha") == {"status": "registered", "inFlight": 0, "lastResult": None, "error": None}
    lab.begin("x", "alpha")
    lab.until_result("alpha", "result.inFlight === 1")
    lab.go_on()
    assert lab.end("x") == "waited"
    lab.until_result("alpha", "result.inFlight === 0")
    assert text_of(lab.result("alpha")["lastResult"]) == "waited"


def test_the_result_tells_of_an_error_until_the_next_call(lab: Lab) -> None:
    lab.action("refuse", "() => { throw Object.assign(new Error('not today'), {code: 'REFUSED'}); }")
    lab.panels("alpha")
    error = error_of(lab.call("alpha", "refuse"))
    lab.until_result("alpha", "result.error !== null")
    assert lab.result("alpha")["error"] == error
    lab.call("alpha")
    lab.until_result("alpha", "result.error === null")


def test_a_name_that_is_taken_is_told_as_an_error(lab: Lab) -> None:
    take = """() => { window.theirs = new AbortController(); return document.modelContext.registerTool(
      {name: "alpha", description: "Theirs.", execute: () => "theirs"}, {signal: theirs.signal}); }"""
    lab.page.evaluate(take)
    lab.panels("alpha")
    lab.until_result("alpha", "result.status === 'failed'")
    error = lab.result("alpha")["error"]
    assert error["code"] == "REGISTRATION_FAILED"
    assert "InvalidStateError" in error["message"]
    lab.page.evaluate("theirs.abort()")
    lab.panels({"name": "alpha", "resourceId": "another try"})
    lab.until_result("alpha", "result.error === null")
    lab.until_state("alpha", "registered")


def test_nothing_that_the_agent_does_not_see_costs_traffic(lab: Lab) -> None:
    lab.panels("alpha")
    lab.begin("x", "alpha")
    for panel in ({"answer": 1}, {"resourceId": "doc-1"}, {"perInstance": True}, {"instance": 2}):
        lab.panels({"name": "alpha", **panel})
        lab.settle()
    lab.go_on()
    assert lab.end("x") == "waited"
    assert lab.traffic() == ["+alpha"]


@pytest.mark.parametrize("kind", ["js"], indirect=True)
def test_another_closure_is_the_one_that_answers(lab: Lab) -> None:
    for answer in ("first", "second"):
        lab.panels({"name": "alpha", "answer": answer})
        assert text_of(lab.call("alpha")) == answer
    assert lab.traffic() == ["+alpha"]


@pytest.mark.parametrize("kind", ["js"], indirect=True)
def test_another_description_is_registered_once_when_the_call_of_the_old_one_has_its_answer(lab: Lab) -> None:
    lab.panels({"name": "alpha", "description": "Old."})
    lab.begin("x", "alpha")
    for description in ("Newer.", "Newest."):
        lab.panels({"name": "alpha", "description": description})
        lab.settle()
    assert error_of(lab.call("alpha"))["code"] == "TOOL_CHANGED"
    assert lab.page.evaluate("lab.described()") == "alpha: Old."
    assert lab.traffic() == ["+alpha"]
    lab.go_on()
    assert lab.end("x") == "waited"
    lab.until_traffic("-alpha", "+alpha")
    assert lab.page.evaluate("lab.described()") == "alpha: Newest."


@pytest.mark.parametrize("kind", ["js"], indirect=True)
@pytest.mark.parametrize(
    ("change", "is_current"),
    [
        ({"answer": None}, True),
        ({"enabled": True}, True),
        ({"instance": 2}, False),
        ({"resourceId": "doc-2"}, False),
        ({"enabled": False}, False),
        ({"description": "Other."}, False),
    ],
)
def test_a_call_is_current_while_its_component_stands_for_the_same(
    lab: Lab, change: dict[str, Any], is_current: bool
) -> None:
    lab.action("ask", "async (call) => { await lab.actions.wait(); return String(call.isCurrent()); }")
    lab.panels({"name": "alpha", "resourceId": "doc-1"})
    lab.begin("x", "alpha", "ask")
    lab.panels({"name": "alpha", "resourceId": "doc-1", **change})
    lab.settle()
    lab.go_on()
    assert lab.end("x") == json.dumps(is_current)


def test_a_tool_that_is_not_enabled_is_not_there(lab: Lab) -> None:
    lab.panels({"name": "alpha", "enabled": False})
    lab.settle()
    assert lab.traffic() == []
    lab.panels("alpha")
    lab.until_traffic("+alpha")
    lab.panels({"name": "alpha", "enabled": False})
    lab.until_traffic("-alpha")


def test_a_route_keeps_replaces_and_drops_tools(lab: Lab) -> None:
    lab.panels("alpha", "beta", "gamma", route="/cart")
    lab.begin("kept", "alpha")
    lab.begin("dropped", "beta")
    assert lab.traffic() == ["+alpha", "+beta", "+gamma"]
    lab.panels("alpha", "delta", route="/checkout")
    lab.until_traffic("+delta", "-gamma")
    assert error_of(lab.call("beta"))["code"] == "STALE_TOOL_CALL"
    assert text_of(lab.call("alpha")) == "done"
    lab.go_on()
    assert lab.end("kept") == "waited"
    assert lab.end("dropped") == "waited"
    lab.until_traffic("-beta")


def test_a_drawer_that_closes_during_its_own_tool_answers(lab: Lab) -> None:
    lab.action("close", "() => { lab.show('Nothing'); return 'closed'; }")
    lab.panels("alpha")
    lab.until_state("alpha", "registered")
    assert text_of(lab.agent.call("alpha", {"do": "close"})) == "closed"
    lab.until_traffic("+alpha", "-alpha")


def test_a_tool_that_disables_itself_answers(lab: Lab) -> None:
    lab.action("disable", "() => lab.show('Panels', {panels: [{name: 'alpha', enabled: false}]})")
    lab.panels("alpha")
    assert text_of(lab.call("alpha", "disable")) == "done"
    assert lab.result("alpha")["status"] == "leaving"
    lab.until_traffic("+alpha", "-alpha")
    lab.until_result("alpha", "result.status === 'unknown'")


def test_a_tool_that_waits_for_the_route_that_unmounts_it_answers(lab: Lab) -> None:
    lab.action(
        "navigate",
        """async () => {
          const mounted = lab.mounted("beta");
          history.replaceState(null, "", "#checkout");
          lab.go("Panels", {panels: [{name: "beta"}], route: "/checkout"});
          await mounted;
          return "arrived";
        }""",
    )
    lab.panels("alpha", route="/cart")
    assert text_of(lab.call("alpha", "navigate")) == "arrived"
    lab.until_traffic("+alpha", "+beta", "-alpha")


def test_a_tool_that_replaces_the_whole_set_holds_up_only_itself(lab: Lab) -> None:
    lab.action(
        "replace",
        """() => {
          lab.show("Panels", {panels: [{name: "gamma"}, {name: "delta"}], route: "/next"});
          return lab.actions.wait();
        }""",
    )
    lab.panels("alpha", "beta", "gamma")
    lab.until_traffic("+alpha", "+beta", "+gamma")
    lab.begin("x", "alpha", "replace")
    lab.until_traffic("+delta", "-beta")
    assert text_of(lab.call("delta")) == "done"
    lab.go_on()
    assert lab.end("x") == "waited"
    lab.until_traffic("-alpha")


def test_a_list_comes_and_goes_together(lab: Lab) -> None:
    lab.show("List", tools=[{"name": "alpha"}, {"name": "beta"}])
    lab.until_traffic("+alpha", "+beta")
    lab.until_result("list", "result.status === 'registered'")
    lab.begin("x", "alpha")
    lab.until_result("list", "result.inFlight === 1")
    lab.show("List", tools=[{"name": "gamma"}, {"name": "alpha"}])
    lab.until_traffic("+gamma", "-beta")
    lab.go_on()
    assert lab.end("x") == "waited"
    lab.show("List", tools=[])
    lab.until_result("list", "result.status === 'unknown'")
    lab.until("() => traffic.length === 2")
    assert sorted(lab.traffic()) == ["-alpha", "-gamma"]


PENDING = """([scene]) => {
  window.gate = {};
  gate.promise = new Promise((resolve) => { gate.open = resolve; });
  lab.show(scene, {name: "alpha", suspend: gate.promise});
}"""


def test_a_component_that_never_came_out_of_suspense_holds_nothing(lab: Lab) -> None:
    lab.page.evaluate(PENDING, ["Suspended"])
    expect(lab.page.get_by_text("…")).to_be_visible()
    lab.settle()
    assert lab.traffic() == []
    lab.page.evaluate("gate.open()")
    lab.until_traffic("+alpha")


def test_a_component_that_is_suspended_again_keeps_its_tool(lab: Lab) -> None:
    lab.show("Suspended", name="alpha")
    lab.page.evaluate(PENDING, ["Suspended"])
    expect(lab.page.get_by_text("…")).to_be_visible()
    assert text_of(lab.call("alpha")) == "done"
    lab.page.evaluate("gate.open()")
    expect(lab.page.get_by_text("…")).not_to_be_visible()
    lab.settle()
    assert lab.traffic() == ["+alpha"]


def test_an_activity_has_its_tools_while_it_is_visible(lab: Lab) -> None:
    lab.show("Hidden", name="alpha", mode="hidden")
    lab.settle()
    assert lab.traffic() == []
    for _ in range(2):
        lab.show("Hidden", name="alpha", mode="visible")
        lab.until_traffic("+alpha")
        lab.show("Hidden", name="alpha", mode="hidden")
        lab.until_traffic("-alpha")


def test_an_activity_that_hides_for_a_moment_loses_no_call(lab: Lab) -> None:
    lab.show("Hidden", name="alpha", mode="visible")
    lab.begin("x", "alpha")
    lab.show("Hidden", name="alpha", mode="hidden")
    assert error_of(lab.call("alpha"))["code"] == "STALE_TOOL_CALL"
    lab.show("Hidden", name="alpha", mode="visible")
    lab.go_on()
    assert lab.end("x") == "waited"
    assert lab.traffic() == ["+alpha"]


def test_a_component_that_breaks_releases_its_tool(lab: Lab) -> None:
    lab.action("break", "() => lab.show('Guarded', {name: 'alpha', breaks: true})")
    lab.show("Guarded", name="alpha")
    assert text_of(lab.call("alpha", "break")) == "done"
    expect(lab.page.get_by_text("broken")).to_be_visible()
    lab.until_traffic("+alpha", "-alpha")


def test_a_component_that_breaks_at_once_never_has_a_tool(lab: Lab) -> None:
    lab.show("Guarded", name="alpha", breaks=True)
    expect(lab.page.get_by_text("broken")).to_be_visible()
    lab.settle()
    assert lab.traffic() == []


def test_a_rendering_that_is_thrown_away_changes_nothing(lab: Lab) -> None:
    lab.panels("alpha")
    never = "{name: 'beta', suspend: new Promise(() => {})}"
    lab.page.evaluate(f"lab.go('Panels', {{panels: [{{name: 'gamma'}}, {never}]}})")
    lab.settle()
    assert lab.result("alpha")["status"] == "registered"
    lab.panels("alpha")
    lab.settle()
    assert lab.traffic() == ["+alpha"]


ALL_REGISTERED = (
    "() => webtools.tools().every(({state, inFlight}) => state === 'registered' && inFlight === 0)"
)

STORM = """async (steps) => {
  let seed = 11;
  const random = (below) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
  const kinds = {alpha: "python", beta: "python", gamma: "js", delta: "js"};
  const names = Object.keys(kinds);
  const wish = new Map();
  const panels = () => [...wish].map(([name, panel]) => ({name, kind: kinds[name], ...panel}));
  const step = () => {
    const name = names[random(names.length)];
    const panel = wish.get(name);
    const changes = [
      () => ({...panel, instance: random(1e6)}),
      () => ({...panel, answer: `closure ${random(1e6)}`}),
      () => ({...panel, enabled: panel.enabled === false}),
      () => ({...panel, resourceId: `doc-${random(3)}`}),
      () => ({...panel, description: `Do it in way ${random(3)}.`}),
    ];
    if (!panel) wish.set(name, {});
    else if (random(3) === 0) wish.delete(name);
    else wish.set(name, changes[random(changes.length)]());
    if (random(3)) lab.show("Panels", {panels: panels()});
    else lab.go("Panels", {panels: panels()});
  };
  lab.actions.step = () => { step(); return "stepped"; };
  lab.actions.stepAndWait = () => { step(); return lab.actions.wait(); };
  const calls = [];
  for (let count = 0; count < steps; count += 1) {
    step();
    calls.push(lab.call(names[random(names.length)], ["nothing", "wait", "step", "stepAndWait"][random(4)]));
    if (random(4) === 0) await new Promise((resolve) => setTimeout(resolve));
    if (random(6) === 0) lab.goOn();
  }
  const timer = setInterval(lab.goOn, 10);
  const answers = await Promise.all(calls);
  clearInterval(timer);
  lab.show("Panels", {panels: panels()});
  const described = ({kind, description}) =>
    kind === "python" ? "Do something in the page." : description ?? "Do it.";
  return {
    outcomes: answers.map((each) => each.structuredContent?.error?.code ?? Object.keys(each)[0]),
    wished: panels().filter(({enabled}) => enabled !== false)
      .map((panel) => `${panel.name}: ${described(panel)}`).sort().join(),
  };
}"""


@pytest.mark.parametrize("kind", ["js"], indirect=True)
def test_a_storm_loses_no_call_and_ends_with_what_is_wished(lab: Lab) -> None:
    done = lab.page.evaluate(STORM, 400)
    outcomes = done["outcomes"]
    assert "lost" not in outcomes
    assert set(outcomes) <= {"content", "absent", "gone", "STALE_TOOL_CALL", "TOOL_CHANGED"}
    assert outcomes.count("content") > 40
    lab.until(ALL_REGISTERED)
    assert lab.page.evaluate("lab.described()") == done["wished"]
    balance = lab.traffic()
    for name in ("alpha", "beta", "gamma", "delta"):
        assert balance.count(f"+{name}") - balance.count(f"-{name}") == (f"{name}:" in done["wished"])


def test_a_component_that_is_there_before_python_has_its_tool_once(
    browsers: Callable[[Mode], Browser], host: Host, site: str
) -> None:
    context = browsers(mode_of(host)).new_context()
    watched = Watched(context.new_page())
    watched.page.goto(f"{site}{'?cancels' if host == 'cancelling' else ''}")
    lab = Lab(watched.page, mode_of(host))
    lab.panels({"name": "alpha", "kind": "python"}, {"name": "gamma", "kind": "js"})
    assert lab.page.evaluate("webtools.status") == "loading"
    assert watched.ready() == "ready"
    for name in ("alpha", "gamma"):
        lab.until_result(name, "result.status === 'registered'")
    lab.settle()
    for name in ("alpha", "gamma"):
        assert text_of(lab.call(name)) == "done"
    assert sorted(lab.traffic()) == ["+alpha", "+gamma"]
    context.close()
    assert watched.problems == []


MAP = (PAGES / "react" / "index.html").read_text().partition('<script type="importmap">')[2]
MAPPED = (
    f'<script type="importmap">{MAP.partition("</script>")[0]}</script>'
    '<script type="module" src="/mapped.js"></script>'
)
TAG = '<script type="module" src="/webtools/webtools.js"></script>'
ASYNC = TAG.replace("<script", "<script async")
BUNDLED = '<script defer src="/bundled.js"></script>'
ROOT = '<div id="root"></div>'
AT_THE_END = f'{ROOT}<script src="/bundled.js"></script>'
"""A classic script there runs before any module."""

ARRANGEMENTS = {
    "modules, the tag before": [TAG, MAPPED, ROOT],
    "modules, the tag after": [MAPPED, TAG, ROOT],
    "modules, an async tag": [MAPPED, ASYNC, ROOT],
    "modules, rendered by a server": [TAG, MAPPED, '<div id="root"><output>unknown</output></div>'],
    "a bundle, the tag before": [TAG, BUNDLED, ROOT],
    "a bundle, the tag after": [BUNDLED, TAG, ROOT],
    "a bundle, an async tag": [ASYNC, BUNDLED, ROOT],
    "a bundle at the end, the tag before": [TAG, AT_THE_END],
    "a bundle at the end, the tag after": [AT_THE_END, TAG],
}

STATUS_IS = "([status]) => document.querySelector('output')?.textContent === status"


@pytest.fixture
def show(watched: Watched, site: str) -> Callable[..., Lab]:
    """Open a page of these parts, whose tool is JavaScript's."""

    def open_page(parts: list[str], until: Literal["domcontentloaded", "load"] = "load") -> Lab:
        html = f'<!doctype html><title>Test</title><link rel="icon" href="data:,">{"".join(parts)}'
        watched.page.route(site, lambda route: route.fulfill(body=html, content_type="text/html"))
        watched.page.goto(site, wait_until=until)
        return Lab(watched.page, "polyfill")

    return open_page


def entries_of(page: Page) -> int:
    """How often the page asked for a webtools.js."""
    names = page.evaluate("performance.getEntriesByType('resource').map(({name}) => name)")
    return sum(name.endswith("/webtools.js") for name in names)


@one_mode
@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
def test_the_hook_finds_the_pages_webtools(
    show: Callable[..., Lab], watched: Watched, arrangement: str
) -> None:
    lab = show(ARRANGEMENTS[arrangement])
    lab.until(STATUS_IS, "registered")
    assert text_of(lab.agent.call("greet")) == "hello"
    assert entries_of(lab.page) == 1
    assert watched.problems == []


def test_a_bundle_waits_for_a_tag_that_is_slow(show: Callable[..., Lab], watched: Watched) -> None:
    slow: list[Route] = []
    watched.page.route("**/webtools/webtools.js", lambda route: slow.append(route))
    lab = show([ASYNC, BUNDLED, ROOT], until="domcontentloaded")
    lab.until(STATUS_IS, "unknown")
    slow[0].continue_()
    lab.until(STATUS_IS, "registered")
    assert watched.problems == []


def test_the_hook_brings_webtools_where_no_tag_does(show: Callable[..., Lab], watched: Watched) -> None:
    lab = show([MAPPED, ROOT])
    lab.until(STATUS_IS, "registered")
    assert text_of(lab.agent.call("greet")) == "hello"
    assert entries_of(lab.page) == 1
    assert watched.problems == []


def test_a_bundle_without_webtools_says_so_once_and_holds_its_tools_when_it_comes(
    show: Callable[..., Lab], watched: Watched
) -> None:
    lab = show([BUNDLED, ROOT])
    with lab.page.expect_console_message(lambda message: "no webtools" in message.text):
        pass
    ours = [problem for problem in watched.problems if problem.startswith("webtools:")]
    assert len(ours) == 1
    lab.until(STATUS_IS, "unknown")
    lab.page.evaluate(f"document.head.append(document.createRange().createContextualFragment('{TAG}'))")
    lab.until(STATUS_IS, "registered")
    assert text_of(lab.agent.call("greet")) == "hello"


FORM = """async (props) => {
  const {createElement: h, createRoot, flushSync, useState} = await import("/vendor/react.js");
  const Form = () => {
    const [state, setState] = useState({agree: false, size: "S", note: ""});
    const take = ({target: {checked, name, type, value}}) =>
      setState((before) => ({...before, [name]: type === "checkbox" ? checked : value}));
    const box = Object.fromEntries(props.map((name) => [name, take]));
    const onSubmit = (event) => {
      event.preventDefault();
      event.nativeEvent.respondWith(state);
    };
    window.state = state;
    return h("form", {toolname: "form", tooldescription: "d", toolautosubmit: "", onSubmit},
      h("input", {type: "checkbox", name: "agree", checked: state.agree, ...box}),
      h("input", {type: "radio", name: "size", value: "S", checked: state.size === "S", ...box}),
      h("input", {type: "radio", name: "size", value: "L", checked: state.size === "L", ...box}),
      h("input", {name: "note", value: state.note, onChange: take}),
      h("button"));
  };
  const root = document.body.appendChild(document.createElement("div"));
  flushSync(() => createRoot(root).render(h(Form)));
  while (!(await document.modelContext.getTools()).length);
}"""

FILL = """async () => {
  const [tool] = await document.modelContext.getTools();
  return JSON.parse(await document.modelContext.executeTool(tool, {agree: true, size: "L", note: "x"}));
}"""


@pytest.mark.parametrize(
    ("props", "seen"),
    [(["onChange"], {"agree": False, "size": "S"}), (["onChange", "onInput"], {"agree": True, "size": "L"})],
)
def test_a_forms_check_boxes_and_radio_buttons_want_on_input_too(
    browsers: Callable[[Mode], Browser], mode: Mode, site: str, props: list[str], seen: dict[str, Any]
) -> None:
    page = browsers(mode).new_page()
    page.route("**/blank", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
    page.goto(f"{site}blank")
    if mode == "polyfill":
        page.evaluate("import('/webtools/polyfill.js').then(({apply}) => { apply(); })")
    page.evaluate(FORM, props)
    assert page.evaluate(FILL) == {**seen, "note": "x"}
    for checked in (not seen["agree"], seen["agree"]):
        page.click("[name=agree]")
        assert page.evaluate("state.agree") is checked
    page.close()
