// Colours of the page, as the user sets them, and questions that are asked once.

import { parts } from "./deferred-loading.js";
import { button, make } from "./icons.js";
import { attempt } from "./messages.js";
import { order } from "./server.js";
import { text } from "./texts.js";

const element = (name) => document.getElementById(name);

/** The offered colours. The first is the page's own. */
const tints = ["", "#b91c1c", "#a16207", "#15803d", "#0e7490", "#1d4ed8", "#7e22ce", "#be185d"];

export function setStyle(style = "automatic") {
  document.documentElement.dataset.style = style;
  element("appearance").value = style === "white" ? "light" : style;
}

/** The light of a colour, from 0 to 1, as contrasts are measured (WCAG 2). */
function luminance(color) {
  const parts = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}

/** Sets the colour of controls: a name of CSS, or `#RRGGBB`. Without one, the page's own. */
export function setTint(tint) {
  const root = document.documentElement.style;
  const isHex = /^#[0-9a-f]{6}$/i.test(tint ?? "");
  for (const name of ["--tint", "--accent-ink"]) root.removeProperty(name);
  if (!tint || !CSS.supports("color", tint)) return mark("");
  root.setProperty("--tint", tint);
  // White on a light colour cannot be read.
  if (isHex && luminance(tint) > 0.3) root.setProperty("--accent-ink", "#16141b");
  return mark(tint);
}

function mark(tint) {
  for (const each of element("tints").querySelectorAll("button")) each.setAttribute("aria-checked", String(each.dataset.tint === tint));
}

/** Lets the user choose the colours. */
export function makeAppearance(app) {
  const keep = (name, value) => attempt(order("setting", { name, value }));
  element("appearance").addEventListener("change", (event) => {
    setStyle(event.target.value);
    keep("style", event.target.value);
  });
  const choose = (tint) => {
    setTint(tint || app.state.tint);
    keep("tint", tint || null);
  };
  element("tints").append(...tints.map((tint) => {
    const each = make("button", {
      type: "button", role: "radio", "data-tint": tint, "aria-label": tint || text("tintStandard"), title: tint || text("tintStandard"),
      onclick: () => choose(tint),
    });
    if (tint) each.style.setProperty("--swatch", tint);
    return each;
  }), make("input", { type: "color", value: "#c2410c", "aria-label": text("tintOwn"), title: text("tintOwn"), onchange: (event) => choose(event.target.value) }));
  setTint(app.state.settings.tint ?? app.state.tint);
}

/** Asks the open questions one by one. A question that is closed without an answer is asked again next time. */
export async function askQuestions(app) {
  const questions = app.state.isPicking ? [] : app.state.questions ?? [];
  if (!questions.length) return;
  const { sheet } = await parts();
  for (const question of questions) {
    await new Promise((done) => {
      const window = sheet(text("question"));
      window.dialog.dataset.question = question.id;
      window.dialog.addEventListener("close", done);
      window.body.append(make("p", {}, question.text));
      window.footer.append(...question.choices.map(({ value, title }) => button(undefined, title, () =>
        window.attempt(() => order("answer", { question: question.id, value })).then((answer) => answer && window.dialog.close()),
      { isShown: true, "data-value": value })));
      window.footer.querySelector("button")?.focus();
    });
  }
}
