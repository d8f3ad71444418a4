// Labels that are quantities, told from codes of classes by their numbers and how often each comes.
import { describe, expect, test } from "bun:test";
import { PLAIN_FORM } from "../../../engine/columns/numbers.ts";
import { quantityWarning } from "../../../engine/profile/label-quantity.ts";
import { profileOf } from "../../support/record-batches.ts";

/** Classes from a first number on, one step apart. */
const counted = (counts: readonly number[], first = 0, step = 1) =>
  counts.map((count, at) => ({ label: String(Math.round((first + at * step) * 1e6) / 1e6), count }));
const even = (amount: number, count: number) => Array.from({ length: amount }, () => count);
const bell = (amount: number, most: number) =>
  Array.from(
    { length: amount },
    (_, at) => 1 + Math.round(most * Math.exp(-(((at - amount / 2) / (amount / 5)) ** 2))),
  );
/** The counts of classes of public tables, in the order of their codes. */
const CODES: Record<string, [counts: number[], first: number]> = {
  "led24, ten digits": [[327, 302, 329, 335, 296, 327, 337, 320, 308, 319], 0],
  "movement_libras, fifteen gestures": [even(15, 24), 1],
  "pen digits": [[1143, 1143, 1144, 1055, 1144, 1055, 1056, 1142, 1055, 1055], 0],
  "cover types": [[211_840, 283_301, 35_754, 2_747, 9_493, 17_367, 20_510], 1],
  "shuttle states": [[45_586, 50, 171, 8_903, 3_267, 10, 13], 1],
  "letters by their place": [
    [
      789, 766, 736, 805, 768, 775, 773, 734, 755, 747, 739, 761, 792, 783, 753, 803, 783, 758, 748, 796, 813, 764, 752,
      787, 786, 734,
    ],
    1,
  ],
  "operating systems": [[2585, 6601, 2555, 478, 6, 19, 7, 79], 1],
  "sources of traffic": [
    [2451, 3913, 2052, 1069, 260, 444, 40, 343, 42, 450, 247, 1, 738, 13, 38, 3, 1, 10, 17, 198],
    1,
  ],
  "five stars": [[10, 53, 681, 638, 18], 1],
  "yes and no": [[500, 268], 0],
};
const QUANTITIES: Record<string, ReturnType<typeof counted>> = {
  "52 scores of one decimal": counted(even(52, 6), 1, 0.1),
  "five fractions": counted([3, 9, 12, 8, 2], 0.5, 0.5),
  "57 counts": counted(bell(57, 90)),
  "57 counts, all alike": counted(even(57, 8), 18),
  "calls of a month": counted([24, 265, 743, 992, 953, 706, 495, 308, 172, 148, 76, 45, 23, 19, 6, 9, 7, 2, 4, 2, 1]),
  "pregnancies, most often none": counted([111, 135, 103, 75, 68, 57, 50, 45, 38, 28, 24, 11, 9, 10, 2, 1, 1]),
  "few of many": [10, 11, 15, 20, 30, 40, 55, 70, 100, 150, 200].map((label) => ({ label: String(label), count: 9 })),
  "seven grades of wine": counted([20, 163, 1457, 2198, 880, 175, 5], 3),
};

describe("codes of classes are left alone", () => {
  test.each(Object.entries(CODES))("%s", (_, [counts, first]) => {
    expect(quantityWarning("y", counted(counts, first), PLAIN_FORM)).toBeNull();
  });
});

describe("quantities are told", () => {
  test.each(Object.entries(QUANTITIES))("%s", (_, classes) => {
    expect(quantityWarning("y", classes, PLAIN_FORM)).toMatchObject({
      code: "LABEL_LOOKS_LIKE_QUANTITY",
      column: "y",
      count: classes.length,
    });
  });

  test("with the numbers that they go from and to, and a cut that leaves rows on both sides", () => {
    const message = (classes: ReturnType<typeof counted>) => quantityWarning("y", classes, PLAIN_FORM)!.message;
    expect(message(counted([3, 9, 12, 8, 2], 0.5, 0.5))).toContain("from 0.5 to 2.5");
    expect(message(counted([3, 9, 12, 8, 2], 0.5, 0.5))).toContain('"up to 1.5" and "above 1.5"');
    expect(message(counted([1, 1, 1, 1, 99], 0.5, 0.5))).toContain('"up to 2"');
    expect(message(counted([99, 1, 1, 1, 1], 0.5, 0.5))).toContain('"up to 0.5"');
  });
});

describe("a table whose label is a quantity", () => {
  const codesOf = (label: (row: number) => string) =>
    profileOf(
      ["x", "y"],
      Array.from({ length: 400 }, (_, row) => [String(row % 7), label(row)]),
    ).warnings.map(({ code }) => code);

  test("says so, in whatever form its numbers are", () => {
    expect(codesOf((row) => String(1 + (row % 52) / 10))).toContain("LABEL_LOOKS_LIKE_QUANTITY");
    expect(codesOf((row) => `${1 + (row % 9)}.5%`)).toContain("LABEL_LOOKS_LIKE_QUANTITY");
    expect(codesOf((row) => String(row % 57))).toContain("LABEL_LOOKS_LIKE_QUANTITY");
  });

  test("but not where its numbers are codes, or texts", () => {
    expect(codesOf((row) => String(row % 15))).not.toContain("LABEL_LOOKS_LIKE_QUANTITY");
    expect(codesOf((row) => `0${100 + (row % 57)}`)).not.toContain("LABEL_LOOKS_LIKE_QUANTITY");
    expect(codesOf((row) => `class ${row % 57}`)).not.toContain("LABEL_LOOKS_LIKE_QUANTITY");
  });

  test("beyond the classes that can be learned is refused, with the same way to go on", () => {
    const { warnings } = profileOf(
      ["x", "y"],
      Array.from({ length: 400 }, (_, row) => [String(row % 7), String(row / 2)]),
    );
    const found = warnings.filter(({ code }) => code === "TOO_MANY_CLASSES" || code === "LABEL_LOOKS_LIKE_QUANTITY");
    expect(found.map(({ code }) => code)).toEqual(["TOO_MANY_CLASSES"]);
    expect(found[0]!.message).toMatch(/looks continuous.*"up to 99.5" and "above 99.5"/);
  });
});
