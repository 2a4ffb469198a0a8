// A program that uses the package, for the compiler only.
import {
  Drawer, Effect, Package, ParticlesEffectElement, ParticlesError, ParticlesModule, Sheet, columns, readEffect, writePackage,
  type EffectFiles, type Order, type Statistics, type WrittenEntry,
} from "particlekit";
import "particlekit/element.js";

ParticlesEffectElement.module = new URL("particles.wasm", "https://example.org/");
ParticlesEffectElement.worker = false;
const inWorker: boolean | undefined = ParticlesEffectElement.usesWorker;

const element = document.createElement("particles-effect");
element.src = "fire.particles";
element.limits = { particles: 20_000, memory: 64 << 20, reading: { textBytes: 1 << 20 } };
element.addEventListener("ready", ({ detail }) => console.log(detail.title, detail.warnings.map(({ place }) => place)));
element.addEventListener("error", ({ detail }) => console.log(detail.code));
element.addEventListener("frame", ({ detail }) => console.log(detail.alive, detail.interval));

async function play(): Promise<void> {
  const files: EffectFiles = { document: new Uint8Array(), read: (path) => (path === "a.png" ? new Uint8Array() : undefined) };
  if (!(await element.load(files))) throw element.error ?? new ParticlesError("particles/failure");
  await element.set("emitters[0].emission.rate", 300);
  const warnings: ParticlesError[] = await element.set("emitters[0].emission.rate", -3, { beyond: true });
  console.log(warnings.map(({ key }) => key));
  await element.seek(2);
  await element.step();
  const statistics: Statistics | undefined = await element.statistics();
  console.log(statistics?.emitted, element.effect?.view?.width, await element.document(), inWorker);
}

async function draw(canvas: HTMLCanvasElement): Promise<void> {
  const module = await ParticlesModule.load("particles.wasm");
  const { text, images } = await readEffect("fire.particles");
  const effect = new Effect(module, text, { seed: 7, limits: { memory: 1 << 28 } });
  for (const [index, image] of images) effect.setImage(index, image);
  effect.setView(320, 240, { view: "auto", background: [0, 0, 0] });
  effect.advance(1 / 60);
  const order: Order = effect.compose();
  new Drawer({ canvas }).draw(order, new Sheet(images), { width: 320, height: 240 });
  console.log(effect.column(0, columns.x)[0]);
}

async function save(bytes: Uint8Array): Promise<Uint8Array> {
  const opened = await Package.open(bytes);
  const files = new Map<string, WrittenEntry>();
  for await (const [path, file] of opened.files()) files.set(path, file);
  files.set("document.json", new TextEncoder().encode(JSON.stringify(await element.document())));
  files.set("run", { contents: new Uint8Array(), isExecutable: true });
  await writePackage(opened.files());
  return writePackage(files);
}

export { draw, play, save };
