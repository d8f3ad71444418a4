// Networks and joint columns as arrays: they come back the same, and whatever does not fit together is refused.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { StoredArray } from "../../../engine/arrays/array-file.ts";
import { scoreNetworks } from "../../../engine/bayes/bayes-networks.ts";
import { fitAode, fitDependence } from "../../../engine/bayes/naive-bayes-networks.ts";
import { fitPairedBayes } from "../../../engine/bayes/naive-bayes-pairs.ts";
import { NETWORKS } from "../../../engine/bayes/networks-form.ts";
import { JOINT_TABLES } from "../../../engine/fitting/joint-tables-form.ts";
import { widenCodeCounts } from "../../../engine/fitting/pair-columns.ts";
import { shelfOf } from "../../support/map-shelf.ts";
import { drawInput } from "../families/coded-input.ts";

const input = drawInput({ seed: 3, rowCount: 400, classCount: 3, bucketCounts: [5, 12, 4, 3] });
const codeCounts = input.view.features.map(({ codeCount }) => codeCount);
const every = Uint32Array.from({ length: 400 }, (_, row) => row);
const models = [
  fitDependence(input, { memberCount: 3, smoothing: 2 }),
  fitAode(input, { pooling: "geometric", parentCount: 3, leastParentRows: 1, smoothing: 1 }),
];
const fitted = fitPairedBayes(input, { pairCount: 5, smoothing: 1 });
const pairs = { ...fitted.pairs, firsts: Uint16Array.of(0, 1, 0), seconds: Uint16Array.of(1, 2, 3) };
const tables = widenCodeCounts(codeCounts, pairs).map((codeCount) => new Float64Array(3 * codeCount));
const joint = { ...fitted, pairs, additive: { ...fitted.additive, tables } };

describe("networks", () => {
  test.each(models)("come back as they were: $pooling", (model) => {
    const arrays = new Map<string, StoredArray>();
    const head = NETWORKS.pack(model, shelfOf(arrays), "member.2.");
    expect([...arrays.keys()].every((name) => name.startsWith("member.2."))).toBeTrue();
    expect(JSON.parse(JSON.stringify(head))).toEqual(head);
    expect(NETWORKS.unpack(head, codeCounts, shelfOf(arrays), "member.2.")).toEqual(model);
  });

  test("are refused for features of other code counts, or for other counts of classes", () => {
    const arrays = new Map<string, StoredArray>();
    const head = NETWORKS.pack(models[0]!, shelfOf(arrays), "");
    const unpack = (counts: number[], change = {}) =>
      NETWORKS.unpack({ ...head, ...change }, counts, shelfOf(arrays), "");
    expect(unpack([...codeCounts, 3])).not.toBeNull();
    expect(unpack(codeCounts.slice(1))).toBeNull();
    expect(unpack(codeCounts.map((count) => count + 1))).toBeNull();
    expect(unpack(codeCounts, { outputCount: 1 })).toBeNull();
    expect(unpack(codeCounts, { classCount: 2 })).toBeNull();
  });

  test("are refused, or score like any other, with anything in their arrays spoiled", () => {
    let refused = 0;
    let scored = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...models),
        fc.nat(20),
        fc.nat(5),
        fc.nat(),
        fc.constantFrom(0, 1, 2, 11, 255, 65_535, 2 ** 32 - 1),
        (model, at, way, entry, value) => {
          const arrays = new Map<string, StoredArray>();
          const head = NETWORKS.pack(model, shelfOf(arrays), "");
          const name = [...arrays.keys()][at % arrays.size]!;
          const array = arrays.get(name)!.slice();
          if (way > 1) array[entry % Math.max(1, array.length)] = value;
          arrays.set(name, way === 0 ? array.slice(0, entry % array.length) : array);
          const read = NETWORKS.unpack(head, codeCounts, shelfOf(arrays), "");
          if (read === null) {
            refused++;
            return;
          }
          const out = new Float64Array(1200).fill(-1);
          scoreNetworks(read, input.view, every, out);
          expect(out.every((probability) => probability >= 0 && probability <= 1)).toBeTrue();
          scored++;
        },
      ),
      { numRuns: 300 },
    );
    expect(refused).toBeGreaterThan(30);
    expect(scored).toBeGreaterThan(30);
  });

  test.each([
    ["contexts", (array: StoredArray) => array.fill(2 ** 32 - 1)],
    ["nodeColumns", (array: StoredArray) => array.fill(4)],
    ["firstParents", (array: StoredArray) => array.fill(5)],
    ["secondParents", (array: StoredArray) => array.fill(5)],
    ["memberStarts", (array: StoredArray) => array.reverse()],
    ["memberStarts", (array: StoredArray) => array.fill(0)],
    ["groupOfCode", (array: StoredArray) => array.fill(200)],
    ["groupCounts", (array: StoredArray) => array.fill(60_000)],
    ["columns.features", (array: StoredArray) => array.fill(7)],
  ])("would be read out of bounds: %s", (name, spoil) => {
    const arrays = new Map<string, StoredArray>();
    const head = NETWORKS.pack(models[0]!, shelfOf(arrays), "");
    const array = arrays.get(name)!.slice();
    spoil(array);
    arrays.set(name, array);
    expect(NETWORKS.unpack(head, codeCounts, shelfOf(arrays), "")).toBeNull();
  });
});

test("joint columns come back as they were, and not for other features or another kind of tables", () => {
  const arrays = new Map<string, StoredArray>();
  const head = JOINT_TABLES.pack(joint, shelfOf(arrays), "member.1.");
  const unpack = (counts: number[], change = {}) =>
    JOINT_TABLES.unpack({ ...head, additive: { ...head.additive, ...change } }, counts, shelfOf(arrays), "member.1.");
  expect(unpack(codeCounts)).toEqual(joint);
  expect(unpack(codeCounts.slice(1))).toBeNull();
  expect(unpack(codeCounts, { kind: "forest" })).toBeNull();
  expect(unpack(codeCounts, { classCount: 2 })).toBeNull();
  arrays.set("member.1.seconds", Uint16Array.of(1, 2, 4));
  expect(unpack(codeCounts)).toBeNull();
});
