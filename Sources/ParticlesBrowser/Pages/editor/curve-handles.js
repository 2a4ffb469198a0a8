// The handles of curves: keys and slopes, moved by pointer and keyboard. They begin where they are, and never jump.

import { draggable, heldKeys } from "./control-parts.js";
import { bent, moved, snapped, snappedMove, snappedSlope } from "./curves.js";
import { tidy } from "./numbers.js";

/** Targets for values and times: other keys, ends, lines. */
function targets(curve, indices) {
  const others = curve.keys.filter((_, index) => !indices.includes(index));
  return { values: [0, 1, ...others.map(({ value }) => value)], times: [0, 0.25, 0.5, 0.75, 1, ...others.map(({ time }) => time)] };
}

/** Lets a key be moved by pointer and keyboard. */
export function attachKey(editor, element) {
  const { plot } = editor;
  const index = () => [...plot.keys.children].indexOf(element);
  draggable(element, {
    begin: (event) => {
      event.stopPropagation();
      element.focus({ preventScroll: true });
      const at = index();
      const wasSelected = editor.selected.has(at);
      if (event.shiftKey || event.ctrlKey || event.metaKey) editor.select(wasSelected ? [...editor.selected].filter((each) => each !== at) : [...editor.selected, at]);
      else if (!wasSelected) editor.select([at]);
      if (editor.binding.isReadOnly) return undefined;
      return { from: plot.point(event), at, wasSelected, isPlain: !event.shiftKey && !event.ctrlKey && !event.metaKey };
    },
    move: (event, state) => {
      const to = plot.point(event);
      let [dx, dy] = [to.x - state.from.x, to.y - state.from.y];
      if (!state.gesture && Math.hypot(dx, dy) < 3) return;
      if (!editor.selected.has(state.at)) editor.select([...editor.selected, state.at]);
      state.gesture ??= editor.begin();
      const { start } = state.gesture;
      const indices = [...editor.selected];
      if (event.shiftKey) [dx, dy] = snappedMove(dx, dy);
      const grabbed = start.keys[state.at];
      let time = grabbed.time + dx / plot.pixelsOfTime;
      let value = grabbed.value - dy / plot.pixelsOfValue;
      if (editor.isSnapping && !event.altKey && !event.shiftKey) {
        const near = targets(start, indices);
        time = snapped(time, near.times, 5 / plot.pixelsOfTime);
        value = snapped(value, near.values, 5 / plot.pixelsOfValue);
      }
      const digits = (pixels) => Math.max(0, Math.min(8, Math.ceil(Math.log10(pixels)) + 1));
      const [dt, dv] = [Number(time.toFixed(digits(plot.pixelsOfTime))) - grabbed.time, Number(value.toFixed(digits(plot.pixelsOfValue))) - grabbed.value];
      state.gesture.set(moved(start, indices, dx === 0 ? 0 : dt, dy === 0 ? 0 : dv));
    },
    end: (_, state) => {
      if (state.gesture) state.gesture.end();
      else if (state.wasSelected && state.isPlain) editor.select([state.at]);
    },
    cancel: (state) => state.gesture?.cancel(),
  });
  element.addEventListener("focus", () => {
    if (!editor.selected.has(index()) && element.matches(":focus-visible")) editor.select([index()]);
  });
  heldKeys(element, {
    step: ({ key }) => (editor.binding.isReadOnly ? undefined : { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key]),
    begin: () => {
      if (!editor.selected.has(index())) editor.select([index()]);
      return { ...editor.begin(), sum: [0, 0] };
    },
    change: (gesture, [x, y], event) => {
      const part = event.shiftKey ? 0.1 : 1;
      const step = 10 ** Math.round(Math.log10((plot.view.high - plot.view.low) / 100));
      gesture.sum = [gesture.sum[0] + x * 0.01 * part, gesture.sum[1] + y * step * part * Math.sign(editor.mapping.scale || 1)];
      gesture.set(moved(gesture.start, [...editor.selected], gesture.sum[0], gesture.sum[1]));
    },
  });
}

/** Lets a slope be turned by pointer and keyboard. */
export function attachSlope(editor, element) {
  const { plot } = editor;
  const place = () => [Number(element.dataset.key), element.dataset.side];
  const bend = (gesture, slope, event) => {
    const [index, side] = place();
    // Both sides stay in line, unless Alt breaks them, or they are broken.
    const { in: before, out: after } = gesture.start.keys[index];
    const isBroken = before !== null && after !== null && Math.abs(before - after) > 1e-9;
    gesture.set(bent(gesture.start, index, event.altKey || isBroken ? side : "both", slope));
  };
  draggable(element, {
    begin: (event) => {
      event.stopPropagation();
      element.focus({ preventScroll: true });
      if (editor.binding.isReadOnly) return undefined;
      const box = element.getBoundingClientRect();
      return { offset: { x: event.clientX - (box.left + box.width / 2), y: event.clientY - (box.top + box.height / 2) } };
    },
    move: (event, state) => {
      state.gesture ??= editor.begin();
      const [index, side] = place();
      const key = state.gesture.start.keys[index];
      const point = plot.point(event);
      const dx = Math.max(2, (point.x - state.offset.x - plot.x(key.time)) * (side === "in" ? -1 : 1));
      const dy = (point.y - state.offset.y - plot.y(key.value)) * (side === "in" ? -1 : 1);
      const slope = (-dy / plot.pixelsOfValue) / (dx / plot.pixelsOfTime);
      bend(state.gesture, event.shiftKey ? snappedSlope(slope, plot.pixelsOfTime, plot.pixelsOfValue) : Number(slope.toPrecision(4)), event);
    },
    end: (_, state) => state.gesture?.end(),
    cancel: (state) => state.gesture?.cancel(),
  });
  heldKeys(element, {
    step: ({ key }) => (editor.binding.isReadOnly ? undefined : { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[key]),
    begin: () => ({ ...editor.begin(), sum: Number(element.getAttribute("aria-valuenow")) }),
    change: (gesture, step, event) => {
      gesture.sum = tidy(gesture.sum + step * (event.shiftKey ? 0.01 : 0.1));
      bend(gesture, gesture.sum, event);
    },
  });
  element.addEventListener("dblclick", () => editor.edit((curve) => bent(curve, place()[0], "both", null)));
}
