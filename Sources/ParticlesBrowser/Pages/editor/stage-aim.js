// Where the stage looks: panned, turned and zoomed by pointer, wheel and keys. Effects may follow the pointer.

/** @param {import("./stage.js").EffectStage} stage */
export function listenToAim(stage) {
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    stage.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), stage.pointOf(event));
  }, { passive: false });
  stage.addEventListener("contextmenu", (event) => event.preventDefault());
  stage.addEventListener("pointerdown", (event) => {
    if (event.target.closest(".handle") || !stage.projection) return;
    stage.focus({ preventScroll: true });
    const start = [event.clientX, event.clientY];
    const { projection } = stage;
    const isOrbit = event.button === 2 || event.altKey;
    if (stage.session.view.follows && event.button === 0 && !isOrbit) return;
    stage.setPointerCapture(event.pointerId);
    const move = (moved) => {
      const [x, y] = [moved.clientX - start[0], moved.clientY - start[1]];
      stage.setCamera(isOrbit ? projection.orbited(x / 3, y / 3) : projection.panned(x, y));
    };
    const end = () => {
      stage.removeEventListener("pointermove", move);
      stage.removeEventListener("pointerup", end);
      stage.removeEventListener("pointercancel", end);
    };
    stage.addEventListener("pointermove", move);
    stage.addEventListener("pointerup", end);
    stage.addEventListener("pointercancel", end);
  });
  stage.addEventListener("pointermove", (event) => {
    if (!stage.session.view.follows || !stage.projection) return;
    stage.player?.moveTo(...stage.projection.place(stage.pointOf(event)));
  });
  stage.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [24, 0], ArrowRight: [-24, 0], ArrowUp: [0, 24], ArrowDown: [0, -24] }[event.key];
    if (event.target !== stage || !stage.projection) return;
    if (step && event.altKey) stage.setCamera(stage.projection.orbited(step[0] / 3, step[1] / 3));
    else if (step) stage.setCamera(stage.projection.panned(...step));
    else return;
    event.preventDefault();
  });
}
