// Kernels: what is kept as WebAssembly is what their sources compile to, and each is small.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { compileKernels } from "../../../src/packaging/kernels.ts";

const MOST_BYTES = 20_000;

for (const { path, text } of await compileKernels()) {
  test(`${basename(path)} is compiled from the sources as they are`, () => {
    expect(readFileSync(path, "utf8") === text, "run `bun run kernels`").toBe(true);
  });

  test(`${basename(path)} is a module of few bytes, which needs no more than its memory and a stop signal`, () => {
    const bytes = Uint8Array.fromBase64(text);
    expect(bytes.length).toBeLessThan(MOST_BYTES);
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes)).map(({ name }) => name);
    expect(imports.filter((name) => name !== "memory" && name !== "shouldStop")).toEqual([]);
  });
}
