// The dialog that all sheets are.

import { button, make } from "./icons.js";
import { isCancelled, makeJob } from "./jobs.js";
import { tell } from "./messages.js";
import { faultLine, text } from "./texts.js";

/** A dialog with a title, contents and buttons. It removes itself. Closing it cancels the work that it waits for. */
export function sheet(title, { isWide = false } = {}) {
  const note = make("p", { class: "note", role: "status" });
  const body = make("div", { class: "body" });
  const footer = make("footer", {}, note);
  const dialog = make("dialog", { class: isWide ? "sheet wide" : "sheet", "aria-label": title },
    make("header", {}, make("h2", {}, title), button("close", text("close"), () => dialog.close())), body, footer);
  let working;
  dialog.addEventListener("close", () => {
    working?.cancel();
    dialog.remove();
  });
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    dialog.close();
  });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
  const closing = (key, values) => button(undefined, text(key), () => dialog.close(), { isShown: true, ...values });
  return {
    dialog, body, footer, note,
    /** Offers to cancel, and these buttons. */
    ask(...buttons) { footer.append(closing("cancel"), ...buttons); },
    /** Adds the button `done`. */
    end() { footer.append(closing("done", { class: "primary" })); },
    say(line, isWrong = false) {
      note.textContent = line;
      note.classList.toggle("wrong", isWrong);
    },
    /** Does work that shows how far it is. `action` gets the name of the job. */
    async work(line, action) {
      const bar = make("progress", { "aria-label": text("progress"), max: 1 });
      const job = makeJob((fraction) => { bar.value = fraction; });
      this.say(line);
      body.append(bar);
      working = job;
      try {
        return await this.attempt(() => action(job.name));
      } finally {
        working = undefined;
        job.end();
        bar.remove();
      }
    },
    async attempt(action) {
      try {
        return await action();
      } catch (error) {
        if (isCancelled(error)) {
          tell(text("nothingWritten"));
          return undefined;
        }
        this.say(faultLine(error), true);
        return undefined;
      }
    },
  };
}

export function field(label, input) { return make("label", { class: "field" }, label, input); }
