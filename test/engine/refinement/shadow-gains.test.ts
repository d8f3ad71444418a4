// Gains beside shadows: chunks of trees add up to the round, noise does not beat its shadows, signal does.
import { describe, expect, test } from "bun:test";
import { deriveSeed, Random } from "../../../engine/random.ts";
import { hitsOf, type ShadowGainsInput, shadowGains } from "../../../engine/refinement/shadow-gains.ts";
import { chooseShadows, inOrderOfSignal, withShadows } from "../../../engine/refinement/shadows.ts";
import { Cancelled, neverStop } from "../../../engine/stop-signal.ts";
import { type CodedView, FIRST_CODE } from "../../../engine/table/buckets.ts";
import { ForestGrower } from "../../../engine/trees/forest-growth.ts";
import { categoryFeature, drawInput } from "../families/coded-input.ts";

const drawn = drawInput({ seed: 3, rowCount: 400, classCount: 3, bucketCounts: [8, 5, 30, 2, 9] });
const round: ShadowGainsInput = {
  view: drawn.view,
  rows: drawn.rows,
  classes: drawn.classes,
  classCount: 3,
  candidates: [4, 0, 2],
  shadowOf: [0, 4, 4, 2],
  round: 5,
  treeFrom: 0,
  treeTo: 9,
  minLeafRows: 1,
  featuresPerSplit: null,
  seed: 77,
  stop: neverStop,
};

describe("the gains of a round", () => {
  test("are those of a forest on the candidates and the shadows", () => {
    const view = withShadows(round.view, round.candidates, round.shadowOf, deriveSeed(77, 31, 5));
    const settings = { treeCount: 9, featuresPerSplit: 3, minLeafRows: 1, maxDepth: null, rowsPerTree: null };
    const grower = new ForestGrower(
      { ...drawn, view, seed: deriveSeed(77, 32, 5) },
      { ...settings, variant: "forest" },
      "no votes",
    );
    grower.growTo(9);
    expect(shadowGains(round)).toEqual({ gains: grower.gains(), treeCount: 9 });
  });

  test("are the same in chunks of trees, whoever grows them", () => {
    const whole = shadowGains(round).gains;
    const chunks = [6, 0, 4].map((treeFrom, at) => shadowGains({ ...round, treeFrom, treeTo: [9, 4, 6][at]! }).gains);
    whole.forEach((gain, feature) => {
      expect(chunks[0]![feature]! + chunks[1]![feature]! + chunks[2]![feature]!).toBeCloseTo(gain, 8);
    });
    expect(chunks[0]).not.toEqual(chunks[1]!);
  });

  test("differ from round to round and from seed to seed", () => {
    const { gains } = shadowGains(round);
    expect(shadowGains(round).gains).toEqual(gains);
    expect(shadowGains({ ...round, round: 6 }).gains).not.toEqual(gains);
    expect(shadowGains({ ...round, seed: 78 }).gains).not.toEqual(gains);
  });

  test("end early when time is up, and leave when cancelled", () => {
    expect(shadowGains({ ...round, stop: { ...neverStop, timeIsUp: () => true } })).toEqual(
      shadowGains({ ...round, treeTo: 1 }),
    );
    expect(() => shadowGains({ ...round, stop: { ...neverStop, cancelled: () => true } })).toThrow(Cancelled);
  });
});

describe("hits", () => {
  test("compare a candidate with the shadows of its own cardinality class", () => {
    const gains = Float64Array.of(5, 5, 2, 3, 4.9, 6, 1, 2);
    const { hits, bestShadowGains } = hitsOf(gains, [0, 2, 3, 3], [0, 2, 3, 3]);
    expect([...hits]).toEqual([1, 0, 0, 1]);
    expect([...bestShadowGains]).toEqual([4.9, 0, 6, 2]);
  });

  test("need a gain above the best shadow's", () => {
    expect([...hitsOf(Float64Array.of(0, 4, 4, 4), [1, 1], [1, 1]).hits]).toEqual([0, 0]);
  });

  test("come to features that tell something, and hardly ever to noise", () => {
    const bucketCounts = [10, 10, 10, 2, 2, 10, 10, 2];
    const { view, rows, classes, classCount } = drawInput({ seed: 8, rowCount: 1200, classCount: 2, bucketCounts });
    const noise = inOrder(withShadows(view, [0, 3], [1, 2, 4, 5, 6, 7, 1, 4], 4), classes, classCount);
    const cardinality = [3, 0, 3, 3, 0, 3, 3, 0, 3, 0];
    const copies = chooseShadows(cardinality, 1, 10);
    const counts = cardinality.map(() => 0);
    for (let index = 0; index < 8; index++) {
      const candidates = [...cardinality.keys()];
      const chunk = { ...round, view: noise, rows, classes, classCount, candidates, shadowOf: copies, round: index };
      const { gains } = shadowGains({ ...chunk, treeTo: 25 });
      const shadowClass = copies.map((position) => cardinality[position]!);
      hitsOf(gains, cardinality, shadowClass).hits.forEach((hit, position) => {
        counts[position]! += hit;
      });
    }
    expect(Math.min(...counts.slice(0, 2))).toBeGreaterThan(5);
    expect(Math.max(...counts.slice(2))).toBeLessThan(6);
  });

  test("hardly ever come to noise categories, whose order the labels have made", () => {
    const random = new Random(3);
    const classes = Uint8Array.from({ length: 900 }, () => random.nextBelow(2));
    const drawCategory = () =>
      categoryFeature(
        Array.from(classes, () => FIRST_CODE + random.nextBelow(40)),
        40,
      );
    const view = inOrder({ rowCount: 900, features: Array.from({ length: 6 }, drawCategory) }, classes, 2);
    const rows = Uint32Array.from(classes, (_, row) => row);
    const candidates = [...view.features.keys()];
    const shadowOf = [...candidates, ...candidates, ...candidates];
    let hits = 0;
    for (let index = 0; index < 8; index++) {
      const chunk = { ...round, view, rows, classes, classCount: 2, candidates, shadowOf, round: index };
      const { gains } = shadowGains({ ...chunk, treeTo: 25 });
      hits += hitsOf(
        gains,
        candidates.map(() => 0),
        shadowOf.map(() => 0),
      ).hits.reduce((sum, hit) => sum + hit, 0);
    }
    expect(hits).toBeLessThan(10);
  });
});

/** Categories in the order that fitting buckets gives them. */
function inOrder(view: CodedView, classes: Uint8Array, classCount: number): CodedView {
  const features = view.features.map((feature) =>
    feature.kind === "category" ? inOrderOfSignal(feature, classes, classCount) : feature,
  );
  return { ...view, features };
}
