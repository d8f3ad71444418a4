// What the programs of the readers in C and Java must do alike: check files, odd CSV files, files and models to refuse.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spoiledDifferences } from "./difference-models.ts";
import { writeOddHeaders } from "./odd-headers.ts";
import type { Ended } from "./programs.ts";
import type { writeReaderChecks } from "./reader-rows.ts";
import { spoiledLayers } from "./spoiled-layers.ts";
import { VECTORS } from "./vectors.ts";

export const MODELS = join(import.meta.dir, "../fixtures/models");
export const PENGUINS = join(MODELS, "penguins-random-forest.cupel");

type Program = (...words: readonly string[]) => Ended;

export function expectSameAnswers(reader: Program, modelPath: string, checkPaths: readonly string[]): void {
  for (const path of checkPaths) {
    const { out, err, code } = reader(modelPath, "--check", path);
    expect([out, err, code]).toEqual([expect.stringContaining("The same answers: "), "", 0]);
  }
}

/** What a reader's program says of models that it refuses. */
interface Refusals {
  newer: string;
  damaged: string;
  cut: string;
  spoiledPart: string;
  others?: readonly (readonly [Uint8Array, string])[];
}

/** Tests of a reader's program, which works in `folder`. */
export function testProgram(
  folder: string,
  checks: ReturnType<typeof writeReaderChecks>,
  reader: Program,
  refusals: Refusals,
): void {
  test("a check of other answers fails", () => {
    const [{ modelPath, checkPaths }] = checks as [(typeof checks)[number]];
    const answers = JSON.parse(readFileSync(checkPaths[0]!, "utf8"));
    const spoilt: [string, unknown][] = [
      ["labels", answers.labels.with(0, "another")],
      [
        "probabilities",
        answers.probabilities.with(0, answers.probabilities[0].with(0, answers.probabilities[0][0] + 1e-9)),
      ],
      ["codes", answers.codes.with(0, answers.codes[0].with(0, answers.codes[0][0] + 1))],
    ];
    for (const [name, value] of spoilt) {
      writeFileSync(join(folder, "other.json"), JSON.stringify({ ...answers, [name]: value }));
      const { out, code } = reader(modelPath, "--check", "other.json");
      expect([out, code]).toEqual([expect.stringContaining("OTHER ANSWERS"), 1]);
    }
  });

  test("reads quotes, other delimiters, a byte order mark and CRLF", () => {
    const rows = readFileSync(join(MODELS, "penguins-input.csv"), "utf8").trimEnd().split("\n").slice(0, 9);
    const quoted = rows.map((row) => `"${row.replaceAll(",", '";"')}"`);
    writeFileSync(join(folder, "quoted.csv"), `\ufeff${quoted.join("\r\n\r\n")}`);
    const { out, code } = reader(PENGUINS, "quoted.csv");
    const scored = readFileSync(join(MODELS, "penguins-random-forest.csv"), "utf8");
    expect([out, code]).toEqual([`${scored.split("\n").slice(0, 9).join("\n")}\n`, 0]);
  });

  test("writes what `cupel predict` writes where the header is odd", () => {
    for (const { name, modelPath, path, expected } of writeOddHeaders(folder)) {
      expect({ name, ...reader(modelPath, path) }).toEqual({ name, out: expected, err: "", code: 0 });
    }
  });

  test("refuses what is no model, a damaged one and a newer one", () => {
    const bytes = readFileSync(join(VECTORS, "forest-two-classes.cupel"));
    const newer = Buffer.from(bytes);
    newer.writeUInt32LE(99, 8);
    const damaged = Buffer.from(bytes);
    damaged[5000]! ^= 1;
    const models: (readonly [Uint8Array, string])[] = [
      [Buffer.from("a,b\n1,2\n"), "This is not a Cupel model"],
      [newer, refusals.newer],
      [damaged, refusals.damaged],
      [bytes.subarray(0, 18), refusals.cut],
      ...[...spoiledLayers(), ...spoiledDifferences()].map((own) => [own, refusals.spoiledPart] as const),
      ...(refusals.others ?? []),
    ];
    for (const [content, message] of models) {
      writeFileSync(join(folder, "bad.cupel"), content);
      const { err, code } = reader("bad.cupel", "new.csv");
      expect([err, code]).toEqual([expect.stringContaining(message), 3]);
    }
  });
}
