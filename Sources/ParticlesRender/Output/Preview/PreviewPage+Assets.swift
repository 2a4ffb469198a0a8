extension PreviewPage {
  /// The style sheet.
  static let style = """
    :root { color-scheme: light dark; --page: #f5f5f7; --card: #fff; --text: #1c1c20; --soft: #61616b;
      --line: #dcdce2; --accent: #b3470b; --warn: #8a5a00; --warnback: #fff4dc }
    @media (prefers-color-scheme: dark) {
      :root { --page: #131316; --card: #1d1d22; --text: #ececf1; --soft: #a0a0ab; --line: #34343c;
        --accent: #ff9d5c; --warn: #ffce73; --warnback: #33290f }
    }
    * { box-sizing: border-box }
    body { margin: 0; padding: 1.5rem clamp(1rem, 4vw, 3rem) 3rem; background: var(--page);
      color: var(--text); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif }
    header { max-width: 84rem; margin: 0 auto 1.25rem }
    h1 { margin: 0; font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere }
    header p { margin: .25rem 0 0; color: var(--soft) }
    main { max-width: 84rem; margin: 0 auto }
    .catalogue { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)) }
    .card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; overflow: hidden }
    .single .card { display: flex; flex-wrap: wrap }
    .single figure { flex: 2 1 24rem }
    .single .facts { flex: 1 1 17rem; padding: 1.25rem }
    figure { margin: 0; min-width: 0 }
    .stage { display: flex; justify-content: center; align-items: center; background: #0b0b0e }
    .stage[data-back="checks"] { background: repeating-conic-gradient(#777 0 25%, #999 0 50%) 0 0 / 24px 24px }
    .stage[data-back="light"] { background: #fff }
    .stage img, .stage canvas { display: block; max-width: 100%; height: auto; max-height: 78vh }
    .catalogue .stage { aspect-ratio: 1 }
    .catalogue .stage img, .catalogue .stage canvas { max-height: 100%; object-fit: contain }
    .stage.empty { aspect-ratio: 1; color: #8a8a94 }
    figcaption { padding: .6rem 1rem; color: var(--soft); border-top: 1px solid var(--line) }
    .facts { padding: .8rem 1rem 1rem; min-width: 0 }
    h2 { margin: 0 0 .4rem; font-size: 1rem; overflow-wrap: anywhere }
    .format { display: inline-block; padding: 0 .5em; border: 1px solid var(--line); border-radius: 99px;
      color: var(--soft); font-size: .8rem; font-weight: 500 }
    .controls { display: flex; gap: .6rem; align-items: center; padding: .6rem .8rem }
    .controls input { flex: 1; min-width: 4rem; accent-color: var(--accent) }
    .controls output { min-width: 5.5em; text-align: right; font-variant-numeric: tabular-nums; color: var(--soft) }
    button, select { font: inherit; color: inherit; background: transparent; border: 1px solid var(--line);
      border-radius: 8px; padding: .2rem .5rem; min-height: 2rem; cursor: pointer }
    select { background: var(--card) }
    button { min-width: 2.4rem; line-height: 1 }
    button:focus-visible, select:focus-visible, input:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
    noscript p { padding: 0 1rem }
    .problems { margin: .4rem 0 .8rem; padding: .5rem .8rem .5rem 1.8rem; border-radius: 8px; color: var(--warn);
      background: var(--warnback); font-size: .88rem; overflow-wrap: anywhere }
    summary { cursor: pointer; color: var(--soft) }
    table { width: 100%; margin-top: .4rem; border-collapse: collapse; font-size: .88rem }
    th, td { padding: .3rem 0; border-top: 1px solid var(--line); vertical-align: top; text-align: left;
      overflow-wrap: anywhere }
    th { padding-right: 1rem; font-weight: 500; color: var(--soft) }
    td { font-variant-numeric: tabular-nums }
    @media print { body { background: #fff } .controls { display: none } }
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
