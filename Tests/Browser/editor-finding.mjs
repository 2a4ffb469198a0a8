// The search of properties in node, over the rows of the tool that PARTICLES_TOOL names.
//
//   PARTICLES_TOOL=.build/debug/particles node Tests/Browser/editor-finding.mjs

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import "./address.mjs";

const pages = new URL("../../Sources/ParticlesBrowser/Pages/editor/", import.meta.url);
if (!globalThis.navigator?.languages) Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] }, configurable: true });
const { found, score } = await import(new URL("finding.js", pages));
const { effectSections, Rows, sections } = await import(new URL("rows.js", pages));

const tool = process.env.PARTICLES_TOOL;
const options = tool ? {} : { skip: "PARTICLES_TOOL names no tool" };

/** The keys that a search finds, the best first, as the inspector shows them. */
function finder() {
  const { keys } = JSON.parse(execFileSync(tool, ["edit", "--list", "--json"]));
  const rows = new Rows(keys);
  const list = [...sections.flatMap((section) => rows.inSection(section)), ...effectSections.flatMap((section) => rows.inSection(section, ""))];
  const standard = (key) => rows.row(key)?.standard;
  const applies = (row) => !row.applies || row.applies.is.includes(standard(row.applies.key));
  return (search) => found(list, search, rows, applies).map(({ row }) => row.key.replace("emitters[].", ""));
}

// The names that menus and files of the editors have, and the property that holds the value here.
const names = {
  Unity: {
    "Start Lifetime": "lifetime", "Start Speed": "launch.speed", "Start Size": "size.width", "Start Rotation": "rotation.angle", "Start Color": "color.base",
    "Gravity Modifier": "forces", "Simulation Space": "space", "Max Particles": "emission.maxAlive", "Rate over Time": "emission.rate", "Rate over Distance": "emission.ratePerDistance",
    Bursts: "emission.bursts", "Limit Velocity over Lifetime": "motion.maxSpeed", "Inherit Velocity": "launch.inheritVelocity", "Force over Lifetime": "forces", "Color over Lifetime": "color.base",
    "Size over Lifetime": "size.width", "Rotation over Lifetime": "rotation.velocity", "Sub Emitters": "triggers", "Texture Sheet Animation": "flipbook.fps", "Start Delay": "timing.delay",
  },
  Niagara: {
    "Spawn Rate": "emission.rate", "Spawn Burst Instantaneous": "emission.bursts", "Add Velocity": "launch.speed", "Curl Noise Force": "forces", Drag: "forces",
    "Scale Color": "color.base", "Scale Sprite Size": "size.width", "Sprite Rotation Rate": "rotation.velocity", "SubUV Animation": "flipbook.fps", "Warmup Time": "timing.prewarm",
  },
  Effekseer: {
    "Spawn Count": "emission.total", "Time to Live": "lifetime", "Start Generation Time": "timing.delay", "Attraction Forces": "forces", Turbulence: "forces",
    "Fade In": "color.opacity", "Color Texture": "sprites", "Alpha Blend": "render.blend.mode", "Drawing Priority": "render.order", Billboard: "render.billboard",
  },
  Godot: {
    Amount: "emission.maxAlive", Preprocess: "timing.prewarm", "One Shot": "timing.loop", "Speed Scale": "timing.speed", "Fixed FPS": "timing.fixedStep",
    "Local Coords": "space", "Initial Velocity": "launch.speed", Damping: "forces", "Color Ramp": "color.base", "Scale Amount Curve": "size.width",
  },
  cocos2d: {
    maxParticles: "emission.maxAlive", particleLifespan: "lifetime", startParticleSize: "size.width", angleVariance: "launch.spread", sourcePositionVariance: "shape.size",
    tangentialAcceleration: "forces", rotatePerSecond: "motion.orbit.angularVelocity", blendFuncSource: "render.blend.src", emitterType: "motion.mode", maxRadius: "motion.orbit.radius",
  },
};

test("the words of other editors find their property first: 57 of 60 at least", options, () => {
  const find = finder();
  const words = Object.values(names).flatMap(Object.entries);
  assert.equal(words.length, 60);
  const others = words.flatMap(([word, key]) => (find(word)[0] === key ? [] : [`${word}: ${find(word)[0]}, not ${key}`]));
  assert.ok(others.length <= 3, others.join("\n"));
});

test("kinds of forces, values of menus and words of users find what has them", options, () => {
  const find = finder();
  const expected = {
    gravity: "forces", noise: "forces", turbulence: "forces", wind: "forces", vortex: "forces", spawn: "emission.rate", additive: "render.blend.mode", screen: "render.blend.mode", transparency: "color.opacity",
    "initial velocity": "launch.speed", "sub-emitter": "triggers", count: "emission.maxAlive", torus: "shape.type", collision: "physics.collides", seed: "seed", Kraft: "forces", Verlauf: "color.base",
  };
  for (const [word, key] of Object.entries(expected)) assert.equal(find(word)[0], key, `${word}: ${find(word).slice(0, 4)}`);
  assert.ok(!find("count").some((key) => key.endsWith("angle")), "no part of a word in a summary");
  assert.deepEqual(find("no such thing"), []);
});

test("whole words come before beginnings, and these before parts", () => {
  const rows = new Rows([]);
  const row = (key, more) => ({ key, type: "number", summary: "", ...more });
  const list = [row("a.narration"), row("a.rates"), row("a.rate"), row("b.x", { names: ["rate over time"] }), row("b.y", { summary: "The rate of it." })];
  assert.deepEqual(found(list, "rate", rows).map(({ row }) => row.key), ["a.rate", "b.x", "a.rates", "b.y"]);
  assert.deepEqual(found([list[0]], "rat", rows).map(({ row }) => row.key), ["a.narration"]);
  assert.equal(score(list[2], "  ", rows), 1);
  for (const search of ["RATE", "over rate"]) assert.ok(found(list, search, rows).length > 0, search);
  assert.deepEqual(found(list, "rate minute", rows), []);
});
