// Doubts in words: worst first, each told once, each with what to do.
import { describe, expect, test } from "bun:test";
import type { LeakSuspect } from "../../../engine/leaks/leaks.ts";
import type { Flattery } from "../../../engine/row-dependence/dependence.ts";
import { type Doubt, hasSeriousDoubt } from "../../../src/summary/verdict.ts";
import { BEFORE_MODELS, type VerdictInput, verdictOf } from "../../../src/verdict/doubts.ts";
import { remediesOf } from "../../../src/verdict/remedies.ts";
import { quietWords, unfinishedWords } from "../../../src/words/verdict-words.ts";
import type { LeakageAnswer, SourceColumn } from "../../../workers/messages.ts";

type LeakMark = NonNullable<LeakSuspect["mark"]>;

const columns = ["machine", "it's a day", "sum", "paid"].map(
  (name, index) => ({ name, index, used: true, role: "feature" }) as SourceColumn,
);
const machine = flattery("group", 0, 1, 0.56);
const day = flattery("time", 1, 0.9, 0.8);
const years = flattery("later years", 1, 0.95, 0.76);
const order = flattery("file order", null, 0.98, 0.72);
const copies = flattery("copies", null, 0.92, 0.61);
const twins = flattery("near-twins", null, 0.98, 0.7);

function leakageOf(found: Flattery[], leaks: LeakageAnswer["leaks"] = []): LeakageAnswer {
  const dependence = { rowCount: 1_000, found, sortedBy: [], copiedRowCount: 3, isWhole: true };
  return { leaks, isCut: false, dependence, seconds: 1 };
}

/** A table that is judged at random, without warnings. */
function sourceOf(change: Partial<VerdictInput["source"]> = {}): VerdictInput["source"] {
  const judgedBy = { group: null, time: null, groupCount: 0 };
  return { columns, recordCount: 1_000, judgedBy, warnings: [], ...change };
}

function flattery(bond: Flattery["bond"], column: number | null, random: number, held: number): Flattery {
  return { bond, column, measure: "accuracy", random, held };
}

function verdict(change: Partial<VerdictInput>) {
  const usual = { leakage: leakageOf([]), source: sourceOf(), heldOutRowCount: 800, ...BEFORE_MODELS };
  return verdictOf({ ...usual, ...change });
}

function doubtsOf(found: Flattery[], leaks: LeakSuspect[] = [], source = sourceOf()) {
  return verdict({ source, leakage: leakageOf(found, leaks) }).doubts;
}

const leakDoubts = (...leaks: LeakSuspect[]) => doubtsOf([], leaks);
const codesOf = (doubts: readonly Doubt[]) => doubts.map(({ code }) => code);

/** A mark of the fourth column. */
function markOf(change: Partial<LeakMark>, strength = 0.7): LeakSuspect {
  const usual = {
    part: null,
    by: "value",
    text: null,
    label: "yes",
    rowCount: 541,
    withIt: 0.8,
    without: 0.6,
  } as const;
  return { columns: [3], by: "mark", strength, mark: { ...usual, ...change } };
}

/** A source whose columns are all changed alike. */
const sourceOfAll = (change: Partial<SourceColumn>) =>
  sourceOf({ columns: columns.map((column) => ({ ...column, ...change }) as SourceColumn) });

/** A source of which some columns are not learned from. */
const sourceWithout = (...unused: readonly number[]) =>
  sourceOf({ columns: columns.map((column) => ({ ...column, used: !unused.includes(column.index) })) });

describe("doubts", () => {
  test("say by how much random rows flatter, and name the option", () => {
    const doubts = doubtsOf([machine]);
    expect(doubts).toEqual([
      {
        code: "GROUPS_FLATTER",
        level: "serious",
        message:
          'Rows with the same "machine" resemble each other: 100.0% at random, about 56.0% for values of "machine" that the model has not seen.',
        remedy: 'If the model is to answer for new values of "machine", judge by it.',
        option: "--group machine",
        columns: ["machine"],
        random: 1,
        held: 0.56,
      },
    ]);
  });

  test("name the balanced accuracy where that is what moves", () => {
    const rare: Flattery = { bond: "values", column: 0, measure: "balanced-accuracy", random: 0.86, held: 0.74 };
    expect(doubtsOf([rare])[0]!.message).toBe(
      'The label goes by "machine": balanced accuracy 86.0% at random, about 74.0% for values of "machine" that the model has not seen.',
    );
  });

  test("of values that the label goes by name both ways, since a column may be filled in later", () => {
    const own = flattery("values", 0, 0.9, 0.5);
    const [doubt] = doubtsOf([own]);
    expect(doubt).toMatchObject({
      remedy:
        'If the model is to answer for new values of "machine", judge by it. If it is filled in once the label is known, leave it out.',
      option: "--group machine or --without machine",
    });
    expect(remediesOf(doubt!).map(({ changes }) => changes)).toEqual([
      { groupColumn: "machine" },
      { withoutColumns: ["machine"] },
    ]);
    const [grouped] = doubtsOf([machine]);
    expect(remediesOf(grouped!).map(({ changes }) => changes)).toEqual([{ groupColumn: "machine" }]);
  });

  test("of few groups ask whether others will come, beside what else is found, unless their column leaks", () => {
    const few = flattery("few groups", 0, 0.8, 0.6);
    const leak: LeakSuspect = { columns: [0], by: "values", strength: 0.96 };
    const source = sourceOfAll({ distinct: 6, missing: 0 });
    expect(codesOf(doubtsOf([few, order], [leak], source))).toEqual(["LEAK_SUSPECT", "FILE_ORDER_FLATTERS"]);
    const agreeing: Flattery = { ...few, bond: "agreeing rows", column: null };
    expect(codesOf(doubtsOf([few, agreeing], [], source))).toEqual(["NEAR_TWINS_FLATTER"]);
    const doubts = doubtsOf([few, order], [], source);
    expect(doubts.map(({ code, level }) => [code, level])).toEqual([
      ["FILE_ORDER_FLATTERS", "serious"],
      ["GROUPS_FLATTER", "caution"],
    ]);
    expect(doubts[1]).toMatchObject({
      message:
        'Will new rows have values of "machine" other than these 6? Other columns tell the values apart: by these alone ' +
        "80.0% are right at random, about 60.0% for a value that the model has not seen.",
      remedy: "If not, the accuracy holds. If so, leaving it out does not help; judge by it.",
      option: "--group machine",
    });
    expect(remediesOf(doubts[1]!).map(({ changes }) => changes)).toEqual([{ groupColumn: "machine" }]);
    const seen = doubtsOf([{ ...few, bond: "seen values" }, order], [], source)[1]!;
    expect(seen).toMatchObject({
      level: "caution",
      message:
        'Will new rows have values of "machine" other than these 6? The label goes by it: 80.0% are right at random, ' +
        "about 60.0% for a value that the model has not seen.",
      option: "--group machine or --without machine",
    });
    const sorted: Flattery = { ...order, bond: "sorted", column: 0 };
    expect(codesOf(doubtsOf([sorted, few], [], source))).toEqual(["SORTED_FILE"]);
  });

  test("come worst first, and quote names for a shell", () => {
    const doubts = doubtsOf([day, machine]);
    expect(codesOf(doubts)).toEqual(["GROUPS_FLATTER", "TIME_FLATTERS"]);
    expect(doubts[1]!.option).toBe(`--time "it's a day"`);
  });

  test("tell the same rows once: by a column, else by order, else as near-twins", () => {
    expect(codesOf(doubtsOf([machine, order, twins]))).toEqual(["GROUPS_FLATTER"]);
    expect(codesOf(doubtsOf([order, twins]))).toEqual(["FILE_ORDER_FLATTERS"]);
    expect(codesOf(doubtsOf([twins]))).toEqual(["NEAR_TWINS_FLATTER"]);
    expect(codesOf(doubtsOf([machine, copies]))).toEqual(["GROUPS_FLATTER", "COPIES_FLATTER"]);
  });

  test("name columns that recur together in place of a part of them, but not of one that names the groups", () => {
    const together = (column: number | null) => ({ ...flattery("recurring", column, 0.99, 0.55), columns: [0, 1] });
    const doubts = doubtsOf([together(null), machine, order]);
    expect(doubts).toEqual([
      {
        code: "NEAR_TWINS_FLATTER",
        level: "serious",
        message:
          `Most rows have others that agree in "machine", "it's a day", as rows of one patient, machine or ` +
          "customer do: 99.0% at random, about 55.0% where these were held out together.",
        remedy: "If the model is to answer for others, add a column that names whose row it is, and judge by it.",
        option: "--group COLUMN",
        columns: ["machine", "it's a day"],
        random: 0.99,
        held: 0.55,
      },
    ]);
    const [alone] = doubtsOf([together(0), order]);
    expect(alone).toMatchObject({
      code: "NEAR_TWINS_FLATTER",
      remedy: 'If the model is to answer for others, judge by "machine", which tells them apart.',
      option: "--group machine",
    });
    expect(codesOf(doubtsOf([together(0), machine, order]))).toEqual(["GROUPS_FLATTER"]);
  });

  test("ask of a label that only the newest rows have whether it is one, before they advise to judge by time", () => {
    const doubts = doubtsOf([{ ...day, lateLabel: "to do" }]);
    expect(doubts[0]).toMatchObject({
      remedy:
        'The newest rows mostly have the label "to do", the older half never: does it mean that there is none yet? ' +
        'If it means that there is no value, say so: --missing="to do" or, in the API, missingValues. ' +
        "That list takes the place of the usual one, so name NA and the like too where the file has them. " +
        "If the model is to answer for later rows, judge by time.",
      option: `--time "it's a day"`,
    });
  });

  test("do not advise to judge by a year that belongs to the things that rows are of", () => {
    const together = { ...flattery("recurring", null, 0.8, 0.5), columns: [0, 1] };
    const codes = (kind: "number" | "date", sortedBy: number[], ...found: Flattery[]) => {
      const leakage = leakageOf(found);
      const sorted = { ...leakage, dependence: { ...leakage.dependence!, sortedBy } };
      return codesOf(verdict({ source: sourceOfAll({ kind }), leakage: sorted }).doubts);
    };
    expect(codes("number", [], together, day)).toEqual(["NEAR_TWINS_FLATTER"]);
    expect(codes("number", [], day)).toEqual(["TIME_FLATTERS"]);
    expect(codes("number", [1], together, day)).toEqual(["NEAR_TWINS_FLATTER", "TIME_FLATTERS"]);
    expect(codes("date", [], together, day)).toEqual(["NEAR_TWINS_FLATTER", "TIME_FLATTERS"]);
  });

  test("say what a model that learns from a date loses in later years, with both ways out", () => {
    const doubts = doubtsOf([years, day, order]);
    expect(doubts).toEqual([
      {
        code: "TIME_FLATTERS",
        level: "serious",
        message:
          `In a year that it has not seen, a model that learns from "it's a day" is less often right: ` +
          "95.0% at random, about 76.0% on the same months of the next year.",
        remedy:
          `If the model is to answer for later rows, judge by time, once learning from "it's a day" and once not, and ` +
          "keep the better by that. Or leave it out alone.",
        option: `--time "it's a day" --keep-key-columns, --time "it's a day" or --without "it's a day"`,
        columns: ["it's a day"],
        random: 0.95,
        held: 0.76,
      },
    ]);
    expect(remediesOf(doubts[0]!)).toEqual([
      { words: "Judge by time", changes: { timeColumn: "it's a day" } },
      {
        words: "Judge by time and learn from it's a day",
        changes: { timeColumn: "it's a day", keepKeyColumns: true },
      },
      { words: "Train without it's a day", changes: { withoutColumns: ["it's a day"] } },
    ]);
  });

  test("of texts of few kinds ask whether others will come", () => {
    const few = flattery("few texts", 1, 0.94, 0.28);
    const [doubt, ...others] = doubtsOf([few]);
    expect(others).toEqual([]);
    expect(doubt).toMatchObject({ code: "NEAR_TWINS_FLATTER", level: "caution", option: "--group COLUMN" });
    expect(doubt!.message).toStartWith(`Will new texts in "it's a day" be of other kinds?`);
    expect(doubt!.message).toEndWith("94.0% are right at random, about 28.0% for a kind that the model has not seen.");
  });

  test("of signed texts ask whether others will write", () => {
    const signed = flattery("endings", 1, 0.76, 0.58);
    const [doubt, ...others] = doubtsOf([signed]);
    expect(others).toEqual([]);
    expect(doubt).toMatchObject({ code: "NEAR_TWINS_FLATTER", level: "caution", option: "--group COLUMN" });
    expect(doubt!.message).toStartWith(`Will new texts in "it's a day" be of other writers?`);
    expect(doubt!.message).toEndWith("about 58.0% for a writer whom the model has not seen.");
  });

  test("of later years are none where the date is not learned from", () => {
    const source = sourceWithout(1);
    expect(doubtsOf([years], [], source)).toEqual([]);
    expect(doubtsOf([years, day], [], source)[0]!.held).toBe(day.held);
  });

  describe("about columns that the run left out", () => {
    /** Gives the `held` of each doubt, the worst first. That of the near-twins, which no column names, is .7. */
    const heldOf = (own: Pick<Flattery, "bond" | "column" | "columns">, ...leftOut: number[]) => {
      const source = sourceWithout(...leftOut);
      return doubtsOf([{ ...flattery(own.bond, own.column, 0.98, 0.6), ...own }, twins], [], source).map(
        ({ held }) => held,
      );
    };

    test.each([
      { bond: "values", column: 0 },
      { bond: "seen values", column: 0 },
      { bond: "texts", column: 0 },
      { bond: "later years", column: 0 },
      { bond: "recurring", column: null, columns: [0] },
      { bond: "noisy repeats", column: null, columns: [0] },
    ] as const)("are closed where rows flatter only through these: $bond", (own) => {
      expect(heldOf(own, 1, 2)[0]).toBe(0.6);
      expect(heldOf(own, 0)).toEqual([0.7]);
    });

    test.each(["recurring", "noisy repeats"] as const)("stay open where some are learned from: %s", (bond) => {
      const own = { bond, column: null, columns: [0, 1] };
      expect(heldOf(own, 0)[0]).toBe(0.6);
      expect(heldOf(own, 0, 1)).toEqual([0.7]);
    });

    test.each([
      { bond: "group", column: 0 },
      { bond: "time", column: 0 },
      { bond: "sorted", column: 0 },
      { bond: "places", column: null, columns: [0, 1] },
    ] as const)("stay open where rows belong together without these: $bond", (own) => {
      expect(heldOf(own, 0, 1)[0]).toBe(0.6);
    });
  });

  test("of rows that agree stand for columns in which they do, but for the one that names them", () => {
    const agreeing = flattery("agreeing rows", null, 0.9, 0.5);
    const group = flattery("group", 0, 0.9, 0.48);
    expect(codesOf(doubtsOf([group, agreeing]))).toEqual(["NEAR_TWINS_FLATTER"]);
    expect(codesOf(doubtsOf([group, { ...agreeing, naming: 0 }]))).toEqual(["GROUPS_FLATTER"]);
    expect(codesOf(doubtsOf([{ ...group, held: 0.4 }, agreeing]))).toEqual(["GROUPS_FLATTER"]);
  });

  test("of domains of addresses ask for a column of them", () => {
    const [doubt] = doubtsOf([{ ...flattery("group", 0, 0.9, 0.5), domainCount: 40 }]);
    expect(doubt!.message).toStartWith(
      'Rows with the same "machine" (its domain) resemble each other: 90.0% at random',
    );
    expect(doubt!.remedy).toBe(
      'If the model is to answer for other domains, write the domain of "machine" into a column of its own and judge by it.',
    );
    expect(doubt!.option).toBe("--group COLUMN");
    expect(remediesOf(doubt!)).toEqual([{ words: "Choose a column to judge by", changes: {} }]);
  });

  test("ask of a number whether it tells whose rows they are", () => {
    const [doubt] = doubtsOf([machine], [], sourceOfAll({ kind: "number" }));
    expect(doubt!.remedy).toBe(
      'If the model is to answer for new values of "machine", or if rows with the same one are of one patient, machine or customer, judge ' +
        "by it.",
    );
  });

  test("of a sorted file name no group by values that differ in nearly every row, and no time by names", () => {
    const sorted = flattery("sorted", 0, 0.7, 0.64);
    const doubtOf = (distinct: number, kind: SourceColumn["kind"] = "number") =>
      doubtsOf([sorted], [], sourceOfAll({ distinct, kind, missing: 100 }))[0]!;
    expect(doubtOf(811)).toMatchObject({
      remedy: 'If "machine" is a time or grows with it, judge by it as a time.',
      option: "--time machine",
    });
    expect(remediesOf(doubtOf(811)).map(({ changes }) => changes)).toEqual([{ timeColumn: "machine" }]);
    expect(doubtOf(810).option).toBe("--time machine or --group machine");
    expect(remediesOf(doubtOf(810))).toHaveLength(2);
    // Names are refused as times.
    expect(doubtOf(12, "category")).toMatchObject({
      remedy: 'Judge by "machine" as a group, or if it is a time, write it as 2024-03 and judge by it as a time.',
      option: "--group machine",
    });
    expect(remediesOf(doubtOf(12, "category")).map(({ changes }) => changes)).toEqual([{ groupColumn: "machine" }]);
  });

  test("count copies, and say that only another table helps", () => {
    const [doubt] = doubtsOf([copies]);
    expect(doubt!.message).toBe(
      "3 rows repeat an earlier one cell by cell, running numbers aside: 92.0% at random, about 61.0% where copies were " +
        "held out together.",
    );
    expect([doubt!.remedy, doubt!.option]).toEqual(["Remove the copies from the file.", null]);
    expect(remediesOf(doubt!)).toEqual([{ words: "Send the table without these rows", changes: null }]);
  });

  test("name a label of made rows, without a figure", () => {
    const [doubt] = leakDoubts({ columns: [], by: "made rows", strength: 0.85, label: "yes" });
    expect(doubt).toMatchObject({ code: "COPIES_FLATTER", level: "serious", columns: [], random: null, held: null });
    expect(doubt!.message).toStartWith(
      'At least 85.0% of the rows with the label "yes" lie exactly between two others',
    );
    expect(remediesOf(doubt!)).toEqual([{ words: "Send the table without these rows", changes: null }]);
  });

  test("name leaks but for columns that are not learned from, or name groups anyhow", () => {
    const leak = (...places: number[]) => ({ columns: places, by: "values" as const, strength: 0.99 });
    const doubts = doubtsOf([machine], [leak(0), leak(2), leak(3), leak(1, 3)], sourceWithout(2));
    const leaks = doubts.filter(({ code }) => code === "LEAK_SUSPECT");
    expect(leaks.map((own) => own.columns)).toEqual([["paid"], ["it's a day", "paid"]]);
    expect(leaks[1]!.option).toBe(`--without "it's a day" --without paid`);
  });

  test("ask about a column that may be filled in after the outcome, with what it is worth", () => {
    const [doubt] = leakDoubts(markOf({ by: "other", text: "N", withIt: 0.828, without: 0.635 }));
    expect(doubt).toMatchObject({
      code: "LEAK_SUSPECT",
      level: "serious",
      message:
        'Where column "paid" is not "N", nearly all rows have the label "yes" (541 rows of those looked at). ' +
        "A fast model is right on 82.8% of the rows with that, on 63.5% without.",
      remedy: 'If "paid" is filled in after the outcome, train without it.',
      option: "--without paid",
      columns: ["paid"],
    });
    for (const [change, words] of [
      [{ by: "other", text: null, part: "month" }, 'column "paid" is filled'],
      [{ by: "other", text: "1900", part: "year" }, 'the year of column "paid" is not "1900"'],
      [{ by: "value", text: "C" }, 'column "paid" is "C"'],
      [{ by: "value", text: null }, 'column "paid" is empty'],
      [{ by: "word", text: "void" }, 'column "paid" has the word "void"'],
      [{ by: "word", text: "##-jan" }, 'column "paid" has a word such as "##-jan" (# is any digit)'],
      [{ by: "at most", text: "402656" }, 'column "paid" is at most 402656'],
      [{ by: "at least", text: "900012" }, 'column "paid" is at least 900012'],
    ] as const) {
      const [own] = leakDoubts(markOf(change));
      expect(own!.message).toStartWith(`Where ${words}, nearly all rows`);
      expect(own!.remedy.startsWith("Look at the texts")).toBe(change.by === "word");
      expect(own!.remedy.endsWith("new rows will have other numbers.")).toBe(change.by.startsWith("at "));
    }
  });

  test("name the digits behind the point, where sources write numbers differently", () => {
    const told = (by: "decimals" | "fewer decimals", text: string) =>
      leakDoubts(markOf({ by, text, others: 0.01, withIt: 0.99, without: 0.56 }, 0.995))[0]!;
    const { message, remedy } = told("fewer decimals", "2");
    expect(message).toBe(
      'Column "paid" has fewer than 2 digits behind the point in 99.5% of the rows with the label "yes" and in 1.0% of ' +
        "the others. A fast model is right on 99.0% of the rows with that, on 56.0% without.",
    );
    expect(remedy).toBe(
      'If the labels come from sources that write numbers differently, round all of "paid" alike, or train without it.',
    );
    expect(told("decimals", "1").message).toStartWith('Column "paid" has 1 digit or more behind the point');
  });

  test("ask to look at the texts for a word, which is removed from them", () => {
    const [doubt] = leakDoubts(markOf({ by: "word", text: "void" }));
    expect([doubt!.remedy, doubt!.option]).toEqual([
      "Look at the texts: if the word was written after the outcome, remove it, or train without " +
        '"paid" if it holds nothing else.',
      "--without paid",
    ]);
  });

  test("ask to look at the texts where words stand with one label each", () => {
    const [doubt] = leakDoubts({ columns: [3], by: "label words", strength: 0.609 });
    expect(doubt).toMatchObject({ code: "LEAK_SUSPECT", option: "--without paid" });
    expect(doubt!.message).toStartWith('In "paid", 60.9% of the rows have a word that stands with one label alone');
    expect(doubt!.remedy).toBe(
      "Look at the texts: if such words were written after the outcome, remove them, or train without " +
        '"paid" if it holds nothing else.',
    );
  });

  test("ask about a column that most rows of a label have and hardly any others", () => {
    const facts = { label: "scrap", others: 0.0067, withIt: 0.994, without: 0.928 };
    const wordsOf = (change: Partial<LeakMark>) => leakDoubts(markOf({ ...facts, ...change }, 0.904))[0]!;
    expect(wordsOf({ by: "other", text: "0" })).toMatchObject({
      code: "LEAK_SUSPECT",
      level: "serious",
      message:
        'Column "paid" is not "0" in 90.4% of the rows with the label "scrap" and in 0.7% of the others: was that ' +
        "known before the outcome? A fast model is right on 99.4% of the rows with that, on 92.8% without.",
      remedy: 'If "paid" is filled in after the outcome, train without it.',
      option: "--without paid",
    });
    expect(wordsOf({ by: "other", text: null }).message).toStartWith('Column "paid" is filled in 90.4% of the rows');
    expect(wordsOf({ by: "value", text: null })).toMatchObject({
      message:
        'Column "paid" is empty in 90.4% of the rows with the label "scrap" and in 0.7% of the others: was that known ' +
        "before the outcome? A fast model is right on 99.4% of the rows with that, on 92.8% without.",
      remedy: 'If "paid" is empty because of the outcome, take its values from before it, or train without it.',
      option: "--without paid",
    });
    expect(wordsOf({ by: "other", text: "1900", part: "year" }).message).toStartWith(
      'The year of column "paid" is not',
    );
  });

  test("name a column once that gives the label away alone and by rows that it marks", () => {
    const doubts = leakDoubts({ columns: [3], by: "presence", strength: 0.7 }, markOf({ by: "other", text: "N" }));
    expect(doubts.map(({ message }) => message)).toEqual([expect.stringContaining("is filled or empty")]);
  });

  test("ask about columns that are empty in the same rows, with all that are learned from", () => {
    const facts = { withIt: 0.82, without: 0.65 };
    const empty: LeakSuspect = { ...markOf({ ...facts, others: 0.1 }), columns: [2, 3], by: "empty rows" };
    const [question] = leakDoubts(empty);
    expect(question).toMatchObject({ code: "LEAK_SUSPECT", level: "caution" });
    expect(question!.message).toBe(
      'Will new rows have "sum" and "paid" before their label is known? Cells of them are empty in 70.0% of the rows ' +
        'with the label "yes" and in 10.0% of the others. By that and other columns a fast model is right on 82.0% of ' +
        "the rows, without it on 65.0%.",
    );
    expect(question!.option).toBe("--without sum --without paid");
    const sources = leakDoubts({ ...empty, by: "two sources" })[0]!;
    expect(sources).toMatchObject({ level: "serious", option: "--without sum --without paid" });
    expect(sources.message).toStartWith(
      'Rows seem to be of two sources or kinds, which have other values of "sum" and "paid": 70.0% of the rows with the label ' +
        '"yes" are of one of them, and 10.0% of the others.',
    );
    const filled = { ...markOf({ ...facts, by: "other" }), columns: [2, 3] };
    expect(leakDoubts(filled)[0]!.message).toStartWith(
      'Where columns "sum" and "paid" are filled, nearly all rows have the label "yes"',
    );
    const together: LeakSuspect = { columns: [2, 3], by: "presence", strength: 0.9 };
    const doubts = leakDoubts(together, filled);
    expect(doubts.map(({ message }) => message)).toEqual([
      expect.stringContaining('Whether columns "sum" and "paid" are filled or empty'),
    ]);
  });

  test("ask about columns that have nothing to do with the others among rows of one label", () => {
    const gain = { measure: "accuracy", withIt: 0.86, without: 0.7 } as const;
    const both: LeakSuspect = { columns: [2, 3], by: "outcome", strength: 0.16, gain };
    const [question] = leakDoubts(both);
    expect(question).toMatchObject({
      code: "LEAK_SUSPECT",
      level: "caution",
      message:
        'Were "sum" and "paid" known before the outcome? Among rows of one label they have nothing to do with the other ' +
        "columns, like counts and states of after the outcome, or instruments and forms that differ by label. With them " +
        "a fast model is right on 86.0%, without them 70.0%.",
      remedy:
        "If they were, and in the same way for all labels, the accuracy holds. Else train without them, or take their " +
        "values from before the outcome and from one source.",
      option: "--without sum --without paid",
    });
    const rare = { ...both, columns: [3], gain: { ...gain, measure: "balanced-accuracy" as const } };
    expect(leakDoubts(rare)[0]!.message).toEndWith(
      "With it a fast model has a balanced accuracy of 86.0%, without it 70.0%.",
    );
    const alone: LeakSuspect = { columns: [3], by: "values", strength: 0.97 };
    expect(leakDoubts(alone, rare).map(({ level }) => level)).toEqual(["serious"]);
  });

  test("name a column that holds shares of the label", () => {
    const [doubt] = leakDoubts({ columns: [2], by: "label shares", strength: 1, label: "yes" });
    expect(doubt!.message).toStartWith('The numbers of column "sum" are shares of the label "yes" among groups');
    expect(doubt!.option).toBe("--without sum");
  });

  test("name columns that were filled in by the label once, without those that are not learned from", () => {
    const fillings = [
      { label: "yes", value: 41.56, rowCount: 77 },
      { label: "no", value: 42.9, rowCount: 103 },
    ];
    const filled = [3, 2].map((column) => ({ column, fillings }));
    const byLabel: LeakSuspect = { columns: [3, 2], by: "filled by label", strength: 0.4, filled };
    const leaks = [byLabel, { ...markOf({ text: "41.56" }, 0.3), columns: [2] }];
    const doubts = doubtsOf([], leaks, sourceWithout(3));
    expect(doubts.map(({ code, option }) => [code, option])).toEqual([["LEAK_SUSPECT", "--without sum"]]);
    expect(doubts[0]!.message).toBe(
      'Missing cells of "sum" seem to be filled in by the label, which nobody knows of new rows: "sum" has 41.56 in ' +
        '77 rows with the label "yes" and 42.9 in 103 rows with the label "no", about the middle of the label\'s rows. ' +
        "40.0% of the rows have such a cell in some column.",
    );
    const both = leakDoubts(...leaks);
    expect(both.map(({ option }) => option)).toEqual(["--without paid --without sum"]);
  });

  test("of a check whose time was up are not all", () => {
    const cut = verdict({ leakage: { ...leakageOf([]), isCut: true } });
    expect([cut.isLookedAt, cut.tooFewRows]).toEqual([false, undefined]);
    expect(quietWords(cut)).toBe("Whether rows belong together was not looked at to the end.");
  });

  test.each([
    ["TIME_LIMIT", "The look gets a tenth of the time limit, 10 seconds at most: a longer time limit lets it go on."],
    ["OWN_LIMIT", "The look ends after 10 seconds of the processor: a table with fewer columns needs less."],
  ] as const)("of a check whose time was up say why, and what helps: %s", (cutBy, why) => {
    const cut = verdict({ leakage: { ...leakageOf([]), isCut: true, cutBy } });
    const look = "Whether rows belong together was not looked at to the end";
    expect(quietWords(cut)).toBe(`${look}. ${why}`);
    const doubts = verdict({ heldOutRowCount: 40 }).doubts;
    expect(unfinishedWords({ ...cut, doubts })).toBe(`${look}: there may be further doubts, and worse ones. ${why}`);
  });

  test("of rows that are too few to be looked at say so", () => {
    const { dependence, ...others } = leakageOf([]);
    const small = { ...others, dependence: { ...dependence!, isWhole: false, tooFewRows: true as const } };
    const { isLookedAt, tooFewRows } = verdict({ leakage: small });
    expect([isLookedAt, tooFewRows]).toEqual([false, true]);
  });

  test("of a model that only decides as guessing does name what else to train for", () => {
    const warnings = [{ code: "NOT_BETTER_THAN_GUESSING", message: "Not better." }];
    const [doubt] = verdict({ warnings, hidden: { label: "is sick", untold: null } }).doubts;
    expect(doubt!.remedy).toBe('Train for the mean recall of the labels, or say what a missed "is sick" costs.');
    expect(doubt!.option).toBe('--optimise balanced-accuracy or --cost "is sick"=N');
    expect(remediesOf(doubt!)).toEqual([{ words: "Train for another objective", changes: {} }]);
    const [untold] = verdict({ warnings, hidden: { label: "is sick", untold: {} } }).doubts;
    expect(untold!.remedy).toBe(
      'Add rows with the label "is sick", or columns that tell it. Or try it: train for the mean recall of the labels, ' +
        'or say what a missed "is sick" costs.',
    );
    expect(untold!.option).toBe(doubt!.option);
    const [plain] = verdict({ warnings }).doubts;
    expect([plain!.option, remediesOf(plain!)[0]!.words]).toEqual([null, "Send a table that says more"]);
  });

  test("say by how much a model loses as it ages, where that is sure", () => {
    const [doubt] = verdict({ ageing: { fresh: 0.724, aged: 0.681, z: 4 } }).doubts;
    expect(doubt).toMatchObject({ code: "ACCURACY_FALLS", level: "caution", option: null });
    expect(doubt!.message).toContain("72.4% by one of all earlier rows, 68.1% by models that ended earlier");
    expect(doubt!.message).toContain("4.3 points less");
    expect(remediesOf(doubt!)).toEqual([]);
    expect(verdict({ ageing: { fresh: 0.724, aged: 0.71, z: 4 } }).doubts).toEqual([]);
    expect(verdict({ ageing: { fresh: 0.724, aged: 0.681, z: 2 } }).doubts).toEqual([]);
  });

  test("of a model that ages or guesses name the time to learn from, where the run left it out", () => {
    const byTime = (used: boolean) =>
      sourceOf({
        columns: columns.map((column) => (column.index === 1 ? { ...column, used } : column)),
        judgedBy: { group: null, time: columns[1]!.name, groupCount: 0 },
      });
    const ageing = { fresh: 0.63, aged: 0.53, z: 4 };
    const warnings = [{ code: "NOT_BETTER_THAN_GUESSING", message: "Not better than guessing." }];
    const toldOf = (used: boolean) => verdict({ source: byTime(used), ageing, warnings }).doubts;
    for (const doubt of toldOf(false)) {
      expect(doubt.remedy).toEndWith(`learn from "it's a day" too and compare the figures.`);
      expect(doubt.option).toBe("--keep-key-columns");
      expect(remediesOf(doubt).map(({ changes }) => changes)).toEqual([{ keepKeyColumns: true }]);
    }
    expect(toldOf(true).map(({ option }) => option)).toEqual([null, null]);
  });

  test("tell labels whose shares change with time, seriously where always answering one is no worse", () => {
    const changed = { label: "broken", older: 0.35, newest: 0.667, accuracy: 0.463 };
    const [serious] = verdict({ changed }).doubts;
    const option = "--optimise balanced-accuracy";
    expect(serious).toMatchObject({ code: "LABEL_SHARES_CHANGE", level: "serious", option });
    expect(remediesOf(serious!)).toEqual([{ words: "Train for another objective", changes: {} }]);
    expect(serious!.message).toBe(
      'The labels\' shares change with time: "broken" are 66.7% of the newest rows, 35.0% of the older ones. ' +
        "Always answering it is no worse on the newest rows than the model, which is right in 46.3%.",
    );
    for (const accuracy of [0.8, null]) {
      const [mild] = verdict({ changed: { ...changed, accuracy } }).doubts;
      expect(mild).toMatchObject({ code: "LABEL_SHARES_CHANGE", level: "caution" });
      expect(mild!.option).toBe(accuracy === null ? null : option);
      expect(mild!.message).toEndWith("35.0% of the older ones.");
    }
    const late = { code: "LATE_LABEL", message: "It begins late." };
    const source = sourceOf({ judgedBy: { group: null, time: "it's a day", groupCount: 0 }, warnings: [late] });
    expect(codesOf(verdict({ changed, source }).doubts)).toEqual(["LATE_LABEL"]);
  });

  test("of few groups or few rows are cautions, and serious ones are told apart", () => {
    const source = sourceOf({ judgedBy: { group: "machine", time: null, groupCount: 12 } });
    const few = verdict({ source });
    expect(few.judgedBy).toEqual({ kind: "groups", groupColumn: "machine", timeColumn: null, groupCount: 12 });
    expect([few.doubts.map(({ code }) => code), hasSeriousDoubt(few)]).toEqual([["FEW_GROUPS"], false]);
    expect(codesOf(verdict({ heldOutRowCount: 40 }).doubts)).toEqual(["FEW_ROWS"]);
    expect(hasSeriousDoubt(verdict({ leakage: leakageOf([twins]) }))).toBeTrue();
  });

  test("of one or two groups that most held-out rows are of are a caution too", () => {
    const judgedBy = { group: "machine", time: null, groupCount: 600 };
    const source = sourceOf({ recordCount: 4_000, judgedBy });
    const toldOf = (...largestGroups: number[]) => verdict({ source, largestGroups }).doubts;
    expect(toldOf(760, 3)).toMatchObject([
      {
        code: "FEW_GROUPS",
        level: "caution",
        message:
          '95.0% of the held-out rows have one value of "machine": how much others differ is hardly known, and the ' +
          "interval is wide.",
        remedy: 'Add rows with other values of "machine".',
      },
    ]);
    expect(toldOf(400, 1)[0]!.message).toStartWith('50.1% of the held-out rows have one of two values of "machine"');
    expect(toldOf(800)[0]!.message).toStartWith('All held-out rows have one value of "machine"');
    expect(toldOf(400)).toEqual([]);
    expect(toldOf(200, 200)).toEqual([]);
  });

  test("of the end of a run, the blind test and the file stand with the others", () => {
    const warnings = [{ code: "NOT_BETTER_THAN_GUESSING", message: "Not better." }];
    const source = sourceOf({ warnings: [{ code: "X", message: "Odd." }] });
    const refinement = {
      test: { name: "test.csv" },
      columns: [{ name: "sum", flags: ["TRAIN_TEST_DRIFT"] }],
    } as unknown as VerdictInput["refinement"];
    const { doubts } = verdict({ warnings, source, refinement });
    expect(codesOf(doubts)).toEqual(["NOT_BETTER_THAN_GUESSING", "BLIND_TEST_DIFFERS", "FILE_WARNINGS"]);
  });
});

test("a hint at how a table may be meant is no doubt, and is not counted as one", () => {
  const hint = { code: "SENTINEL_NUMBER", message: "Column c holds 99999." };
  const even = { code: "EVEN_LABELS", message: "Each of the 2 labels has 60 rows." };
  const odd = { code: "X", message: "Odd." };
  expect(verdict({ source: sourceOf({ warnings: [hint, even] }) }).doubts).toEqual([]);
  const [doubt] = verdict({ source: sourceOf({ warnings: [hint, odd] }) }).doubts;
  expect(doubt).toMatchObject({ code: "FILE_WARNINGS", message: "Reading the file gave 1 warning: Odd." });
});

test("of the warnings of a file one is shown that asks for something, where there is one", () => {
  const read = { code: "TEXT_AS_MISSING", message: "Texts count as missing." };
  const odd = { code: "MIXED_COLUMN", message: "Mixed." };
  const messageOf = (warnings: { code: string; message: string }[]) =>
    verdict({ source: sourceOf({ warnings }) }).doubts[0]!.message;
  expect(messageOf([read, odd])).toBe("Reading the file gave 2 warnings, such as: Mixed.");
  expect(messageOf([read])).toBe("Reading the file gave 1 warning: Texts count as missing.");
  const lost = { code: "HEADER_LOOKS_LIKE_DATA", message: "That row is lost." };
  const [worst] = verdict({
    source: sourceOf({ warnings: [{ code: "X", message: "Odd." }, lost] }),
  }).doubts;
  expect(worst!.message).toEndWith("That row is lost.");
});

test("few held-out rows of a class are a doubt where a measure rests on them", () => {
  const rarest = { label: "sick", rowCount: 7, objective: "balanced-accuracy" } as const;
  expect(verdict({ rarest }).doubts).toMatchObject([
    {
      code: "FEW_ROWS_OF_CLASS",
      level: "caution",
      message:
        'Only 7 of 800 held-out rows have the label "sick", and the balanced accuracy rests on them: it may be far off.',
      remedy: 'Add rows with the label "sick".',
    },
  ]);
  expect(verdict({ rarest: { ...rarest, rowCount: 30 } }).doubts).toEqual([]);
});

test("labels that the champion never predicts are a doubt, and another objective is the remedy", () => {
  const crack = { label: "crack", count: 3 };
  const [doubt] = verdict({ neverPredicted: { classes: [crack], objective: "accuracy" } }).doubts;
  expect(doubt).toMatchObject({
    code: "CLASS_NEVER_PREDICTED",
    level: "caution",
    message: '"crack" is never predicted: 3 held-out rows have it, and none was found.',
    remedy: "Add rows with this label, or train for the mean recall of the labels.",
    option: "--optimise balanced-accuracy",
  });
  expect(remediesOf(doubt!).map(({ words }) => words)).toEqual(["Train for another objective"]);
  const both = [crack, { label: "dent", count: 1 }];
  const [optimised] = verdict({ neverPredicted: { classes: both, objective: "f1" } }).doubts;
  expect(optimised).toMatchObject({
    message: '"crack", "dent" are never predicted: 4 held-out rows have them, and none was found.',
    remedy: "Add rows with these labels.",
    option: null,
  });
  expect(remediesOf(optimised!)).toEqual([]);
});

test("where labels are spellings of one another, writing them alike comes before rows and objectives", () => {
  const warnings = [{ code: "ALIKE_LABELS", message: "Labels differ only in case." }];
  const { doubts } = verdict({
    source: sourceOf({ warnings }),
    rarest: { label: "Yes", rowCount: 7, objective: "f1" },
    neverPredicted: { classes: [{ label: "Yes", count: 7 }], objective: "accuracy" },
  });
  const told = doubts.filter(({ code }) => code !== "FILE_WARNINGS");
  expect(codesOf(told)).toEqual(["CLASS_NEVER_PREDICTED", "FEW_ROWS_OF_CLASS"]);
  for (const { remedy, option } of told) {
    expect([remedy, option]).toEqual(["First write labels that mean the same alike, and train again.", null]);
  }
});

test("a label that begins late is a doubt of its own, not one about how the file was read", () => {
  const late = { code: "LATE_LABEL", message: 'The label "sold" begins late.', column: "end", count: 7 };
  const judgedBy = { group: null, time: "end", groupCount: 0 };
  expect(verdict({ source: sourceOf({ judgedBy, warnings: [late] }) }).doubts).toMatchObject([
    { code: "LATE_LABEL", level: "caution", message: late.message, option: null },
  ]);
});

test("labels that may mean that there is none yet are asked about before all else", () => {
  const none = {
    code: "MISSING_AS_LABEL",
    message: 'Does "pending" mean that there is no label yet?',
    column: "label",
  };
  const source = sourceOf({ warnings: [none] });
  const doubts = doubtsOf([machine], [], source);
  expect(doubts.map(({ code, level }) => [code, level])).toEqual([
    ["MISSING_AS_LABEL", "caution"],
    ["GROUPS_FLATTER", "serious"],
  ]);
  expect(doubts[0]!.message).toBe(none.message);
});

test("where no doubt is open, nothing claims that rows are independent", () => {
  const quiet = verdict({});
  expect([quiet.doubts, quiet.isLookedAt]).toEqual([[], true]);
  expect(quietWords(quiet)).toBe(
    "No sign was found that rows belong together: by their order, by a column, or as equal rows.",
  );
  expect(quietWords(verdict({ leakage: null }))).toContain("not looked at to the end");
  const byGroup = sourceOf({ judgedBy: { group: "machine", time: null, groupCount: 100 } });
  expect(quietWords(verdict({ leakage: null, source: byGroup }))).toContain("not looked at to the end");
  expect(quietWords(verdict({ source: byGroup }))).toStartWith("No doubt was found");
});
