"""The polyfill before a native context, which knows the permissions policy; and what puts native back."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Browser

from e2e.agents import Mode

STATE = """() => JSON.stringify(
  [["modelContext", Document.prototype], ...["ModelContext", "ToolActivatedEvent", "ToolCancelEvent"]
    .map((name) => [name, window])].map(([name, target]) => {
      const {value, get, ...flags} = Object.getOwnPropertyDescriptor(target, name);
      return [name, flags, String(value ?? get)];
    }))"""

FORCE = """import("/webtools/polyfill.js").then(({apply, isPolyfilled}) => {
  window.native = document.modelContext;
  window.undo = apply(document, {force: true});
  return isPolyfilled();
})"""

REFUSED_IN_A_FRAME = """async (allow) => {
  const frame = document.createElement("iframe");
  frame.allow = allow;
  frame.src = "empty.html?";
  await new Promise((resolve) => { frame.onload = resolve; document.body.append(frame); });
  const force = "import('/webtools/polyfill.js').then(({apply}) => { apply(document, {force: true}); })";
  await frame.contentWindow.eval(force);
  const context = frame.contentDocument.modelContext;
  const tool = {name: "framed", description: "d", execute: () => ({})};
  const outcome = await context.registerTool(tool).then(() => "registered", ({name}) => name);
  const listed = (await document.modelContext.getTools()).some(({name}) => name === "framed");
  frame.remove();
  return [outcome, listed];
}"""


def test_the_undo_of_a_forced_polyfill_puts_every_native_property_back(
    browsers: Callable[[Mode], Browser], pages: str
) -> None:
    page = browsers("native").new_page()
    page.goto(f"{pages}empty.html")
    before = page.evaluate(STATE)
    assert page.evaluate(FORCE)
    assert page.evaluate(STATE) != before
    page.evaluate("undo()")
    assert page.evaluate(STATE) == before
    assert page.evaluate("document.modelContext === native && !Object.hasOwn(document, 'modelContext')")
    page.close()


def test_a_permissions_policy_that_the_browser_knows_decides(
    browsers: Callable[[Mode], Browser], pages: str
) -> None:
    page = browsers("native").new_page()
    page.goto(f"{pages}empty.html")
    assert page.evaluate(FORCE)
    assert page.evaluate(REFUSED_IN_A_FRAME, "tools 'none'") == ["NotAllowedError", False]
    assert page.evaluate(REFUSED_IN_A_FRAME, "") == ["registered", True]
    page.close()
