// Keeps every event that the page is told.
import { webtools } from "/webtools/webtools.js";

window.told = [];
for (const type of ["status", "toolstate", "callstart", "callprogress", "callend", "teardown"]) {
  webtools.addEventListener(type, ({ detail }) => window.told.push([type, detail]));
}
