extension PreviewPage {
  /// Rules that are added to the style sheet of all pages.
  static let style = """
    header, main { max-width: 84rem; margin: 0 auto }
    header { margin-bottom: 1.25rem }
    .card { display: flex; flex-wrap: wrap; background: var(--card); border: 1px solid var(--line);
      border-radius: 12px; overflow: hidden }
    figure { flex: 2 1 24rem; margin: 0; min-width: 0 }
    .facts { flex: 1 1 17rem; padding: 1.25rem; min-width: 0 }
    .stage[data-back="checks"] { background: repeating-conic-gradient(#777 0 25%, #999 0 50%) 0 0 / 24px 24px }
    .stage[data-back="light"] { background: #fff }
    .stage img, .stage canvas { display: block; max-width: 100%; height: auto; max-height: 78vh }
    figcaption { padding: .6rem 1rem; color: var(--soft); border-top: 1px solid var(--line) }
    .controls { display: flex; gap: .6rem; align-items: center; padding: .6rem .8rem }
    .controls input { flex: 1; min-width: 4rem; accent-color: var(--accent) }
    .controls output { min-width: 5.5em; text-align: right; font-variant-numeric: tabular-nums; color: var(--soft) }
    .controls button { min-width: 2.4rem; line-height: 1 }
    noscript p { padding: 0 1rem }
    """

  /// The script that plays frames. Frames are decoded by the browser; times are kept exactly, so a slow
  /// machine leaves frames out instead of playing slower.
  static let player = """
    "use strict";
    for (const root of document.querySelectorAll(".player")) {
      const data = JSON.parse(root.querySelector("script").textContent);
      const stage = root.querySelector(".stage"), canvas = root.querySelector("canvas");
      const context = canvas.getContext("2d");
      const play = root.querySelector(".play"), slider = root.querySelector("input");
      const output = root.querySelector("output"), speed = root.querySelector("select");
      const starts = [0];
      for (const duration of data.durations) starts.push(starts[starts.length - 1] + duration);
      const total = starts[starts.length - 1];
      const images = data.pictures.map(picture => {
        const image = new Image();
        image.src = `data:${data.type};base64,${picture}`;
        return image;
      });
      let time = 0, shown = -1, rounds = 0, before = null, isPlaying = false;

      const draw = index => {
        const image = images[index];
        if (index === shown || !image.complete || !image.naturalWidth) return;
        context.clearRect(0, 0, canvas.width, canvas.height);
        context.drawImage(image, 0, 0);
        shown = index;
        slider.value = index;
        output.textContent = `${index + 1} / ${images.length}`;
      };
      const frameAt = time => {
        let index = Math.min(starts.length - 2, Math.floor(time / total * (starts.length - 1)));
        while (index > 0 && starts[index] > time) index -= 1;
        while (index < starts.length - 2 && starts[index + 1] <= time) index += 1;
        return index;
      };
      const tick = now => {
        if (!isPlaying) return;
        if (before !== null) time += (now - before) * Number(speed.value);
        before = now;
        if (time >= total) {
          rounds += Math.floor(time / total);
          time %= total;
          if (data.plays > 0 && rounds >= data.plays) { time = starts[starts.length - 2]; set(false); }
        }
        draw(frameAt(time));
        requestAnimationFrame(tick);
      };
      const set = value => {
        isPlaying = value;
        before = null;
        play.textContent = value ? "❚❚" : "▶";
        play.setAttribute("aria-label", value ? "Pause" : "Play");
        if (value) requestAnimationFrame(tick);
      };
      play.addEventListener("click", () => {
        if (!isPlaying && data.plays > 0 && rounds >= data.plays) { rounds = 0; time = 0; }
        set(!isPlaying);
      });
      slider.addEventListener("input", () => {
        set(false);
        time = starts[Number(slider.value)];
        draw(Number(slider.value));
      });
      root.querySelector(".back").addEventListener("click", () => {
        const order = ["", "checks", "light"];
        const next = order[(order.indexOf(stage.dataset.back || "") + 1) % order.length];
        stage.dataset.back = next;
      });
      images[0].addEventListener("load", () => draw(0));
      if (images[0].complete) draw(0);
      if (images.length < 2) root.querySelector(".controls").hidden = true;
      else set(!matchMedia("(prefers-reduced-motion: reduce)").matches);
    }
    """
}
