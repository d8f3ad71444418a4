// Versions of a view that are scored together answer as each would alone.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { scoreChanged } from "../../../engine/explain/changed-cells.ts";
import { type BaseSettings, fitBase, scoreBase } from "../../../engine/families/base-algorithms.ts";
import { Random, shuffle } from "../../../engine/random.ts";
import { rowsUpTo } from "../../../engine/row-lists.ts";
import { Cancelled, neverStop } from "../../../engine/stop-signal.ts";
import { codeTable, fitBuckets, permuteCodes } from "../../../engine/table/buckets.ts";
import { forestOf } from "../../support/forests.ts";
import { drawTable } from "../../support/tables.ts";

const table = drawTable(300, 2, 3);
const { classes, rowCount } = table;
const view = codeTable(table, fitBuckets(table, rowsUpTo(rowCount), 20));
const forest = forestOf({ treeCount: 10, featuresPerSplit: 2, minLeafRows: 3 });
const logistic: BaseSettings = { algorithm: "logistic regression", basis: "smooth", l2: 1, maxIterations: 20 };

test.each([forest, logistic])("together as alone, to the last bit: %o", (settings) => {
  const input = { view, rows: rowsUpTo(rowCount), classes, classCount: 2, seed: 1, stop: neverStop };
  const model = fitBase(settings, input);
  const score = (own: typeof view) => scoreBase(model, own, rowsUpTo(own.rowCount));
  fc.assert(
    fc.property(fc.nat(), fc.array(fc.nat({ max: view.features.length - 1 }), { maxLength: 5 }), (seed, columns) => {
      const changed = columns.map((column, index) => {
        const order = rowsUpTo(rowCount);
        shuffle(order, new Random(seed + index));
        return { column, feature: permuteCodes(view.features[column]!, order) };
      });
      const changes = changed.map(({ column, feature }) => ({ codes: new Map([[column, feature.codes]]) }));
      const alone = changed.map(({ column, feature }) =>
        score({ ...view, features: view.features.map((own, index) => (index === column ? feature : own)) }),
      );
      expect(scoreChanged(view, changes, score, neverStop)).toEqual(alone);
    }),
    { numRuns: 20 },
  );
});

test("cancelling ends it before a scoring", () => {
  const stop = { cancelled: () => true, timeIsUp: () => false };
  const score = () => new Float64Array(rowCount);
  expect(() => scoreChanged(view, [{ codes: new Map() }], score, stop)).toThrow(Cancelled);
});
