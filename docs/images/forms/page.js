import { formTool, webtools } from "/webtools/webtools.js";

formTool("#booking", {
  name: "fill_booking",
  description: "Fill in the form that books a table.",
});

document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());

/** Call, and put the call and its answer beside the form. */
window.show = async (title, input) => {
  const answer = await webtools.call("fill_booking", input);
  const article = document.createElement("article");
  article.className = answer.isError ? "refused" : "done";
  const heading = Object.assign(document.createElement("h2"), { textContent: title });
  const text = answer.isError ? answer.content[0].text : answer.structuredContent.message;
  const lines = [`fill_booking(${JSON.stringify(input, null, 2)})`, text];
  const parts = lines.map((line) =>
    Object.assign(document.createElement("pre"), { textContent: line }),
  );
  article.append(heading, ...parts);
  document.querySelector("section").append(article);
};
