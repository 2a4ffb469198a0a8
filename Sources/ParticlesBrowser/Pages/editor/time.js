// The bar of time: restart (always there), pause, step, speed, scrubbing, loops, the seed, and the numbers of particles.

import { button, icon, make } from "../icons.js";
import { language, text } from "../texts.js";
import { tool } from "./control-parts.js";

const speeds = [0.1, 0.25, 0.5, 1, 2, 4];

export class EffectTime extends HTMLElement {
  /** @param {import("./stage.js").EffectStage} stage */
  constructor(stage, session) {
    super();
    Object.assign(this, { stage, session });
    this.className = "effect-time";
    this.setAttribute("role", "toolbar");
    this.setAttribute("aria-label", text("editTime"));
  }

  connectedCallback() {
    if (this.playButton) return;
    const { stage, session } = this;
    this.restartButton = button("restart", text("restart"), () => stage.restart(), { "data-command": "restart" });
    this.playButton = button("pause", text("pause"), () => this.toggle(), { "data-command": "play" });
    this.stepButton = button("chevron", text("editStep"), () => stage.step(), { "data-command": "step" });
    this.scrubber = make("input", { type: "range", min: 0, max: 1, step: "any", value: 0, "aria-label": text("editTime"), class: "scrubber" });
    this.clock = make("output", { class: "clock" });
    this.speed = make("select", { "aria-label": text("editSpeed"), title: text("editSpeed") }, ...speeds.map((value) => make("option", { value }, `${value}×`)));
    this.speed.value = String(session.view.speed ?? 1);
    this.loop = make("select", { "aria-label": text("editLoop"), title: text("editLoop") },
      ...["again", "seamless", "on", "once"].map((value) => make("option", { value }, text(`editLoop${value[0].toUpperCase()}${value.slice(1)}`))));
    this.loop.value = session.view.loop ?? "again";
    this.repeat = make("input", { type: "number", min: 0.1, max: 600, step: 0.1, "aria-label": text("editRepeat"), title: text("editRepeat"), class: "repeat" });
    this.seed = tool("dice", text("editSeed"), () => this.changeSeed(), { "data-command": "seed", isShown: true });
    this.numbers = make("p", { class: "numbers", role: "status", "aria-live": "off" });
    this.append(this.restartButton, this.playButton, this.stepButton, this.scrubber, this.clock, this.speed, this.loop, this.repeat, this.seed, this.numbers);
    this.speed.addEventListener("change", () => session.setView("speed", Number(this.speed.value)));
    this.loop.addEventListener("change", () => session.setView("loop", this.loop.value));
    this.repeat.addEventListener("change", () => session.setView("repeat", Number(this.repeat.value) > 0 ? Number(this.repeat.value) : undefined));
    this.scrubber.addEventListener("input", () => {
      if (stage.isPlaying) stage.pause();
      stage.seek(Number(this.scrubber.value));
    });
    stage.addEventListener("time", () => this.show());
    stage.addEventListener("state", () => this.show());
    stage.addEventListener("ready", () => this.show());
    stage.addEventListener("statistics", ({ detail }) => this.count(detail));
    stage.addEventListener("pace", ({ detail }) => {
      this.pace = detail;
      this.count(stage.count.statistics);
    });
    session.addEventListener("view", () => this.show());
    this.show();
  }

  toggle() {
    if (this.stage.isPlaying) this.stage.pause();
    else this.stage.play();
  }

  /** Another seed for the view. The document keeps its own. */
  changeSeed() {
    const { session } = this;
    session.setView("seed", session.view.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : undefined);
  }

  show() {
    const { stage, session } = this;
    const { duration } = stage;
    this.scrubber.max = duration;
    if (document.activeElement !== this.scrubber || stage.isPlaying) this.scrubber.value = stage.shownTime;
    this.scrubber.setAttribute("aria-valuetext", `${stage.shownTime.toFixed(2)} s`);
    this.clock.textContent = `${stage.shownTime.toFixed(2)} / ${duration.toFixed(2)} s`;
    if (this.repeat !== document.activeElement) this.repeat.value = session.view.repeat ?? "";
    this.repeat.placeholder = (stage.player?.duration ?? 0).toFixed(1);
    const name = stage.isPlaying ? "pause" : "play";
    if (this.playButton.dataset.shows !== name) {
      this.playButton.dataset.shows = name;
      this.playButton.replaceChildren(icon(name));
      this.playButton.setAttribute("aria-label", text(name));
      this.playButton.title = text(name);
    }
    const isOther = session.view.seed !== undefined;
    this.seed.setAttribute("aria-pressed", String(isOther));
    this.seed.lastChild.textContent = isOther ? String(session.view.seed) : text("editSeedFixed");
  }

  count(statistics) {
    if (!statistics) return;
    const { alive, emitted, overdraw = 0, milliseconds = 0 } = statistics;
    const { sprites = 0, omitted = 0 } = this.stage.count.frameRate;
    const rate = this.stage.isPlaying ? this.stage.count.frameRate.rate() : undefined;
    const number = (value) => value.toLocaleString(language);
    this.numbers.replaceChildren(...[
      ["editAlive", number(alive)], ["editEmitted", number(emitted)], ["editOverdraw", `${overdraw.toFixed(1)}×`],
      ["editCost", `${milliseconds.toFixed(1)} ms`], ...(omitted ? [["editShown", number(sprites - omitted)]] : []),
      ...(rate === undefined ? [] : [["editRate", `${number(Math.round(rate))}/s`]]),
    ].map(([key, value]) => make("span", { title: text(key) }, make("small", {}, text(key)), ` ${value}`)));
    this.numbers.title = this.pace ?? "";
    this.numbers.classList.toggle("wrong", Boolean(this.pace));
  }
}

customElements.define("effect-time", EffectTime);
