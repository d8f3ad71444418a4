// Columns made of the label: shares of it by group, as they are, drawn towards that of all rows, and without the row's
// own label. Columns that tell the label's chance by other means are not taken for them.
import { describe, expect, test } from "bun:test";
import { findLabelShares } from "../../../engine/leaks/label-shares.ts";
import { findLeaks } from "../../../engine/leaks/leaks.ts";
import { chanceOfDrawnShares, chanceOfOtherShares } from "../../../engine/leaks/share-chances.ts";
import { Random } from "../../../engine/random.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import { drawNormal } from "../../bench/noisy-tables.ts";
import { readCsvText } from "../../support/csv-table.ts";

interface Shop {
  /** The probability of "yes". */
  chance: number;
  labels: readonly boolean[];
}

/** The cell of each of a shop's rows. `overall`: the share of "yes" among all rows. */
type Share = (shop: Shop, overall: number) => (isYes: boolean) => number;

const countYes = ({ labels }: Shop) => labels.filter(Boolean).length;
const drawn =
  (weight: number): Share =>
  (shop, overall) =>
  () =>
    (countYes(shop) + weight * overall) / (shop.labels.length + weight);
const byTrust: Share = (shop, overall) => () => {
  const trust = 1 / (1 + Math.exp(-(shop.labels.length - 10) / 5));
  return (trust * countYes(shop)) / shop.labels.length + (1 - trust) * overall;
};
const ofOthers: Share = (shop) => (isYes) => (countYes(shop) - Number(isYes)) / (shop.labels.length - 1);

function shopTable(share: Share, { seed = 3, decimals = 6, whole = 1, largest = 30 } = {}) {
  const random = new Random(seed);
  const shops = Array.from({ length: 250 }, (): Shop => {
    const chance = 1 / (1 + Math.exp(-drawNormal(random)));
    const size = 2 + Math.floor(random.nextFloat() ** 2 * largest);
    return { chance, labels: Array.from({ length: size }, () => random.nextFloat() < chance) };
  });
  const all = shops.flatMap(({ labels }) => labels);
  const overall = all.filter(Boolean).length / all.length;
  const lines = shops.flatMap((shop) => {
    const cellOf = share(shop, overall);
    return shop.labels.map((isYes) => {
      const cell = (whole * cellOf(isYes)).toFixed(decimals);
      return `${random.nextBelow(100)},${cell},${isYes ? "yes" : "no"}`;
    });
  });
  return readCsvText(`x,rate,label\n${lines.join("\n")}\n`).table;
}

describe("shares of the label", () => {
  test.each<[string, Share, Parameters<typeof shopTable>[1]]>([
    ["as they are", drawn(0), {}],
    ["in percent", drawn(0), { whole: 100, decimals: 1 }],
    ["drawn towards the overall share", drawn(10), {}],
    ["drawn weakly", drawn(1), {}],
    ["drawn strongly", drawn(50), {}],
    ["drawn and rounded", drawn(5), { decimals: 2 }],
    ["drawn, in percent", drawn(10), { whole: 100, decimals: 2 }],
    ["drawn by trust in the size", byTrust, {}],
    ["without the row's own label", ofOthers, {}],
    ["without the row's own label, in percent", ofOthers, { whole: 100, decimals: 2 }],
  ])("are found: %s", (_, share, options) => {
    for (const seed of [1, 2, 3]) {
      const table = shopTable(share, { ...options, seed });
      expect(findLabelShares(table, neverStop)).toContainEqual({ column: 1, label: "yes" });
      expect(findLeaks(table, neverStop)).toMatchObject([{ columns: [1], by: "label shares" }]);
    }
  });

  test.each<[string, Share]>([
    [
      "true chances",
      ({ chance }) =>
        () =>
          chance,
    ],
    [
      "rounded chances",
      ({ chance }) =>
        () =>
          Math.round(20 * chance) / 20,
    ],
    [
      "chances that are too sure",
      ({ chance }) =>
        () =>
          chance < 0.5 ? chance / 2 : (1 + chance) / 2,
    ],
    [
      "chances that are not sure enough",
      ({ chance }) =>
        () =>
          0.25 + chance / 2,
    ],
    [
      "shares drawn of half of the rows",
      (shop, overall) => {
        const half = shop.labels.filter((_, at) => at % 2 === 0);
        return drawn(10)({ ...shop, labels: half }, overall);
      },
    ],
  ])("are not seen in %s", (_, share) => {
    for (const seed of [1, 2, 3]) expect(findLabelShares(shopTable(share, { seed }), neverStop)).toEqual([]);
  });
});

test("hardly any column that tells the label's chance is taken for shares of it", () => {
  const random = new Random(11);
  let found = 0;
  for (let column = 0; column < 2_000; column++) {
    const slope = [0.3, 1, 2, 5, 50][column % 5]!;
    const decimals = 2 + random.nextBelow(4);
    const byValue = new Map<number, { share: number; rows: number; labelled: number }>();
    for (let group = 0; group < 200; group++) {
      const score = drawNormal(random);
      const share = Number((1 / (1 + Math.exp(-score))).toFixed(decimals));
      const chance = 1 / (1 + Math.exp(-slope * score - (column % 3) * drawNormal(random)));
      const known = byValue.get(share) ?? { share, rows: 0, labelled: 0 };
      byValue.set(share, known);
      for (let row = random.nextBelow(20); row >= 0; row--) {
        known.rows++;
        if (random.nextFloat() < chance) known.labelled++;
      }
    }
    const counts = [...byValue.values()].sort((a, b) => a.share - b.share);
    if (Math.min(chanceOfDrawnShares(counts), chanceOfOtherShares(counts)) < 0.0025) found++;
  }
  expect(found).toBeLessThanOrEqual(2);
});
