import { expose } from "/webtools/webtools.js";

const list = document.querySelector("ul");
const form = document.querySelector("form");

function all() {
  return Array.from(list.children, (item) => item.textContent);
}

function add(text) {
  const item = document.createElement("li");
  item.textContent = text;
  list.append(item);
  return all();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  add(new FormData(form).get("text"));
  form.reset();
});

// What tasks.py may use of this page.
expose("tasks", { all, add });
