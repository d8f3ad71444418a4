// Another threshold in a stored model: the fitted part stays, decisions follow,
// and the training's own comes back byte for byte.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { packArrays, type StoredArray, unpackArrays, withOtherHead } from "../../../engine/arrays/array-file.ts";
import { InputError } from "../../../engine/input-error.ts";
import { packModel, unpackModel } from "../../../engine/model/model-file.ts";
import { readThreshold, thresholdOf, withThreshold } from "../../../engine/model/model-threshold.ts";
import { Scorer } from "../../../engine/scoring/scorer.ts";
import { readTable } from "../../bench/outer-split.ts";

const MODELS = join(import.meta.dir, "..", "..", "fixtures", "models");
const bytesOf = (name: string) => new Uint8Array(readFileSync(join(MODELS, `${name}.cupel`)));
const readAtOf = (bytes: Uint8Array) => (at: number, length: number) => bytes.slice(at, at + length);
const joined = (pieces: Iterable<Uint8Array>) => Uint8Array.from(Buffer.concat([...pieces]));
const changed = (bytes: Uint8Array, threshold: number | null) =>
  joined(withThreshold(readAtOf(bytes), bytes.length, threshold));

describe("the threshold of a model file", () => {
  test("moves decisions, and nothing else; null brings back the file as it was", () => {
    const { header, records } = readTable(join(MODELS, "credit_g-input.csv"));
    for (const name of ["credit_g-random-forest", "credit_g-stacked-logistic-regression"]) {
      const trained = bytesOf(name);
      const before = new Scorer(unpackModel(trained), header);
      before.readAs(before.newDialect(","));
      const plain = before.score(records);
      for (const threshold of [0, 0.17, 0.5, 0.83, 1]) {
        const bytes = changed(changed(trained, 0.3), threshold);
        const file = unpackModel(bytes);
        const positive = file.labels.indexOf("good");
        expect(thresholdOf(file)).toEqual({ positiveLabel: "good", threshold, trainedThreshold: 0.5 });
        expect(readThreshold(readAtOf(bytes))).toEqual(thresholdOf(file));
        const scorer = new Scorer(file, header);
        scorer.readAs(scorer.newDialect(","));
        const { probabilities, decisions } = scorer.score(records);
        expect(probabilities).toEqual(plain.probabilities);
        decisions.forEach((decided, row) => {
          const share = probabilities[row * 2 + positive]!;
          if (Math.abs(share - threshold) > 1e-12) expect(decided === positive).toBe(share > threshold);
        });
        expect(changed(bytes, null)).toEqual(trained);
      }
    }
  });

  test("gives back class weights that training found", () => {
    const trained = packModel({ ...unpackModel(bytesOf("credit_g-naive-Bayes")), classWeights: [5, 1] });
    expect(readThreshold(readAtOf(trained))).toMatchObject({ threshold: 5 / 6, trainedThreshold: 5 / 6 });
    const bytes = changed(trained, 0.25);
    expect(readThreshold(readAtOf(bytes))).toMatchObject({ threshold: 0.25, trainedThreshold: 5 / 6 });
    expect(changed(changed(bytes, 0.4), null)).toEqual(Uint8Array.from(trained));
  });

  test("is none of more classes, and of what is no model", () => {
    const penguins = bytesOf("penguins-naive-Bayes");
    expect(readThreshold(readAtOf(penguins))).toBeNull();
    const text = new TextEncoder().encode("a,b,label\n1,2,yes\n".repeat(9));
    for (const bytes of [penguins, text, new Uint8Array(0)]) expect(() => changed(bytes, 0.2)).toThrow(InputError);
  });

  test("is not stored over a damaged file", () => {
    const trained = bytesOf("credit_g-naive-Bayes");
    fc.assert(
      fc.property(fc.nat(trained.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const spoilt = trained.slice();
        spoilt[at] = spoilt[at]! ^ change;
        expect(() => changed(spoilt, 0.2)).toThrow(InputError);
      }),
    );
    expect(() => changed(trained.slice(0, -9), 0.2)).toThrow(InputError);
  });
});

test("any head may be replaced by a shorter or longer one: the arrays stay", () => {
  const format = { magic: "TESTTEST", version: 1, noun: "test file" };
  const arrays = fc.dictionary(
    fc.string({ minLength: 1, maxLength: 4 }).filter((name) => name !== "__proto__"),
    fc.oneof(fc.uint8Array({ maxLength: 20 }), fc.float64Array({ maxLength: 5 })),
  );
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), arrays, (before, after, stored) => {
      const named = new Map<string, StoredArray>(Object.entries(stored));
      // JSON has no negative zero.
      const [head, other] = [JSON.parse(JSON.stringify({ before })), JSON.parse(JSON.stringify({ after }))];
      const bytes = packArrays(format, head, named);
      const replaced = joined(withOtherHead(format, readAtOf(bytes), bytes.length, () => other));
      expect(replaced).toEqual(Uint8Array.from(packArrays(format, other, named)));
      expect(unpackArrays(format, replaced).head).toEqual(other);
    }),
  );
});
