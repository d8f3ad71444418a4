// Refinements of tables with columns of texts: what stays, what goes and why,
// and the same decisions on any number of threads.
import { describe, expect, test } from "bun:test";
import { Random } from "../../../engine/random.ts";
import { randomTexts, withRandomTexts } from "../../support/noise-text.ts";
import { withRefinery } from "../../support/refinery.ts";
import { drawTexts } from "../../support/text-tables.ts";

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/**
 * Columns: texts with words of their class, the same ones, nearly the same
 * ones, random words, words without one in common.
 */
function textColumns(rowCount: number, seed: number): string {
  const { texts, labels } = drawTexts(rowCount, 2, seed);
  const random = new Random(seed + 1);
  const noise = randomTexts(rowCount, seed + 2);
  const lines = texts.map((text, row) => {
    const near = `${text}${random.nextBelow(8) === 0 ? " really" : ""}`;
    const keys = `${seed}${"abcdefghij"[row % 10]!}${row} `.repeat(3).trim();
    return [text, text, near, noise[row]!, keys, String(random.nextBelow(9)), labels[row]!].map(quoted).join(",");
  });
  return `said,again,near,noise,keys,number,label\n${lines.join("\n")}\n`;
}

const TRAIN = textColumns(2_000, 10);
const TEST = textColumns(600, 12);

describe("a refinement of texts", () => {
  test("keeps words of the class, and removes copies and noise with their reasons", () =>
    withRefinery(TRAIN, TEST, 2, async ({ run }) => {
      const { state, columns, overlap } = await run();
      expect(state).toBe("REFINEMENT_COMPLETED");
      expect(overlap).toBe(0);
      expect(columns.map(({ name, decision, reason, with: other }) => [name, decision, reason, other])).toEqual([
        ["said", "KEEP", expect.stringMatching(/^(REPRESENTATIVE|SIGNAL_UNIVARIATE)$/), null],
        ["again", "REMOVE", "DUPLICATE_OF", "said"],
        ["near", "REMOVE", "REDUNDANT_WITH", "said"],
        ["noise", "REMOVE", "NO_SIGNAL", null],
        ["keys", "REMOVE", expect.stringMatching(/^(ID_LIKE|FREE_TEXT|NO_SIGNAL)$/), null],
        ["number", "REMOVE", "NO_SIGNAL", null],
      ]);
      const [said] = columns;
      expect(said!.evidence.pValue).toBeLessThan(1e-6);
      expect(said!.evidence.permutationZ).toBeGreaterThan(3);
      expect(said!.flags).toEqual([]);
    }));

  test("decides alike with one thread and with four", async () => {
    const outcomes: unknown[] = [];
    for (const workers of [1, 4]) {
      await withRefinery(TRAIN, TEST, workers, async ({ run }) => {
        const { budgetSeconds: _, ...outcome } = await run();
        outcomes.push(outcome);
      });
    }
    expect(outcomes[0]).toEqual(outcomes[1]);
  });

  // In the second, forests gain more by the column than by its shadows in 16 of 20 rounds, by chance.
  test.each([
    ["churn", 2_000, 12],
    ["credit_g", 1_000, 20],
  ] as const)("removes random words beside the columns of %s", async (table, rowCount, seed) => {
    const { train, test } = withRandomTexts(table, rowCount, seed, true);
    await withRefinery(train, test, 2, async ({ run }) => {
      const { columns } = await run();
      expect(columns[0]).toMatchObject({ name: "note", kind: "text", decision: "REMOVE", reason: "NO_SIGNAL" });
      expect(columns.filter(({ decision }) => decision === "KEEP").length).toBeGreaterThan(3);
    });
  });

  test("flags a text that names its class, or removes it where asked to", async () => {
    const leaking = (table: string) =>
      table
        .split("\n")
        .map((line, at) => (at === 0 ? line : line.replace(/^"(.*?)",(.*"class (\d+)")$/, '"$1 (kind$3)",$2')))
        .join("\n");
    await withRefinery(leaking(TRAIN), leaking(TEST), 2, async ({ run }) => {
      const kept = await run();
      expect(kept.columns[0]).toMatchObject({ reason: "KEPT_SUSPECT", flags: ["TARGET_LEAK_SUSPECT"] });
      const removed = await run({}, { removeLeaks: true });
      expect(removed.columns[0]).toMatchObject({ decision: "REMOVE", reason: "TARGET_LEAK" });
    });
  });
});
