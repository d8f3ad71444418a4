// Labels that come later: matched in the rows' order and by keys, against a
// naive count; and what is refused, with its line.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { readCsv } from "../../../engine/csv/read.ts";
import { InputError } from "../../../engine/input-error.ts";
import { rightCount } from "../../../engine/judging/metrics.ts";
import {
  accuracyOfOutcomes,
  judgedCount,
  type OutcomeColumns,
  type OutcomeCounts,
  OutcomeLabels,
  OutcomeMatch,
} from "../../../engine/outcomes/outcomes.ts";

const MODEL = { label: "species", labels: ["Adelie", "Gentoo", "1"], missingMarkers: ["NA"] };
const RESULT = "id,prediction,confidence\na,Adelie,0.9\nb,Gentoo,0.8\nc,1,0.7\nd,Adelie,0.6\n";
const IN_ORDER: OutcomeColumns = { labelColumn: null, keyColumn: null };
const BY_ID: OutcomeColumns = { labelColumn: null, keyColumn: "id" };

function read(text: string, taker: OutcomeLabels | OutcomeMatch): void {
  readCsv(
    () => [new TextEncoder().encode(text)],
    (header) => {
      taker.begin(header);
      return (batch) => taker.add(batch);
    },
  );
}

function count(labels: string, columns: OutcomeColumns = IN_ORDER, result: string = RESULT): OutcomeCounts {
  const known = new OutcomeLabels(MODEL, columns);
  read(labels, known);
  const match = new OutcomeMatch(MODEL, known, columns);
  read(result, match);
  return match.end();
}

function refusal(run: () => unknown): Pick<InputError, "code" | "message" | "line"> {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    const { code, message, line } = error as InputError;
    return { code, message, line };
  }
  throw new Error("nothing was refused");
}

test("labels in the rows' order are counted by label and decision; empty ones are not known yet", () => {
  const counts = count("species,note\nAdelie,x\n Adelie ,y\nNA,z\n,w\n");
  expect(counts).toEqual({
    ...{ unknownLabels: 0, withoutLabel: 2, withoutLabelBy: [1, 0, 1], unmatched: 0 },
    confusion: [
      [1, 1, 0],
      [0, 0, 0],
      [0, 0, 0],
    ],
  });
  expect([judgedCount(counts), rightCount(counts.confusion), accuracyOfOutcomes(counts)!.mean]).toEqual([2, 1, 0.5]);
});

test("labels are read as the model reads them: the only column, whatever its name", () => {
  expect(count("truth\nAdelie\nGentoo\n1\nAdelie\n")).toMatchObject({
    confusion: [[2], [0, 1], [0, 0, 1]].map(padded),
  });
});

const padded = (row: number[]) => [...row, 0, 0].slice(0, 3);

test("a label that the model does not know makes the decision wrong, and stands apart", () => {
  const counts = count('species\nChinstrap\nGentoo\n""\nAdelie\n');
  expect(counts).toMatchObject({ unknownLabels: 1, withoutLabel: 1 });
  expect([judgedCount(counts), rightCount(counts.confusion)]).toEqual([3, 2]);
});

test("labels in another coding, of which the model knows none, are refused with one of them", () => {
  expect(refusal(() => count('species\n""\n ADELIE\nGENTOO\nADELIE\n'))).toMatchObject({
    code: "UNKNOWN_LABELS",
    message:
      'Of 3 labels the model knows none: they are written like "ADELIE", and it knows "Adelie", "Gentoo", "1". ' +
      "Write them as the training file does.",
  });
  expect(refusal(() => count("species,id\n0,b\nAdelie,zz\n", BY_ID)).code).toBe("UNKNOWN_LABELS");
});

test("labels whose common column shows another order are refused; with that column as key they are counted", () => {
  const ids = Array.from({ length: 40 }, (_, row) => `r${row}`);
  const result = `id,prediction\n${ids.map((id) => `${id},Adelie\n`).join("")}`;
  const labels = `id,species\n${ids
    .toReversed()
    .map((id) => `${id},Adelie\n`)
    .join("")}`;
  expect(refusal(() => count(labels, IN_ORDER, result))).toMatchObject({
    code: "ROW_ORDER",
    message: expect.stringContaining("match the rows by it: --key=id or, in the API, keyColumn."),
  });
  expect(rightCount(count(labels, BY_ID, result).confusion)).toBe(40);
});

test("keys find their rows in any order; foreign keys are told apart", () => {
  const counts = count("species,id\nAdelie,d\nAdelie,zz\nGentoo, b \n", BY_ID);
  expect(counts).toMatchObject({ withoutLabel: 2, unmatched: 1, unknownLabels: 0 });
  expect(rightCount(counts.confusion)).toBe(2);
});

test.each([
  [
    "ROW_COUNT",
    /has 3 rows; the prediction has 4.*names each row: --key or, in the API, keyColumn/,
    undefined,
    "species\nAdelie\nGentoo\n1\n",
    IN_ORDER,
  ],
  ["ROW_COUNT", /has 5 rows; the prediction has 4/, undefined, "species\nAdelie\nGentoo\n1\n1\n1\n", IN_ORDER],
  ["NO_LABEL_COLUMN", /no column "species".*--label or, in the API, labelColumn.*"a", "b"/, 1, "a,b\n1,2\n", IN_ORDER],
  [
    "COLUMN_NOT_FOUND",
    /no column "specie"\. Did you mean "species"/,
    1,
    "species\nAdelie\n",
    { ...IN_ORDER, labelColumn: "specie" },
  ],
  ["COLUMN_NOT_FOUND", /file of labels has no column "id"/i, 1, "species\nAdelie\n", BY_ID],
  ["DUPLICATE_KEY", /Line 4 of the file of labels/, 4, "id,species\na,Adelie\nb,Adelie\na,Gentoo\n", BY_ID],
  ["KEY_TOO_LONG", /Line 2: the key has 201 characters/, 2, `id,species\n${"k".repeat(201)},Adelie\n`, BY_ID],
  ["NO_COMMON_KEY", /No key in "id"/, undefined, "id,species\nx,Adelie\n", BY_ID],
  ["NO_LABELS", /No row has a label/, undefined, "species\nNA\nNA\nNA\nNA\n", IN_ORDER],
] as const)("%s is refused: %p", (code, message, line, labels, columns) => {
  expect(refusal(() => count(labels, columns))).toEqual({ code, message: expect.stringMatching(message), line });
});

test("a predicted file that cannot be used is refused", () => {
  const labels = "id,species\na,Adelie\nb,Gentoo\n";
  const refused = (result: string) => refusal(() => count(labels, BY_ID, result));
  expect(refused("id,prediction\na,Adelie\na,Adelie\n")).toMatchObject({ code: "DUPLICATE_KEY", line: 3 });
  expect(refused("id,confidence\na,1\n")).toMatchObject({ code: "NO_PREDICTION", line: 1 });
  expect(refused("key,prediction\na,Adelie\n").code).toBe("COLUMN_NOT_FOUND");
  expect(refused("id,prediction\na,penguin\n")).toMatchObject({ code: "OTHER_MODEL", line: 2 });
});

test("where the input had a prediction of its own, the model's is counted", () => {
  const result = "prediction,id,prediction_2,confidence\nold,a,Adelie,0.9\nold,b,Adelie,0.9\n";
  expect(rightCount(count("species\nAdelie\nAdelie\n", IN_ORDER, result).confusion)).toBe(2);
});

test("rows in any order by key give the same counts as rows in their order, which a naive count has too", () => {
  const row = fc.record({
    label: fc.constantFrom("Adelie", "Gentoo", "1", "other", ""),
    decision: fc.constantFrom(0, 1, 2),
  });
  const rows = fc
    .array(row, { minLength: 1, maxLength: 60 })
    .filter((all) => all.some(({ label }) => MODEL.labels.includes(label)));
  fc.assert(
    fc.property(rows, fc.nat(), (all, shift) => {
      const result = `id,prediction\n${all.map(({ decision }, at) => `k${at},${MODEL.labels[decision]}`).join("\n")}\n`;
      const keyed = all.map(({ label }, at) => `k${at},${label}`);
      const turned = [...keyed.slice(shift % all.length), ...keyed.slice(0, shift % all.length)];
      const byKey = count(`id,species\n${turned.join("\n")}\n`, BY_ID, result);
      const inOrder = count(`id,species\n${keyed.join("\n")}\n`, IN_ORDER, result);
      const naive = MODEL.labels.map((label) =>
        MODEL.labels.map((_, decided) => all.filter((one) => one.label === label && one.decision === decided).length),
      );
      expect(inOrder).toEqual({
        confusion: naive,
        unknownLabels: all.filter(({ label }) => label === "other").length,
        withoutLabel: all.filter(({ label }) => label === "").length,
        withoutLabelBy: MODEL.labels.map(
          (_, decided) => all.filter(({ label, decision }) => label === "" && decision === decided).length,
        ),
        unmatched: 0,
      });
      expect(byKey).toEqual(inOrder);
    }),
  );
});
