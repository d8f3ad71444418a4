// The licences that the executable prints: current, and of what is in it alone. `bun run licenses` writes them anew.
import { expect, test } from "bun:test";
import { dependencies, devDependencies } from "../../../package.json";
import { printable } from "../../../src/common/printable.ts";
import { licenseText } from "../../../src/packaging/licenses.ts";
import written from "../../../src/packaging/licenses.txt" with { type: "text" };
import { BUN_VERSION } from "../../../src/packaging/runtimes.ts";

/** `name version: licence` of the list at the head of the text. */
const listed = written
  .split("\n\n")[1]!
  .split("\n")
  .map((line) => line.trim());

test("they are those of the installed packages and this Bun", async () => {
  expect(written).toBe(await licenseText());
  expect(listed).toContain(`Bun ${BUN_VERSION}: MIT, with libraries under other terms`);
});

test("every dependency that the program has is among them, and nothing that only its makers need", () => {
  const names = listed.map((line) => line.split(" ")[0]);
  for (const name of Object.keys(dependencies)) expect(names).toContain(name);
  for (const name of Object.keys(devDependencies)) expect(names).not.toContain(name);
});

test("a terminal shows them as they are", () => {
  for (const line of written.trimEnd().split("\n")) expect(printable(line)).toBe(line);
});
