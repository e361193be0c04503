"""Tools that are made of forms, and the answers to forms that are tools themselves.

On native, on the polyfill, and on the polyfill in its cancelling mode, which stands for Chromium up to 152.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from e2e.agents import Agent, Host, Mode, error_of, mode_of, text_of, wait_for
from e2e.conftest import PAGES, Watched
from e2e.shop import STOREFRONT
from e2e.sites import serving

ALL = {
    "name": "Ada",
    "guests": 3,
    "code": "ABC",
    "mail": "ada@example.org",
    "size": "M",
    "colour": "blue",
    "extras": ["card"],
    "days": ["We", "Mo"],
    "news": True,
    "text": "One\nTwo",
}

UNTIL_PROPERTIES = """async ([name, wanted]) => {
  const properties = async () => {
    const tool = (await document.modelContext.getTools()).find((each) => each.name === name);
    return tool && Object.keys(tool.inputSchema.properties).join();
  };
  for (const began = performance.now(); performance.now() - began < 10_000; )
    if ((await properties()) === wanted) return;
    else await new Promise((resolve) => setTimeout(resolve, 10));
  throw new Error(`${name} takes ${await properties()}`);
}"""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of `e2e/pages/forms/`, with the demo's React."""
    folder = shutil.copytree(PAGES / "forms", tmp_path_factory.mktemp("forms") / "site")
    shutil.copytree(STOREFRONT / "vendor", folder / "vendor")
    with serving(folder) as url:
        yield url


@pytest.fixture(scope="module")
def page(browsers: Callable[[Mode], Browser], host: Host, site: str) -> Iterator[Watched]:
    context = browsers(mode_of(host)).new_context()
    watched = Watched(context.new_page())
    watched.page.goto(f"{site}?{host}")
    watched.page.wait_for_selector("html[data-ready]")
    yield watched
    context.close()
    assert watched.foreign == []
    assert watched.uncaught == []


@pytest.fixture
def agent(page: Watched, host: Host) -> Iterator[Agent]:
    """An agent in front of a page without a form, whose console stays empty."""
    agent = Agent(page.page, mode_of(host))
    page.problems.clear()
    yield agent
    agent.page.evaluate("lab.reset()")
    for name in ("contact", "order"):
        wait_for(agent, name, listed=False)
    assert page.problems == []


def hold(agent: Agent, **options: Any) -> None:
    """Put the plain form into the page, and make a tool of it."""
    agent.page.evaluate("lab.plain()")
    agent.page.evaluate("(options) => lab.hold('form', lab.form, options)", options)
    wait_for(agent, "contact", listed=True)


def call(agent: Agent, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Call from the page itself, where both kinds of browser give the same."""
    answer: dict[str, Any] = agent.page.evaluate(
        "([name, input]) => lab.call(name, input)", [name, arguments]
    )
    return answer


def events(agent: Agent) -> list[Any]:
    found: list[Any] = agent.page.evaluate("lab.events")
    return found


def test_the_schema_is_made_of_what_a_person_can_fill_in_and_tells_no_secret(agent: Agent) -> None:
    hold(agent, title="Contact", annotations={"consequentialHint": True})
    (tool,) = [each for each in agent.tools() if each["name"] == "contact"]
    assert (tool["title"], tool["description"]) == ("Contact", "Write to the shop.")
    properties = tool["inputSchema"]["properties"]
    assert list(properties) == list(ALL)
    assert tool["inputSchema"]["required"] == ["name"]
    said = {name: each.get("description") for name, each in properties.items()}
    assert said == {
        "name": "Your name",
        "guests": "Guests",
        "code": "Code",
        "mail": "Mail",
        "size": "Size",
        "colour": "Colour",
        "extras": "Extras",
        "days": None,
        "news": "News",
        "text": "What you want to say",
    }
    assert properties["guests"]["maximum"] == 8
    assert properties["code"]["pattern"] == "[A-Z]{3}"


def test_a_call_fills_the_form_and_leaves_it_to_the_person(agent: Agent) -> None:
    hold(agent)
    agent.page.evaluate("document.activeElement.blur()")
    answer = agent.call("contact", ALL)
    assert answer["structuredContent"]["submitted"] is False
    assert events(agent).count(["submit", {}]) == 0
    assert {name for _, name in events(agent)} == set(ALL)
    assert agent.page.evaluate("document.activeElement === document.body")
    agent.page.click("button")
    assert events(agent)[-1][1] == {
        **{name: str(ALL[name]) for name in ("name", "guests", "code", "mail", "size", "colour")},
        "extras": "card",
        "days": "We",
        "news": "on",
        "text": "One\nTwo",
        "token": "t",
        "fixed": "f",
    }


def test_a_call_submits_the_form_where_that_is_asked_for(agent: Agent) -> None:
    hold(agent, submit="agent")
    answer = agent.call("contact", {"name": "Ada"})
    assert answer["structuredContent"]["submitted"] is True
    assert [name for name, _ in events(agent)] == ["input", "change", "submit"]


REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({"name": "Ada", "nmae": 1}, "nmae", "no argument of this name"),
    ({"name": "Ada", "token": "x"}, "token", "no argument of this name"),
    ({"name": "Ada", "password": "x"}, "password", "no argument of this name"),
    ({"name": "Ada", "__proto__": "x"}, "__proto__", "no argument of this name"),
    ({"guests": 2}, "name", "text (at most 20 characters), it is required"),
    ({"name": ""}, "name", "text (at most 20 characters), it is required"),
    ({"name": "A" * 21}, "name", "text (at most 20 characters)"),
    ({"name": {"first": "Ada"}}, "name", "text (at most 20 characters)"),
    ({"name": "Ada", "guests": 9}, "guests", "a whole number (at least 1, at most 8)"),
    ({"name": "Ada", "guests": 1.5}, "guests", "a whole number (at least 1, at most 8)"),
    ({"name": "Ada", "guests": "many"}, "guests", "a whole number (at least 1, at most 8)"),
    ({"name": "Ada", "code": "abc"}, "code", "text (matching [A-Z]{3})"),
    ({"name": "Ada", "size": "XL"}, "size", 'one of "S", "M"'),
    ({"name": "Ada", "size": ""}, "size", 'one of "S", "M"'),
    ({"name": "Ada\nL"}, "name", "text (at most 20 characters) of one line"),
    ({"name": "Ada", "colour": "green"}, "colour", 'one of "red", "blue"'),
    ({"name": "Ada", "extras": "gift"}, "extras", 'a list, each once, of "gift", "card"'),
    ({"name": "Ada", "days": ["Mo", "Mo"]}, "days", 'a list, each once, of "Mo", "Tu", "We"'),
    ({"name": "Ada", "news": "perhaps"}, "news", "true or false"),
    ({"name": "Ada", "text": None}, "text", "text"),
]


def test_what_a_control_cannot_take_is_refused_and_nothing_is_filled_in(agent: Agent) -> None:
    hold(agent, submit="agent")
    for arguments, path, expected in REFUSED:
        given = json.dumps(arguments)
        error = error_of(agent.page.evaluate("(text) => webtools.call('contact', JSON.parse(text))", given))
        said = (error["code"], error["effect"], error["retryable"])
        assert (given, said) == (given, ("INVALID_TOOL_ARGS", "none", True))
        (problem,) = error["details"]["problems"]
        assert (given, problem["path"], problem["expected"]) == (given, path, expected)
        assert f"{path}: expected {expected}; got {problem['got']}" in error["message"]
        assert (given, events(agent)) == (given, [])


def test_an_address_is_judged_by_the_browser_before_it_is_filled_in(agent: Agent) -> None:
    hold(agent)
    error = error_of(agent.call("contact", {"name": "Ada", "mail": "ada"}))
    (problem,) = error["details"]["problems"]
    assert problem["path"] == "mail"
    assert "@" in problem["expected"]
    assert events(agent) == []


def test_a_form_that_the_page_finds_not_valid_is_not_submitted(agent: Agent) -> None:
    hold(agent, submit="agent")
    agent.page.evaluate("lab.form.elements.name.setCustomValidity('Say your whole name.')")
    error = error_of(agent.call("contact", {"name": "Ada"}))
    assert (error["code"], error["retryable"]) == ("FORM_REFUSED", True)
    assert "name: Say your whole name." in error["message"]
    assert [name for name, _ in events(agent)] == ["input", "change"]


def test_a_controlled_form_of_reacts_has_what_was_filled_in_as_its_state(agent: Agent) -> None:
    agent.page.evaluate("lab.show(lab.Controlled, {submit: 'agent'})")
    wait_for(agent, "contact", listed=True)
    values = {"name": "Ada", "size": "M", "colour": "blue", "news": True, "text": "Hello"}
    assert agent.call("contact", values)["structuredContent"]["submitted"] is True
    assert events(agent) == [["submit", values]]
    agent.call("contact", {"news": False, "colour": "red"})
    assert events(agent)[-1] == ["submit", {**values, "news": False, "colour": "red"}]


def test_a_form_whose_button_is_disabled_is_not_submitted(agent: Agent) -> None:
    hold(agent, submit="agent")
    agent.page.evaluate("lab.form.querySelector('button').disabled = true")
    error = error_of(agent.call("contact", {"name": "Ada"}))
    assert (error["code"], error["effect"]) == ("FORM_REFUSED", "unknown")
    assert "Its button is disabled" in error["message"]
    assert [name for name, _ in events(agent)] == ["input", "change"]


def test_a_controlled_input_that_refuses_is_an_error_and_nothing_is_submitted(agent: Agent) -> None:
    agent.page.evaluate("lab.show(lab.Controlled, {submit: 'agent', accepts: (value) => value.slice(0, 2)})")
    wait_for(agent, "contact", listed=True)
    error = error_of(agent.call("contact", {"name": "Ada"}))
    assert error["code"] == "FORM_REFUSED"
    assert error["details"]["problems"] == [{"path": "name", "expected": '"Ada"', "got": 'text "Ad"'}]
    assert events(agent) == []


def test_form_answer_answers_what_a_form_tool_submitted(agent: Agent) -> None:
    agent.page.evaluate("lab.show(lab.Controlled, {submit: 'agent'})")
    wait_for(agent, "contact", listed=True)
    agent.page.evaluate(
        "() => { lab.onReactSubmit = (event, {name}) => {"
        " void lab.formAnswer(event, async () => ({sent: name})); }; }"
    )
    assert agent.call("contact", {"name": "Ada"})["structuredContent"] == {"sent": "Ada"}
    failing = "Promise.reject(Object.assign(new Error('The box is full.'), {code: 'FULL', retryable: true}))"
    agent.page.evaluate(f"() => {{ lab.onReactSubmit = (event) => void lab.formAnswer(event, {failing}); }}")
    error = error_of(agent.call("contact", {"name": "Bob"}))
    assert (error["code"], error["message"], error["retryable"]) == ("FULL", "The box is full.", True)
    agent.page.evaluate("() => { delete lab.onReactSubmit; }")


def test_two_calls_at_once_fill_the_form_one_after_the_other(agent: Agent) -> None:
    hold(agent, submit="agent")
    agent.page.evaluate(
        """() => {
          const both = [{name: "Ada", text: "A"}, {name: "Bob", text: "B"}];
          return Promise.all(both.map((each) => lab.call("contact", each)));
        }"""
    )
    sent = [said for name, said in events(agent) if name == "submit"]
    assert sorted((said["name"], said["text"]) for said in sent) == [("Ada", "A"), ("Bob", "B")]


def test_a_form_that_changes_is_another_tool_and_its_call_is_answered(agent: Agent) -> None:
    hold(agent, submit="agent")
    agent.page.evaluate(
        """() => { lab.onSubmit = (event) => {
          lab.form.innerHTML = "<input name=phone><button>Send</button>";
          void lab.formAnswer(event, "thanks");
        }; }"""
    )
    assert text_of(agent.call("contact", {"name": "Ada"})) == "thanks"
    agent.page.evaluate(UNTIL_PROPERTIES, ["contact", "phone"])
    assert text_of(agent.call("contact", {"phone": "1"})) == "thanks"


def test_a_password_that_the_page_shows_as_a_text_stays_the_persons(agent: Agent) -> None:
    agent.page.evaluate("""() => lab.plain(`<form><input name=who><input name=pin type=password></form>`)""")
    agent.page.evaluate("lab.hold('form', lab.form)")
    wait_for(agent, "contact", listed=True)
    agent.page.evaluate("""() => {
      lab.form.elements.pin.type = "text";
      lab.form.elements.who.name = "whom";
    }""")
    agent.page.evaluate(UNTIL_PROPERTIES, ["contact", "whom"])


def test_a_colour_is_what_the_schema_says_and_no_other_word_of_css(agent: Agent) -> None:
    agent.page.evaluate("lab.plain(`<form><input name=tint type=color></form>`)")
    agent.page.evaluate("lab.hold('form', lab.form)")
    wait_for(agent, "contact", listed=True)
    error = error_of(agent.page.evaluate("lab.call('contact', {tint: '#F00'})"))
    assert error["details"]["problems"][0]["expected"] == "text (matching ^#[0-9a-zA-Z]{6}$)"
    assert call(agent, "contact", {"tint": "#FF0000"})["structuredContent"]["submitted"] is False
    assert agent.page.evaluate("lab.form.elements.tint.value") == "#ff0000"


def test_a_new_label_is_a_new_description(agent: Agent) -> None:
    hold(agent)
    agent.page.evaluate("lab.form.querySelector('label').firstChild.data = 'Whoever you are '")
    script = """async () => {
      const [tool] = await document.modelContext.getTools();
      return tool?.inputSchema.properties.name?.description;
    }"""
    for _ in range(200):
        if agent.page.evaluate(script) == "Whoever you are":
            return
    raise AssertionError(agent.page.evaluate(script))


def test_the_tool_goes_and_comes_with_the_form_and_calls_are_answered(agent: Agent) -> None:
    hold(agent, submit="agent")
    agent.page.evaluate(
        "() => { lab.onSubmit = (event) => { lab.form.remove(); void lab.formAnswer(event, 'thanks'); }; }"
    )
    assert text_of(agent.call("contact", {"name": "Ada"})) == "thanks"
    assert agent.page.evaluate("lab.holds.form.status") in ("leaving", "unknown")
    wait_for(agent, "contact", listed=False)
    agent.page.evaluate("document.querySelector('main').append(lab.form)")
    wait_for(agent, "contact", listed=True)


def test_a_form_that_goes_while_it_is_filled_is_an_error(agent: Agent) -> None:
    hold(agent, submit="agent")
    agent.page.evaluate("() => { lab.form.oninput = () => lab.form.remove(); }")
    error = error_of(agent.call("contact", {"name": "Ada", "text": "Hello"}))
    assert (error["code"], error["effect"]) == ("RESOURCE_DISPOSED", "unknown")
    assert events(agent) == [["input", "name"], ["change", "name"]]


def test_a_tool_that_is_released_while_it_fills_the_form_is_answered(agent: Agent) -> None:
    hold(agent, submit="agent")
    agent.page.evaluate("() => { lab.form.oninput = () => lab.holds.form.release(); }")
    answer = agent.call("contact", {"name": "Ada", "text": "Hello"})
    assert answer["structuredContent"]["submitted"] is True
    assert [name for name, _ in events(agent)].count("submit") == 1


def test_a_caller_who_gives_up_ends_the_filling(agent: Agent) -> None:
    hold(agent, submit="agent")
    script = """() => {
      const giveUp = new AbortController();
      lab.form.oninput = () => giveUp.abort();
      return webtools.call("contact", {name: "Ada", text: "Hello"}, {signal: giveUp.signal});
    }"""
    assert error_of(agent.page.evaluate(script))["code"] == "CANCELLED"
    agent.page.evaluate("() => { lab.form.oninput = null; }")
    assert agent.call("contact", {"name": "Bob"})["structuredContent"]["submitted"] is True
    assert [name for name, _ in events(agent)] == ["input", "change", "input", "change", "submit"]


def test_a_control_that_goes_while_the_form_is_filled_is_an_error(agent: Agent) -> None:
    hold(agent, submit="agent")
    agent.page.evaluate("() => { lab.form.elements.name.oninput = () => lab.form.elements.text.remove(); }")
    error = error_of(agent.call("contact", {"name": "Ada", "text": "Hello"}))
    assert error["code"] == "FORM_REFUSED"
    assert '"text"' in error["message"]


def test_a_selector_finds_a_form_whenever_one_fits(agent: Agent) -> None:
    agent.page.evaluate("lab.hold('any', '#contact', {submit: 'agent'})")
    assert agent.page.evaluate("lab.holds.any.status") == "unknown"
    for _ in range(2):
        agent.page.evaluate("lab.plain()")
        wait_for(agent, "contact", listed=True)
        assert agent.call("contact", {"name": "Ada"})["structuredContent"]["submitted"] is True
        agent.page.evaluate("lab.form.remove()")
        wait_for(agent, "contact", listed=False)
    agent.page.evaluate("() => { lab.plain(); lab.holds.any.release(); lab.holds.any.release(); }")
    wait_for(agent, "contact", listed=False)


def test_a_form_in_a_shadow_tree_is_a_tool(agent: Agent) -> None:
    agent.page.evaluate(
        """() => {
          const host = document.querySelector("main").appendChild(document.createElement("div"));
          host.attachShadow({mode: "open"}).innerHTML = "<form><input name=a><button></button></form>";
          lab.form = host.shadowRoot.firstChild;
          lab.form.onsubmit = (event) => void lab.formAnswer(event, lab.form.elements.a.value);
          lab.hold("form", lab.form, {submit: "agent"});
        }"""
    )
    wait_for(agent, "contact", listed=True)
    assert text_of(agent.call("contact", {"a": "x"})) == "x"
    agent.page.evaluate("lab.form.append(Object.assign(document.createElement('input'), {name: 'b'}))")
    agent.page.evaluate(UNTIL_PROPERTIES, ["contact", "a,b"])


def test_a_form_goes_with_what_its_shadow_tree_is_in(agent: Agent) -> None:
    agent.page.evaluate(
        """() => {
          window.host = document.createElement("div");
          host.attachShadow({mode: "open"}).innerHTML = "<form><input name=localName></form>";
          lab.hold("form", host.shadowRoot.firstChild);
          document.querySelector("main").append(host);
        }"""
    )
    for _ in range(2):
        wait_for(agent, "contact", listed=True)
        agent.page.evaluate("host.remove()")
        wait_for(agent, "contact", listed=False)
        agent.page.evaluate("document.querySelector('main').append(host)")


def test_what_a_person_cannot_choose_is_no_choice(agent: Agent) -> None:
    agent.page.evaluate("() => { lab.plain(); lab.form.elements.size.options[1].disabled = true; }")
    agent.page.evaluate("lab.hold('form', lab.form)")
    wait_for(agent, "contact", listed=True)
    error = error_of(agent.page.evaluate("webtools.call('contact', {name: 'Ada', size: 'M'})"))
    assert error["details"]["problems"] == [{"path": "size", "expected": 'one of "S"', "got": 'text "M"'}]


@pytest.fixture
def leaving(browsers: Callable[[Mode], Browser], host: Host, site: str) -> Iterator[Agent]:
    """An agent in front of a form that leaves the page; how often the page has heard of it is kept."""
    context = browsers(mode_of(host)).new_context()
    page = context.new_page()
    page.goto(f"{site}?{host}")
    page.wait_for_selector("html[data-ready]")
    page.evaluate(
        """() => {
          document.querySelector("main").innerHTML =
            "<form action=/after.html><input name=a><button name=b value=c>Go</button></form>";
          lab.form = document.querySelector("form");
          sessionStorage.heard = "";
          lab.form.addEventListener("submit", () => { sessionStorage.heard += "once "; });
          lab.hold("form", lab.form, {submit: "agent"});
        }"""
    )
    agent = Agent(page, mode_of(host))
    wait_for(agent, "contact", listed=True)
    yield agent
    context.close()


def test_a_submission_that_leaves_the_page_is_made_when_the_answer_is_out(leaving: Agent) -> None:
    page = leaving.page
    with page.expect_navigation(url="**/after.html?a=x&b=c"):
        answer = leaving.call("contact", {"a": "x"})
        assert answer["structuredContent"]["submitted"] is True
        assert "leaves the page" in answer["structuredContent"]["message"]
    assert page.evaluate("sessionStorage.heard") == "once "


def test_a_call_that_comes_as_the_page_is_being_left_does_not_say_that_it_was_submitted(
    leaving: Agent,
) -> None:
    page = leaving.page
    with page.expect_navigation(url="**/after.html?a=1&b=c"):
        page.evaluate(
            """() => {
              sessionStorage.second = "none";
              webtools.call("contact", {a: "1"})
                .then(() => webtools.call("contact", {a: "2"}))
                .then((answer) => { sessionStorage.second = JSON.stringify(answer); });
            }"""
        )
    assert "submitted" not in page.evaluate("sessionStorage.second")


@pytest.mark.parametrize("kind", ["a declared form", "a form that a component declares"])
def test_a_form_that_is_a_tool_may_go_when_form_answer_says_so(agent: Agent, kind: str) -> None:
    agent.page.evaluate(
        "() => lab.show(lab.Declared, {order: lab.ordered})"
        if kind == "a form that a component declares"
        else """() => {
          const attributes = "toolname=order tooldescription=Order. toolautosubmit";
          lab.plain(`<form ${attributes}><input name=what><button>Order</button></form>`);
          lab.onSubmit = (event) => {
            const {form} = lab;
            form.hidden = true;
            lab.answered = lab.formAnswer(event, lab.ordered(form));
            const sent = Object.assign(document.createElement("p"), {id: "sent"});
            lab.answered.then(() => form.replaceWith(sent));
          };
        }"""
    )
    wait_for(agent, "order", listed=True)
    assert call(agent, "order", {"what": "tea"})["structuredContent"] == {"ordered": "tea"}
    agent.page.wait_for_selector("#sent", state="attached")
    settled = agent.page.evaluate("lab.answered")
    assert settled["structuredContent"] == {"ordered": "tea"}


def test_an_agent_of_the_browser_gets_the_answer_of_a_form(agent: Agent) -> None:
    agent.page.evaluate("lab.show(lab.Declared, {order: async () => 'ordered'})")
    wait_for(agent, "order", listed=True)
    assert text_of(agent.call("order", {"what": "tea"})) == "ordered"


def test_what_goes_wrong_in_a_forms_answer_is_a_clear_error(agent: Agent, page: Watched) -> None:
    agent.page.evaluate(
        """() => {
          const order = () => { throw Object.assign(new Error("Sold out."), {code: "SOLD"}); };
          lab.show(lab.Declared, {order});
        }"""
    )
    wait_for(agent, "order", listed=True)
    error = error_of(call(agent, "order", {"what": "tea"}))
    assert (error["code"], error["message"]) == ("SOLD", "Sold out.")
    agent.page.evaluate("() => lab.show(lab.Declared, {order: async () => lab.nothing.there})")
    wait_for(agent, "order", listed=True)
    error = error_of(call(agent, "order", {"what": "tea"}))
    assert error["code"] == "TOOL_HANDLER_ERROR"
    assert "nothing" not in error["message"]
    assert ["order threw" in said for said in page.problems] == [True]
    page.problems.clear()


def test_a_persons_own_submission_is_answered_to_the_page_at_once(agent: Agent) -> None:
    agent.page.evaluate("() => lab.show(lab.Declared, {order: async (form) => `one ${form.what.value}`})")
    agent.page.fill("input", "tea")
    agent.page.click("button")
    agent.page.wait_for_selector("#sent")
    assert text_of(agent.page.evaluate("lab.answered")) == "one tea"


def test_a_form_that_goes_too_early_is_told_to_the_developer(agent: Agent, page: Watched) -> None:
    order = "() => new Promise((resolve) => setTimeout(resolve, 100, 'ordered'))"
    agent.page.evaluate(f"() => lab.show(lab.Declared, {{waits: false, order: {order}}})")
    wait_for(agent, "order", listed=True)
    call(agent, "order", {"what": "tea"})
    agent.page.evaluate("lab.answered")
    assert ["form order has left the document" in said for said in page.problems] == [True]
    page.problems.clear()


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("lab.formTool('#a')", "its name is missing"),
        ("lab.formTool('#a', {name: 'a'})", "webtools.formTool(a): its description is missing"),
        ("lab.formTool('#a', {name: 'a', description: 'd', sumbit: 1})", "there is no option sumbit"),
        ("lab.formTool('#a', {name: 'a', description: 'd', submit: 'both'})", '"person" or "agent"'),
        ("lab.formTool('#a', {name: 'a', description: 'd', owner: 'me'})", "owner must be an object"),
        ("lab.formTool('#a', {name: 'a', description: 'd', inputSchema: {}})", "no option inputSchema"),
        ("lab.formTool('#', {name: 'a', description: 'd'})", '"#" is no selector'),
        ("lab.formTool(document.body, {name: 'a', description: 'd'})", "give a form, or a selector"),
        ("lab.formTool(null, {name: 'a', description: 'd'})", "give a form, or a selector"),
        ("lab.formAnswer()", "give the submit event"),
        ("lab.formAnswer(new Event('click'))", "give the submit event"),
        ("lab.formAnswer(new Event('submit'))", "the event is over"),
    ],
)
def test_what_means_nothing_is_refused_with_the_cure(agent: Agent, script: str, said: str) -> None:
    refused = agent.page.evaluate(f"() => {{ try {{ {script} }} catch (error) {{ return `${{error}}`; }} }}")
    assert refused.startswith("TypeError: webtools.")
    assert said in refused


def test_a_selector_of_no_form_is_told_once(agent: Agent, page: Watched) -> None:
    agent.page.evaluate("document.querySelector('main').innerHTML = '<div class=box><input></div>'")
    agent.page.evaluate("lab.hold('box', '.box')")
    agent.page.wait_for_function(
        "() => performance.getEntriesByName(location.origin + '/webtools/form-following.js').length"
    )
    for _ in range(2):
        agent.page.evaluate("document.querySelector('.box').append(document.createElement('input'))")
    assert [".box is a <div>, no form" in said for said in page.problems] == [True]
    page.problems.clear()


def test_an_app_of_pythons_makes_a_tool_of_a_form_whenever_there_is_one(
    watched: Watched, mode: Mode, site: str
) -> None:
    watched.page.goto(f"{site}?{mode}")
    watched.page.wait_for_selector("html[data-ready]")
    agent = Agent(watched.page, mode)
    watched.page.evaluate("webtools.start({app: '/app.py'})")
    assert agent.names() == []
    for _ in range(2):
        watched.page.evaluate("lab.plain()")
        wait_for(agent, "contact", listed=True)
        assert agent.call("contact", {"name": "Ada"})["structuredContent"]["submitted"] is True
        watched.page.evaluate("lab.reset()")
        wait_for(agent, "contact", listed=False)
    assert watched.problems == []


def test_nothing_of_forms_is_loaded_for_a_page_without_them(watched: Watched, pages: str) -> None:
    watched.page.goto(f"{pages}define.html")
    watched.page.wait_for_selector("html[data-ready]")
    loaded = watched.page.evaluate("performance.getEntriesByType('resource').map(({name}) => name)")
    names = {name.rpartition("/")[2] for name in loaded if "/form" in name}
    assert names <= {"form-tools.js", "form-answer.js", "form-failure.js"}
