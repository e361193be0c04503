// Forms that tools are made of, plain ones and React's, and one that is a tool itself. The tests say which are there.
import { apply } from "/webtools/polyfill.js";
import {
  createElement as h,
  createRoot,
  flushSync,
  useRef,
  useState,
  useEffect,
} from "/vendor/react.js";

const query = new URLSearchParams(location.search);
// ?cancelling: behave as Chromium up to 152, which loses the calls of a tool that goes.
const cancelling = { force: true, cancelsCalls: "onUnregister", postbackMs: 50 };
if (query.has("cancelling")) apply(document, { ...cancelling, forms: "watch" });
if (query.has("polyfill")) apply(document, { forms: "watch" });
const { webtools, formAnswer, formTool } = await import("/webtools/webtools.js");

const main = document.querySelector("main");

const PLAIN = `<form id="contact">
  <label>Your name <input name="name" required maxlength="20" /></label>
  <label>Guests <input name="guests" type="number" min="1" max="8" /></label>
  <label>Code <input name="code" pattern="[A-Z]{3}" /></label>
  <label>Mail <input name="mail" type="email" /></label>
  <select name="size" aria-label="Size"><option>S</option><option>M</option></select>
  <fieldset>
    <legend>Colour</legend>
    <label><input type="radio" name="colour" value="red" /> Red</label>
    <label><input type="radio" name="colour" value="blue" /> Blue</label>
  </fieldset>
  <fieldset>
    <legend>Extras</legend>
    <label><input type="checkbox" name="extras" value="gift" /> Gift</label>
    <label><input type="checkbox" name="extras" value="card" /> Card</label>
  </fieldset>
  <select name="days" multiple><option>Mo</option><option>Tu</option><option>We</option></select>
  <label><input type="checkbox" name="news" /> News</label>
  <textarea name="text" placeholder="What you want to say"></textarea>
  <input name="password" type="password" />
  <input name="token" type="hidden" value="t" toolparamdescription="never" />
  <input name="file" type="file" />
  <input name="off" disabled />
  <input name="fixed" readonly value="f" />
  <input name="card" autocomplete="section-a billing cc-number" />
  <input name="pin" autocomplete="one-time-code" />
  <button name="button" value="send">Send</button>
</form>`;

/** What a form is submitted with, without what is empty. */
const said = (form) =>
  Object.fromEntries(
    [...new FormData(form)].filter(([, value]) => typeof value === "string" && value),
  );

let root;

const lab = {
  /** What the page has been told of, in its order. */
  events: [],
  holds: {},

  /** Put a plain form into the page; what it is submitted with is an event. */
  plain(html = PLAIN) {
    main.innerHTML = html;
    const form = main.querySelector("form");
    for (const type of ["input", "change"]) {
      form.addEventListener(type, ({ target }) => lab.events.push([type, target.name]));
    }
    form.addEventListener("submit", (event) => {
      lab.events.push(["submit", said(form)]);
      lab.onSubmit(event);
    });
    lab.form = form;
  },
  onSubmit: (event) => event.preventDefault(),

  hold(key, form, options) {
    const name = { name: "contact", description: "Write to the shop." };
    lab.holds[key] = formTool(form, { ...name, ...options });
  },

  /** Show a component, effects included. */
  show(component, props = {}) {
    main.replaceChildren(document.createElement("div"));
    root = createRoot(main.firstChild);
    lab.again(component, props);
  },
  again: (component, props = {}) => flushSync(() => root.render(h(component, props))),

  reset() {
    for (const key of Object.keys(lab.holds)) lab.holds[key].release();
    root?.unmount();
    root = undefined;
    main.replaceChildren();
    lab.holds = {};
    lab.events = [];
    lab.onSubmit = (event) => event.preventDefault();
  },

  /** Takes its time to answer what a form has. */
  ordered: (form) =>
    new Promise((resolve) => setTimeout(resolve, 50, { ordered: form.elements.what.value })),

  /** Call as an agent does; the promise never rejects. */
  async call(name, input) {
    const tool = (await document.modelContext.getTools()).find((each) => each.name === name);
    const text = await document.modelContext.executeTool(tool, input).catch((error) => {
      return JSON.stringify({ lost: `${error.name}: ${error.message}` });
    });
    return JSON.parse(text);
  },
};

/** A form whose controls show the state, and nothing else. */
function Controlled({ submit, accepts = (value) => value }) {
  const form = useRef(null);
  const [values, setValues] = useState({ name: "", size: "S", colour: "", news: false, text: "" });
  useEffect(() => {
    const hold = formTool(form.current, { name: "contact", description: "Write.", submit });
    return () => hold.release();
  }, [submit]);
  const set = (name, value) => setValues((before) => ({ ...before, [name]: value }));
  const text = (name) => ({
    name,
    value: values[name],
    onChange: (event) => set(name, accepts(event.target.value)),
  });
  const radio = (value) => ({
    type: "radio",
    name: "colour",
    value,
    checked: values.colour === value,
    onChange: () => set("colour", value),
  });
  const onSubmit = (event) => {
    event.preventDefault();
    lab.events.push(["submit", values]);
    lab.onReactSubmit?.(event, values);
  };
  return h(
    "form",
    { ref: form, onSubmit },
    h("input", text("name")),
    h("select", text("size"), h("option", null, "S"), h("option", null, "M")),
    h("input", radio("red")),
    h("input", radio("blue")),
    h("input", {
      type: "checkbox",
      name: "news",
      checked: values.news,
      onChange: (event) => set("news", event.target.checked),
    }),
    h("textarea", text("text")),
    h("button", null, "Send"),
    h("output", null, JSON.stringify(values)),
  );
}

/** A form that is a tool itself, and goes when it has been answered. */
function Declared({ order, waits = true }) {
  const [isSent, setIsSent] = useState(false);
  const onSubmit = (event) => {
    const answered = formAnswer(event, () => order(event.target));
    if (waits) void answered.then(() => setIsSent(true));
    else setTimeout(() => setIsSent(true));
    lab.answered = answered;
  };
  if (isSent) return h("p", { id: "sent" }, "Thank you.");
  return h(
    "form",
    { id: "order", toolname: "order", tooldescription: "Order.", toolautosubmit: "", onSubmit },
    h("input", { name: "what" }),
    h("button", null, "Order"),
  );
}

Object.assign(lab, { Controlled, Declared, formAnswer, formTool });
window.lab = lab;
document.documentElement.dataset.ready = "yes";
