// The toolkit for pages: particles.h compiled to WebAssembly, and its classes in JavaScript. `node --test Tests/Web/toolkit.mjs`
// It needs the module (make toolkit), and says so without it.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { ParticlesError, load } from "../../Sources/ParticlesWeb/Toolkit/index.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const place = process.env.PARTICLES_TOOLKIT ?? join(root, ".build/toolkit/particles-toolkit.wasm");
const options = existsSync(place) ? {} : { skip: "there is no module (make toolkit); the toolkit is not tested" };
const kit = options.skip ? undefined : await load(readFileSync(place));

const effects = join(root, "Fixtures/effects");

/** A file of each format, and a function that finds the images beside it. */
const samples = readdirSync(effects).map((folder) => {
  const names = readdirSync(join(effects, folder)).filter((name) => !name.endsWith(".png"));
  const name = names.find((one) => one.startsWith("torch")) ?? names[0];
  const find = (image) => {
    const path = join(effects, folder, basename(image));
    return existsSync(path) ? readFileSync(path) : undefined;
  };
  return { folder, name, path: join(effects, folder, name), find };
}).filter(({ path }) => statSync(path).isFile());

function sample(folder) {
  const { path, name, find } = samples.find((one) => one.folder === folder);
  return kit.open(readFileSync(path), { name, find });
}

function fault(body) {
  try {
    body();
  } catch (error) {
    assert.ok(error instanceof ParticlesError, error.stack);
    return error;
  }
  return assert.fail("no fault");
}

test("the module has the functions of particles.h, without those that Spec/interface.md calls absent", options, async () => {
  const names = (path, pattern) => [...readFileSync(join(root, path), "utf8").matchAll(pattern)].map(([, name]) => name);
  const declared = names("Sources/CParticlesInterface/include/particles.h", /^[a-z][\w ]*[ *](particles_\w+)\(/gm);
  const page = readFileSync(join(root, "Spec/interface.md"), "utf8");
  const absent = new Set(page.split("## In web pages")[1].split("\n## ")[0].match(/particles_\w+/g));
  assert.ok(declared.length > 95 && absent.size > 15, `${declared.length} ${absent.size}`);
  const module = await WebAssembly.compile(readFileSync(place));
  const exported = WebAssembly.Module.exports(module).map(({ name }) => name).filter((name) => name.startsWith("particles_"));
  assert.deepEqual(exported.sort(), declared.filter((name) => !absent.has(name)).sort());
});

test("formats, templates, properties and types", options, () => {
  const names = kit.formats().map(({ name }) => name);
  assert.ok(names.length > 20 && names.includes("particles") && names.includes("starling"), `${names}`);
  assert.ok(kit.templates().some(({ name, summary }) => name === "fire" && summary));
  assert.equal(kit.properties("emitters[].emission.rate")[0].unit, "1/s");
  assert.equal(kit.typeOf(new Uint8Array(), "fire.png").identifier, "public.png");
  assert.match(kit.version, /^\d+\.\d+\.\d+$/);
});

for (const { folder, name } of samples) {
  test(`${folder}/${name} is opened, checked and converted to each format`, options, () => {
    const before = kit.openHandles;
    const effect = sample(folder);
    assert.ok(effect.kind);
    assert.deepEqual(effect.validate().filter(({ severity }) => severity === "error"), []);
    const formats = kit.formats().filter((format) => format.canWrite && format.name !== "particles");
    assert.ok(formats.length > 15);
    for (const format of formats) {
      const result = effect.convert(format.name, { fileName: `torch.${format.extensions[0]}` });
      assert.ok(result.files.length > 0 && result.files[0].bytes.length > 0, format.name);
      for (const loss of result.losses) assert.ok(loss.code && loss.text, format.name);
    }
    effect.close();
    assert.equal(kit.openHandles, before);
  });
}

test("properties are read, set and refused", options, () => {
  const effect = kit.template("fire");
  effect.set("emitters[0].emission.rate", 120);
  assert.equal(effect.get("emitters[0].emission.rate"), 120);
  effect.apply("emitters[0].emission.rate*=2");
  assert.equal(effect.document.emitters[0].emission.rate, 240);
  const refused = fault(() => effect.set("emitters[0].emission.rate", -5));
  assert.deepEqual([refused.kind, refused.key], ["value", "emitters[0].emission.rate"]);
  assert.ok(refused.code && refused.place && refused.message);
  assert.equal(fault(() => effect.get("emitters[0].wings")).kind, "notfound");
  effect.set("emitters[0].emission.rate", -5, { beyond: true });
  assert.ok(effect.validate().some(({ code }) => code === "document/range"));
  effect.set("emitters[0].emission.rate", undefined);
  assert.ok(effect.properties("emitters[0].emission").some(({ key, isSet }) => key === "emitters[0].emission.rate" && !isSet));
  assert.deepEqual(effect.repair(), []);
  effect.document = { ...effect.document, asset: { ...effect.document.asset, name: "Feuer 🔥" } };
  assert.equal(effect.get("asset.name"), "Feuer 🔥");
  effect.close();
  assert.equal(fault(() => effect.get("asset.name")).kind, "misuse");
});

test("a file that is no effect is a fault with a code", options, () => {
  const before = kit.openHandles;
  const error = fault(() => kit.open(new TextEncoder().encode("<html></html>"), { name: "page.html" }));
  assert.equal(error.kind, "format");
  assert.ok(error.code.startsWith("convert/") && String(error).includes(error.code));
  assert.equal(fault(() => kit.template("kraken")).kind, "notfound");
  assert.equal(fault(() => kit.template("fire").convert("nothing")).kind, "format");
  assert.throws(() => kit.open(readFileSync(samples.find((one) => one.folder === "plist").path), {
    name: "torch.plist", find() { throw new Error("out of images"); },
  }), /out of images/);
  assert.ok(kit.openHandles - before <= 1);
});

test("numbers that need more than 31 bits: sizes of TIFF, of tar archives and of thumbnails", options, () => {
  const effect = kit.template("blank");
  const tags = [[256, 1], [257, 1], [258, 8], [259, 1], [262, 1], [273, 8], [277, 1], [278, 1], [279, 1]];
  const tiff = new DataView(new ArrayBuffer(8 + 4 + 2 + 12 * tags.length + 4));
  tiff.setUint32(0, 0x49492a00);
  tiff.setUint32(4, 12, true);
  tiff.setUint8(8, 200);
  tiff.setUint16(12, tags.length, true);
  tags.forEach(([tag, value], index) => {
    tiff.setUint16(14 + 12 * index, tag, true);
    tiff.setUint16(16 + 12 * index, 4, true);
    tiff.setUint32(18 + 12 * index, 1, true);
    tiff.setUint32(22 + 12 * index, value, true);
  });
  assert.equal(effect.embed(new Uint8Array(tiff.buffer), "dot.tiff"), "Images/dot.tiff");
  tiff.setUint32(22 + 12 * 5, 0xfffffff0, true);
  assert.ok(fault(() => effect.embed(new Uint8Array(tiff.buffer), "far.tiff")).code.startsWith("image/"));
  const { files: [tar] } = effect.convert("tar", { fileName: "a.tar" });
  assert.ok(!new TextDecoder().decode(tar.bytes).includes("PaxHeader"));
  effect.close();
  const fire = kit.template("fire");
  assert.ok(fire.thumbnail(32).data.some((value, index) => index % 4 === 3 && value > 0));
  fire.close();
});

test("packages map paths to bytes", options, () => {
  const effect = sample("plist");
  const copy = effect.package();
  const bytes = copy.encode();
  const again = kit.package(bytes);
  assert.deepEqual(again.list(), copy.list());
  assert.equal(again.digest, copy.digest);
  assert.deepEqual(again.verify(), []);
  again.put("notes/read me.txt", new TextEncoder().encode("Hello"));
  assert.deepEqual(again.entries("notes").map(({ path, kind, size }) => [path, kind, size]), [["notes/read me.txt", "file", 5]]);
  assert.equal(new TextDecoder().decode(again.read("notes/read me.txt")), "Hello");
  assert.ok(again.has("notes/read me.txt") && !again.has("notes") && !again.has("other"));
  again.remove("notes");
  assert.equal(again.digest, copy.digest);
  const opened = kit.effect(again);
  assert.deepEqual(opened.document, effect.document);
  assert.equal(fault(() => again.put("../up", new Uint8Array(1))).kind, "name");
  for (const one of [effect, copy, again, opened]) one.close();
});

test("pictures, animations and running effects", options, () => {
  const effect = kit.template("fire");
  const picture = effect.draw({ width: 64, height: 48, background: [0, 0, 0] });
  assert.deepEqual([picture.width, picture.height, picture.data.length], [64, 48, 64 * 48 * 4]);
  assert.ok(picture.data.some((value, index) => index % 4 < 3 && value > 0));
  assert.equal(effect.thumbnail(32).data.length, 32 * 32 * 4);
  const png = effect.render("png", { width: 32, height: 32 });
  assert.deepEqual([...png.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  const gif = effect.render("gif", { width: 32, height: 32, duration: 0.5, fps: 10 });
  assert.equal(String.fromCharCode(...gif.subarray(0, 6)), "GIF89a");
  const stopped = fault(() => effect.render("gif", { width: 32, height: 32, duration: 1, fps: 10, progress: () => false }));
  assert.equal(stopped.kind, "cancelled");
  let frames = 0;
  effect.animate((frame, seconds, index, count) => {
    assert.deepEqual([frame.width, index, count], [16, frames, 5]);
    assert.ok(Math.abs(seconds - 0.1) < 1e-9);
    frames++;
  }, { width: 16, height: 16, duration: 0.5, fps: 10, start: 1, loop: "once", pause: 0 });
  assert.equal(frames, 5);
  const simulation = effect.simulate({ seed: 1 });
  simulation.advance(1);
  const columns = simulation.columns(0);
  assert.equal(columns.x.length, simulation.count(0).alive);
  assert.ok(columns.x.length > 0 && columns.x.every(Number.isFinite));
  assert.equal(simulation.draw({ width: 16, height: 16 }).data.length, 1024);
  simulation.close();
  assert.equal(effect.differenceFrom(effect), 0);
  effect.close();
});

test("an opened file is written with its edits in place, and byte for byte without any", options, () => {
  const text = (bytes) => new TextDecoder().decode(bytes).split("\n");
  let imported = 0;
  for (const { folder, path, name } of samples) {
    const effect = sample(folder);
    const written = effect.write();
    assert.deepEqual([written.files[0].name, written.losses], [name, []], name);
    if (effect.kind !== "particles") {
      imported++;
      assert.ok(readFileSync(path).equals(written.files[0].bytes), name);
    }
    effect.close();
  }
  assert.equal(imported, samples.length);
  for (const folder of ["plist", "pex", "godot"]) {
    const effect = sample(folder);
    const old = text(effect.write().files[0].bytes);
    effect.set("emitters[0].emission.rate", 30);
    const { files: [file], losses } = effect.write({ fileName: "other.name" });
    const lines = text(file.bytes);
    assert.deepEqual([file.name, lines.length, losses.length], ["other.name", old.length, 0], folder);
    const changed = lines.filter((line, index) => line !== old[index]);
    assert.ok(changed.length === 1, `${folder}: ${changed.join("\n")}`);
    effect.close();
  }
  const effect = sample("pex");
  assert.equal(fault(() => effect.convert(undefined)).kind, "misuse");
  const unnamed = kit.open(effect.write().files[0].bytes);
  assert.equal(unnamed.write({ measure: true }).files[0].name, "effect.pex");
  unnamed.close();
  effect.set("asset.author", "Me");
  assert.ok(effect.write().losses.some(({ text: line }) => line.includes("asset.author") || line.includes("author")));
  effect.close();
});

test("a session keeps edits for undo, makes a gesture one edit, and merges", options, () => {
  const before = kit.openHandles;
  const effect = sample("pex");
  const session = kit.edit(effect);
  const rate = "emitters[0].emission.rate";
  const first = session.get(rate);
  assert.deepEqual([session.undoName, session.isChanged, session.hasConflict], [undefined, false, false]);
  for (const value of [50, 60, 70]) session.set(rate, value, { name: "Slide", gesture: 1 });
  session.endGesture(1);
  session.set(rate, 80, { gesture: 2 });
  session.endGesture(2, { cancel: true });
  assert.equal(fault(() => session.endGesture(2)).kind, "misuse");
  assert.deepEqual([session.get(rate), session.undoName, session.isChanged], [70, "Slide", true]);
  session.edit("Both", (copy) => {
    copy.set("asset.name", "Edited");
    copy.set(rate, 90);
  });
  let kept;
  assert.throws(() => session.edit("Neither", (copy) => {
    kept = copy;
    copy.set(rate, 1);
    throw new Error("out of ideas");
  }), /out of ideas/);
  assert.equal(fault(() => kept.get(rate)).kind, "misuse");
  assert.deepEqual([session.get(rate), session.get("asset.name"), session.undo(9), session.get(rate)], [90, "Edited", 2, first]);
  assert.deepEqual([session.redo(), session.get(rate), session.redoName, session.isChanged], [1, 70, "Both", true]);
  assert.equal(session.redo(2 ** 31), 1);
  assert.equal(session.undo(), 1);
  session.saved();
  assert.equal(session.isChanged, false);
  assert.equal(fault(() => session.edit("Later", async (copy) => { copy.set(rate, 1); })).kind, "misuse");
  session.edit("Handled", (copy) => {
    assert.throws(() => copy.render("gif", { width: 16, height: 16, progress() { throw new Error("no"); } }), /no/);
    copy.set(rate, 70.5);
  });
  assert.equal(session.undo(), 1);
  const revision = session.revision;
  session.set(rate, 71);
  assert.ok(session.revision > revision);
  const theirs = session.effect();
  theirs.set(rate, 70);
  theirs.set("asset.author", "They");
  assert.deepEqual(session.merge(theirs), { kind: "merged", clashes: [] });
  assert.deepEqual([session.get(rate), session.get("asset.author")], [71, "They"]);
  theirs.set(rate, 73);
  assert.equal(session.merge(theirs).kind, "conflict");
  assert.equal(fault(() => session.saved()).kind, "changed");
  theirs.set(rate, 72);
  assert.deepEqual(session.merge(theirs), { kind: "conflict", clashes: [rate] });
  assert.ok(session.hasConflict);
  assert.equal(fault(() => session.resolve("both")).kind, "misuse");
  session.resolve("theirs");
  assert.deepEqual([session.get(rate), session.hasConflict], [72, false]);
  for (const one of [effect, theirs, session]) one.close();
  assert.equal(kit.openHandles, before);
});
