// The numbers of the stage: statistics of the module, and a line of text where the effect is drawn slowly or not whole.

import { make } from "../icons.js";
import { language, text } from "../texts.js";
import { FrameRate } from "./frame-rate.js";

/** Milliseconds between statistics. */
const between = 250;

export class StageCount {
  constructor(stage) {
    this.stage = stage;
    this.frameRate = new FrameRate();
    this.line = make("p", { class: "stage-pace", role: "status", hidden: true });
    this.statistics = undefined;
  }

  begin() { this.timer = setInterval(() => this.ask(), between); }

  end() { clearInterval(this.timer); }

  /** Another effect is shown: frames before it do not count. */
  anew() { this.frameRate.begin(); }

  /** A frame was drawn. */
  drew(detail) {
    this.isKnown = false;
    this.frameRate.drew(detail);
    const { isPlaying, player } = this.stage;
    if (!isPlaying || player.seeking) this.frameRate.begin();
  }

  async ask() {
    const { stage } = this;
    const isHidden = document.visibilityState === "hidden";
    if (isHidden || !stage.isPlaying) this.frameRate.begin();
    if (!stage.player?.effect || isHidden || this.isAsking || stage.player.seeking) return;
    this.tell();
    // The numbers of a picture that stands are known.
    if (this.isKnown) return;
    [this.isAsking, this.isKnown] = [true, true];
    try {
      this.statistics = await stage.player.measure();
      stage.emit("statistics", this.statistics);
    } catch { /* The effect was replaced. */ }
    this.isAsking = false;
  }

  tell() {
    const number = (value) => value.toLocaleString(language);
    const line = this.frameRate.told().map(([kind, ...values]) => text(kind === "slow" ? "editSlowRate" : "editOmitted", ...values.map(number))).join(" ");
    if (line === this.line.textContent) return;
    this.line.textContent = line;
    this.line.hidden = !line;
    this.stage.emit("pace", line);
  }
}
