// As the target will show it: the export of the present effect, read again and run under the law of the target, beside the effect.

import { make } from "../icons.js";
import { loadPlayer } from "../moving.js";
import { ask, load } from "../server.js";
import { faultLine, text } from "../texts.js";

/** Milliseconds of rest before the export is made, and before it is measured. */
const [restOfExport, restOfMeasure] = [250, 900];

export class EffectSplit extends HTMLElement {
  /** @param {import("./stage.js").EffectStage} stage */
  constructor(stage, session) {
    super();
    Object.assign(this, { stage, session });
    this.className = "effect-split";
    this.hidden = true;
    this.caption = make("figcaption", {}, "");
    this.lines = make("dl", { class: "aspects", "aria-live": "polite" });
    this.note = make("p", { class: "status", role: "status" });
    this.append(this.caption, this.note, this.lines);
    this.onchange = () => this.changed();
    session.addEventListener("change", this.onchange);
    stage.addEventListener("placed", () => this.follow());
    stage.addEventListener("state", () => this.follow());
    stage.addEventListener("time", () => this.keepTime());
  }

  disconnectedCallback() {
    if (this.isConnected) return;
    clearTimeout(this.exporting);
    clearTimeout(this.measuring);
    this.session.removeEventListener("change", this.onchange);
  }

  /** Shows a target, or none. */
  async show(target, title) {
    this.target = target;
    this.hidden = !target;
    this.caption.textContent = title ?? "";
    if (!target) {
      this.player?.remove();
      this.player = undefined;
      return;
    }
    await loadPlayer();
    if (!this.player) {
      this.player = document.createElement("particles-effect");
      this.player.setAttribute("loop", "");
      this.player.addEventListener("error", ({ detail }) => this.say(detail.message));
      this.caption.after(this.player);
    }
    this.changed(0);
  }

  say(line) {
    this.note.textContent = line;
    this.note.hidden = !line;
  }

  changed(rest = restOfExport) {
    if (!this.target) return;
    clearTimeout(this.exporting);
    this.exporting = setTimeout(() => this.read(), rest);
    clearTimeout(this.measuring);
    this.measuring = setTimeout(() => this.measure(), rest + restOfMeasure - restOfExport);
  }

  async read() {
    if (this.isReading) return this.changed();
    this.isReading = true;
    const { target } = this;
    try {
      const response = await load("edit-target-effect", { item: this.session.item.id, target });
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (target !== this.target || !this.player) return;
      this.say("");
      this.player.background = this.stage.player?.background ?? "auto";
      await this.player.load(bytes);
      this.repeat();
      this.follow();
      await this.player.seek(this.stage.time);
      if (this.stage.isPlaying) this.player.play();
    } catch (error) {
      this.say(faultLine(error));
    } finally {
      this.isReading = false;
    }
  }

  async measure() {
    const { target } = this;
    if (this.isMeasuring || !target) return;
    this.isMeasuring = true;
    this.lines.classList.add("stale");
    try {
      const { difference } = await ask("edit-target", { item: this.session.item.id, target, measures: true });
      if (target !== this.target) return;
      this.lines.classList.remove("stale");
      const percent = (value) => `${Math.round((1 - value) * 100)} %`;
      this.lines.replaceChildren(...(difference ? [["similarity", difference.whole],
        ...difference.aspects.map(({ name, value }) => [`aspect${name[0].toUpperCase()}${name.slice(1)}`, value])] : [])
        .flatMap(([key, value]) => [make("dt", {}, text(key)), make("dd", { class: value > 0.2 ? "high" : value > 0.05 ? "medium" : "" }, percent(value))]));
    } catch { /* The reading says why. */ }
    this.isMeasuring = false;
  }

  /** Looks where the stage looks. */
  follow() {
    const { player, stage } = this;
    if (!player?.effect || !stage.camera) return;
    player.camera = stage.camera;
    player.speed = this.session.view.speed ?? 1;
    player.updateView();
    this.repeat();
    if (stage.isPlaying === player.paused) {
      if (stage.isPlaying) player.play();
      else player.pause();
    }
    if (!stage.isPlaying) player.seek(stage.time);
  }

  /** Repeats without a seam what the stage does. */
  repeat() {
    const round = this.stage.player?.round ?? 0;
    if (this.player.round !== round) this.player.repeatSeamlessly(round);
  }

  /** Both show one moment. */
  keepTime() {
    const { player, stage } = this;
    if (!player?.effect || player.seeking) return;
    this.repeat();
    const late = stage.time - player.currentTime;
    if (Math.abs(late) > 0.25) player.seek(stage.time);
  }
}

customElements.define("effect-split", EffectSplit);
