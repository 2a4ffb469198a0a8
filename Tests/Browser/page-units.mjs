// Functions of the pages of the browser, and of the stage, in node: listings, words of facts, pictures at scale, hard pixels.
//
//   node Tests/Browser/page-units.mjs

import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import "./address.mjs";
import { settled } from "./clock.mjs";

const pages = new URL("../../Sources/ParticlesBrowser/Pages/", import.meta.url);
const load = (name) => import(new URL(name, pages));

/** What the modules look for in a page. */
function pretend(language) {
  Object.defineProperty(globalThis, "navigator", { value: { languages: [language] }, configurable: true });
  globalThis.localStorage = { getItem: () => null, setItem() {} };
  globalThis.HTMLElement = class extends EventTarget {};
  globalThis.customElements = { define() {}, get() {} };
  globalThis.document = { createElement: (name) => ({ name, style: {}, setAttribute(key, value) { this[key] = value; }, getAttribute(key) { return this[key] ?? null; }, append() {} }) };
}

pretend("en");
const { more, text } = await load("texts.js");
await more("editor");

// MARK: Listings

const { Model } = await load("model.js");

/** A model of a folder of two, whose first listing had one, and the requested listings, each to be answered. */
async function listed() {
  const asked = [];
  globalThis.fetch = () => new Promise((resolve) => {
    const answer = { location: { id: "docs" }, ancestors: [], revision: 1, total: 2, items: [["1", "a", "text"], ["2", "b", "text"]] };
    asked.push({ answer: (isFailed) => resolve({ ok: !isFailed, json: async () => answer }) });
  });
  const model = new Model();
  await model.open("docs", { given: { location: { id: "docs" }, ancestors: [], revision: 1, total: 2, items: [["1", "a", "text"]] } });
  assert.equal(model.missing, 1);
  return { model, asked, places: () => asked.length };
}

test("the other rows are listed once, however often they are asked for at once", async () => {
  const { model, asked, places } = await listed();
  const both = Promise.all([model.complete(), model.complete()]);
  await settled();
  const third = model.complete();
  await settled();
  assert.equal(places(), 1);
  for (const each of asked) each.answer();
  await Promise.all([both, third]);
  assert.deepEqual([model.missing, model.items.length], [0, 2]);
  await model.complete();
  assert.equal(places(), 1);
});

test("a listing that fails tells all who wait, and is asked for again", async () => {
  const { model, asked, places } = await listed();
  const outcome = Promise.allSettled([model.complete(), model.complete()]);
  await settled();
  for (const each of asked.splice(0)) each.answer(true);
  assert.deepEqual((await outcome).map(({ status }) => status), ["rejected", "rejected"]);
  model.refresh();
  const again = model.complete();
  await settled();
  assert.equal(places(), 1);
  for (const each of asked) each.answer();
  await again;
  assert.equal(model.missing, 0);
});

// MARK: Names

test("names are cut in the middle, and keep their ending", async () => {
  const { shortened } = await load("texts.js");
  assert.equal(shortened("fire.particles", 20), "fire.particles");
  assert.equal(shortened("defold__examples__fw_trail_blue.particlefx", 24), "defold__exa…e.particlefx");
  assert.equal([...shortened("🔥".repeat(50), 9)].length, 9);
  assert.equal(shortened("a\u202eb", 20), "a\\u{202e}b");
});

// MARK: Words

/** Messages as the program sends them: code, message, expected and found values. */
const faults = [
  ["file/read-only", "is read-only"], ["document/range", "a value is out of range (expected at least 0, found -3)", "at least 0", "-3"],
  ["document/range", "a value is out of range (expected more than 0, at most 1, found 2)", "more than 0, at most 1", "2"],
  ["document/reference", "a reference leads nowhere: image (expected a path inside the package, found '../<b>.png')", "a path inside the package", "'../<b>.png'"],
  ["image/missing", "the image is not in the package: 'a: b (c).png'"],
  ["document/type", "a value has the wrong type (expected a number, or an object with min and max, found 'x (y)')", "a number, or an object with min and max", "'x (y)'"],
  ["document/json", "not valid JSON (found nothing)", undefined, "nothing"], ["file/exists", "already exists: found (1).png"],
  ["other/rule", "a message of another program: x (expected y)", "y"], ["convert/foreign", "a JPEG picture, not an effect that can be read", undefined, "a JPEG picture"],
  ["convert/foreign", "XML with the root <a, b>, not an effect that can be read", undefined, "XML with the root <a, b>"],
  ["convert/ignored", "gravity is read as a number", undefined, undefined], ["document/type", "a value has the wrong type: no 'a-b' (expected a number)", "a number"],
].map(([code, message, expected, found]) => ({ code, message, expected, found }));
const lines = faults.map(({ message }) => message);

/** Comments of versions, as the program and users write them. */
const comments = ["stored by another program", "replaced from outside", "recovered from blender", "version 3", "Restore Version 3", "Thumbnail", "seed=3", "my own: words", "link to abc", "above all"];

/** The rows of facts in a language, which a page has once. */
const rowsIn = (language, facts) => new Promise((resolve, reject) => {
  const script = `
    ${pretend}
    pretend(${JSON.stringify(language)});
    await import(${JSON.stringify(new URL("address.mjs", import.meta.url).href)});
    const { factRows, templateTexts, versionName } = await import(${JSON.stringify(new URL("document-facts.js", pages).href)});
    const { item } = await import(${JSON.stringify(new URL("model.js", pages).href)});
    const { description, faultLine, messageOf, more } = await import(${JSON.stringify(new URL("texts.js", pages).href)});
    await Promise.all([more("editor"), more("messages")]);
    const { editName } = await import(${JSON.stringify(new URL("editor/edit-names.js", pages).href)});
    const [faults, comments] = ${JSON.stringify([faults, comments])};
    const { parentPort, workerData } = await import("node:worker_threads");
    parentPort.postMessage({
      rows: workerData.map((each) => [...factRows(each), ...factRows(each, true)]), version: versionName("autosaved"), template: templateTexts({ name: "fire", summary: "A fire" }),
      own: templateTexts({ name: "own one", summary: "Mine" }), title: item(["1", "a", "effect", "SpriteKit emitter"]).title,
      other: item(["1", "a", "other", "Level of a game"]).title, lines: faults.map(messageOf), fault: faultLine({ code: "file/exists", message: "already exists: a (b)", hint: "choose another name" }),
      summary: description({ key: "emitters[].timing.duration", summary: "The duration of a period; endless if null." }), comments: comments.map((each) => editName(each)),
    });`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`), { workerData: facts });
  worker.on("message", resolve);
  worker.on("error", reject);
});

test("facts, versions, templates and types are named in the language of the page", async () => {
  const whole = {
    name: "Feuer", author: "A", comment: "B", dimension: "2d", unit: "pixel", profile: "cocos2d", duration: 3.256, period: 4, alive: 1234.5, textures: 2,
    textureMemory: 32_768, files: 3, contents: 4096, digest: "ab12", origin: "cocos2d particle system", originPath: "x.plist", originSize: 10, originIsIntact: false,
    engine: { profile: "cocos2d", ground: "likely", reasons: ["because"], others: [{ profile: "cocos2d-x", drawsEqually: true }] },
  };
  const bare = { dimension: "3d", unit: "parsec", textures: 0, textureMemory: 0, files: 1, contents: 10, digest: "cd" };
  const [en, de] = await Promise.all(["en", "de"].map((language) => rowsIn(language, [whole, bare, {}, undefined])));
  assert.deepEqual(en.rows[0], [
    ["Name", "Feuer"], ["Author", "A"], ["Comment", "B"], ["Space", "2D, in pixels, as cocos2d simulates it"], ["Engine", "cocos2d; cocos2d-x would fit, too"],
    ["Duration", "Endless, repeating after 4 s"], ["Particles", "1,235 alive at most"], ["Textures", "2, 32.8\u00a0kB in memory"],
    ["Origin", "cocos2d particle system; the original file is kept, and was modified since"], ["Original file", "x.plist, 10\u00a0B"], ["Files", "3, 4.1\u00a0kB"], ["Digest", "ab12"],
  ]);
  assert.deepEqual(de.rows[0], [
    ["Name", "Feuer"], ["Urheber", "A"], ["Bemerkung", "B"], ["Raum", "2D, in Pixeln, wie cocos2d simuliert"], ["Engine", "cocos2d; auch cocos2d-x würde passen"],
    ["Dauer", "Endlos, Wiederholung nach 4 s"], ["Partikel", "Höchstens 1.235 zugleich"], ["Texturen", "2, 32,8\u00a0kB im Speicher"],
    ["Herkunft", "Partikelsystem von cocos2d; die Originaldatei ist aufbewahrt und seither verändert"], ["Originaldatei", "x.plist, 10\u00a0B"], ["Dateien", "3, 4,1\u00a0kB"], ["Prüfsumme", "ab12"],
  ]);
  assert.deepEqual(de.rows[1], [
    ["Raum", "3D, in parsec"], ["Dauer", "Endlos"], ["Partikel", "Unbegrenzt"], ["Texturen", "Keine"], ["Dateien", "1, 10\u00a0B"], ["Prüfsumme", "cd"],
  ]);
  assert.deepEqual([de.rows[2], de.rows[3]], [[], []]);
  assert.deepEqual([en.version, de.version, en.title, de.title], ["Saved automatically", "Automatisch gesichert", "SpriteKit emitter", "Emitter von SpriteKit"]);
  assert.deepEqual([en.template.name, de.template.name, de.own, de.other], ["fire", "Feuer", { name: "own one", summary: "Mine" }, "Level of a game"]);
});

test("messages of rules, descriptions and comments are in the language of the page, with their values", async () => {
  const [en, de] = await Promise.all(["en", "de"].map((language) => rowsIn(language, [])));
  assert.deepEqual(en.lines, lines);
  assert.deepEqual(de.lines, [
    "ist schreibgeschützt", "ein Wert liegt außerhalb des Bereichs (erwartet: mindestens 0, gefunden: -3)",
    "ein Wert liegt außerhalb des Bereichs (erwartet: mehr als 0, höchstens 1, gefunden: 2)",
    "ein Verweis führt ins Leere: image (erwartet: ein Pfad im Paket, gefunden: '../<b>.png')", "das Bild ist nicht im Paket: 'a: b (c).png'",
    "ein Wert hat den falschen Typ (erwartet: a number, or an object with min and max, gefunden: 'x (y)')", "kein gültiges JSON (gefunden: nichts)",
    "ist schon vorhanden: found (1).png", "a message of another program: x (expected y)",
    "ein JPEG-Bild, kein Effekt, der sich lesen lässt", "XML with the root <a, b>, kein Effekt, der sich lesen lässt",
    "gravity is read as a number", "ein Wert hat den falschen Typ: kein 'a-b' (erwartet: eine Zahl)",
  ]);
  assert.deepEqual([en.fault, de.fault], ["already exists: a (b). choose another name", "ist schon vorhanden: a (b). einen anderen Namen wählen"]);
  assert.deepEqual([en.summary, de.summary], ["The duration of a period; endless if null.", "Die Dauer einer Periode; ohne Wert endlos."]);
  assert.deepEqual(de.comments, [
    "von einem anderen Programm gesichert", "von außen ersetzt", "wiederhergestellt aus blender", "Version 3", "Version 3 wiederherstellen", "Vorschaubild", "seed=3",
    "my own: words", "link to abc", "above all",
  ]);
  assert.deepEqual(en.comments, comments);
});

// MARK: Turning over

const { withValue } = await load("editor/paths.js");
const { turnedOver } = await load("editor/turning.js");

test("an effect is turned over: angles, places and forces around a centre, twice to what it was; not if a form is unknown", () => {
  const document = {
    emitters: [{
      launch: { direction: { angle: { min: -110, max: -70 } } }, rotation: { angle: { from: -10, to: 50 }, velocity: 0 }, transform: { translation: [3, 4] },
      forces: [{ type: "gravity", vector: [5, 100] }, { type: "radial", strength: 3 }, { type: "tangential", strength: -7, center: [1, 2, 3] }],
    }, { launch: { speed: 3 } }],
  };
  const changes = turnedOver(document);
  assert.deepEqual(Object.fromEntries(changes.map(({ key, value }) => [key.replace("emitters[0].", ""), value])), {
    "launch.direction.angle": { min: 70, max: 110 }, "rotation.angle": { from: 10, to: -50 }, "rotation.velocity": 0, "transform.translation": [3, -4],
    "forces[0].vector": [5, -100], "forces[2].center": [1, -2, 3], "forces[2].strength": 7,
  });
  let turned = document;
  for (const { key, value } of changes) turned = withValue(turned, key, value);
  for (const { key, value } of turnedOver(turned)) turned = withValue(turned, key, value);
  assert.deepEqual(turned, document);
  assert.equal(turnedOver({ emitters: [{ rotation: { angle: { keys: [[0, 1]] } } }] }), undefined);
  assert.deepEqual(turnedOver({}), []);
});

// MARK: Stage

const { placePictures } = await load("editor/stage-pictures.js");
const { Projection } = await load("editor/projection.js");

test("a backdrop and a reference have the size of their pixels in the effect, at any zoom", () => {
  const images = new Map();
  const stage = {
    projection: new Projection({ position: [0, 0, 1], target: [0, 0, 0], orthoHeight: 400 }, 800, 600), placeLayers() {},
    session: { view: { backdrop: { url: "blob:1" }, reference: { url: "blob:2", scale: 0.5 } } },
    layers: {
      querySelector: (name) => images.get(name.slice(1)),
      appendChild(image) {
        images.set(image.class ?? image.className, Object.assign(image, { naturalWidth: 32, naturalHeight: 20, remove() { images.delete(this.class ?? this.className); } }));
        return image;
      },
    },
  };
  placePictures(stage);
  assert.deepEqual({ ...images.get("backdrop").style }, { left: "400px", top: "300px", width: "48px", height: "30px" });
  assert.deepEqual({ ...images.get("reference").style }, { left: "400px", top: "300px", width: "24px", height: "15px" });
  // As a particle of that size is drawn: 32 units of 400 in 600 pixels.
  assert.equal(32 * stage.projection.scaleAt([0, 0, 0]), 48);
  stage.projection = new Projection(stage.projection.zoomed(2, [400, 300]), 800, 600);
  placePictures(stage);
  assert.equal(images.get("reference").style.width, "48px");
  stage.session.view.reference = undefined;
  placePictures(stage);
  assert.deepEqual([...images.keys()], ["backdrop"]);
});

const { EffectStage } = await load("editor/stage.js");

test("with hard pixels, the picture is drawn small, and each pixel is shown as a square", () => {
  const player = { style: {}, canvas: { style: {} } };
  const stage = { player, clientWidth: 800, clientHeight: 600, session: { view: { pixels: 4 } } };
  EffectStage.prototype.applyPixels.call(stage);
  assert.deepEqual(player.style, { width: "200px", height: "150px", transform: "scale(4)", imageRendering: "pixelated" });
  assert.equal(player.canvas.style.imageRendering, "pixelated");
  for (const pixels of [1, 0, "many", undefined]) {
    stage.session.view.pixels = pixels;
    EffectStage.prototype.applyPixels.call(stage);
    assert.deepEqual([player.style.width, player.style.transform, player.canvas.style.imageRendering], ["800px", "", ""]);
  }
});

// MARK: Keys

const { controlKeys, keyName } = await load("editor/control-keys.js");

test("the list of keys has no text that waits for a value", () => {
  for (const [title, keys] of controlKeys) {
    for (const name of [title, ...keys.map(([, label]) => label)]) assert.doesNotMatch(text(name), /[{}]/, name);
  }
  assert.equal(keyName("Shift + ← →"), "Shift + ← →");
  assert.equal(keyName("PageUp, PageDown"), "Page Up, Page Down");
  assert.equal(keyName("Ctrl + C, Ctrl + V"), "Ctrl + C, Ctrl + V");
});
