// The dependence check before training on tables with texts: their shape is no time,
// no group and no order, and single words may be leaks.
import { describe, expect, test } from "bun:test";
import { findLeaks } from "../../../engine/leaks/leaks.ts";
import { Random } from "../../../engine/random.ts";
import { findDependence } from "../../../engine/row-dependence/dependence.ts";
import { findTextTwins } from "../../../engine/row-dependence/text-twins.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import { drawTexts, tableOfTexts, textTable } from "../../support/text-tables.ts";

const { texts, labels } = drawTexts(600, 3, 1);
/** Rows of one class stand together, and longer texts come later. */
const sorted = texts
  .map((text, row) => ({ text: `${text} ${"on ".repeat(row % 7)}`.trim(), label: labels[row]! }))
  .sort((a, b) => a.label.localeCompare(b.label) || a.text.length - b.text.length);

interface LabelledText {
  text: string;
  label: string;
}

/** Looks at these texts beside a number that tells nothing of them. */
function look(rows: readonly LabelledText[], looks?: Parameters<typeof findDependence>[3]) {
  const number = rows.map((_, row) => (row * 37) % 11);
  const [rowTexts, rowLabels] = [rows.map(({ text }) => text), rows.map(({ label }) => label)];
  return findDependence(textTable(rowTexts, rowLabels, [number]), 1, neverStop, looks);
}

describe("dependence", () => {
  test("is not seen in texts that have nothing in common, in any order of the file", () => {
    const inAnyOrder = look(texts.map((text, row) => ({ text, label: labels[row]! })));
    expect(inAnyOrder).toMatchObject({ found: [], sortedBy: [], isWhole: true });
    const inOrder = look(sorted);
    expect(inOrder.sortedBy).toEqual([]);
    expect(inOrder.found.map(({ bond }) => bond)).not.toContain("time");
  });

  test("cannot be looked for where there are only terms", () => {
    // The characters that are read by place are the same ones.
    const opening = "x".repeat(64);
    const alike = texts.map(
      (_, row) => `${opening} ${"abcd"[row % 4]!.repeat(3)} ${"efgh"[(row >> 2) % 4]!.repeat(3)}`,
    );
    const table = tableOfTexts([alike], labels);
    expect(table.features.every(({ kind }) => kind === "score")).toBeTrue();
    expect(findDependence(table, 1, neverStop)).toMatchObject({ found: [], isWhole: false });
  });
});

describe("what customers mostly ask for", () => {
  const random = new Random(2);
  const count = 1_500;
  const drawn = drawTexts(count, 5, 4);
  const customers = Array.from({ length: 90 }, () => drawn.labels[random.nextBelow(count)]!);
  /** Mostly what the customer mostly asks for, under a short name of the customer. */
  const rows = Array.from({ length: count }, () => {
    const customer = random.nextBelow(90);
    const own = customers[customer]!;
    return { customer, label: random.nextBelow(10) < 7 ? own : drawn.labels[random.nextBelow(count)]! };
  });
  const textsOf = new Map(
    [...new Set(drawn.labels)].map((label) => [label, drawn.texts.filter((_, row) => drawn.labels[row] === label)]),
  );
  const foundWith = (text: (label: string) => string) =>
    findDependence(
      textTable(
        rows.map(({ label }) => text(label)),
        rows.map(({ label }) => label),
        [rows.map(({ customer }) => `c${customer}`), rows.map((_, row) => (row * 37) % 11)],
      ),
      1,
      neverStop,
      ["groups"],
    ).found;
  const anyText = (label: string) => textsOf.get(label)![random.nextBelow(textsOf.get(label)!.length)]!;

  test("is told where texts say nothing", () => {
    const [found, ...others] = foundWith(() => anyText("class 00"));
    expect(found).toMatchObject({ bond: "seen values", column: 0 });
    expect(found!.random - found!.held).toBeGreaterThan(0.4);
    expect(others).toEqual([]);
  });

  test("is not told where the texts tell the label of any customer", () => {
    expect(foundWith((label) => `${anyText(label)} ${anyText(label)} ${anyText(label)}`)).toEqual([]);
  });
});

describe("twins of texts", () => {
  const random = new Random(1);
  const word = () =>
    Array.from({ length: 6 }, () => "bcdfghklmn"[random.nextBelow(10)]! + "aeiou"[random.nextBelow(5)]!).join("");
  const sentence = (length: number) => Array.from({ length }, word);
  const bondsOf = (rows: readonly LabelledText[]) =>
    look(rows, ["texts"]).found.map(({ bond, column }) => [bond, column]);
  const vocabulary = sentence(400);
  const common = (length: number) => Array.from({ length }, () => vocabulary[random.nextBelow(400)]!);

  test("are told where new templates would be as good as coins", () => {
    const templates = Array.from({ length: 60 }, () => ({ words: common(14), label: `${random.nextBelow(2)}` }));
    const rows = Array.from({ length: 600 }, () => {
      const { words, label } = templates[random.nextBelow(60)]!;
      return { text: words.with(random.nextBelow(14), word()).join(" "), label };
    });
    expect(bondsOf(rows)).toEqual([["texts", 1]]);
    expect(bondsOf(rows.map(({ text }) => ({ text, label: `${random.nextBelow(2)}` })))).toEqual([]);
  });

  test("are told as a few kinds where texts are made of a trade's phrases, which come again in new ones", () => {
    const phrases = Array.from({ length: 16 }, (_, at) => ({ words: common(6), label: `${at % 2}` }));
    const rows = Array.from({ length: 600 }, () => {
      const { words, label } = phrases[random.nextBelow(16)]!;
      return { text: [...words, word(), word()].join(" "), label };
    });
    expect(bondsOf(rows)).toEqual([["few texts", 1]]);
  });

  test("are told of a subject only where the mail below it does not tell the label as well", () => {
    const templates = Array.from({ length: 60 }, () => ({ words: common(8), label: `${random.nextBelow(2)}` }));
    const rows = Array.from({ length: 600 }, () => {
      const { words, label } = templates[random.nextBelow(60)]!;
      const other = random.nextBelow(5) === 0 ? `${random.nextBelow(2)}` : label;
      return { subject: words.with(random.nextBelow(8), word()).join(" "), label: other };
    });
    const subjects = rows.map(({ subject }) => subject);
    const rowLabels = rows.map(({ label }) => label);
    const others = [rows.map((_, row) => (row * 37) % 11)];
    const foundWith = (mails: readonly string[]) =>
      findDependence(tableOfTexts([subjects, mails], rowLabels, others), 1, neverStop, ["texts"]).found;
    expect(foundWith(rows.map(() => common(10).join(" ")))).toMatchObject([{ bond: "texts", column: 1 }]);
    const telling = [sentence(4), sentence(4)];
    const mails = rowLabels.map((label) => [...common(10), ...telling[Number(label)]!].join(" "));
    expect(foundWith(mails)).toEqual([]);
  });

  test("are none where every text is another", () => {
    const rowTexts = Array.from({ length: 600 }, () => common(14).join(" "));
    const rowLabels = rowTexts.map((text) => (text < "g" ? "low" : "high"));
    expect(bondsOf(rowTexts.map((text, row) => ({ text, label: rowLabels[row]! })))).toEqual([]);
    expect(findTextTwins(textTable(rowTexts, rowLabels).texts![0]!, neverStop)).toBeNull();
  });

  test("stand together, as copies do, whatever else stands between", () => {
    const once = Array.from({ length: 100 }, () => common(12).join(" "));
    const rowTexts = [...once, ...once.toReversed()];
    const twins = findTextTwins(
      textTable(
        rowTexts,
        rowTexts.map((_, row) => `${row % 2}`),
      ).texts![0]!,
      neverStop,
    )!;
    expect(once.map((_, row) => twins[row])).toEqual(once.map((_, row) => twins[199 - row]));
    expect(new Set(twins).size).toBe(100);
  });
});

describe("leaks", () => {
  const leaksOf = (rowTexts: readonly string[]) => findLeaks(textTable(rowTexts, labels), neverStop);

  test("are seen where each text names its class", () => {
    const nameOf = (label: string) => label.replace(/ (\d+)$/, (_, digits: string) => "x".repeat(Number(digits)));
    const named = texts.map((text, row) => `${text} ${nameOf(labels[row]!)} ${text}`);
    expect(leaksOf(named)).toEqual([{ columns: [0], by: "words", strength: 1 }]);
  });

  test("are seen where texts are empty for one class alone", () => {
    const filled = texts.map((text, row) => (labels[row] === "class 01" ? "" : text));
    expect(leaksOf(filled)).toMatchObject([{ columns: [0], by: "presence" }]);
  });

  test("are not seen in texts that say nothing but what texts say", () => {
    expect(leaksOf(texts)).toEqual([]);
  });
});

describe("texts that end alike", () => {
  const random = new Random(3);
  const letters = (length: number) => Array.from({ length }, () => "abcdefghij"[random.nextBelow(10)]!).join("");
  const vocabulary = Array.from({ length: 300 }, () => letters(6));
  const writers = Array.from({ length: 16 }, (_, at) => ({ name: letters(5), usual: `${at % 2}` }));
  /** A writer's label is mostly the usual one, where the writer tells it. */
  const bondsOf = (ending: (name: string) => string, share: number) => {
    const rows = Array.from({ length: 800 }, () => {
      const { name, usual } = writers[random.nextBelow(16)]!;
      const words = Array.from({ length: 15 }, () => vocabulary[random.nextBelow(300)]!);
      const label = random.nextBelow(100) < share ? usual : `${random.nextBelow(2)}`;
      return { text: `${words.join(" ")}. ${ending(name)}`, label };
    });
    return look(rows, ["texts"]).found.map(({ bond }) => bond);
  };
  const greeting = () => ["Regards", "Thanks", "Yours", "Cheers"][random.nextBelow(4)]!;

  test.each([
    ["a name", (name: string) => `Regards, ${name}`],
    ["a name under any greeting", (name: string) => `${greeting()} ${name}`],
    ["initials", (name: string) => name.slice(0, 3)],
    ["a name and a number", (name: string) => `Yours ${name}, phone 0171 ${random.nextBelow(9_000_000)}`],
    ["a last name that others have", (name: string) => `${name} ${["Meyer", "Kim"][name.charCodeAt(0) % 2]}`],
  ])("are told where %s tells the label", (_, ending) => {
    expect(bondsOf(ending, 70)).toEqual(["endings"]);
  });

  test("are not told where writers say nothing of the label, or no writer is named", () => {
    expect(bondsOf((name) => `Regards, ${name}`, 0)).toEqual([]);
    expect(bondsOf((name) => `Regards, ${name} and then some`, 70)).toEqual([]);
  });
});
