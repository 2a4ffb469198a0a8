// A worker with a module that does next to nothing, for failures that the real one does not have.
import { serveInWorker } from "../../Sources/ParticlesWeb/Player/worker.js";
import { fakeModule } from "./fake-module.mjs";

serveInWorker(globalThis, async () => fakeModule().module);
