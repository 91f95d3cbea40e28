// Loaders of the parent do not reach a thread: this one brings its own, and then the TypeScript.
import { register } from "tsx/esm/api";

register();
await import("./worker.ts");
