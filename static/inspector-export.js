/** The log, to take away: as a file, or by the clipboard. And what it costs to keep. */
import { element } from "./markup.js";
import { exported } from "./inspector-file.js";
import { MAX_CALLS, MAX_ENTRIES } from "./inspector-log.js";
import { write } from "./inspector-rows.js";
import { describe } from "./wire.js";

/** @typedef {import("./inspector-panel.js").Source} Source */
/** @typedef {import("./inspector-panel.js").View} View */

/** @implements {View} */
export class ExportView {
  name = "Export";
  #source;
  #cost = element("p");
  #said = element("p", { class: "said", role: "status" });
  #download = element("button", { type: "button", class: "main" }, "Download");
  #copy = element("button", { type: "button" }, "Copy");
  element = element("div", { class: "export" }, [
    element(
      "p",
      {},
      "All that is kept, as one JSON file: the tools, their events, and the calls with their arguments and answers. " +
        "Look through it before you give it to anybody.",
    ),
    element("div", { class: "buttons" }, [this.#download, this.#copy]),
    this.#said,
    this.#cost,
  ]);

  /** @param {Source} source */
  constructor(source) {
    this.#source = source;
    this.#download.addEventListener("click", () => this.#save());
    this.#copy.addEventListener("click", () => this.#write());
  }

  update() {
    const { entries, calls, costMs } = this.#source.log;
    const counts = `${entries.length} of ${MAX_ENTRIES} events and ${calls.size} of ${MAX_CALLS} calls`;
    write(this.#cost, `Kept: ${counts}. Keeping them has cost ${costMs.toFixed(1)} ms so far.`);
  }

  isMoving() {
    return false;
  }

  #text() {
    return JSON.stringify(exported(this.#source.log, this.#source.host), null, 1);
  }

  #save() {
    const url = URL.createObjectURL(new Blob([this.#text()], { type: "application/json" }));
    const date = new Date().toISOString().replaceAll(":", "-").slice(0, 19);
    const link = /** @type {HTMLAnchorElement} */ (
      element("a", { href: url, download: `webtools-${date}.json` })
    );
    link.click();
    setTimeout(() => URL.revokeObjectURL(url)); // the browser has begun by then
    write(this.#said, `Saved as ${link.download}.`);
  }

  async #write() {
    try {
      await navigator.clipboard.writeText(this.#text());
      write(this.#said, "Copied.");
    } catch (error) {
      write(
        this.#said,
        `The browser does not let the page copy (${describe(error)}). Download it.`,
      );
    }
  }
}
