"""Declarative forms in front of a person, on native WebMCP and on the polyfill; and what only that has to do.

The table of requirements has what scripts alone can show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from e2e.agents import Mode

FORM = """<form toolname=form tooldescription=d {attributes}>
  <input name=a required><button id=go>Send</button><button type=reset id=reset>Clear</button>
</form>"""

PUT = """async (html) => {
  document.body.innerHTML = html;
  for (const began = performance.now(); performance.now() - began < 5000; )
    if ((await document.modelContext.getTools()).length) return;
  throw new Error("the form is not listed");
}"""

ANSWER = """(answer) => {
  window.submissions = [];
  document.querySelector("form").onsubmit = (event) => {
    event.preventDefault();
    submissions.push(event.agentInvoked);
    if (event.agentInvoked) event.respondWith(eval(answer));
  };
}"""

CALL = """async (input) => {
  const [tool] = await document.modelContext.getTools();
  return document.modelContext.executeTool(tool, input).catch(({name}) => name);
}"""

BEGIN = """async (input) => {
  const [tool] = await document.modelContext.getTools();
  const activated = new Promise((resolve) => {
    document.modelContext.addEventListener("toolactivated", resolve, {once: true});
  });
  window.answer = document.modelContext.executeTool(tool, input).catch(({name}) => name);
  await activated;
}"""

CONTROLLED = """() => {
  // As React does: an own property notes each value that scripts set, so that its echo is no person's input.
  const input = document.querySelector("input");
  const {get, set} = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
  let known = input.value;
  window.state = "";
  Object.defineProperty(input, "value", {
    configurable: true,
    get() { return get.call(this); },
    set(value) { known = value; set.call(this, value); },
  });
  input.addEventListener("input", () => {
    if (input.value === known) return;
    known = input.value;
    queueMicrotask(() => { window.state = known; });
  });
}"""

COUNT = """() => {
  window.observers = 0;
  const {observe, disconnect} = MutationObserver.prototype;
  MutationObserver.prototype.observe = function (...args) { observers += 1; observe.apply(this, args); };
  MutationObserver.prototype.disconnect = function () { observers = 0; disconnect.call(this); };
}"""

SNAPSHOT = """() => {
  const found = new Map();
  const note = (path, target) => {
    for (const key of Reflect.ownKeys(target)) {
      const {value, get, set} = Object.getOwnPropertyDescriptor(target, key);
      found.set(`${path}.${String(key)}`, [value, get, set]);
    }
  };
  note("window", window);
  note("document", document);
  for (const [name, {value}] of Object.entries(Object.getOwnPropertyDescriptors(window))) {
    if (typeof value !== "function" || /^(ModelContext|Tool|undo)/.test(name)) continue;
    note(name, value);
    if (value.prototype) note(`${name}.prototype`, value.prototype);
  }
  const {before = found} = window;
  window.before = found;
  const isSame = (key) => found.get(key)?.every((each, at) => Object.is(each, before.get(key)?.[at]));
  const keys = new Set([...found.keys(), ...before.keys()]);
  const ofTheTest = /^window.(before|undo|observers|submissions)$/;
  return [...keys].filter((key) => !isSame(key) && !ofTheTest.test(key)).sort();
}"""

APPLY = """(forms) => import("/webtools/polyfill.js").then(({apply}) => {
  window.undo = apply(document, {forms});
})"""

LATER = """async (html) => {
  const changed = new Promise((resolve) => { document.modelContext.ontoolchange = () => resolve(true); });
  document.body.insertAdjacentHTML("beforeend", html);
  const never = new Promise((resolve) => { setTimeout(resolve, 200, false); });
  return Promise.race([changed, never]);
}"""

NAMES = "async () => (await document.modelContext.getTools()).map(({name}) => name)"


@pytest.fixture
def page(browsers: Callable[[Mode], Browser], mode: Mode, pages: str) -> Iterator[Page]:
    """A page with a model context and no form."""
    page = browsers(mode).new_page()
    page.goto(f"{pages}empty.html")
    if mode == "polyfill":
        page.evaluate(APPLY, "auto")
    yield page
    page.close()


def put(page: Page, attributes: str = "") -> None:
    """Put a form into the page whose submissions are noted, and answered when they are an agent's."""
    page.evaluate(PUT, FORM.format(attributes=attributes))
    page.evaluate(ANSWER, "`sent ${document.querySelector('input').value}`")


def test_a_person_submits_what_the_agent_filled_in(page: Page) -> None:
    put(page)
    page.evaluate(BEGIN, {"a": "x"})
    assert page.evaluate("document.activeElement.id") == "go"
    assert page.input_value("input") == "x"
    page.fill("input", "mine")
    page.click("#go")
    assert page.evaluate("answer") == "sent mine"
    page.click("#go")
    assert page.evaluate("submissions") == [True, False]


def test_a_person_submits_by_the_keyboard(page: Page) -> None:
    put(page)
    page.evaluate(BEGIN, {"a": "x"})
    page.press("input", "Enter")
    assert page.evaluate("answer") == "sent x"


def test_a_persons_click_lets_a_listener_answer_after_a_microtask(page: Page) -> None:
    put(page)
    page.evaluate(
        """() => { document.querySelector("form").onsubmit = async (event) => {
          event.preventDefault();
          for (let turn = 0; turn < 5; turn += 1) await undefined;
          event.respondWith("late, but not too late");
        }; }"""
    )
    page.evaluate(BEGIN, {"a": "x"})
    page.click("#go")
    assert page.evaluate("answer") == "late, but not too late"


def test_a_person_who_submits_what_is_not_valid_ends_the_call(page: Page) -> None:
    put(page)
    page.evaluate(BEGIN, {})
    page.click("#go")
    assert page.evaluate("answer") == "UnknownError"
    page.fill("input", "mine")
    page.click("#go")
    assert page.evaluate("submissions") == [False]


def test_a_person_who_clears_the_form_ends_the_call(page: Page) -> None:
    put(page)
    page.evaluate(BEGIN, {"a": "x"})
    page.click("#reset")
    assert page.evaluate("answer") == "UnknownError"


def test_a_persons_own_submission_is_not_an_agents(page: Page) -> None:
    put(page, "toolautosubmit")
    page.fill("input", "mine")
    page.click("#go")
    assert page.evaluate(CALL, {"a": "x"}) == "sent x"
    page.click("#go")
    assert page.evaluate("submissions") == [False, True, False]


def test_a_controlled_input_sees_what_is_filled_in_before_the_form_is_submitted(page: Page) -> None:
    put(page, "toolautosubmit")
    page.evaluate(CONTROLLED)
    page.evaluate(ANSWER, "window.state")
    assert page.evaluate(CALL, {"a": "x"}) == "x"


def test_a_submission_that_the_browser_makes_is_answered_with_null(page: Page) -> None:
    put(page, "method=dialog")
    page.evaluate("document.querySelector('form').onsubmit = null")
    page.evaluate(BEGIN, {"a": "x"})
    page.click("#go")
    assert page.evaluate("answer") is None


class TestThePolyfill:
    """What only a polyfill has to do."""

    @pytest.fixture
    def bare(self, browsers: Callable[[Mode], Browser], pages: str) -> Iterator[Page]:
        """A page without a model context, which counts the trees that are observed."""
        page = browsers("polyfill").new_page()
        page.goto(f"{pages}empty.html")
        page.evaluate(COUNT)
        yield page
        page.close()

    def loaded(self, page: Page) -> list[Any]:
        """The modules for forms that the page has asked for."""
        entries = "performance.getEntriesByType('resource').map(({name}) => name.split('/').pop())"
        return sorted(name for name in page.evaluate(entries) if name.startswith("forms"))

    def test_nothing_is_loaded_or_observed_until_a_listing_meets_a_form(self, bare: Page) -> None:
        bare.evaluate(APPLY, "auto")
        assert bare.evaluate(NAMES) == []
        assert not bare.evaluate(LATER, FORM)
        assert self.loaded(bare) == []
        assert bare.evaluate("observers") == 0
        assert bare.evaluate(NAMES) == ["form"]
        assert "forms.js" in self.loaded(bare)
        assert bare.evaluate("observers") == 1

    def test_a_form_that_is_there_before_is_told(self, bare: Page) -> None:
        bare.evaluate("(html) => { document.body.innerHTML = html }", FORM)
        bare.evaluate(APPLY, "auto")
        told = "new Promise((resolve) => { document.modelContext.ontoolchange = () => resolve(true); })"
        assert bare.evaluate(told)

    def test_watch_tells_of_the_first_form_and_of_those_in_shadow_trees(self, bare: Page) -> None:
        bare.evaluate(APPLY, "watch")
        bare.evaluate(NAMES)
        assert bare.evaluate(LATER, FORM)
        bare.evaluate("document.body.append(Object.assign(document.createElement('div'), {id: 'host'}))")
        bare.evaluate(
            "host.attachShadow({mode: 'open'}).innerHTML = '<form toolname=inner tooldescription=d></form>'"
        )
        assert bare.evaluate(NAMES) == ["form", "inner"]
        bare.evaluate("host.remove()")
        assert bare.evaluate(NAMES) == ["form"]

    def test_a_listing_meets_a_form_that_is_in_a_shadow_tree_only(self, bare: Page) -> None:
        bare.evaluate(APPLY, "auto")
        assert bare.evaluate(NAMES) == []
        bare.evaluate(
            """(html) => {
              const host = () => document.createElement("div");
              const within = (root) => root.appendChild(host()).attachShadow({mode: "open"});
              within(within(document.body)).innerHTML = html;
            }""",
            FORM,
        )
        assert bare.evaluate(NAMES) == ["form"]

    def test_a_registration_goes_through_no_tree(self, bare: Page) -> None:
        bare.evaluate(APPLY, "auto")
        put(bare)
        walks = """async () => {
          let walks = 0;
          const {querySelectorAll} = Document.prototype;
          Document.prototype.querySelectorAll = function (selector) {
            walks += selector === "*";
            return querySelectorAll.call(this, selector);
          };
          await document.modelContext.registerTool({name: "own", description: "d", execute() {}});
          const registering = walks;
          await document.modelContext.getTools();
          return [registering, walks > registering];
        }"""
        assert bare.evaluate(walks) == [0, True]

    def test_no_built_in_is_touched_beyond_what_the_draft_adds(self, bare: Page) -> None:
        said: list[str] = []
        bare.on("console", lambda message: said.append(message.text))
        assert bare.evaluate(SNAPSHOT) == []
        bare.evaluate(APPLY, "auto")
        names = ["ModelContext", "ToolActivatedEvent", "ToolCancelEvent"]
        added = ["Document.prototype.modelContext", *[f"window.{name}" for name in names]]
        assert bare.evaluate(SNAPSHOT) == added
        put(bare)
        members = ["SubmitEvent.prototype.agentInvoked", "SubmitEvent.prototype.respondWith"]
        assert bare.evaluate(SNAPSHOT) == members
        bare.evaluate("undo()")
        assert bare.evaluate(SNAPSHOT) == sorted([*added, *members])
        assert said == []

    def test_off_looks_for_nothing(self, bare: Page) -> None:
        bare.evaluate("(html) => { document.body.innerHTML = html }", FORM)
        bare.evaluate(APPLY, "off")
        assert bare.evaluate(NAMES) == []
        assert self.loaded(bare) == []

    def test_the_undo_takes_the_forms_away(self, bare: Page) -> None:
        bare.evaluate(APPLY, "auto")
        put(bare)
        bare.evaluate(BEGIN, {"a": "x"})
        assert bare.evaluate("document.querySelectorAll('[data-tool-form-active]').length") == 1
        bare.evaluate("undo()")
        assert bare.evaluate("answer") == "UnknownError"
        assert bare.evaluate("observers") == 0
        assert not bare.evaluate("'agentInvoked' in SubmitEvent.prototype || 'modelContext' in document")
        assert bare.evaluate("document.querySelectorAll('[data-tool-form-active]').length") == 0
        bare.click("#go")
        assert bare.evaluate("submissions") == [None]

    def test_a_form_that_is_active_and_its_button_have_an_attribute(self, bare: Page) -> None:
        bare.evaluate(APPLY, "auto")
        put(bare)
        bare.evaluate(BEGIN, {"a": "x"})
        assert bare.locator("form[data-tool-form-active] #go[data-tool-submit-active]").count() == 1
        bare.click("#go")
        assert bare.evaluate("answer") == "sent x"
        assert bare.locator("[data-tool-form-active], [data-tool-submit-active]").count() == 0
