// Odd texts through whole runs and predictions: each is learnt from, or left out
// with a reason; never a fault, never in silence.
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../../engine/random.ts";
import { inspect } from "../../src/commands/inspect.ts";
import { run } from "../../src/commands/run.ts";
import type { RunSummary } from "../../src/summary/summary.ts";
import { scoreRows } from "../../workers/scoring/live-scoring.ts";
import { ModelCache } from "../../workers/scoring/model-cache.ts";
import { encode, read } from "../engine/csv/reading.ts";
import { withFolder } from "../support/folders.ts";
import { runOptions, spawnWorker, testConsole } from "../support/in-process.ts";
import { drawTexts } from "../support/text-tables.ts";

const ROWS = 200;
const DRAWN = drawTexts(ROWS, 2, 3);
const HAN = [..."的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生"];
const THAI = "อาหาร มาก ไม่ ชอบ สวย ราคา แพง ถูก บริการ ช้า เร็ว".split(" ");
const KANA = "これ それ とても あまり ない です ます ホテル ラーメン 料理 部屋".split(" ");
const MARKS = [..."!?.,;:-#"];

/** The text of a row: what was drawn for it, its number, which of two classes it is of, and draws of its own. */
type Making = (drawn: string, row: number, isFirst: boolean, random: Random) => string;

const pick = <T>(random: Random, items: readonly T[]): T => items[random.nextBelow(items.length)]!;
const several = (random: Random, least: number, items: readonly string[]) =>
  Array.from({ length: least + random.nextBelow(8) }, () => pick(random, items)).join("");
/** Each letter as the one so many places behind it in another alphabet. */
const inLetters = (text: string, first: number) =>
  text.replace(/[a-z]/g, (letter) => String.fromCharCode(first + letter.charCodeAt(0) - 97));

/** Six letters for each number; many of them have pieces in common. */
const ownWord = (number: number) =>
  Array.from({ length: 6 }, (_, at) => "qwertyuiopasdfgh"[((number * 7_919 + 12_345) >> (4 * at)) & 15]).join("");

interface Odd {
  name: string;
  make: Making;
  kind: string;
  /** Why it is left out; null where it is learnt from. */
  reason?: string;
  /** Most rows are told apart by the texts. */
  isTelling?: boolean;
}

const NO_WORD = "text: no word stands in two of its rows";

const ODD: readonly Odd[] = [
  { name: "a third of them empty", make: (text, row) => (row % 3 === 0 ? "" : text), kind: "text" },
  { name: "nearly all of them empty", make: (text, row) => (row % 50 === 0 ? text : ""), kind: "text" },
  {
    ...{ name: "one text in every row", make: () => "the same words in every row of it", kind: "constant" },
    reason: "constant: the same value in every row",
  },
  {
    name: "one text in every other row",
    make: (text, row) => (row % 2 === 0 ? text : "the same words in each such row"),
    kind: "text",
  },
  {
    name: "emoji between words",
    make: (text, _, isFirst) => text.replaceAll(" ", isFirst ? " 😀👍🏽 " : " 😡❤️ "),
    ...{ kind: "text", isTelling: true },
  },
  {
    name: "emoji alone",
    make: (_, __, isFirst, random) => several(random, 1, isFirst ? ["😀", "🎉"] : ["😡", "💔"]),
    kind: "category",
  },
  { name: "Arabic letters", make: (text) => inLetters(text, 0x627), kind: "text" },
  {
    name: "Hebrew letters, with marks of direction",
    make: (text) => `\u200f${inLetters(text, 0x5d0)}\u202c`,
    kind: "text",
  },
  {
    name: "Chinese without spaces",
    make: (_, __, isFirst, random) => several(random, 6, HAN) + (isFirst ? "好吃" : "难吃"),
    ...{ kind: "text", isTelling: true },
  },
  {
    name: "Japanese without spaces",
    make: (_, __, isFirst, random) => several(random, 4, KANA) + (isFirst ? "うまい" : "まずい"),
    ...{ kind: "text", isTelling: true },
  },
  {
    name: "Thai without spaces",
    make: (_, __, isFirst, random) => several(random, 4, THAI) + (isFirst ? "อร่อย" : "เค็ม"),
    ...{ kind: "text", isTelling: true },
  },
  {
    name: "HTML",
    make: (text, row) => `<div class="r${row}"><p>${text}</p><br/>&nbsp;<script>alert("${row}")</script></div>`,
    kind: "text",
  },
  { name: "blobs in base64", make: (text, row) => btoa(text + row + text), kind: "identifier" },
  {
    name: "a word of a million characters",
    make: (text, row) => (row === 7 ? "x".repeat(1_000_000) : text),
    kind: "text",
  },
  {
    name: "a million characters that each stand for many",
    make: (text, row) => (row === 7 ? "ﷺ".repeat(300_000) : text),
    kind: "text",
  },
  {
    name: "numbers alone",
    make: (_, __, ___, random) => Array.from({ length: 8 }, () => random.nextBelow(99_999)).join(" "),
    kind: "text",
  },
  {
    name: "digits alone",
    make: (_, row) => `${row}`.padStart(3, "0").repeat(9),
    kind: "identifier",
  },
  {
    name: "marks alone",
    make: (_, __, ___, random) => Array.from({ length: 9 }, () => several(random, 1, MARKS)).join(" "),
    ...{ kind: "text", reason: NO_WORD },
  },
  {
    name: "words of one length that come but once",
    make: (_, row) => Array.from({ length: 8 }, (__, at) => ownWord(8 * row + at)).join(" "),
    ...{ kind: "text", reason: NO_WORD },
  },
  {
    name: "letters that come but once",
    make: (_, row) => Array.from({ length: 8 }, (__, at) => String.fromCharCode(0x4e00 + 8 * row + at)).join(" "),
    ...{ kind: "text", reason: NO_WORD },
  },
];

const csvOf = (make: Making, hasNumber: boolean) => {
  const random = new Random(5);
  const lines = DRAWN.texts.map((drawn, row) => {
    const text = make(drawn, row, DRAWN.labels[row] === DRAWN.labels[0], random).replaceAll('"', '""');
    return [...(hasNumber ? [(row * 7) % 13] : []), `"${text}"`, DRAWN.labels[row]].join(",");
  });
  return `${hasNumber ? "number," : ""}text,label\n${lines.join("\n")}\n`;
};

/** What a run with a prediction of its own rows says, and the result's records under their names. */
async function runOn(folder: string, bytes: string | Uint8Array) {
  const path = join(folder, "odd.csv");
  writeFileSync(path, bytes);
  const inspecting = testConsole();
  expect(inspect({ path, label: null, missingMarkers: null, json: true }, inspecting)).toBe(0);
  const running = testConsole();
  const out = join(folder, "out");
  await run(runOptions(path, out, { predictPaths: [path] }), running, spawnWorker);
  const { header, records } = read(new Uint8Array(readFileSync(join(out, "predictions-odd.csv"))));
  const rows = records.map((record) => Object.fromEntries(header!.names.map((name, at) => [name, record[at]!])));
  return { summary: JSON.parse(running.printed[0]!) as RunSummary, rows, modelPath: join(out, "model.cupel") };
}

describe("texts beside a number", () => {
  test.each(ODD)("$name", ({ make, kind, reason = null, isTelling = false }) =>
    withFolder(async (folder) => {
      const { summary, rows, modelPath } = await runOn(folder, csvOf(make, true));
      const column = summary.columns.find(({ name }) => name === "text")!;
      expect([column.kind, column.reason, column.used]).toEqual([kind, reason, reason === null]);
      expect(rows).toHaveLength(ROWS);
      if (isTelling) expect(summary.achievedPerformance).toBeGreaterThan(0.95);
      // A cell may be too long for a body of JSON, not for the model.
      const cache = new ModelCache();
      for (const row of [0, 7, 50]) {
        const { text, number, prediction, confidence } = rows[row]!;
        const { scores } = scoreRows(cache, modelPath, [{ text: text!, number: number! }], 3);
        expect([scores[0]!.label, scores[0]!.confidence]).toEqual([prediction!, expect.closeTo(Number(confidence), 4)]);
      }
    }),
  );

  test.each(["windows-1252", "utf-16le", "utf-16be"] as const)("in %s are those of UTF-8", async (encoding) => {
    const csv = csvOf((text) => text.replaceAll("a", "é").replaceAll("e", "ü"), true);
    const models: unknown[] = [];
    for (const bytes of [encode(csv, "utf-8"), encode(csv, encoding)]) {
      await withFolder(async (folder) => {
        const { summary, rows } = await runOn(folder, bytes);
        models.push([summary.columns, summary.achievedPerformance, rows]);
      });
    }
    expect(models[1]).toEqual(models[0]);
  });
});

describe("a table of texts alone", () => {
  test.each(ODD.filter(({ reason }) => reason !== undefined))("is refused for its texts: $name", ({ make, reason }) =>
    withFolder(async (folder) => {
      await expect(runOn(folder, csvOf(make, false))).rejects.toThrow(`Not usable: "text" (${reason}).`);
    }),
  );

  test("is refused for a NUL in a text", () =>
    withFolder(async (folder) => {
      await expect(
        runOn(
          folder,
          csvOf((text) => `${text}\0`, false),
        ),
      ).rejects.toThrow("NUL");
    }));
});
