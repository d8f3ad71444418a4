// Forests in ranges of trees: wherever a forest is cut, its ranges put together are its bytes.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { rowsUpTo } from "../../../engine/row-lists.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import { codeTable, fitBuckets } from "../../../engine/table/buckets.ts";
import type { ForestSettings } from "../../../engine/trees/forest.ts";
import { growTrees, joinForests } from "../../../engine/trees/forest-ranges.ts";
import { drawTable } from "../../support/tables.ts";

const TREES = 12;

test("ranges put together are the whole forest, whose leaves hold each distinct answer once", () => {
  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: TREES - 1 }), { maxLength: 4 });
  const shape = {
    classCount: fc.integer({ min: 2, max: 5 }),
    seed: fc.nat(99),
    minLeafRows: fc.integer({ min: 1, max: 4 }),
  };
  fc.assert(
    fc.property(
      fc.record({ cuts, isExtra: fc.boolean(), ...shape }),
      ({ cuts, isExtra, classCount, seed, minLeafRows }) => {
        const table = drawTable(120, classCount, seed);
        const rows = rowsUpTo(table.rowCount);
        const view = codeTable(table, fitBuckets(table, rows, 20));
        const input = { view, rows, classes: table.classes, classCount: table.labels.length, seed, stop: neverStop };
        const variant = isExtra ? "extra-trees" : "forest";
        const settings: ForestSettings = {
          ...{ variant, treeCount: TREES, featuresPerSplit: 2, minLeafRows, maxDepth: null, rowsPerTree: null },
        };
        const bounds = [0, ...cuts.sort((a, b) => a - b), TREES];
        const ranges = bounds
          .slice(1)
          .map((endTree, cut) => growTrees(input, settings, { firstTree: bounds[cut]!, endTree }));
        expect(joinForests(ranges)).toEqual(growTrees(input, settings, { firstTree: 0, endTree: TREES }));
      },
    ),
    { numRuns: 60 },
  );
});
