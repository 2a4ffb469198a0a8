import { ParticlesEffectElement } from "./element.js";
import { bytesOfBase64, bytesOfBase85 } from "./module.js";

/**
 * The page that `particles render -o fire.html` and `particles view` write: an effect with its controls.
 *
 * The page has the module, a gzip stream in base 85, the effect, a package in base64, and settings as JSON: `attributes` of
 * the element (`seed`, `profile`, `background`, `speed`, `view`), `camera`, `profiles` to choose from, and `loop`.
 */
function startPage() {
  const find = (id) => document.getElementById(id);
  const settings = JSON.parse(find("settings").textContent);
  const [element, play, background, profile, message] = ["effect", "play", "background", "profile", "message"].map(find);
  ParticlesEffectElement.worker = globalThis.playerScript;
  ParticlesEffectElement.module = bytesOfBase85(find("module-data").textContent);
  for (const [name, value] of Object.entries(settings.attributes ?? {})) element.setAttribute(name, value);
  element.camera = settings.camera;
  element.loop = settings.loop !== false;
  element.autoplay = true;

  const own = element.getAttribute("background") ?? "transparent";
  if (![...background.options].some((option) => option.value === own)) background.add(new Option("own", own), 0);
  background.value = own;
  const show = () => {
    play.textContent = element.paused ? "Play" : "Pause";
    element.classList.toggle("transparent", (element.getAttribute("background") ?? "transparent") === "transparent");
  };
  const say = (text, kind = "") => {
    message.textContent = text;
    message.className = kind;
    message.hidden = text === "";
  };

  for (const name of settings.profiles ?? []) profile.add(new Option(name, name));
  find("engines").hidden = profile.options.length < 2;
  profile.value = settings.attributes?.profile ?? profile.value;
  profile.addEventListener("change", () => {
    say("");
    element.setAttribute("profile", profile.value);
  });
  background.addEventListener("change", () => {
    element.setAttribute("background", background.value);
    show();
  });
  const speed = find("speed");
  speed.value = settings.attributes?.speed ?? "1";
  speed.addEventListener("change", () => element.setAttribute("speed", speed.value));

  const actions = {
    play: () => (element.paused ? element.play() : element.pause()),
    step: () => element.step(),
    restart: () => element.restart(),
  };
  for (const [id, action] of Object.entries(actions)) {
    find(id).addEventListener("click", () => {
      action();
      show();
    });
  }
  const keys = { " ": "play", ".": "step", r: "restart" };
  document.addEventListener("keydown", (event) => {
    const action = keys[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("select, button, input")) return;
    event.preventDefault();
    find(action).click();
  });

  let shown = 0;
  element.addEventListener("frame", ({ detail }) => {
    const now = performance.now();
    if (now - shown < 100 && !element.paused) return;
    shown = now;
    find("status").textContent = `${detail.time.toFixed(2)} s · ${detail.alive} particles`;
  });
  element.addEventListener("ready", ({ detail }) => {
    const warning = detail.warnings.find(({ severity }) => severity === "warning");
    if (warning) say(warning.toString(), "warning");
    setTimeout(show);
  });
  element.addEventListener("rate", ({ detail }) => say(detail.severity === "warning" ? detail.message : "", "warning"));
  for (const name of ["end", "play", "pause"]) element.addEventListener(name, show);
  element.addEventListener("error", ({ detail }) => {
    say(String(detail));
    show();
  });
  element.load(bytesOfBase64(find("effect-data").textContent)).then(show);
}

if (globalThis.document?.getElementById("effect-data")) startPage();
