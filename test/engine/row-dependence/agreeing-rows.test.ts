// People who answered twice and changed some answers are found; people who are merely alike are not.
import { describe, expect, test } from "bun:test";
import { deriveSeed, Random, shuffled } from "../../../engine/random.ts";
import { findAgreeingRows } from "../../../engine/row-dependence/agreeing-rows.ts";
import { findDependence } from "../../../engine/row-dependence/dependence.ts";
import { codeSample } from "../../../engine/row-dependence/sample.ts";
import { Cancelled, neverStop } from "../../../engine/stop-signal.ts";
import type { FieldTable } from "../../bench/field-tables.ts";
import { drawNormal } from "../../bench/noisy-tables.ts";
import { tableOf } from "../../support/drawn-tables.ts";

const ITEMS = 12;

interface Survey {
  people: number;
  /** How many of these answer once more. */
  twice: number;
  /** Share of answers that change by one. */
  changed: number;
  /** How much all answers go by one opinion, 0 to 1, and how much the label goes by it in log-odds. */
  likeness?: number;
  slope?: number;
}

/** The label hardly goes by the answers unless by the opinion. The first `people` rows are their first answers. */
function drawSurvey({ people, twice, changed, likeness = 0, slope = 0 }: Survey, seed: number): FieldTable {
  const random = new Random(deriveSeed(seed, people, twice, Math.round(100 * changed)));
  const answer = (value: number) => Math.min(5, Math.max(1, Math.round(value)));
  const first = Array.from({ length: people }, () => {
    const opinion = drawNormal(random);
    const answers = Array.from({ length: ITEMS }, () =>
      answer(3 + likeness * opinion + (1 - likeness) * drawNormal(random)),
    );
    const logit = slope * opinion + (slope === 0 ? 2 : 0) * drawNormal(random);
    return { answers, label: random.nextFloat() < 1 / (1 + Math.exp(-logit)) ? "A" : "B" };
  });
  const again = first.slice(0, twice).map(({ answers, label }) => {
    const step = () => (random.nextFloat() < changed ? (random.nextFloat() < 0.5 ? -1 : 1) : 0);
    return { answers: answers.map((value) => answer(value + step())), label };
  });
  const rows = [...first, ...again].map(({ answers, label }) => [...answers.map(String), label]);
  return { names: [...Array.from({ length: ITEMS }, (_, at) => `q${at}`), "party"], rows, elsewhere: [] };
}

function mixed(survey: FieldTable): FieldTable {
  return { ...survey, rows: Array.from(shuffled(survey.rows.keys(), new Random(5)), (row) => survey.rows[row]!) };
}

const found = (survey: FieldTable) => findAgreeingRows(codeSample(tableOf(survey).table), 1, neverStop);

test("most people who answered twice are put together, and hardly any others", () => {
  const people = 500;
  const { groups } = found(drawSurvey({ people, twice: 400, changed: 0.06 }, 1))!;
  const together = Array.from({ length: 400 }, (_, person) => groups[person] === groups[people + person]);
  expect(together.filter(Boolean).length).toBeGreaterThan(320);
  expect(new Set(groups).size).toBeGreaterThan(450);
});

test.each([
  [400, 0.06],
  [400, 0.12],
  [150, 0.06],
])("what %i of 500 people cost who answer twice, %f changed, is told", (twice, changed) => {
  const { table } = tableOf(mixed(drawSurvey({ people: 500, twice, changed }, 2)));
  const [loss] = findDependence(table, 1, neverStop).found.filter(({ bond }) => bond === "agreeing rows");
  expect(loss!.random - loss!.held).toBeGreaterThan(0.05);
  expect(loss!.held).toBeLessThan(0.6);
});

test("a column that names the people is told, and no other", () => {
  const { names, rows } = drawSurvey({ people: 500, twice: 400, changed: 0.06 }, 1);
  const withColumn = (own: (row: number) => string) =>
    found({ names: ["own", ...names], rows: rows.map((row, at) => [own(at), ...row]), elsewhere: [] })!.naming;
  expect(withColumn((row) => `person ${row % 500}`)).toBe(0);
  expect(withColumn((row) => `town ${(row % 500) % 40}`)).toBeNull();
});

describe("nothing is found", () => {
  test.each([
    ["who answer once", { likeness: 0 }],
    ["of one opinion", { likeness: 0.7, slope: 3 }],
    ["of nearly the same answers", { likeness: 0.9, slope: 3 }],
  ])("among people %s", (_, alike) => {
    for (const seed of [1, 2, 3]) {
      expect(found(drawSurvey({ people: 900, twice: 0, changed: 0, ...alike }, seed))).toBeNull();
    }
  });

  test("where the label does not go with people", () => {
    const { names, rows } = drawSurvey({ people: 500, twice: 400, changed: 0.06 }, 1);
    const order = shuffled(rows.keys(), new Random(3));
    const relabelled = rows.map((row, at) => [...row.slice(0, -1), rows[order[at]!]!.at(-1)!]);
    expect(found({ names, rows: relabelled, elsewhere: [] })).toBeNull();
  });
});

test("a cancelled search ends", () => {
  const { table } = tableOf(drawSurvey({ people: 500, twice: 400, changed: 0 }, 1));
  const cancelled = { cancelled: () => true, timeIsUp: () => false };
  expect(() => findAgreeingRows(codeSample(table), 1, cancelled)).toThrow(Cancelled);
});
